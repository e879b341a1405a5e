"""Engines by string, the two registries, and conformance checks that catch broken engines."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import Any

import pytest

from overtrick import bidder, check_bidder, check_player, player
from overtrick.bidding import BIDDERS, Explaining
from overtrick.cardplay import PLAYERS
from overtrick.engines import ConformanceError, Registry, Spec, parse_spec, split_outside
from overtrick.engines.clock import counted_by, now
from overtrick.engines.options import option_words
from overtrick.game import PASS, BridgeError, Call, Card, Decision, Meaning, OptionError, View


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("points", Spec("points")),
        (" bmcs( seconds=1 , system='sayc' ) ", Spec("bmcs", {"seconds": 1, "system": "sayc"})),
        (
            "x(a=true, b=None, c=two-over-one)",
            Spec("x", {"a": True, "b": None, "c": "two-over-one"}),
        ),
        ("x(a=[1, 2], b='c, d')", Spec("x", {"a": [1, 2], "b": "c, d"})),
        ("x()", Spec("x")),
        ("x(a='true', b=\"None\")", Spec("x", {"a": "true", "b": "None"})),
        (
            r"""x(command='sh -c "it\'s, + (odd"', n=1)""",
            Spec("x", {"command": 'sh -c "it\'s, + (odd"', "n": 1}),
        ),
    ],
)
def test_reading_engine_strings(text: str, spec: Spec) -> None:
    assert parse_spec(text) == spec
    assert parse_spec(str(spec)) == spec
    assert split_outside(f"{spec}+{spec}", "+", 1) == [str(spec), str(spec)]


@pytest.mark.parametrize("value", ["(" * 9000, "-" * 99_999 + "1", "1+" * 50_000 + "1", "[" * 3000])
def test_no_value_is_too_strange_to_be_a_string(value: str) -> None:
    closed = value + ")" * value.count("(") + "]" * value.count("[")
    assert parse_spec(f"x(a={closed})").options["a"] == closed


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "an engine reads like"),
        ("a b", "an engine reads like"),
        ("points(", "not closed"),
        ("points(1)", "key=value"),
        ("pointz", "did you mean points?"),
        ("points(speed=9)", "points has no option 'speed'; it takes no options"),
    ],
)
def test_bad_engine_strings(text: str, words: str) -> None:
    with pytest.raises(BridgeError) as caught:
        bidder(text)
    assert words in str(caught.value)


def test_players_and_their_check() -> None:
    for name in ("random", "random(seed=3)", "highest"):
        engine = player(name)
        assert engine.name == name
        check_player(engine, boards=3)
    with pytest.raises(OptionError, match="no player called"):
        player("nobody")


@dataclass
class Broken:
    """Does one thing wrong."""

    fault: str
    calls: int = 0
    name: str = "broken"
    system: str = ""

    def bid(self, view: View) -> Decision:
        self.calls += 1
        if self.fault == "illegal":
            return Decision(Call.parse("1C"), Meaning("always clubs"))
        if self.fault == "dumb":
            return Decision(PASS, Meaning(""))
        if self.fault in ("fickle", "cut"):
            legal, cut = view.auction.legal_calls()[:2], self.fault == "cut"
            return Decision(legal[self.calls % len(legal)], Meaning("perhaps"), cut=cut)
        if self.fault == "late":
            began = now()
            while now() < began + 0.5:  # thinks as long as there is time
                pass
            return Decision(PASS, Meaning("thought of"))
        return Decision(Card(0), Meaning("a card"))


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("illegal", "1♣ is illegal: insufficient"),
        ("dumb", "no meaning in words"),
        ("fickle", "another call for the same view"),
        ("card", "a Decision with a Call"),
    ],
)
def test_the_check_finds_broken_bidders(fault: str, words: str) -> None:
    with pytest.raises(ConformanceError) as caught:
        check_bidder(Broken(fault))
    assert words in str(caught.value)


def test_another_call_for_the_same_view_is_a_fault_only_of_engines_that_were_not_cut_short() -> (
    None
):
    with pytest.raises(ConformanceError, match="another call"):
        check_bidder(Broken("fickle"), boards=1)
    check_bidder(Broken("cut"), boards=3)


@dataclass
class Mute(Broken):
    """Explains its calls with nothing."""

    def meaning(self, view: View, call: int) -> Meaning:
        return Meaning("")


def test_an_explanation_has_words() -> None:
    assert isinstance(bidder("points"), Explaining)
    assert not isinstance(bidder("pass"), Explaining)
    with pytest.raises(ConformanceError, match="without words"):
        check_bidder(Mute("cut"), boards=1)


def test_checks_do_not_count_the_seconds_of_a_busy_machine() -> None:
    with counted_by(lambda: 1000.0 * perf_counter()):  # a thousand times as slow
        check_bidder(Broken("late"), boards=1)
        check_player(player("pimc(worlds=3)"), boards=1, seed=1)


def test_registries_take_more_engines() -> None:
    own: Registry[object] = Registry("thing", {}, "overtrick.nothing")
    own.add("broken", Broken)
    assert own.names() == ["broken"]
    assert isinstance(own.make("broken(fault=dumb)"), Broken)
    with pytest.raises(ConformanceError, match="is no bidder"):
        check_bidder(object())  # type: ignore[arg-type]
    assert {"pass", "points"} <= set(BIDDERS.names())


@pytest.mark.parametrize("registry", [BIDDERS, PLAYERS], ids=lambda r: r.kind)
def test_every_option_is_explained(registry: Registry[Any]) -> None:
    for name in registry.shipped():
        words = option_words(registry.factory(name))
        assert all(words.values()), (name, [n for n, w in words.items() if not w])
