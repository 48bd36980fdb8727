"""Searches on behalf of pages: the threads, the engines they borrow, whose turn it is."""
