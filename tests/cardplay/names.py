"""The rules of every name that is given to a card: what must be true of the trick, all cards seen.

A rule is a sentence a teacher would hold the name to. It knows the whole deal, which the player
did not: a name may rest on what the player could see, but may not be false.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from overtrick.game import DECK, Board, Card, Decision, Play, Seat
from overtrick.game.cards import SUIT_BITS
from overtrick.game.reasons import (
    Coup,
    Deed,
    Does,
    Finesse,
    KnownLengths,
    LeadKind,
    LedFrom,
    Reason,
    SafeLoss,
    Says,
    Signal,
)
from overtrick.table import TableState

JACK, TEN, QUEEN = 9, 8, 10


@dataclass(frozen=True)
class Moment:
    """One card of a board: the four hands before it, and the trick it goes to."""

    board: Board
    play: Play  # before the card
    card: Card
    after: tuple[Card, ...]  # the rest of its trick, as it was played

    @property
    def seat(self) -> Seat:
        return self.play.turn

    @property
    def trick(self) -> tuple[Card, ...]:
        return self.play.trick.cards

    @property
    def strain(self) -> int:
        return int(self.play.strain)

    @property
    def declaring(self) -> bool:
        return self.seat.side == self.play.declarer.side

    def held(self, seat: Seat, suit: int) -> list[int]:
        """Ranks of a suit in a hand before this card, low to high."""
        bits = self.board.deal[seat].bits & ~self.play.state.played
        held = bits >> 13 * suit & SUIT_BITS
        return [r for r in range(13) if held >> r & 1]

    def top(self, seat: Seat, suit: int) -> int:
        return max(self.held(seat, suit), default=-1)

    def theirs(self, suit: int) -> list[int]:
        """Ranks in the opponents' hands."""
        return sorted(self.held(self.seat.lho, suit) + self.held(self.seat.rho, suit))

    @property
    def partner(self) -> Seat:
        return self.seat.partner

    @property
    def holder(self) -> Seat:
        """Who is winning the trick."""
        return self.play.trick.winner(self.play.strain)

    def beats(self, card: Card) -> bool:
        cards = (*self.trick, card)
        return self.play.trick._replace(cards=cards).winner(self.play.strain) == self.seat

    @property
    def wins_so_far(self) -> bool:
        return self.beats(self.card)

    @property
    def takes_the_trick(self) -> bool:
        cards = (*self.trick, self.card, *self.after)
        return self.play.trick._replace(cards=cards).winner(self.play.strain) == self.seat

    @property
    def could_win(self) -> bool:
        suit = self.trick[0].suit
        held = [DECK[13 * suit + r] for r in self.held(self.seat, suit)]
        return any(self.beats(c) for c in held)

    @property
    def follows(self) -> bool:
        return bool(self.trick) and self.card.suit == self.trick[0].suit

    def led_by_us(self, suit: int) -> list[Seat]:
        """Who of our side led the suit before, in order."""
        side = self.seat.side
        done = [t for t in self.play.tricks() if t.cards and t.leader.side == side]
        return [t.leader for t in done if t.cards[0].suit == suit and t.cards != self.trick]


def moments(state: TableState) -> Iterator[tuple[Moment, Decision]]:
    """Every card of a board that was played out, with its decision."""
    assert state.play is not None
    assert state.contract is not None
    play, cards = Play.of(state.contract), state.play.cards
    decisions = [entry.decision for entry in state.log[len(state.auction) :]]
    for index, (card, decision) in enumerate(zip(cards, decisions, strict=True)):
        end = 4 * (index // 4) + 4
        yield Moment(state.board, play, card, cards[index + 1 : end]), decision
        play = play.then(card)


Rule = Callable[[Moment, Does], bool]


def _ruffs(m: Moment) -> bool:
    no_more = not m.held(m.seat, m.trick[0].suit)
    return bool(m.trick) and m.card.suit == m.strain != m.trick[0].suit and no_more


def _their_trump(m: Moment) -> Card | None:
    """The best trump of theirs on a trick of another suit."""
    leader = m.play.trick.leader
    trumps = [
        c for i, c in enumerate(m.trick)
        if c.suit == m.strain and leader.plus(i).side != m.seat.side
    ]  # fmt: skip
    return max(trumps, default=None)


def _cannot_be_won_by_us(m: Moment) -> bool:
    """They have a card of the suit above all of ours."""
    suit = m.card.suit
    ours = max(m.card.rank, m.top(m.partner, suit))
    return max(m.theirs(suit), default=-1) > ours


def _discard(m: Moment) -> bool:
    return bool(m.trick) and not m.follows and m.card.suit != m.strain


def _loser(m: Moment) -> bool:
    """They can beat it, and our top cards in its suit do not cover the hand's length."""
    suit = m.card.suit
    best = max(m.theirs(suit), default=-1)
    tops = [r for s in (m.seat, m.partner) for r in m.held(s, suit) if r > best]
    mine, other = len(m.held(m.seat, suit)), len(m.held(m.partner, suit))
    ruffed = m.strain < 4 and m.held(m.partner, m.strain) and other < mine
    return best > m.card.rank and mine > len(tops) and not ruffed


def _declined(m: Moment) -> bool:
    return m.follows and not m.wins_so_far and m.could_win and m.holder.side != m.seat.side


def _ducks_after_partner(m: Moment) -> bool:
    """Third hand plays low on a low card of the other hand, which they can beat."""
    low = len(m.trick) == 2 and m.holder == m.partner and m.trick[0].rank < TEN - 1
    return low and m.declaring and not m.wins_so_far and m.could_win


def _holds_up(m: Moment, d: Does) -> bool:
    assert d.card is not None
    suit = m.card.suit
    everybody = [r for s in Seat for r in m.held(s, suit)]
    mine = d.card.suit == suit and d.card.rank in m.held(m.seat, suit)
    return _declined(m) and mine and d.card.rank == max(everybody)


def _puts_up(m: Moment, d: Does) -> bool:
    later = [m.seat.plus(i) for i in range(1, 4 - len(m.trick))]
    others = [s for s in later if s.side != m.seat.side]
    return m.follows and m.wins_so_far and all(m.top(s, m.card.suit) < m.card.rank for s in others)


def _drives_out(m: Moment, d: Does) -> bool:
    assert d.card is not None
    suit = m.card.suit
    ours = m.held(m.seat, suit) + m.held(m.partner, suit)
    theirs = m.theirs(suit)
    if not m.declaring or m.trick or d.card.suit != suit or theirs[-1] != d.card.rank:
        return False
    ours.remove(m.card.rank)
    return len([r for r in theirs if r > max([*ours, m.card.rank])]) == 1 and bool(
        ours and max(ours) > max(theirs[:-1], default=-1)
    )


def _towards(m: Moment, d: Does) -> bool:
    assert d.card is not None
    there = d.card.rank in m.held(m.partner, m.card.suit) and d.card.suit == m.card.suit
    return not m.trick and there and d.card > m.card


def _for_a_finesse(m: Moment, d: Does) -> bool:
    assert d.card is not None
    suit = m.card.suit
    out = d.card.suit == suit and d.card.rank in m.theirs(suit)
    return not m.trick and out and m.card < d.card and m.top(m.partner, suit) > d.card.rank


def _lets_run(m: Moment, d: Does) -> bool:
    mine = len(m.trick) == 2 and m.trick[0] == d.card and m.holder == m.partner
    return mine and m.follows and not m.wins_so_far and m.trick[0].rank >= TEN - 1


def _drop(m: Moment, d: Does) -> bool:
    assert d.card is not None
    suit = m.card.suit
    under = [r for r in m.held(m.seat, suit) if r < d.card.rank]
    lower = any(m.beats(DECK[13 * suit + r]) for r in under)
    return m.wins_so_far and d.card.rank in m.theirs(suit) and d.card < m.card and lower


def _prepares(m: Moment, d: Does) -> bool:
    suit = m.card.suit
    for short, long in ((m.seat, m.partner), (m.partner, m.seat)):
        one, more = len(m.held(short, suit)) == 1, len(m.held(long, suit)) > 1
        if one and more and m.held(short, m.strain):
            return not m.trick and suit != m.strain and _cannot_be_won_by_us(m)
    return False


def _partner_void(m: Moment) -> bool:
    return not m.held(m.partner, m.card.suit) and m.card.suit != m.strain


def _keeps(m: Moment, d: Does) -> bool:
    assert d.card is not None
    there = d.card.rank in m.held(m.partner, d.card.suit) and d.card.suit == m.card.suit
    back = len(m.held(m.seat, d.card.suit)) > 1
    return m.wins_so_far and there and back and d.card.rank > max(m.theirs(d.card.suit), default=-1)


def _covers(m: Moment, d: Does) -> bool:
    led = m.trick[0]
    higher = [r for s in Seat for r in m.held(s, led.suit) if r > m.card.rank]
    honours = led.rank >= TEN and m.card.rank >= JACK
    return len(m.trick) == 1 and d.card == led and honours and m.wins_so_far and bool(higher)


def _high(m: Moment, d: Does) -> bool:
    """An honour that wins so far, and no higher one in the hand but those that touch it."""
    suit = m.card.suit
    out = [r for s in Seat if s != m.seat for r in m.held(s, suit)] + [
        c.rank for c in m.trick if c.suit == suit
    ]
    above = [r for r in m.held(m.seat, suit) if r > m.card.rank]
    touching = all(not any(m.card.rank < x < r for x in out) for r in above)
    place = {Deed.SECOND_HIGH: 1, Deed.THIRD_HIGH: 2}[d.deed]
    return len(m.trick) == place and m.wins_so_far and m.card.rank >= TEN and touching


def _inserts(m: Moment, d: Does) -> bool:
    assert d.card is not None
    dummy = m.held(m.play.dummy, m.card.suit)
    between = any(m.card.rank < r < d.card.rank for r in dummy)
    third = len(m.trick) == 2 and m.seat.rho == m.play.dummy
    return third and d.card.rank in m.held(m.seat, m.card.suit) and m.wins_so_far and between


def _overtakes(m: Moment, d: Does) -> bool:
    return m.holder == m.partner and d.card == m.trick[-2] and m.wins_so_far and m.follows


def _last_led_by_us(m: Moment) -> int | None:
    done = [t for t in m.play.tricks() if t.cards and t.leader.side == m.seat.side]
    return int(done[-1].cards[0].suit) if done else None


def _goes_on(m: Moment, d: Does) -> bool:
    return not m.trick and d.suit == m.card.suit == _last_led_by_us(m)


def _comes_back(m: Moment, d: Does) -> bool:
    return not m.trick and d.suit == m.card.suit and bool(m.led_by_us(m.card.suit))


def _theirs(m: Moment, d: Does) -> bool:
    led = [t.cards[0].suit for t in m.play.tricks() if t.cards]
    return not m.trick and d.suit == m.card.suit in led and not m.led_by_us(m.card.suit)


def _switches(m: Moment, d: Does) -> bool:
    led = [t.cards[0].suit for t in m.play.tricks() if t.cards]
    return not m.trick and d.suit == m.card.suit and m.card.suit not in led and bool(led)


def _can_ruff(seat: Callable[[Moment], Seat]) -> Rule:
    return lambda m, d: not m.trick and not m.held(seat(m), m.card.suit) and m.card.suit != m.strain


def _sets_up(m: Moment, d: Does) -> bool:
    length = max(len(m.held(s, m.card.suit)) for s in (m.seat, m.partner)) - 1
    return not m.trick and _cannot_be_won_by_us(m) and length >= 1


RULES: Final[dict[Deed, Rule]] = {
    Deed.DRAWS_TRUMPS: lambda m, d: m.card.suit == m.strain and bool(m.theirs(m.strain)),
    Deed.CASHES: lambda m, d: not m.trick and m.card.rank > max(m.theirs(m.card.suit), default=-1),
    Deed.LEADS_FOR_A_RUFF: lambda m, d: (
        not m.trick and _partner_void(m) and bool(m.held(m.partner, m.strain))
    ),
    Deed.LEADS_TOWARDS: _towards,
    Deed.LEADS_FOR_A_FINESSE: _for_a_finesse,
    Deed.DRIVES_OUT: _drives_out,
    Deed.PREPARES_A_RUFF: _prepares,
    Deed.SETS_UP: _sets_up,
    Deed.GIVES_UP_THE_LEAD: lambda m, d: not m.trick and _cannot_be_won_by_us(m),
    Deed.WINS: lambda m, d: m.takes_the_trick,
    Deed.PUTS_UP: _puts_up,
    Deed.KEEPS_AN_ENTRY: _keeps,
    Deed.OVERTAKES: _overtakes,
    Deed.THROWS_A_LOSER: lambda m, d: _discard(m) and _loser(m) and m.holder == m.partner,
    Deed.LOSER_ON_LOSER: lambda m, d: (
        _discard(m)
        and _loser(m)
        and m.holder.side != m.seat.side
        and m.strain < 4
        and bool(m.held(m.seat, m.strain))
    ),
    Deed.THROWS: lambda m, d: _discard(m),
    Deed.RUFFS: lambda m, d: _ruffs(m) and _their_trump(m) is None,
    Deed.OVERRUFFS: lambda m, d: _ruffs(m) and _their_trump(m) == d.card and m.card > d.card,
    Deed.UNDERRUFFS: lambda m, d: (
        _ruffs(m) and max(c for c in m.trick if c.suit == m.strain) > m.card
    ),
    Deed.PLAYS_FOR_THE_DROP: _drop,
    Deed.HOLDS_UP: _holds_up,
    Deed.DUCKS: lambda m, d: _declined(m) or _ducks_after_partner(m),
    Deed.PLAYS_LOW: lambda m, d: _declined(m) and len(m.trick) == 1,
    Deed.LETS_RUN: _lets_run,
    Deed.COVERS: _covers,
    Deed.SECOND_LOW: lambda m, d: _declined(m) and len(m.trick) == 1,
    Deed.THIRD_LOW: lambda m, d: _declined(m) and len(m.trick) == 2,
    Deed.SECOND_HIGH: _high,
    Deed.THIRD_HIGH: _high,
    Deed.INSERTS: _inserts,
    Deed.LEADS_A_TRUMP: lambda m, d: not m.trick and m.card.suit == m.strain,
    Deed.GIVES_A_RUFF: lambda m, d: not m.trick and _partner_void(m),
    Deed.DUMMY_CAN_RUFF: _can_ruff(lambda m: m.play.dummy),
    Deed.DECLARER_CAN_RUFF: _can_ruff(lambda m: m.play.declarer),
    Deed.RETURNS: lambda m, d: not m.trick and set(m.led_by_us(m.card.suit)) == {m.partner},
    Deed.GOES_ON: _goes_on,
    Deed.COMES_BACK: _comes_back,
    Deed.LEADS_THEIRS: _theirs,
    Deed.SWITCHES: _switches,
}


def _finesse(m: Moment, f: Finesse) -> bool:
    suit = m.card.suit
    higher = any(r > f.against.rank for r in m.held(m.seat, suit))
    out = f.against.suit == suit and f.against.rank in m.theirs(suit)
    behind = m.card < f.against and f.seat == m.seat.rho
    certain = f.chance < 1 or f.against.rank in m.held(f.seat, suit)
    return m.follows and m.wins_so_far and higher and out and behind and certain


def _safe(m: Moment, s: SafeLoss) -> bool:
    last = s.seat == m.seat.lho
    return last and not m.held(s.seat, s.suit) and len(m.held(m.seat.rho, s.suit)) > 1


def _known(m: Moment, k: KnownLengths) -> bool:
    return (len(m.held(k.seat, k.suit)), len(m.held(k.other, k.suit))) == (k.length, k.rest)


def _signal(m: Moment, s: Signal) -> bool:
    """A small card, one of several, in a hand that is not finished; and what it says is so."""
    suit = m.card.suit
    held = m.held(m.seat, suit)
    if s.says is Says.NOTHING:
        return len(held) == 2 and held[1] == held[0] + 1
    finished = 13 - m.play.tricks_played <= 2
    ruff = bool(m.trick) and not m.follows and suit == m.strain
    if finished or ruff or m.declaring or len([r for r in held if r <= TEN or not m.trick]) < 2:
        return False
    if s.says in (Says.EVEN, Says.ODD, Says.TRUMPS_EVEN, Says.TRUMPS_ODD):
        return (len(held) % 2 == 0) == (s.says in (Says.EVEN, Says.TRUMPS_EVEN)) and m.follows
    if s.says is Says.ASKS_FOR:
        others = [x for x in range(4) if x not in (suit, m.strain)]
        return s.suit in others and m.top(m.seat, s.suit) >= min(m.top(m.seat, x) for x in others)
    if m.follows and (m.takes_the_trick or m.play.trick.leader != m.partner):
        return False
    ruffs_third = m.follows and len(held) == 2 and m.strain < 4
    if s.says in (Says.ENCOURAGING, Says.ENCOURAGING_ODD):
        return held[-1] >= QUEEN or ruffs_third
    return held[-1] < QUEEN


def _led_from(m: Moment, led: LedFrom) -> bool:
    held = m.held(m.seat, m.card.suit)[::-1]
    place, count, ace = held.index(m.card.rank), len(held), m.card.rank == 12
    touches = place + 1 < count and held[place + 1] == held[place] - 1
    if led.partners and len(m.held(m.partner, m.card.suit)) < 3:
        return False
    return {
        LeadKind.SEQUENCE: place == 0 and touches,
        LeadKind.INSIDE: place > 0 and touches and held[place - 1] > held[place] + 1,
        LeadKind.SINGLETON: count == 1,
        LeadKind.DOUBLETON: count == 2 and place == 0,
        LeadKind.ACE: ace and count > 2,
        LeadKind.FOURTH: place == 3,
        LeadKind.THIRD: place == 2 and count > 3,
        LeadKind.FIFTH: place == 4,
        LeadKind.HONOUR: place > 0 and held[0] > TEN,
        LeadKind.SECOND: place == 1 and held[0] <= TEN,
        LeadKind.NOTHING: place == 0 and not ace and count > 2,
    }[led.kind]


def _coup(m: Moment, coup: Coup) -> bool:
    """The cards a line speaks of are where it can speak of them."""
    hands = [m.seat, m.partner] if m.declaring else [m.seat, m.play.dummy, m.play.trick.leader]
    everywhere = {DECK[13 * s + r] for seat in Seat for s in range(4) for r in m.held(seat, s)}
    if any(c not in everywhere and c not in m.trick for c in coup.cards):
        return False
    if coup.way in ("holds-up", "lets-them-have-it", "lets-it-go-once"):
        return m.could_win and not m.wins_so_far
    if coup.way in ("finesses-with", "wins-at-once", "wins-now", "wins-and-keeps-the-lower"):
        return m.wins_so_far
    if coup.way == "covers-with":
        return coup.cards[1] == m.card and m.card > coup.cards[0]
    return bool(hands)


def false_names(moment: Moment, reasons: tuple[Reason, ...]) -> list[Reason]:
    """The reasons that this card does not bear out."""
    return [reason for reason in reasons if not _true(moment, reason)]


def _true(m: Moment, reason: Reason) -> bool:
    match reason:
        case Does():
            return RULES[reason.deed](m, reason)
        case Finesse():
            return _finesse(m, reason)
        case SafeLoss():
            return _safe(m, reason)
        case KnownLengths():
            return _known(m, reason)
        case Signal():
            return _signal(m, reason)
        case LedFrom():
            return _led_from(m, reason)
        case Coup():
            return _coup(m, reason)
    return True
