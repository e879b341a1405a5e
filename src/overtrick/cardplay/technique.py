"""The names players give to a line: squeeze, throw-in, hold-up, second hand low and the others.
Each name has a definition that is tested on the cards, most of them by asking what would have
happened otherwise.

A squeeze is one only if the contract fails when the victim may keep all cards instead of
discarding: with all cards seen, or for who does not see them and would have to guess. A throw-in is
one only if it fails when our side has to lead instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from overtrick.cardplay.ending import EndingState
from overtrick.cardplay.endings import EndingSolver
from overtrick.cardplay.naming import LineStep, Resting, Technique, alone, beats, named, suit_of
from overtrick.cardplay.squeezes import (
    blind_squeezes,
    coup_of,
    secures,
    squeeze,
    squeezes,
    thrown_in,
)
from overtrick.cardplay.vectors import cards_of
from overtrick.engines.clock import OutOfTime

_LOOKED: Final = 6  # decisive layouts that are played through


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
        probes[seat] = alone(solver, layout, (seat,))
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
            if not secures(probe, state, card, where & promised):
                return card
    except OutOfTime:
        pass
    return usual


def _events(
    solver: EndingSolver, steps: Sequence[LineStep], layout: int, resting: Resting
) -> Iterator[Technique]:
    """What the line does in one layout."""
    line = tuple(s.card for s in steps if solver.ours(s.seat))
    squeezed = list(squeezes(solver, steps, layout))
    events = [] if squeezed else [thrown_in(solver, steps, layout), coup_of(solver, steps, layout)]
    if not squeezed and not any(events):
        squeezed = list(blind_squeezes(solver, steps, layout, resting))
    if squeezed:
        events = [squeeze(solver, steps, layout, squeezed)]
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
    mine, other = (suit_of(root.seen & solver._vis[s], strain) for s in (longer, shorter))
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


# ------------------------------------------------ declarer: what the first card does


def _safety(solver: EndingSolver, card: int, secured: int, rival: int) -> Technique | None:
    """A card of our own suit that another card equals as long as the suit is divided evenly."""
    state, suit = solver.root, card // 13
    led = state.trick[0] // 13 if state.trick else suit
    if led != suit or (state.trick and not solver.ours(state.leader)) or not secured & rival:
        return None
    mine = [suit_of(state.seen & solver._vis[s], suit).bit_count() for s in solver.game.sighted]
    if min(mine) < 1 or sum(mine) < 4:
        return None  # no suit of ours
    one, other = solver.game.hidden
    for w in cards_of(secured & ~rival):
        row = solver.game.hands[w]
        lengths = sorted(suit_of(row[s], suit).bit_count() for s in (one, other))
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


def _on_their_lead(solver: EndingSolver, state: EndingState, card: int) -> Technique | None:
    moves = [c for c, _ in solver.moves(state)]
    wins = [c for c in moves if beats(solver, state.trick, c)]
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
    suit = suit_of(state.seen | solver._remaining(state.gone), card // 13)
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
    wins = [c for c in moves if beats(solver, state.trick, c)]
    if card not in wins and wins:
        return named("ducking", "lets-it-go-once", suits=(led,))
    higher = [c for c in wins if c > card]
    lower = [c for c in wins if c < card]
    if card in wins and higher and out & _between(card, min(higher)):
        return named("finesse", "finesses-with", cards=(card,))
    if card in wins and lower and out & _between(max(lower), card):
        return named("playing for the drop", "does-not-finesse", cards=(card,))
    hidden_above = out & suit_of(-1 << state.trick[0], led) & (1 << 52) - 1
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
        probe = alone(solver, layout)
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
    mine = [suit_of(state.seen & solver._vis[s], suit) for s in solver.game.sighted]
    top = max(mine[0] | mine[1], 1).bit_length() - 1
    hidden = suit_of(solver._remaining(0), suit)
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
    if strain == 4 or card // 13 == strain or not suit_of(solver._remaining(0), strain):
        return None
    if all(any(_ruffs(solver, s) and solver.chooses(s.seat) for s in _trick(w)) for w in walks):
        return named("ruff before drawing trumps", "takes-the-ruff")
    return None


def _unblocks(
    solver: EndingSolver, card: int, secured: int, walks: Sequence[Sequence[LineStep]]
) -> Technique | None:
    """A winner from the short hand, whose suit the other hand then runs."""
    state, suit = solver.root, card // 13
    mine = suit_of(state.seen & solver._vis[state.turn], suit)
    other = suit_of(state.seen & solver._vis[state.turn ^ 2], suit)
    hidden = suit_of(solver._remaining(0), suit)
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
    top = suit_of(state.seen | solver._remaining(0), first).bit_length() - 1
    then = (first, *sorted(suits, reverse=True))
    if card == top and first not in suits:
        return named("discovery", "looks-first", suits=then)
    return named("combining chances", "tries-first", suits=then)


def _trump_timing(
    solver: EndingSolver, card: int, secured: int, walks: Sequence[Sequence[LineStep]]
) -> Technique | None:
    strain = solver.game.strain
    if strain == 4 or not suit_of(solver._remaining(0), strain):
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
    hidden = suit_of(solver._remaining(0), suit).bit_length() - 1
    far = suit_of(state.seen & solver._vis[state.turn ^ 2], suit).bit_length() - 1
    if card > hidden and any(c < hidden for c in others) and far > hidden:
        return named("keeping entries", "keeps-an-entry-there", cards=(far,))
    if card < hidden < far and any(c > hidden for c in others):
        return named("keeping entries", "keeps-an-entry-here", cards=(max(others),))
    if card > hidden:
        return named("cashing in time", "cashes-in-time", cards=(card,))
    return None
