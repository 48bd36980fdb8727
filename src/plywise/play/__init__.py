"""The middle: what happens between agents and a game, whoever watches it."""
