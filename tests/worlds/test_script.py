"""Dealing by script: the same values as the `dealer` program, the same deals as plain rejection."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

from overtrick.game import Hand, Seat
from overtrick.notation.dealerscript import nodes, parse
from overtrick.worlds.constraints import Shapes
from overtrick.worlds.dealer import Dealer
from overtrick.worlds.problem import DealingError, ImpossibleDeal
from overtrick.worlds.script import Histogram, Mean, ScriptDealer, printed, run
from overtrick.worlds.scriptbounds import divide
from overtrick.worlds.scriptvalues import Evaluator

PROGRAM = Path("/usr/games/dealer")
SCRIPTS = sorted((Path(__file__).parent.parent / "golden" / "dealer").glob("*.dl"))
VALUES = (
    "cccc(north)", "quality(north,spades)", "loser(north)", "loser(east,hearts)", "control(south)",
    "c13(west)", "top5(north,clubs)", "hcp(north)", "hcp(east,diamonds)", "tens(north)",
    "shape(north, any 4333 + 54xx - any 0xxx + x7xx)", "hascard(west,TC)",
    "spades(north) > hearts(south) ? hcp(north)*3/2 : 0 - clubs(west)%3",
    "1 + 2 * 3 - 7 / 2", "!hcp(north) * 2 + (hcp(south) > 10 && hcp(west) > 10 || 0)",
    "imp(spades(north) * 50)", "score(vul, x3N, hcp(north) / 3)", "2 < 3 == 1",
)  # fmt: skip


@pytest.mark.skipif(not PROGRAM.exists(), reason="Debian's dealer is not installed")
def test_values_agree_with_the_program(tmp_path: Path) -> None:
    items = ', " ", '.join(VALUES)
    text = f"produce 4000 generate 4000 condition 1 action printes({items}), printoneline\n"
    path = tmp_path / "values.dl"
    path.write_text(text)
    done = subprocess.run(
        [str(PROGRAM), "-s", "5", str(path)], capture_output=True, text=True, check=True
    )
    rows, hands = [], []
    for line in done.stdout.splitlines():
        if found := re.match(r"([-\d ]+)n (\S+) e (\S+) s (\S+) w (\S+)", line):
            rows.append([int(x) for x in found[1].split()])
            hands.append([Hand.parse(found[i].upper()).bits for i in (2, 3, 4, 5)])
    assert len(rows) == 4000
    deals = np.array(hands, np.uint64)
    script = parse(text)
    action = script.actions[0]
    assert isinstance(action, nodes.Print)
    exprs = [x for x in action.items if not isinstance(x, str)]
    for name, expr, theirs in zip(VALUES, exprs, np.array(rows).T, strict=True):
        ours = Evaluator(script).values(expr, deals)
        assert (ours == theirs).all(), name


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda p: p.stem)
def test_every_deal_satisfies_its_script(path: Path) -> None:
    dealer = ScriptDealer(path.read_text())
    dealt = dealer.sample(500, np.random.default_rng(3))
    assert len(dealt) == 500
    assert dealer.evaluator.accept(dealt.hands).all()
    for seat, cards in zip(Seat, dealer.script.predeal, strict=True):
        assert (dealt.hands[:, seat] & np.uint64(cards) == cards).all()


@pytest.mark.parametrize(
    "condition",
    [
        "hcp(north) >= 15 && hcp(north) <= 17 && spades(north) + hearts(north) >= 8",
        "(hcp(north) > 14 && spades(south) > 4) || (hcp(south) > 14 && spades(north) > 4)",
        "spades(north) + spades(south) >= 9 and not (hcp(east) > 12 or aces(west) == 2)",
        "hcp(north) + hcp(south) >= 24 && losers(north) <= 6",
        "hcp(east) > 9 ? hearts(west) >= 4 : top3(east, clubs) >= 1",
    ],
)
def test_same_chances_as_rejection(condition: str) -> None:
    rng = np.random.default_rng(11)
    dealer = ScriptDealer(f"condition {condition}")
    dealt = dealer.sample(20_000, rng)
    raw = Dealer().sample(200_000, rng).hands
    kept = raw[dealer.evaluator.accept(raw)]
    assert dealt.chance == pytest.approx(len(kept) / len(raw), rel=0.06)
    for card in range(0, 52, 3):  # where each card lies, within sampling error
        ours = (dealt.hands >> np.uint64(card) & np.uint64(1)).mean(axis=0)
        theirs = (kept >> np.uint64(card) & np.uint64(1)).mean(axis=0)
        error = 5 * np.sqrt(0.25 / len(kept) + 0.25 / len(dealt))
        assert np.abs(ours - theirs).max() < error


def test_conditions_are_divided() -> None:
    condition = "a && spades(north) > hearts(north) && hcp(south) > hcp(east)"
    divided = divide(parse(f"a = hcp(north) > 9 condition {condition}"))
    assert list(divided.seats) == [Seat.NORTH]
    assert len(divided.rest) == 1
    shapes = divide(parse("condition 2 * spades(west) - hearts(west) >= 7"))
    assert isinstance(shapes.seats[Seat.WEST], Shapes)
    assert shapes.rest == ()


def test_fixed_lengths_and_impossible_scripts() -> None:
    dealer = ScriptDealer("predeal north SAK spades(north)==2 condition hcp(north) > 20")
    dealt = dealer.sample(50, np.random.default_rng(1))
    assert all(len(deal[Seat.NORTH].suit(3)) == 2 for deal in dealt)
    with pytest.raises(ImpossibleDeal):
        ScriptDealer("condition hcp(north) > 37")
    with pytest.raises(ImpossibleDeal):
        ScriptDealer("condition 0")
    with pytest.raises(DealingError, match="divides by zero"):
        ScriptDealer("condition hcp(north) / 0 > hcp(south)").sample(1, np.random.default_rng(1))


def test_long_chains_of_definitions() -> None:
    lines = ["a0 = hcp(north)"] + [f"a{i} = a{i - 1} + 1" for i in range(1, 3000)]
    script = "\n".join([*lines, "condition a2999 >= 3011"])
    dealt = ScriptDealer(script).sample(5, np.random.default_rng(1))
    assert len(dealt) == 5


@pytest.mark.parametrize(
    "text",
    [
        "condition hcp(north) + 999999999*999999999*999999999 > 3",
        "condition rnd(999999999*999999999*999) == 1",
        "condition imps(999999999*999999999*999) > 3",
        "action average 999999999*999999999*999999999",
    ],
)
def test_numbers_beyond_all_measure_are_refused(text: str) -> None:
    with pytest.raises(DealingError, match="too large"):
        run(text, np.random.default_rng(1), produce=2)


def test_actions() -> None:
    outcome = run(
        "produce 50 dealer east vulnerable all condition hcp(north) >= 20 action printoneline, "
        'printes hcp(north), " ", "x", \\n, average "mean" hcp(north), '
        'frequency "f" (hcp(north), 20, 22), frequency (hcp(north), 20, 21, spades(north), 0, 3)',
        np.random.default_rng(4),
    )
    mean, one, two = outcome.statistics
    assert isinstance(mean, Mean)
    assert mean.value >= 20
    assert isinstance(one, Histogram)
    assert one.counts.sum() == 50
    assert one.counts[0] == 0
    assert isinstance(two, Histogram)
    assert two.counts.shape == (4, 6)
    lines = printed(outcome)
    assert lines[0].startswith("n ")
    assert re.fullmatch(r"2\d x", lines[1])
    assert any(line.startswith("mean: 2") for line in lines)
    record = next(outcome.records())
    assert (record.dealer, record.number) == (Seat.EAST, 1)


def test_printed_pbn_can_be_read() -> None:
    from overtrick.notation import loads

    outcome = run("produce 3 action printpbn", np.random.default_rng(4))
    assert len(loads("\n".join(printed(outcome)), "pbn")) == 3
    assert len(printed(run("produce 1 action printall", np.random.default_rng(4)))) == 6


def test_double_dummy_tricks() -> None:
    dealt = ScriptDealer("condition hcp(north) > 15 and tricks(north, notrump) >= 7").sample(
        2, np.random.default_rng(2)
    )
    from overtrick.doubledummy import tricks
    from overtrick.game import Strain

    assert all(tricks(deal, Strain.NT, Seat.NORTH) >= 7 for deal in dealt)
