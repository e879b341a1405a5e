"""The cells and the report: inferences, imagined deals, nets, choice sets, plans, matches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from overtrick.bidding.pragma.belief import Mind
from overtrick.cardplay.plans import interleave
from overtrick.cardplay.plans.resources import lines_of, undominated
from overtrick.game import Hand, Seat, Suit
from overtrick.nets.contract import ContractModel, contract_model, paper_nets
from overtrick_lab.papers.cells import Cell, CellStore, Task
from overtrick_lab.papers.gamback1993 import examples, match, planning
from overtrick_lab.papers.site import markdown_table
from overtrick_lab.papers.workforce import Workforce

NORTHS: Final = ("hcp 5..9, hearts 4+", "hcp 7..11, hearts 4+", "hcp 9..11, hearts 4+")
"""What North's 1♥ may promise in Figure 2."""


STAGES: Final = ("examples", "nets", "plans", "match", "ablations", "planner")


@dataclass(frozen=True, slots=True)
class MatchSizes:
    """Boards of the matches, the seed, imagined deals of Figures 2 and 6, thoughts of a mind."""

    boards: int = 40
    seed: int = 1
    weighed: int = 150
    imagined: int = 20_000
    thoughts: tuple[int, ...] = ()
    first: int = 10_000
    """The first solved deal that is played."""
    plans: int = 40
    steps: int = 12_000
    """Steps in which the nets of the paper's own recipe learn."""


QUICK: Final = MatchSizes(4, weighed=40, imagined=4_000, thoughts=(5, 3), plans=4, steps=1_000)


def tasks(size: MatchSizes, deals: Path, stage: str, out: Path) -> list[Task]:
    """Examples without chance, those with it, plans, and the matches."""
    if stage == "examples":
        return [
            Task("inferences", "inferences", lambda _: _inferences() | _plan()),
            Task(_figures_key(size), "figures", partial(_figures, size)),
        ]
    if stage == "nets":
        return [Task(_recipe_key(size), "the paper's recipe", partial(_recipe, size, deals, out))]
    if stage == "plans":
        return planning.plan_tasks(size.plans, size.seed)
    if stage == "planner":
        return planning.duel_tasks(size.boards, size.seed)
    names = list(match.VARIANTS)
    wanted = names[:1] if stage == "match" else names[1:]
    # The same boards of all variants beside each other: a stopped run can be compared.
    by_variant = [match.tasks(name, size.first, size.boards, deals) for name in wanted]
    return [task for boards in zip(*by_variant, strict=True) for task in boards]


def _figures_key(size: MatchSizes) -> str:
    return f"figures-{size.weighed}-{size.seed}"


def _recipe_key(size: MatchSizes) -> str:
    return f"nets-{size.steps}-{size.weighed}-{size.seed}"


def _inferences() -> Cell:
    four = zip("NESW", examples.figure_4(), strict=True)
    return {
        "section_1": [c.to_dict() for c in examples.section_1()],
        "section_1_2": examples.acts(),
        "section_1_4": examples.section_1_4(),
        "figure_3": examples.figure_3(),
        "figure_4": {seat: constraint.words() for seat, constraint in four},
        "footnote_6": examples.figure_4(deny=True)[Seat.EAST].words(),
        "figure_9": examples.figure_9(),
    }


def _figures(size: MatchSizes, _: Workforce) -> Cell:
    rng = np.random.default_rng(size.seed)
    nets = {"modern net": contract_model("tricks"), "paper's nets": contract_model("paper")}
    weighed = {name: _weighed(size, net, rng) for name, net in nets.items()}
    six = examples.figure_6(size.imagined, rng)
    denied = examples.figure_6(size.imagined, rng, deny=True)
    return {
        "figure_2": {f"{n}; {name}": w for name, by in weighed.items() for n, w in by.items()},
        "figure_6": _imagined(six) | {"with_footnote_6": _imagined(denied)},
        "figure_7": {
            "paper printed": list(examples.PAPER_FIGURE_7),
            "nets of the paper's form": examples.figure_7(nets["paper's nets"]),
            "modern net": examples.figure_7(nets["modern net"]),
            "modern net, over the R-deals of Figure 6": examples.figure_7(
                nets["modern net"], six.hands
            ),
            "the same, with footnote 6": examples.figure_7(nets["modern net"], denied.hands),
        },
    }


def _weighed(size: MatchSizes, net: ContractModel, rng: np.random.Generator) -> dict[str, Cell]:
    """Figure 2 by one kind of nets, for everything that North may have shown."""
    mind = Mind(net, rng, *size.thoughts)
    found = {n: examples.figure_2(n, mind, deals=size.weighed) for n in NORTHS}
    return {
        n: {
            "game": w.game, "invitation": w.invitation, "accepted": w.accepted,
            "makes": w.makes, "bid": "4♥" if w.bid_game else "3♥",
            "gain": w.game - w.invitation, "gain_error": w.error,
        }
        for n, w in found.items()
    }  # fmt: skip


def _imagined(six: examples.Figure6) -> Cell:
    return {
        "east": [Hand(int(h)).pretty() for h in six.hands[:10, 1]],
        "unbalanced": six.unbalanced, "at_most_17": six.weaker,
        "short_diamonds": six.short_diamonds, "short_diamonds_before": six.short_without,
        "support": six.support, "distance": six.bias.worst, "noise": six.bias.noise,
    }  # fmt: skip


def _recipe(size: MatchSizes, deals: Path, out: Path, _: Workforce) -> Cell:
    """Nets learned as section 3.4 says, and Figures 2 and 7 by them."""
    from overtrick_lab.training import contract_net
    from overtrick_lab.training.predicting_settings import ContractSettings

    file = out / f"contract-{size.steps}.npz"
    settings = ContractSettings(
        deals=deals, out=file, steps=size.steps, recipe="paper", seed=size.seed
    )
    learned = contract_net.run(settings)
    net, rng = paper_nets(str(file)), np.random.default_rng(size.seed)
    return {
        "recipe": {
            "error": learned["mean_absolute_error"], "restarts": learned["restarts"],
            "figure_2": _weighed(size, net, rng), "figure_7": examples.figure_7(net),
        }
    }  # fmt: skip


def _plan() -> Cell:
    """Figure 10: the two suits and the order in which they are played together."""

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


def found(size: MatchSizes, store: CellStore) -> dict[str, Any]:
    """All that was computed so far, as one dictionary."""
    keys = "inferences", _figures_key(size), _recipe_key(size)
    played = {n: match.summary(store, n, size.first, size.boards) for n in match.VARIANTS}
    played = {name: cell for name, cell in played.items() if cell is not None}
    parts = [store.get(key) or {} for key in keys]
    seeds = _seeds(size, store)
    parts += [
        {"seeds": seeds} if len(seeds) > 1 else {},
        planning.summary(store, size.plans, size.boards, size.seed),
        {"match": played} if played else {},
    ]
    return {name: value for cell in parts for name, value in cell.items()}


def _seeds(size: MatchSizes, store: CellStore) -> dict[str, Any]:
    """Figure 2 by every seed that was tried, by all nets."""
    out = {}
    tried = {int(path.stem.rpartition("-")[2]) for path in store.folder.glob("figures-*.json")}
    for seed in sorted(tried):
        same = replace(size, seed=seed)
        figures, recipe = store.get(_figures_key(same)), store.get(_recipe_key(same))
        if figures is not None and recipe is not None:
            own = recipe["recipe"]["figure_2"]
            rows = figures["figure_2"] | {f"{n}; paper's recipe": w for n, w in own.items()}
            out[str(seed)] = {n: {k: w[k] for k in ("gain", "gain_error")} for n, w in rows.items()}
    return out


def page(found: dict[str, Any]) -> str:
    """The whole report; what was not computed is left out."""
    parts = ["# Pragmatic reasoning in bridge (Gambäck, Rayner & Pell 1993)"]
    for name, (title, shown) in _SECTIONS.items():
        if name in found:
            parts += [f"## {title}", shown(found[name])]
    return "\n\n".join(parts) + "\n"


def _list(lines: list[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _figure_2(rows: dict[str, Any]) -> str:
    head = ("North's 1♥ shows; judged by", "4♥", "3♥", "4♥ less 3♥", "accepts", "4♥ makes", "bid")
    return markdown_table(
        head,
        [
            (n, f"{w['game']:.0f}", f"{w['invitation']:.0f}",
             f"{w['gain']:+.0f} ± {w['gain_error']:.0f}", f"{100 * w['accepted']:.0f} %",
             f"{100 * w['makes']:.0f} %", w["bid"])
            for n, w in rows.items()
        ],
    )  # fmt: skip


def _by_seed(seeds: dict[str, Any]) -> str:
    head = ("North's 1♥ shows; judged by", *(f"4♥ less 3♥, seed {seed}" for seed in seeds))
    return markdown_table(
        head,
        [
            (n, *(f"{w[n]['gain']:+.0f} ± {w[n]['gain_error']:.0f}" for w in seeds.values()))
            for n in next(iter(seeds.values()))
        ],
    )


def _figure_6(six: dict[str, Any]) -> str:
    denied = six["with_footnote_6"]
    return (
        f"{_list(six['east'])}\n\n"
        f"{100 * six['unbalanced']:.0f} % are unbalanced, {100 * six['at_most_17']:.0f} % have at "
        f"most 17 points, {100 * six['short_diamonds']:.0f} % at most one diamond "
        f"({100 * six['short_diamonds_before']:.0f} % before the auction), "
        f"{100 * six['support']:.0f} % four spades. Largest distance to exact deals "
        f"{six['distance']:.4f}; two fair samples show {six['noise']:.4f}. With what East denied "
        f"(footnote 6) {100 * denied['short_diamonds']:.0f} % have at most one diamond and "
        f"{100 * denied['support']:.0f} % four spades."
    )


def _by_recipe(found: dict[str, Any]) -> str:
    return (
        f"Mean error {found['error']:.2f} tricks. Figure 7: "
        f"{' '.join(map(str, found['figure_7']))}\n\n{_figure_2(found['figure_2'])}"
    )


def _planner(found: dict[str, Any]) -> str:
    return (
        f"{found['deals']} boards: {found['imps']:+.2f} ± {found['error']:.2f} IMPs and "
        f"{found['tricks']:+.2f} ± {found['tricks_error']:.2f} tricks a board, {found['won']} won, "
        f"{found['lost']} lost"
    )


def _plans_1_4(rows: dict[str, Any]) -> str:
    return _list(
        [
            f"{when}: {100 * row['ace of clubs']:.0f} %, {100 * row['four diamonds']:.0f} %"
            for when, row in rows.items()
        ]
    )


def _figure_10(ten: dict[str, Any]) -> str:
    return (
        f"- spades {ten['spades']}\n- hearts {ten['hearts']}\n- order {ten['order']}: "
        f"{ten['tricks']} tricks"
    )


def _played(rows: dict[str, Any]) -> str:
    head = ("pragma", "boards", "IMPs a board", "more than as shipped, same boards", "settled by",
            "others had no choice", "ms a call: mean, slowest")  # fmt: skip
    return markdown_table(
        head,
        [
            (name, str(c["deals"]), f"{c['imps']:+.3f} ± {c['error']:.3f}", _more(name, c),
             match.shares(c), match.determined(c), f"{c['mean_ms']:.0f}, {c['slowest_ms']:.0f}")
            for name, c in rows.items()
        ],
    )  # fmt: skip


def _more(name: str, c: dict[str, Any]) -> str:
    if name == next(iter(match.VARIANTS)) or not c["common"]:
        return ""
    return f"{c['more']:+.3f} ± {c['more_error']:.3f}"


_SECTIONS: Final[dict[str, tuple[str, Callable[[Any], str]]]] = {
    "section_1": (
        "Section 1.1: what 2NT says indirectly after 1♠ – 2♦",
        lambda rows: _list([f"{c['words']} ({c['certainty']})" for c in rows]),
    ),
    "figure_2": ("Figure 2: 4♥ now or 3♥ first, by what 1♥ promises (vulnerable)", _figure_2),
    "section_1_2": (
        "Section 1.2: speech acts",
        lambda rows: _list([f"{call}: {'; '.join(acts)}" for call, acts in rows.items()]),
    ),
    "section_1_4": (
        "Section 1.4: does West have the ♣A, does East have four diamonds?",
        _plans_1_4,
    ),
    "figure_3": (
        "Figure 3: what the rules say",
        lambda rows: _list([f"{call}: {words}" for call, words in rows.items()]),
    ),
    "figure_4": (
        "Figure 4: constraints after P 1♥ P 1♠ P 3♥",
        lambda rows: _list([f"{seat}: {words}" for seat, words in rows.items()]),
    ),
    "footnote_6": ("Footnote 6: East, with what was denied", str),
    "figure_6": ("Figure 6: ten East hands of the R-deals", _figure_6),
    "figure_7": (
        "Figure 7: P(at least 0..13 tricks) in diamonds by West",
        lambda rows: _list([f"{n}: {' '.join(map(str, p))}" for n, p in rows.items()]),
    ),
    "recipe": ("Figures 2 and 7 by nets of the paper's own recipe", _by_recipe),
    "seeds": ("Figure 2 by other imagined deals and other trainings", _by_seed),
    "figure_9": (
        "Figure 9: choice sets",
        lambda rows: _list([f"{call}: {', '.join(bids)}" for call, bids in rows.items()]),
    ),
    "figure_10": ("Figure 10: two suits, one plan", _figure_10),
    "plans": (
        "Plans of random strong deals beside the solver",
        lambda found: (
            f"{found['deals']} deals; tricks missed: "
            + ", ".join(f"{k} on {n}" for k, n in found["missed"].items())
        ),
    ),
    "planner": ("The declarer `planner` against `pimc`, same contracts and defenders", _planner),
    "match": ("The bidder against `rules`, two rooms, double dummy (section 3.5)", _played),
}
