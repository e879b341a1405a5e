"""Alerts and announcements by the charts of the federations: a case for each row that systems of
the library can meet."""

from __future__ import annotations

import pytest

from overtrick.cli.explain import command as explain
from overtrick.game import Auction, Vulnerability
from overtrick.systems import Reading, load
from overtrick.systems.classes import after_call, told_ranges
from overtrick.systems.errors import BiddingSystemError
from overtrick.systems.meanings import call_meaning, contexts
from overtrick.systems.procedures import (
    Disclosure,
    Duty,
    Seen,
    before_play,
    procedure,
    procedures,
)

NOTHING, ALERT, ANNOUNCE, DELAYED = Duty.NOTHING, Duty.ALERT, Duty.ANNOUNCE, Duty.DELAYED
TWO, NONE = "two-over-one", Vulnerability.NONE

# procedure, system, auction up to the call, what is owed, words of an announcement, row ("" for
# none: natural or artificial decides)
CASES: list[tuple[str, str, str, Duty, str, str]] = [
    # ACBL
    ("acbl", TWO, "1NT", ANNOUNCE, "15–17", "one notrump"),
    ("acbl", "acol", "1NT", ANNOUNCE, "12–14", "one notrump"),
    ("acbl", "precision", "1D", ANNOUNCE, "could be short",
     "one of a minor that may be shorter than three"),
    ("acbl", "precision", "1C", ALERT, "", "a one-level opening that forces"),
    ("acbl", TWO, "1C", NOTHING, "", ""),
    ("acbl", TWO, "2C", NOTHING, "", "a very strong two clubs"),
    ("acbl", "sef", "2C", ALERT, "", ""),
    ("acbl", TWO, "2C P 2D", NOTHING, "", "two diamonds over a very strong two clubs"),
    ("acbl", TWO, "2D", NOTHING, "", ""),
    ("acbl", "polish", "2D", ALERT, "", ""),
    ("acbl", TWO, "1NT P 2C", NOTHING, "", "Stayman"),
    ("acbl", TWO, "2NT P 3C", NOTHING, "", "Stayman"),
    ("acbl", TWO, "1NT P 2C P 2D", NOTHING, "", "the answer to Stayman"),
    ("acbl", TWO, "1NT P 2D", ANNOUNCE, "hearts", "a transfer over notrump"),
    ("acbl", TWO, "1NT P 4H", ANNOUNCE, "spades", "a transfer over notrump"),
    ("acbl", TWO, "1NT P 2S", ANNOUNCE, "clubs", "a transfer over notrump"),
    ("acbl", TWO, "1NT P 2D P 2H", NOTHING, "", "the completion of a transfer"),
    ("acbl", "sayc", "1NT P 2S", ALERT, "", ""),
    ("acbl", TWO, "1H P 1NT", ANNOUNCE, "semi-forcing", "one notrump that is nearly forcing"),
    ("acbl", "sayc", "1H P 1NT", NOTHING, "", ""),
    ("acbl", TWO, "1C P 2C", ALERT, "", "a forcing single raise"),
    ("acbl", "sayc", "1C P 2C", NOTHING, "", ""),
    ("acbl", TWO, "1H P 3H", ALERT, "", "a weak jump raise without competition"),
    ("acbl", "sayc", "1H P 3H", NOTHING, "", ""),
    ("acbl", TWO, "1H X 3H", NOTHING, "", ""),
    ("acbl", TWO, "1H P 3C", ALERT, "", ""),
    ("acbl", TWO, "1H P 2NT", ALERT, "", ""),
    ("acbl", TWO, "1H P 4C", ALERT, "", ""),
    ("acbl", TWO, "1H P 1S P 4D", DELAYED, "", "above three notrump, from opener's second turn"),
    ("acbl", TWO, "P P 1S P 2C", ALERT, "", ""),
    ("acbl", TWO, "1D P 1S P 1NT P 2C", ALERT, "", ""),
    ("acbl", TWO, "1D P 1H P 1S P 2C", ALERT, "", ""),
    ("acbl", TWO, "1D 1S X", NOTHING, "", "a usual double or redouble"),
    ("acbl", TWO, "1H X 2H X", NOTHING, "", "a usual double or redouble"),
    ("acbl", TWO, "1C P 1H 1S X", NOTHING, "", "a usual double or redouble"),
    ("acbl", TWO, "1C P 1H X XX", NOTHING, "", "a usual double or redouble"),
    ("acbl", TWO, "1NT X", NOTHING, "", "a usual double or redouble"),
    ("acbl", "two-over-one +dont", "1NT X", ALERT, "", ""),
    ("acbl", TWO, "1H 2H", NOTHING, "", "Michaels"),
    ("acbl", TWO, "1H 2NT", NOTHING, "", "two notrump for the lower unbid suits"),
    ("acbl", TWO, "1H 1S 2S", NOTHING, "", "a cue-bid of their suit"),
    ("acbl", TWO, "1NT 2D", ALERT, "", ""),
    ("acbl", TWO, "1NT 2H", ALERT, "", ""),
    ("acbl", TWO, "1NT (2H) 2NT", ALERT, "", ""),
    ("acbl", TWO, "1H P 2NT P 3D P 4NT", NOTHING, "", "asking for aces or key cards"),
    ("acbl", TWO, "1H P 2NT P 3D P 4NT P 5C", NOTHING, "",
     "the answer to asking for aces or key cards"),
    ("acbl", TWO, "1H P 1S P 3S P 4C", NOTHING, "", "a control bid"),
    # WBF
    ("wbf", TWO, "1NT", NOTHING, "", "notrump that means notrump"),
    ("wbf", TWO, "1D 1S X", NOTHING, "", "doubles"),
    ("wbf", "two-over-one +dont", "1NT X", NOTHING, "", "doubles"),
    ("wbf", TWO, "1NT P 2C", ALERT, "", ""),
    ("wbf", TWO, "1NT P 2C P 2D", ALERT, "", ""),
    ("wbf", TWO, "1NT P 2H", ALERT, "", ""),
    ("wbf", TWO, "1NT P 2H P 2S", NOTHING, "", "the completion of a transfer"),
    ("wbf", TWO, "1H 2H", ALERT, "", ""),
    ("wbf", TWO, "1H P 4C", ALERT, "", ""),
    ("wbf", TWO, "1H P 1S P 4D", NOTHING, "", "four of a suit and higher, after the first round"),
    ("wbf", TWO, "1H P 3H", ALERT, "", "a weak jump raise without competition"),
    ("wbf", TWO, "1C 1D 2H", ALERT, "", "a jump in a new suit that does not force"),
    ("wbf", "polish", "1C", ALERT, "", ""),
    ("wbf", TWO, "1S", NOTHING, "", ""),
    # EBU
    ("ebu", "acol", "1NT", ANNOUNCE, "12–14", "one notrump"),
    ("ebu", "acol", "2NT", ANNOUNCE, "20–22", "two notrump"),
    ("ebu", "precision", "1D", ANNOUNCE, "could be short",
     "one of a minor that may be shorter than three"),
    ("ebu", "acol", "2H", ANNOUNCE, "weak", "a natural two of a suit"),
    ("ebu", "precision", "2C", ANNOUNCE, "intermediate",
     "a natural two of a suit with opening values"),
    ("ebu", "acol", "2C", ALERT, "", ""),
    ("ebu", "polish", "2D", ALERT, "", ""),
    ("ebu", "acol", "1NT P 2C", ANNOUNCE, "Stayman", "Stayman"),
    ("ebu", "acol", "1NT P 2C P 2D", NOTHING, "", "no major in answer to Stayman"),
    ("ebu", "acol", "1NT P 2H", ANNOUNCE, "spades", "a transfer to a major"),
    ("ebu", "acol", "1NT P 2H P 2S", NOTHING, "", "the completion of a transfer"),
    ("ebu", TWO, "1NT P 2S", ALERT, "", ""),
    ("ebu", TWO, "1H 1NT P 2C", ALERT, "", ""),
    ("ebu", "acol", "1H X", NOTHING, "", "a takeout double of a suit"),
    ("ebu", "acol", "1D 1S X", NOTHING, "", "a takeout double of a suit"),
    ("ebu", TWO, "1C P 1H 1S X", ALERT, "", "a double of a suit that is not for takeout"),
    ("ebu", TWO, "1C P 1H X XX", ALERT, "", "a support redouble"),
    ("ebu", TWO, "1H X XX", NOTHING, "", "a redouble that shows strength"),
    ("ebu", "acol", "1NT X", NOTHING, "", "a double of notrump for penalties"),
    ("ebu", "two-over-one +dont", "1NT X", ALERT, "",
     "a double of notrump that is not for penalties"),
    ("ebu", "polish", "2D X", ALERT, "",
     "a double of an artificial bid that does not show the suit"),
    ("ebu", TWO, "1NT P 2C X", NOTHING, "",
     "a double of an artificial bid that shows the suit"),
    ("ebu", TWO, "1H 4S X", NOTHING, "", "a double above three notrump"),
    ("ebu", TWO, "1H P 4C", NOTHING, "", "bids above three notrump"),
    ("ebu", TWO, "1H 2H", ALERT, "", ""),
    ("ebu", TWO, "1H 1S 2S", ALERT, "", ""),
    ("ebu", TWO, "1C P 2C", ALERT, "", "a forcing single raise"),
    ("ebu", TWO, "1H P 3H", ALERT, "", "a weak jump raise without competition"),
    ("ebu", TWO, "1H P 1NT", ALERT, "", "one notrump that is nearly forcing"),
]  # fmt: skip
# Rows about agreements that no card of the library has.
UNMET = {
    "a new suit that does not force an opener",
    "an artificial opening above three notrump",
}


def seen(system: str, auction: str) -> Seen:
    """The last call of an auction as procedures look at it."""
    reading = Reading(load(system))
    ctx, call = contexts(
        reading, Auction.parse(auction.replace("(", "").replace(")", "")), NONE, 0
    )[-1]
    option = reading.of_call(ctx, call)[0]
    shown = told_ranges(after_call(reading, ctx, call))
    lengths = tuple(zip(shown.low, shown.high, strict=True))
    return Seen(ctx, call, option, shown.hcp, lengths)  # type: ignore[arg-type]


@pytest.mark.parametrize(("name", "system", "auction", "duty", "words", "row"), CASES)
def test_what_is_owed(
    name: str, system: str, auction: str, duty: Duty, words: str, row: str
) -> None:
    assert procedure(name).of(seen(system, auction)) == Disclosure(duty, words, row)


@pytest.mark.parametrize("name", procedures())
def test_every_row_has_a_case(name: str) -> None:
    rows = {row.name for row in procedure(name).rows}
    assert rows - UNMET == {case[5] for case in CASES if case[0] == name} - {""}


@pytest.mark.parametrize(
    ("card", "auction", "owed"),
    [
        (TWO, "1NT P 2H", (False, "spades", False)),
        ("two-over-one +alerts-wbf", "1NT P 2H", (True, "", False)),
        ("two-over-one +alerts-ebu", "1NT P 2C", (False, "Stayman", False)),
        (TWO, "1H P 1S P 4D", (False, "", True)),
        (TWO, "1C P 1H 1S X", (False, "", False)),
        ("two-over-one +alerts-ebu", "1C P 1H 1S X", (True, "", False)),
    ],
)
def test_the_card_chooses(card: str, auction: str, owed: tuple[bool, str, bool]) -> None:
    reading = Reading(load(card))
    ctx, call = contexts(reading, Auction.parse(auction), NONE, 0)[-1]
    meaning = call_meaning(reading, ctx, call)
    assert (meaning.alert, meaning.announce, meaning.delayed) == owed


def test_one_procedure_at_a_time() -> None:
    with pytest.raises(BiddingSystemError, match="cannot be played together"):
        load("sayc +alerts-wbf +alerts-ebu")
    with pytest.raises(BiddingSystemError, match="no alert procedure"):
        procedure("gin")


@pytest.mark.parametrize(
    ("system", "calls"), [(TWO, []), ("polish", ["1C"]), ("precision", ["1C"]), ("acol", [])]
)
def test_what_is_told_before_play(system: str, calls: list[str]) -> None:
    openings = [seen(system, call) for call in ("1C", "1D", "1H", "1S", "1NT", "2C")]
    told = before_play(openings, procedure("acbl"))
    assert [auction.call for auction in told] == [3 for _ in calls]


def test_explain_says_so() -> None:
    from click.testing import CliRunner

    out = CliRunner().invoke(explain, ["1NT P 2H P", "--samples", "0", "--no-next"]).output
    assert "announced" in out.replace("\n", " ")
