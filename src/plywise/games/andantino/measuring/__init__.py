"""What the report measures: forced wins that agents find, and games between evaluations."""
