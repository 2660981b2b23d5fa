// Flushing
