"""The middle layer: sessions, matches, hints and reviews, apart from any user interface."""
