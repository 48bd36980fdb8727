"""Programs that make the books; playing does not need them."""
