"""BBA's bidder through its C interface: what it is told and how its answers are read.

The library itself is nobody's to ship, so a stand-in with the same functions answers here.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from overtrick import View, bidder
from overtrick.arena import Match
from overtrick.bidding import epbot
from overtrick.bidding.base import BIDDERS
from overtrick.engines import Untrusted
from overtrick.game import BridgeError, OptionError, Systems

NUMBERS = {
    "epbot_get_info_feature": [0] * 402 + [5, 10],
    "epbot_get_info_min_length": [0, 0, 0, 6],
    "epbot_get_info_max_length": [13, 13, 4, 7],
}
CARD = "System type = 1\nBergen = 1\nDrury = 0\nOpponent type = 0\n"


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """What the stand-in was asked, in order; it bids 2♠ and calls that weak."""
    heard: list[tuple[Any, ...]] = []

    def asked(name: str) -> Callable[..., Any]:
        def answer(*given: Any) -> Any:
            heard.append((name, *(g for g in given[1:] if isinstance(g, int | bytes))))
            if name == "epbot_get_bid":
                return 13
            if name == "epbot_get_last_error":
                return b""
            if name == "epbot_get_info_meaning":
                given[2].value = b"Weak two !S "
            if name in NUMBERS:
                given[2][: len(NUMBERS[name])] = NUMBERS[name]
            return 1 if name in ("epbot_create", "epbot_get_info_alerting") else 0

        return answer

    monkeypatch.setattr(epbot, "_library", lambda _: {n: asked(n) for n in epbot._QUESTIONS})
    (tmp_path / "card.bbsa").write_text(CARD)
    (tmp_path / "lib.so").write_bytes(b"")
    return heard


def test_it_is_told_the_hand_and_every_call(told: list[tuple[Any, ...]], tmp_path: Path) -> None:
    engine = bidder(f"epbot(lib='{tmp_path}/lib.so', card='{tmp_path}/card.bbsa')")
    assert engine.system == "sayc +bergen"
    view = View("E", "AKJ752.84.Q92.63", "P", "NS", systems=Systems("sayc", "acol"))
    decision = engine.bid(view)
    assert str(decision.call) == "2♠"
    assert decision.meaning.words == "Weak two ♠"
    assert decision.meaning.ranges() == "5–10 hcp, ♠6–7, ♥0–4"
    assert decision.meaning.alert
    hand = b"63\nQ92\n84\nAKJ752"
    assert ("epbot_new_hand", 1, hand, 0, 2, 0, 0) in told  # N–S vulnerable is its 2
    assert ("epbot_set_bid", 0, 0, b"") in told
    types = [t for t in told if t[0] == "epbot_set_system_type"]
    assert types == [("epbot_set_system_type", 0, 4), ("epbot_set_system_type", 1, 1)]
    ours = [t for t in told if t[:2] == ("epbot_set_conventions", 1)]
    assert ours == [  # what is on comes last
        ("epbot_set_conventions", 1, b"Drury", 0),
        ("epbot_set_conventions", 1, b"Bergen", 1),
    ]
    assert ("epbot_interpret_bid", 13) in told


@pytest.mark.parametrize(
    ("auction", "calls"), [("1C X XX 1D", [5, 1, 2, 6]), ("P P 7NT", [0, 0, 39])]
)
def test_calls_have_its_numbers(
    told: list[tuple[Any, ...]], tmp_path: Path, auction: str, calls: list[int]
) -> None:
    engine = epbot.Epbot(f"{tmp_path}/lib.so", f"{tmp_path}/card.bbsa")
    seat = "NESW"[len(calls) % 4]
    engine.meaning(View(seat, "AKJ752.84.Q92.63", auction, "None"), 35)
    assert [t[2] for t in told if t[0] == "epbot_set_bid"] == calls


def test_an_illegal_call_is_an_error(told: list[tuple[Any, ...]], tmp_path: Path) -> None:
    engine = epbot.Epbot(f"{tmp_path}/lib.so", f"{tmp_path}/card.bbsa")
    with pytest.raises(BridgeError, match="illegal"):
        engine.bid(View("E", "AKJ752.84.Q92.63", "3NT", "None"))


def test_what_is_missing_or_wrong_is_said_at_once(tmp_path: Path) -> None:
    (tmp_path / "card.bbsa").write_text(CARD)
    (tmp_path / "other.txt").write_text("Bergen = 1\n")
    with pytest.raises(OptionError, match="no file"):
        bidder("epbot(lib=nowhere.so, card=nowhere.bbsa)")
    with pytest.raises(OptionError, match=r"no \.bbsa card"):
        bidder(f"epbot(lib='{tmp_path}/other.txt', card='{tmp_path}/other.txt')")
    engine = bidder(f"epbot(lib='{tmp_path}/other.txt', card='{tmp_path}/card.bbsa')")
    with pytest.raises(BridgeError, match="not BBA's native library"):
        engine.bid(View("N", "AKJ752.84.Q92.63", "", "None"))


def test_a_match_keeps_its_card_as_a_file(told: list[tuple[Any, ...]], tmp_path: Path) -> None:
    spec = f"epbot(lib='{tmp_path}/lib.so', card='{tmp_path}/card.bbsa')"
    assert Match(spec, "points", boards=1).a == spec


def test_no_file_may_name_it() -> None:
    with pytest.raises(Untrusted):
        BIDDERS.as_data("epbot(lib=a, card=b)")


def test_a_system_that_is_not_ours_is_declared_by_its_name(tmp_path: Path) -> None:
    for kind, told in ((2, "polish"), (0, "two-over-one")):
        (tmp_path / f"{kind}.bbsa").write_text(f"System type = {kind}\n")
        engine = epbot.Epbot(f"{tmp_path}/{kind}.bbsa", f"{tmp_path}/{kind}.bbsa")
        assert engine.system == told
