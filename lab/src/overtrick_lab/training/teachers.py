"""Auctions to learn from: any file of boards, or any of our own bidders on random deals."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import Final

import numpy as np

from overtrick.bidding import bidder
from overtrick.bidding.kernel import system_number
from overtrick.game import Auction, Board, Deal, PartialDeal, Systems, view_of
from overtrick.game.errors import refusal
from overtrick.nets.features import CARD_AT, UNKNOWN_SYSTEM
from overtrick.notation import load
from overtrick.processes import spawned_pool
from overtrick_lab.training.data import Auctions, DataError

_CHUNK: Final = 250  # deals a job
Bid = tuple[bytes, int, int, tuple[int, ...]]  # owners by house card, dealer, vulnerability, calls


def read_boards(path: Path, system: int) -> Auctions:
    """Every board of a PBN, LIN or RBN file that has all four hands and a finished auction."""
    try:
        records = load(path).records
    except OSError as error:
        raise DataError(f"cannot read {path}: {refusal(error)}") from None
    found = []
    for record in records:
        whole, auction = whole_deal(record.deal), record.auction
        if whole is not None and auction is not None and auction.is_over:
            vul = 0 if record.vul is None else int(record.vul)
            found.append(_bid(whole, auction, vul))
    if not found:
        raise DataError(f"{path} has no board with four hands and a complete auction")
    return as_arrays(found, (system, system))


def whole_deal(deal: PartialDeal | None) -> Deal | None:
    """The deal, if all four hands are known."""
    if deal is None or sum(h.bits.bit_count() for h in deal.hands) != 52:
        return None
    return Deal(deal.hands)


def _bid(deal: Deal, auction: Auction, vul: int) -> Bid:
    calls = tuple(int(c) for c in auction.calls)
    return bytes(deal.owners), int(auction.dealer), vul, calls


def taught(teacher: str, count: int, seed: int, workers: int = 1) -> Auctions:
    """Auctions of random deals that a bidder of ours bids in all four seats."""
    made = bidder(teacher)  # a wrong name is an error now, not in a worker
    number = system_number(made.system)
    jobs = [(teacher, seed, i, min(_CHUNK, count - i)) for i in range(0, count, _CHUNK)]
    if workers <= 1 or len(jobs) < 2:
        found = list(chain.from_iterable(map(_lesson, jobs)))
    else:
        with spawned_pool(min(workers, len(jobs))) as pool:
            found = list(chain.from_iterable(pool.map(_lesson, jobs)))
    system = UNKNOWN_SYSTEM if number is None else number
    return as_arrays(found, (system, system))


def _lesson(job: tuple[str, int, int, int]) -> list[Bid]:
    teacher, seed, start, count = job
    made, rng = bidder(teacher), np.random.default_rng((seed, start))
    systems = Systems(made.system, made.system)
    out = []
    for _ in range(count):
        # The number gives dealer and vulnerability, all sixteen alike.
        board = Board.random(int(rng.integers(1, 17)), seed=int(rng.integers(0, 1 << 62)))
        auction = Auction(board.dealer)
        while not auction.is_over:
            view = view_of(board, auction, systems=systems)
            auction = auction.then(made.bid(view).call)
        out.append(_bid(board.deal, auction, int(board.vul)))
    return out


def as_arrays(auctions: Iterable[Bid], systems: tuple[int, int]) -> Auctions:
    """The same as rows, calls padded with -1."""
    rows = list(auctions)
    longest = max(len(calls) for *_, calls in rows)
    calls = np.full((len(rows), longest), -1, dtype=np.int8)
    for row, (*_, made) in enumerate(rows):
        calls[row, : len(made)] = made
    owner = np.frombuffer(b"".join(o for o, *_ in rows), np.uint8).reshape(-1, 52)
    return Auctions(
        owner=owner[:, CARD_AT].astype(np.int8),
        dealer=np.array([dealer for _, dealer, _, _ in rows], dtype=np.int8),
        vul=np.array([vul for _, _, vul, _ in rows], dtype=np.int8),
        length=(calls >= 0).sum(axis=1).astype(np.int16),
        calls=calls,
        systems=np.tile(np.array(systems, dtype=np.int8), (len(rows), 1)),
    )
