"""Games as they are kept: their text, files and the database."""
