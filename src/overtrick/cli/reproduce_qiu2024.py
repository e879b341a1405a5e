"""`overtrick reproduce qiu2024`: the tables and figures of "Bridge bidding via deep reinforcement
learning and belief Monte Carlo search". Used from the command line; `arena.qiu2024` plays the
matches, `training.qiu2024` looks into their auctions."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from overtrick.cli.common import echo_json

if TYPE_CHECKING:
    from overtrick.arena.match import Progress
    from overtrick.arena.qiu2024 import Pair, Plan, Seated, Stores
    from overtrick.arena.run import Backend
    from overtrick.training.qiu2024.games import Game, Games

_RESULTS: Final = Path("docs/results")


class Sizes(NamedTuple):
    """Deals for matches between networks, for matches with search, for the belief curve."""

    deals: int
    search: int
    belief: int


QUICK, USUAL, FULL = Sizes(16, 2, 100), Sizes(400, 40, 2_000), Sizes(10_000, 1_500, 10_000)


@click.command("qiu2024")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("qiu2024"),
    show_default=True,
    help="Report, pictures, numbers.json and the matches; a second run goes on from there.",
)
@click.option(
    "--data",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder with double_dummy.npz (its last 10,000 deals are played instead of random ones) "
    "and wbridge5_auctions.txt (a column of Table V).",
)
@click.option(
    "--results",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder with curve.jsonl and the results of `train ablation` and `train search`, at any "
    "depth.  [default: docs/results where there is one]",
)
@click.option("--deals", type=click.IntRange(min=1), help=f"Matches of networks.  [{USUAL.deals}]")
@click.option(
    "--search-deals", type=click.IntRange(min=1), help=f"Matches with search.  [{USUAL.search}]"
)
@click.option(
    "--belief-deals", type=click.IntRange(min=1), help=f"Deals for Fig. 3.  [{USUAL.belief}]"
)
@click.option("--full", is_flag=True, help="The paper's sizes: {:,}, {:,} and {:,}.".format(*FULL))
@click.option("--quick", is_flag=True, help="A first look: {}, {} and {}.".format(*QUICK))
@click.option(
    "--match",
    "played",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    help="A match kept by `overtrick match --db`: a row of its own, or instead of playing it.",
)
@click.option(
    "--past",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    help="A past self (.onnx, or .npz as training leaves it) that RL plays too.",
)
@click.option("-w", "--workers", default="1", show_default=True, help="Processes.")
@click.option("--seed", default=0, show_default=True, help="Which random deals.")
@click.option("--report-only", is_flag=True, help="Play nothing: report what is kept already.")
@click.option("--plots/--no-plots", default=True, help="Pictures (need matplotlib).")
@click.option("--json", "as_json", is_flag=True, help="Print all numbers as JSON.")
def command(
    out: Path,
    data: Path | None,
    results: Path | None,
    deals: int | None,
    search_deals: int | None,
    belief_deals: int | None,
    full: bool,
    quick: bool,
    played: tuple[Path, ...],
    past: tuple[Path, ...],
    workers: str,
    seed: int,
    report_only: bool,
    plots: bool,
    as_json: bool,
) -> None:
    """Repeat Qiu et al. 2024 with the opponents at hand: matches, conformity, belief, training.

    \b
    Examples:
      overtrick reproduce qiu2024 --quick
      overtrick reproduce qiu2024 --data data --full --workers 2 --out qiu2024
    """
    from overtrick.arena import Backend
    from overtrick.training.qiu2024 import pictures, report

    if plots:
        pictures.check()
    preset = FULL if full else QUICK if quick else USUAL
    asked = (deals, search_deals, belief_deals)
    sizes = Sizes(*(given or usual for given, usual in zip(asked, preset, strict=True)))
    plan = _plan(out, data, sizes, seed)
    engines = None if report_only else _engines(past, out)
    stores = _stores(plan, engines, played, Backend.parse(workers), quiet=as_json)
    figures = {"setting": {"deals": plan.words, "seed": seed, "sizes": sizes._asdict()}}
    figures |= _figures(stores, data, sizes.belief, seed)
    figures |= _results(results or (_RESULTS if _RESULTS.is_dir() else None))
    drawn = pictures.draw(figures, out) if plots else []
    (out / "numbers.json").write_text(json.dumps(figures, indent=1), encoding="utf-8")
    (out / "report.md").write_text(report.page(figures, drawn), encoding="utf-8")
    if as_json:
        echo_json(figures)
        return
    click.echo(report.table_iii(figures))
    click.echo(f"report: {out / 'report.md'}; pictures: {len(drawn)}")


def _plan(out: Path, data: Path | None, sizes: Sizes, seed: int) -> Plan:
    from overtrick.arena.qiu2024 import Plan

    folder = out / "matches"
    folder.mkdir(parents=True, exist_ok=True)
    plan = Plan(folder, sizes.deals, sizes.search, seed=seed)
    solved = None if data is None else data / "double_dummy.npz"
    return plan if solved is None or not solved.exists() else Plan.on_solved(plan, solved)


def _engines(past: Iterable[Path], out: Path) -> dict[str, str]:
    """Who plays; a past self as training leaves it is exported first."""
    from overtrick.arena.qiu2024 import ENGINES
    from overtrick.training import export

    found = dict(ENGINES)
    for path in past:
        file = path
        if path.suffix != ".onnx":
            file = out / "past" / f"{path.absolute().parent.name}-{path.stem}.onnx"
            if not file.exists():
                export.to_onnx(export.read(path), file.stem, file)
        found[f"past-{file.stem}"] = f"policy(net={str(file)!r})"
    return found


def _stores(
    plan: Plan,
    engines: dict[str, str] | None,
    played: Iterable[Path],
    backend: Backend,
    *,
    quiet: bool,
) -> Stores:
    """All matches; those of `played` are not played again, and without engines none is."""
    from overtrick.arena import qiu2024
    from overtrick.cli.running import Bar

    known = qiu2024.kept(played)
    if engines is None:
        return qiu2024.in_order(qiu2024.stored(plan.folder) | known)
    wanted = [pair for pair in qiu2024.pairs(engines) if pair not in known]
    done: dict[Pair, int] = {}
    with Bar(sum(plan.boards(pair) for pair in wanted), quiet=quiet) as bar:

        def tell(pair: Pair, now: Progress) -> None:
            done[pair] = now.done
            bar.show(replace(now, done=sum(done.values())), f"{pair[0]} v {pair[1]}: ")

        return qiu2024.in_order(qiu2024.play(plan, wanted, engines, backend, tell) | known)


def _figures(stores: Stores, data: Path | None, belief_deals: int, seed: int) -> dict[str, Any]:
    """Table III, V and VI, Figs. 3 to 6."""
    from overtrick.arena import qiu2024
    from overtrick.nets.inference import network
    from overtrick.training.qiu2024 import belief_curve, numbers
    from overtrick.training.qiu2024.games import Games

    agents = {name: Games.of(map(_game, qiu2024.tables(stores, name))) for name in qiu2024.ENGINES}
    real = None if data is None else data / "wbridge5_auctions.txt"
    if real is not None and real.exists():
        agents["WBridge5"] = _published(real)
    nets = network("policy", "policy"), network("belief", "belief")
    return {
        **qiu2024.numbers(stores),
        **numbers.of_games(agents),
        **numbers.of_belief(belief_curve.measure(*nets, belief_deals, seed)),
        **numbers.inputs(),
    }


def _results(folder: Path | None) -> dict[str, Any]:
    """Fig. 2 and Table IV, from what other runs left."""
    from overtrick.training.qiu2024 import numbers, results

    return numbers.of_results(results.read(folder))


def _game(seated: Seated) -> Game:
    import numpy as np

    from overtrick.game import Contract, Deal
    from overtrick.nets.features import CARD_AT
    from overtrick.training.qiu2024.games import Game

    board, room, side = seated
    owner = np.frombuffer(Deal.parse(board.deal).owners, dtype=np.int8)[CARD_AT]
    contract = Contract.parse(room.contract) if room.contract else None
    bid = 5 * (contract.level - 1) + int(contract.strain) if contract else -1
    declarer = int(contract.declarer) if contract else 0
    return Game(owner, board.dealer, tuple(room.calls), bid, declarer, side)


def _published(path: Path) -> Games:
    """Real auctions of one program in all seats: its contracts are not looked at."""
    from overtrick.training.data import read_auctions
    from overtrick.training.qiu2024.games import Game, Games

    auctions = read_auctions(path)
    rows = zip(auctions.owner, auctions.dealer, auctions.calls, strict=True)
    return Games.of(
        Game(owner, int(dealer), tuple(int(c) for c in calls if c >= 0), -1, 0, 2)
        for owner, dealer, calls in rows
    )
