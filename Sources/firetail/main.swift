print("firetail")
