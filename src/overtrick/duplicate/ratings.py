"""How strong people and pairs are, in IMPs a board, with the error of that: one linear model of all
results, carried from occasion to occasion (a Kalman filter).

A table's result is compared with the other tables of its board, so the cards cancel. What is left
is the strength of North-South less that of East-West, and chance. A pair is as strong as its two
people and what they have in common; on a day everybody is in some form, and strength moves
slowly. Robots are anchors: their strength is given, and theirs is where nought is. Where nobody
has met one, directly or through others, the people themselves are nought on the average.

People whose results against each other are far out of line with all that is known of both (who
always does badly against the same friend) count against each other as little as that leaves.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from overtrick.game import Record, imps

Floats = NDArray[np.float64]
Names = tuple[str, str]

_TOGETHER: Final = 0.5  # of the spread between people: what two have in common
_LEVEL: Final = 3.0  # IMPs by which all people may be better or worse than the robots
_USUAL: Final = 5.0  # the spread of a result, while few are known, …
_FEW: Final = 100.0  # … which is as much as so many results tell
_DOUBTED: Final = 3.0  # errors by which two people must be out of line
_PASSES: Final = 3  # looks for such people: the first ones hide others
_STEP: Final = 2**0.5  # between two spreads that are tried
_STEPS: Final = 6


@dataclass(frozen=True, slots=True)
class RankedResult:
    """What one table did on a board. `occasion` is an evening or a match, `day` counts days;
    `seats` name who sat North, East, South and West; `score` is North-South's."""

    board: str
    occasion: str
    day: float
    seats: tuple[str, str, str, str]
    score: int

    @property
    def pairs(self) -> tuple[Names, Names]:
        north, east, south, west = self.seats
        return _pair(north, south), _pair(east, west)


@dataclass(frozen=True, slots=True)
class Strength:
    """IMPs a board, the standard error, and how many boards it rests on."""

    value: float
    error: float
    boards: int


@dataclass(frozen=True, slots=True)
class Doubt:
    """Two people of opposite sides who are out of line: IMPs a board for the first one beyond
    what was to be expected, in errors, over so many boards."""

    people: Names
    imps: float
    errors: float
    boards: int


@dataclass(frozen=True, slots=True)
class Strengths:
    """Everybody's strength after the last occasion. `anchored` says whether nought is where the
    robots are; else it is the average of the people."""

    people: dict[str, Strength]
    pairs: dict[Names, Strength]
    anchored: bool
    doubts: tuple[Doubt, ...]
    place: Mapping[str, int]
    covariance: Floats

    def between(self, a: str, b: str) -> Strength:
        """By how much a is stronger than b: what both met together does not blur it."""
        one, two, cov = self.place[a], self.place[b], self.covariance
        error = sqrt(max(0.0, float(cov[one, one] + cov[two, two] - 2 * cov[one, two])))
        value = self.people[a].value - self.people[b].value
        return Strength(value, error, min(self.people[a].boards, self.people[b].boards))


def strengths(
    results: Iterable[RankedResult], anchors: Mapping[str, float] | None = None
) -> Strengths:
    """Everybody's strength, from all results; `anchors` are robots, with theirs.

    >>> rows = [RankedResult(f"{n}", "Monday", 0, seats, score) for n in range(20)
    ...         for seats, score in ((("Ann", "x", "Bob", "y"), 420), (("u", "p", "v", "q"), -50))]
    >>> found = strengths(rows)
    >>> found.pairs["Ann", "Bob"].value > found.pairs["x", "y"].value
    True
    """
    return _Season(list(results), anchors or {}).strengths()


def results_of(records: Iterable[Record], occasion: str = "") -> list[RankedResult]:
    """The results of an evening's records that name everybody and have a score. Boards of one
    number on one day are the same board."""
    found = []
    for record in records:
        score, names = record.ns_score, [name.strip() for name in record.names]
        if score is None or record.number is None or not all(names):
            continue
        day = record.tags.get("Date", "")
        deal = record.deal.pbn() if record.deal is not None else ""
        north, east, south, west = names
        found.append(
            RankedResult(
                f"{record.number} {deal}", f"{occasion} {record.tags.get('Event', '')} {day}",
                _day(day), (north, east, south, west), score,
            )
        )  # fmt: skip
    return found


def _day(text: str) -> float:
    """A date as PBN writes it, as a number of days; what is none counts as one day."""
    try:
        return float(date.fromisoformat(text.replace(".", "-")).toordinal())
    except ValueError:
        return 0.0


@dataclass(frozen=True, slots=True)
class Spreads:
    """How different people are, in IMPs a board: between them, of a pair's form from one occasion
    to another, and of a person in the square root of a week. Clubs are not alike, so these are the
    likeliest ones for the results, among what is common; the defaults are what is expected."""

    people: float = 0.4
    form: float = 0.3
    drift: float = 0.05

    @property
    def uncommon(self) -> float:
        """How unlike what is expected: half of it or twice as much is one deviation."""
        usual = Spreads()
        logs = (
            np.log2(self.people / usual.people), np.log2(self.form / usual.form),
            np.log2(self.drift / usual.drift),
        )  # fmt: skip
        return float(sum(x * x for x in logs)) / 2


def _pair(a: str, b: str) -> Names:
    return (a, b) if a <= b else (b, a)


@dataclass(frozen=True, slots=True)
class _Occasion:
    """The results of an occasion: who sat against whom, and IMPs for North-South across the field.
    `ns` and `ew` are places in `pairs`; `boards` numbers the boards from 0."""

    day: float
    pairs: tuple[Names, ...]
    ns: NDArray[np.int64]
    ew: NDArray[np.int64]
    boards: NDArray[np.int64]
    won: Floats

    def against_field(self, design: Floats) -> Floats:
        """Less the mean of the board: what all tables share cancels."""
        count = np.bincount(self.boards).astype(float)
        sums = np.zeros((len(count), design.shape[1]))
        np.add.at(sums, self.boards, design)
        found: Floats = design - (sums / count[:, None])[self.boards]
        return found

    @property
    def design(self) -> Floats:
        """Each result by pairs: North-South's strength less East-West's, against the field."""
        rows = np.arange(len(self.won))
        found = np.zeros((len(rows), len(self.pairs)))
        found[rows, self.ns] += 1
        found[rows, self.ew] -= 1
        return self.against_field(found)


def _occasions(results: Sequence[RankedResult]) -> list[_Occasion]:
    """What can be compared: boards that two tables or more played on one occasion."""
    found: dict[str, dict[str, list[RankedResult]]] = defaultdict(lambda: defaultdict(list))
    for r in results:
        found[r.occasion][r.board].append(r)
    made = []
    for boards in found.values():
        places: dict[Names, int] = {}
        ns, ew, which, won = [], [], [], []
        day = max(r.day for rows in boards.values() for r in rows)
        for number, rows in enumerate(b for b in boards.values() if len(b) > 1):
            for r in rows:
                north, east = r.pairs
                ns.append(places.setdefault(north, len(places)))
                ew.append(places.setdefault(east, len(places)))
                which.append(number)
                won.append(sum(imps(r.score - o.score) for o in rows) / len(rows))
        if won:
            array = np.array
            made.append(
                _Occasion(day, tuple(places), array(ns), array(ew), array(which), array(won))
            )
    return sorted(made, key=lambda o: o.day)


@dataclass(frozen=True, slots=True)
class _Telling:
    """What an occasion tells of the strength of its pairs: precision, weighted sum, and the
    logarithm of how likely it is (but for what no spread changes)."""

    precision: Floats
    weighted: Floats
    likely: float


@dataclass(frozen=True, slots=True)
class _Filtered:
    """What is known after the last occasion, and how likely all of them were."""

    value: Floats
    covariance: Floats
    likely: float


class _Season:
    """All occasions, and the state that is carried through them: people first, then pairs."""

    def __init__(self, results: list[RankedResult], anchors: Mapping[str, float]) -> None:
        self.anchors = anchors
        self.occasions = _occasions(results)
        pairs = dict.fromkeys(p for o in self.occasions for p in o.pairs)
        people = dict.fromkeys(n for p in pairs for n in p if n not in anchors)
        self.person = {name: i for i, name in enumerate(people)}
        own = [p for p in pairs if any(n in self.person for n in p)]
        self.pair = {p: len(people) + i for i, p in enumerate(own)}
        self.selected = [self._selected(o.pairs) for o in self.occasions]
        self.noise = self._noise()
        self.spreads, self.state = self._likeliest()

    def _noise(self) -> float:
        """The variance of one result around what its pairs were worth on the day."""
        left, free = _FEW * _USUAL**2, _FEW
        for o in self.occasions:
            design = o.design
            fitted = design @ np.linalg.lstsq(design, o.won, rcond=None)[0]
            left += float(((o.won - fitted) ** 2).sum())
            boards = int(o.boards.max()) + 1
            free += max(0, len(o.won) - boards - len(o.pairs) + 1)
        return left / free

    def strengths(self) -> Strengths:
        doubts: dict[Names, Doubt] = {}
        for _ in range(_PASSES):
            found = {d.people: d for d in self._doubts(self.state)}
            if found.keys() <= doubts.keys():
                break
            doubts |= found
            self.state = self._carried(self.spreads, self._all_told(self.spreads, doubts))
        return self._shown(self.state, tuple(doubts.values()))

    def _likeliest(self) -> tuple[Spreads, _Filtered]:
        """The spreads under which the results are likeliest, by climbing from what is expected."""
        spreads = Spreads()
        told = self._all_told(spreads, {})
        best = self._carried(spreads, told)
        for _ in range(_STEPS):
            before = spreads
            for name in ("form", "people", "drift"):
                for factor in (_STEP, 1 / _STEP):
                    tried = replace(spreads, **{name: getattr(spreads, name) * factor})
                    again = self._all_told(tried, {}) if name == "form" else told
                    state = self._carried(tried, again)
                    if state.likely > best.likely:
                        spreads, best, told = tried, state, again
                        break
            if spreads == before:
                break
        return spreads, best

    # ------------------------------------------------------------ one occasion

    def _all_told(self, spreads: Spreads, doubts: Mapping[Names, Doubt]) -> list[_Telling]:
        return [self._told(o, spreads.form, doubts) for o in self.occasions]

    def _told(self, o: _Occasion, form: float, doubts: Mapping[Names, Doubt]) -> _Telling:
        """What an occasion tells of its pairs. Everybody's form, and what doubted people do to
        each other, is integrated out."""
        design, won = o.design, o.won
        robots = [i for i, p in enumerate(o.pairs) if all(n in self.anchors for n in p)]
        days = np.full(len(o.pairs), 1 / form**2)
        days[robots] = 1e12  # robots are the same every day
        nuisance, prior = [design], [days]
        for between, excess in self._doubted(o, doubts):
            nuisance.append(o.against_field(between[:, None]))
            prior.append(np.array([1 / excess**2]))
        z = np.hstack(nuisance)
        inner = z.T @ z / self.noise + np.diag(np.concatenate(prior))
        cross = design.T @ z / self.noise
        kept = np.linalg.solve(inner, np.column_stack((cross.T, z.T @ won / self.noise)))
        precision = design.T @ design / self.noise - cross @ kept[:, :-1]
        weighted = design.T @ won / self.noise - cross @ kept[:, -1]
        known = np.concatenate(prior)
        likely = float(z.T @ won / self.noise @ kept[:, -1] + np.log(known).sum()) / 2
        return _Telling(precision, weighted, likely - float(np.linalg.slogdet(inner)[1]) / 2)

    def _doubted(
        self, o: _Occasion, doubts: Mapping[Names, Doubt]
    ) -> Iterable[tuple[Floats, float]]:
        """For each two doubted people their results of the occasion, and how far out they are."""
        if not doubts:
            return
        met: dict[Names, Floats] = {}
        for row, (ns, ew) in enumerate(zip(o.ns, o.ew, strict=True)):
            for a in o.pairs[ns]:
                for b in o.pairs[ew]:
                    if (key := _pair(a, b)) in doubts:
                        rows = met.setdefault(key, np.zeros(len(o.won)))
                        rows[row] = 1 if a == key[0] else -1
        for key, rows in met.items():
            yield rows, abs(doubts[key].imps)

    # ------------------------------------------------------------ all occasions

    def _selected(self, pairs: Sequence[Names]) -> tuple[Floats, Floats]:
        """How pairs are made of the state, and what of them is given."""
        chosen = np.zeros((len(pairs), len(self.person) + len(self.pair)))
        given = np.zeros(len(pairs))
        for i, pair in enumerate(pairs):
            for name in pair:
                if name in self.anchors:
                    given[i] += self.anchors[name]
                else:
                    chosen[i, self.person[name]] += 1
            if pair in self.pair:
                chosen[i, self.pair[pair]] += 1
        return chosen, given

    def _carried(self, spreads: Spreads, told: Sequence[_Telling]) -> _Filtered:
        """Through all occasions, one after the other."""
        people, size = len(self.person), len(self.person) + len(self.pair)
        value = np.zeros(size)
        together = _TOGETHER * spreads.people
        cov = np.diag(
            np.r_[np.full(people, spreads.people**2), np.full(size - people, together**2)]
        )
        cov[:people, :people] += _LEVEL**2
        last: dict[int, float] = {}
        likely = -spreads.uncommon
        for o, new, (chosen, given) in zip(self.occasions, told, self.selected, strict=True):
            for i in dict.fromkeys(self.person[n] for p in o.pairs for n in p if n in self.person):
                cov[i, i] += spreads.drift**2 * max(0.0, o.day - last.get(i, o.day)) / 7
                last[i] = o.day
            spread = cov @ chosen.T
            expected = chosen @ value + given
            inner = np.eye(len(o.pairs)) + new.precision @ chosen @ spread
            surprise = new.weighted - new.precision @ expected
            both = np.column_stack((surprise, new.precision @ spread.T))
            solved = np.linalg.solve(inner, both)
            step = spread @ solved[:, 0]
            likely += new.likely - float(np.linalg.slogdet(inner)[1]) / 2
            likely += float((new.weighted + surprise) @ expected + surprise @ chosen @ step) / 2
            value = value + step
            cov = cov - spread @ solved[:, 1:]
            cov = (cov + cov.T) / 2
        return _Filtered(value, cov, likely)

    def _doubts(self, state: _Filtered) -> list[Doubt]:
        """People of opposite sides who do better, or worse, against each other than all else says.

        Everything they did is compared with what both are worth now; form makes it less sure."""
        sums: dict[Names, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
        cov, form = state.covariance, self.spreads.form
        for o, (chosen, given) in zip(self.occasions, self.selected, strict=True):
            left = o.won - o.design @ (chosen @ state.value + given)
            count = np.bincount(o.boards).astype(float)[o.boards]
            here: dict[Names, list[float]] = defaultdict(lambda: [0.0, 0.0])
            for ns, ew, x, tables in zip(
                o.ns.tolist(), o.ew.tolist(), left.tolist(), count.tolist(), strict=True
            ):
                share = 1 - 1 / tables  # of what two people do, the rest is in the board's mean
                for a in o.pairs[ns]:
                    for b in o.pairs[ew]:
                        if a in self.person and b in self.person:
                            key = _pair(a, b)
                            cell = here[key]
                            cell[0] += x / share if a == key[0] else -x / share
                            cell[1] += 1
            for key, (won, boards) in here.items():
                cell = sums[key]
                cell[0] += won
                cell[1] += boards
                cell[2] += boards * self.noise + 2 * (boards * form) ** 2
        found, together = [], _TOGETHER * self.spreads.people
        for key, (won, boards, variance) in sums.items():
            a, b = (self.person[n] for n in key)
            known = cov[a, a] + cov[b, b] - 2 * cov[a, b] + 2 * together**2
            errors = won / sqrt(variance + boards**2 * float(known))
            if abs(errors) > _DOUBTED:
                found.append(Doubt(key, won / boards, errors, int(boards)))
        return found

    # ------------------------------------------------------------ what is shown

    def _shown(self, state: _Filtered, doubts: tuple[Doubt, ...]) -> Strengths:
        value, cov = state.value, state.covariance
        people = len(self.person)
        anchored = any(n in self.anchors for o in self.occasions for p in o.pairs for n in p)
        level = np.zeros(len(value))
        if not anchored:
            level[:people] = 1 / people if people else 0.0
        boards: dict[Names, int] = defaultdict(int)
        one = np.eye(len(value))
        for o in self.occasions:
            for i in (*o.ns.tolist(), *o.ew.tolist()):
                boards[o.pairs[i]] += 1

        def strength(row: Floats, given: float, count: int) -> Strength:
            error = sqrt(max(0.0, float(row @ cov @ row)))
            return Strength(float(row @ value) + given, error, count)

        persons = {
            name: strength(
                one[i] - level, 0.0,
                sum(count for pair, count in boards.items() if name in pair),
            )
            for name, i in self.person.items()
        }  # fmt: skip
        own = list(self.pair)
        chosen, given = self._selected(own)
        pairs = {
            pair: strength(row - row[:people].sum() * level, float(fixed), boards[pair])
            for pair, row, fixed in zip(own, chosen, given, strict=True)
        }
        return Strengths(persons, pairs, anchored, doubts, self.person, cov)
