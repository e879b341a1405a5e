"""A hint in steps: a nudge that asks the right question, reasons made of counted facts, the answer.
The engine has decided; every number here is counted from what the seat sees and has heard."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from msgspec import UNSET

from overtrick.cardplay.situation import Situation, situation
from overtrick.engines.wire import meaning_in
from overtrick.game import PASS, Call, Card, Decision, Forcing, Hand, Meaning, Seat, Suit, View
from overtrick.game.meaning import ANY_HCP, ANY_LENGTH, Range, span
from overtrick.game.reasons import (
    Agreed,
    AsGood,
    Deed,
    Does,
    Fate,
    FewerTricks,
    Finesse,
    KnownLengths,
    LittleBetter,
    OtherTricks,
    Otherwise,
    Reason,
    Remark,
    Signal,
)
from overtrick.web.asking import crosses, need, question
from overtrick.web.frames import HintAnswer, HintCandidate
from overtrick.web.meanings import in_short
from overtrick.web.opinions import Advice, Opinion
from overtrick.web.sentences import Sentence, of, sentence

_GAME, _SLAM = 25, 33
_FIT = 8
_WEAK, _LONG = 10, 6  # points and cards of a pre-empt
_NO_END = 23  # points: a range up to there is shown without its end
_WIDE, _STRONG = 9, 12  # a range that tells something: not too wide, or at least an opening bid
_COMPARES: Final = (Fate, Otherwise, OtherTricks, FewerTricks, LittleBetter, AsGood)


# ---------------------------------------------------------------- calls


@dataclass(frozen=True, slots=True)
class HeardFrom:
    """What a seat has shown with all its calls, and whether its last one binds partner."""

    hcp: Range = ANY_HCP
    lengths: tuple[Range, ...] = (ANY_LENGTH,) * 4
    last: Call | None = None
    forcing: bool = False

    def then(self, call: Call, meaning: Meaning) -> HeardFrom:
        lengths = tuple(_both(a, b) for a, b in zip(self.lengths, meaning.lengths, strict=True))
        binds = meaning.forcing not in (Forcing.NONE, Forcing.SIGN_OFF)
        return HeardFrom(_both(self.hcp, meaning.hcp), lengths, call, binds)


def coached(
    view: View,
    decision: Decision,
    told: dict[Seat, HeardFrom],
    reasons: Iterable[Reason] | None = None,
) -> Advice:
    """The decision as a hint; `reasons` may be fewer than all of its own."""
    why = tuple(decision.reasons if reasons is None else reasons)
    if view.play is None:
        nudge, said = _bidding(view, decision, why, told)
        short = said[0]
    else:
        nudge, said = _playing(view, decision, why)
        short = next((_card_reason(situation(view), decision, r) for r in why), said[0])
    early = [s for s in said if not _names(s, str(decision.action))]
    late = [s for s in said if s not in early]
    return Advice(tuple(nudge), tuple(early or said), tuple(late), short)


def hint_of(at: int, opinion: Opinion) -> HintAnswer:
    """A hint: what the coach says beside what the decision says itself. Without the seed of its
    choices, from which somebody patient could find the table's own."""
    decision, told = opinion.found, opinion.told
    return HintAnswer(
        at=at,
        action=decision.action.ascii,
        meaning=in_short(decision.meaning),
        candidates=considered(decision, opinion.meanings),
        why=decision.why,
        worlds=decision.worlds,
        milliseconds=round(decision.milliseconds, 3),
        engine=decision.engine,
        cut=decision.cut or UNSET,
        nudge=list(told.nudge),
        reasons=list(told.reasons),
        late=list(told.late),
        short=told.short,
        deciding=opinion.deciding,
    )


def considered(
    decision: Decision, meanings: Sequence[dict[str, Any] | None] = ()
) -> list[HintCandidate]:
    """The actions that were weighed, each with what it would tell or what is to be said of it."""
    told = [None if m is None else in_short(meaning_in(m)) for m in meanings]
    told += [None] * (len(decision.candidates) - len(told))
    return [
        HintCandidate(
            action=c.action.ascii, value=c.value, error=c.error,
            note=c.note if meaning is None else meaning.words,
            said=[of(reason) for reason in c.reasons], meaning=meaning,
        )
        for c, meaning in zip(decision.candidates, told, strict=False)
    ]  # fmt: skip


def _names(said: Sentence, action: str) -> bool:
    """Does the sentence speak of the action itself?"""
    words = (value for value in said.args.values() if isinstance(value, str))
    return any(re.search(rf"(?<!\w){re.escape(action)}(?!\w)", word) for word in words)


def of_the_cards(reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    """The reasons without what compares chances: where a table has those from many more deals."""
    return tuple(reason for reason in reasons if not isinstance(reason, _COMPARES))


def _both(a: Range, b: Range) -> Range:
    """What fits both; the later one where they exclude each other."""
    low, high = max(a[0], b[0]), min(a[1], b[1])
    return (low, high) if low <= high else b


def _bidding(
    view: View, decision: Decision, why: tuple[Reason, ...], told: dict[Seat, HeardFrom]
) -> tuple[list[Sentence], list[Sentence]]:
    partner = told.get(view.seat.partner, HeardFrom())
    mine = hcp(view.hand)
    said = [*_together(mine, partner, decision.call), *_fits(view, partner)]
    bound = _bound(view, partner) and decision.call != PASS
    if bound:
        said.append(sentence("forced", call=partner.last))
    opens_not = decision.call == PASS and not any(c.is_bid for c in view.auction.calls)
    if opens_not:
        said.append(sentence("no-opening"))
    if not _adds_up(partner) and (partner.last is None or len(said) <= opens_not):
        said.insert(0, _hand(view))
    said += [of(r) for r in why if not (isinstance(r, Agreed) and _told(decision, r, opens_not))]
    return [_bidding_nudge(view, partner, mine, bound)], said


def _bound(view: View, partner: HeardFrom) -> bool:
    """Does partner's last call ask for another? Not once they have acted over it: he has a turn."""
    calls = view.auction.calls
    return partner.forcing and partner.last is not None and calls[-1] == PASS


def _told(decision: Decision, agreed: Agreed, opens_not: bool) -> bool:
    """Is the agreement told anyway: by a sentence of the coach's, or as the answer's meaning?"""
    return opens_not or (decision.call != PASS and agreed.words == decision.meaning.words)


def _bidding_nudge(view: View, partner: HeardFrom, mine: int, bound: bool) -> Sentence:
    if bound:
        return sentence("ask.forced", call=partner.last)
    if _preempted(partner) is not None:
        return sentence("ask.pre-empt")
    if _telling(partner) and partner.last is not None and partner.last.is_bid:
        return sentence("ask.how-high", mine=mine, shown=_span(partner.hcp))
    sides = {view.auction.seat_of(i).side for i, c in enumerate(view.auction.calls) if c.is_bid}
    if sides and view.seat.side not in sides:
        theirs = {view.auction.seat_of(i) for i, c in enumerate(view.auction.calls) if c.is_bid}
        return sentence("ask.late" if len(theirs) > 1 else "ask.come-in")
    bidder = view.auction.last_bidder
    if bidder is not None and bidder.side != view.seat.side:
        return sentence("ask.compete")
    return sentence("ask.unknown" if sides else "ask.open")


def _together(mine: int, partner: HeardFrom, call: Call) -> Iterator[Sentence]:
    """The points of both hands, where partner has told his; beside a pre-empt they tell little."""
    if (suit := _preempted(partner)) is not None:
        yield sentence("pre-empt", length=partner.lengths[suit][0], suit=Suit(suit))
        return
    if not _telling(partner):
        return
    open_end = partner.hcp[1] >= _NO_END
    low, high = mine + partner.hcp[0], 40 if open_end else min(40, mine + partner.hcp[1])
    if low >= _SLAM:
        verdict = "slam"
    elif high >= _SLAM and low >= _GAME:
        verdict = "perhaps-slam"
    elif low >= _GAME:
        verdict = "game"
    elif high >= _GAME:
        verdict = "upper"
    else:
        verdict = "no-game"
    if high < _GAME and _is_game(call):  # it bids one all the same, for shape or to take their room
        verdict = "shape"
    elif high < _SLAM and _above_game(call):
        verdict = "controls"
    shown, both = _span(partner.hcp), _span((low, high), 40)
    yield sentence(f"together.{verdict}", mine=mine, shown=shown, both=both)


def _preempted(partner: HeardFrom) -> int | None:
    """The suit of partner's pre-empt, if partner has made one."""
    longest = max((3, 2, 1, 0), key=lambda suit: partner.lengths[suit][0])
    weak = partner.last is not None and partner.hcp[1] <= _WEAK
    return longest if weak and partner.lengths[longest][0] >= _LONG else None


def _adds_up(partner: HeardFrom) -> bool:
    return _telling(partner) or _preempted(partner) is not None


def _above_game(call: Call) -> bool:
    """A slam, or a call that looks for one."""
    return call.is_bid and (call.level > 5 or call.ascii in ("4NT", "5H", "5S", "5NT"))


def _is_game(call: Call) -> bool:
    return call.is_bid and call.level >= (3 if call.strain == 4 else 5 if call.strain < 2 else 4)


def _telling(partner: HeardFrom) -> bool:
    """Are partner's points known well enough to add them up?"""
    low, high = partner.hcp
    return partner.last is not None and (high - low <= _WIDE or low >= _STRONG)


def _fits(view: View, partner: HeardFrom) -> Iterator[Sentence]:
    for suit in (3, 2, 1, 0):
        own, shown = view.hand.lengths[suit], partner.lengths[suit][0]
        if shown >= 3 and own + shown >= _FIT:
            yield sentence("fit", cards=min(13, own + shown), suit=Suit(suit))
            return


def _hand(view: View) -> Sentence:
    shape = "–".join(str(n) for n in view.hand.lengths[::-1])
    return sentence("hand", points=hcp(view.hand), shape=shape)


def _span(r: Range, top: int = _NO_END) -> str:
    return span(*r, top)


# ---------------------------------------------------------------- cards


def _playing(
    view: View, decision: Decision, why: tuple[Reason, ...]
) -> tuple[list[Sentence], list[Sentence]]:
    at = situation(view)
    why = tuple(r for r in why if r is not Remark.CUT_SHORT)  # told as `cut`
    if not _complete(decision):  # what some deals agree on is known of those, and no more
        why = tuple(r for r in why if not isinstance(r, KnownLengths))
    told = tuple(_card_reason(at, decision, r) for r in why)
    said = [*[*counts(view, int(decision.card.suit))][:1], *told]
    if not said:
        said = [sentence("keeps-the-chance" if decision.reasons else "no-difference")]
    if Remark.ONLY_CARD in why:
        return [sentence("ask.nothing")], said
    if Remark.ALL_EQUAL in why:
        signals = any(isinstance(r, Signal) for r in why)
        return [sentence("ask.signal" if signals else "ask.nothing")], said
    return [need(at), question(at, why)], said


def _complete(decision: Decision) -> bool:
    """Were all layouts there are looked at, so that what holds in them is certain?"""
    return decision.details.get("complete") is True


def _card_reason(at: Situation, decision: Decision, reason: Reason) -> Sentence:
    """A reason as the coach says it: certain only where it is, and true of this position."""
    match reason:
        case Does(deed=Deed.LEADS_TOWARDS, card=Card() as card) if crosses(at, card):
            return sentence("does.crosses", card=card)
        case Finesse() if reason.variant and not _complete(decision) and decision.worlds > 1:
            fields = {**reason.fields, "worlds": decision.worlds}
            return sentence("finesse.all", **fields)
        case Fate() | Otherwise() if not _complete(decision) and decision.worlds > 1:
            return _imagined(reason, decision.worlds)
    return of(reason)


def _imagined(reason: Fate | Otherwise, worlds: int) -> Sentence:
    """What is so in all deals that were imagined is not therefore so."""
    kind, _, variant = reason.id.partition(".")
    side, likely, *tricks = variant.split(".")
    words = {"sure": "all", "never": "none"}.get(likely)
    if words is None:
        return of(reason)
    name = ".".join([kind, side, words, *tricks])
    return sentence(name, **reason.fields, worlds=worlds)


def counts(view: View, first: int) -> Iterator[Sentence]:
    """Lengths of hidden hands that are certain: somebody showed out, or told them in the auction.

    The suit that matters now comes first.
    """
    play = view.play
    if play is None or view.dummy is None:
        return
    hidden = [s for s in Seat if s not in view.known]
    if len(hidden) != 2:
        return
    shown_out = _shown_out(view)
    told = _promised(view)
    for suit in [first, *(s for s in (3, 2, 1, 0) if s != first)]:
        out = 13 - sum(h.lengths[suit] for h in view.known.values())
        if not view.unseen.lengths[suit]:
            continue  # nobody cares any more
        for one, other in (hidden, hidden[::-1]):
            length = shown_out.get((one, suit))
            if length is not None and out - length > 0 and (other, suit) not in shown_out:
                about = {"seat": one, "suit": Suit(suit), "other": other, "length": out - length}
                yield sentence("shown-out", **about)
                break
            least = told.get((one, suit), 0)
            if length is None and least >= 5 and 0 <= out - least <= 1:
                about = {"seat": one, "suit": Suit(suit), "other": other, "length": least}
                yield sentence(f"promised.{'none' if out == least else 'one'}", **about)
                break


def _shown_out(view: View) -> dict[tuple[Seat, int], int]:
    """Suits in which a seat could not follow, with how many cards of them it had."""
    play = view.play
    assert play is not None
    had: dict[tuple[Seat, int], int] = {}
    void: set[tuple[Seat, int]] = set()
    for trick in play.tricks():
        led = int(trick.cards[0].suit)
        for i, card in enumerate(trick.cards):
            seat = trick.leader.plus(i)
            had[seat, int(card.suit)] = had.get((seat, int(card.suit)), 0) + 1
            if int(card.suit) != led:
                void.add((seat, led))
    return {key: had.get(key, 0) for key in void}


def _promised(view: View) -> dict[tuple[Seat, int], int]:
    """The least lengths that opponents disclosed."""
    out: dict[tuple[Seat, int], int] = {}
    for i, meaning in enumerate(view.meanings):
        if meaning is None:
            continue
        maker = view.auction.seat_of(i)
        for suit in range(4):
            least = meaning.lengths[suit][0]
            out[maker, suit] = max(out.get((maker, suit), 0), least)
    return out


def hcp(hand: Hand) -> int:
    return sum(max(0, card.rank - 8) for card in hand)
