// Framing
