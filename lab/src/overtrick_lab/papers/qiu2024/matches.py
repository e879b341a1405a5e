"""The matches behind the tables: who plays whom, each kept in a file, and what came out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

from overtrick.arena.job import Match
from overtrick.arena.match import MatchProgress, play_match
from overtrick.arena.results import BoardResult, RoomResult
from overtrick.arena.run import Backend
from overtrick.arena.stats import estimate
from overtrick.arena.store import Store
from overtrick.engines import Spec, parse_spec, split_outside
from overtrick.game import OptionError
from overtrick.notation.solved import SolvedDeals
from overtrick_lab.papers.qiu2024 import rooms

SEARCHER: Final = "RL-BMCS"
ENGINES: Final = {
    "RL": "policy",
    SEARCHER: "bmcs(seconds=20)",
    "SL": "policy(net=sl)",
    "rules": "rules",
}
"""The paper's names. `seconds=20`: bmcs' batches fix its work, not how busy the machine is."""
WBRIDGE5: Final = "WBridge5"
"""The paper's opponent, if somebody has let it play (`overtrick tm serve`)."""
PUBLISHED: Final = "Algorithm 3"
ALGORITHM_3: Final = "algorithm3"
"""The search as printed (`overtrick_lab.engines.algorithm3`): deals are thrown away by the
probability of each call in them, everybody bids as we do, leaves are solved, nothing leaves early,
and the call of the largest sum is made. The paper prints no sizes (R_MIN, R_MAX, P_MAX, k, p_min):
they are ours."""
VARIANTS: Final = (
    "bmcs(seconds=60)",
    "bmcs(seconds=60, belief='')",
    "bmcs(seconds=60, weighting=rejection)",
    "bmcs(seconds=60, belief='', weighting=rejection)",
    "bmcs(seconds=60, weighting=none)",
    "bmcs(seconds=60, belief='', weighting=none)",
    "algorithm3(tricks=tricks)",
)
"""Table IV's searches: with the belief network and without it, under each way to weigh worlds, and
Algorithm 3 with leaves by the tricks network, which makes a long match affordable."""
PAIRS: Final = (
    ("RL", "SL"),
    ("RL", "rules"),
    ("SL", "rules"),
    (SEARCHER, "RL"),
    (SEARCHER, "SL"),
    (SEARCHER, "rules"),
)
VULNERABLE: Final = ("nobody", "one side", "both sides")
HELD_OUT: Final = 10_000
"""The last deals of double_dummy.npz, on which nothing was trained."""
_VERSUS: Final = "-v-"
_NO_MATTER: Final = frozenset({"seconds", "threads", "disclose"})

Pair = tuple[str, str]


class PlayedMatch(Protocol):
    """A match that can be looked into."""

    def results(self) -> Iterator[BoardResult]: ...


Stores = Mapping[Pair, PlayedMatch]
Tell = Callable[[Pair, MatchProgress], None]
Numbers = dict[str, Any]


@dataclass(frozen=True, slots=True)
class MatchSetting:
    """How many deals, which ones, and where the matches are kept."""

    folder: Path
    deals: int
    search_deals: int
    source: str = "random"
    offset: int = 0
    seed: int = 0

    def on_solved(self, path: Path) -> MatchSetting:
        """The same on the held-out deals of a file."""
        offset = max(len(SolvedDeals.load(path)) - HELD_OUT, 0)
        return replace(self, source=str(path), offset=offset)

    @property
    def words(self) -> str:
        if self.source == "random":
            return "random"
        return f"the last {HELD_OUT:,} of {Path(self.source).name}, never trained on"

    def boards(self, pair: Pair) -> int:
        return self.search_deals if {SEARCHER, PUBLISHED} & {*pair} else self.deals

    def file(self, pair: Pair) -> Path:
        return self.folder / f"{pair[0]}{_VERSUS}{pair[1]}.sqlite"


def label(engine: str) -> str:
    """The paper's name of an engine, or the engine; options of the clock do not matter."""
    wanted = _essence(parse_spec(split_outside(engine, "+", 1)[0]))
    named = {**ENGINES, PUBLISHED: ALGORITHM_3}
    names = [name for name, known in named.items() if _essence(parse_spec(known)) == wanted]
    return names[0] if names else engine


def _essence(spec: Spec) -> Spec:
    return Spec(spec.name, {k: v for k, v in spec.options.items() if k not in _NO_MATTER})


def kept(paths: Iterable[Path]) -> Stores:
    """Matches played before, by the names of their sides: a file of `overtrick match --db`, or a
    PBN of both rooms, whose teams are called by the paper's names or by their own."""
    stores: dict[Pair, PlayedMatch] = {}
    for path in paths:
        pair, match = _tabled(path) if path.suffix.lower() == ".pbn" else _stored(path)
        if pair in stores:
            raise OptionError(f"{path} is a second match of {pair[0]} and {pair[1]}")
        stores[pair] = match
    return stores


def _stored(path: Path) -> tuple[Pair, PlayedMatch]:
    store = Store(path)
    return (label(store.job.a), label(store.job.b)), store


def _tabled(path: Path) -> tuple[Pair, PlayedMatch]:
    """Ours first, as in the paper's tables."""
    found = rooms.read(path)
    if found.b in ENGINES and found.a not in ENGINES:
        found = found.turned()
    return (found.a, found.b), found


def play(
    at: MatchSetting,
    wanted: Iterable[Pair],
    engines: Mapping[str, str],
    backend: Backend,
    tell: Tell,
) -> Stores:
    """Every match in a file of its own; what is missing of it is played."""
    stores: dict[Pair, PlayedMatch] = {}
    for pair in wanted:
        job = Match(
            engines[pair[0]],
            engines[pair[1]],
            at.boards(pair),
            seed=at.seed,
            deals=at.source,
            offset=at.offset,
            chunk=10,
        )
        stores[pair] = store = Store(at.file(pair), job)
        found = play_match(job, store, backend, progress=partial(tell, pair))
        tell(pair, MatchProgress(found.boards, job.boards, found))
    return stores


def pairs(engines: Mapping[str, str]) -> list[Pair]:
    """The paper's pairs, and every other engine given against RL and SL."""
    usual = [pair for pair in PAIRS if pair[0] in engines and pair[1] in engines]
    published = [(PUBLISHED, "RL")] if PUBLISHED in engines else []
    others = [name for name in engines if name not in ENGINES and name != PUBLISHED]
    past = [pair for name in others for pair in (("RL", name), (name, "SL"))]
    return [*usual, *published, *past]


def stored(folder: Path) -> Stores:
    """What earlier runs left; the files say who played."""
    stores: dict[Pair, PlayedMatch] = {}
    for path in sorted(folder.glob(f"*{_VERSUS}*.sqlite")):
        a, _, b = path.stem.partition(_VERSUS)
        stores[a, b] = Store(path)
    return stores


def in_order(stores: Stores) -> Stores:
    """The paper's pairs first."""
    order = [*(pair for pair in PAIRS if pair in stores), *(p for p in stores if p not in PAIRS)]
    return {pair: stores[pair] for pair in order}


def numbers(stores: Stores) -> Numbers:
    """Table III as plain data: every match, and what search adds against the same opponent."""
    return {
        "matches": [_line(pair, store) for pair, store in stores.items()],
        "gains": list(_gains(stores)),
        "cases": list(_cases(stores)),
    }


def _cases(stores: Stores, most: int = 2) -> Iterator[Numbers]:
    """The boards on which we won and lost most, against WBridge5 if it has played."""
    wanted = ((SEARCHER, WBRIDGE5), ("RL", WBRIDGE5), (SEARCHER, "RL"), ("RL", "SL"))
    pair = next((p for p in wanted if p in stores), None)
    results = stores[pair].results() if pair is not None else ()
    played = sorted(results, key=lambda r: (-r.imps, r.number))
    for result in [*played[:most], *played[-most:][::-1]] if len(played) >= 2 * most else []:
        board = result.board()
        rooms = ((pair, result.open), (pair[::-1] if pair else None, result.closed))
        yield {
            "deal": board.deal.pbn(),
            "dealer": str(board.dealer),
            "vul": str(board.vul),
            "imps": result.imps,
            "rooms": [
                {
                    "north_south": sides[0] if sides else "",
                    "auction": str(room.auction(board.dealer)),
                    "contract": room.contract or "passed out",
                    "score": room.score,
                }
                for sides, room in rooms
            ],
        }


def _score(imps: list[int]) -> Numbers:
    found = estimate(imps)
    error = round(found.error, 4) if len(imps) > 1 else None
    return {"deals": len(imps), "imps": round(found.mean, 4), "error": error}


def _line(pair: Pair, store: PlayedMatch) -> Numbers:
    won: dict[str, list[int]] = {name: [] for name in VULNERABLE}
    for result in store.results():
        won[VULNERABLE[result.vul.bit_count()]].append(result.imps)
    return {
        "a": pair[0],
        "b": pair[1],
        "score": _score([imps for part in won.values() for imps in part]),
        "by_vulnerability": {name: _score(part) for name, part in won.items()},
    }


def _gains(stores: Stores) -> Iterator[Numbers]:
    """RL-BMCS less RL against the same opponent, on the boards that both have played."""
    for opponent in ("SL", "rules", WBRIDGE5):
        search, plain = stores.get((SEARCHER, opponent)), stores.get(("RL", opponent))
        if search is None or plain is None:
            continue
        scores = {_key(result): result.imps for result in plain.results()}
        more = [r.imps - scores[_key(r)] for r in search.results() if _key(r) in scores]
        if more:
            yield {"agent": SEARCHER, "over": "RL", "against": opponent, "score": _score(more)}


def _key(result: BoardResult) -> tuple[str, int, int]:
    return result.deal, result.dealer, result.vul


class AgentTable(NamedTuple):
    """One table, and the side on which an agent sat there."""

    board: BoardResult
    room: RoomResult
    side: int


def tables(stores: Stores, agent: str) -> Iterator[AgentTable]:
    """Every table of an agent in these matches."""
    for (a, b), store in stores.items():
        if agent in (a, b):
            side = 0 if agent == a else 1
            for board in store.results():
                yield AgentTable(board, board.open, side)
                yield AgentTable(board, board.closed, 1 - side)
