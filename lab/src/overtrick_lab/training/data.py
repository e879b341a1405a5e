"""Auctions and solved deals as plain arrays: read, checked, written; numpy only.

Owners are kept in observation order: owner[4*rank + suit] is the seat that holds the card.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from overtrick.archives import UNREADABLE, arrays
from overtrick.game import BridgeError
from overtrick.nets.features import CALLS, CARD_AT, SAYC
from overtrick.notation import solved
from overtrick.notation.whole import whole_file


class DataError(BridgeError):
    """A data file that is missing, unreadable or not what it should be."""


@dataclass(frozen=True, slots=True)
class ObservedDeals:
    """Solved deals as networks see them: owner [n, 52] in observation order, tricks [n, strain,
    declarer]. `notation.solved.SolvedDeals` is the same in the order of our card numbers."""

    owner: NDArray[np.int8]
    tricks: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.owner)

    def __getitem__(self, part: slice) -> ObservedDeals:
        return ObservedDeals(self.owner[part], self.tricks[part])


@dataclass(frozen=True, slots=True)
class Auctions:
    """Complete auctions: one row per deal, calls padded with -1, systems per side (5 unknown)."""

    owner: NDArray[np.int8]
    dealer: NDArray[np.int8]
    vul: NDArray[np.int8]
    length: NDArray[np.int16]
    calls: NDArray[np.int8]
    systems: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.owner)

    def __getitem__(self, part: slice) -> Auctions:
        return Auctions(*(getattr(self, field.name)[part] for field in fields(self)))


def unpack_owners(packed: NDArray[np.uint8]) -> NDArray[np.int8]:
    """13 bytes a deal, two bits a card, to [n, 52] in observation order."""
    return solved.unpack_owners(packed)[:, CARD_AT].astype(np.int8)


def house_owners(owner: NDArray[np.int8]) -> NDArray[np.uint8]:
    """From observation order to the order of our card numbers."""
    house = np.empty((len(owner), 52), dtype=np.uint8)
    house[:, CARD_AT] = owner
    return house


def pack_owners(owner: NDArray[np.int8]) -> NDArray[np.uint8]:
    """The inverse of `unpack_owners`."""
    return solved.pack_owners(house_owners(owner))


def hands_of(owner: NDArray[np.int8]) -> NDArray[np.uint64]:
    """[n, seat]: the hands as 52-bit numbers."""
    return solved.hands_of(house_owners(owner))


def random_owners(count: int, rng: np.random.Generator) -> NDArray[np.int8]:
    """Uniformly random deals."""
    seats = np.broadcast_to(np.arange(52, dtype=np.int8) % 4, (count, 52))
    return rng.permuted(seats, axis=1)


def read_solved(*paths: Path) -> ObservedDeals:
    """Solved deals of one or more files (`owners`, `tricks`), one after the other."""
    if not paths:
        raise DataError("no file of solved deals was given")
    try:
        parts = [solved.SolvedDeals.load(path) for path in paths]
    except BridgeError as error:
        raise DataError(str(error)) from None
    return join_solved(
        [
            ObservedDeals(part.owners[:, CARD_AT].astype(np.int8), part.tricks.astype(np.int8))
            for part in parts
        ]
    )


def join_solved(parts: Sequence[ObservedDeals]) -> ObservedDeals:
    """Several sets as one."""
    return ObservedDeals(
        np.concatenate([part.owner for part in parts]),
        np.concatenate([part.tricks for part in parts]),
    )


def solved_files(place: Path) -> list[Path]:
    """A file of solved deals, or all of a folder."""
    return sorted(place.glob("*.npz")) if place.is_dir() else [place]


def write_solved(path: Path, deals: ObservedDeals) -> None:
    """The same file format, written whole or not at all."""
    solved.SolvedDeals(house_owners(deals.owner), deals.tricks.astype(np.uint8)).save(path)


_PER_DEAL = ("owners", "dealer", "vul", "length")


def read_auctions(path: Path, system: int = SAYC) -> Auctions:
    """Auctions from an npz (packed), OpenSpiel trajectories (.txt) or boards (.pbn, .lin, .rbn).

    `system` is what both sides play if the file does not say."""
    if path.suffix == ".txt":
        return _read_trajectories(path, system)
    if path.suffix.lower() in (".pbn", ".lin", ".rbn"):
        from overtrick_lab.training.teachers import read_boards

        return read_boards(path, system)
    arrays = _arrays(path, (*_PER_DEAL, "calls"))
    length = arrays["length"].astype(np.int16)
    count, longest = len(length), int(length.max(initial=0))
    calls = np.full((count, longest), -1, dtype=np.int8)
    made = np.arange(longest) < length[:, None]
    if len(arrays["calls"]) != made.sum() or {len(arrays[n]) for n in _PER_DEAL} != {count}:
        raise DataError(f"{path}: its arrays do not fit together")
    calls[made] = arrays["calls"]
    systems = np.full((count, 2), system, dtype=np.int8)
    if "system_ns" in arrays:
        systems = np.stack([arrays["system_ns"], arrays["system_ew"]], axis=1).astype(np.int8)
    owner = unpack_owners(arrays["owners"])
    dealer, vul = arrays["dealer"].astype(np.int8), arrays["vul"].astype(np.int8)
    return Auctions(owner, dealer, vul, length, calls, systems)


def write_auctions(path: Path, auctions: Auctions) -> None:
    """Auctions in the packed npz format (self-play makes them by the hundred thousand)."""
    save_atomically(path, **packed_auctions(auctions))


def packed_auctions(auctions: Auctions) -> dict[str, NDArray[np.generic]]:
    """The arrays of that format."""
    return {
        "owners": pack_owners(auctions.owner),
        "dealer": auctions.dealer.astype(np.uint8),
        "vul": auctions.vul.astype(np.uint8),
        "length": auctions.length.astype(np.uint16),
        "calls": auctions.calls[auctions.calls >= 0].astype(np.uint8),
        "system_ns": auctions.systems[:, 0].astype(np.uint8),
        "system_ew": auctions.systems[:, 1].astype(np.uint8),
    }


def join_auctions(parts: Sequence[Auctions]) -> Auctions:
    """Several sets as one, padded to the longest auction."""
    longest = max(part.calls.shape[1] for part in parts)
    padded = [
        np.pad(part.calls, ((0, 0), (0, longest - part.calls.shape[1])), constant_values=-1)
        for part in parts
    ]
    return Auctions(
        owner=np.concatenate([part.owner for part in parts]),
        dealer=np.concatenate([part.dealer for part in parts]),
        vul=np.concatenate([part.vul for part in parts]),
        length=np.concatenate([part.length for part in parts]),
        calls=np.concatenate(padded),
        systems=np.concatenate([part.systems for part in parts]),
    )


def save_atomically(path: Path, **parts: NDArray[np.generic]) -> None:
    """An npz, written whole or not at all: a kill leaves the old file."""
    with whole_file(path) as stream:
        np.savez_compressed(stream, **parts)  # type: ignore[arg-type]


def _arrays(path: Path, names: Sequence[str]) -> dict[str, NDArray[np.uint8]]:
    try:
        stored: dict[str, NDArray[np.uint8]] = arrays(path)
    except UNREADABLE as error:
        raise DataError(f"cannot read {path}: {error}") from None
    missing = [name for name in names if name not in stored]
    if missing:
        raise DataError(f"{path} has no array {', '.join(missing)}")
    return stored


def _read_trajectories(path: Path, system: int) -> Auctions:
    """52 deal actions (card i to player i mod 4, North deals), the auction, then the play."""
    rows = list(_trajectories(path))
    longest = max((len(calls) for _, calls in rows), default=0)
    padded = np.full((len(rows), longest), -1, dtype=np.int8)
    owner = np.empty((len(rows), 52), dtype=np.int8)
    for row, (deal, calls) in enumerate(rows):
        owner[row, deal] = np.arange(52) % 4
        padded[row, : len(calls)] = calls
    zeros = np.zeros(len(rows), dtype=np.int8)
    length = (padded >= 0).sum(axis=1).astype(np.int16)
    systems = np.full((len(rows), 2), system, dtype=np.int8)
    return Auctions(owner, zeros, zeros, length, padded, systems)


def _trajectories(path: Path) -> Iterator[tuple[list[int], list[int]]]:
    try:
        lines = path.read_text(encoding="ascii").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"cannot read {path}: {error}") from None
    for number, line in enumerate(lines, start=1):
        try:
            actions = [int(word) for word in line.split()]
        except ValueError:
            raise DataError(f"{path}, line {number}: not a trajectory") from None
        calls = [action - 52 for action in actions[52:] if action >= 52]
        if sorted(actions[:52]) != list(range(52)) or not calls:
            raise DataError(f"{path}, line {number}: not a complete deal and auction")
        if max(calls) >= CALLS:
            raise DataError(f"{path}, line {number}: no call has the number {max(calls) + 52}")
        yield actions[:52], calls
