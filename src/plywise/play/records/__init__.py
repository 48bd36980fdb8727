"""How games are stored: as text, in files and in a database."""
