"""The socket and the games that people are at."""
