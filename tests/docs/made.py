"""Parts of pages that are made from files: between `<!-- made: NAME -->` and `<!-- end -->`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from benchmarks.attack_kept import Sieges
from benchmarks.attack_kept import table as attacks
from benchmarks.attack_kept import words as attacks_told
from overtrick.arena.league import Results, Row, Schedule, signed, table
from tests import holes
from tests.docs.blocks import ROOT
from tests.notation import twelve

_PART: Final = re.compile(r"(<!-- made: ([a-z-]+) -->\n).*?(<!-- end -->)", re.DOTALL)
_NETWORKS: Final = ROOT / "src" / "overtrick" / "nets" / "models"
_ATTACKS: Final = ROOT / "docs" / "results" / "attacks.json"
_LEAGUE: Final = ROOT / "docs" / "results" / "league.json"


def pages() -> list[Path]:
    """Every page with such a part."""
    found = [ROOT / "README.md", ROOT / "NOTICE", *sorted((ROOT / "docs").rglob("*.md"))]
    return [p for p in found if _PART.search(p.read_text(encoding="utf-8"))]


def renewed(text: str) -> str:
    """The page with every part made anew."""
    return _PART.sub(lambda found: f"{found[1]}{_MAKERS[found[2]]()}\n{found[3]}", text)


def _league() -> str:
    schedule = Schedule.read(ROOT / "docs" / "results" / "league.toml")
    return table(schedule, Results.read(_LEAGUE)) + "\n"


def _league_when() -> str:
    """When, on what and by which commits the matches were played."""
    results = Results.read(_LEAGUE)
    dates = sorted({r.date for r in results.rows})
    commits = sorted({commit for r in results.rows for commit in r.commit.split(", ")})
    machines = sorted({r.machine for r in results.rows})
    when = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
    many = "commits" if len(commits) > 1 else "commit"
    return f"Played {when} on {'; '.join(machines)}, {many} {', '.join(commits)}.\n"


def _league_told() -> str:
    """Where the figures come from: the deals and the command."""
    results = Results.read(_LEAGUE)
    return (
        f"{_league_when()}Deals: seed {results.seed}, drawn before the first board (SHA-256 "
        f"`{results.commitment[:16]}…`).\nThe command:\n\n```\n{results.command}\n```\n"
    )


def _league_more() -> str:
    """Openings, declared systems and the director's rulings of every match."""
    lines = [
        "| match | declares | openings on 0–3, 4–7, 8–11, 12–15, 16+ | rulings | commit |",
        "|---|---|---|---|---|",
    ]
    for row in Results.read(_LEAGUE).rows:
        for mine, other in ((row.a, row.b), (row.b, row.a)):
            rates = ", ".join("–" if r is None else f"{100 * r:.0f}" for r in mine.opening_rates)
            lines.append(
                f"| {mine.name} against {other.name}{_how(row)} | {mine.declares} "
                f"| {rates} % | {mine.rulings} | {row.commit} |"
            )
    return "\n".join(lines) + "\n"


def _league_played() -> str:
    """Where the margins with all cards come from, and the tricks that each side gave up."""
    rows = [r for r in Results.read(_LEAGUE).rows if r.shares]
    if not rows:
        return "No match with all cards has been played.\n"
    lines = [
        "| match | IMPs a board by part, as double dummy sees it | tricks given up a room, ours "
        "and theirs |",
        "|---|---|---|",
    ]
    for row in rows:
        shares = "; ".join(f"{part} {signed(*value)}" for part, value in row.shares.items())
        tricks = "; ".join(
            f"{part} {value[0]:.2f} ± {value[1]:.2f}, "
            f"{row.b.given_up[part][0]:.2f} ± {row.b.given_up[part][1]:.2f}"
            for part, value in row.a.given_up.items()
            if part in row.b.given_up
        )
        lines.append(f"| {row.a.name} against {row.b.name} | {shares} | {tricks} |")
    return "\n".join(lines) + "\n"


def _how(row: Row) -> str:
    return ", all cards" if row.play else ""


def _ratings() -> str:
    lines = ["| robot | scored | IMPs a board above the average of the league |", "|---|---|---|"]
    for r in Results.read(_LEAGUE).ratings:
        how = "all cards played" if r.play else "double dummy"
        lines.append(f"| {r.name} | {how} | {signed(r.imps, r.error)} |")
    return "\n".join(lines) + "\n"


def _networks() -> str:
    """The networks of the package as their cards tell: size, recipe, what each learned from, and
    the files that its oldest recorded ancestor began with."""
    lines = [
        "| network | MB | recipe | what it learned from | recorded back to |",
        "|---|---|---|---|---|",
    ]
    for path in sorted(_NETWORKS.glob("*.json")):
        card = json.loads(path.read_text(encoding="utf-8"))
        made = card["made_by"]
        size = next(
            f"{p.stat().st_size / 1e6:.1f}"
            for p in (path.with_suffix(".onnx"), path.with_suffix(".npz"))
            if p.exists()
        )
        told = card.get("data") or f"`{made['settings']['deals']}`"
        lines.append(f"| `{path.stem}` | {size} | {made['recipe']} | {told} | {_oldest(made)} |")
    return "\n".join(lines) + "\n"


def _oldest(made: dict[str, Any]) -> str:
    """What the first step that a card records began with."""
    ancestors = made.get("ancestors", {})
    first = ancestors.get("1", made)
    settings = first.get("settings", {})
    names = [settings.get(key) for key in ("supervised", "resume", "policy", "start", "auctions")]
    files = [f"`{name}`" for name in names if name and name != "None"]
    if first["recipe"] == "nothing":
        return "its teacher, which has no record of its own"
    return f"{first['recipe']}" + (f" from {', '.join(files)}" if files else "")


_MAKERS: Final[dict[str, Callable[[], str]]] = {
    "league": _league,
    "league-told": _league_told,
    "league-when": _league_when,
    "league-more": _league_more,
    "league-played": _league_played,
    "league-ratings": _ratings,
    "networks": _networks,
    "attacks": lambda: attacks(Sieges.read(_ATTACKS)),
    "attacks-told": lambda: attacks_told(Sieges.read(_ATTACKS)),
    "holes": holes.table,
    "formats": twelve.table,
}
