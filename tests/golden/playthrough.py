"""Golden playthroughs: random boards through auction, play and score with every observable.
Used by the test beside it and by `make golden`; a changed line shows a silent change of meaning."""

from __future__ import annotations

import random
from collections.abc import Iterator

from overtrick.game import Auction, Board, Play, Seat, Side, View, imps, score, view_of
from overtrick.game.scoring import declarer_score, result_text

BOARDS = (1, 2, 7, 12, 16)


def files() -> dict[str, str]:
    """File name → text, for the folder tests/golden/playthroughs."""
    return {f"board{n:02}.txt": "\n".join(_board(n)) + "\n" for n in BOARDS}


def _board(number: int) -> Iterator[str]:
    rng = random.Random(number)
    board = Board.random(number, seed=1000 + number)
    yield f"board {board.number}, dealer {board.dealer}, vulnerable {board.vul}"
    yield f"deal {board.deal}"
    yield f"owners {board.deal.owners.hex()}"
    for seat in Seat:
        hand = board.deal[seat]
        yield f"{seat} {hand.pretty()} bits {hand.bits:#x} lengths {hand.lengths}"
    auction = Auction(board.dealer)
    while not auction.is_over:
        yield from _call_state(board, auction)
        legal = auction.legal_calls()
        weights = [5.0 if c < 3 else 2.0 / (i + 1) for i, c in enumerate(legal)]
        call = rng.choices(legal, weights)[0]
        yield f"  call {call.ascii} number {int(call)}"
        auction = auction.then(call)
    yield f"\nauction {auction.ascii}"
    yield f"contract {auction.contract}"
    if auction.contract is not None:
        yield from _played(board, auction, rng)


def _call_state(board: Board, auction: Auction) -> Iterator[str]:
    yield f"\ncall {len(auction) + 1}: {auction.turn} to call"
    yield f"  contract so far {auction.contract}, last bidder {auction.last_bidder}"
    yield f"  legal {' '.join(c.ascii for c in auction.legal_calls())}"
    yield from _view(view_of(board, auction))


def _view(view: View) -> Iterator[str]:
    yield (
        f"  view of {view.seat}: hand {view.hand}, dummy {view.dummy},"
        f" vulnerable we {view.we_are_vulnerable} they {view.they_are_vulnerable}"
    )
    yield f"  unseen {view.unseen.bits:#x}, seed {view.seed}"


def _played(board: Board, auction: Auction, rng: random.Random) -> Iterator[str]:
    contract = auction.contract
    assert contract is not None
    yield f"declarer {contract.declarer}, dummy {contract.dummy}, leader {contract.leader}"
    play = Play.of(contract)
    while not play.is_over:
        hand = board.deal[play.turn]
        legal = play.legal_cards(hand)
        yield f"\ncard {len(play) + 1}: {play.turn} to play, chosen by {play.controller}"
        shown = " ".join(c.ascii for c in play.trick.cards) or "nothing"
        yield f"  trick led by {play.trick.leader}: {shown}"
        yield f"  legal {' '.join(c.ascii for c in legal)}"
        voids = ["".join(s.letter for s in sorted(suits)) or "-" for suits in play.voids()]
        yield f"  voids {' '.join(voids)}"
        yield from _view(view_of(board, auction, play))
        card = rng.choice(legal.cards())
        yield f"  card {card.ascii} number {int(card)}"
        play = play.then(card, hand)
        if len(play) % 4 == 0:
            yield f"  trick {play.tricks_played} to {play.trick.leader}"
    ns, ew = play.tricks_won(Side.NS), play.tricks_won(Side.EW)
    points = score(contract, play.declarer_tricks, board.vul)
    yield f"\ntricks NS {ns} EW {ew}, declarer {play.declarer_tricks}"
    yield f"result {contract}{result_text(contract, play.declarer_tricks)}"
    yield f"score {declarer_score(contract, play.declarer_tricks, board.vul)}, NS {points}"
    yield f"imps against nothing {imps(points)}"
