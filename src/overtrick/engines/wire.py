"""Views and decisions as JSON lines: the language in which engines of other programs are driven."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import isfinite
from typing import Any, Final, cast

from overtrick.game import (
    Action,
    Auction,
    Call,
    Candidate,
    Card,
    Decision,
    Forcing,
    Hand,
    Meaning,
    ParseError,
    Play,
    Seat,
    SpeechAct,
    Systems,
    View,
    Vulnerability,
)
from overtrick.game.meaning import ANY_HCP, ANY_LENGTH, Lengths, Range

PROTOCOL: Final = 1
MAX_LINE: Final = 1 << 20  # bytes

Line = dict[str, Any]


class WireError(ParseError):
    """A line that is not what the line protocol allows."""


def encode(line: Mapping[str, Any]) -> bytes:
    """One line, its end included."""
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def decode(raw: bytes | str) -> Line:
    """The object in a line; a precise error when it is none."""
    try:
        line = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise WireError(f"a line is one JSON object: {error}") from None
    if not isinstance(line, dict) or not isinstance(line.get("type"), str):
        raise WireError('a line is a JSON object with a "type"')
    return line


def events(view: View) -> list[Line]:
    """Everything that happened as a seat saw it, in order, from the board to the last card.

    Dummy's hand follows the opening lead. A later view of the same board has these lines and
    more, so only the new ones need to be sent.
    """
    lines: list[Line] = [_board(view)]
    for i, call in enumerate(view.auction):
        meaning = view.meanings[i] if i < len(view.meanings) else None
        lines.append(
            {
                "type": "call",
                "seat": view.auction.seat_of(i).letter,
                "call": call.ascii,
                "meaning": None if meaning is None else meaning_out(meaning),
            }
        )
    if view.play is not None:
        for i, (seat, card) in enumerate(_cards(view.play)):
            lines.append({"type": "card", "seat": seat.letter, "card": card.ascii})
            if i == 0 and view.dummy is not None:
                seat_of_dummy = view.play.dummy.letter
                lines.append({"type": "dummy", "seat": seat_of_dummy, "hand": str(view.dummy)})
    return lines


def _board(view: View) -> Line:
    return {
        "type": "board",
        "number": view.number,
        "seat": view.seat.letter,
        "hand": str(view.hand),
        "dealer": view.dealer.letter,
        "vul": str(view.vul),
        "scoring": view.scoring,
        "systems": {"ours": view.systems.ours, "theirs": view.systems.theirs},
        "seed": view.table_seed,
    }


def _cards(play: Play) -> list[tuple[Seat, Card]]:
    again = Play(play.strain, play.opening_leader)
    out = []
    for card in play.cards:
        out.append((again.turn, card))
        again = again.then(card)
    return out


def meaning_out(m: Meaning) -> Line:
    """A meaning as plain data; the counterpart of `meaning_in`."""
    return m.to_dict()


def meaning_in(data: object) -> Meaning:
    """A meaning; everything may be missing. A plain string is the words."""
    if isinstance(data, str):
        return Meaning(data)
    if not isinstance(data, Mapping):
        return Meaning("not explained")
    found = data.get("lengths")
    suits = found if isinstance(found, Mapping) else {}
    try:
        return Meaning(
            str(data.get("words") or "not explained"),
            hcp=_range(data.get("hcp"), ANY_HCP),
            lengths=cast(Lengths, tuple(_range(suits.get(s), ANY_LENGTH) for s in "CDHS")),
            forcing=Forcing(data.get("forcing", "none")),
            alert=bool(data.get("alert", False)),
            act=SpeechAct(data.get("act", "asserting")),
            convention=str(data.get("convention", "")),
            rule=str(data.get("rule", "")),
            announce=str(data.get("announce", "")),
            delayed=bool(data.get("delayed", False)),
        )
    except (ValueError, TypeError, OverflowError) as error:  # int(Infinity) overflows
        raise WireError(f"a meaning that cannot be read: {error}") from None


def _range(data: object, default: Range) -> Range:
    if data is None:
        return default
    if not isinstance(data, list) or len(data) != 2:
        raise WireError(f"a range reads like [12, 14], not {data!r}")
    return (int(data[0]), int(data[1]))


def decision_in(line: Line, wanted: type[Call] | type[Card]) -> Decision:
    """The decision in an answer; only `action` is required."""
    text = line.get("action")
    if not isinstance(text, str):
        raise WireError('an answer has an "action" like "1NT" or "SA"')
    return Decision(
        wanted.parse(text),
        meaning_in(line.get("meaning")),
        tuple(_candidate(c, wanted) for c in _list(line.get("candidates"))),
        why=str(line.get("why", "")),
        worlds=_number(line.get("worlds")),
        seed=_number(line.get("seed")),
        engine=str(line.get("engine", "")),
    )


def _list(data: object) -> list[Any]:
    return data[:1000] if isinstance(data, list) else []


def _number(data: object) -> int:
    return data if isinstance(data, int) else 0


def _candidate(data: object, wanted: type[Call] | type[Card]) -> Candidate:
    if not isinstance(data, Mapping):
        raise WireError(f"a candidate is an object, not {data!r}")
    action: Action = wanted.parse(str(data.get("action")))
    return Candidate(
        action, _value(data.get("value")), _value(data.get("error")), str(data.get("note", ""))
    )


def _value(data: object) -> float | None:
    """A finite number; JSON as we write it, and as browsers read it, knows no others."""
    if isinstance(data, bool) or not isinstance(data, int | float):
        return None
    try:
        return float(data) if isfinite(data) else None
    except OverflowError:  # an integer beyond all floats
        return None


class Follower:
    """Follows the lines of a board and knows the view they add up to."""

    def __init__(self) -> None:
        self._board: Line | None = None
        self._begin(Seat.NORTH)

    def _begin(self, dealer: Seat) -> None:
        self._auction = Auction(dealer)
        self._play: Play | None = None
        self._meanings: list[Meaning | None] = []
        self._dummy: Hand | None = None

    def follow(self, line: Line) -> None:
        """Take in a board, call, card or dummy line; impossible ones raise."""
        kind = line["type"]
        if kind == "board":
            self._begin(Seat.parse(_text(line, "dealer")))
            self._board = line
        elif self._board is None:
            raise WireError("the first line about a board is the board")
        elif kind == "call":
            self._auction = self._auction.then(Call.parse(_text(line, "call")))
            meaning = line.get("meaning")
            self._meanings.append(None if meaning is None else meaning_in(meaning))
            if self._auction.is_over and self._auction.contract is not None:
                self._play = Play.of(self._auction.contract)
        elif kind == "card":
            if self._play is None:
                raise WireError("a card before the auction is over")
            self._play = self._play.then(Card.parse(_text(line, "card")))
        elif kind == "dummy":
            self._dummy = Hand.parse(_text(line, "hand"), size=13)
        else:
            raise WireError(f"no line of type {kind!r}")

    def view(self) -> View:
        """What the seat sees now."""
        if self._board is None:
            raise WireError("there is no board yet")
        b = self._board
        told = b.get("systems")
        systems = told if isinstance(told, Mapping) else {}
        return View(
            Seat.parse(_text(b, "seat")),
            Hand.parse(_text(b, "hand"), size=13),
            self._auction,
            Vulnerability.parse(_text(b, "vul")),
            number=_number(b.get("number")) or 1,
            scoring="matchpoints" if b.get("scoring") == "matchpoints" else "imps",
            systems=Systems(str(systems.get("ours", "")), str(systems.get("theirs", ""))),
            meanings=tuple(self._meanings),
            play=self._play,
            dummy=self._dummy,
            table_seed=_number(b.get("seed")),
        )


def _text(line: Line, key: str) -> str:
    value = line.get(key)
    if not isinstance(value, str):
        raise WireError(f'a {line["type"]} line has "{key}" as text')
    return value
