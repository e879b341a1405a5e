"""The figures of docs/results/web.md in one run of about thirteen minutes, as a Markdown table.
Run by hand on a quiet machine: `python -m tests.web.measure`, with `--seconds 30` for a try or
`--page` for the page alone (half a minute)."""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from tests.web.browsing import CHROMIUM, FLAGS, Server, Window, board, sync_api
from tests.web.soak import main as soak

TIMES = 10


# What Lighthouse looks at, measured by the browser itself.
WATCH = """
  window.seen = {shift: 0, blocked: 0, largest: 0};
  const on = (type, take) => new PerformanceObserver((l) => l.getEntries().forEach(take))
    .observe({type, buffered: true});
  on('layout-shift', (e) => { seen.shift += e.value; });
  on('longtask', (e) => { seen.blocked += Math.max(0, e.duration - 50); });
  on('largest-contentful-paint', (e) => { seen.largest = e.startTime; });
"""
PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"


def page(server: Server) -> tuple[int, list[float], list[dict[str, float]]]:
    """Bytes of a first load as they came over the wire, seconds until the hand is there, and what
    the browser says about each load."""
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        weights, seconds, seen = [], [], []
        for _ in range(TIMES):
            window = Window(browser, server, viewport={"width": 1280, "height": 800})
            ticket = window.sit(**board(11))
            sizes: list[int] = []
            fresh = Window(browser, server, viewport={"width": 1280, "height": 800})
            fresh.page.on("requestfinished", lambda r, s=sizes: s.append(_size(r)))
            fresh.context.add_init_script(
                f"localStorage.setItem('overtrick.tickets', JSON.stringify([{_js(ticket)}]))"
            )
            fresh.page.add_init_script(WATCH)
            started = time.monotonic()
            fresh.page.goto(f"{server.address}/table/{ticket['table']}")
            fresh.page.wait_for_selector(".mine-hand .card")
            seconds.append(time.monotonic() - started)
            fresh.page.wait_for_timeout(200)
            weights.append(sum(sizes))
            seen.append({**fresh.page.evaluate("seen"), "paint": fresh.page.evaluate(PAINT)})
            fresh.close()
            window.close()
        browser.close()
    return max(weights), seconds, seen


def _size(request: Any) -> int:
    return int(request.sizes()["responseBodySize"])


def _js(ticket: dict[str, Any]) -> str:
    import json

    return json.dumps({**ticket, "at": 1})


@contextmanager
def fresh(folder: str, name: str) -> Iterator[Server]:
    """A new server that has loaded its engines; what it logs is kept."""
    server = Server(Path(folder) / f"{name}.sqlite", Path(folder) / f"{name}.log")
    try:
        urlopen(server.address + "/api/engines", timeout=60).read()
        time.sleep(3)
        yield server
    finally:
        server.stop()


def tables(server: Server, idle: int, active: int, seconds: float, pause: float) -> dict[str, Any]:
    """The soak with these numbers."""
    options = argparse.Namespace(
        server=server.address, idle=idle, active=active, seconds=seconds, pause=pause,
        pid=server.process.pid,
    )  # fmt: skip
    return asyncio.run(soak(options))


def main(seconds: float, page_only: bool = False) -> None:
    """Measure, and print the table."""
    say = sys.stdout.write
    say(f"load at the start {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores\n\n")
    say("| what | wanted | found |\n|---|---|---|\n")
    with tempfile.TemporaryDirectory() as folder:
        with fresh(folder, "page") as server:
            weight, shown, seen = page(server)
            say(
                f"| page weight, compressed, fonts included | < 450 KB | {weight / 1024:.0f} KB |\n"
            )
            say(
                f"| address to hand visible, empty cache, {TIMES} times | < 1 s | median "
                f"{statistics.median(shown):.2f} s, slowest {max(shown):.2f} s |\n"
            )
            first, largest, blocked = (
                statistics.median(s[k] for s in seen) for k in ("paint", "largest", "blocked")
            )
            say(
                f"| first and largest paint, blocked, layout shift | < 1 s, < 1 s, –, 0 | median "
                f"{first / 1000:.2f} s, {largest / 1000:.2f} s, {blocked / 1000:.2f} s; "
                f"{max(s['shift'] for s in seen):.3f} |\n"
            )
            sys.stdout.flush()
        for name, idle, active, most, pause in (
            ("4 tables live", 0, 4, 60.0, 1.0),
            ("50 idle and 10 active tables", 50, 10, 600.0, 4.0),
        )[: 0 if page_only else 2]:
            with fresh(folder, name) as server:
                found = tables(server, idle, active, min(most, seconds), pause)
            ruled = (Path(folder) / f"{name}.log").read_text().count("had no time")
            _row(name, found, ruled)
    say(f"\nload at the end {os.getloadavg()[0]:.1f}\n")


def _row(name: str, found: dict[str, Any], ruled: int) -> None:
    memory, alone = found["memory_mb"], found["server_mb"]
    sys.stdout.write(
        f"| robots' answers, {name}, {found['robot_actions']} answers on {found['boards']} boards "
        f"| ≤ 2 s, median < 1 s | median {found['median_s']} s, 95 % ≤ {found['p95_s']} s, 99 % ≤ "
        f"{found['p99_s']} s, slowest {found['slowest_s']} s; "
        f"{ruled} cards by rule for want of time |\n"
        f"| the same: errors, rulings, memory of all processes | none, none, no growth | "
        f"{len(found['errors'])} errors {found['errors'][:2] or ''}, {found['rulings']} rulings, "
        f"{' → '.join(f'{m:.0f}' for m in memory)} MB; the server alone {alone[0]:.0f} → "
        f"{alone[len(alone) // 2]:.0f} → {alone[-1]:.0f} MB |\n"
    )
    sys.stdout.flush()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600.0, help="of the long run")
    parser.add_argument("--page", action="store_true", help="the page alone")
    options = parser.parse_args()
    main(options.seconds, options.page)
