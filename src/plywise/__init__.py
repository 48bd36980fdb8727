"""plywise: write a game's rules as plain Python functions, get an engine, a solver and a board.

>>> import plywise
>>> game = plywise.game("tictactoe")
>>> position = game.position("b2 a1 c3")
>>> position.to_move, position.legal
(2, ('b1', 'c1', 'a2', 'c2', 'a3', 'b3'))
>>> plywise.solve(position).outcome
'draw'
"""
