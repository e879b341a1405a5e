"""A stored match checked by somebody who believes nobody: were these the boards that were promised
before they were played, and can they have been played like that?"""

from __future__ import annotations

from dataclasses import dataclass

from overtrick import doubledummy
from overtrick.arena.deck import SECRET, board_in
from overtrick.arena.job import Match
from overtrick.arena.results import BoardResult, RoomResult
from overtrick.arena.store import Sitting, Store
from overtrick.game import Board, BridgeError, Card, Contract, Play
from overtrick.game.commitment import promise_of, promise_of_all


@dataclass(frozen=True, slots=True)
class Verified:
    """What was found. `kept` are the boards that follow from a promise or a seed, `loose` those of
    which nothing was promised, `wrong` says what cannot be. `unplayed` boards at the end are not
    there (yet); `again` were drawn anew, because a run ended before they were written down."""

    kept: int
    loose: int
    wrong: tuple[str, ...]
    sittings: tuple[Sitting, ...]
    unplayed: int = 0
    again: int = 0


def verified(store: Store) -> Verified:
    """Every board of a match: promised, opened, and played by the rules."""
    sittings, texts = store.sittings(), store.opened()
    wrong = []
    for number, sitting in enumerate(sittings, 1):
        if sitting.promises and promise_of_all(sitting.promises.values()) != sitting.promise:
            wrong.append(f"sitting {number}: the promises of its boards are not the one it gave")
    promised: dict[int, set[str]] = {}
    for sitting in sittings:
        for board, promise in sitting.promises.items():
            promised.setdefault(board, set()).add(promise)
    kept = loose = 0
    there = set()
    for result in store.results():
        there.add(result.number)
        try:
            follows = _follows(store.job, result, texts, promised)
            for room in (result.open, result.closed):
                _replayed(store.job, result.board(), room)
        except BridgeError as error:
            wrong.append(f"board {result.number}: {error}")
            continue
        kept, loose = kept + follows, loose + (not follows)
    last = max(there, default=0)
    missing = sorted((promised.keys() or set(range(1, store.job.boards + 1))) - there)
    wrong += [f"board {n}: it is not there, and later ones are" for n in missing if n < last]
    unplayed = sum(n > last for n in missing)
    again = sum(len(each) > 1 for each in promised.values())
    return Verified(kept, loose, tuple(wrong), tuple(sittings), unplayed, again)


def _follows(
    job: Match, result: BoardResult, texts: dict[int, str], promised: dict[int, set[str]]
) -> bool:
    """Is it the board of the seed or of the promise? False where there was neither."""
    if job.deals == SECRET:
        text = texts.get(result.number, "")
        if promise_of(text) not in promised.get(result.number, set()):
            raise BridgeError("what is told of its cards was never promised")
        expected = board_in(text)
    elif job.deals == "random":
        expected = job.board(result.number)
    else:
        return False
    if result.board() != expected:
        raise BridgeError("other cards were played than those that were fixed before")
    return True


def _replayed(job: Match, board: Board, room: RoomResult) -> None:
    """The cards played, one by one, from the hands as they were dealt to the last trick; without
    cards, what the contract makes double dummy."""
    if not room.contract:
        return
    contract = Contract.parse(room.contract)
    if job.method == "dd":
        tricks = doubledummy.tricks(board.deal, contract.strain, contract.declarer)
        what = "double dummy it makes"
    else:
        play = Play.of(contract)
        for card in room.cards:
            play = play.then(Card(card), board.deal[play.turn])
        if not play.is_over:
            raise BridgeError(f"only {len(room.cards)} cards of its play are told")
        tricks, what = play.declarer_tricks, "the cards give"
    if tricks != room.tricks:
        raise BridgeError(f"{what} {tricks} tricks, not {room.tricks}")
