"""A plan for the whole hand: lines of each suit, put in order, proved against the best defence.
Cheaper than one search over all suits, and it can be told in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import nsmallest
from itertools import product
from operator import itemgetter
from typing import Final

from overtrick.cardplay.plans.combine import PlanStep, interleave
from overtrick.cardplay.plans.follow import Followed, follow, layout_of
from overtrick.cardplay.plans.resources import SuitCourse, lines_of, shortened, undominated
from overtrick.cardplay.plans.suits import Layout
from overtrick.doubledummy import Position, PositionError, best, solve
from overtrick.game import Card, Contract, Deal, Seat, Strain, Suit

_LINES: Final = 12  # undominated lines kept for a suit
_ORDERS: Final = 4000  # combinations of lines put in order for one number of tricks
_PROOFS: Final = 12  # orders played against the solver for one number of tricks


@dataclass(frozen=True, slots=True)
class SuitReport:
    """One suit of a plan: the lines worth keeping and the one chosen."""

    suit: Suit
    lines: tuple[SuitCourse, ...]
    chosen: SuitCourse | None


@dataclass(frozen=True, slots=True)
class ProofTrick:
    """One trick of the proof: who led, the cards, and the step it carries out, if it does."""

    leader: Seat
    cards: tuple[Card, ...]
    step: PlanStep | None


@dataclass(frozen=True)
class Plan:
    """What declarer means to do from a position.

    `tricks` are promised by the plan and proved; `possible` is the solver's number. `steps` are
    the tricks in order until the defence gets in; `play` is the proof, card by card.
    """

    position: Position
    declarer: Seat
    tricks: int
    possible: int
    suits: tuple[SuitReport, ...]
    steps: tuple[PlanStep, ...]
    play: tuple[ProofTrick, ...]

    @cached_property
    def first_cards(self) -> tuple[Card, ...]:
        """The card the plan begins with, for declarers who want a candidate."""
        ours = (self.declarer, self.declarer.partner)
        return tuple(p.cards[0] for p in self.play[:1] if p.leader in ours)


@dataclass(frozen=True, slots=True)
class _FoundPlan:
    lines: tuple[SuitCourse, ...]
    steps: tuple[PlanStep, ...]
    play: tuple[ProofTrick, ...]


def plan_deal(deal: Deal, contract: Contract, lead: Card | None = None) -> Plan:
    """A plan for a contract, before the opening lead (the solver's) or after a given one."""
    if contract.declarer is None:
        raise PositionError("a passed-out board has no play to plan")
    position = Position.start(deal, contract.strain, contract.declarer.lho)
    if lead is not None and lead not in position.legal_cards():
        raise PositionError(f"{contract.declarer.lho} does not hold {lead.ascii}")
    return plan(position, contract.declarer, lead=lead)


def plan(
    position: Position,
    declarer: Seat,
    tricks: int | None = None,
    lead: Card | None = None,
    *,
    least: int = 1,
) -> Plan:
    """The plan that promises most tricks (or `tricks` of them, `least` at least) from here.

    The position lies between two tricks. With the defence on lead the first trick is `lead`'s
    or the solver's choice.
    """
    if position.trick:
        raise PositionError("a plan is made between two tricks")
    ours = (declarer, declarer.partner)
    found_lead = lead if position.leader not in ours else None
    possible = _possible(position, ours, found_lead)
    goal = possible if tricks is None else min(tricks, possible)
    while goal >= max(least, 1):
        found = _prove(position, ours, goal, found_lead, depth=0)
        if found is not None:
            return Plan(position, declarer, goal, possible,
                        _reports(position, ours, found.lines), found.steps, found.play)  # fmt: skip
        goal -= 1
    return Plan(position, declarer, 0, possible, _reports(position, ours, ()), (), ())


def _possible(position: Position, ours: tuple[Seat, Seat], lead: Card | None) -> int:
    if position.leader in ours:
        return best(position)
    if lead is None:
        return position.tricks_left - best(position)
    return position.tricks_left - solve(position)[lead]


def _prove(
    position: Position, ours: tuple[Seat, Seat], goal: int, lead: Card | None, depth: int
) -> _FoundPlan | None:
    """Lines, order and proof for `goal` tricks from here, the first that stands."""
    if goal <= 0:
        return _FoundPlan((), (), ())
    if position.leader not in ours:
        return _after_their_lead(position, ours, goal, lead, depth)
    proofs = 0
    for lines, steps in _orders(position, ours, goal):
        proofs += 1
        if proofs > max(2, _PROOFS >> depth):
            return None
        followed = follow(position, steps, goal, ours)
        if followed is None:
            continue
        play = _told(followed, steps)
        if followed.won >= goal:
            return _FoundPlan(lines, tuple(steps[: followed.done]), play)
        if followed.rest is None or not followed.done:
            continue
        rest = _prove(followed.rest, ours, goal - followed.won, None, depth + 1)
        if rest is not None:
            return _FoundPlan(lines, tuple(steps[: followed.done]), play + rest.play)
    return None


def _after_their_lead(
    position: Position, ours: tuple[Seat, Seat], goal: int, lead: Card | None, depth: int
) -> _FoundPlan | None:
    """The defence leads: one trick by the solver, then a plan for the rest."""
    followed = follow(position, (), goal, ours, lead)
    if followed is None:
        return None
    play = _told(followed, ())
    if followed.rest is None:
        return _FoundPlan((), (), play) if followed.won >= goal else None
    rest = _prove(followed.rest, ours, goal - followed.won, None, depth)
    return _FoundPlan(rest.lines, rest.steps, play + rest.play) if rest else None


def _told(followed: Followed, steps: Sequence[PlanStep]) -> tuple[ProofTrick, ...]:
    told: list[ProofTrick] = []
    for i, (leader, cards) in enumerate(zip(followed.leaders, followed.tricks, strict=True)):
        told.append(ProofTrick(leader, cards, steps[i] if i < followed.done else None))
    return tuple(told)


def _orders(
    position: Position, ours: tuple[Seat, Seat], goal: int
) -> Iterator[tuple[tuple[SuitCourse, ...], list[PlanStep]]]:
    """Combinations of lines worth `goal` tricks that can be put in order, the plainest first."""
    trump = None if position.strain == Strain.NT else Suit(position.strain)
    sides = [_side_lines(position, suit, ours) for suit in Suit if suit != trump]
    trumps: dict[tuple[int, ...], list[tuple[SuitCourse, ...]]] = {}
    spare = position.tricks_left - goal
    found: list[tuple[tuple[int, ...], tuple[SuitCourse, ...]]] = []
    for lines in product(*sides):
        ruffs = tuple(sum(line.ruffs(seat) for line in lines) for seat in ours)
        if ruffs not in trumps:
            trumps[ruffs] = _trump_lines(position, trump, ours, ruffs)
        for more in trumps[ruffs]:
            chosen = (*lines, *more)
            tricks = sum(line.tricks for line in chosen)
            lost = sum(line.lost for line in chosen)
            if tricks >= goal and lost <= spare:
                thrown = sum(line.thrown[1] for line in chosen if line.thrown)
                length = sum(len(line.course) for line in chosen)
                found.append(((lost, thrown, sum(ruffs), length), chosen))
    for _, chosen in nsmallest(_ORDERS, found, key=itemgetter(0)):
        steps = interleave(chosen, position.leader, trump)
        if steps is not None:
            yield chosen, steps


def _side_lines(position: Position, suit: Suit, ours: tuple[Seat, Seat]) -> list[SuitCourse]:
    """Lines of a suit that is not trumps, with ruffs and with discards that make ruffs possible."""
    layout = layout_of(position, suit)
    lines = [SuitCourse(suit, layout, ())]
    if position.strain == Strain.NT:
        return lines + undominated(lines_of(suit, layout, ours), ours, _LINES)
    found = _ruffing_lines(position, suit, ours)
    plain = [line for line in found if not any(r.ruff for r in line.course)]
    ruffing = [line for line in found if line.thrown is None and line not in plain]
    throwing = [line for line in found if line.thrown is not None]
    for kind, most in ((plain, _LINES), (ruffing, _LINES // 2), (throwing, _LINES // 3)):
        lines += undominated(kind, ours, most)
    return lines


def _ruffing_lines(position: Position, suit: Suit, ours: tuple[Seat, Seat]) -> list[SuitCourse]:
    """Lines of a side suit that take no more ruffs than there are trumps to ruff with."""
    layout, trumps = layout_of(position, suit), layout_of(position, Suit(position.strain))
    ruffers = tuple(seat for seat in ours if trumps[seat])
    found = lines_of(suit, layout, ours, ruffs=ruffers)
    for seat in ruffers:
        for count in range(1, min(3, layout[seat].bit_count() + 1)):
            thrown = lines_of(suit, layout, ours, ruffs=(seat,), thrown=(seat, count))
            found += [line for line in thrown if line.ruffs(seat)]
    return [line for line in found if all(line.ruffs(s) <= trumps[s].bit_count() for s in ours)]


def _trump_lines(
    position: Position, trump: Suit | None, ours: tuple[Seat, Seat], ruffs: tuple[int, ...]
) -> list[tuple[SuitCourse, ...]]:
    """Lines of the trump suit without the small trumps that ruffs take; one empty at notrump."""
    if trump is None:
        return [()]
    layout: Layout = layout_of(position, trump)
    for seat, count in zip(ours, ruffs, strict=True):
        if count > layout[seat].bit_count():
            return []
        layout = shortened(layout, seat, count)
    lines = [
        SuitCourse(trump, layout, ()),
        *undominated(lines_of(trump, layout, ours), ours, _LINES),
    ]
    return [(line,) for line in lines]


def _reports(
    position: Position, ours: tuple[Seat, Seat], chosen: Sequence[SuitCourse]
) -> tuple[SuitReport, ...]:
    """The suits from spades down with what each could do and what it is to do."""
    picked = {line.suit: line for line in chosen if line.course}
    found = []
    for suit in reversed(Suit):
        lines = _side_lines(position, suit, ours)[1:]
        found.append(SuitReport(suit, tuple(lines[:6]), picked.get(suit)))
    return tuple(found)
