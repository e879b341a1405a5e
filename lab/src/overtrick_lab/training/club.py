"""Recipe: a policy that bids as somebody does, from the auctions of their own boards.

A board counts with all four hands and a finished auction. Each side is looked at alone: a pair's
calls are learned, not those of its opponents, and what the same deal shows at several tables is
either learned or kept apart, never both.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from overtrick.engines import Spec
from overtrick.game import Record
from overtrick.game.board import vulnerability_of
from overtrick.game.errors import refusal
from overtrick.nets.features import SYSTEMS, UNKNOWN_SYSTEM, system_number
from overtrick.notation import load
from overtrick.notation.whole import write_whole
from overtrick_lab.training import export, supervised
from overtrick_lab.training.data import Auctions, DataError, write_auctions
from overtrick_lab.training.settings import ClubSettings, SupervisedSettings
from overtrick_lab.training.supervised import Positions
from overtrick_lab.training.teachers import Bid, as_arrays, whole_deal
from overtrick_lab.training.trials_settings import ExportSettings

LOGGER = logging.getLogger(__name__)
SUFFIXES: Final = (".pbn", ".lin", ".rbn")
LEAST: Final = 100
"""Boards below which nothing worth having is learned."""
_PASSES: Final = 10  # over the positions, where no number of steps is given
_RATE: Final = 1e-3
_FINER: Final = 2e-4  # for a network that can bid already
_SPOKEN: Final = {"2/1": "two-over-one", "standard american": "sayc", "strong club": "precision"}
_TAGS: Final = ("BidSystemNS", "BidSystemEW")  # where PBN tells what a side plays


@dataclass(frozen=True, slots=True)
class Boards:
    """Boards to learn from: their auctions, and which side's calls count."""

    auctions: Auctions
    ours: NDArray[np.bool_]  # [n, 2]: North-South's calls, East-West's

    def __getitem__(self, rows: NDArray[np.intp]) -> Boards:
        picked = Auctions(*(getattr(self.auctions, name)[rows] for name in _FIELDS))
        return Boards(picked, self.ours[rows])

    def positions(self) -> Positions:
        """The decisions of the sides that count."""
        every = supervised.positions(self.auctions)
        deal, turn = np.asarray(every.deal), np.asarray(every.turn)
        side = (self.auctions.dealer[deal] + turn) % 2
        kept = self.ours[deal, side]
        return every._replace(deal=jnp.asarray(deal[kept]), turn=jnp.asarray(turn[kept]))


_FIELDS: Final = ("owner", "dealer", "vul", "length", "calls", "systems")


def files_of(places: Iterable[Path]) -> list[Path]:
    """The files of boards that are meant; a folder stands for all of them below it."""
    found: list[Path] = []
    for place in places:
        if not place.exists():
            raise DataError(f"there is no {place}: give a .pbn, .lin or .rbn file, or a folder")
        if not place.is_dir():
            if place.suffix.lower() not in SUFFIXES:
                raise DataError(f"{place} is no file of boards: give .pbn, .lin or .rbn, or convert"
                                " it first (overtrick convert)")  # fmt: skip
            found.append(place)
            continue
        below = [path for path in sorted(place.rglob("*")) if path.suffix.lower() in SUFFIXES]
        if not below:
            raise DataError(f"there is no .pbn, .lin or .rbn file in {place}")
        found += below
    if not found:
        raise DataError("which boards? for example: overtrick train from-pbn club.pbn")
    return found


def records_of(files: Iterable[Path]) -> Iterator[Record]:
    """Every board of the files, with a word on what could not be read."""
    for path in files:
        try:
            loaded = load(path)
        except OSError as error:
            raise DataError(f"cannot read {path}: {refusal(error)}") from None
        if loaded.warnings:
            LOGGER.info("%s: %d places could not be read", path, len(loaded.warnings))
        yield from loaded.records


def named(name: str, wanted: str) -> bool:
    """Is this the player who is meant? By the whole name or whole words of it."""
    pattern = rf"(?<!\w){re.escape(wanted.strip())}(?!\w)"
    return re.search(pattern, name, re.IGNORECASE) is not None


def played_by(names: tuple[str, str, str, str], pair: str) -> tuple[bool, bool]:
    """Which sides that pair is: one player, or both, separated by a comma."""
    wanted = [word for word in pair.split(",") if word.strip()]
    sides = ((names[0], names[2]), (names[1], names[3]))
    return (
        all(any(named(name, word) for name in sides[0]) for word in wanted),
        all(any(named(name, word) for name in sides[1]) for word in wanted),
    )


def told_system(text: str) -> int:
    """The flag of a system as files write it."""
    word = text.strip().lower()
    for spoken, system in _SPOKEN.items():
        if word.startswith(spoken):
            word = system
    number = system_number(word)
    return UNKNOWN_SYSTEM if number is None else number


class BoardReader:
    """Boards that fit the wish, and why others were left out."""

    def __init__(self, settings: ClubSettings) -> None:
        self.settings = settings
        self.system = told_system(settings.system) if settings.system else None
        if self.system == UNKNOWN_SYSTEM:
            raise DataError(f"no network has a flag for {settings.system}; there are"
                            f" {', '.join(SYSTEMS)}")  # fmt: skip
        self.left_out: Counter[str] = Counter()
        self.players: Counter[str] = Counter()

    def sides(self, record: Record) -> tuple[list[bool], list[int]]:
        """Whose calls of the board count, and what both sides play."""
        ours, systems = list(played_by(record.names, self.settings.pair)), []
        if not any(ours):
            self.left_out["other players"] += 1
        for side, tag in enumerate(_TAGS):
            told = record.tags.get(tag, "").strip()
            number = told_system(told)
            if self.system is not None and ours[side]:
                if told and number != self.system:
                    ours[side] = False
                    self.left_out["other system"] += not any(ours)
                else:
                    number = self.system
            systems.append(number)
        return ours, systems

    def read(self, records: Iterable[Record]) -> Boards:
        """All boards that fit."""
        rows: list[Bid] = []
        ours, systems = [], []
        for record in records:
            self.players.update(filter(None, (name.strip() for name in record.names)))
            bid = _bid(record)
            if bid is None:
                self.left_out["no complete deal and auction"] += 1
                continue
            mine, played = self.sides(record)
            if any(mine):
                rows.append(bid)
                ours.append(mine)
                systems.append(played)
        if len(rows) < LEAST:
            raise DataError(self.too_few(len(rows)))
        auctions = as_arrays(rows, (UNKNOWN_SYSTEM, UNKNOWN_SYSTEM))
        auctions.systems[:] = np.array(systems, dtype=np.int8)
        return Boards(auctions, np.array(ours))

    def too_few(self, count: int) -> str:
        """What to do about it."""
        why = ", ".join(f"{number} with {what}" for what, number in self.left_out.items())
        text = f"{count} boards are too few to learn from, {LEAST} are needed"
        text += f" (left out: {why})" if why else ""
        if self.settings.pair and self.left_out["other players"]:
            known = ", ".join(name for name, _ in self.players.most_common(6)) or "nobody is named"
            return f"{text}; who plays there: {known}"
        return f"{text}; add files, or train by a card's rules: overtrick train all"


def _bid(record: Record) -> Bid | None:
    """A complete deal and auction; the vulnerability may follow from the number."""
    deal, auction = whole_deal(record.deal), record.auction
    if deal is None or auction is None or not auction.is_over:
        return None
    numbered = vulnerability_of(record.number) if record.number else 0
    vul = int(numbered if record.vul is None else record.vul)
    return bytes(deal.owners), int(auction.dealer), vul, tuple(int(c) for c in auction.calls)


def split(boards: Boards, share: float, seed: int) -> tuple[Boards, Boards]:
    """Boards to learn from and boards to be tried on, no deal in both."""
    deals = boards.auctions.owner
    drawn = [hashlib.sha256(f"{seed}".encode() + row.tobytes()).digest()[:4] for row in deals]
    chance = np.array([int.from_bytes(four, "big") for four in drawn]) / 2**32
    apart = chance < share
    if apart.all() or not apart.any():
        raise DataError("--held-out leaves no boards on one side: try 0.1")
    return boards[np.flatnonzero(~apart)], boards[np.flatnonzero(apart)]


def run(settings: ClubSettings) -> dict[str, Any]:
    """Read, learn, try on the boards kept apart, export."""
    if settings.out.suffix != ".onnx":
        raise DataError(f"the network is written as an .onnx file, not {settings.out}")
    reader = BoardReader(settings)
    boards = reader.read(records_of(files_of(settings.files)))
    train, test = split(boards, settings.held_out, settings.seed)
    learned = train.positions()
    steps = settings.steps or max(200, _PASSES * learned.total // settings.batch)
    weights = settings.out.with_suffix(".npz")
    rate = settings.learning_rate or (_RATE if settings.resume is None else _FINER)
    wish = SupervisedSettings(
        auctions=Path("boards"), out=weights, resume=settings.resume, width=settings.width,
        steps=steps, batch=settings.batch, learning_rate=rate, seed=settings.seed,
    )  # fmt: skip
    tried = test.positions()
    found = supervised.learn(wish, learned, {"boards": tried})
    start = "nothing" if settings.resume is None else settings.resume.name
    told = {"boards": len(boards.ours), "pair": settings.pair, "started_from": start}
    _export(settings, test.auctions, told)
    right, calls = found["boards"], tried.total
    options = {"net": str(settings.out)}
    if settings.system:
        options["system"] = settings.system
    return {
        "boards_used": len(boards.ours),
        "boards_left_out": dict(reader.left_out),
        "calls_learned": learned.total,
        "boards_held_out": len(test.ours),
        "test_accuracy": round(right, 4),
        "error": round(float(np.sqrt(right * (1 - right) / calls)), 4),
        "share_of_passes": round(_passes(test, tried), 4),
        "engine": str(Spec("policy", options)),
    }


def _passes(test: Boards, tried: Positions) -> float:
    """How often somebody who always passes would be right."""
    deal, turn = np.asarray(tried.deal), np.asarray(tried.turn)
    return float((test.auctions.calls[deal, turn] == 0).mean())


def _export(settings: ClubSettings, test: Auctions, told: dict[str, Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        checks, notes = Path(folder) / "boards.npz", Path(folder) / "lineage.json"
        write_auctions(checks, test)
        files = [path.name for path in settings.files]
        lineage = {"auctions": f"the boards of {', '.join(files)}", **told}
        write_whole(notes, json.dumps({"lineage": lineage}))
        wish = ExportSettings(
            network=settings.out.with_suffix(".npz"), out=settings.out.parent,
            name=settings.out.stem, auctions=checks, notes=notes, positions=20_000,
        )  # fmt: skip
        export.smallest(wish)
