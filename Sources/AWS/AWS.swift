// AWS
