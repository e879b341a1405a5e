"""A robot without memory: each question has all that its seat knows, each answer is plain data.
Names of questions and fields are those that clients of BEN, the best-known open robot, use already,
so that they can be pointed at Overtrick. Who answers is chosen in `analysis.asking`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from typing import Any, Final

import msgspec
from msgspec import UNSET

from overtrick.analysis import Inquiry, decided, simulate
from overtrick.analysis.asking import named, usual_system
from overtrick.bidding.rules import reading_of
from overtrick.cardplay.claim import Claim, sure_tricks
from overtrick.cardplay.claim import claim as provable
from overtrick.cardplay.situation import situation
from overtrick.game import (
    BridgeError,
    Call,
    Card,
    Contract,
    Hand,
    Play,
    Seat,
    Strain,
    View,
    Vulnerability,
    score,
)
from overtrick.service.boards import board_by_query
from overtrick.service.queries import (
    Query,
    auction_of,
    cards_of,
    contract_of,
    hand_of,
    ignored,
    inquiry_of,
    need,
    vulnerability,
    yes,
)
from overtrick.service.replies import (
    BidReply,
    BoardReply,
    CallChance,
    CardChance,
    CardReply,
    ClaimReply,
    ContractChance,
    EveryCall,
    LastCall,
    NextCall,
    NothingToDo,
)
from overtrick.service.words import call_out, told_shortly
from overtrick.systems import declared, library_names
from overtrick.systems.explain import Explained, explain_auction, next_calls

_CONTRACT_DEALS: Final = 24


def answer(question: str, query: Query) -> Any:
    """The answer to a question by its name; what is wrong with it is a BridgeError in one line.

    >>> found = answer("bid", {"hand": "AQ3.KJ4.QJ52.K82", "seat": "N", "dealer": "N",
    ...                        "vul": "", "ctx": "", "engine": "rules"})
    >>> found["bid"], found["explanation"].startswith("15–17")
    ('1N', True)
    """
    if question not in QUESTIONS:
        raise BridgeError(f"no question {question!r}; there are {', '.join(QUESTIONS)}")
    beside = ignored(question, query)
    found = QUESTIONS[question](query)
    if beside and isinstance(found, BidReply | CardReply | BoardReply):
        found = msgspec.structs.replace(found, ignored=beside)
    return msgspec.to_builtins(found)


def bid(query: Query) -> BidReply | NothingToDo:
    """What to call: hand, seat, dealer, vul, ctx; details=true adds what else was considered."""
    seat = Seat.parse(need(query, "seat"))
    hand_of(need(query, "hand"))
    auction = auction_of(query)
    if auction.is_over:
        return NothingToDo(message="Bidding is over")
    if auction.turn != seat:
        raise BridgeError(f"it is {auction.turn}'s turn to call, not {seat}'s")
    asked = inquiry_of(query)
    decision = decided(asked)
    found = BidReply(
        bid=call_out(decision.call),
        alert=decision.meaning.alert,
        explanation=told_shortly(decision.meaning),
        who=decision.engine,
        cut=decision.cut,
        note=asked.note or UNSET,
    )
    if not yes(query, "details"):
        return found
    told = explain_auction(_reading(query), auction, vulnerability(query), samples=1)
    return msgspec.structs.replace(
        found,
        candidates=[
            CallChance(call=call_out(Call(c.action)), explanation=c.note, value=c.value,
                       error=c.error)
            for c in decision.candidates
        ],
        hcp=decision.meaning.hcp,
        shape=list(reversed(decision.meaning.lengths)),
        samples=[str(h) for e in told for h in e.samples],
        explanations=[(call_out(e.call), e.meaning.words) for e in told],
    )  # fmt: skip


def bids(query: Query) -> list[NextCall]:
    """Every call that has a meaning after ctx, with the meaning."""
    auction = auction_of(query, required=False)
    told = [] if auction.is_over else next_calls(_reading(query), auction, vulnerability(query))
    return [
        NextCall(bid=call_out(e.call), description=e.meaning.words, ranges=e.meaning.ranges(),
                 alert=e.meaning.alert, forcing=e.meaning.forcing)
        for e in told
    ]  # fmt: skip


def lead(query: Query) -> CardReply | NothingToDo:
    """The opening lead: hand, seat, dealer, vul, ctx."""
    seat, auction = Seat.parse(need(query, "seat")), auction_of(query).closed()
    if contract_of(auction).leader != seat:
        return NothingToDo(message="Not this player to lead")
    return _carded(query, inquiry_of(query, auction=auction))


def play(query: Query) -> CardReply | NothingToDo:
    """The next card: hand, dummy, seat, dealer, vul, ctx, played; for dummy ask as declarer."""
    asked = _playing(query)
    if isinstance(asked, NothingToDo):
        return asked
    view = asked.view()
    assert view.play is not None
    return msgspec.structs.replace(
        _carded(query, asked),
        player=(view.seat - view.play.declarer - 1) % 4,
        matchpoint=view.scoring == "matchpoints",
    )


def claim(query: Query) -> ClaimReply | NothingToDo:
    """May the side to play claim `tricks` more? Only what holds in every layout is accepted."""
    asked = _playing(query)
    if isinstance(asked, NothingToDo):
        return asked
    view = asked.view()
    assert view.play is not None
    left = 13 - view.play.tricks_played
    text = query.get("tricks", "") or str(left)
    if not text.isdigit() or not 0 <= int(text) <= left:
        raise BridgeError(f"tricks is a number from 0 to {left}, not {text!r}")
    wanted, found = int(text), provable(view)
    proved, proof = _proved(view, found)
    who = "declarer's" if view.seat == view.play.declarer else "the defenders'"
    name = contract_of(view.auction).pretty()
    if proved is not None and proved >= wanted:
        said = f"Contract: {name} Accepted {who} claim of {wanted} tricks"
        return ClaimReply(tricks=wanted, result=said, proof=proof)
    reached = "nothing is proved yet" if proved is None else f"{proved} are proved"
    said = f"Contract: {name} Rejected {who} claim of {wanted} tricks: {reached}"
    return ClaimReply(tricks=wanted, result=said, proof="")


def contract(query: Query) -> dict[str, ContractChance]:
    """Where two hands belong: hand, dummy, seat, vul. A contract's score is the share of deals in
    which no other is better for the side, with silent opponents and double-dummy play."""
    seat, vul = Seat.parse(need(query, "seat")), vulnerability(query)
    hand = hand_of(need(query, "hand"))
    dummy = hand_of(need(query, "dummy"), taken=hand)
    wanted = [Contract(1, strain, seat) for strain in Strain]
    found = simulate(
        known={seat: hand, seat.partner: dummy}, contracts=wanted,
        deals=_CONTRACT_DEALS, vul=vul,
    )  # fmt: skip
    best: dict[tuple[int, Strain], float] = {}
    for row in found.tricks[:, :, seat].tolist():
        tops = _best(row, seat, vul)
        for key in tops:
            best[key] = best.get(key, 0.0) + 1 / len(tops) / found.deals
    out: dict[str, ContractChance] = {}
    for (level, strain), share in sorted(best.items(), key=lambda item: -item[1]):
        if share >= 0.05:
            counts = found.distribution(strain, seat)
            out[f"{level}{'N' if strain == 4 else strain.letter}"] = ContractChance(
                score=round(share, 2),
                tricks=list(counts),
                percentage=[round(s.value, 2) for s in counts.values()],
            )
    return out


def explain(query: Query) -> LastCall:
    """What the last call of ctx means."""
    told = _explained(query)
    return LastCall(explanation=told_shortly(told[-1].meaning), alert=told[-1].meaning.alert)


def explained_auction(query: Query) -> EveryCall:
    """What every call of ctx means; as a list in HTML, and as pairs."""
    told = _explained(query)
    pairs = [(call_out(e.call), told_shortly(e.meaning)) for e in told]
    items = "".join(f"  <li>{escape(call)} {escape(words)}</li>\n" for call, words in pairs)
    return EveryCall(explanation=f"<ul>\n{items}</ul>", explanations=pairs)


def autoplay(query: Query) -> BoardReply:
    """A whole board by four robots: deal, and board or dealer and vul; bidding_only=true ends it
    after the auction, which may be given."""
    return board_by_query(query)


QUESTIONS: Final[Mapping[str, Callable[[Query], Any]]] = {
    "bid": bid, "bids": bids, "lead": lead, "play": play, "claim": claim, "contract": contract,
    "explain": explain, "explain_auction": explained_auction, "autoplay": autoplay,
}  # fmt: skip
ANSWERS: Final[Mapping[str, tuple[Any, ...]]] = {
    "bid": (BidReply, NothingToDo), "bids": (list[NextCall],), "lead": (CardReply, NothingToDo),
    "play": (CardReply, NothingToDo), "claim": (ClaimReply, NothingToDo),
    "contract": (dict[str, ContractChance],), "explain": (LastCall,),
    "explain_auction": (EveryCall,), "autoplay": (BoardReply,),
}  # fmt: skip
"""The types of the answers."""


# ---------------------------------------------------------------- the play


def _playing(query: Query) -> Inquiry | NothingToDo:
    """The question of a seat that has to play a card, or why there is none."""
    seat, auction = Seat.parse(need(query, "seat")), auction_of(query).closed()
    contract = contract_of(auction)
    cards = cards_of(query.get("played", ""), contract, yes(query, "format"))
    stop = _not_playing(query, seat, contract, len(cards))
    if stop:
        return NothingToDo(message=stop)
    made = Play.of(contract, cards)
    if made.controller != seat:
        raise BridgeError(f"it is {made.turn}'s turn to play, not {seat}'s")
    hand = hand_of(query["hand"], *_seen(made, seat))
    others, own = _seen(made, contract.dummy)
    dummy = hand_of(query["dummy"], others | hand, own)
    if dummy == hand:
        return NothingToDo(message="Hand and dummy are identical")
    return inquiry_of(query, hand=hand, auction=auction, dummy=dummy, played=cards)


def _not_playing(query: Query, seat: Seat, contract: Contract, played: int) -> str:
    need(query, "hand")
    if played > 51:
        return "Game is over, no cards to play"
    if not played:
        return "No card is played yet: ask for the lead"
    if not query.get("dummy", "").strip():
        return "No dummy provided"
    if query["hand"].replace("_", ".") == query["dummy"].replace("_", "."):
        return "Hand and dummy are identical"
    if seat == contract.dummy:
        return f"Called as dummy or with wrong dealer / seat {contract.ascii}"
    return ""


def _seen(play: Play, seat: Seat) -> tuple[Hand, Hand]:
    """The cards that the others have played, and those that the seat has."""
    own = [
        card
        for trick in play.tricks()
        for place, card in enumerate(trick.cards)
        if (trick.leader + place) % 4 == seat
    ]
    return play.played - Hand.of(own), Hand.of(own)


def _carded(query: Query, asked: Inquiry) -> CardReply:
    decision = decided(asked)
    found = CardReply(
        card=decision.card.ascii, who=decision.engine, explanation=decision.why, cut=decision.cut,
        note=asked.note or UNSET,
    )  # fmt: skip
    if not yes(query, "details"):
        return found
    return msgspec.structs.replace(
        found, candidates=[_chance(c) for c in decision.candidates], samples=decision.worlds
    )


def _chance(candidate: Any) -> CardChance:
    return CardChance(
        card=Card(candidate.action).ascii,
        expected_tricks_dd=_rounded(candidate.details.get("tricks")),
        p_make_contract=_rounded(candidate.details.get("chance")),
        msg=candidate.note,
    )


def _proved(view: View, found: Claim | None) -> tuple[int | None, str]:
    """How many more tricks are sure: by a proof for the rest of the hand, or as top tricks."""
    if found is not None:
        return found.tricks, found.proof
    at = situation(view, on_turn=False)
    ours = view.play is not None and view.seat == view.play.declarer
    if at.trick or not ours or at.turn.side != view.seat.side:
        return None, ""
    return sure_tricks(at)[0], "top tricks"


# ---------------------------------------------------------------- meanings


def _reading(query: Query) -> Any:
    """The system that is asked about; the usual robot's unless another is named."""
    systems = []
    for name in ("system", "theirs"):
        text = named(query.get(name, ""))
        if text and not declared(text):
            known = ", ".join(library_names())
            raise BridgeError(f"{name}: no system {text[:60]!r}; there are {known}")
        systems.append(declared(text))
    return reading_of(systems[0] or usual_system(), systems[1])


def _explained(query: Query) -> list[Explained]:
    auction = auction_of(query)
    if not auction.calls:
        raise BridgeError("ctx has no call to explain")
    return explain_auction(_reading(query), auction, vulnerability(query), samples=0)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)


def _best(tricks: list[int], seat: Seat, vul: Vulnerability) -> list[tuple[int, Strain]]:
    """The contracts with the highest score for these tricks, the lowest of each strain."""
    scores: dict[tuple[int, Strain], int] = {}
    for strain in Strain:
        taken = tricks[strain]
        for level in range(1, 8):
            made = Contract(level, strain, seat)
            won = score(made, taken, vul)
            scores[level, strain] = -won if seat & 1 else won
    top = max(scores.values())
    found: dict[Strain, int] = {}
    for (level, strain), value in scores.items():
        if value == top and strain not in found:
            found[strain] = level
    return [(level, strain) for strain, level in found.items()]
