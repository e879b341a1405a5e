"""What attacks on a web server came to, as values: kept in a file, told by a page from there."""

from __future__ import annotations

import os
import time
from pathlib import Path

import msgspec

from overtrick.cli.origin import commit, machine

BOUNDS = {"median": 2.0, "99 %": 5.0, "block": 0.2, "recovery": 2.0}  # what is borne


class Struck(msgspec.Struct, frozen=True):
    """One attack: a victim's page in milliseconds at rest and under it, how many times as long in
    the median (nine in ten draws from `low` to `high`) and at the 99th percentile, a call as well,
    how long the loop was late and worked, seconds until all was as before, the server's share of
    a core and megabytes, answers that failed, and the machine's load then."""

    attack: str
    rest: float
    under: float
    times: float
    low: float
    high: float
    times_99: float
    pages: tuple[int, int]
    call: float
    late: float
    worked: float
    recovery: float
    core: float
    memory: float
    errors: int
    load: float

    @property
    def missed(self) -> list[str]:
        """The bounds this is beyond, in words."""
        return [
            words
            for words, value, most in (
                ("page", self.times, BOUNDS["median"]),
                ("page 99 %", self.times_99, BOUNDS["99 %"]),
                ("call", self.call, BOUNDS["median"]),
                ("block", self.worked, BOUNDS["block"]),
                ("recovery", self.recovery, BOUNDS["recovery"]),
                ("errors", self.errors, 0),
            )
            if value > most
        ]


class Siege(msgspec.Struct, frozen=True):
    """All attacks in one way: straight at the server, or with nginx in front. Those that were
    beyond a bound were measured once more, with more answers, and are in both lists."""

    nginx: bool
    rows: list[Struck]
    again: list[Struck] = []

    @property
    def last(self) -> list[Struck]:
        """Every attack as it was measured last."""
        later = {row.attack: row for row in self.again}
        return [later.get(row.attack, row) for row in self.rows]


class Sieges(msgspec.Struct, frozen=True):
    """What was measured, with where it comes from."""

    command: str
    commit: str
    machine: str
    date: str
    sieges: list[Siege]

    @classmethod
    def now(cls, command: str, sieges: list[Siege]) -> Sieges:
        """With this program, machine and day."""
        return cls(command, commit(), machine(), time.strftime("%Y-%m-%d", time.gmtime()), sieges)

    @classmethod
    def read(cls, path: Path) -> Sieges:
        """From a file."""
        return msgspec.json.decode(path.read_bytes(), type=cls)

    def write(self, path: Path) -> None:
        """Into a file, whole."""
        text = msgspec.json.format(msgspec.json.encode(self), indent=1) + b"\n"
        new = path.with_suffix(".new")
        new.write_bytes(text)
        os.replace(new, path)


_COLUMNS = (
    "attack", "page, ms", "times (nine in ten)", "99 %, times", "call, times", "held, s",
    "recovery, s", "core", "MB", "with nginx: page, times", "99 %, times", "recovery, s",
)  # fmt: skip


def table(kept: Sieges) -> str:
    """The attacks as a page shows them."""
    straight, behind = (
        {row.attack: row for s in kept.sieges if s.nginx == nginx for row in s.last}
        for nginx in (False, True)
    )
    lines = [f"| {' | '.join(_COLUMNS)} |", "|---" * len(_COLUMNS) + "|"]
    for name, row in straight.items():
        other = behind.get(name)
        cells = [
            name, f"{row.rest:.1f} → {row.under:.1f}",
            f"{row.times:.2f} ({row.low:.2f}–{row.high:.2f})", f"{row.times_99:.2f}",
            f"{row.call:.2f}", f"{row.worked:.2f}", f"{row.recovery:.2f}", f"{row.core:.2f}",
            f"{row.memory:.0f}",
            *(
                [f"{other.times:.2f}", f"{other.times_99:.2f}", f"{other.recovery:.2f}"]
                if other else ["–"] * 3
            ),
        ]  # fmt: skip
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def words(kept: Sieges) -> str:
    """When, on what and how loaded it was measured, and what was beyond a bound."""
    rows = [row for siege in kept.sieges for row in siege.rows]
    told = [
        f"`{kept.command}` on {kept.date}, {kept.machine}, commit {kept.commit}, load "
        f"{min(r.load for r in rows):.1f} to {max(r.load for r in rows):.1f} (attackers and "
        "victims are a part of it)."
    ]
    for siege in kept.sieges:
        where = "Behind nginx" if siege.nginx else "Without nginx"
        last = siege.last
        told.append(
            f"{where} {len(last)} attacks: the largest median {max(r.times for r in last):.2f} "
            f"times, the largest 99th percentile {max(r.times_99 for r in last):.2f} times, a call "
            f"at most {max(r.call for r in last):.2f} times; the loop worked for "
            f"{max(r.worked for r in last):.2f} s at most without a pause, recovery took "
            f"{max(r.recovery for r in last):.2f} s at most, memory reached "
            f"{max(r.memory for r in last):.0f} MB, {sum(r.errors for r in last)} answers failed."
        )
        first = {row.attack: row for row in siege.rows}
        told += [
            f"`{row.attack}` was measured twice: first {', '.join(first[row.attack].missed)} "
            f"beyond the bound (page {first[row.attack].times:.2f} times, 99 % "
            f"{first[row.attack].times_99:.2f} times), then "
            + (", ".join(row.missed) + " again" if row.missed else "nothing")
            + "."
            for row in siege.again
        ]
    return " ".join(told) + "\n"
