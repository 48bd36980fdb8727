"""Series and matches: fair, reproducible, and clear about who broke the rules."""

from __future__ import annotations

from dataclasses import replace

import pytest

import plywise
from plywise import Position, games
from plywise.core.game import AgentType
from plywise.play.match import Match
from plywise.play.series import openings, play_match, play_series, random_opening
from plywise.play.statistics import Mean, Share
from tests.kinds import altered
from tests.play.agents.making import SOON, write_agent


class Scripted:
    """An agent that answers what a function says."""

    name = "scripted"

    def __init__(self, answer):
        self.answer = answer

    def search(self, position, limits=None, on_info=None, stop=None, *, lines=False):
        return plywise.Analysis(self.answer(position), 0.0, 0.0, seconds=0.5)


def game_with(**answers):
    """Tic-Tac-Toe with agents of these names; one with a `seed` parameter gets it as well."""
    kind = plywise.game("tictactoe").type

    def agent(answer):
        if isinstance(answer, AgentType):
            return answer
        return AgentType(lambda game: Scripted(answer))

    agents = {name: agent(answer) for name, answer in answers.items()}
    return altered(kind, agents={**kind.strength.agents, **agents})()


def first(position):
    return position.legal[0]


def last(position):
    return position.legal[-1]


def test_colours_alternate_and_results_are_those_of_a():
    seen = []

    def watching(position):
        seen.append((position.to_move, len(position.moves)))
        return first(position)

    game = game_with(watching=watching, last=last)
    match = play_match(game, "watching", "last", games=4, seed=1)
    starts = [player for player, ply in seen if ply < 2]
    assert starts == [1, 2, 1, 2]
    # whoever begins completes a side of the board first
    assert (match.wins, match.draws, match.losses, match.games) == (2, 0, 2, 4)
    assert match.score == 0.5
    assert match.seconds_per_move == (0.5, 0.5)


def test_progress_is_told_after_each_game():
    told = []
    game = game_with(first=first, last=last)
    match = play_match(game, "first", "last", games=3, seed=1, on_game=told.append)
    assert [each.games for each in told] == [1, 2, 3]
    assert told[-1] == match


def test_a_pair_of_games_shares_its_opening():
    openings = []

    def note(position):
        if len(position.moves) == 3:
            openings.append(position.moves)
        return first(position)

    game = game_with(note=note)
    play_match(game, "note", "note", games=6, seed=5, opening_plies=3)
    assert openings[0::2] == openings[1::2]
    assert len(set(openings)) > 1


def test_openings_are_never_finished_games():
    import random

    game = plywise.game("tictactoe")
    for seed in range(100):
        opening = random_opening(game, 7, random.Random(seed))
        assert len(opening.moves) == 7
        assert not opening.over


def test_every_game_has_its_own_seed_and_a_match_can_be_repeated():
    seeds = []

    def build(game, seed):
        seeds.append(seed)
        return Scripted(first)

    lucky = AgentType(build, (plywise.Parameter("seed", 0),))
    game = game_with(lucky=lucky, last=last)

    def seeds_of(spec, seed):
        seeds.clear()
        play_match(game, spec, "last", games=3, seed=seed)
        return list(seeds)

    one = seeds_of("lucky", 1)
    assert len(set(one[-3:])) == 3
    assert seeds_of("lucky", 1) == one
    assert seeds_of("lucky", 2) != one
    assert seeds_of("lucky:seed=9", 1) == [9]


def test_every_game_starts_afresh():
    """What an agent has learned in one game is no help in the next."""

    def build(game):
        known = set()

        def answer(position):
            seen.append(len(known))
            known.add(position.key)
            return first(position)

        return Scripted(answer)

    seen = []
    game = game_with(learner=AgentType(build), last=last)
    play_match(game, "learner", "last", games=4, seed=1)
    assert seen.count(0) == 4


@pytest.mark.slow
@pytest.mark.parametrize("name", games.names())
def test_the_best_agent_of_each_game_loses_to_no_chance_mover(name):
    """Not even with the little that it sees when there is no time at all."""
    found = play_match(plywise.game(name), "auto:time=0", "random", games=4, seed=3)
    assert (found.games, found.losses, found.forfeits) == (4, 0, ())
    assert found.wins >= 2


def test_the_same_seed_gives_the_same_match():
    game = plywise.game("connect4:rows=4,cols=5")

    def result():
        match = play_match(game, "textbook:depth=3", "seed:level=1", games=6, seed=3,
                           opening_plies=4)  # fmt: skip
        return replace(match, seconds=(0.0, 0.0))

    assert result() == result()


def test_without_a_seed_one_is_drawn_and_reported():
    game = game_with(first=first)
    seeds = {play_match(game, "first", "first", games=1).seed for _ in range(3)}
    assert len(seeds) == 3


def test_agents_that_know_a_clock_get_one_and_others_do_not():
    given = {}

    class Listening(Scripted):
        def search(self, position, limits=None, *rest, **more):
            given[self.name] = limits
            return super().search(position)

    def build(game, time=None):
        agent = Listening(first)
        agent.name = "plain" if time is None else f"time={time}"
        return agent

    clock = AgentType(build, (plywise.Parameter("time", float),))
    game = game_with(clock=clock, plain=AgentType(lambda game: build(game, time=0)))
    play_match(game, "clock", "plain", games=1, seed=1)
    assert given == {"plain": plywise.Limits(time=0.1), "time=0": plywise.Limits()}
    play_match(game, "clock:time=5", "clock", games=1, seed=1)
    assert given["time=5.0"] == plywise.Limits()
    play_match(game, "clock:time=5", "plain", games=1, seed=1, limits=plywise.Limits(time=2))
    assert given["time=5.0"] == given["time=0"] == plywise.Limits(time=2)


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (lambda position: "z9", "bad made an illegal move after '': 'z9' is not a move: "),
        (lambda position: None, "bad returned no move after ''"),
        (lambda position: 1 // 0, "bad raised ZeroDivisionError: integer division or modulo by"),
    ],
)
def test_an_agent_that_breaks_the_rules_is_named(answer, complaint):
    with pytest.raises(plywise.AgentError) as caught:
        play_match(game_with(bad=answer, first=first), "bad", "first", games=2)
    assert str(caught.value).startswith(complaint)


@pytest.mark.parametrize(
    ("wins", "draws", "losses", "elo"),
    [
        (0, 0, 0, (None, None, None)),
        (5, 0, 5, (0.0, -203.5, 203.5)),
        (10, 0, 0, (None, 166.2, None)),
        (0, 0, 10, (None, None, -166.2)),
        (300, 100, 100, (147.2, 114.0, 180.4)),
    ],
)
def test_elo(wins, draws, losses, elo):
    match = Match("", "a", "b", 0, wins, draws, losses)
    assert match.elo == pytest.approx(elo, abs=0.1)
    assert [match.to_json()[key] for key in ("elo", "elo_low", "elo_high")] == list(match.elo)


# ---- series of given openings ----------------------------------------------------------------


def test_openings_are_repeatable_and_not_over() -> None:
    game = plywise.game("tictactoe")
    texts = [position.text for position in openings(game, 12, 4)]
    assert texts == [position.text for position in openings(game, 12, 4)]
    assert texts != [position.text for position in openings(game, 12, 4, seed=2)]
    assert len(set(texts)) > 6
    assert all(len(position.moves) == 4 and not position.over for position in openings(game, 12, 4))


def test_each_start_is_played_from_both_sides() -> None:
    seen: list[tuple[str, Position, plywise.Analysis]] = []
    game = plywise.game("tictactoe")
    starts = openings(game, 3, 2)
    agents = "seed:depth=1", "seed:depth=9"
    match = play_series(game, *agents, starts, on_move=lambda *move: seen.append(move))
    assert match.games == 6
    assert [by for by, after, _ in seen if len(after.moves) == 3] == ["a", "b"] * 3
    assert all(after.moves[-1] == found.best for _, after, found in seen)
    ends = [after for _, after, _ in seen if after.over]
    assert len(ends) == 6
    sides = [True, False] * 3  # is the first agent player 1?
    points = [
        0.5 if end.winner == 0 else float((end.winner == 1) == side)
        for end, side in zip(ends, sides, strict=True)
    ]
    assert match.points == tuple(points)
    assert match.share == Share(sum(points), 6)


def test_the_number_of_games_and_where_they_begin() -> None:
    game = plywise.game("tictactoe")
    starts = openings(game, 4, 2)
    begun: list[tuple[str, tuple[str, ...]]] = []

    def note(by: str, after: Position, found: plywise.Analysis) -> None:
        if len(after.moves) == 3:
            begun.append((by, after.moves[:2]))

    play_series(game, "random", "random", iter(starts), on_move=note)
    whole = list(begun)
    begun.clear()
    play_series(game, "random", "random", starts[1:], first=3, games=4, on_move=note)
    assert begun == whole[3:7]


def test_seeds_are_handed_in() -> None:
    """Without them, an agent has the same one in every game."""
    given: list[int] = []

    def build(game, seed):
        given.append(seed)
        return Scripted(first)

    game = game_with(lucky=AgentType(build, (plywise.Parameter("seed", 5),)), last=last)
    starts = [game.start()] * 2
    play_series(game, "lucky", "last", starts)
    assert set(given) == {5}
    given.clear()
    play_series(game, "lucky", "last", starts, seeds=lambda number, by: 10 * number + (by == "b"))
    assert given[1:] == [0, 10, 20, 30]


def test_a_match_without_opening_plies_is_a_series_from_the_start() -> None:
    game = plywise.game("tictactoe:rows=4,k=3")
    match = play_match(game, "seed:depth=1", "seed:depth=3", games=2, seed=1)
    series = play_series(game, "seed:depth=1", "seed:depth=3", [game.start()])
    assert series.points == match.points


# ---- agent files and programs ----------------------------------------------------------------


@pytest.mark.slow
def test_a_forfeit_is_a_loss_and_the_match_goes_on(tmp_path):
    agent = write_agent(tmp_path, "return state.legal[0] if player == 2 else 'nowhere'")
    told = []
    match = play_match(game_with(last=last), agent, "last", games=4, seed=1, on_game=told.append)
    assert [each.games for each in told] == [1, 2, 3, 4]
    assert match.losses >= 2
    assert [(each.game, each.by, each.after) for each in match.forfeits] == [
        (1, "a", ""),
        (3, "a", ""),
    ]
    reason = f"the agent file {agent} gave an invalid answer: 'nowhere' is not a move: "
    assert all(each.reason.startswith(reason) for each in match.forfeits)
    assert match.to_json()["forfeits"][0] == {
        "game": 1, "by": "a", "after": "", "reason": match.forfeits[0].reason
    }  # fmt: skip
    as_b = play_match(game_with(last=last), "last", agent, games=2, seed=1)
    assert [(each.game, each.by) for each in as_b.forfeits] == [(2, "b")]
    assert as_b.wins >= 1


@pytest.mark.slow
def test_both_may_fail(tmp_path):
    agent = write_agent(tmp_path, "return 1 / 0")
    match = play_match(plywise.game("tictactoe"), agent, agent, games=2, seed=1)
    assert (match.wins, match.draws, match.losses) == (1, 0, 1)
    assert [each.by for each in match.forfeits] == ["a", "b"]


def test_a_file_that_cannot_be_loaded_is_refused_before_the_first_game(tmp_path):
    file = tmp_path / "agent.py"
    file.write_text("x = 1\n", encoding="utf-8")
    told = []
    with pytest.raises(plywise.AgentError, match="does not define get_move"):
        play_match(plywise.game("tictactoe"), "random", str(file), on_game=told.append)
    assert told == []


def test_seconds_a_move_are_kept_to(tmp_path, monkeypatch):
    def result(seconds):
        body = f"import time; time.sleep({seconds}); return state.legal[0]"
        agent, limits = write_agent(tmp_path, body), plywise.Limits(time=0.01)
        return play_match(game_with(last=last), agent, "last", games=1, seed=1, limits=limits)

    late = result(600)
    assert "took more than 0.01 s for a move" in late.forfeits[0].reason
    monkeypatch.setattr("plywise.play.agents.program.GRACE", SOON)
    close = result(0.1)
    assert close.forfeits == ()  # the way there and back is not held against it
    assert close.seconds_per_move[0] >= 0.1


@pytest.mark.slow
def test_a_match_with_files_can_be_repeated(tmp_path):
    agent = write_agent(tmp_path, "import random; return random.choice(state.legal)")

    def result(seed):
        match = play_match(plywise.game("connect4"), agent, "random", games=2, seed=seed)
        return replace(match, seconds=(0.0, 0.0))

    assert result(1) == result(1)
    assert result(1) != replace(result(2), seed=1)


def test_people_play_no_matches():
    with pytest.raises(plywise.SpecError, match="human is not an agent"):
        play_match(plywise.game("tictactoe"), "human", "random")


def test_a_lead_is_over_openings_from_both_sides() -> None:
    match = Match("align", "a", "b", 1, wins=3, losses=3, margins=(-20, 30, None, 8, -10, 12, 7))
    assert match.lead == Mean.of([5.0, 1.0])  # neither the forfeit nor the half opening counts
    assert match.reversed().lead == Mean.of([-5.0, -1.0])
    assert replace(match, margins=()).lead is None
    assert play_match(plywise.game("tictactoe"), "random", "random", games=2).lead is None
