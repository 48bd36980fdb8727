# ruff: noqa: N802, N803, UP004
# An agent as students of a course hand it in: one class, no plywise, the board as an array.
# It takes what pays most, less the most that the answer can be paid.


def run(cells, at):
    first = last = at
    while first > 0 and cells[first - 1] is not None:
        first -= 1
    while last < len(cells) - 1 and cells[last + 1] is not None:
        last += 1
    return last - first + 1


class AIPlayer(object):
    def __init__(self, name, symbole, isAI=False):
        self.name = name
        self.symbole = symbole
        self.isAI = isAI
        self.score = 0

    def get_isAI(self):
        return self.isAI

    def get_symbole(self):
        return self.symbole

    def get_score(self):
        return self.score

    def add_score(self, score):
        self.score += score

    def empty_cells(self, state):
        cells = []
        for x, row in enumerate(state):
            for y, cell in enumerate(row):
                if cell is None:
                    cells.append([x, y])
        return cells

    def points(self, state, x, y):
        lengths = run(state[x], y), run([state[i, y] for i in range(6)], x)
        return sum(length for length in lengths if length in (3, 6))

    def get_move(self, state, player):
        print(self.name, self.score)
        best, chosen = -100, None
        for x, y in self.empty_cells(state):
            after = state.copy()
            after[x][y] = player
            value = self.points(after, x, y)
            answers = [0]
            for u, v in self.empty_cells(after):
                further = after.copy()
                further[u, v] = "?"
                answers.append(self.points(further, u, v))
            if value - max(answers) > best:
                best, chosen = value - max(answers), [x, y]
        return chosen
