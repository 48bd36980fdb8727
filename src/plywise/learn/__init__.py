"""An evaluation for any game, learned from games against itself: `plywise learn`.

kernels   the compiled loops: games, and gradient descent
weights   the weights while they are learned, in fractions
selfplay  games against itself, here or in other processes
learner   rounds of games and of learning, with checkpoints
strength  games against opponents that do not change; errors and strength over time
"""
