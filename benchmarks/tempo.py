"""Does a robot's tempo tell its cards? Boards are played at the tables of a server of one's own;
when each call and card appears is set against the hands, which the server's log has afterwards.
`python -m benchmarks.tempo --boards 200 --tables 4`: areas under the curve, 0.5 tells nothing.
With `--keep FILE` what was timed is kept, and told together with what the file already has."""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, field
from itertools import pairwise
from math import sqrt
from pathlib import Path
from typing import Any

import msgspec
from websockets.asyncio.client import connect

from benchmarks.attack_site import Server, Site
from benchmarks.rows import Row, markdown
from overtrick.game import PASS, View
from overtrick.table import TableState
from overtrick.web.events import Dealt, Opened, replayed
from overtrick.web.store import Log

_BAR = 0.05  # how far from one half
_SAME_BEAT = (0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3)  # tricks
_STRONG = 10  # points of a hand that might have done something else than pass


@dataclass(slots=True)
class Seen:
    """One table: when each action of each board appeared in the window."""

    table: str
    times: list[dict[int, float]] = field(default_factory=list)


async def watch(site: Site, boards: int, more: dict[str, Any]) -> Seen:
    """Sit at a new table: pass, and play some legal card."""
    wish = {"seat": "N", "take_over": False, "boards": min(64, boards), **more}
    status, ticket = await asyncio.to_thread(site.ask, "127.0.0.1", "/api/tables", wish)
    if status != 201:
        raise SystemExit(f"no table: {status} {ticket}")
    seen, over, acted = Seen(ticket["table"]), False, -1
    address = f"ws://127.0.0.1:{site.port}/api/tables/{ticket['table']}/socket"
    async with connect(address, max_size=None, ping_interval=None) as window:
        await window.send(json.dumps({"type": "join", "token": ticket["token"]}))
        while True:
            state = json.loads(await asyncio.wait_for(window.recv(), 300))
            now = time.perf_counter()
            if state.get("type") != "state":
                continue
            if not seen.times or (over and state["phase"] != "over"):
                seen.times.append({})
                over, acted = False, -1
            seen.times[-1].setdefault(state["at"], now)
            if state["phase"] == "over":
                if over:
                    continue
                over = True
                if len(seen.times) >= boards:
                    return seen
                await window.send(json.dumps({"type": "next"}))
            elif state["mine"] and state["at"] > acted:
                acted = state["at"]
                deed = (
                    {"type": "call", "call": "Pass"}
                    if state["phase"] == "auction"
                    else {"type": "card", "card": state["legal"][-1]}
                )
                await window.send(json.dumps({**deed, "at": acted}))


def boards_of(log: Log, table: str) -> list[TableState]:
    """What happened on each board of a table, in order."""
    found: list[TableState] = []
    now: Any = None
    for event in log.events(table):
        now = replayed(now, event)  # type: ignore[arg-type]
        if isinstance(event, Opened | Dealt):
            found.append(now.state)
        found[-1] = now.state
    return found


def touching(view: View) -> bool:
    """Are all legal cards of one suit, with nothing between them but cards that are gone?"""
    legal = sorted(view.legal_cards().cards())
    play = view.play
    assert play is not None
    gone = set(play.cards[: len(play.cards) - len(play.trick.cards)])
    return all(
        a.suit == b.suit and all(c in gone for c in range(int(a) + 1, int(b)))
        for a, b in pairwise(legal)
    )


class Deed(msgspec.Struct, frozen=True):
    """An action of a robot: what it was, in which public situation, and how long it took."""

    kind: str
    place: tuple[int, ...]
    seconds: float


def deeds(state: TableState, times: dict[int, float], board: int) -> Iterable[Deed]:
    """What robots did on a board; its pace is known to everybody, so it is compared by itself."""
    at = TableState.start(state.board, systems=state.systems, scoring=state.scoring)
    for i, entry in enumerate(state.log):
        view, actor = at.view(), entry.seat
        at = at.after(entry.decision)
        if i not in times or i + 1 not in times or actor.letter == "N":
            continue
        seconds = times[i + 1] - times[i]
        if view.play is None:
            if entry.decision.action == PASS:
                strong = view.hand.hcp >= _STRONG
                yield Deed("strong pass" if strong else "weak pass", (board,), seconds)
            continue
        trick, position = divmod(len(view.play.cards), 4)
        if position and 1 <= trick <= 11 and view.play.turn != view.play.dummy:
            single = len(view.legal_cards()) == 1
            kind = "single" if single else "touching" if touching(view) else "choice"
            yield Deed(kind, (board, _SAME_BEAT[trick]), seconds)
        elif view.play.turn != view.play.dummy:
            yield Deed("lead or late card", (board, _SAME_BEAT[trick]), seconds)


@dataclass(frozen=True, slots=True)
class Area:
    """The chance that one of the first takes longer than one of the second in the same public
    situation, its standard error over boards, and how many of each there are."""

    value: float
    error: float
    slow: int
    quick: int


def area(slow: Iterable[Deed], quick: Iterable[Deed]) -> Area:
    """How well time tells the first from the second; the first of a place is its board."""
    places: dict[tuple[int, ...], tuple[list[float], list[float]]] = defaultdict(lambda: ([], []))
    for side, found in enumerate((slow, quick)):
        for deed in found:
            places[deed.place][side].append(deed.seconds)
    boards: dict[int, tuple[float, int]] = defaultdict(lambda: (0.0, 0))  # pairs won, pairs
    for place, (a, b) in places.items():
        won, pairs = boards[place[0]]
        won += sum((x > y) + 0.5 * (x == y) for x in a for y in b)
        boards[place[0]] = won, pairs + len(a) * len(b)
    count = [sum(len(p[side]) for p in places.values()) for side in (0, 1)]
    pairs = sum(n for _, n in boards.values())
    if not pairs:
        return Area(0.5, 0.5, *count)
    value = sum(won for won, _ in boards.values()) / pairs
    error = sqrt(sum((won - value * n) ** 2 for won, n in boards.values())) / pairs
    return Area(value, error, *count)


def rows_of(all_of_them: list[Deed]) -> list[Row]:
    kinds: dict[str, list[Deed]] = defaultdict(list)
    for deed in all_of_them:
        kinds[deed.kind].append(deed)
    rows = []
    for what, slow, quick in (
        ("cards: a choice against touching cards", "choice", ("touching",)),
        ("cards: a choice against a single card", "choice", ("single",)),
        ("cards: a choice against none", "choice", ("touching", "single")),
        ("passes: 10 points and more against fewer", "strong pass", ("weak pass",)),
    ):
        found = area(kinds[slow], [d for k in quick for d in kinds[k]])
        text = f"{found.value:.3f} ± {found.error:.3f} (n = {found.slow}, {found.quick})"
        met = abs(found.value - 0.5) <= _BAR
        rows.append(Row(f"tempo, {what}", text, "area within 0.05 of one half", met))
    for kind, times in sorted(kinds.items()):
        taken = [d.seconds for d in times]
        words = f"median {statistics.median(taken):.2f} s, longest {max(taken):.2f} s"
        rows.append(Row(f"tempo, {kind}", f"{words} (n = {len(taken)})"))
    rows.append(Row("tempo, boards", str(len({d.place[0] for d in all_of_them}))))
    return rows


def kept(path: Path) -> list[Deed]:
    """What was timed on earlier boards."""
    if not path.exists():
        return []
    return [msgspec.json.decode(line, type=Deed) for line in path.read_bytes().splitlines()]


async def play(server: Server, boards: int, tables: int, more: dict[str, Any]) -> list[Seen]:
    each = [boards // tables + (i < boards % tables) for i in range(tables)]
    return await asyncio.gather(*(watch(server.site, n, more) for n in each if n))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=200)
    parser.add_argument("--auctions", type=int, default=0, help="boards more that are only bid")
    parser.add_argument("--tables", type=int, default=4, help="that play at the same time")
    parser.add_argument("--bidder", help="the usual one, unless it is named")
    parser.add_argument("--player")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="of deeds, a line each")
    options = parser.parse_args()
    engines: dict[str, Any] = {}
    if options.bidder or options.player:
        bidder, player = options.bidder or "partner", options.player or "pimc(worlds=20)"
        side = {"bidder": bidder, "player": player}
        engines = {"ns": side, "ew": side}
    before = kept(options.keep) if options.keep else []
    server = Server()
    try:
        seen = asyncio.run(play(server, options.boards, options.tables, engines))
        bid = {**engines, "auction_only": True}
        seen += asyncio.run(play(server, options.auctions, options.tables, bid))
    finally:
        server.stop()
    found: list[Deed] = []
    number = max((deed.place[0] for deed in before), default=0)
    with closing(Log(server.folder / "web.sqlite")) as log:
        for table in seen:
            for state, times in zip(boards_of(log, table.table), table.times, strict=True):
                number += 1
                found += deeds(state, times, number)
    if options.keep:
        with options.keep.open("ab") as file:
            file.writelines(msgspec.json.encode(deed) + b"\n" for deed in found)
    rows = rows_of(before + found)
    sys.stdout.write(markdown(rows) + "\n")
    sys.exit(1 if any(row.met is False for row in rows) else 0)


if __name__ == "__main__":
    main()
