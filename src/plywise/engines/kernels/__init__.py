"""The compiled loops of the searches, and what they share."""
