"""The names players give to a line: squeeze, throw-in, hold-up, second hand low and the others.
Each name has a definition that is tested on the cards, most of them by asking what would have
happened otherwise.

A squeeze is one only if the contract fails when the victim may keep all cards instead of
discarding: with all cards seen, or for who does not see them and would have to guess. A throw-in is
one only if it fails when our side has to lead instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final, NamedTuple

from overtrick.cardplay.endings import PASS, Defence, Ending, EndingSolver, EndingState
from overtrick.cardplay.vectors import cards_of
from overtrick.engines.clock import OutOfTime
from overtrick.game.cards import DECK, SUIT_BITS, Suit
from overtrick.game.reasons import Coup
from overtrick.game.seats import Seat
from overtrick.game.wording import done

_LOOKED: Final = 6  # decisive layouts that are played through
_HONOUR: Final = 8


@dataclass(slots=True)
class Resting:
    """The same question for each defender who may keep all cards, within so many nodes."""

    most: int
    solvers: dict[int, EndingSolver] = field(default_factory=dict)

    def asked(self, solver: EndingSolver, seat: int) -> EndingSolver:
        if seat not in self.solvers:
            self.solvers[seat] = EndingSolver(
                solver.game, merge=solver.merge, resting=(seat,), most=self.most, clock=solver.clock
            )
        return self.solvers[seat]


class Technique(NamedTuple):
    """A line with a name, and its cards in one layout."""

    coup: Coup
    line: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        return self.coup.name

    @property
    def words(self) -> str:
        """What is done, without the name."""
        return done(self.coup)


def named(
    name: str,
    way: str,
    cards: Iterable[int] = (),
    suits: Iterable[int] = (),
    seats: Iterable[int] = (),
) -> Technique:
    """A technique by its name, what is done in it, and with which cards, suits and seats."""
    coup = Coup(
        name, way, tuple(DECK[c] for c in cards), tuple(map(Suit, suits)), tuple(map(Seat, seats))
    )
    return Technique(coup)


@dataclass(frozen=True, slots=True)
class LineStep:
    """One card of a line: where it was played, by whom, and the layouts won from there."""

    state: EndingState
    seat: int
    card: int
    promised: int = 0


# ---------------------------------------------------------------- declarer


def declarers(
    solver: EndingSolver,
    card: int,
    secured: int,
    rival: int,
    probed: int = 0,
    looked: int = _LOOKED,
) -> Technique | None:
    """The technique of declarer's best card, or None when it has no name here.

    `secured` are the layouts the card wins, `rival` those of the next best card. The name must
    hold in more than half of the layouts that make the difference, `looked` of them. `probed`
    limits the nodes of the question what a defender could do who keeps all cards; else it is half
    of the solver's.
    """
    decisive = cards_of(secured & ~rival)[:looked]
    if not decisive:
        return None
    found: Counter[str] = Counter()
    seen: dict[str, Technique] = {}
    walks = []
    resting = Resting(probed or solver.most // 2)
    for i, w in enumerate(decisive):
        most = max(found.values(), default=0) + len(decisive) - i
        steps = walk(solver, card, secured, w, resting)
        if 2 * most <= len(
            decisive
        ):  # no name can hold in most of them: what the card does is left
            walks.append(_beginning(steps))
            continue
        walks.append(list(steps))
        for technique in _events(solver, walks[-1], w, resting):
            seen.setdefault(technique.name, technique)
            found[technique.name] += 1
    for name in PLAYS:
        if 2 * found[name] > len(decisive):
            return seen[name]
    line = tuple(s.card for s in walks[0] if solver.ours(s.seat))
    named = _safety(solver, card, secured, rival) or _first_card(solver, card, secured, walks)
    return None if named is None else named._replace(line=line)


# The rarer and the more telling first; a line that is several things has the first name.
PLAYS: Final = (
    "double squeeze", "criss-cross squeeze", "Vienna coup", "show-up squeeze", "triple squeeze",
    "simple squeeze", "trump coup", "elimination", "throw-in", "crossruff", "dummy reversal",
)  # fmt: skip


def walk(
    solver: EndingSolver, card: int, promised: int, layout: int, resting: Resting | None = None
) -> Iterator[LineStep]:
    """The line in one layout: our cards keep the promise, theirs hold on to what they need."""
    state: EndingState | int = solver.root
    probes: dict[int, EndingSolver] = {}
    now = card
    while isinstance(state, EndingState):
        yield LineStep(state, state.turn, now, promised)
        promised &= dict(solver.moves(state)).get(now, promised)
        for child, where in solver.after(state, now):
            if where >> layout & 1:
                promised &= where
                state = child
                break
        if not isinstance(state, EndingState):
            break
        if solver.chooses(state.turn):
            now = _keeping(solver, state, promised)
        else:
            now = _resisting(solver, state, layout, probes)
            if resting is not None and state.trick and now // 13 != state.trick[0] // 13:
                now = _blind_resisting(solver, state, layout, promised, now, resting)


def _beginning(steps: Iterator[LineStep]) -> list[LineStep]:
    """The first trick of a line and the lead to the next."""
    out: list[LineStep] = []
    for step in steps:
        out.append(step)
        if step.state.left < out[0].state.left:
            break
    return out


def _keeping(solver: EndingSolver, state: EndingState, promised: int) -> int:
    moves = solver.moves(state)
    for card, _ in moves:
        if any(
            v & promised == promised for v in solver.fronts(solver.after(state, card), promised)
        ):
            return card
    return moves[0][0]


def _resisting(
    solver: EndingSolver, state: EndingState, layout: int, probes: dict[int, EndingSolver]
) -> int:
    """A card of a hidden hand in this layout: a discard that is idle, else the lowest."""
    can = sorted((c for c, m in solver.moves(state) if m >> layout & 1), key=lambda c: c % 13)
    if len(can) == 1 or not state.trick or can[0] // 13 == state.trick[0] // 13:
        return can[0]
    seat = state.turn
    if seat not in probes:
        probes[seat] = _alone(solver, layout, (seat,))
    probe = probes[seat]
    idle = [c for c in can if not probe.through(probe.after(state, c), 1)]
    return (idle or can)[0]


def _blind_resisting(
    solver: EndingSolver,
    state: EndingState,
    layout: int,
    promised: int,
    usual: int,
    resting: Resting,
) -> int:
    """A discard after which who does not see the cards would have to guess, if there is one."""
    can = [(c, m) for c, m in reversed(solver.moves(state)) if m >> layout & 1]
    if promised & (promised - 1) == 0 or len(can) == 1:
        return usual
    probe = resting.asked(solver, state.turn)
    try:
        for card, where in can:
            if not _secures(probe, state, card, where & promised):
                return card
    except OutOfTime:
        pass
    return usual


def _alone(solver: EndingSolver, layout: int, resting: tuple[int, ...] = ()) -> EndingSolver:
    game = replace(solver.game, hands=(solver.game.hands[layout],))
    return EndingSolver(game, merge=solver.merge, resting=resting, settled=solver.settled)


def _events(
    solver: EndingSolver, steps: Sequence[LineStep], layout: int, resting: Resting
) -> Iterator[Technique]:
    """What the line does in one layout."""
    line = tuple(s.card for s in steps if solver.ours(s.seat))
    squeezes = list(_squeezes(solver, steps, layout))
    events = [] if squeezes else [_thrown_in(solver, steps, layout), _coup(solver, steps, layout)]
    if not squeezes and not any(events):
        squeezes = list(_blind_squeezes(solver, steps, layout, resting))
    if squeezes:
        events = [_squeeze(solver, steps, layout, squeezes)]
    for event in events:
        if event is not None:
            yield event._replace(line=line)
    if solver.game.strain < 4:
        ruffs = [s.seat for s in steps if solver.chooses(s.seat) and _ruffs(solver, s)]
        led = any(not s.state.trick and s.card // 13 == solver.game.strain for s in steps)
        if len(set(ruffs)) == 2 and len(ruffs) >= 3 and not led:
            yield named("crossruff", "takes-trumps-one-by-one")._replace(line=line)
        if _reverses(solver, steps, ruffs):
            yield named("dummy reversal", "ruffs-in-the-long-hand")._replace(line=line)


def _reverses(solver: EndingSolver, steps: Sequence[LineStep], ruffs: Sequence[int]) -> bool:
    """Two ruffs or more, all with the longer trumps, then a trump led and won by the shorter."""
    if len(ruffs) < 2 or len(set(ruffs)) != 1:
        return False
    strain, root = solver.game.strain, steps[0].state
    longer, shorter = ruffs[0], ruffs[0] ^ 2
    mine, other = (_suit(root.seen & solver._vis[s], strain) for s in (longer, shorter))
    if mine.bit_count() <= other.bit_count():
        return False
    for before, step in pairwise(steps):
        trumps = before.state.trick and before.state.trick[0] // 13 == strain
        if trumps and not step.state.trick and step.seat == shorter:
            return True
    return False


def _ruffs(solver: EndingSolver, step: LineStep) -> bool:
    strain, trick = solver.game.strain, step.state.trick
    return bool(trick) and step.card // 13 == strain and trick[0] // 13 != strain


def _squeezes(
    solver: EndingSolver, steps: Sequence[LineStep], layout: int
) -> Iterator[tuple[LineStep, tuple[int, ...]]]:
    """Discards with which a defender gives up a trick that he would keep if he could pass."""
    probes: dict[int, EndingSolver] = {}
    for step in steps:
        state, seat = step.state, step.seat
        if solver.ours(seat) or not state.trick or step.card // 13 == state.trick[0] // 13:
            continue
        if seat not in probes:
            probes[seat] = _alone(solver, layout, (seat,))
        probe = probes[seat]
        if probe.through(probe.after(state, PASS), 1):
            continue
        can = [c for c, m in solver.moves(state) if m >> layout & 1]
        if all(probe.through(probe.after(state, c), 1) for c in can):
            yield step, tuple(sorted({c // 13 for c in can}, reverse=True))


def _squeeze(
    solver: EndingSolver,
    steps: Sequence[LineStep],
    layout: int,
    found: list[tuple[LineStep, tuple[int, ...]]],
) -> Technique:
    step, suits = found[0]
    who = Seat(step.seat)
    if len({s.seat for s, _ in found}) == 2:
        other = next(s for s, _ in found if s.seat != step.seat)
        return named("double squeeze", "squeezes-both", seats=(who, other.seat))
    mine = [step.state.seen & solver._vis[s] for s in solver.game.sighted]
    if len(suits) > 2:
        return named("triple squeeze", "squeezes", suits=suits, seats=(who,))
    tops = {x: _top(solver, step.state, layout, x) for x in suits}
    if len(suits) == 2 and _criss_crossed(mine, suits, tops):
        return named("criss-cross squeeze", "squeezes", suits=suits, seats=(who,))
    first = steps[0]
    threat = first.card // 13
    cashes = not first.state.trick and _is_top(solver, first.state, first.card, layout)
    if cashes and threat in suits and tops[threat] not in _bits(mine) and step is not first:
        way = "cashes-then-squeezes"
        return named("Vienna coup", way, cards=(first.card,), suits=suits, seats=(who,))
    if any(_tenace(solver, step.state, layout, hand, x) for hand in mine for x in suits):
        return named("show-up squeeze", "squeezes-without-guess", suits=suits, seats=(who,))
    return named("simple squeeze", "squeezes", suits=suits, seats=(who,))


def _blind_squeezes(
    solver: EndingSolver, steps: Sequence[LineStep], layout: int, resting: Resting
) -> Iterator[tuple[LineStep, tuple[int, ...]]]:
    """Discards that take a guess away: all cards seen there is none, but who does not see them
    wins these layouts only because the defender cannot keep all cards."""
    for step in steps:
        state, seat = step.state, step.seat
        if solver.ours(seat) or not state.trick or step.card // 13 == state.trick[0] // 13:
            continue
        moves = [(c, m) for c, m in solver.moves(state) if m >> layout & 1]
        suits = sorted({c // 13 for c, _ in moves}, reverse=True)
        if len(suits) < 2 or step.promised & (step.promised - 1) == 0:
            continue
        probe = resting.asked(solver, seat)
        try:
            free = dict(probe.moves(state))[PASS] & step.promised
            kept = _secures(probe, state, PASS, free)
            if not kept and all(_secures(probe, state, c, m & step.promised) for c, m in moves):
                yield step, tuple(suits)
        except OutOfTime:
            return


def _secures(solver: EndingSolver, state: EndingState, card: int, layouts: int) -> bool:
    found = solver.fronts(solver.after(state, card), layouts)
    return any(v & layouts == layouts for v in found)


def _bits(hands: Sequence[int]) -> set[int]:
    return {c for hand in hands for c in cards_of(hand)}


def _criss_crossed(mine: list[int], suits: Sequence[int], tops: dict[int, int]) -> bool:
    """In each suit the top card alone in one hand, the length opposite, crosswise."""
    owner = []
    for suit in suits:
        parts = [_suit(hand, suit) for hand in mine]
        lone = [i for i in (0, 1) if parts[i].bit_count() == 1 and parts[i] == 1 << tops[suit]]
        if len(lone) != 1 or parts[1 - lone[0]].bit_count() < 2:
            return False
        owner.append(lone[0])
    return owner[0] != owner[1]


def _suit(hand: int, suit: int) -> int:
    return hand & SUIT_BITS << 13 * suit


def _alive_in(solver: EndingSolver, state: EndingState, layout: int) -> list[int]:
    """All four hands in a layout, as they are now."""
    hands = list(solver.game.hands[layout])
    for seat in solver.game.sighted:
        hands[seat] &= state.seen
    for side, seat in enumerate(solver.game.hidden):
        for r, held in enumerate(solver._held):
            for card in held[side][layout][: state.gone >> 8 * r + 4 * side & 15]:
                hands[seat] &= ~(1 << card)
    return hands


def _top(solver: EndingSolver, state: EndingState, layout: int, suit: int) -> int:
    """The highest card of a suit that is still in a hand."""
    every = 0
    for hand in _alive_in(solver, state, layout):
        every |= _suit(hand, suit)
    return every.bit_length() - 1


def _is_top(solver: EndingSolver, state: EndingState, card: int, layout: int) -> bool:
    return _top(solver, state, layout, card // 13) == card


def _tenace(solver: EndingSolver, state: EndingState, layout: int, hand: int, suit: int) -> bool:
    """Is there a finesse: in one hand a card above the defenders' highest, and one below it that
    beats all their others?"""
    hands = _alive_in(solver, state, layout)
    one, other = (_suit(hands[s], suit) for s in solver.game.hidden)
    theirs = cards_of(one | other)
    if len(theirs) < 2:
        return False
    mine = cards_of(_suit(hand, suit))
    return any(c > theirs[-1] for c in mine) and any(theirs[-2] < c < theirs[-1] for c in mine)


def _thrown_in(solver: EndingSolver, steps: Sequence[LineStep], layout: int) -> Technique | None:
    probe = _alone(solver, layout)
    for before, step in pairwise(steps):
        state = step.state
        gained = solver.ours(before.state.leader) and not solver.ours(step.seat)
        if state.trick or not gained or state.left < 2:
            continue
        if any(probe.double_dummy(state._replace(leader=s), 1) for s in solver.game.sighted):
            continue
        who = Seat(step.seat)
        trumps = [_suit(state.seen & solver._vis[s], solver.game.strain) if solver.game.strain < 4
                  else 0 for s in solver.game.sighted]  # fmt: skip
        if all(trumps):
            return named("elimination", "throws-in-without-good-leads", seats=(who,))
        return named("throw-in", "throws-in-to-lead", seats=(who,))
    return None


def _coup(solver: EndingSolver, steps: Sequence[LineStep], layout: int) -> Technique | None:
    """A plain card led through a defender's trumps when there is no trump to lead."""
    strain = solver.game.strain
    if strain == 4:
        return None
    probe = _alone(solver, layout)
    for step in steps:
        state = step.state
        if state.trick or not solver.chooses(step.seat) or step.card // 13 == strain:
            continue
        other = step.seat ^ 2
        behind = state.seen & solver._vis[other]
        mine = state.seen & solver._vis[step.seat]
        if _suit(mine, strain) or behind != _suit(behind, strain) or state.left < 2:
            continue
        between = (step.seat + 1) & 3
        theirs = _suit(_alive_in(solver, state, layout)[between], strain)
        if theirs and not probe.double_dummy(state._replace(leader=other), 1):
            return named("trump coup", "leads-through-trumps", seats=(between,))
    return None


# ------------------------------------------------ declarer: what the first card does


def _safety(solver: EndingSolver, card: int, secured: int, rival: int) -> Technique | None:
    """A card of our own suit that another card equals as long as the suit is divided evenly."""
    state, suit = solver.root, card // 13
    led = state.trick[0] // 13 if state.trick else suit
    if led != suit or (state.trick and not solver.ours(state.leader)) or not secured & rival:
        return None
    mine = [_suit(state.seen & solver._vis[s], suit).bit_count() for s in solver.game.sighted]
    if min(mine) < 1 or sum(mine) < 4:
        return None  # no suit of ours
    one, other = solver.game.hidden
    for w in cards_of(secured & ~rival):
        row = solver.game.hands[w]
        lengths = sorted(_suit(row[s], suit).bit_count() for s in (one, other))
        if lengths[1] < 3 or lengths[1] - lengths[0] < 2:
            return None
    return named("safety play", "guards-against-a-bad-break", suits=(suit,))


def _first_card(
    solver: EndingSolver, card: int, secured: int, walks: Sequence[Sequence[LineStep]]
) -> Technique | None:
    state = solver.root
    if state.trick and not solver.ours(state.leader):
        return _on_their_lead(solver, state, card)
    if state.trick:
        return _on_our_lead(solver, state, card)
    for name in (_loses_to_safety, _ducks, _ruffs_first, _unblocks, _orders, _trump_timing, _entry):
        found = name(solver, card, secured, walks)
        if found is not None:
            return found
    return None


def _beats(solver: EndingSolver, trick: Sequence[int], card: int) -> bool:
    strain, led = solver.game.strain, trick[0] // 13
    if card // 13 not in (led, strain):
        return False

    def rank(c: int) -> int:
        return -1 if c // 13 not in (led, strain) else c + 52 * (c // 13 == strain)

    return rank(card) > max(map(rank, trick))


def _on_their_lead(solver: EndingSolver, state: EndingState, card: int) -> Technique | None:
    moves = [c for c, _ in solver.moves(state)]
    wins = [c for c in moves if _beats(solver, state.trick, c)]
    led = state.trick[0] // 13
    if card // 13 != led:
        return _thrown(solver, state, card, wins)
    if card not in wins and wins and len(state.trick) in (1, 3):
        return named("hold-up", "lets-them-have-it", suits=(led,))
    if card in wins and any(c in wins and c < card for c in moves):
        return named("keeping entries", "wins-and-keeps-the-lower", cards=(card,))
    if card in wins and any(c not in wins for c in moves):
        return named("taking the trick", "wins-at-once", suits=(led,))
    return None


def _thrown(
    solver: EndingSolver, state: EndingState, card: int, wins: Sequence[int]
) -> Technique | None:
    """A discard, instead of a ruff or of another card."""
    if card in wins:
        return named("ruffing in", "ruffs-at-once", cards=(card,))
    suit = _suit(state.seen | solver._remaining(state.gone), card // 13)
    if card == suit.bit_length() - 1:
        return named("unblocking", "throws-out-of-the-way", cards=(card,))
    if wins:
        return named("loser on loser", "throws-instead-of-ruffing", cards=(card,))
    return named("the right discard", "can-spare-only", cards=(card,))


def _on_our_lead(solver: EndingSolver, state: EndingState, card: int) -> Technique | None:
    """Third hand, to a card that our other hand led."""
    if len(state.trick) != 2:
        return None
    led, strain = state.trick[0] // 13, solver.game.strain
    moves = [c for c, _ in solver.moves(state)]
    if card // 13 == led:
        return _third_hand(solver, state, card, moves)
    trumps = [c for c in moves if c // 13 == strain]
    if card not in trumps:
        return _thrown(solver, state, card, trumps)
    lower = any(c < card for c in trumps)
    return named("ruffing high", "ruffs-with", cards=(card,)) if lower else None


def _third_hand(
    solver: EndingSolver, state: EndingState, card: int, moves: Sequence[int]
) -> Technique | None:
    led, out = state.trick[0] // 13, solver._remaining(state.gone)
    wins = [c for c in moves if _beats(solver, state.trick, c)]
    if card not in wins and wins:
        return named("ducking", "lets-it-go-once", suits=(led,))
    higher = [c for c in wins if c > card]
    lower = [c for c in wins if c < card]
    if card in wins and higher and out & _between(card, min(higher)):
        return named("finesse", "finesses-with", cards=(card,))
    if card in wins and lower and out & _between(max(lower), card):
        return named("playing for the drop", "does-not-finesse", cards=(card,))
    hidden_above = out & _suit(-1 << state.trick[0], led) & (1 << 52) - 1
    if not hidden_above and any(c < card for c in moves):
        return named("unblocking", "gets-out-of-the-way", cards=(card,))
    return None


def _between(low: int, high: int) -> int:
    return (1 << high) - (2 << low)


def _trick(walk: Sequence[LineStep]) -> Sequence[LineStep]:
    """The cards of the first trick of a line."""
    return [s for s in walk if s.state.left == walk[0].state.left]


def _loses_to_safety(
    solver: EndingSolver, card: int, secured: int, walks: Sequence[Sequence[LineStep]]
) -> Technique | None:
    """The first trick is lost to one defender, and the other on lead would beat the contract."""
    safe: Counter[int] = Counter()
    for steps in walks:
        later = [s for s in steps if s.state.left == steps[0].state.left - 1 and not s.state.trick]
        if not later or solver.ours(later[0].seat):
            continue
        state = later[0].state
        layout = next((w for w in cards_of(secured) if _fits(solver, steps, w)), None)
        if layout is None:
            continue  # a card stands for others that touch it
        probe = _alone(solver, layout)
        other = state._replace(leader=later[0].seat ^ 2)
        if not probe.double_dummy(other, 1):
            safe[later[0].seat] += 1
    if not safe or 2 * max(safe.values()) <= len(walks):
        return None
    who = max(safe, key=lambda s: safe[s])
    return named("avoidance", "gives-the-trick-to", seats=(who,))


def _fits(solver: EndingSolver, steps: Sequence[LineStep], layout: int) -> bool:
    return all(
        solver.game.hands[layout][s.seat] >> s.card & 1
        for s in steps
        if s.seat in solver.game.hidden
    )


def _ducks(
    solver: EndingSolver, card: int, secured: int, walks: Sequence[Sequence[LineStep]]
) -> Technique | None:
    """A low card from both hands although one of them could win the trick."""
    suit = card // 13
    state = solver.root
    mine = [_suit(state.seen & solver._vis[s], suit) for s in solver.game.sighted]
    top = max(mine[0] | mine[1], 1).bit_length() - 1
    hidden = _suit(solver._remaining(0), suit)
    if hidden.bit_length() - 1 > top:
        return None
    for steps in walks:
        played = [s.card for s in _trick(steps) if solver.ours(s.seat)]
        if top in played or any(c // 13 != suit for c in played):
            return None
        if len(played) == 2 and max(played) > hidden.bit_length() - 1:
            return None
    kept = any(hand >> top & 1 and hand.bit_count() > 1 for hand in mine)
    return named("ducking", "gives-up-one-early", suits=(suit,)) if kept else None


def _ruffs_first(
    solver: EndingSolver, card: int, secured: int, walks: Sequence[Sequence[LineStep]]
) -> Technique | None:
    """A ruff taken while trumps are still out."""
    strain = solver.game.strain
    if strain == 4 or card // 13 == strain or not _suit(solver._remaining(0), strain):
        return None
    if all(any(_ruffs(solver, s) and solver.chooses(s.seat) for s in _trick(w)) for w in walks):
        return named("ruff before drawing trumps", "takes-the-ruff")
    return None


def _unblocks(
    solver: EndingSolver, card: int, secured: int, walks: Sequence[Sequence[LineStep]]
) -> Technique | None:
    """A winner from the short hand, whose suit the other hand then runs."""
    state, suit = solver.root, card // 13
    mine = _suit(state.seen & solver._vis[state.turn], suit)
    other = _suit(state.seen & solver._vis[state.turn ^ 2], suit)
    hidden = _suit(solver._remaining(0), suit)
    winners = [c for c in cards_of(other) if c > hidden.bit_length() - 1]
    if card > hidden.bit_length() - 1 and winners and other.bit_count() > mine.bit_count():
        return named("unblocking", "cashes-from-the-short-hand", cards=(card,))
    return None


def _orders(
    solver: EndingSolver, card: int, secured: int, walks: Sequence[Sequence[LineStep]]
) -> Technique | None:
    """After the first trick the line goes on in one suit or in another, by what was seen."""
    suits: set[int] = set()
    for layout in cards_of(secured)[:10]:
        for step in walk(solver, card, secured, layout):
            later = step.state.left < solver.root.left and not step.state.trick
            if later and solver.chooses(step.seat):
                suits.add(step.card // 13)
                break
    if len(suits) < 2:
        return None
    first = card // 13
    state = solver.root
    top = _suit(state.seen | solver._remaining(0), first).bit_length() - 1
    then = (first, *sorted(suits, reverse=True))
    if card == top and first not in suits:
        return named("discovery", "looks-first", suits=then)
    return named("combining chances", "tries-first", suits=then)


def _trump_timing(
    solver: EndingSolver, card: int, secured: int, walks: Sequence[Sequence[LineStep]]
) -> Technique | None:
    strain = solver.game.strain
    if strain == 4 or not _suit(solver._remaining(0), strain):
        return None
    state = solver.root
    trumps = [c for c, _ in solver.moves(state) if c // 13 == strain]
    plain = [c for c, _ in solver.moves(state) if c // 13 != strain]
    if not trumps or not plain:
        return None
    if card in trumps:
        return named("drawing trumps", "draws-trumps-first")
    return named("trumps can wait", "leaves-the-trumps", suits=(card // 13,))


def _entry(
    solver: EndingSolver, card: int, secured: int, walks: Sequence[Sequence[LineStep]]
) -> Technique | None:
    """The trick is won in one hand; the same suit won in the other hand is worse."""
    state, suit = solver.root, card // 13
    others = [c for c, _ in solver.moves(state) if c // 13 == suit and c != card]
    hidden = _suit(solver._remaining(0), suit).bit_length() - 1
    far = _suit(state.seen & solver._vis[state.turn ^ 2], suit).bit_length() - 1
    if card > hidden and any(c < hidden for c in others) and far > hidden:
        return named("keeping entries", "keeps-an-entry-there", cards=(far,))
    if card < hidden < far and any(c > hidden for c in others):
        return named("keeping entries", "keeps-an-entry-here", cards=(max(others),))
    if card > hidden:
        return named("cashing in time", "cashes-in-time", cards=(card,))
    return None


# ---------------------------------------------------------------- defenders


def defenders(asked: Defence, card: int, rivals: Sequence[int]) -> Technique | None:
    """The technique of a defender's best card against the best of the others."""
    game = asked.game
    if game.trick:
        led = game.trick[0] // 13
        if card // 13 == led:
            return _following(game, card, rivals)
        return _not_following(game, card, rivals)
    return _leading(game, card, rivals)


def _wins_now(game: Ending, card: int) -> bool:
    return _beats(EndingSolver(game), game.trick, card)


def _following(game: Ending, card: int, rivals: Sequence[int]) -> Technique | None:
    place = len(game.trick)
    rival = rivals[0]
    mine, theirs = _wins_now(game, card), _wins_now(game, rival)
    if place == 1:
        return _second(game, card, rival)
    partner_wins = _holder(game) == place - 2
    if mine == theirs:
        if card > rival:
            way = "throws-under-partner" if partner_wins else "throws-under"
            return named("unblock", way, cards=(card,))
        return named("keeping the high card", "keeps-for-later", cards=(rival,))
    if mine:
        if partner_wins:
            return named("overtaking", "overtakes", cards=(card,))
        if place == 2:
            return named("third hand high", "third-hand-high", cards=(card,))
        return named("winning at once", "wins-now", suits=(card // 13,))
    if partner_wins:
        return named("leaving partner on lead", "leaves-it-to-partner")
    if place == 2:
        return named("third hand low", "keeps-it-over-the-left", cards=(rival,))
    return named("hold-up", "holds-up", cards=(rival,))


def _cuts_off(game: Ending, card: int) -> bool:
    """Is it the only card over a suit that is long in dummy, which has no other way in?"""
    suit, dummy = card // 13, game.hands[0][game.declarer ^ 2]
    others = [c for c in cards_of(dummy) if c // 13 != suit]
    mine = cards_of(_suit(dummy, suit))
    us = game.chooser, game.chooser ^ 2

    def over(row: Sequence[int]) -> bool:
        ours = cards_of(_suit(row[us[0]] | row[us[1]], suit))
        return [c for c in ours if c > mine[-2]] == [card]

    return (
        len(mine) > 1
        and all(map(over, game.hands))
        and _mostly(game, lambda row: _suit(row[game.declarer], suit).bit_count() < len(mine))
        and not any(all(c == _top_of(row, c // 13) for row in game.hands) for c in others)
    )


def _holder(game: Ending) -> int:
    """Which card of the trick is winning."""
    solver = EndingSolver(game)
    best = 0
    for i in range(1, len(game.trick)):
        if _beats(solver, game.trick[:i], game.trick[i]):
            best = i
    return best


def _second(game: Ending, card: int, rival: int) -> Technique | None:
    led = game.trick[0]
    if led % 13 >= _HONOUR and (card > led) != (rival > led):
        if card > led:
            return named("covering an honour", "covers-with", cards=(led, card))
        return named("not covering", "does-not-cover", cards=(led,))
    if card < rival:
        if _cuts_off(game, rival):
            return named("hold-up", "holds-up", cards=(rival,))
        return named("second hand low", "plays-low-and-keeps", cards=(rival,))
    return named("second hand high", "goes-up", cards=(card,))


def _not_following(game: Ending, card: int, rivals: Sequence[int]) -> Technique | None:
    strain, rival = game.strain, rivals[0]
    if card // 13 == strain:
        if rival // 13 == strain:
            if card > rival:
                return named("uppercut", "ruffs-high-to-promote", cards=(card,))
            return named("ruffing low", "ruffs-low-and-keeps", cards=(rival,))
        return named("ruffing", "ruffs-with", cards=(card,))
    if rival // 13 == strain:
        over = any(c // 13 == strain for c in game.trick)
        return named("refusing to ruff", "does-not-overruff" if over else "does-not-ruff")
    if card // 13 == rival // 13:
        if card > rival:
            return named("unblock", "throws-away-to-unblock", cards=(card,))
        return named("keeping the high card", "throws-not-the-other", cards=(card, rival))
    return named("keeping guard", "keeps-the-guard", suits=(card // 13, rival // 13))


def _leading(game: Ending, card: int, rivals: Sequence[int]) -> Technique | None:
    suit = card // 13
    if suit == game.strain:
        return named("trump lead", "leads-a-trump")
    if (forced := _forcing(game, suit)) is not None:
        return forced
    tops = [_top_of(row, suit) for row in game.hands]
    if all(card == t for t in tops):
        return named("cashing out", "cashes-while-it-is-there", cards=(card,))
    partner = game.chooser ^ 2
    if _mostly(game, lambda row: _short_with_trumps(game, row[partner], suit)):
        return named("giving a ruff", "leads-for-a-ruff", suits=(suit,))
    dummy = game.hands[0][game.declarer ^ 2]
    entries = [c for c in cards_of(dummy) if all(c == _top_of(row, c // 13) for row in game.hands)]
    if _suit(dummy, suit) and {c // 13 for c in entries} == {suit}:
        return named("breaking communications", "attacks-the-entry", suits=(suit,))
    if _mostly(game, lambda row: bool(row[partner] >> _top_of(row, suit) & 1)):
        return named("to partner's hand", "finds-partner", suits=(suit,))
    mine = _suit(game.hands[0][game.chooser], suit)
    honours = [c for c in cards_of(mine) if c % 13 >= _HONOUR and c > card]
    if honours:
        return named("active switch", "leads-away-from", cards=(honours[-1],))
    return named("passive exit", "gets-off-lead", suits=(suit,))


def _forcing(game: Ending, suit: int) -> Technique | None:
    """A suit that declarer's side ruffs in most layouts: a trump is promoted if partner is out of
    the suit too and may ruff higher; else the ruff is to shorten them."""
    partner = game.chooser ^ 2
    if not _mostly(game, lambda row: _ruffs_it(game, row, suit)):
        return None
    if _mostly(game, lambda row: _short_with_trumps(game, row[partner], suit)):
        return named("trump promotion", "promotes-a-trump", suits=(suit,))
    return named("forcing declarer", "makes-them-ruff", suits=(suit,))


def _mostly(game: Ending, holds: Callable[[Sequence[int]], bool]) -> bool:
    """In more than half of the layouts."""
    return 2 * sum(holds(row) for row in game.hands) > len(game.hands)


def _short_with_trumps(game: Ending, hand: int, suit: int) -> bool:
    return game.strain < 4 and not _suit(hand, suit) and bool(_suit(hand, game.strain))


def _top_of(row: Sequence[int], suit: int) -> int:
    return max(_suit(hand, suit).bit_length() - 1 for hand in row)


def _ruffs_it(game: Ending, row: Sequence[int], suit: int) -> bool:
    """Has a hand of declarer's side no card of the suit, but a trump?"""
    both = (game.declarer, game.declarer ^ 2)
    return any(_short_with_trumps(game, row[s], suit) for s in both)
