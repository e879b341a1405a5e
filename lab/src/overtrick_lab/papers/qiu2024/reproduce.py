"""From the matches to all numbers of the report: who plays, whose auctions are looked into."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from overtrick.arena.run import Backend
from overtrick.game import Contract, Deal
from overtrick.nets.features import CARD_AT
from overtrick.nets.inference import network
from overtrick.notation.solved import SolvedDeals
from overtrick_lab.papers.cells import Cell, CellStore
from overtrick_lab.papers.qiu2024 import belief_curve, matches, numbers, results
from overtrick_lab.papers.qiu2024.games import Games, TableRecord
from overtrick_lab.papers.qiu2024.matches import AgentTable, MatchSetting, Stores, Tell
from overtrick_lab.training import export, search_match
from overtrick_lab.training.data import read_auctions
from overtrick_lab.training.trials_settings import SearchSettings


class SearchSizes(NamedTuple):
    """Deals for matches between networks, for matches with search, for the belief curve, and for
    the variants of the search."""

    deals: int
    search: int
    belief: int
    variants: int


class OwnNetworks(NamedTuple):
    """Networks of one's own (.onnx) in the place of the shipped ones."""

    policy: Path | None = None
    belief: Path | None = None

    @property
    def named(self) -> dict[str, Path]:
        """Those that there are, by the options of `bmcs`."""
        given = {"net": self.policy, "belief": self.belief}
        return {option: path for option, path in given.items() if path is not None}


GAMES = "games"
_BELIEF: Final = "belief"
_KINDS: Final = ("policy", "belief")
QUICK = SearchSizes(16, 2, 100, 1)
USUAL = SearchSizes(400, 40, 2_000, 40)
FULL = SearchSizes(10_000, 1_500, 10_000, 4_000)


def setting(out: Path, data: Path | None, sizes: SearchSizes, seed: int) -> MatchSetting:
    """Which deals are played, and where the matches are kept."""
    folder = out / "matches"
    folder.mkdir(parents=True, exist_ok=True)
    made = MatchSetting(folder, sizes.deals, sizes.search, seed=seed)
    solved = None if data is None else data / "double_dummy.npz"
    return made if solved is None or not solved.exists() else made.on_solved(solved)


def engines(
    past: Iterable[Path], out: Path, *, published: bool = False, own: OwnNetworks = OwnNetworks()
) -> dict[str, str]:
    """Who plays; a past self as training leaves it is exported first."""
    found = dict(matches.ENGINES)
    if own.policy is not None:
        found["RL"] = f"policy(net={str(own.policy)!r})"
    if own.named:
        nets = ", ".join(f"{option}={str(path)!r}" for option, path in own.named.items())
        found[matches.SEARCHER] = f"bmcs({nets}, seconds=20)"
    if published:
        found[matches.PUBLISHED] = matches.ALGORITHM_3
    for path in past:
        file = path
        if path.suffix != ".onnx":
            file = out / "past" / f"{path.absolute().parent.name}-{path.stem}.onnx"
            if not file.exists():
                export.to_onnx(export.read(path), file.stem, file)
        found[f"past-{file.stem}"] = f"policy(net={str(file)!r})"
    return found


def play(
    at: MatchSetting,
    players: dict[str, str] | None,
    played: Iterable[Path],
    backend: Backend,
    tell: Tell,
) -> Stores:
    """All matches; those of `played` are not played again, and without players none is."""
    known = matches.kept(played)
    if players is None:
        return matches.in_order({**matches.stored(at.folder), **known})
    wanted = [pair for pair in matches.pairs(players) if pair not in known]
    return matches.in_order({**matches.play(at, wanted, players, backend, tell), **known})


def figures(
    stores: Stores, data: Path | None, sizes: SearchSizes, at: MatchSetting, kept: CellStore, *,
    own: OwnNetworks = OwnNetworks(), compute: bool = True,
) -> dict[str, Any]:  # fmt: skip
    """Table III, V and VI, Figs. 3 to 6; nothing is computed for a report alone."""
    setting = {"deals": at.words, "seed": at.seed, "sizes": sizes._asdict()}
    if own.named:
        setting["own"] = {option: path.name for option, path in own.named.items()}
    return {
        **_games(stores, data, setting, kept),
        **(_belief(sizes.belief, at.seed, kept, own) if compute else _believed(kept)),
        **numbers.inputs(),
    }


def _games(stores: Stores, data: Path | None, setting: Cell, kept: CellStore) -> Cell:
    """All that is counted in the matches; where none is left, what was counted before."""
    cell = None if stores else kept.get(GAMES)
    if cell is None:
        names = (*matches.ENGINES, matches.WBRIDGE5)
        agents = {n: Games.of(map(_game, matches.tables(stores, n))) for n in names}
        real = None if data is None else data / "wbridge5_auctions.txt"
        if real is not None and real.exists():
            agents[matches.WBRIDGE5] = _published(real)
        counted = {**matches.numbers(stores), **numbers.of_games(agents)}
        cell = {"setting": setting, **counted}
        kept.put(GAMES, cell)
    return cell


def _belief(deals: int, seed: int, kept: CellStore, own: OwnNetworks) -> Cell:
    """Fig. 3, measured once for each pair of networks."""
    named = [own.policy or "policy", own.belief or "belief"]
    key = "-".join([_BELIEF, str(deals), str(seed), *(p.stem for p in own.named.values())])
    cell = kept.get(key)
    if cell is None:
        policy, belief = (network(str(n), k) for n, k in zip(named, _KINDS, strict=True))
        cell = numbers.of_belief(belief_curve.measure(policy, belief, deals, seed))
        kept.put(key, cell)
    return cell


def _believed(kept: CellStore) -> Cell:
    """The longest Fig. 3 that was measured."""
    cells = [kept.get(path.stem) for path in sorted(kept.folder.glob(f"{_BELIEF}-*.json"))]
    found = [cell for cell in cells if cell is not None]
    return max(found, key=lambda cell: cell["belief"]["positions"], default=numbers.of_belief(()))


def play_variants(out: Path, deals: Path, boards: int, workers: int) -> None:
    """Table IV: every variant of the search on the same deals; goes on where it was stopped."""
    skip = -min(matches.HELD_OUT, len(SolvedDeals.load(deals)))
    settings = SearchSettings(
        engines="; ".join(matches.VARIANTS), deals=deals, skip=skip, boards=boards,
        workers=workers, out=out / "search" / "variants.json",
    )  # fmt: skip
    settings.out.parent.mkdir(parents=True, exist_ok=True)
    search_match.run(settings)


def left_by_training(*folders: Path | None) -> dict[str, Any]:
    """Fig. 2 and Table IV, from what other runs left."""
    return numbers.of_results(results.read(*folders))


def _game(seated: AgentTable) -> TableRecord:
    board, room, side = seated
    owner = np.frombuffer(Deal.parse(board.deal).owners, dtype=np.int8)[CARD_AT]
    contract = Contract.parse(room.contract) if room.contract else None
    bid = 5 * (contract.level - 1) + int(contract.strain) if contract else -1
    declarer = int(contract.declarer) if contract else 0
    return TableRecord(owner, board.dealer, tuple(room.calls), bid, declarer, side)


def _published(path: Path) -> Games:
    """Real auctions of one program in all seats: its contracts are not looked at."""
    auctions = read_auctions(path)
    rows = zip(auctions.owner, auctions.dealer, auctions.calls, strict=True)
    return Games.of(
        TableRecord(owner, int(dealer), tuple(int(c) for c in calls if c >= 0), -1, 0, 2)
        for owner, dealer, calls in rows
    )
