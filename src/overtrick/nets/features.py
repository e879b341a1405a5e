"""What a network sees of an auction: versioned bit vectors in OpenSpiel's order.
Plain numpy, so inference needs nothing else.

Policy and belief see 480 bits, the critic 636 (the other three hands behind them). Seats count
clockwise from the player to call: 0 me, 1 left-hand opponent, 2 partner, 3 right-hand opponent.

    0..1 / 2..3      my side not vulnerable, vulnerable / their side
    4+r              seat r passed before the first bid
    8+12b+r          seat r made bid b; +4 doubled it, +8 redoubled it
    428+4*rank+suit  I hold that card
    480..            only with the systems suffix: my side's system, their side's system, one-hot
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from overtrick.game import BridgeError

Bits = NDArray[np.uint8]

BIDS = 35
CALLS = 38
PASS, DOUBLE, REDOUBLE, FIRST_BID = 0, 1, 2, 3
HISTORY_START, HAND_START, PLAIN_WIDTH = 8, 428, 480
CRITIC_WIDTH = PLAIN_WIDTH + 3 * 52
SYSTEMS = ("two-over-one", "sayc", "polish", "precision", "acol", "sef", "simple")
"""By their number; a version of the features knows the first so many of them."""
RESEMBLING = {"overtrick": "two-over-one"}
"""Systems that no network learned by name: most of their calls mean what they mean in these."""
SAYC = SYSTEMS.index("sayc")
UNKNOWN_SYSTEM = len(SYSTEMS)
"""The number of a system nobody told us: all bits of that side's suffix stay 0."""

NO_SLOT = -1
# Cards are suit*13 + rank in the house encoding and 4*rank + suit in the observation.
CARD_AT = np.array([(place % 4) * 13 + place // 4 for place in range(52)])


class EncodingError(BridgeError):
    """A position that the features cannot describe, or an unknown feature version."""


@dataclass(frozen=True, slots=True)
class FeatureVersion:
    """One fixed meaning of a network's input; its name is stored in every network file."""

    name: str
    systems: int
    """How many systems the suffix has a bit for on either side; 0 without a suffix."""

    @property
    def width(self) -> int:
        return PLAIN_WIDTH + 2 * self.systems


VERSIONS = {
    version.name: version
    for version in (
        FeatureVersion("auction-1", systems=0),
        FeatureVersion("auction-1+systems-1", systems=5),
        FeatureVersion("auction-1+systems-2", systems=len(SYSTEMS)),
    )
}


def feature_version(name: str) -> FeatureVersion:
    """The version of that name; a network of another version must not be run."""
    try:
        return VERSIONS[name]
    except KeyError:
        known = ", ".join(VERSIONS)
        raise EncodingError(f"unknown feature version {name!r} (known: {known})") from None


def hand_bits(hands: int | Sequence[int] | NDArray[np.uint64]) -> Bits:
    """The 52 card bits of each hand (52-bit integers), in observation order."""
    masks = np.atleast_1d(np.asarray(hands, dtype=np.uint64))
    return ((masks[:, None] >> CARD_AT.astype(np.uint64)) & np.uint64(1)).astype(np.uint8)


def history_slots(calls: NDArray[np.integer], dealer: NDArray[np.integer]) -> NDArray[np.int16]:
    """The observation bit that each call switches on, with absolute seats; -1 where none.

    `calls` is [auctions, longest], padded with -1. Every block of four bits starts at a multiple of
    four, so the view of seat s follows by `relative_slots` from the lowest two bits alone.
    """
    auctions, longest = calls.shape
    slots = np.full((auctions, longest), NO_SLOT, dtype=np.int16)
    last = np.full(auctions, -1, dtype=np.int16)
    for turn in range(longest):
        call = calls[:, turn].astype(np.int16)
        seat = ((dealer + turn) % 4).astype(np.int16)
        last = np.where(call >= FIRST_BID, call - FIRST_BID, last)
        kind = np.where(call >= FIRST_BID, 0, call)
        bid_slot = HISTORY_START + 12 * last + 4 * kind + seat
        slots[:, turn] = np.where(last >= 0, bid_slot, NO_SLOT)
        passed = call == PASS
        slots[passed, turn] = np.where(last < 0, 4 + seat, NO_SLOT)[passed]
        slots[call < 0, turn] = NO_SLOT
    return slots


def relative_slots(slots: NDArray[np.int16], seat: NDArray[np.integer]) -> NDArray[np.int16]:
    """The same bits as the given seat sees them."""
    seen = (slots & ~3) | ((slots - seat.astype(np.int16)) & 3)
    return np.where(slots >= 0, seen, NO_SLOT).astype(np.int16)


def vulnerability_bits(vul: int, seat: int) -> tuple[int, int]:
    """The two bits that are on: for my side in 0..1, for their side in 2..3."""
    north_south, east_west = vul & 1, vul >> 1 & 1
    ours, theirs = (north_south, east_west) if seat % 2 == 0 else (east_west, north_south)
    return ours, 2 + theirs


def public_bits(calls: Sequence[int], dealer: int, vul: int, seat: int) -> Bits:
    """The first 428 bits: vulnerability and the auction so far, as this seat sees them."""
    bits = np.zeros(HAND_START, dtype=np.uint8)
    bits[list(vulnerability_bits(vul, seat))] = 1
    last = -1
    for turn, call in enumerate(calls):
        relative = (dealer + turn - seat) % 4
        if call >= FIRST_BID:
            last = call - FIRST_BID
            bits[HISTORY_START + 12 * last + relative] = 1
        elif call != PASS:
            if last < 0:
                raise EncodingError("a double before any bid")
            bits[HISTORY_START + 12 * last + 4 * call + relative] = 1
        elif last < 0:
            bits[4 + relative] = 1
    return bits


def system_number(name: str) -> int | None:
    """The number of a declared system among those that networks know, or of the known one that it
    was made from; None for any other."""
    name = RESEMBLING.get(name.partition(" ")[0], name)
    known = [i for i, s in enumerate(SYSTEMS) if name.startswith(s)]
    return known[0] if known else None


def system_bits(ours: int | None, theirs: int | None, version: FeatureVersion) -> Bits | None:
    """The suffix for the declared systems, None for a version without one.

    None, UNKNOWN_SYSTEM or a system that the version does not know leaves a side dark.
    """
    if not version.systems:
        return None
    bits = np.zeros(2 * version.systems, dtype=np.uint8)
    for side, system in enumerate((ours, theirs)):
        if system is not None and not 0 <= system <= UNKNOWN_SYSTEM:
            raise EncodingError(f"no system has the number {system}")
        if system is not None and system < version.systems:
            bits[side * version.systems + system] = 1
    return bits


def observe(
    hands: int | Sequence[int] | NDArray[np.uint64],
    public: Bits,
    systems: Bits | None = None,
) -> Bits:
    """One row per hand that might be mine, all behind the same public bits (and suffix)."""
    cards = hand_bits(hands)
    parts = [np.broadcast_to(public, (len(cards), HAND_START)), cards]
    if systems is not None:
        parts.append(np.broadcast_to(systems, (len(cards), len(systems))))
    return np.concatenate(parts, axis=1)


def legal_calls(observations: Bits) -> NDArray[np.bool_]:
    """Which of the 38 calls are legal, read off the observations themselves."""
    rows = np.arange(len(observations))
    history: NDArray[np.bool_] = (
        observations[:, HISTORY_START:HAND_START].reshape(-1, BIDS, 3, 4).astype(np.bool_)
    )
    made: NDArray[np.bool_] = np.any(history[:, :, 0], axis=2)
    last = np.where(made.any(axis=1), BIDS - 1 - made[:, ::-1].argmax(axis=1), -1)
    on_last = history[rows, last]
    theirs = on_last[:, 0].argmax(axis=1) % 2 == 1
    doubled, redoubled = on_last[:, 1].any(axis=1), on_last[:, 2].any(axis=1)
    legal = np.empty((len(rows), CALLS), dtype=np.bool_)
    legal[:, PASS] = True
    legal[:, DOUBLE] = (last >= 0) & theirs & ~doubled
    legal[:, REDOUBLE] = (last >= 0) & ~theirs & doubled & ~redoubled
    legal[:, FIRST_BID:] = np.arange(BIDS) > last[:, None]
    return legal
