"""The loops behind the searches, and what they share."""
