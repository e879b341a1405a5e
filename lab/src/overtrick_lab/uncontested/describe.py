"""A learned bidding system described: every call of every node reached, with what it shows.
`page` draws the same rows as HTML.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from overtrick.game import SUIT_WORDS, Hand
from overtrick_lab.uncontested.census import (
    ENOUGH,
    HandCensus,
    call_of,
    deal_hands,
    hand_of,
    is_artificial,
    share_of,
    shown,
)
from overtrick_lab.uncontested.models import Bits, Ints, Model, auction_over, bid_out, last_bid


@dataclass(frozen=True, slots=True)
class SystemRow:
    """One call at one node: how often, what it shows, how partner goes on."""

    calls: tuple[int, ...]  # contract indices, this call last
    share: float  # of the hands at this node
    of_all: float  # of all deals
    shown: HandCensus
    passed: float | None  # how often partner passes it; None where the auction is over
    replies: tuple[SystemRow, ...]

    @property
    def call(self) -> int:
        return self.calls[-1]

    @property
    def artificial(self) -> bool:
        return is_artificial(self.calls, self.shown, self.passed)

    def words(self) -> str:
        """What the call says, for people."""
        return meaning_words(self.calls, self.shown, self.passed)

    def auction(self) -> str:
        """'1♣ – 1♥ – 2NT'."""
        return " – ".join(str(call_of(call)) for call in self.calls)


@dataclass(frozen=True, slots=True)
class ExampleDeal:
    """One deal as the system bids it."""

    opener: Hand
    responder: Hand
    calls: tuple[int, ...]
    contract: int


@dataclass(frozen=True, slots=True)
class LearnedSystem:
    """Everything the page tells about a learned system."""

    name: str
    deals: int
    openings: tuple[SystemRow, ...]
    contracts: tuple[float, ...]  # share of the 36 final contracts
    turns: tuple[float, ...]  # share of auctions with 1, 2 … calls of the side
    examples: tuple[ExampleDeal, ...]

    def rows(self) -> Iterator[SystemRow]:
        """All rows, each before its replies."""
        stack = list(reversed(self.openings))
        while stack:
            row = stack.pop()
            yield row
            stack.extend(reversed(row.replies))


def meaning_words(calls: tuple[int, ...], what: HandCensus, passed: float | None) -> str:
    """The words for the last of `calls`: ranges, and whether the strain named is meant."""
    call = calls[-1]
    words = what.words((call - 1) % 5 if call else None)
    if call == 0:
        return words if len(calls) == 1 else f"{_stops(last_bid(calls))}: {words}"
    if not is_artificial(calls, what, passed):
        return words
    longest, strain = what.long_suit(), (call - 1) % 5
    if longest is not None and longest != strain:
        usual = f"usually {SUIT_WORDS[longest]}"
        return f"artificial: {words}" if usual in words else f"artificial, {usual}: {words}"
    denied = "not balanced" if strain == 4 else f"says nothing about {SUIT_WORDS[strain]}"
    return f"artificial, {denied}: {words}"


def _stops(contract: int) -> str:
    return f"wants to stop in {call_of(contract)}" if contract > 0 else "passes the deal out"


def describe(
    model: Model, *, name: str, depth: int = 3, deals: int = 20_000, seed: int = 2015
) -> LearnedSystem:
    """Bid random deals with silent opponents and sort them by auction."""
    rng = np.random.default_rng(seed)
    hands = deal_hands(deals, rng, seats=2)
    contract, made = bid_out(model, hands[:, 0], hands[:, 1])
    calls = (made >= 0).sum(axis=1)
    lengths = np.bincount(calls, minlength=model.turns + 1)[1:] / deals
    rows = _rows((hands, made), np.arange(deals), (), depth)
    return LearnedSystem(
        name=name,
        deals=deals,
        openings=rows,
        contracts=tuple(float(x) for x in share_of(contract)),
        turns=tuple(float(x) for x in lengths),
        examples=_examples(hands, made, contract),
    )


def _rows(
    bid: tuple[Bits, Ints], here: Ints, calls: tuple[int, ...], depth: int
) -> tuple[SystemRow, ...]:
    """The calls made by the deals `here` after `calls`, lowest first (Pass leads)."""
    hands, made = bid
    turn = len(calls)
    out = []
    for call in np.unique(made[here, turn]):
        inside = here[made[here, turn] == call]
        if call < 0 or len(inside) < ENOUGH:
            continue
        line = (*calls, int(call))
        over = auction_over(line) or turn + 1 >= made.shape[1]
        deeper = not over and depth > 1
        out.append(
            SystemRow(
                calls=line,
                share=len(inside) / len(here),
                of_all=len(inside) / len(made),
                shown=shown(hands[inside, turn % 2]),
                passed=None if over else float((made[inside, turn + 1] == 0).mean()),
                replies=_rows(bid, inside, line, depth - 1) if deeper else (),
            )
        )
    return tuple(out)


def _examples(hands: Bits, made: Ints, contract: Ints, count: int = 8) -> tuple[ExampleDeal, ...]:
    """The first deals with a conversation of four calls or more, each in another contract."""
    taken: set[int] = set()
    found: list[ExampleDeal] = []
    for row in np.flatnonzero((made >= 0).sum(axis=1) >= 4)[:2000]:
        kind = int(contract[row])
        if kind in taken:
            continue
        taken.add(kind)
        calls = tuple(int(call) for call in made[row] if call >= 0)
        found.append(ExampleDeal(hand_of(hands[row, 0]), hand_of(hands[row, 1]), calls, kind))
        if len(found) == count:
            break
    return tuple(found)


def remarks(system: LearnedSystem) -> list[str]:
    """What strikes a bridge player about the system, in sentences."""
    bids = [row for row in system.openings if row.call > 0]
    used = sum(row.share > 0.001 for row in bids)
    mean = sum((turn + 1) * share for turn, share in enumerate(system.turns))
    last = f"It opens {used} different bids and needs {mean:.1f} calls a deal on average."
    return [*_opens(system, bids), *_asks(system), last]


def _opens(system: LearnedSystem, bids: list[SystemRow]) -> list[str]:
    """Its first calls: pass, the commonest, strongest and weakest opening, and odd ones."""
    out = []
    silent = next((row for row in system.openings if row.call == 0), None)
    if silent is not None:
        low, high = silent.shown.hcp
        strength = f"at most {high} hcp" if low == 0 else f"{low}–{high} hcp"
        out.append(f"It passes {_percent(silent.share)} of its first hands: {strength}.")
    if bids:
        strong = max(bids, key=lambda row: row.shown.mean_hcp)
        weak = min(bids, key=lambda row: row.shown.mean_hcp)
        often = max(bids, key=lambda row: row.share)
        out.append(
            f"Its commonest opening is {call_of(often.call)} ({_percent(often.share)}), its "
            f"strongest {call_of(strong.call)} (on average {strong.shown.mean_hcp:.1f} hcp), its "
            f"weakest {call_of(weak.call)} ({weak.shown.mean_hcp:.1f} hcp)."
        )
    return out + [_surprise(row) for row in bids if row.artificial and row.share >= 0.02]


def _asks(system: LearnedSystem) -> list[str]:
    """Its replies that ask: artificial and never passed."""
    rows = [row for row in system.rows() if len(row.calls) > 1 and row.call > 0]
    asked = [row for row in rows if row.artificial and row.passed is not None and row.passed < 0.01]
    often = ", ".join(row.auction() for row in sorted(asked, key=lambda r: -r.of_all)[:4])
    said = f"{len(asked)} replies are artificial and never passed, among them {often}."
    return [said] if asked else []


def _surprise(row: SystemRow) -> str:
    longest = row.shown.long_suit()
    name = str(call_of(row.call))
    if longest is not None and longest != (row.call - 1) % 5:
        mean = row.shown.mean_lengths[longest]
        return (
            f"{name} is a transfer of sorts: its hands have {mean:.1f} {SUIT_WORDS[longest]} on "
            f"average ({row.shown.words()})."
        )
    return f"{name} is artificial: {row.shown.words()}."


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %" if share >= 0.1 else f"{100 * share:.1f} %"


def to_dict(system: LearnedSystem) -> dict[str, Any]:
    """Plain data for JSON."""
    return {
        "name": system.name,
        "deals": system.deals,
        "remarks": remarks(system),
        "contracts": {
            call_of(contract).ascii: round(share, 5)
            for contract, share in enumerate(system.contracts)
            if share
        },
        "openings": [_row_dict(row) for row in system.openings],
    }


def _row_dict(row: SystemRow) -> dict[str, Any]:
    what = row.shown
    return {
        "auction": [call_of(call).ascii for call in row.calls],
        "share": round(row.share, 5),
        "of_all": round(row.of_all, 6),
        "words": row.words(),
        "hcp": list(what.hcp),
        "mean_hcp": round(what.mean_hcp, 2),
        "lengths": {letter: list(what.lengths[i]) for i, letter in enumerate("CDHS")},
        "mean_lengths": {letter: round(what.mean_lengths[i], 2) for i, letter in enumerate("CDHS")},
        "artificial": row.artificial,
        "passed_by_partner": None if row.passed is None else round(row.passed, 4),
        "example": str(what.typical[0]),
        "replies": [_row_dict(reply) for reply in row.replies],
    }
