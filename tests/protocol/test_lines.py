"""The grammar: everything we write is read back, everything else is garbage, nothing raises."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick.game import CALLS, DECK, Deal, Seat, Vulnerability
from overtrick.protocol.lines import MAX_LINE, read
from overtrick.protocol.messages import (
    Bid,
    BoardLine,
    Cards,
    Connect,
    EndOfSession,
    ExplainCall,
    Garbage,
    Message,
    Notice,
    Plays,
    Ready,
    Seated,
    StartOfBoard,
    Teams,
    Timing,
    ToLead,
)
from overtrick.protocol.quirks import PRESETS, guess, preset
from overtrick.protocol.writing import write

_seats = st.sampled_from(list(Seat))
_words = st.text("abcdefgh 123", min_size=1, max_size=12).map(lambda s: " ".join(s.split()) or "x")
_hands = st.integers(0, 10**6).map(lambda seed: Deal.random(seed)[Seat.NORTH])
_messages: st.SearchStrategy[Message] = st.one_of(
    st.builds(Connect, _words, st.none() | _seats, st.integers(17, 19)),
    st.builds(Seated, _seats, _words),
    st.builds(Ready, _seats, st.sampled_from(["teams", "start", "deal", "cards", "dummy"])),
    st.builds(Ready, _seats, st.just("bid"), _seats),
    st.builds(Ready, _seats, st.just("card"), st.none() | _seats, st.integers(1, 13)),
    st.builds(Teams, _words, _words, st.sampled_from(["", "imps", "matchpoints"])),
    st.just(StartOfBoard()),
    st.just(EndOfSession()),
    st.builds(
        BoardLine,
        st.integers(1, 999),
        _seats,
        st.sampled_from(list(Vulnerability)),
        st.sampled_from(["", "open", "closed"]),
    ),
    st.builds(Cards, st.none() | _seats, _hands),
    st.builds(Bid, _seats, st.sampled_from(CALLS)),
    st.builds(Bid, _seats, st.sampled_from(CALLS), st.booleans(), _words),
    st.builds(Plays, st.none() | _seats, st.sampled_from(DECK)),
    st.builds(ToLead, st.none() | _seats),
    st.builds(
        Timing,
        st.integers(0, 3599),
        st.integers(0, 90000),
        st.integers(0, 3599),
        st.integers(0, 90000),
    ),
    st.builds(ExplainCall, _seats, st.sampled_from(CALLS)),
)


@given(_messages, st.sampled_from(list(PRESETS.values())))
def test_what_is_written_is_read_back(message: Message, quirks: object) -> None:
    line = write(message, quirks)  # type: ignore[arg-type]
    assert line.isascii()
    assert read(line) == message
    assert read(f"  {line.replace(' ', '  ')} \r\n") == message


@given(st.text(max_size=300))
def test_reading_never_raises(text: str) -> None:
    read(text)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("south emanon seated", Seated(Seat.SOUTH, "emanon")),
        ('North "X" seated', Seated(Seat.NORTH, "X")),
        ('Teams: N/S "A". E/W "B". Playing MP', Teams("A", "B", "matchpoints")),
        ("NORTH bids 1nt Alert.", Bid(Seat.NORTH, CALLS[7], True)),
        ("East bids 1C. could be short", Bid(Seat.EAST, CALLS[3], False, "could be short")),
        ("Dummy plays 10H", Plays(None, DECK[34])),
        ("North plays 3C. signal text", Plays(Seat.NORTH, DECK[1], "signal text")),
        ("WEST ready for  NORTH's bid", Ready(Seat.WEST, "bid", Seat.NORTH)),
        ("North received dummy", Notice("ignore", "North received dummy")),
        ("NS: +3 EW: 0", EndOfSession()),
    ],
)
def test_known_spellings(line: str, message: Message) -> None:
    assert read(line) == message


@pytest.mark.parametrize(
    "line",
    ["", "North bids 8C", "North plays 1S", "Timing - soon", "North's cards : S A K.", "x" * 5000],
)
def test_garbage_says_why(line: str) -> None:
    message = read(line)
    assert isinstance(message, Garbage)
    assert message.why


def test_lines_stay_short_and_plain() -> None:
    long = write(Bid(Seat.NORTH, CALLS[3], True, "♠ " * 2000))
    assert len(long) == MAX_LINE
    assert long.startswith("North bids 1C Alert. S S S")
    assert write(Bid(Seat.NORTH, CALLS[3], True)) == "North bids 1C"  # no bare alert goes out


def test_quirks_by_name() -> None:
    assert guess("GIB 6").delay == PRESETS["gib"].delay
    assert guess("Somebody") == PRESETS["plain"]
    assert guess("somebody", {"Somebody": preset("moniteur")}).trick_delay == 0.2
    with pytest.raises(ValueError, match="no quirks called"):
        preset("nobody")


def test_no_line_takes_long() -> None:
    """Lines made to be tried in many ways; a pattern that does so would not end this test."""
    hard = [
        'teams n/s "' + " e/w" * 240, "teams : n/s : " + "e/w :" * 190 + '"x',
        "north (" + '"' * 980,
        "teams n/s " + " . e/w" * 150 + ' "', "connecting " + " as north" * 100,
        "north bids 1nt" + " ." * 480, "timing " + "1:" * 480, "board number " + "1 " * 480,
    ]  # fmt: skip
    for line in hard * 200:
        read(line[:999])


def test_teams_by_all_programs() -> None:
    for line, names in (
        ('Teams : N/S : "A" E/W : "B"', ("A", "B")), ("Teams: N/S A. E/W B.", ("A", "B")),
        ('teams n/s "e/w club", e/w "x".', ("e/w club", "x")), ('Teams : N/S "" E/W ""', ("", "")),
    ):  # fmt: skip
        found = read(line)
        assert isinstance(found, Teams)
        assert (found.ns, found.ew) == names
    assert isinstance(read('Teams : N/S : "A"'), Garbage)
