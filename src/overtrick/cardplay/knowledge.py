"""From what a seat sees to weighted worlds: cards and voids always, then the auction, the lead, the
defenders' carding and declarer's line. Each kind of evidence can be switched off to measure it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from overtrick.cardplay.agreed import agreed_likelihood
from overtrick.cardplay.carding import STANDARD, Carding
from overtrick.cardplay.declaring import declarer_likelihood
from overtrick.cardplay.policy import choice_likelihood
from overtrick.cardplay.reading import Floats
from overtrick.cardplay.sampling import Hands, all_layouts, deal_layouts
from overtrick.cardplay.scenes import scenes
from overtrick.cardplay.situation import Situation
from overtrick.cardplay.voices import Voices, voices_of
from overtrick.engines.clock import Clock, worked
from overtrick.game import OptionError, Seat
from overtrick.worlds.weighted import effective, fewer

_PROPOSALS: Final = 25  # layouts weighed by the cards played, for each world kept
_DEALT: Final = 5  # layouts dealt and weighed by the auction for each of those
_ASKED: Final = 2  # layouts that readers of learned styles are asked about for each of those
_TOLD: Final = 8  # layouts that bidders themselves are asked about, for each world kept
_DEALS: Final = 5  # times that, at most, where the auction leaves few of them
_FITTING: Final = 4  # layouts that fit the auction, for each world kept, are enough
_ROUNDS: Final = 3
_AHEAD: Final = 3  # times what a round takes must be left on the clock for another one


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is believed, from 0 (ignored) to 1 (taken at its word)."""

    auction: float = 1.0
    belief: float = 1.0  # a network's, within the auction, where systems cannot be asked
    voices: bool = True  # are those who may have bid like that asked through networks?
    lead: float = 0.0
    carding: float = 0.0
    line: float = 0.0  # declarer's cards, as a defender reads them
    ours: Carding = STANDARD  # how a defender reads partner's cards
    theirs: Carding = STANDARD  # how declarer reads the defenders'

    @property
    def any(self) -> bool:
        return bool(self.auction or self.lead or self.carding or self.line)


CARDS: Final = Evidence(auction=0.0)
KINDS: Final = {
    "cards": CARDS,
    "auction": Evidence(),
    "lead": Evidence(lead=1.0),
    "carding": Evidence(carding=1.0),
    "line": Evidence(line=1.0),
    # Not quite at its word: worth the same against players like ours, and safer against others.
    "all": Evidence(auction=0.85, lead=0.85, carding=0.85, line=0.85),
}


def evidence(name: str) -> Evidence:
    """By name: cards, auction, lead, carding, line (each with the auction), or all."""
    if name not in KINDS:
        raise OptionError(f"no knowledge called {name!r}; there are {', '.join(KINDS)}")
    return KINDS[name]


@dataclass(frozen=True, slots=True)
class Worlds:
    """Layouts that could be. `hands[i, seat]` are remaining cards; the weights sum to 1."""

    hands: Hands
    weights: Floats
    complete: bool = False  # every possible layout is here
    effective: float = 0.0  # of the proposals, how many count

    def __len__(self) -> int:
        return len(self.hands)

    def part(self, start: int, stop: int) -> Worlds:
        """Some of the worlds, in the order they were drawn."""
        weights = self.weights[start:stop]
        return replace(self, hands=self.hands[start:stop], weights=weights / weights.sum())


def sample_worlds(
    at: Situation, n: int, rng: Generator, kind: Evidence, clock: Clock | None = None
) -> Worlds:
    """About n worlds: all layouts when there are no more, else drawn and resampled by weight.

    With evidence, layouts that differ in touching cards only count as one (the solver and every
    player see no difference), and so n worlds stand for many more; fewer than n may come back.
    """
    everything = all_layouts(at, n)
    if everything is not None:
        everything = rng.permutation(everything)
        weights = _normalised(_log_weights(at, everything, kind))
        return Worlds(everything, weights, True, 1 / float((weights**2).sum()))
    if not kind.any:
        return Worlds(deal_layouts(at, n, rng), np.full(n, 1 / n), False, float(n))
    hands, logs = weighed_layouts(at, n, rng, kind, clock)
    weights = _normalised(logs)
    effective = 1 / float((weights**2).sum())
    if len(at.hidden) == 2:
        first, weights = _merged(_kinds_of_layout(at, hands[:, at.hidden[0]]), weights)
        hands = hands[first]
    picked, share = fewer(weights, n, rng)
    order = rng.permutation(len(picked))  # so that the first of them stand for all
    return Worlds(hands[picked[order]], share[order], False, effective)


def listed_worlds(at: Situation, most: int, kind: Evidence) -> tuple[Hands, Floats] | None:
    """Every layout with its weight, those that differ in touching cards only as one; None when
    there are more than `most`. For judges: players think about fewer."""
    everything = all_layouts(at, most)
    if everything is None:
        return None
    weights = _normalised(_log_weights(at, everything, kind))
    first, weights = _merged(_kinds_of_layout(at, everything[:, at.hidden[0]]), weights)
    return everything[first], weights


def weighed_layouts(
    at: Situation, n: int, rng: Generator, kind: Evidence, clock: Clock | None = None
) -> tuple[Hands, Floats]:
    """Layouts with log-weights, more of them until they are worth n (or the rounds are over)."""
    everything = all_layouts(at, _PROPOSALS * n)
    if everything is not None:
        order = rng.permutation(len(everything))
        return everything[order], _log_weights(at, everything[order], kind)
    began = worked()
    hands, logs = _round(at, n, rng, kind)
    took = worked() - began
    for _ in range(_ROUNDS - 1):
        weights = _normalised(logs)
        if 1 / float((weights**2).sum()) >= n:
            break
        if clock is not None and clock.late(_AHEAD * took):
            break
        more, their_logs = _round(at, n, rng, kind)
        hands, logs = np.concatenate([hands, more]), np.concatenate([logs, their_logs])
    return hands, logs


def _round(at: Situation, n: int, rng: Generator, kind: Evidence) -> tuple[Hands, Floats]:
    """Layouts for n worlds with log-weights; many more are dealt, and the auction chooses.

    The auction is weighed quickly and rules most layouts out, in some auctions nearly all: then
    more are dealt. Readers answer slowly, the cards played are weighed slowly, and bidders
    themselves, who are asked last, answer most slowly.
    """
    count = _PROPOSALS * n
    hands = deal_layouts(at, _DEALT * count, rng)
    logs = _auction_weights(at, hands, kind)
    for _ in range(_DEALS - 1 if kind.auction else 0):
        if effective(logs) >= _FITTING * n:
            break
        more = deal_layouts(at, _DEALT * count, rng)
        hands = np.concatenate([hands, more])
        logs = np.concatenate([logs, _auction_weights(at, more, kind)])
    dealt, asked = len(hands), voices(at, kind)
    if asked:
        read = _ASKED * count if any(v.style for v in asked) else count
        hands, logs = _chosen(hands, logs, read, 1, rng)
        logs += _read_weights(at, hands, kind)
    # Rounds differ in how well they fit, and that has to show: the mean weight stays with them.
    hands, logs = _chosen(hands, logs, count, dealt, rng)
    logs += _played_weights(at, hands, kind)
    if asked:
        hands, logs = _chosen(hands, logs, _TOLD * n, 1, rng)
        logs += _asked_weights(at, hands, kind, logs)
    return hands, logs


def _chosen(
    hands: Hands, logs: Floats, count: int, dealt: int, rng: Generator
) -> tuple[Hands, Floats]:
    """At most so many layouts that stand for all, which were `dealt` at first; the mean weight
    stays with them."""
    picked, share = fewer(_normalised(logs), count, rng)
    top = float(logs.max())
    level = top + float(np.log(np.exp(logs - top).sum() / dealt))
    return hands[picked], np.log(share) + level


def _log_weights(at: Situation, hands: Hands, kind: Evidence) -> Floats:
    logs = _auction_weights(at, hands, kind) + _read_weights(at, hands, kind)
    logs += _asked_weights(at, hands, kind, logs)
    return logs + _played_weights(at, hands, kind)


def _auction_weights(at: Situation, hands: Hands, kind: Evidence) -> Floats:
    """The quick opinion."""
    out = np.zeros(len(hands))
    if kind.auction:
        glance = {v.seat: v.glance for v in voices(at, kind)}
        for seat in map(Seat, at.hidden):
            word = kind.auction * glance.get(seat, 1.0)
            out += word * agreed_likelihood(at.view, seat, _full(at, hands, seat), kind.belief)
    return out


def voices(at: Situation, kind: Evidence) -> tuple[Voices, ...]:
    """Who may have made the calls of the hidden seats, where they can be asked."""
    if not kind.auction or not kind.voices:
        return ()
    found = (voices_of(at.view, Seat(seat), kind.belief) for seat in at.hidden)
    return tuple(each for each in found if each is not None)


def _read_weights(at: Situation, hands: Hands, kind: Evidence) -> Floats:
    """What readers say of the auction, in place of the quick opinion about their seats."""
    out = np.zeros(len(hands))
    for each in voices(at, kind):
        full = _full(at, hands, each.seat)
        quick = agreed_likelihood(at.view, each.seat, full, kind.belief)
        out += kind.auction * (each.read(full) - each.glance * quick)
    return out


def _asked_weights(at: Situation, hands: Hands, kind: Evidence, logs: Floats) -> Floats:
    """What bidders themselves say, in place of what their readers do."""
    out = np.zeros(len(hands))
    for each in voices(at, kind):
        out += kind.auction * each.asked(_full(at, hands, each.seat), logs + out)
    return out


def _full(at: Situation, hands: Hands, seat: int) -> NDArray[np.uint64]:
    """Whole hands of a seat: what it holds, and what it has played."""
    return hands[:, seat] | np.uint64(at.shown[seat])


def _played_weights(at: Situation, hands: Hands, kind: Evidence) -> Floats:
    if kind.lead or kind.carding or kind.line:
        return played_likelihood(at, hands, kind)
    return np.zeros(len(hands))


def played_likelihood(at: Situation, hands: Hands, kind: Evidence) -> Floats:
    """log P(cards the hidden hands played | those hands), world by world.

    Declarer's hand is read from dummy's cards too, since declarer chose them.
    """
    out = np.zeros(len(hands))
    dummy_hand = at.view.dummy
    if dummy_hand is None:
        return out
    declarer, dummy = int(at.contract.declarer), int(at.contract.dummy)
    seats = (*at.hidden, dummy) if declarer in at.hidden else at.hidden
    carding = kind.theirs if at.declaring else kind.ours
    later = [0, 0, 0, 0]
    for scene in reversed(list(scenes(at.view.auction, at.play, dummy_hand.bits, seats))):
        later[scene.seat] |= 1 << scene.card
        theirs = scene.seat in (declarer, dummy)
        seat = declarer if theirs else scene.seat
        then = hands[:, seat] | np.uint64(later[seat])
        if theirs and kind.line:
            out += kind.line * declarer_likelihood(scene, then)
        trust = kind.carding if scene.index else kind.lead
        if not theirs and trust:
            out += trust * choice_likelihood(scene, then, carding)
    return out


def _normalised(logs: Floats) -> Floats:
    weights = np.exp(logs - logs.max())
    found: Floats = weights / weights.sum()
    return found


def _kinds_of_layout(at: Situation, hand: NDArray[np.uint64]) -> NDArray[np.int64]:
    """A number for each layout; equal numbers differ in touching cards only.

    Touching: hidden cards of a suit with no card in sight, alive or in this trick, between them.
    """
    seen = at.alive() & ~at.pool
    key = np.zeros(len(hand), np.int64)
    run = size = 0
    for card in range(53):
        ends = card % 13 == 0 or seen >> card & 1
        if ends and run:
            key = key * (size + 1) + np.bitwise_count(hand & np.uint64(run))
            run = size = 0
        if card < 52 and at.pool >> card & 1:
            run |= 1 << card
            size += 1
    return key


def _merged(keys: NDArray[np.int64], weights: Floats) -> tuple[NDArray[np.intp], Floats]:
    """The first layout of each kind, and the weight of all of its kind."""
    _, first, kind = np.unique(keys, return_index=True, return_inverse=True)
    return first, np.bincount(kind, weights=weights).astype(float)
