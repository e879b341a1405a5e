"""Squeezes, throw-ins and coups, each proved by what would happen if nobody had to discard, or had
to lead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from overtrick.cardplay.ending import PASS, EndingState
from overtrick.cardplay.endings import EndingSolver
from overtrick.cardplay.naming import LineStep, Resting, Technique, alone, named, suit_of
from overtrick.cardplay.vectors import cards_of
from overtrick.engines.clock import OutOfTime
from overtrick.game.seats import Seat


def squeezes(
    solver: EndingSolver, steps: Sequence[LineStep], layout: int
) -> Iterator[tuple[LineStep, tuple[int, ...]]]:
    """Discards with which a defender gives up a trick that he would keep if he could pass."""
    probes: dict[int, EndingSolver] = {}
    for step in steps:
        state, seat = step.state, step.seat
        if solver.ours(seat) or not state.trick or step.card // 13 == state.trick[0] // 13:
            continue
        if seat not in probes:
            probes[seat] = alone(solver, layout, (seat,))
        probe = probes[seat]
        if probe.through(probe.after(state, PASS), 1):
            continue
        can = [c for c, m in solver.moves(state) if m >> layout & 1]
        if all(probe.through(probe.after(state, c), 1) for c in can):
            yield step, tuple(sorted({c // 13 for c in can}, reverse=True))


def squeeze(
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
    tops = {x: top_of(solver, step.state, layout, x) for x in suits}
    if len(suits) == 2 and _criss_crossed(mine, suits, tops):
        return named("criss-cross squeeze", "squeezes", suits=suits, seats=(who,))
    first = steps[0]
    threat = first.card // 13
    cashes = not first.state.trick and is_top(solver, first.state, first.card, layout)
    if cashes and threat in suits and tops[threat] not in _bits(mine) and step is not first:
        way = "cashes-then-squeezes"
        return named("Vienna coup", way, cards=(first.card,), suits=suits, seats=(who,))
    if any(_tenace(solver, step.state, layout, hand, x) for hand in mine for x in suits):
        return named("show-up squeeze", "squeezes-without-guess", suits=suits, seats=(who,))
    return named("simple squeeze", "squeezes", suits=suits, seats=(who,))


def blind_squeezes(
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
            kept = secures(probe, state, PASS, free)
            if not kept and all(secures(probe, state, c, m & step.promised) for c, m in moves):
                yield step, tuple(suits)
        except OutOfTime:
            return


def secures(solver: EndingSolver, state: EndingState, card: int, layouts: int) -> bool:
    found = solver.fronts(solver.after(state, card), layouts)
    return any(v & layouts == layouts for v in found)


def _bits(hands: Sequence[int]) -> set[int]:
    return {c for hand in hands for c in cards_of(hand)}


def _criss_crossed(mine: list[int], suits: Sequence[int], tops: dict[int, int]) -> bool:
    """In each suit the top card alone in one hand, the length opposite, crosswise."""
    owner = []
    for suit in suits:
        parts = [suit_of(hand, suit) for hand in mine]
        lone = [i for i in (0, 1) if parts[i].bit_count() == 1 and parts[i] == 1 << tops[suit]]
        if len(lone) != 1 or parts[1 - lone[0]].bit_count() < 2:
            return False
        owner.append(lone[0])
    return owner[0] != owner[1]


def alive_in(solver: EndingSolver, state: EndingState, layout: int) -> list[int]:
    """All four hands in a layout, as they are now."""
    hands = list(solver.game.hands[layout])
    for seat in solver.game.sighted:
        hands[seat] &= state.seen
    for side, seat in enumerate(solver.game.hidden):
        for r, held in enumerate(solver._held):
            for card in held[side][layout][: state.gone >> 8 * r + 4 * side & 15]:
                hands[seat] &= ~(1 << card)
    return hands


def top_of(solver: EndingSolver, state: EndingState, layout: int, suit: int) -> int:
    """The highest card of a suit that is still in a hand."""
    every = 0
    for hand in alive_in(solver, state, layout):
        every |= suit_of(hand, suit)
    return every.bit_length() - 1


def is_top(solver: EndingSolver, state: EndingState, card: int, layout: int) -> bool:
    return top_of(solver, state, layout, card // 13) == card


def _tenace(solver: EndingSolver, state: EndingState, layout: int, hand: int, suit: int) -> bool:
    """Is there a finesse: in one hand a card above the defenders' highest, and one below it that
    beats all their others?"""
    hands = alive_in(solver, state, layout)
    one, other = (suit_of(hands[s], suit) for s in solver.game.hidden)
    theirs = cards_of(one | other)
    if len(theirs) < 2:
        return False
    mine = cards_of(suit_of(hand, suit))
    return any(c > theirs[-1] for c in mine) and any(theirs[-2] < c < theirs[-1] for c in mine)


def thrown_in(solver: EndingSolver, steps: Sequence[LineStep], layout: int) -> Technique | None:
    probe = alone(solver, layout)
    for before, step in pairwise(steps):
        state = step.state
        gained = solver.ours(before.state.leader) and not solver.ours(step.seat)
        if state.trick or not gained or state.left < 2:
            continue
        if any(probe.double_dummy(state._replace(leader=s), 1) for s in solver.game.sighted):
            continue
        who = Seat(step.seat)
        trumps = [suit_of(state.seen & solver._vis[s], solver.game.strain) if solver.game.strain < 4
                  else 0 for s in solver.game.sighted]  # fmt: skip
        if all(trumps):
            return named("elimination", "throws-in-without-good-leads", seats=(who,))
        return named("throw-in", "throws-in-to-lead", seats=(who,))
    return None


def coup_of(solver: EndingSolver, steps: Sequence[LineStep], layout: int) -> Technique | None:
    """A plain card led through a defender's trumps when there is no trump to lead."""
    strain = solver.game.strain
    if strain == 4:
        return None
    probe = alone(solver, layout)
    for step in steps:
        state = step.state
        if state.trick or not solver.chooses(step.seat) or step.card // 13 == strain:
            continue
        other = step.seat ^ 2
        behind = state.seen & solver._vis[other]
        mine = state.seen & solver._vis[step.seat]
        if suit_of(mine, strain) or behind != suit_of(behind, strain) or state.left < 2:
            continue
        between = (step.seat + 1) & 3
        theirs = suit_of(alive_in(solver, state, layout)[between], strain)
        if theirs and not probe.double_dummy(state._replace(leader=other), 1):
            return named("trump coup", "leads-through-trumps", seats=(between,))
    return None
