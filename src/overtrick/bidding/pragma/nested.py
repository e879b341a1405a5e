"""Knowledge source 3 (PRAGMA, section 3.5.3): nested R-deals in which partner decides. Asked when
continuation trees leave two calls close together."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from overtrick.bidding.constants import PRAGMA_DEEPER, PRAGMA_IDEAS
from overtrick.bidding.kernel import AuctionPosition, RulesCaller, contracts_of
from overtrick.bidding.kernel.callers import Node, WorldSet
from overtrick.bidding.kernel.leaves import unmoved
from overtrick.bidding.pragma.belief import Mind, better_than_shown, reimagined
from overtrick.bidding.pragma.candidates import choices
from overtrick.bidding.pragma.thought import Floats, RDeals, Thought
from overtrick.game import CALLS, Auction, Hand
from overtrick.nets.contract import contract_model
from overtrick.systems.context import GAME_CALLS
from overtrick.systems.meanings import call_meaning, knowledge
from overtrick.systems.pragmatics import invites
from overtrick.worlds import Constraint
from overtrick.worlds.sets import as_set


@dataclass(slots=True)
class Nested:
    """Some R-deals of the outer level; after each choice partner thinks for themselves."""

    thought: Thought
    sample: RDeals
    outer: int
    inner: int
    least: float = 0.3  # IMPs by which partner prefers an idea of their own to the rules' call
    overruled: int = 0  # times they did

    @property
    def partner(self) -> RulesCaller:
        """Partner by the rules: our own system."""
        return self.thought.rules()[self.thought.view.seat.partner]

    def corrections(self, place: int) -> Floats:
        """By how many IMPs each outer deal is worth more when partner decides than by rule."""
        out = np.zeros(len(self.sample))
        for at, here in self._partner_turns(self.thought.race.calls[place]):
            self.thought.clock.check()
            out += self._changed(at, here)
        return out[: self.outer]

    def _partner_turns(self, call: int) -> list[Node]:
        """Where partner's next turn finds the outer deals; finished auctions are left out."""
        thought, held = self.thought, self.sample.held
        after, outer = thought.position.then(call), (1 << self.outer) - 1
        if after.is_over:
            return []
        (split,) = thought.rules()[after.turn].choose([(after, outer)], held)
        nodes = [(after.then(c), worlds) for c, worlds in split.items()]
        return [(at, worlds) for at, worlds in nodes if not at.is_over]

    def _changed(self, at: AuctionPosition, here: WorldSet) -> Floats:
        """What partner's own decision in this node changes, in each of its deals."""
        held = self.sample.held
        rows = held.rows(here)
        (split,) = self.partner.choose([(at, here)], held)
        rules = {int(r): call for call, part in split.items() for r in held.rows(part)}
        decided = self._decide(at, rows, rules)
        differ = [row for row in decided if decided[row] != rules[row]]
        self.overruled += len(differ)
        out = np.zeros(len(held))
        if differ:
            new, old = ({row: calls[row] for row in differ} for calls in (decided, rules))
            where = np.array(differ, np.intp)
            out[where] = self._values(at, new, where) - self._values(at, old, where)
        return out

    def _values(self, at: AuctionPosition, calls: dict[int, int], rows: NDArray[np.intp]) -> Floats:
        """IMPs in these deals when partner makes these calls and all follow the rules again."""
        walk = self.thought.walk(self.sample)
        starts: dict[int, WorldSet] = {}
        for row, call in calls.items():
            starts[call] = starts.get(call, 0) | 1 << row
        ends = walk.endings([(at.then(call), worlds) for call, worlds in starts.items()])
        self.thought.nodes += walk.nodes
        contracts = contracts_of([ends], self.sample.held).taken(rows)
        return self.sample.imps(contracts, rows)[:, 0]

    def _decide(
        self, at: AuctionPosition, rows: NDArray[np.intp], rules: dict[int, int]
    ) -> dict[int, int]:
        """Partner's call in each of these deals, seen with their eyes."""
        thought = self.thought
        auction = Auction(thought.view.dealer, tuple(CALLS[c] for c in at.calls))
        own = int(thought.view.seat & 1)
        known = knowledge(thought.reading, auction, thought.view.vul, own, deny=False)
        game = _invited_to(self.partner, at)
        if game is not None:
            return self._accepts(game, rows, known)
        deals = self.sample.held.deals[rows]
        seen, group = reimagined(deals, at.turn, known, self.inner, thought.rng)
        if not len(seen):
            return dict(rules)
        inner = thought.imagined(seen, at, [])
        wanted = {int(r): self._ideas(at, auction, int(r), rules[int(r)]) for r in rows}
        means = self._means(at, inner, group, [wanted[int(r)] for r in rows])
        out = {}
        for i, row in enumerate(int(r) for r in rows):
            best = max(wanted[row], key=lambda c: means[c][i])
            gain = means[best][i] - means[rules[row]][i]
            out[row] = best if gain > self.least else rules[row]
        return out

    def _means(
        self, at: AuctionPosition, inner: RDeals, group: NDArray[np.intp], wanted: list[list[int]]
    ) -> dict[int, Floats]:
        """What each call is worth to partner, over the inner deals of each outer deal in which
        they weigh it."""
        walk = self.thought.walk(inner)
        calls = sorted({c for ideas in wanted for c in ideas})
        weighs = {call: np.array([call in ideas for ideas in wanted])[group] for call in calls}
        starts = [(at.then(call), as_set(weighs[call])) for call in calls]
        ways = walk.by_call(len(at.calls), starts, calls)
        self.thought.nodes += walk.nodes
        values = inner.imps(contracts_of(ways, inner.held))
        sizes = np.maximum(np.bincount(group, minlength=len(wanted)), 1)
        return {
            call: np.bincount(group, values[:, way] * weighs[call], len(wanted)) / sizes
            for way, call in enumerate(calls)
        }

    def _ideas(self, at: AuctionPosition, auction: Auction, row: int, rules: int) -> list[int]:
        """The calls partner would weigh in a deal, the rules' own among them."""
        thought, partner = self.thought, self.thought.view.seat.partner
        hand = Hand(int(self.sample.held.deals[row, partner]))
        view = replace(thought.view, seat=partner, hand=hand, auction=auction, meanings=())
        found = choices(thought.reading, self.partner.context(at), view, most=PRAGMA_IDEAS)
        return list(dict.fromkeys([rules, *(c.call for c in found)]))

    def _accepts(
        self, game: int, rows: NDArray[np.intp], known: tuple[Constraint, ...]
    ) -> dict[int, int]:
        """An invitation: partner goes on if they think their hand better than they have shown."""
        declarer = int(self.thought.view.seat.partner)
        model = contract_model(unmoved(self.thought.tricks))
        mind = Mind(model, self.thought.rng, self.inner, PRAGMA_DEEPER)
        deals = self.sample.held.deals[rows]
        better = better_than_shown(deals, known, declarer, ((game - 3) % 5, declarer), mind)
        return {int(r): game if b > 0 else 0 for r, b in zip(rows, better, strict=True)}


def _invited_to(partner: RulesCaller, at: AuctionPosition) -> int | None:
    """The game that our last call invited to, if it was an invitation in a suit or notrump."""
    ctx = partner.context(at)
    last = ctx.told[ctx.partner].call  # the context is partner's: their partner is us
    if last < 3 or ctx.last_bid != last or last in GAME_CALLS:
        return None
    turn = len(at.calls) - 2
    if not invites(call_meaning(partner.reading, partner.context(at.before(turn)), last)):
        return None
    strain = (last - 3) % 5
    return next((c for c in range(last + 1, 38) if c in GAME_CALLS and (c - 3) % 5 == strain), None)


def partner_decides(thought: Thought, sample: RDeals, *, outer: int, inner: int) -> int:
    """Knowledge source 3: correct the values of the choices left for partner's own judgement.

    The correction is the mean over a few R-deals of what their decision changes; it is added to
    every deal's value. Returns how often partner overruled the rules.
    """
    nested = Nested(thought, sample, min(outer, len(sample)), inner)
    race = thought.race
    changes = {i: nested.corrections(i) for i in race.open}
    for i, found in changes.items():
        shift, error = float(found.mean()), float(found.std()) / np.sqrt(len(found))
        if shift:
            shift *= shift**2 / (shift**2 + error**2)  # a few deals prove little
            race.shifts[i] += shift
            race.doubts[i] = min(error, abs(shift))
            call = CALLS[race.calls[i]]
            race.log.append(f"{call} is worth {shift:+.2f} IMPs more when partner judges")
    return nested.overruled
