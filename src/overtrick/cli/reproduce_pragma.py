"""`overtrick reproduce pragma`: the examples of "Pragmatic reasoning in bridge", and a match.
Used from the command line; the work is in `bidding.pragma.paper` and `cardplay.plans`."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import click

from overtrick.cli.common import echo_json, progress

_QUICK_BOARDS: Final = 4
_NORTHS: Final = ("hcp 5..9, hearts 4+", "hcp 7..11, hearts 4+", "hcp 9..11, hearts 4+")


@click.command("pragma")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("pragma"),
    show_default=True,
    help="Where the report goes.",
)
@click.option("--boards", default=40, show_default=True, help="Boards of pragma against rules.")
@click.option("--seed", default=1, show_default=True, help="Which deals.")
@click.option("--quick", is_flag=True, help=f"Fewer deals, {_QUICK_BOARDS} boards.")
@click.option("--json", "as_json", is_flag=True, help="Print what was found as JSON.")
def command(out: Path, boards: int, seed: int, quick: bool, as_json: bool) -> None:
    """Repeat PRAGMA (Gambäck, Rayner & Pell 1993): inferences, R-deals, nets, choice sets, plans.

    Example: overtrick reproduce pragma --quick --out pragma
    """
    found = {**_inferences(), **_figures(seed, quick), **_plan()}
    found["match"] = _match(_QUICK_BOARDS if quick else boards, seed)
    out.mkdir(parents=True, exist_ok=True)
    (out / "report.md").write_text(_report(found), encoding="utf-8")
    if as_json:
        echo_json({"report": str(out / "report.md"), **found})
    else:
        click.echo(_report(found))
        click.echo(f"report: {out / 'report.md'}")


def _inferences() -> dict[str, Any]:
    from overtrick.bidding.pragma import paper

    return {
        "section_1": [c.to_dict() for c in paper.section_1()],
        "figure_4": {seat: c.words() for seat, c in zip("NESW", paper.figure_4(), strict=True)},
        "figure_9": paper.figure_9(),
    }


def _figures(seed: int, quick: bool) -> dict[str, Any]:
    import numpy as np

    from overtrick.bidding.pragma import paper
    from overtrick.bidding.pragma.belief import Mind
    from overtrick.game import Hand
    from overtrick.nets.contract import contract_model

    rng = np.random.default_rng(seed)
    modern = contract_model("tricks")
    mind = Mind(modern, rng, 5, 3) if quick else Mind(modern, rng)
    weighed = {n: paper.figure_2(n, mind, deals=40 if quick else 150) for n in _NORTHS}
    six = paper.figure_6(4000 if quick else 20_000, rng)
    return {
        "figure_2": {
            n: {
                "game": w.game, "invitation": w.invitation, "accepted": w.accepted,
                "makes": w.makes, "bid": "4♥" if w.bid_game else "3♥",
            }
            for n, w in weighed.items()
        },
        "figure_6": {
            "east": [Hand(int(h)).pretty() for h in six.hands[:10, 1]],
            "unbalanced": six.unbalanced, "at_most_17": six.weaker,
            "short_diamonds": six.short_diamonds, "short_diamonds_before": six.short_without,
            "distance": six.bias.worst, "noise": six.bias.noise,
        },
        "figure_7": {
            "paper printed": list(paper.PAPER_FIGURE_7),
            "nets of the paper's form": paper.figure_7(contract_model("paper")),
            "modern net": paper.figure_7(modern),
        },
    }  # fmt: skip


def _plan() -> dict[str, Any]:
    """Figure 10: the two suits and the order in which they are played together."""
    from overtrick.cardplay.plans import interleave
    from overtrick.cardplay.plans.resources import lines_of, undominated
    from overtrick.game import Seat, Suit

    def ranks(text: str) -> int:
        return sum(1 << "23456789TJQKA".index(c) for c in text)

    spades = (ranks("8654"), ranks("KJ9"), ranks("AQT7"), ranks("32"))
    hearts = (ranks("AK"), ranks("JT93"), ranks("Q87"), ranks("6542"))
    ours = (Seat.SOUTH, Seat.NORTH)
    first = undominated(lines_of(Suit.SPADES, spades, ours), ours, 12)[0]
    second = next(
        line
        for line in lines_of(Suit.HEARTS, hearts, ours)
        if line.tricks == 3 and line.count("consume", "entry", Seat.SOUTH) == 3
    )
    steps = interleave([first, second], Seat.SOUTH) or ()
    return {
        "figure_10": {
            "spades": str(first),
            "hearts": str(second),
            "order": " ".join(str(step.suit) for step in steps),
            "tricks": sum(step.round.won for step in steps),
        }
    }


def _match(boards: int, seed: int) -> dict[str, Any]:
    from overtrick.arena import Match, play_match
    from overtrick.arena.store import Store

    job = Match("pragma", "rules", boards, seed=seed, chunk=1)
    with progress("pragma against rules", boards) as update:
        result = play_match(
            job, Store(":memory:", job), progress=lambda p: update(p.done, p.boards)
        )
    return {"boards": result.boards, "imps_per_board": result.mean, "error": result.error}


def _report(found: dict[str, Any]) -> str:
    six, ten, match = found["figure_6"], found["figure_10"], found["match"]
    parts = [
        "# Pragmatic reasoning in bridge",
        "## Section 1.1: what 2NT says indirectly after 1♠ – 2♦",
        "\n".join(f"- {c['words']} ({c['certainty']})" for c in found["section_1"]),
        "## Figure 2: 4♥ now or 3♥ first, by what 1♥ promises (vulnerable)",
        _table(
            ("North", "4♥", "3♥", "accepts", "4♥ makes", "bid"),
            [
                (n, f"{w['game']:.0f}", f"{w['invitation']:.0f}", f"{100 * w['accepted']:.0f} %",
                 f"{100 * w['makes']:.0f} %", w["bid"])
                for n, w in found["figure_2"].items()
            ],
        ),
        "## Figure 4: constraints after P 1♥ P 1♠ P 3♥",
        "\n".join(f"- {seat}: {words}" for seat, words in found["figure_4"].items()),
        "## Figure 6: ten East hands of the R-deals",
        "\n".join(f"- {hand}" for hand in six["east"]),
        f"{100 * six['unbalanced']:.0f} % are unbalanced, {100 * six['at_most_17']:.0f} % have at "
        f"most 17 points, {100 * six['short_diamonds']:.0f} % at most one diamond "
        f"({100 * six['short_diamonds_before']:.0f} % before the auction). Largest distance to "
        f"exact deals {six['distance']:.4f}; two fair samples show {six['noise']:.4f}.",
        "## Figure 7: P(at least 0..13 tricks) in diamonds by West",
        "\n".join(f"- {n}: {' '.join(map(str, p))}" for n, p in found["figure_7"].items()),
        "## Figure 9: choice sets",
        "\n".join(f"- {c}: {', '.join(s)}" for c, s in found["figure_9"].items()),
        "## Figure 10: two suits, one plan",
        f"- spades {ten['spades']}\n- hearts {ten['hearts']}\n- order {ten['order']}: "
        f"{ten['tricks']} tricks",
        "## The bidder",
        f"pragma against rules, {match['boards']} boards in two rooms, double dummy: "
        f"{match['imps_per_board']:+.2f} ± {match['error']:.2f} IMPs a board.",
    ]  # fmt: skip
    return "\n\n".join(parts) + "\n"


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    return "\n".join([*lines, *(f"| {' | '.join(r)} |" for r in rows)])
