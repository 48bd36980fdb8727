"""The socket, and the games that are open in browsers."""
