"""Sets of cells as bits: `three` words for any board, `one` for boards of up to 64 cells.

Both have the same functions, so that an algorithm can be built for either, see `evaluation`.
"""
