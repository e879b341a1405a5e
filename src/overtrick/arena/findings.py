"""What an audit says: rules and auctions ranked by the IMPs they lose, and who wants another call.

A finding is a set of a rule and a set that would have allowed another call. Its loss is the mean
over all deals of what the other call gains in the deal itself, in both rooms together, so it adds
to the IMPs a board of a match. What imagined worlds say is a second witness. Findings are ranked by
what both say together, less its standard error: of hundreds of comparisons some look large by luck.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from random import Random
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from overtrick.arena.stats import Estimate, estimate
from overtrick.bidding.audit import (
    GENERIC_ONLY,
    Audited,
    AuditedCall,
    AuditSettings,
    Other,
    SystemFault,
    WorldGains,
)
from overtrick.evaluation import HandArray, feature
from overtrick.game import CALLS, Hand
from overtrick.game.calls import strain_of
from overtrick.nets.contract import imps_of
from overtrick.nets.inference import models
from overtrick.systems.properties import Silly

LEADING: Final = 40  # findings whose decisions are imagined
_CASES: Final = 4  # shown of each finding
_TIMES: Final = 5  # a finding came up so often at least
_WITNESS: Final = 4  # imagined decisions that count as evidence
_LEAST: Final = 0.05  # no error of a mean is believed to be smaller, in IMPs
_SPLIT: Final = 30  # decisions from which on it is asked which hands want the other call
_ENOUGH: Final = 8  # hands on either side of a split
_FAULT_CASES: Final = 3

Key = tuple[str, str]
Pair = tuple[AuditedCall, Other]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Case:
    """One decision as a reader sees it."""

    auction: str
    hand: str
    bid: str
    better: str
    gain: float  # in the deal itself
    imagined: float | None = None
    error: float | None = None

    def __str__(self) -> str:
        seen = (
            "" if self.imagined is None else f", {self.imagined:+.1f} ± {self.error:.1f} imagined"
        )
        return f"{self.hand} {self.auction}: {self.better}, not {self.bid} ({self.gain:+.0f}{seen})"


@dataclass(frozen=True, slots=True)
class Finding:
    """Where the rules lose: what was called and what would have been better.

    `what` is a rule's set or an auction, `instead` the rule's set or the call that gains; `lost`
    is IMPs a deal, `gain` IMPs each time; `imagined` the same in imagined worlds, if looked at.
    """

    what: str
    instead: str
    words: str
    other_words: str
    calls: str
    times: int
    lost: float
    lost_error: float
    gain: float
    gain_error: float
    imagined: float | None
    imagined_error: float | None
    imagined_times: int
    wants: str
    cases: tuple[Case, ...]

    @property
    def rank(self) -> float:
        """IMPs a deal that are lost at least, give or take one standard error, by both witnesses:
        each counts as its error allows. A few imagined decisions do not know their own error."""
        if self.imagined is None or self.imagined_error is None or self.imagined_times < _WITNESS:
            return self.lost - self.lost_error
        weights = [1 / max(e, _LEAST) ** 2 for e in (self.gain_error, self.imagined_error)]
        mean = (weights[0] * self.gain + weights[1] * self.imagined) / sum(weights)
        scale = self.lost / self.gain if self.gain else 0.0
        return scale * (mean - 1 / sqrt(sum(weights)))


@dataclass(frozen=True, slots=True)
class FaultFound:
    """A fault that came up, how often, and the first hands."""

    kind: str
    auction: str
    what: str
    count: int
    hands: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ConventionGain:
    """What a convention gains (IMPs a deal, both rooms) and in how many deals it matters."""

    name: str
    gain: float
    error: float
    changed: int


@dataclass(frozen=True, slots=True)
class Findings:
    """Everything an audit has found."""

    settings: AuditSettings
    boards: int
    decisions: int
    choices: int
    result: Estimate
    judgement: Estimate
    rules: tuple[Finding, ...]
    auctions: tuple[Finding, ...]
    faults: tuple[FaultFound, ...]
    kinds: dict[str, int]  # calls with each kind of fault
    conventions: tuple[ConventionGain, ...]

    @property
    def result_words(self) -> str:
        """How the audited side fared, where there is an opponent to beat."""
        return f"{self.result}; " if self.is_match else f"{self.boards:,} deals; "

    @property
    def is_match(self) -> bool:
        return self.settings.against in models()

    def share(self, kind: str) -> float:
        """The share of all decisions that have this fault."""
        return self.kinds[kind] / max(1, self.decisions)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for `--json`."""
        return asdict(self)


def findings_of(
    settings: AuditSettings, parts: Sequence[Audited], imagined: Sequence[WorldGains]
) -> Findings:
    """The parts in the order of their deals, and what was imagined of them."""
    judged = [j for part in parts for j in part.judged]
    seen = {(i.deal, i.turn): i for i in imagined}
    boards = sum(len(part.scores) for part in parts)
    scores = np.array([row for part in parts for row in part.scores]).reshape(-1, 2)
    proved = [i.proved for i in imagined]
    return Findings(
        settings,
        boards,
        sum(part.decisions for part in parts),
        len(judged),
        estimate(imps_of(scores.sum(axis=1)).tolist()),
        estimate(proved, [i.deal for i in imagined]),
        _ranked(judged, seen, boards, _by_rule),
        _ranked(judged, seen, boards, _by_auction),
        _faults(f for part in parts for f in part.faults),
        _kinds(f for part in parts for f in part.faults),
        _conventions(parts, scores),
    )


def chosen_to_imagine(parts: Sequence[Audited], each: int) -> list[AuditedCall]:
    """So many decisions of each leading finding, drawn without a look at what was gained in them;
    all decisions when `each` is -1."""
    judged = [j for part in parts for j in part.judged]
    if each < 0:
        return judged
    boards = sum(len(part.scores) for part in parts)
    groups = _grouped(judged, _by_rule)
    leading = sorted(groups, key=lambda key: -_rank(groups[key], boards))[: LEADING if each else 0]
    wanted: dict[tuple[int, int], AuditedCall] = {}
    for key in leading:
        pairs = sorted(groups[key], key=lambda pair: (pair[0].deal, len(pair[0].calls)))
        for j, _ in Random(repr(key)).sample(pairs, min(each, len(pairs))):
            wanted[j.deal, len(j.calls)] = j
    return [wanted[key] for key in sorted(wanted)]


def _by_rule(judged: AuditedCall, other: Other) -> Key:
    return judged.rule, other.rule


def _by_auction(judged: AuditedCall, other: Other) -> Key:
    return judged.auction, f"{_call(other.call)}, not {_call(judged.call)}"


def _call(call: int) -> str:
    return str(CALLS[call])


def _grouped(
    judged: Iterable[AuditedCall], key: Callable[[AuditedCall, Other], Key]
) -> dict[Key, list[Pair]]:
    groups: dict[Key, list[Pair]] = defaultdict(list)
    for j in judged:
        taken = set()
        for other in j.others:
            name = key(j, other)
            if name not in taken:  # one set may allow several calls: the first it prefers
                taken.add(name)
                groups[name].append((j, other))
    return {name: pairs for name, pairs in groups.items() if len(pairs) >= _TIMES}


def _loss(pairs: Sequence[Pair], boards: int) -> tuple[float, float]:
    """IMPs a deal and the standard error; deals in which it did not come up count as 0."""
    sums: dict[int, float] = defaultdict(float)
    for j, other in pairs:
        sums[j.deal] += other.gain
    values = np.array(list(sums.values()))
    mean = float(values.sum()) / boards
    spread = float((values**2).sum()) / boards - mean**2
    return mean, sqrt(max(spread, 0.0) / max(boards - 1, 1))


def _rank(pairs: Sequence[Pair], boards: int) -> float:
    lost, error = _loss(pairs, boards)
    return lost - error


def _ranked(
    judged: Sequence[AuditedCall],
    seen: dict[tuple[int, int], WorldGains],
    boards: int,
    key: Callable[[AuditedCall, Other], Key],
) -> tuple[Finding, ...]:
    """The worst alternative of each rule or auction that loses, worst first."""
    groups = _grouped(judged, key)
    found = [
        _finding(name, groups[name], seen, boards)
        for name in sorted(groups)
        if _rank(groups[name], boards) > 0
    ]
    found.sort(key=lambda finding: -finding.rank)
    first: dict[str, Finding] = {}
    for finding in found:
        first.setdefault(finding.what, finding)
    return tuple(first.values())


def _finding(
    name: Key, pairs: list[Pair], seen: dict[tuple[int, int], WorldGains], boards: int
) -> Finding:
    each = estimate([o.gain for _, o in pairs], [j.deal for j, _ in pairs])
    found = [(i, j, o) for j, o in pairs if (i := seen.get((j.deal, len(j.calls)))) is not None]
    means = [i.gains[j.others.index(o)] for i, j, o in found]
    imagined = estimate(means, [j.deal for _, j, _ in found])
    called = Counter((j.call, o.call) for j, o in pairs).most_common(2)
    example = pairs[0]
    return Finding(
        *name,
        example[0].words,
        example[1].words,
        "; ".join(f"{_call(o)}, not {_call(c)}" for (c, o), _ in called),
        len(pairs),
        *_loss(pairs, boards),
        each.mean,
        each.error,
        imagined.mean if found else None,
        imagined.error if len(found) > 1 else None,
        len(found),
        _wants(pairs),
        _cases(pairs, seen),
    )


def _cases(pairs: list[Pair], seen: dict[tuple[int, int], WorldGains]) -> tuple[Case, ...]:
    """Those that show it best: imagined ones by what they gain there, then the deals' own gains."""
    cases = []
    for j, o in pairs:
        i = seen.get((j.deal, len(j.calls)))
        place = j.others.index(o)
        mean, error = (None, None) if i is None else (i.gains[place], i.errors[place])
        better = _call(o.call) + (f" [{o.lacks}]" if o.lacks else "")
        hand = str(Hand(j.hand))
        cases.append(Case(j.auction, hand, _call(j.call), better, o.gain, mean, error))
    cases.sort(key=lambda c: (c.imagined is None, -(c.imagined or 0.0), -c.gain))
    return tuple(cases[:_CASES])


def _wants(pairs: list[Pair]) -> str:
    """The hands that want the other call: the best single split on deals of even number, with what
    it gives on the odd ones."""
    if len(pairs) < _SPLIT:
        return ""
    gains = np.array([o.gain for _, o in pairs])
    even = np.array([j.deal % 2 == 0 for j, _ in pairs])
    best: tuple[float, str, NDArray[np.bool_]] | None = None
    for name, column in _columns(pairs).items():
        for least in np.unique(column)[1:]:
            more = column >= least
            for text, inside in (
                (f"{name} {least:g}+", more),
                (f"{name} ..{column[~more].max():g}", ~more),
            ):
                many = int((inside & even).sum())
                if min(many, int(even.sum()) - many, int((inside & ~even).sum())) < _ENOUGH:
                    continue
                total = float(gains[inside & even].sum())
                if best is None or total > best[0]:
                    best = total, text, inside
    if best is None or best[0] <= max(0.0, float(gains[even].sum())):
        return ""
    _, text, inside = best
    here, rest = estimate(gains[inside & ~even].tolist()), estimate(gains[~inside & ~even].tolist())
    return (
        f"{text} ({100 * inside.mean():.0f} % of the hands): {here.mean:+.1f} ± {here.error:.1f} "
        f"each time, others {rest.mean:+.1f} ± {rest.error:.1f}"
    )


def _columns(pairs: list[Pair]) -> dict[str, Floats]:
    """What hands are told apart by: strength, shape, the suit in question, vulnerability."""
    hands = HandArray(np.array([j.hand for j, _ in pairs], np.uint64))
    lengths = np.stack([np.asarray(hands.look("length", s), float) for s in range(4)], axis=1)
    strains = np.array([_strain(j, o) for j, o in pairs])
    theirs = np.array([_their_suit(j) for j, _ in pairs])
    found = {
        "hcp": np.asarray(feature("HCP")(hands), float),
        "longest suit": lengths.max(axis=1),
        "shortest suit": lengths.min(axis=1),
        "controls": np.asarray(feature("CONTROLS")(hands), float),
        "vulnerable": np.array([float(j.is_vulnerable) for j, _ in pairs]),
    }
    for name, suits in (("cards in the suit bid", strains), ("cards in their suit", theirs)):
        if (suits < 4).all():
            found[name] = np.take_along_axis(lengths, suits[:, None], axis=1)[:, 0]
    return found


def _their_suit(judged: AuditedCall) -> int:
    """The suit that the opponents bid last; 4 where there is none."""
    calls = judged.calls[::-1][::2]  # the last call is theirs
    return next((strain_of(call) for call in calls if call > 2 and strain_of(call) < 4), 4)


def _strain(judged: AuditedCall, other: Other) -> int:
    """The strain of the rule's bid, or else of the other one; 4 where there is no suit."""
    bid = judged.call if judged.call > 2 else other.call
    return strain_of(bid) if bid > 2 else 4


def _faults(faults: Iterable[SystemFault]) -> tuple[FaultFound, ...]:
    count: Counter[tuple[str, str, str]] = Counter()
    hands: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for f in faults:
        key = f.kind, f.auction, f"{_call(f.call)} {f.rule}" if f.rule else ""
        count[key] += f.count
        if len(hands[key]) < _FAULT_CASES:
            hands[key].append(str(Hand(f.hand)))
    order = sorted(count, key=lambda key: (key[0], -count[key], key))
    return tuple(FaultFound(*key, count[key], tuple(hands[key])) for key in order)


def _kinds(faults: Iterable[SystemFault]) -> dict[str, int]:
    found = dict.fromkeys([*map(str, Silly), GENERIC_ONLY], 0)
    for f in faults:
        found[f.kind] += f.count
    return found


def _conventions(parts: Sequence[Audited], scores: Floats) -> tuple[ConventionGain, ...]:
    """Paired: the same deals and opponents, with the convention and without."""
    found = []
    for name in parts[0].without if parts else ():
        others = np.array([row for part in parts for row in part.without[name]])
        result = estimate(imps_of(scores - others).sum(axis=1).tolist())
        changed = int((scores != others).any(axis=1).sum())
        found.append(ConventionGain(name, result.mean, result.error, changed))
    return tuple(sorted(found, key=lambda c: c.gain))
