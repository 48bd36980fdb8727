"""Tools that make the book; nobody needs them to play."""
