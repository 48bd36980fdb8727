"""Searches for the server: threads, borrowed engines, and scheduling."""
