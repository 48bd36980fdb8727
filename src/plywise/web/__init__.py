"""The web app: a server that knows no rules, and a page that knows even less."""
