"""Knowledge source 3: nested R-deals in which partner decides (seed 004, section 3.5.3).
Used by pragma's refinement loop when continuation trees leave two calls close together."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from overtrick.bidding.pragma.belief import Mind, better_than_shown, reimagined
from overtrick.bidding.pragma.candidates import choices
from overtrick.bidding.pragma.leaves import Floats, Leaves, reference_of
from overtrick.bidding.pragma.sources import Tree
from overtrick.bidding.pragma.thought import Sample, Thought
from overtrick.bidding.rollout import Worlds, WorldSet, calls_of, endings, next_context
from overtrick.game import CALLS, Auction, Hand, Seat
from overtrick.systems.context import GAME_CALLS, Context
from overtrick.systems.many import as_set
from overtrick.systems.meanings import call_meaning, knowledge
from overtrick.systems.pragmatics import invites
from overtrick.worlds import Constraint


@dataclass(slots=True)
class Nested:
    """Some R-deals of the outer level; after each choice partner thinks for herself."""

    thought: Thought
    sample: Sample
    outer: int
    inner: int
    least: float = 0.3  # IMPs by which partner prefers her own idea to the rules' call
    overruled: int = 0  # times she did

    def corrections(self, choice: int) -> Floats:
        """By how many IMPs each outer deal is worth more when partner decides than by rule."""
        thought = self.thought
        after = next_context(thought.reading, thought.ctx, thought.choices[choice].call)
        out = np.zeros(self.outer)
        for ctx, here in self._partner_turns(after):
            thought.check_clock(thought.drawing)  # nested deals take about as long as new ones
            out += self._at(ctx, here)[: self.outer]
        return out

    def _partner_turns(self, after: Context) -> list[tuple[Context, WorldSet]]:
        """Where partner's next turn finds the outer deals; finished auctions are left out."""
        thought, worlds = self.thought, self.sample.worlds
        partner = int(thought.view.seat.partner)
        stack = [(after, (1 << self.outer) - 1)]
        found = []
        while stack:
            ctx, here = stack.pop()
            if ctx.is_over:
                continue
            if worlds.seat(ctx) == partner:
                found.append((ctx, here))
                continue
            for call, part in calls_of(thought.reading, ctx, worlds, here).items():
                stack.append((next_context(thought.reading, ctx, call), part))
        return found

    def _at(self, ctx: Context, here: WorldSet) -> Floats:
        """What partner's own decision in this node changes, in each of its deals."""
        thought, worlds = self.thought, self.sample.worlds
        out = np.zeros(len(worlds))
        rows = worlds.rows(here)
        rules = {
            int(r): call
            for call, part in calls_of(thought.reading, ctx, worlds, here).items()
            for r in worlds.rows(part)
        }
        decided = self._decide(ctx, rows, rules)
        tree = Tree(thought, self.sample, 0)
        for row, call in decided.items():
            if call == rules[row]:
                continue
            self.overruled += 1
            one = 1 << row
            new = tree.value(next_context(thought.reading, ctx, call), one)[row]
            old = tree.value(next_context(thought.reading, ctx, rules[row]), one)[row]
            out[row] = new - old
        thought.nodes += tree.nodes
        return out

    def _decide(
        self, ctx: Context, rows: NDArray[np.intp], rules: dict[int, int]
    ) -> dict[int, int]:
        """Partner's call in each of these deals, seen with her eyes."""
        thought = self.thought
        auction = Auction(thought.view.dealer, tuple(CALLS[c] for c in ctx.calls))
        partner = thought.view.seat.partner
        own = int(thought.view.seat & 1)
        known = knowledge(thought.reading, auction, thought.view.vul, own, deny=False)
        hands = self.sample.worlds.hands[rows]
        game = _invited_to(thought, ctx)
        if game is not None:
            return self._accepts(game, rows, known)
        seen, group = reimagined(hands, int(partner), known, self.inner, thought.rng)
        if not len(seen):
            return dict(rules)
        inner = Worlds(seen, int(thought.view.dealer))
        leaves = Leaves(inner, thought.model, int(thought.view.vul), own)
        plan = list(endings(thought.reading, ctx, inner))
        leaves.refer(reference_of(leaves, inner, plan))
        tree = Tree(thought, Sample(inner, leaves, plan), 0)
        wanted = self._ideas(ctx, auction, partner, rows, rules)
        calls = sorted({c for ideas in wanted.values() for c in ideas})
        means = {}
        for call in calls:  # in the inner deals of those outer deals in which she weighs it
            weighs = np.array([call in wanted[int(r)] for r in rows])
            values = tree.value(next_context(thought.reading, ctx, call), as_set(weighs[group]))
            means[call] = _group_means(values, group, len(rows))
        thought.nodes += tree.nodes
        out = {}
        for i, row in enumerate(int(r) for r in rows):
            best = max(wanted[row], key=lambda c: means[c][i])
            gain = means[best][i] - means[rules[row]][i]
            out[row] = best if gain > self.least else rules[row]
        return out

    def _ideas(
        self, ctx: Context, auction: Auction, partner: Seat, rows: NDArray[np.intp],
        rules: dict[int, int],
    ) -> dict[int, list[int]]:  # fmt: skip
        """The calls partner would weigh in each deal, the rules' own among them."""
        thought = self.thought
        out = {}
        for row in (int(r) for r in rows):
            hand = Hand(int(self.sample.worlds.hands[row, partner]))
            view = replace(thought.view, seat=partner, hand=hand, auction=auction, meanings=())
            found = [c.call for c in choices(thought.reading, ctx, view, most=3)]
            out[row] = list(dict.fromkeys([rules[row], *found]))
        return out

    def _accepts(
        self, game: int, rows: NDArray[np.intp], known: tuple[Constraint, ...]
    ) -> dict[int, int]:
        """An invitation: partner goes on if she thinks her hand better than she has shown."""
        view = self.thought.view
        declarer = int(view.seat.partner)
        mind = Mind(self.thought.model, self.thought.rng, self.inner, 3)
        hands = self.sample.worlds.hands[rows]
        better = better_than_shown(hands, known, declarer, ((game - 3) % 5, declarer), mind)
        return {int(r): game if b > 0 else 0 for r, b in zip(rows, better, strict=True)}


def _invited_to(thought: Thought, ctx: Context) -> int | None:
    """The game that our last call invited to, if it was an invitation in a suit or notrump."""
    last = ctx.told[ctx.partner].call  # the context is partner's: her partner is us
    if last < 3 or ctx.last_bid != last or last in GAME_CALLS:
        return None
    turn = max(i for i, c in enumerate(ctx.calls) if i & 3 == ctx.partner)
    before = thought.reading.context(ctx.calls[:turn], ctx.vul, int(ctx.memo.get("first", 0)))  # type: ignore[call-overload]
    if not invites(call_meaning(thought.reading, before, last)):
        return None
    strain = (last - 3) % 5
    return next((c for c in range(last + 1, 38) if c in GAME_CALLS and (c - 3) % 5 == strain), None)


def _group_means(values: Floats, group: NDArray[np.intp], count: int) -> Floats:
    sizes = np.maximum(np.bincount(group, minlength=count), 1)
    return np.asarray(np.bincount(group, values, count) / sizes)


def partner_decides(thought: Thought, sample: Sample, *, outer: int, inner: int) -> int:
    """Knowledge source 3: correct the values of the choices left for partner's own judgement.

    The correction is the mean over a few R-deals of what her decision changes; it is added to
    every deal's value. Returns how often she overruled the rules.
    """
    nested = Nested(thought, sample, min(outer, len(sample.worlds)), inner)
    changes = {i: nested.corrections(i) for i in thought.alive}
    for i, found in changes.items():
        shift, error = float(found.mean()), float(found.std()) / np.sqrt(len(found))
        if shift:
            shift *= shift**2 / (shift**2 + error**2)  # a few deals prove little
            thought.doubts[i] = min(error, abs(shift))
            thought.values[i] = [v + shift for v in thought.values[i]]
            thought.log.append(
                f"{thought.choices[i]} is worth {shift:+.2f} IMPs more when partner judges"
            )
    return nested.overruled
