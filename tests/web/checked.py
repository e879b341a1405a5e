"""The rules of the coach's sentences, written down once more: each looks at the cards, all four
hands, and says what is wrong with a sentence that was told there. A sentence without a rule here is
named by `unchecked`, so that none is added without thought."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, Final

from overtrick.game import PASS, Board, Card, Decision, Play, Seat, View
from overtrick.web.coaching import HeardFrom
from overtrick.web.opinions import Advice
from overtrick.web.sentences import SENTENCES, Sentence

_SUITS: Final = {"clubs": 0, "diamonds": 1, "hearts": 2, "spades": 3}
_WORDS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
                 "ten", "eleven", "twelve", "thirteen")  # fmt: skip
_SYMBOLS: Final = "♣♦♥♠"


class Scene:
    """What is true at a decision."""

    def __init__(
        self, board: Board, view: View, made: Decision, told: dict[Seat, HeardFrom], advice: Advice
    ) -> None:
        self.board, self.view, self.made, self.told, self.advice = board, view, made, told, advice
        self.play: Play | None = view.play

    @property
    def card(self) -> Card:
        return self.made.card

    @property
    def trick(self) -> tuple[Card, ...]:
        assert self.play is not None
        return self.play.trick.cards

    @property
    def turn(self) -> Seat:
        assert self.play is not None
        return self.play.turn

    @property
    def trumps(self) -> int:
        assert self.play is not None
        return int(self.play.strain)

    def held(self, seat: Seat, suit: int | None = None) -> list[Card]:
        """What a hand still has."""
        assert self.play is not None
        gone = {int(c) for c in self.play.cards}
        return [
            c
            for c in self.board.deal[seat]
            if int(c) not in gone and (suit is None or c.suit == suit)
        ]

    def hidden(self) -> list[Card]:
        return [c for s in Seat if s not in self.view.known for c in self.held(s)]

    def above(self, card: Card) -> list[Card]:
        """The unseen cards that beat it in its suit."""
        return [c for c in self.hidden() if c.suit == card.suit and c > card]

    def winner(self) -> Seat:
        assert self.play is not None
        return self.play.trick.winner(self.play.strain)

    def beats(self, card: Card) -> bool:
        assert self.play is not None
        trick = self.play.trick
        return trick._replace(cards=(*trick.cards, card)).winner(self.play.strain) == self.turn

    @property
    def declaring(self) -> bool:
        contract = self.view.contract
        return contract is not None and contract.declarer == self.view.seat


Args = dict[str, Any]
Rule = Callable[[Scene, Args], bool]


def _card(args: Args, name: str = "card") -> Card:
    text = str(args[name])
    return Card(12 - "AKQJT98765432".index(text[1:]) + 13 * _SYMBOLS.index(text[0]))


def _suits(args: Args) -> list[int]:
    return [_SUITS[word] for word in args["suits"]]


def _number(word: object) -> int:
    return word if isinstance(word, int) else _WORDS.index(str(word))


def _missing(at: Scene) -> int:
    """Tricks the side on turn still needs."""
    assert at.play is not None
    contract = at.view.contract
    assert contract is not None
    goal = contract.target if at.declaring else 14 - contract.target
    return goal - at.play.tricks_won(at.turn.side)


def _left(at: Scene) -> int:
    assert at.play is not None
    return 13 - at.play.tricks_played


def _needs(at: Scene, args: Args) -> bool:
    """The number that is said, which is also not more than can be won."""
    wanted = _number(args.get("tricks", 1))
    return _missing(at) == wanted <= _left(at)


def _safe(at: Scene, args: Args) -> bool:
    return _needs(at, args) and _number(args["tops"]) >= _missing(at)


def _none_on_top(at: Scene, args: Args) -> bool:
    """No card of either hand is above all of theirs in its suit."""
    ours = [c for s in (at.turn, at.turn.partner) for c in at.held(s)]
    return _needs(at, args) and all(at.above(c) for c in ours)


def _on_top(at: Scene, args: Args) -> bool:
    if "tops" not in args or not _number(args["tops"]):
        return _none_on_top(at, args)
    return _needs(at, args) and _number(args["tops"]) < _missing(at)


def _voided(at: Scene, args: Args) -> bool:
    """Somebody has no more of a suit, and the other began with so many."""
    suit = _SUITS[args["suit"]]
    other = at.board.deal[Seat.parse(args["other"])]
    return not at.held(Seat.parse(args["seat"]), suit) and other.lengths[suit] == _number(
        args["length"]
    )


def _ruffs(at: Scene, _: Args) -> bool:
    led = at.trick[0].suit
    return at.card.suit == at.trumps != led and not at.held(at.turn, led)


def _throws(at: Scene, _: Args) -> bool:
    led = at.trick[0].suit
    return not at.held(at.turn, led) and at.card.suit not in (led, at.trumps)


def _leads(at: Scene) -> bool:
    return not at.trick


def _towards(at: Scene, args: Args) -> bool:
    """Partner holds the honour, and a card is out that could still beat it."""
    card = _card(args)
    held = card in at.held(at.turn.partner)
    return _leads(at) and held and card > at.card and bool(at.above(card))


def _crosses(at: Scene, args: Args) -> bool:
    card = _card(args)
    return _leads(at) and card in at.held(at.turn.partner) and not at.above(card)


def _bound(at: Scene, args: Args) -> bool:
    """Partner's call stands, the opponents have passed over it, and the answer is no pass."""
    calls = at.view.auction.calls
    last = len(calls) > 1 and str(calls[-2]) == str(args["call"])
    return last and calls[-1] == PASS != at.made.call


def _both(at: Scene, args: Args) -> bool:
    """Points that were added up right."""
    low, high = (_span(args["shown"])[i] + int(args["mine"]) for i in (0, 1))
    both = _span(args["both"])
    return _mine(at, args) and both[0] == low and (both[1] == min(40, high) or both[1] == 40)


def _mine(at: Scene, args: Args) -> bool:
    key = "mine" if "mine" in args else "points"
    return int(args[key]) == sum(max(0, c.rank - 8) for c in at.view.hand)


def _span(text: object) -> tuple[int, int]:
    found = [int(n) for n in re.findall(r"\d+", str(text))]
    return found[0], 40 if str(text).endswith("+") else found[-1]


def _fit(at: Scene, args: Args) -> bool:
    suit = _SUITS[args["suit"]]
    shown = at.told.get(at.view.seat.partner, HeardFrom()).lengths[suit][0]
    return min(13, at.view.hand.lengths[suit] + shown) == _number(args["cards"])


def _nobody_bid(at: Scene, _: Args) -> bool:
    return not any(c.is_bid for c in at.view.auction.calls)


def _theirs(at: Scene, count: int) -> bool:
    """So many of them have bid, and nobody of ours."""
    auction = at.view.auction
    bid = {auction.seat_of(i) for i, c in enumerate(auction.calls) if c.is_bid}
    ours = any(s.side == at.view.seat.side for s in bid)
    return not ours and len(bid) == count


def _ours(at: Scene, args: Args) -> bool:
    return at.winner() == at.turn.partner and _card(args) in at.trick


def _beaten(at: Scene, args: Args) -> bool:
    can = any(at.beats(c) for c in at.view.legal_cards())
    return not can and _card(args) in at.trick and at.winner().side != at.turn.side


def _beatable(at: Scene, args: Args) -> bool:
    can = any(at.beats(c) for c in at.view.legal_cards())
    return can and _card(args) in at.trick and at.winner() != at.turn.partner


def _equal(at: Scene) -> bool:
    return any(s.id == "all-equal" for s in (*at.advice.reasons, *at.advice.late))


def _always(at: Scene, args: Args) -> bool:
    return True


RULES: Final[dict[str, Rule]] = {
    # calls
    "forced": _bound,
    "ask.forced": _bound,
    "hand": _mine,
    "fit": _fit,
    "together": _both,
    "ask.how-high": _mine,
    "no-opening": lambda at, a: _nobody_bid(at, a) and at.made.call == PASS,
    "ask.open": _nobody_bid,
    "ask.come-in": lambda at, _: _theirs(at, 1),
    "ask.late": lambda at, _: _theirs(at, 2),
    # tricks that are missing
    "need.lost": lambda at, _: _missing(at) > _left(at),
    "need.done": lambda at, _: _missing(at) <= 0,
    "need.beat": lambda at, a: _needs(at, a) and not at.declaring,
    "need": lambda at, a: _needs(at, a) and at.declaring,
    "need.safe": _safe,
    "need.enough": _safe,
    "need.tops": _on_top,
    "need.no-tops": _none_on_top,
    # what is certain
    "shown-out": _voided,
    "only-card": lambda at, _: len(at.view.legal_cards()) == 1,
    # what the card does
    "does.ruffs": _ruffs,
    "does.overruffs": _ruffs,
    "does.underruffs": _ruffs,
    "does.throws": _throws,
    "does.throws-a-loser": _throws,
    "does.loser-on-loser": _throws,
    "does.draws-trumps": lambda at, _: _leads(at) and at.card.suit == at.trumps,
    "does.leads-a-trump": lambda at, _: _leads(at) and at.card.suit == at.trumps,
    "does.cashes": lambda at, _: _leads(at) and not at.above(at.card),
    "does.wins": lambda at, _: at.beats(at.card),
    "does.leads-towards": _towards,
    "does.crosses": _crosses,
    "finesse": lambda at, a: _card(a, "against") in at.hidden(),
    # questions about a card
    "ask.discard": lambda at, _: not at.held(at.turn, at.trick[0].suit),
    "ask.ruff": lambda at, _: at.trumps < 4,
    "ask.trumps": lambda at, _: at.trumps < 4,
    "ask.signal": lambda at, _: not at.declaring,
    "ask.nothing": lambda at, _: len(at.view.legal_cards()) == 1 or _equal(at),
    "ask.ours": _ours,
    "ask.beaten": _beaten,
    "ask.last": lambda at, a: _beatable(at, a) and len(at.trick) == 3,
    "ask.high": lambda at, a: _beatable(at, a) and len(at.trick) < 3,
    "ask.weak": lambda at, a: all(
        c.rank < 10 for s in _suits(a) for c in at.held(at.view.contract.dummy, s)  # type: ignore[union-attr]
    ),
    "ask.unbid": lambda at, a: not {int(c.strain) for c in at.view.auction.calls if c.is_bid}
    & set(_suits(a)),
    "ask.order": lambda at, _: _leads(at) and at.declaring,
    "ask.develop": lambda at, _: _leads(at) and at.declaring,
    "ask.go-on": lambda at, _: _leads(at) and not at.declaring,
}  # fmt: skip
"""What has to be so where a sentence is told, by its id or the beginning of it."""

FREE: Final = (
    "said", "agreed", "pre-empt", "promised", "fate", "otherwise", "other-tricks", "fewer-tricks",
    "little-better", "as-good", "signal", "led-from", "asked-for", "usual-lead",
    "safe-loss", "known-lengths", "all-equal", "highest",
    "as-planned", "solved", "best-blind", "blind", "planned", "coup", "ends", "costs",
    "departs", "makes-up", "departed-before",
    "gains", "agrees", "untried", "best-", "too-few-worlds", "unexplained", "not-legal", "learned",
    "network-bids", "policy-bids", "probability", "cost-estimate", "least-cost", "takes-over",
    "lesson", "needs", "no-", "only-legal", "led-by-rule", "played-by-rule", "cut-short",
    "too-weak", "only-call", "outside", "dominated", "model-ends", "keeps-the-chance", "silent",
    "told-all", "place", "does", "ask",
)  # fmt: skip
"""Figures of the engine's own and questions that fit where their reason does."""


def rule(name: str) -> Rule | None:
    """The rule of a sentence: that of the longest beginning of its id."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        found = RULES.get(".".join(parts[:length]))
        if found is not None:
            return found
    return None


def unchecked() -> list[str]:
    """Sentences that have neither a rule nor are free."""
    return [n for n in SENTENCES if rule(n) is None and not n.startswith(FREE)]


def faults(at: Scene) -> Iterator[str]:
    """What is wrong with the sentences of a hint."""
    told = at.advice
    every = (*told.nudge, *told.reasons, *told.late)
    for said in every:
        check = rule(said.id)
        if check is not None and not check(at, said.args):
            yield f"{said.id}: {said.text} ({at.made.action})"
    yield from _together(at, {said.id: said for said in every})


def _together(at: Scene, said: dict[str, Sentence]) -> Iterator[str]:
    """Sentences that exclude each other."""
    if "need.no-tops" in said and "does.cashes" in said:
        yield "none on top, and a winner to take"
    signals = any(s.startswith("signal") for s in said)
    if signals and "all-equal" in said and "ask.nothing" in said:
        yield "nothing can go wrong, and a signal"
    certain = [s for s in said if s.endswith((".sure", ".never")) and s.startswith("fate")]
    if certain and at.made.worlds > 1 and at.made.details.get("complete") is not True:
        yield f"{certain[0]} from {at.made.worlds} deals that are not all"
    if "cut-short" in said:
        yield "the clock is no reason"
