"""The paper's claims one by one, and whether the numbers here bear them out.

There is a verdict only beyond two standard errors, of differences and of shares alike; where
something was trained they are over seeds and deals, and fewer than three seeds say nothing."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from overtrick_lab.papers.qiu2024.matches import SEARCHER, label
from overtrick_lab.papers.qiu2024.numbers import Numbers
from overtrick_lab.papers.qiu2024.results import surest
from overtrick_lab.training.disclosure import BANDS, ONE_LEVEL, TABLE_V

SURE: Final = 2.0
"""Standard errors."""
OPEN: Final = "too few boards"
UNTRAINED: Final = "too few trainings"
FEWEST: Final = 30
"""Openings, contracts or hands whose share is judged."""
SEEDS: Final = 3
"""Trainings before there is a verdict on a recipe."""
_GAMES: Final = {(2, 4): "3NT", (3, 2): "4♥", (3, 3): "4♠"}


@dataclass(frozen=True, slots=True)
class PaperClaim:
    """What the paper says, what is seen here, and whether it holds: yes, no, or `OPEN`."""

    words: str
    said: str
    seen: str
    holds: str


def claims(numbers: Numbers) -> list[PaperClaim]:
    """All of them for which something was measured."""
    return [
        *_strength(numbers),
        *_left_out(numbers),
        *_belief(numbers),
        *_style(numbers),
    ]


def verdict(difference: float, error: float | None) -> str:
    """Is it above zero?"""
    if error is None or abs(difference) <= SURE * error:
        return OPEN
    return "yes" if difference > 0 else "no"


def share_verdict(count: int, total: int, limit: float) -> str:
    """Is a share above a limit? Of fewer than `FEWEST` things it is not said."""
    if total < FEWEST:
        return OPEN
    share = count / total
    # A share of 0 or 1 in few boards is no certainty: one board is added on either side.
    sure = (count + 1) / (total + 2)
    return verdict(share - limit, (sure * (1 - sure) / total) ** 0.5)


def together(*verdicts: str) -> str:
    """All must hold; one that does not decides."""
    return "no" if "no" in verdicts else OPEN if OPEN in verdicts else "yes"


def _not(verdict: str) -> str:
    return {"yes": "no", "no": "yes"}.get(verdict, verdict)


def _strength(numbers: Numbers) -> Iterator[PaperClaim]:
    scores = {(m["a"], m["b"]): m["score"] for m in numbers["matches"]}
    for pair, words, said in (
        (("RL", "SL"), "self-play beats imitation", "+0.87 ± 0.02"),
        ((SEARCHER, "RL"), "search beats the policy alone", "+0.30"),
    ):
        found = [scores[pair]] if pair in scores else []
        if pair[0] == SEARCHER:
            found += _searched(numbers)
        if found:
            score = max(found, key=lambda one: int(one["deals"]))
            yield _difference(words, said, score["imps"], score["error"])


def _searched(numbers: Numbers) -> list[dict[str, Any]]:
    """The same match as the first row of Table IV's searches, which is usually the longest."""
    return [
        {**row, "deals": search["deals"]}
        for search in numbers["searches"]
        for row in search["engines"]
        if (label(row["engine"]), label(search["opponent"])) == (SEARCHER, "RL")
    ]


def _difference(words: str, said: str, imps: float, error: float | None) -> PaperClaim:
    shown = "" if error is None else f" ± {error:.3f}"
    return PaperClaim(words, said, f"{imps:+.3f}{shown}", verdict(imps, error))


def _left_out(numbers: Numbers) -> Iterator[PaperClaim]:
    """Table IV: each part's worth, on the same deals."""
    parts = {
        "table-i-no-priority": ("prioritised replay helps (Table I, the paper's reward)", "+0.15"),
        "table-i-no-hidden": (
            "a critic that sees hidden hands helps (Table I, the paper's reward)",
            "+0.10",
        ),
        "a2c-no-priority": ("prioritised replay helps (in A2C)", "+0.15"),
        "a2c-no-hidden": ("a critic that sees hidden hands helps (in A2C)", "+0.10"),
        "no-hidden": ("a critic that sees hidden hands helps (in our recipe)", "+0.10"),
        "no-past-selves": ("past selves help (in our recipe)", "–"),
    }
    for entry in surest(numbers["ablations"]):
        if entry["variant"] in parts and "base" in entry:
            words, said = parts[entry["variant"]]
            count = len(entry["base_is_better_every_seed"])
            each = f"{count} trainings each" if count > 1 else "one training each"
            found = _difference(
                f"{words}, {each}", said, entry["base_is_better_by"], entry["paired_error"]
            )
            sure = count >= SEEDS and found.holds != OPEN
            yield found if sure else replace(found, holds=UNTRAINED)
    for search in numbers["searches"]:
        for row in search["belief"]:
            words = f"worlds from a belief network help ({row['filter']})"
            yield _difference(words, "+0.18", row["imps"], row["error"])


def _belief(numbers: Numbers) -> Iterator[PaperClaim]:
    points = {p["calls"]: p for p in numbers["belief"]["points"]}
    if 0 in points and 2 in points and 8 in points:
        early, late = points[2], points[8]
        fall, error = (
            early["loss"] - late["loss"],
            (early["error"] ** 2 + late["error"] ** 2) ** 0.5,
        )
        seen = (
            f"{points[0]['loss']:.4f}, {early['loss']:.4f}, {late['loss']:.4f} after 0, 2, 8 calls"
        )
        words = "the belief gets better as the auction goes on, uniform deals do not"
        yield PaperClaim(words, "a falling curve", seen, verdict(fall, error))


def _style(numbers: Numbers) -> Iterator[PaperClaim]:
    agents = numbers["agents"]
    if "RL" in agents:
        yield _conforms(agents["RL"])
        yield _light(agents["RL"])
    for name in ("RL", "RL-BMCS"):
        if name in agents:
            yield _low_openings(name, agents[name])
            yield _favourites(name, agents[name])
            yield _usual_length(name, agents[name])


def _conforms(agent: dict[str, Any]) -> PaperClaim:
    made = {bid: agent["conformity"][bid] for bid in ONE_LEVEL}
    seen = ", ".join(f"{100 * c['fits'] / c['made']:.1f}" for c in made.values() if c["made"])
    said = ", ".join(f"{TABLE_V[bid][0]:.1f}" for bid in ONE_LEVEL)
    holds = together(
        *(share_verdict(c["fits"], c["made"], TABLE_V[bid][0] / 100) for bid, c in made.items())
    )
    return PaperClaim(
        "one-level openings of RL stay natural (% as SAYC has them)", said, seen, holds
    )


def _light(agent: dict[str, Any]) -> PaperClaim:
    rates = list(agent["opening_rates"].values())
    seen = ", ".join(f"{100 * rate:.1f}" for rate in rates) + " %"
    hands = [sum(column) for column in zip(*agent["by_points"], strict=True)]
    by_band = [sum(hands[low : high + 1]) for low, high in BANDS]
    pairs = zip(itertools.pairwise(rates), itertools.pairwise(by_band), strict=True)
    rises = [
        OPEN
        if min(n, m) < FEWEST
        else verdict(b - a, ((a * (1 - a) + 0.25 / n) / n + (b * (1 - b) + 0.25 / m) / m) ** 0.5)
        for (a, b), (n, m) in pairs
    ]
    few = sum(hands[:8])
    light = _not(share_verdict(round(agent["light_rate"] * few), few, 0.15))
    holds = together(*rises, light)
    return PaperClaim("RL opens more often the stronger it is, under 15 % on 0-7", "–", seen, holds)


def _low_openings(name: str, agent: dict[str, Any]) -> PaperClaim:
    rows = [sum(row) for row in agent["openings"]]
    low, total = sum(rows[:2]), sum(rows)
    words = f"most openings of {name} are at the one and two level"
    holds = share_verdict(low, total, 0.5)
    return PaperClaim(words, "most", f"{100 * low / max(total, 1):.1f} %", holds)


def _favourites(name: str, agent: dict[str, Any]) -> PaperClaim:
    """Are 3NT, four hearts and four spades the three most frequent contracts?"""
    cells = {(i, j): n for i, row in enumerate(agent["contracts"]) for j, n in enumerate(row)}
    total = max(sum(cells.values()), 1)
    seen = ", ".join(f"{word} {100 * cells[cell] / total:.1f} %" for cell, word in _GAMES.items())
    least = min(cells[cell] for cell in _GAMES)
    most = max(n for cell, n in cells.items() if cell not in _GAMES)
    holds = verdict(least - most, (least + most + 1) ** 0.5) if total >= FEWEST else OPEN
    return PaperClaim(f"{name} likes 3NT, 4♥ and 4♠ best", "so", seen, holds)


def _usual_length(name: str, agent: dict[str, Any]) -> PaperClaim:
    lengths, games = agent["lengths"], agent["games"]
    usual, long = sum(lengths[6:16]), sum(lengths[21:])
    seen = f"{100 * usual / max(games, 1):.1f} %, {100 * long / max(games, 1):.1f} %"
    holds = together(share_verdict(usual, games, 0.5), _not(share_verdict(long, games, 0.05)))
    words = f"most auctions of {name} have 6 to 15 calls, few more than 20"
    return PaperClaim(words, "most, few", seen, holds)
