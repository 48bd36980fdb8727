"""What the expert and the solver share: move ordering, threats, an evaluation."""
