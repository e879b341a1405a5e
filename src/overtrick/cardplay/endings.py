"""Endings solved to the last card over every layout at once; sets of layouts are integers.
One blind side, everybody else sees all cards; the same solver for declarer and for a defender.

Declarer chooses for two hands and both defenders see everything. A defender chooses for one hand:
declarer's side sees everything, and partner, who does too, helps. What the blind side can secure
is a front of vectors, as in `fronts`; here the double-dummy results come from the same tree, all
layouts together, so that no solver is called.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import and_
from typing import Final

from overtrick.cardplay.ending import LOST, PASS, WON, Ending, EndingState, Front
from overtrick.cardplay.vectors import cards_of, covered
from overtrick.engines.clock import Clock, OutOfTime
from overtrick.game.cards import SUIT_BITS
from overtrick.suitplay.search import undominated

_WIDEST: Final = 64
NODES: Final = 400_000
_OFTEN: Final = 100  # nodes between two looks at the clock


After = tuple[tuple["EndingState | int", int], ...]  # where a card leads, in which layouts
Moves = tuple[tuple[int, int], ...]  # a card, and the layouts in which it can be played


class _Place:
    """An `EndingState` as the solver keeps it: what is known of it, and where its cards lead.

    `done` are the layouts solved with all cards seen, `won` those of them that our side wins.
    """

    __slots__ = ("afters", "done", "moves", "ours", "state", "tries", "won")

    def __init__(self, state: EndingState | int, ours: bool, done: int, won: int) -> None:
        self.state, self.ours, self.done, self.won = state, ours, done, won
        self.moves: Moves | None = None
        self.afters: dict[int, tuple[tuple[_Place, int], ...]] = {}
        self.tries: Moves | None = None  # the moves in the order in which a search tries them


@dataclass(slots=True)
class EndingSolver:
    """One ending being solved: its tables and its limit, counted in nodes.

    With `merge`, touching cards of the hidden hands are one observation: which of them is played
    tells nothing, and each hand plays its lower ones first. Without it only cards that lie together
    in one hand in every layout are; that is the proof, and takes longer.
    """

    game: Ending
    weights: Sequence[float] = ()
    merge: bool = False
    most: int = NODES
    clock: Clock | None = None
    resting: tuple[int, ...] = ()  # hidden seats that may keep all cards instead of discarding
    settled: tuple[int, ...] = ()  # what each hidden hand has in every layout
    nodes: int = 0
    every: int = 0
    _vis: dict[int, int] = field(default_factory=dict)
    _side: dict[int, int] = field(default_factory=dict)  # of the hidden seats: 0 and 1
    _class: dict[int, int] = field(default_factory=dict)  # by its lowest card
    _mine: tuple[bool, bool, bool, bool] = (False,) * 4
    _ours: tuple[bool, bool, bool, bool] = (False,) * 4
    _low: list[int] = field(default_factory=list)  # of each class its lowest card
    _size: list[int] = field(default_factory=list)
    _held: list[tuple[list[list[int]], list[list[int]]]] = field(default_factory=list)
    _least: list[tuple[tuple[int, ...], tuple[int, ...]]] = field(default_factory=list)
    _by_suit: list[list[int]] = field(default_factory=lambda: [[], [], [], []])
    _high: list[int] = field(default_factory=list)  # the classes, high ones first
    _higher: dict[tuple[int, int, int], int] = field(default_factory=dict)
    _places: dict[tuple[int, int, int, tuple[int, ...], int, int], _Place] = field(
        default_factory=dict
    )
    _ends: tuple[_Place, ...] = ()  # lost, won
    _fronts: dict[tuple[EndingState, int], Front] = field(default_factory=dict)
    _alive: dict[int, int] = field(default_factory=dict)
    _worth: dict[int, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        game = self.game
        first = game.hands[0]
        self._vis = {s: first[s] for s in game.sighted}
        one, other = game.hidden
        self.every = game.every
        self._ends = _Place(LOST, False, self.every, 0), _Place(WON, True, self.every, self.every)
        self._ours = tuple(self.ours(seat) for seat in range(4))  # type: ignore[assignment]
        self._side = {one: 0, other: 1}
        self._mine = tuple(_chooses(game, seat) for seat in range(4))  # type: ignore[assignment]
        pool = first[one] | first[other]
        apart = first[game.sighted[0]] | first[game.sighted[1]]
        for card in game.trick:
            apart |= 1 << card
        if not self.settled:
            self.settled = tuple(reduce(and_, (row[s] for row in game.hands)) for s in (one, other))
        for cards in _classes(pool, apart, self.merge, self.settled):
            self._class[cards[0]] = len(self._low)
            self._low.append(cards[0])
            self._size.append(len(cards))
            self._by_suit[cards[0] // 13].append(len(self._low) - 1)
            held = tuple(
                [[c for c in cards if row[seat] >> c & 1] for row in game.hands]
                for seat in (one, other)
            )
            self._held.append(held)  # type: ignore[arg-type]
            self._least.append(tuple(_least(rows, len(cards)) for rows in held))  # type: ignore[arg-type]
        self._high = sorted(range(len(self._low)), key=lambda r: -(self._low[r] % 13))
        for classes in self._by_suit:
            classes.reverse()

    @property
    def root(self) -> EndingState:
        game = self.game
        seen = self._vis[game.sighted[0]] | self._vis[game.sighted[1]]
        return EndingState(seen, 0, game.leader, game.trick, game.need, game.left)

    def worth(self, layouts: int) -> float:
        """How likely it is one of these layouts."""
        if not self.weights:
            return layouts.bit_count() / len(self.game.hands)
        known = self._worth.get(layouts)
        if known is None:
            known = self._worth[layouts] = sum(self.weights[w] for w in cards_of(layouts))
        return known

    def chooses(self, seat: int) -> bool:
        """Is the next card the blind side's own choice?"""
        return self._mine[seat]

    def ours(self, seat: int) -> bool:
        return (seat ^ self.game.chooser) & 1 == 0

    # ------------------------------------------------------------ the tree

    def moves(self, state: EndingState) -> Moves:
        """Cards of the hand on turn, one of each that touch, high ones first."""
        return self._moves(self._place(state))

    def after(self, state: EndingState, card: int) -> After:
        """The position after a card; two of them where layouts differ in who wins the trick."""
        return tuple((place.state, where) for place, where in self._leads(state, card))

    def _place(self, state: EndingState) -> _Place:
        found = self._places.get(state)
        if found is None:
            found = self._places[state] = _Place(state, self._ours[state.turn], 0, 0)
        return found

    def _moves(self, place: _Place) -> Moves:
        found = place.moves
        if found is None:
            state = place.state
            assert isinstance(state, EndingState)
            seat = state.turn
            if seat in self._vis:
                pairs = [(c, self.every) for c in self._seen_cards(state, seat)]
                pairs.sort(key=_high_first)
            else:
                pairs = self._hidden_cards(state, seat)
            found = place.moves = tuple(pairs)
        return found

    def _leads(self, state: EndingState, card: int) -> tuple[tuple[_Place, int], ...]:
        place = self._place(state)
        found = place.afters.get(card)
        if found is None:
            found = place.afters[card] = self._next(state, card)
        return found

    def _seen_cards(self, state: EndingState, seat: int) -> list[int]:
        hand = state.seen & self._vis[seat]
        legal = hand
        if state.trick:
            legal = hand & SUIT_BITS << 13 * (state.trick[0] // 13) or hand
        others = state.seen & ~hand | self._remaining(state.gone)
        for card in state.trick:
            others |= 1 << max(card, 0)
        out: list[int] = []
        for card in reversed(cards_of(legal)):
            if out and out[-1] // 13 == card // 13 and not others & (1 << out[-1]) - (2 << card):
                out[-1] = card  # the lowest stands for its group
            else:
                out.append(card)
        return out

    def _remaining(self, gone: int) -> int:
        """The lowest card of every class that has not been played out."""
        found = self._alive.get(gone)
        if found is None:
            found = 0
            for r, low in enumerate(self._low):
                both = gone >> 8 * r
                if (both & 15) + (both >> 4 & 15) < self._size[r]:
                    found |= 1 << low
            self._alive[gone] = found
        return found

    def _hidden_cards(self, state: EndingState, seat: int) -> list[tuple[int, int]]:
        side = self._side[seat]
        gone = state.gone >> 4 * side
        least, lows = self._least, self._low
        if not state.trick:
            return [
                (lows[r], c) for r in self._high if (c := least[r][side][(gone >> 8 * r & 15) + 1])
            ]
        suit = state.trick[0] // 13
        out = [
            (lows[r], c)
            for r in self._by_suit[suit]
            if (c := least[r][side][(gone >> 8 * r & 15) + 1])
        ]
        follows = 0
        for _, c in out:
            follows |= c
        if follows != self.every:
            for r, low in enumerate(lows):
                if low // 13 != suit:
                    c = least[r][side][(gone >> 8 * r & 15) + 1] & ~follows
                    if c:
                        out.append((low, c))
            if seat in self.resting:
                out.append((PASS, self.every & ~follows))
            out.sort(key=_high_first)
        return out

    def _next(self, state: EndingState, card: int) -> tuple[tuple[_Place, int], ...]:
        seen, gone, leader, trick, need, left = state
        every, played = self.every, len(trick)
        seat = leader + played & 3
        if card == PASS:
            pass
        elif seat in self._vis:
            seen &= ~(1 << card)
        else:
            gone += 1 << 8 * self._class[card] + 4 * self._side[seat]
        trick = (*trick, card)
        if played < 3:
            return ((self._at((seen, gone, leader, trick, need, left), seat + 1 & 3), every),)
        out: list[tuple[_Place, int]] = []
        left -= 1
        for winner, where in self._winners(leader, trick, gone):
            more = need - self._ours[winner]
            if more <= 0:
                out.append((self._ends[WON], where))
            elif more > left:
                out.append((self._ends[LOST], where))
            else:
                out.append((self._at((seen, gone, winner, (), more, left), winner), where))
        return tuple(out)

    def _at(self, key: tuple[int, int, int, tuple[int, ...], int, int], turn: int) -> _Place:
        found = self._places.get(key)
        if found is None:
            state = EndingState._make(key)
            found = self._places[state] = _Place(state, self._ours[turn], 0, 0)
        return found

    def _is_last(self, state: EndingState) -> bool:
        """Does a trick begin in which nobody has a choice?"""
        return state.left == 1 and not state.trick and not self.resting

    def _last_trick(self, state: EndingState, layouts: int) -> int:
        """The layouts among these in which our side wins the last trick."""
        cards = [(state.seen & self._vis.get(s, 0)).bit_length() - 1 for s in range(4)]
        leader, gone = state.leader, state.gone
        one, other = self.game.hidden
        out = 0
        for r, mine in self._holding(gone, 0, layouts):
            cards[one] = self._low[r]
            for q, both in self._holding(gone, 1, mine):
                cards[other] = self._low[q]
                trick = tuple(cards[leader:] + cards[:leader])
                played = gone + (1 << 8 * r) + (1 << 8 * q + 4)
                for winner, where in self._winners(leader, trick, played):
                    if self._ours[winner]:
                        out |= both & where
        return out

    def _holding(self, gone: int, side: int, layouts: int) -> list[tuple[int, int]]:
        """The classes a hidden hand still has a card of in some of these layouts, and in which."""
        gone >>= 4 * side
        out = []
        for r, least in enumerate(self._least):
            here = least[side][(gone >> 8 * r & 15) + 1] & layouts
            if here:
                out.append((r, here))
                layouts &= ~here
                if not layouts:
                    break
        return out

    def _winners(self, leader: int, trick: tuple[int, ...], gone: int) -> list[tuple[int, int]]:
        strain, led = self.game.strain, trick[0] // 13
        best, at = -2, 0
        shared = False
        for i, card in enumerate(trick):
            if card == PASS or (card // 13 != led and card // 13 != strain):
                continue
            value = card + 52 * (card // 13 == strain)
            if value > best:
                best, at, shared = value, i, False
            elif value == best:
                shared = True
        winner = (leader + at) & 3
        every = self.every
        if not shared:
            return [(winner, every)]
        one, other = self.game.hidden
        mask = self._first_higher(self._class[trick[at]], gone)
        return [(s, m) for s, m in ((one, mask), (other, every & ~mask)) if m]

    def _first_higher(self, r: int, gone: int) -> int:
        """Layouts in which the first hidden hand's last card of a class beats the other's."""
        i, j = (gone >> 8 * r & 15) - 1, (gone >> 8 * r + 4 & 15) - 1
        found = self._higher.get((r, i, j))
        if found is None:
            found = 0
            for w, (mine, theirs) in enumerate(zip(*self._held[r], strict=True)):
                if i < len(mine) and j < len(theirs) and mine[i] > theirs[j]:
                    found |= 1 << w
            self._higher[r, i, j] = found
        return found

    # ------------------------------------------------------------ all cards seen

    def double_dummy(self, state: EndingState | int, layouts: int) -> int:
        """The layouts among these that our side wins when everybody sees all cards."""
        if isinstance(state, int):
            return layouts if state == WON else 0
        return self._seen_by_all(self._place(state), layouts)

    def _seen_by_all(self, place: _Place, layouts: int) -> int:
        missing = layouts & ~place.done
        if missing:
            self.nodes += 1
            if self.nodes > self.most or (self.nodes % _OFTEN == 0 and self._late()):
                raise OutOfTime
            state = place.state
            if state.left == 1 and self._is_last(state):  # type: ignore[union-attr, arg-type]
                place.won |= self._last_trick(state, missing)  # type: ignore[arg-type]
                place.done |= missing
                return place.won & layouts
            # Either side wins a layout by one card that wins it; the rest must try another.
            rest = missing
            for card, can in place.tries or self._tries(place):
                here = can & rest
                if here:
                    won = self._through(place, card, here)
                    rest &= ~won if place.ours else ~here | won
                    if not rest:
                        break
            place.done |= missing
            place.won |= missing & ~rest if place.ours else rest
        return place.won & layouts

    def _late(self) -> bool:
        return self.clock is not None and self.clock.late()

    def _tries(self, place: _Place) -> Moves:
        """The moves in the order in which they are likely to settle it: the cheapest card that wins
        the trick so far, unless the other hand of that side has it; then low cards before high."""
        moves, state = self._moves(place), place.state
        assert isinstance(state, EndingState)
        trick = state.trick
        if trick and len(moves) > 1:
            strain, led = self.game.strain, trick[0] // 13
            best, at = -1, 0
            for i, card in enumerate(trick):
                suit = card // 13
                value = card + 52 if suit == strain else card if suit == led else -1
                if value > best:
                    best, at = value, i
            if (at ^ len(trick)) & 1:

                def order(move: tuple[int, int]) -> int:
                    card = move[0]
                    suit = card // 13
                    value = card + 52 if suit == strain else card if suit == led else -1
                    return value - 1000 if value > best else card % 13

                moves = tuple(sorted(moves, key=order))
            else:
                moves = moves[::-1]
        place.tries = moves
        return moves

    def _through(self, place: _Place, card: int, layouts: int) -> int:
        after = place.afters.get(card)
        if after is None:
            state = place.state
            assert isinstance(state, EndingState)
            after = place.afters[card] = self._next(state, card)
        out = 0
        for child, where in after:
            if here := layouts & where:
                fresh = here & ~child.done
                out |= self._seen_by_all(child, here) if fresh else child.won & here
        return out

    def through(self, after: After, layouts: int) -> int:
        """`double_dummy` after a card, whoever has won the trick."""
        out = 0
        for child, where in after:
            if here := layouts & where:
                out |= self.double_dummy(child, here)
        return out

    # ------------------------------------------------------------ fronts

    def front(self, state: EndingState | int, layouts: int) -> Front:
        """Undominated sets of layouts the blind side can be sure to win, to the last card."""
        useful = self.double_dummy(state, layouts)
        if useful & (useful - 1) == 0 or isinstance(state, int):
            return [useful]
        if self._is_last(state):
            return [useful]
        key = (state, useful)
        found = self._fronts.get(key)
        if found is None:
            self.nodes += 1
            if self._late():
                raise OutOfTime
            if self.chooses(state.turn):
                found = self._chosen(state, useful)
            elif self.ours(state.turn):
                found = self._helped(state, useful)
            else:
                found = self._opposed(state, useful)
            self._fronts[key] = found
        return found

    def fronts(self, after: After, layouts: int) -> Front:
        """`front` after a card, whoever has won the trick."""
        if len(after) == 1:
            return self.front(after[0][0], layouts)
        out: Front = [0]
        for child, where in after:
            if here := layouts & where:
                below = self.front(child, here)
                out = undominated(x | y for x in out for y in below)[:_WIDEST]
        return out

    def _chosen(self, state: EndingState, layouts: int) -> Front:
        out: Front = []
        rest: list[tuple[int, After]] = []
        for card, _ in self.moves(state):
            after = self.after(state, card)
            bound = self.through(after, layouts)
            if bound != layouts:
                rest.append((bound, after))
                continue
            # Nothing can be better than this card: look at once whether the others matter.
            out = undominated([*out, *self.fronts(after, layouts)])[:_WIDEST]
            if layouts in out:
                return out
        rest.sort(key=lambda pair: -self.worth(pair[0]))
        for bound, after in rest:
            if not covered([bound], out):
                out = undominated([*out, *self.fronts(after, bound)])[:_WIDEST]
        return out

    def _opposed(self, state: EndingState, layouts: int) -> Front:
        out: Front = [layouts]
        left = layouts
        for card, can in self.moves(state):
            here = can & left
            if not here:
                continue
            free = left & ~can
            after = self.after(state, card)
            self._note(after, here, here)  # what is won here is won after each of their cards
            below = self.fronts(after, here)
            if below == [here]:
                continue
            out = undominated(x & (y | free) for x in out for y in below)[:_WIDEST]
            left = 0
            for vector in out:
                left |= vector
            if not left:
                break
        return out

    def _helped(self, state: EndingState, layouts: int) -> Front:
        """Partner sees the layout and plays the card that wins it, whatever we then do."""
        out: Front = [0]
        for card, can in self.moves(state):
            here = can & layouts
            if not here:
                continue
            below = self.fronts(self.after(state, card), here)
            out = undominated(x | y for x in out for y in below)[:_WIDEST]
            if layouts in out:
                break
        return out

    # ------------------------------------------------------------ answers

    def seen(self) -> dict[int, int]:
        """For every card (one of each that touch) the layouts won when all cards are seen."""
        root = self.root
        return {c: self.through(self.after(root, c), self.every) for c, _ in self.moves(root)}

    def expect(self, reached: dict[int, int]) -> dict[int, int]:
        """Take over what is known of the first cards when all cards are seen: card, layouts."""
        root = self.root
        known = {c: reached[c] for c, _ in self.moves(root)}
        for card, won in known.items():
            self._note(self.after(root, card), self.every, won)
        return known

    def _note(self, after: After, layouts: int, won: int) -> None:
        """What is known of the positions after a card when all cards are seen."""
        for child, where in after:
            if isinstance(child, EndingState):
                place = self._place(child)
                place.done |= layouts & where
                place.won |= won & where

    def secured(self, floor: float = -1.0) -> dict[int, int]:
        """For every card the best set of layouts it secures; cards that cannot reach `floor`
        keep what they win with all cards seen, which is a bound."""
        out: dict[int, int] = {}
        best = floor
        bounds = self.seen()
        root = self.root
        for card in sorted(bounds, key=lambda c: -self.worth(bounds[c])):
            out[card] = bounds[card]
            if self.worth(bounds[card]) >= best - 1e-9:
                found = self.fronts(self.after(root, card), bounds[card])
                out[card] = max(found, key=self.worth)
                best = max(best, self.worth(out[card]))
        return out


def _chooses(game: Ending, seat: int) -> bool:
    return seat == game.chooser or (game.declaring and seat == game.chooser ^ 2)


def _high_first(move: tuple[int, int]) -> int:
    return -(move[0] % 13)


def _classes(pool: int, apart: int, merge: bool, settled: Sequence[int]) -> list[list[int]]:
    """Hidden cards that touch (no card in sight between them): all of them, or only those that one
    hand has in every layout, which makes no difference to anybody."""
    out: list[list[int]] = []
    for suit in range(4):
        run: list[int] = []
        for card in range(13 * suit, 13 * suit + 13):
            if pool >> card & 1:
                both = 1 << card | 1 << run[-1] if run else 0
                if run and (merge or any(hand & both == both for hand in settled)):
                    run.append(card)
                else:
                    run = [card]
                    out.append(run)
            elif apart >> card & 1:
                run = []
    return out


def _least(rows: list[list[int]], size: int) -> tuple[int, ...]:
    """Layouts in which a hand has at least k cards of a class, for k from 0 to one too many."""
    out = []
    for k in range(size + 2):
        mask = 0
        for w, cards in enumerate(rows):
            if len(cards) >= k:
                mask |= 1 << w
        out.append(mask)
    return tuple(out)
