"""The web app: the server and its page. Neither knows the rules of any game."""
