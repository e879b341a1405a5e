"""Conventions as switches: what a card shows, what follows from a change, what cannot be."""

from __future__ import annotations

import pytest

from overtrick.systems import UnknownSystem, library_names, load, system_of_text
from overtrick.systems.prices import origin, prices, with_run


@pytest.mark.parametrize("name", library_names())
def test_every_convention_is_explained(name: str) -> None:
    system = load(name)
    assert not system.warnings
    for convention in system.conventions:
        assert convention.about.endswith("."), convention.name
        assert len(convention.about) <= 100, convention.name
        assert convention.topic, convention.name
        assert convention.on is convention.standard
        assert {*convention.needs, *convention.excludes} <= set(system.switches)


def test_what_follows_from_a_change() -> None:
    system = load("two-over-one", off=("weak-twos",))
    changed = {c.name for c in system.conventions if c.is_changed}
    assert changed == {"weak-twos", "ogust"}  # Ogust needs weak twos
    assert {"smolen", "stayman"} <= load("natural", ("smolen",)).playing
    other = load("sayc-extras", off=("rkcb-1430",))
    assert "rkcb-3014" in other.playing  # one of them is always played


@pytest.mark.parametrize(
    ("on", "off", "message"),
    [
        (("dont", "cappelletti"), (), "cappelletti and dont cannot be played together"),
        (("dont",), ("dont",), "dont cannot be both on and off"),
        (("ogust",), ("weak-twos",), "ogust needs weak-twos, which is off"),
        ((), ("rkcb-1430", "rkcb-3014", "blackwood"), "must play one of rkcb-1430, rkcb-3014"),
        ((), ("strong-2c",), "strong-2c is part of sayc and cannot be switched off"),
        (("bergn",), (), "no convention 'bergn'; did you mean bergen"),
    ],
)
def test_contradictions_are_one_line(
    on: tuple[str, ...], off: tuple[str, ...], message: str
) -> None:
    with pytest.raises(UnknownSystem, match=message) as caught:
        load("sayc", on, off)
    assert "\n" not in str(caught.value)


def test_a_file_says_what_its_conventions_need() -> None:
    system = system_of_text(
        'topic "Openings"\n'
        'convention one "One"\n  about "The first."\nopening\n  1C "clubs" : any\n'
        'convention two "Two"\n  about "The second."\n  needs one\n  excludes three\n'
        'opening\n  1D "diamonds" : any\n'
        'convention three "Three"\nopening\n  1H "hearts" : any\n'
    )
    one, two, three = system.conventions
    assert (one.about, one.topic) == ("The first.", "Openings")
    assert (two.needs, two.excludes, three.excludes) == (("one",), ("three",), ("two",))


def test_prices_say_where_they_were_measured() -> None:
    for name, switch in (("two-over-one", "kokish"), ("overtrick", "free-jumps")):
        assert prices(name)[switch].deals > 0
        assert "benchmarks/" in origin(name)
    assert not prices("natural")
    run = {"command": "x", "rows": []}
    assert with_run(run)["runs"][-1] == run
