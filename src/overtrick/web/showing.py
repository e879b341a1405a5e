"""What a browser is shown of a table: made from the views of the seats it sits in, nothing else.
Used for every message about a table; no unseen card can pass, since a View has none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from overtrick.game import Play, Seat, Trick, View
from overtrick.game.cards import DECK
from overtrick.game.scoring import result_text
from overtrick.game.seats import SeatLetter
from overtrick.web.events import Table
from overtrick.web.frames import (
    BoardResult,
    CardOnTable,
    ContractShown,
    EnginesOfSides,
    MadeCall,
    MatchShown,
    PlayShown,
    Practice,
    Seal,
    State,
    SystemsOfSides,
    TrickShown,
    Wish,
)
from overtrick.web.meanings import in_short
from overtrick.web.tempo import moment

LETTERS: Final[tuple[SeatLetter, ...]] = ("N", "E", "S", "W")


def pilot(table: Table) -> Seat | None:
    """The human who has to act now; None when a robot has, or nobody."""
    state = table.state
    if state.phase == "over":
        return None
    actor = state.actor
    if table.is_human(actor):
        return actor
    return table.stand_in if actor == table.declarer else None


@dataclass(frozen=True, slots=True)
class Around:
    """What is around a table's value when it is shown: who is there, the score sheet of its match,
    what somebody would like to take back, why nothing can be kept."""

    connected: frozenset[str] = frozenset()
    match: MatchShown | None = None
    asked: Wish | None = None
    trouble: str = ""
    watching: bool = False
    watchers: int = 0


ALONE: Final = Around()


def shown(table: Table, seat: Seat, around: Around = ALONE) -> State:
    """The whole table as this human may see it; who looks on can do nothing."""
    state = table.state
    views = [state.view(s) for s in table.eyes(seat)]
    view, acts = views[0], not around.watching
    mine = acts and pilot(table) == seat and forced(table) is None
    return State(
        version=table.version,
        at=len(state.log),
        seat=seat.letter,
        phase=state.phase,
        number=view.number,
        boards=table.boards,
        dealer=view.dealer.letter,
        vul=str(view.vul),
        scoring=view.scoring,
        humans=list(table.settings.humans),
        connected=letters(around.connected),
        open=sorted(table.invitations.values()),
        names=dict(table.names),
        away=letters(table.away),
        match=around.match,
        asked=around.asked,
        engines=EnginesOfSides(NS=table.settings.ns, EW=table.settings.ew),
        systems=SystemsOfSides(NS=state.systems[0], EW=state.systems[1]),
        hands=_hands(views),
        places={s.letter: [c.ascii for c in h] for v in views for s, h in v.known.items()},
        auction=_auction(table, view),
        contract=_contract(view) if state.phase != "auction" else None,
        play=None if view.play is None else _play(view.play),
        turn=None if state.phase == "over" else view.turn.letter,
        mine=mine,
        legal=_legal(views) if mine else [],
        rulings=[str(r) for r in state.rulings if r.seat in [v.seat for v in views]],
        can_undo=acts and may_undo(table, seat) is not None,
        can_claim=acts and _may_claim(table, seat),
        practice=_practice(table),
        chosen=table.chosen,
        links=_counted(table.watchers.values()),
        shared=_shared(table),
        seen=_seen(table, seat),
        sealed=_sealed(table),
        result=_result(table) if state.phase == "over" else None,
        trouble=around.trouble,
        watching=around.watching,
        watchers=around.watchers,
    )


def letters(found: Iterable[str]) -> list[SeatLetter]:
    """Seats in alphabetical order."""
    among = set(found)
    return sorted(s for s in LETTERS if s in among)


def _counted(found: Iterable[SeatLetter]) -> dict[SeatLetter, int]:
    return dict(sorted(Counter(found).items()))


def _shared(table: Table) -> list[str]:
    """Seats that are played from one browser, or from one address by programs."""
    seats: dict[str, str] = {}
    for key, letter in sorted(table.tokens.items(), key=lambda item: item[1]):
        person = table.person(key)
        seats[person] = seats.get(person, "") + letter
    return sorted(letters for letters in seats.values() if len(letters) > 1)


def _seen(table: Table, seat: Seat) -> int:
    """How many other people have been shown a hand that is not open to all."""
    state = table.state
    play = state.play
    if state.phase == "over" or (play is not None and play.cards and play.dummy == seat):
        return 0
    mine = [table.person(table.holder(seat.letter))]
    return len(table.sights.others(seat, mine))


def _sealed(table: Table) -> Seal | None:
    """The promise of the cards, and once they are open the text that it is of."""
    sealed = table.sealed
    if sealed is None:
        return None
    return Seal(promise=sealed.promise, text=sealed.text if table.state.phase == "over" else None)


def _practice(table: Table) -> Practice | None:
    """How far a deck is and what was earned; only the boards that are over count."""
    if not table.deck.boards and not table.scores:
        return None
    results = [j for _, j in table.scores]
    posed = table.posed
    return Practice(
        name=table.deck.name,
        title="" if posed is None else posed.title,
        index=table.index,
        count=len(table.deck.boards),
        done=len(results),
        earned=round(sum(j.mark or 0 for j in results), 1),
        possible=10 * sum(j.mark is not None for j in results),
        imps=sum(j.imps for j in results),
    )


def _hands(views: list[View]) -> dict[SeatLetter, list[str]]:
    """Cards still held, of the hands these views see."""
    out: dict[SeatLetter, list[str]] = {}
    for view in views:
        played = 0 if view.play is None else view.play.state.played
        for seat, hand in view.known.items():
            out[seat.letter] = [c.ascii for c in hand if not played >> c & 1]
    return out


def _auction(table: Table, view: View) -> list[MadeCall]:
    """The calls; opponents' meanings as they disclosed them, our own side's as agreed."""
    agreed = table.state.meanings
    rows = []
    for i, call in enumerate(view.auction.calls):
        maker = view.auction.seat_of(i)
        told = agreed[i] if maker.side == view.seat.side else view.meanings[i]
        alert, meaning = told is not None and told.alert, None if told is None else in_short(told)
        rows.append(MadeCall(seat=maker.letter, call=call.ascii, alert=alert, meaning=meaning))
    return rows


def _contract(view: View) -> ContractShown | None:
    contract = view.contract
    if contract is None:
        return None
    return ContractShown(
        text=contract.ascii,
        declarer=contract.declarer.letter,
        dummy=contract.dummy.letter,
        target=contract.target,
    )


def _play(play: Play) -> PlayShown:
    tricks = list(play.tricks())
    current = tricks.pop() if tricks and len(tricks[-1].cards) < 4 else None
    return PlayShown(
        cards=len(play),
        trick=None if current is None else _trick(current, play),
        last=_trick(tricks[-1], play) if tricks else None,
        won=[t.winner(play.strain).letter for t in tricks],
        ns=play.tricks_won(0),
        ew=play.tricks_won(1),
        declarer_tricks=play.declarer_tricks,
        left=13 - play.tricks_played,
    )


def _trick(trick: Trick, play: Play) -> TrickShown:
    cards = [
        CardOnTable(seat=trick.leader.plus(i).letter, card=c.ascii)
        for i, c in enumerate(trick.cards)
    ]
    winner = trick.winner(play.strain).letter
    return TrickShown(leader=trick.leader.letter, cards=cards, winner=winner)


def _legal(views: list[View]) -> list[str]:
    if views[0].play is None:
        return [c.ascii for c in views[0].auction.legal_calls()]
    turn = views[0].play.turn
    view = next(v for v in views if turn in v.known)
    return [c.ascii for c in view.legal_cards()]


def people(table: Table) -> list[SeatLetter]:
    """The seats for which a person acts now."""
    return [s for s in table.settings.humans if s not in table.away]


def may_undo(table: Table, seat: Seat) -> int | None:
    """How many actions stay when this human takes back his last one; None when he may not.

    Who has nobody but robots at the table always may; a claim is taken back without the card before
    it. Among people everybody who acted on this board must still be there to agree, only while
    none of them has acted since and no card of a hidden hand has been shown.
    """
    state = table.state
    last = next((i for i in range(len(table.by) - 1, -1, -1) if table.by[i] == seat.letter), None)
    if last is None or not table.actors <= table.tokens.keys():
        return None
    if alone(table, seat):
        return len(state.log) if state.claimed is not None else last
    others = any(by not in ("", seat.letter) for by in table.by[last:])
    if others or state.phase == "over":
        return None
    # A card that somebody played since cannot be unseen.
    return None if len(state.log) > max(last + 1, len(state.auction)) else last


def alone(table: Table, seat: Seat) -> bool:
    """Does nobody but this human sit here, and has nobody else acted on this board?"""
    return people(table) == [seat.letter] and table.actors <= {table.holder(seat.letter)}


def claimant(table: Table, seat: Seat) -> Seat | None:
    """The seat for which this human could claim now: his own, or the declarer he plays for."""
    state = table.state
    play = state.play
    if state.phase != "play" or play is None or not play.cards:
        return None
    if table.stand_in == seat:
        return play.declarer
    return None if seat == play.dummy else seat


def _may_claim(table: Table, seat: Seat) -> bool:
    play = table.state.play
    return claimant(table, seat) is not None and play is not None and not play.trick.cards


def _result(table: Table) -> BoardResult:
    """Once the board is over all four hands are open, and everything may be told."""
    from overtrick import notation

    state = table.state
    contract, tricks, score = state.contract, state.tricks, state.score()
    north, east, south, west = (_name(table, s) for s in Seat)
    record = state.record((north, east, south, west))
    text = "passed out"
    if contract is not None:
        made = "" if tricks is None else result_text(contract, tricks)
        text = f"{contract.pretty()}{made} by {contract.declarer}"
    return BoardResult(
        text=text,
        tricks=tricks,
        score_ns=score,
        claimed=state.claimed is not None,
        claim=table.claim_words,
        hands={s.letter: [c.ascii for c in state.board.deal[s]] for s in Seat},
        lin=notation.dumps(record, "lin").strip(),
        judged=table.judged,
        awards={} if table.posed is None else table.posed.awards,
    )


def _name(table: Table, seat: Seat) -> str:
    if not table.settings.is_human(seat):
        return "Robot"
    alone = "You" if len(table.settings.humans) == 1 else seat.name.capitalize()
    return table.names.get(seat.letter) or alone


def forced(table: Table) -> int | None:
    """The card a human has no choice about, as a number.

    Among people it is one that all of them know: a card that comes by itself tells what is held.
    """
    state = table.state
    if not table.settings.auto or state.play is None or pilot(table) is None:
        return None
    view = state.view()
    if len(table.settings.humans) > 1 and not moment(view).settled:
        return None
    legal = view.legal_cards()
    return int(DECK[legal.bits.bit_length() - 1]) if len(legal) == 1 else None
