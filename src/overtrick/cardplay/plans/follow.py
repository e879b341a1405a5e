"""Following a plan double dummy: do its cards keep the tricks against the best defence?
The solver has the last word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from overtrick.cardplay.plans.combine import PlanStep
from overtrick.cardplay.plans.suits import Course, Layout, SuitSearch
from overtrick.doubledummy import Position, solve
from overtrick.game import Card, Seat
from overtrick.game.play import winning_index


@dataclass(frozen=True, slots=True)
class Followed:
    """Tricks as they went against the best defence, and where the plan ended."""

    tricks: tuple[tuple[Card, ...], ...]
    leaders: tuple[Seat, ...]
    rest: Position | None  # on lead again after the defence was in, or the plan is over
    won: int
    done: int  # steps of the plan that were played


def layout_of(position: Position, suit: int) -> Layout:
    """The four holdings of one suit."""
    a, b, c, d = (hand.bits >> 13 * suit & 0x1FFF for hand in position.hands)
    return a, b, c, d


def follow(
    position: Position,
    steps: Sequence[PlanStep],
    target: int,
    ours: tuple[Seat, Seat],
    lead: Card | None = None,
) -> Followed | None:
    """Play the steps until the lead is lost or they end; None if a card of ours loses a trick.

    Defenders play a solver's choice, but for `lead`, their first card if they are on lead. A
    trick they lead ends it, for the plan must then be made again.
    """
    tricks: list[tuple[Card, ...]] = []
    leaders: list[Seat] = []
    won = done = 0
    here: Position | None = position
    while here is not None and won < target:
        step = steps[done] if done < len(steps) else None
        if here.leader in ours and (step is None or step.returned):
            break  # the plan has no more to say
        planned = step if here.leader in ours else None
        course = _left(steps, done) if planned else ()
        cards, after = _trick(here, planned, course, target - won, ours, lead)
        if cards is None:
            return None
        tricks.append(cards)
        leaders.append(here.leader)
        winner = _winner_of(here, cards)
        won += winner in ours
        if planned is None:
            return Followed(tuple(tricks), tuple(leaders), after, won, done)
        done += 1
        if winner is not planned.round.winner and winner in ours:  # held up: think again
            return Followed(tuple(tricks), tuple(leaders), after, won, done)
        here = after
    return Followed(tuple(tricks), tuple(leaders), here, won, done)


def _left(steps: Sequence[PlanStep], done: int) -> Course:
    suit = steps[done].suit
    return tuple(s.round for s in steps[done:] if s.suit is suit)


def _trick(
    position: Position,
    step: PlanStep | None,
    course: Course,
    target: int,
    ours: tuple[Seat, Seat],
    lead: Card | None,
) -> tuple[tuple[Card, ...] | None, Position | None]:
    """One trick: ours by the plan where it has a say, the rest by the solver."""
    if step is not None and position.leader is not step.round.lead:
        return None, None
    here, cards = position, list[Card]()
    while True:
        worth = solve(here)
        ranked = sorted(worth, key=lambda c: (-worth[c], c % 13))
        card = ranked[0]
        if here.turn in ours:
            good = [c for c in ranked if worth[c] >= target]
            planned = _our_card(here, good, (position, step, course, ours), cards)
            if planned is None:
                return None, None
            card = planned
        elif lead is not None and not cards:
            card = lead
        cards.append(card)
        last = len(cards) == 4
        if last and here.tricks_left == 1:
            return tuple(cards), None
        here = here.then(card)
        if last:
            return tuple(cards), here


def _our_card(
    here: Position,
    good: list[Card],
    planned: tuple[Position, PlanStep | None, Course, tuple[Seat, Seat]],
    cards: list[Card],
) -> Card | None:
    """The first good card that the plan allows; without a plan a cheap one that wins."""
    start, step, course, ours = planned
    if step is None:
        return min(good, key=lambda c: (not _wins(here, c), c % 13), default=None)
    layout = layout_of(start, step.suit)
    search = SuitSearch(layout, ours)
    return next((c for c in good if _by_plan(search, layout, course, step, cards, c)), None)


def _by_plan(
    search: SuitSearch,
    layout: Layout,
    course: Course,
    step: PlanStep,
    cards: list[Card],
    card: Card,
) -> bool:
    """Is this card of ours what the plan allows? A hand that is void throws what it likes."""
    seat = step.round.lead.plus(len(cards))
    if not layout[seat]:
        return not (step.round.ruff and seat is step.round.winner) or card.suit == step.trump
    if card.suit != step.suit:
        return False
    ranks = tuple(c.rank if c.suit == step.suit else -1 for c in (*cards, card))
    return search.keeps(layout, course, ranks)


def _wins(position: Position, card: Card) -> bool:
    """Is our side ahead in the trick after this card?"""
    cards = (*position.trick, card)
    return (winning_index(cards, position.strain) - len(position.trick)) % 2 == 0


def _winner_of(position: Position, cards: tuple[Card, ...]) -> Seat:
    return position.leader.plus(winning_index(cards, position.strain))
