"""Plans from single suits: Figure 10 of the PRAGMA paper, and what every plan must keep."""

from __future__ import annotations

import json
import random
from itertools import pairwise

import pytest
from click.testing import CliRunner

from overtrick.cardplay.base import check_player, player
from overtrick.cardplay.plans import Round, SuitSearch, interleave, plan, plan_deal
from overtrick.cardplay.plans.resources import lines_of, undominated
from overtrick.cardplay.plans.words import sentences, summary
from overtrick.cardplay.review import shortest_auction
from overtrick.cli import main
from overtrick.doubledummy import Position, PositionError, solve
from overtrick.game import Board, Card, Contract, Deal, Play, Seat, Strain, Suit, view_of
from overtrick.game.reasons import Planned

N, E, S, W = Seat
OURS = (S, N)
PAPER = "<consume(entry(n)), produce(entry(s)), consume(entry(n)), produce(entry(s)), "


def ranks(text: str) -> int:
    return sum(1 << "23456789TJQKA".index(c) for c in text)


SPADES = (ranks("8654"), ranks("KJ9"), ranks("AQT7"), ranks("32"))
HEARTS = (ranks("AK"), ranks("JT93"), ranks("Q87"), ranks("6542"))


def test_figure_10_spades_first_plan() -> None:
    best = undominated(lines_of(Suit.SPADES, SPADES, OURS), OURS, 12)[0]
    assert str(best) == (
        PAPER + "produce(discard(w)), produce(trick), "
        "produce(discard(w)), produce(discard(e)), produce(trick)>"
    )
    assert best.tricks == 4
    assert best.count("consume", "entry", N) == 2
    assert best.count("produce", "entry", S) == 2
    assert best.count("produce", "discard", W) == 2
    assert best.count("produce", "discard", E) == 1


def test_figure_10_spades_second_plan_gives_up_two_and_takes_two() -> None:
    course = (Round(S, None), Round(S, None), Round(S, S), Round(S, S))
    assert SuitSearch(SPADES, OURS).holds(course)
    assert not SuitSearch(SPADES, OURS).holds((Round(S, S), Round(S, S)))


def test_figure_10_hearts() -> None:
    """The paper's text counts three entries to hand; its list leaves out the first."""
    lines = [str(x) for x in undominated(lines_of(Suit.HEARTS, HEARTS, OURS), OURS, 12)]
    assert (
        "<consume(entry(s)), produce(entry(n)), consume(entry(s)), produce(entry(n)), "
        "consume(entry(s)), produce(discard(n)), produce(trick)>"
    ) in lines


def test_figure_10_seven_tricks_from_two_suits() -> None:
    spades = undominated(lines_of(Suit.SPADES, SPADES, OURS), OURS, 12)[0]
    hearts = next(
        line
        for line in lines_of(Suit.HEARTS, HEARTS, OURS)
        if line.tricks == 3 and line.count("consume", "entry", S) == 3
    )
    steps = interleave([spades, hearts], S)
    assert steps is not None
    order = "".join(step.suit.letter for step in steps)
    assert sum(step.round.won for step in steps) == 7
    assert order.startswith("HSHS")
    for before, after in pairwise(steps):
        assert before.round.winner is after.round.lead
    assert interleave([spades], S) is None  # no entry to dummy without hearts


def test_trumps_are_drawn_before_a_defender_can_ruff() -> None:
    spades = (ranks("AKQ"), ranks("32"), ranks("J"), ranks("4"))
    hearts = (ranks("2"), ranks("3"), ranks("AK"), ranks("54"))
    runs = next(x for x in lines_of(Suit.HEARTS, hearts, OURS) if x.tricks == 2)
    drawn = next(
        x for x in lines_of(Suit.SPADES, spades, OURS) if x.course == (Round(N, N), Round(N, N))
    )
    steps = interleave([drawn, runs], N, Suit.SPADES)
    assert steps is None  # no way back to hand
    back = (ranks("AKQ"), ranks("32"), ranks("J"), ranks("4"))
    once = next(x for x in lines_of(Suit.SPADES, back, OURS) if x.course == (Round(S, N),))
    assert interleave([once, runs], S, Suit.SPADES) is None  # East still has a trump


SLOW = pytest.mark.slow


@pytest.mark.parametrize("seed", [0, 1, 2, *(pytest.param(n, marks=SLOW) for n in (3, 4, 5))])
def test_plans_keep_their_promise(seed: int) -> None:
    """Every card of ours keeps the promised tricks double dummy, and every card is legal."""
    chance = random.Random(seed)
    while True:
        deal = Deal.random(chance)
        points = [c.rank - 8 for s in OURS for c in deal[s].cards() if c.rank > 8]
        if sum(points) >= 24:
            break
    strain = [Strain.NT, Strain.SPADES, Strain.HEARTS][seed % 3]
    made = plan(Position.start(deal, strain, W), S)
    assert 0 <= made.tricks <= made.possible
    here, won = Position.start(deal, strain, W), 0
    for trick in made.play:
        before = here
        for card in trick.cards:
            if here.turn in OURS:
                assert solve(here)[card] >= made.tricks - won
            if here.tricks_left == 1 and len(here.trick) == 3:
                break
            here = here.then(card)
        won += here.leader in OURS
        assert before.leader is trick.leader
    assert won >= made.tricks
    assert len(sentences(made)) == len(made.play)
    assert str(made.tricks) in summary(made)


def test_a_plan_says_what_is_wrong() -> None:
    deal = Deal.random(random.Random(1))
    held = deal[W].cards()
    other = next(c for c in deal[E].cards())
    assert other not in held
    with pytest.raises(PositionError, match="does not hold"):
        plan_deal(deal, Contract.parse("3NT", S), other)
    started = Position.start(deal, Strain.NT, W).then(held[0])
    with pytest.raises(PositionError, match="between two tricks"):
        plan(started, S)


def test_a_declarer_who_plans_keeps_the_contract_of_a_player() -> None:
    check_player(player("planner(worlds=4, plans=1)"), boards=1)


def test_a_declarer_who_plans_tells_the_plan() -> None:
    deal = Deal.parse("N:AT.K987.J2.AKT76 7543.5.K98764.98 KQ862.J3.A3.QJ43 J9.AQT642.QT5.52")
    board = Board.numbered(1, deal)
    contract = Contract.parse("3NT", S)
    auction = shortest_auction(contract, board.dealer)
    play = Play.of(contract)
    for text in ("D5", "D2", "DK", "DA"):
        play = play.then(Card.parse(text), deal[play.turn])
    decision = player("planner(worlds=10)").play(view_of(board, auction, play))
    assert any(isinstance(r, Planned) for r in decision.reasons)
    assert "; the plan: " in decision.why
    assert decision.card in deal[S]


def test_command() -> None:
    text = "N:AT.K987.J2.AKT76 7543.5.K98764.98 KQ862.J3.A3.QJ43 J9.AQT642.QT5.52"
    done = CliRunner().invoke(main, ["plan", text, "--contract", "3NT S", "--lead", "D5", "--json"])
    assert done.exit_code == 0, done.output
    value = json.loads(done.output)
    assert value["tricks"] == 11
    assert value["play"][0]["cards"][0] == "D5"
    shown = CliRunner().invoke(main, ["plan", text, "--contract", "3NT S", "--lead", "D5"])
    assert "cross to dummy" in shown.output
    assert Card.parse("D5").ascii == "D5"
