"""A hint in steps: a nudge that asks the right question, reasons made of counted facts, the answer.
The engine has decided; every number here is counted from what the seat sees and has heard."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from overtrick.cardplay.claim import sure_tricks
from overtrick.cardplay.situation import Situation, situation
from overtrick.game import SUIT_WORDS, Call, Card, Decision, Forcing, Hand, Meaning, Seat, View
from overtrick.game.meaning import ANY_HCP, ANY_LENGTH, Range
from overtrick.web.spoken import sentence, spoken

_GAME, _SLAM = 25, 33
_FIT = 8
_WEAK, _LONG = 10, 6  # points and cards of a pre-empt
_WIDE, _STRONG = 9, 12  # a range that tells something: not too wide, or at least an opening bid
_WORDS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
                 "ten", "eleven", "twelve", "thirteen")  # fmt: skip
_PLACE: Final = re.compile(r" \([^()]*priority -?\d+\)")  # where a rule stands in its file
_GENERIC: Final = {
    "nothing to say": "Your hand is not worth a bid here.",
    "nothing more to say": "You have shown what you have.",
    "nothing more": "You have shown what you have.",
    "not enough to open": "Your hand is not strong enough to open.",
    "enough": "The contract is high enough.",
    "no better bid": "No bid fits exactly; this one misleads partner least.",
    "to play": "You know enough to place the contract.",
}
_NO_MORE: Final = ("nothing more to say", "nothing more")
_SILENT: Final = "Your hand is not worth a bid here."
_QUESTIONS: Final = (
    (("finesses", "takes the marked finesse"),
     "An honour is missing. Which opponent is more likely to have it?"),
    (("plays for the drop",), "How many cards are out in this suit? Could the honour fall?"),
    (("ruffs", "overruffs", "leads for a ruff"), "Could a trump win a trick for you here?"),
    (("throws",), "You cannot follow suit. Which card will you never need?"),
    (("draws trumps", "leads a trump"), "How many trumps are still out, and who wants them gone?"),
    (("ducks", "plays low", "lets"), "Do you have to win this trick?"),
    (("cashes",), "Which tricks are yours already, and can anybody take them away?"),
    (("leads towards",), "From which hand should this suit be led, so that an honour counts?"),
    (("leads through",), "Through which opponent should you lead?"),
    (("gives up the lead",), "Which suit can be set up while the others are still stopped?"),
    (("covers",), "An honour was played. Does covering it make a trick for your side?"),
    (("returns",), "What did partner lead, and what did that tell you?"),
    (("second hand",), "You play second. Can the trick wait for partner?"),
    (("third hand",), "You play third. How high must you play, and no higher?"),
)  # fmt: skip


# ---------------------------------------------------------------- calls


@dataclass(frozen=True, slots=True)
class Heard:
    """What a seat has shown with all its calls, and whether its last one binds partner."""

    hcp: Range = ANY_HCP
    lengths: tuple[Range, ...] = (ANY_LENGTH,) * 4
    last: Call | None = None
    forcing: bool = False

    def then(self, call: Call, meaning: Meaning) -> Heard:
        lengths = tuple(_both(a, b) for a, b in zip(self.lengths, meaning.lengths, strict=True))
        binds = meaning.forcing not in (Forcing.NONE, Forcing.SIGN_OFF)
        return Heard(_both(self.hcp, meaning.hcp), lengths, call, binds)


def coached(view: View, decision: Decision, told: dict[Seat, Heard]) -> dict[str, Any]:
    """The decision as a hint: its nudge and its reasons beside everything it says itself."""
    nudge, reasons = (
        _bidding(view, decision, told) if view.play is None else _playing(view, decision)
    )
    # What names the answer waits for the last step.
    name = str(decision.action)
    early = [r for r in reasons if not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", r)]
    late = [r for r in reasons if r not in early]
    short = reasons[0] if view.play is None else _short(decision, reasons)
    told_ = {"nudge": nudge, "reasons": early or reasons, "late": late, "short": short}
    return {**decision.to_dict(), **told_}


def _short(decision: Decision, reasons: list[str]) -> str:
    """What the card does, in one sentence: its technique, else its chance."""
    first = decision.why.split("; ")[0]
    return spoken(first) if first else reasons[0]


def _both(a: Range, b: Range) -> Range:
    """What fits both; the later one where they exclude each other."""
    low, high = max(a[0], b[0]), min(a[1], b[1])
    return (low, high) if low <= high else b


def _bidding(view: View, decision: Decision, told: dict[Seat, Heard]) -> tuple[str, list[str]]:
    partner = told.get(view.seat.partner, Heard())
    mine = hcp(view.hand)
    reasons = [*_together(mine, partner, decision.call), *_fits(view, partner)]
    if partner.forcing and partner.last is not None:
        reasons.append(f"Partner's {partner.last} is forcing: you may not pass.")
    said, *more = _PLACE.sub("", decision.why).split("; ")
    silent = all(c.ascii == "Pass" for c in view.auction.calls_of(view.seat))
    plain = _SILENT if silent and said in _NO_MORE else _GENERIC.get(said, "")
    if plain:
        reasons.append(plain)
    if not _adds_up(partner) and (partner.last is None or len(reasons) <= bool(plain)):
        reasons.insert(0, _hand_words(view))
    if said and not plain and said != decision.meaning.words:
        reasons.append(sentence(said))
    reasons += [sentence(part) for part in more]
    return _bidding_nudge(view, partner, mine), reasons


def _bidding_nudge(view: View, partner: Heard, mine: int) -> str:
    if partner.forcing and partner.last is not None:
        return f"Partner's {partner.last} is forcing. What can you tell partner next?"
    if _preempted(partner) is not None:
        return "Partner has few points and a long suit. How many tricks do your two hands take?"
    if _telling(partner) and partner.last is not None and partner.last.is_bid:
        shown = _span(partner.hcp)
        return f"You have {mine} points, partner shows {shown}. How high should your side be?"
    sides = {view.auction.seat_of(i).side for i, c in enumerate(view.auction.calls) if c.is_bid}
    if sides and view.seat.side not in sides:
        return "They have bid. Have you the suit, the shape or the points to come in?"
    bidder = view.auction.last_bidder
    if bidder is not None and bidder.side != view.seat.side:
        return "They have gone on. Should you bid more, double or let them play?"
    if sides:
        return "What does partner not know about your hand yet?"
    return "Nobody has bid. Is your hand strong enough to open, and which suit is longest?"


def _together(mine: int, partner: Heard, call: Call) -> Iterator[str]:
    """The points of both hands, where partner has told his; beside a pre-empt they tell little."""
    if (suit := _preempted(partner)) is not None:
        shown = f"at least {_WORDS[partner.lengths[suit][0]]} {SUIT_WORDS[suit]} and few points"
        yield f"Partner shows {shown}: count tricks, not points."
        return
    if not _telling(partner):
        return
    low, high = mine + partner.hcp[0], min(40, mine + partner.hcp[1])
    if low >= _SLAM:
        verdict = "enough for a slam"
    elif high >= _SLAM and low >= _GAME:
        verdict = "game for certain, perhaps a slam"
    elif low >= _GAME:
        verdict = "enough for game, not for a slam"
    elif high >= _GAME:
        verdict = "game only if partner has the upper part"
    else:
        verdict = "not enough for game"
    if high < _GAME and _is_game(call):  # it bids one all the same, for shape or to take their room
        verdict = "few for a game: here shape counts for more"
    elif high < _SLAM and _above_game(call):
        verdict = "few for a slam: it takes a fit and controls"
    shown = f"You have {mine} points and partner shows {_span(partner.hcp)}"
    yield f"{shown}: {_span((low, high), 40)} together, {verdict}."


def _preempted(partner: Heard) -> int | None:
    """The suit of partner's pre-empt, if partner has made one."""
    longest = max((3, 2, 1, 0), key=lambda suit: partner.lengths[suit][0])
    weak = partner.last is not None and partner.hcp[1] <= _WEAK
    return longest if weak and partner.lengths[longest][0] >= _LONG else None


def _adds_up(partner: Heard) -> bool:
    return _telling(partner) or _preempted(partner) is not None


def _above_game(call: Call) -> bool:
    """A slam, or a call that looks for one."""
    return call.is_bid and (call.level > 5 or call.ascii in ("4NT", "5H", "5S", "5NT"))


def _is_game(call: Call) -> bool:
    return call.is_bid and call.level >= (3 if call.strain == 4 else 5 if call.strain < 2 else 4)


def _telling(partner: Heard) -> bool:
    """Are partner's points known well enough to add them up?"""
    low, high = partner.hcp
    return partner.last is not None and (high - low <= _WIDE or low >= _STRONG)


def _fits(view: View, partner: Heard) -> Iterator[str]:
    for suit in (3, 2, 1, 0):
        own, shown = view.hand.lengths[suit], partner.lengths[suit][0]
        if shown >= 3 and own + shown >= _FIT:
            count = _WORDS[min(13, own + shown)]
            yield f"Together you have at least {count} {SUIT_WORDS[suit]}."
            return


def _hand_words(view: View) -> str:
    lengths = view.hand.lengths
    return f"You have {hcp(view.hand)} points, {'–'.join(str(n) for n in lengths[::-1])}."


def _span(r: Range, top: int = 23) -> str:
    return str(r[0]) if r[0] == r[1] else f"{r[0]}+" if r[1] >= top else f"{r[0]}–{r[1]}"


# ---------------------------------------------------------------- cards


def _playing(view: View, decision: Decision) -> tuple[str, list[str]]:
    at = situation(view)
    parts = [p for p in decision.why.split("; ") if p]
    suit = decision.action.suit if isinstance(decision.action, Card) else 0
    reasons = [*counts(view, int(suit))][:2]
    reasons += [spoken(p) for p in parts]
    if not reasons:
        reasons = ["All your cards here are worth the same."]
    if any(p.startswith(("the only card", "all these cards")) for p in parts):
        return "You cannot go wrong here.", reasons
    return f"{_need(at)} {_question(view, parts)}", reasons


def _question(view: View, parts: list[str]) -> str:
    for starts, question in _QUESTIONS:
        if any(p.startswith(starts) for p in parts):
            return question
    play = view.play
    assert play is not None
    if not play.cards:
        return "What did the auction tell: who has the points, and which suits were not bid?"
    if not play.trick.cards:
        return "Which suit can give you a trick that you do not have yet?"
    return "Who is winning this trick, and is there anything to gain by a higher card?"


def _need(at: Situation) -> str:
    """How many tricks are missing, and how many are certain."""
    need = at.target
    if need > at.left:
        return "The contract's fate is settled; save what you can."
    if need <= 0:
        return "The contract's fate is settled; every further trick still counts."
    wanted = f"{_WORDS[need]} more trick{'s' if need > 1 else ''}"
    if not at.declaring:
        return f"You need {wanted} to beat it."
    if at.trick or at.view.dummy is None:
        return f"You need {wanted}."
    tops, _ = sure_tricks(at)
    if tops >= need:
        return (
            f"You need {wanted} and have {_WORDS[min(13, tops)]} on top: it is safe. Look for more."
        )
    return f"You need {wanted} and have {_WORDS[tops] if tops else 'none'} on top."


def counts(view: View, first: int) -> Iterator[str]:
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
        for one, other in (hidden, hidden[::-1]):
            length = shown_out.get((one, suit))
            if length is not None and out - length > 0 and (other, suit) not in shown_out:
                began = f"{other} began with {_WORDS[out - length]}"
                yield f"{one} has no more {SUIT_WORDS[suit]}, so {began}."
                break
            least = told.get((one, suit), 0)
            if length is None and least >= 5 and 0 <= out - least <= 1:
                rest = "none" if out == least else "at most one"
                yield f"{one} promised {_WORDS[least]} {SUIT_WORDS[suit]}, so {other} has {rest}."
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
