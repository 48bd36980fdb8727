"""What the expert and the solver know when they search: moves in order, threats, an estimate."""
