"""`overtrick reproduce qiu2024`: "Bridge bidding via deep reinforcement learning and belief Monte
Carlo search"."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from overtrick_lab.verbs.reproducing import Running, shared_options

if TYPE_CHECKING:
    from overtrick.arena import MatchProgress
    from overtrick_lab.papers.qiu2024.matches import Pair

_RESULTS: Final = Path("docs/papers/qiu2024")


@click.command("qiu2024")
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
    "depth.  [default: docs/papers/qiu2024 where there is one]",
)
@click.option("--deals", type=click.IntRange(min=1), help="Matches of networks.  [400]")
@click.option("--search-deals", type=click.IntRange(min=1), help="Matches with search.  [40]")
@click.option("--belief-deals", type=click.IntRange(min=1), help="Deals for Fig. 3.  [2000]")
@click.option(
    "--variants",
    is_flag=True,
    help="Table IV: the search with and without belief under every filter, and Algorithm 3, all on "
    "the same solved deals against RL.",
)
@click.option("--variant-deals", type=click.IntRange(min=1), help="Deals of --variants.  [40]")
@click.option("--full", is_flag=True, help="The paper's sizes: 10,000, 1,500, 10,000 and 4,000.")
@click.option("--quick", is_flag=True, help="A first look: 16, 2, 100 and 1.")
@click.option(
    "--match",
    "played",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    help="A match kept by `overtrick match --db`, or both rooms of `overtrick tm serve --pbn` with "
    "a team called RL or RL-BMCS: a row of its own, or instead of playing it.",
)
@click.option(
    "--past",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    help="A past self (.onnx, or .npz as training leaves it) that plays RL and SL too.",
)
@click.option(
    "--net",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A policy of your own (.onnx) instead of the shipped one.",
)
@click.option(
    "--belief",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A belief of your own (.onnx) instead of the shipped one.",
)
@click.option(
    "--algorithm-3",
    "published",
    is_flag=True,
    help="The search exactly as published, leaves solved, plays RL too.",
)
@click.option("--seed", default=0, show_default=True, help="Which random deals.")
@click.option("--plots/--no-plots", default=True, help="Pictures (need matplotlib).")
@shared_options("qiu2024")
def command(
    run: Running,
    data: Path | None,
    results: Path | None,
    deals: int | None,
    search_deals: int | None,
    belief_deals: int | None,
    variants: bool,
    variant_deals: int | None,
    full: bool,
    quick: bool,
    played: tuple[Path, ...],
    past: tuple[Path, ...],
    net: Path | None,
    belief: Path | None,
    published: bool,
    seed: int,
    plots: bool,
) -> None:
    """Repeat Qiu et al. 2024 with the opponents at hand: matches, conformity, belief, training.

    \b
    Examples:
      overtrick reproduce qiu2024 --quick
      overtrick reproduce qiu2024 --data data --full --workers 2
      overtrick reproduce qiu2024 --quick --variants --variant-deals 100
      overtrick reproduce qiu2024 --match wbridge5.pbn --net mine.onnx --belief mine_belief.onnx
    """
    from overtrick.cli.running import Bar
    from overtrick.notation.whole import write_whole
    from overtrick_lab.papers.deals import solved_deals
    from overtrick_lab.papers.qiu2024 import matches, pictures, report, reproduce

    if plots:
        pictures.check()
    preset = reproduce.FULL if full else reproduce.QUICK if quick else reproduce.USUAL
    asked = (deals, search_deals, belief_deals, variant_deals)
    sizes = reproduce.SearchSizes(
        *(given or usual for given, usual in zip(asked, preset, strict=True))
    )
    setting = reproduce.setting(run.out, data, sizes, seed)
    own, players = reproduce.OwnNetworks(net, belief), None
    if not run.report_only:
        players = reproduce.engines(past, run.out, published=published, own=own)
    boards = sum(setting.boards(pair) for pair in matches.pairs(players or {}))
    done: dict[Pair, int] = {}
    with Bar(boards, quiet=run.as_json or run.report_only) as bar:

        def tell(pair: Pair, now: MatchProgress) -> None:
            done[pair] = now.done
            bar.show(replace(now, done=sum(done.values())), f"{pair[0]} v {pair[1]}: ")

        stores = reproduce.play(setting, players, played, run.backend, tell)
    if variants and not run.report_only:
        reproduce.play_variants(run.out, solved_deals(data), sizes.variants, run.backend.workers)
    found = reproduce.figures(
        stores, data, sizes, setting, run.store, own=own, compute=not run.report_only
    )
    known = results or (_RESULTS if _RESULTS.is_dir() else None)
    found |= reproduce.left_by_training(known, run.out / "search")
    drawn = pictures.draw(found, run.out) if plots else []
    write_whole(run.out / "numbers.json", json.dumps(found, indent=1))
    run.report(report.page(found, drawn), found, report.table_iii(found))
