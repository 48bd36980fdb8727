"""Tools that make the book; playing does not need them."""
