"""The language of `dealer`: what is read, and where mistakes are found."""

from __future__ import annotations

from pathlib import Path

import pytest

from overtrick.game import Seat, Strain, Suit, Vulnerability
from overtrick.notation.dealerscript import ScriptError, nodes, parse

SCRIPTS = sorted((Path(__file__).parent.parent / "golden" / "dealer").glob("*.dl"))
EXAMPLES = sorted(Path("/usr/share/doc/dealer/examples").glob("Descr.*"))


def test_the_whole_language() -> None:
    script = parse(
        r"""
        # comment
        generate 1000 produce 12 vulnerable NS dealer west // more
        predeal north SAK, HQ south C2 spades(east)==1
        pointcount 6 4 -2 1  altcount 3 1 1
        strong = hcp(north) >= 20 /* no
        end */ and not shape(north, any 4333 + 54xx - any 0xxx, 5x3x)
        x3 = clubs(west) > 3 ? hcp(west, clubs) : -loser(west)
        first = 1
        condition first
        condition strong && x3 % 2 == 0 || hascard(east, TC) and cccc(south) > 1200
        action printall, print(east, west), printew, printpbn, printcompact hcp(north),
          printoneline, printes "a", hcp(north), \n, average "points" hcp(north),
          frequency "one" (top3(north, spades), 0, 3),
          frequency (hcp(north), 0, 20, controls(south), 0, 8)
        """
    )
    assert (script.generate, script.produce) == (1000, 12)
    assert (script.vul, script.dealer) == (Vulnerability.NS, Seat.WEST)
    assert [hand.bit_count() for hand in script.predeal] == [3, 0, 1, 0]
    assert script.lengths == (nodes.FixedLength(Seat.EAST, Suit.SPADES, 1),)
    assert script.points == (6, 4, -2, 1)
    assert script.counts[3] == (1, 1)
    assert [name for name, _ in script.definitions] == ["strong", "x3", "first"]
    assert isinstance(script.condition, nodes.Or)  # the last condition counts
    assert [type(a).__name__ for a in script.actions] == ["Print"] * 7 + ["Average"] + [
        "Frequency"
    ] * 2
    assert script.actions[6] == nodes.Print(
        "printes", (), ("a", nodes.PointCount(Seat.NORTH), "\n")
    )


def test_reckoning() -> None:
    script = parse("condition imps(score(vul, x3N, tricks(north, notrump)) - 100) > rnd(3)")
    chain = script.condition
    assert isinstance(chain, nodes.Chain)
    assert isinstance(chain.first, nodes.Imps)
    difference = chain.first.difference
    assert isinstance(difference, nodes.Chain)
    assert difference.first == nodes.Score(True, 3, Strain.NT, nodes.Tricks(Seat.NORTH, Strain.NT))


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("condition hcp(north) >", "line 1, column 23: expected a value, found 'the end of the"),
        ("a=3\na=4", "line 2, column 1: a is defined already"),
        ("hcp=4", "line 1, column 1: hcp is a word of the language"),
        ("condition\n  hcp(nort)", "line 2, column 7: no such seat: 'nort'"),
        ("condition b > 3", "line 1, column 11: b is not defined"),
        ("condition shape(north, 4444)", "column 24: the lengths of 4444 do not make 13 cards"),
        ('action average "x', "line 1, column 16: a string is not closed"),
        ("/* never", "line 1, column 1: a comment is not closed"),
        ("predeal north SAA", "column 15: SA is dealt twice"),
        ("predeal north SA south SA", "column 24: SA is dealt twice"),
        ("action dance", "column 8: no such action: 'dance'"),
        ("condition 1 @", "column 13: not part of the language: '@'"),
        ("condition " + "(" * 500, "too deeply nested"),
        ("condition " + "- " * 500 + "1", "too deeply nested"),
        ("altcount 11 3", "numbered 0 to 9"),
        ("condition score(vul, 3, 9)", "expected a contract such as x3N"),
        ("action frequency (hcp(north), 5, 3)", "no histogram from 5 to 3"),
    ],
)
def test_mistakes(text: str, error: str) -> None:
    with pytest.raises(ScriptError) as caught:
        parse(text)
    assert error in str(caught.value)
    assert caught.value.line >= 1


@pytest.mark.parametrize("space", ["\u00a0", "\u2003 \u2003", "\u3000x"])
def test_spaces_of_other_alphabets_are_named(space: str) -> None:
    with pytest.raises(ScriptError, match=r"line 1, column 11: not part of the language: '\\"):
        parse("produce 10" + space)


def test_long_chains_do_not_nest() -> None:
    assert parse("condition " + " && ".join(["hcp(north) > 3"] * 5000)).condition
    assert parse("condition " + " + ".join(["1"] * 20_000)).condition


@pytest.mark.parametrize("path", [*SCRIPTS, *EXAMPLES], ids=lambda p: p.name)
def test_real_scripts_are_read(path: Path) -> None:
    assert parse(path.read_text(encoding="latin-1")).actions
