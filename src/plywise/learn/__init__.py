"""An evaluation for any game, learned from games against itself: `plywise learn`.

kernels   the compiled loops: games, and gradient descent
weights   the weights while they are learned, in fractions
players   games against itself, several at a time
learner   rounds of games and of learning, with checkpoints
"""
