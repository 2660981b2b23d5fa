// Tailing
