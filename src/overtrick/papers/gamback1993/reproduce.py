"""The cells and the report: inferences, imagined deals, nets, choice sets, plans, a match."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from overtrick.arena.site import markdown_table
from overtrick.bidding.pragma.belief import Mind
from overtrick.cardplay.plans import interleave
from overtrick.cardplay.plans.resources import lines_of, undominated
from overtrick.game import Hand, Seat, Suit
from overtrick.nets.contract import contract_model
from overtrick.papers.cells import Cell, Store, Task
from overtrick.papers.gamback1993 import examples, match
from overtrick.papers.workforce import Workforce

NORTHS: Final = ("hcp 5..9, hearts 4+", "hcp 7..11, hearts 4+", "hcp 9..11, hearts 4+")
"""What North's 1♥ may promise in Figure 2."""


STAGES: Final = ("examples", "match", "ablations")


@dataclass(frozen=True, slots=True)
class Size:
    """Boards of the matches, the seed, imagined deals of Figures 2 and 6, thoughts of a mind."""

    boards: int = 40
    seed: int = 1
    weighed: int = 150
    imagined: int = 20_000
    thoughts: tuple[int, ...] = ()
    first: int = 10_000
    """The first solved deal that is played."""


QUICK: Final = Size(4, weighed=40, imagined=4_000, thoughts=(5, 3))


def tasks(size: Size, deals: Path | None, stage: str) -> list[Task]:
    """Examples without chance, those with it, and the matches on solved deals."""
    if stage == "examples":
        return [
            Task("inferences", "inferences", lambda _: _inferences() | _plan()),
            Task(f"figures-{size.weighed}-{size.seed}", "figures", partial(_figures, size)),
        ]
    names = list(match.VARIANTS)
    wanted = names[:1] if stage == "match" else names[1:]
    return [
        Task(_match_key(size, name), f"pragma {name}", partial(_match, size, deals, name))
        for name in wanted
    ]


def _match_key(size: Size, name: str) -> str:
    return f"match-{size.first}-{size.boards}-{name.replace(' ', '-')}"


def _inferences() -> Cell:
    four = zip("NESW", examples.figure_4(), strict=True)
    return {
        "section_1": [c.to_dict() for c in examples.section_1()],
        "figure_4": {seat: constraint.words() for seat, constraint in four},
        "figure_9": examples.figure_9(),
    }


def _figures(size: Size, _: Workforce) -> Cell:
    rng = np.random.default_rng(size.seed)
    nets = {"modern net": contract_model("tricks"), "paper's nets": contract_model("paper")}
    weighed = {
        f"{north}; {name}": examples.figure_2(
            north, Mind(net, rng, *size.thoughts), deals=size.weighed
        )
        for name, net in nets.items()
        for north in NORTHS
    }
    six = examples.figure_6(size.imagined, rng)
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
            "paper printed": list(examples.PAPER_FIGURE_7),
            "nets of the paper's form": examples.figure_7(nets["paper's nets"]),
            "modern net": examples.figure_7(nets["modern net"]),
        },
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


def _match(size: Size, deals: Path | None, name: str, workers: Workforce) -> Cell:
    assert deals is not None
    return match.match(match.VARIANTS[name], size.first, size.boards, deals, workers)


def found(size: Size, store: Store) -> dict[str, Any]:
    """All that was computed so far, as one dictionary."""
    examples = [store.get(task.key) or {} for task in tasks(size, None, "examples")]
    played = {name: store.get(_match_key(size, name)) for name in match.VARIANTS}
    played = {name: cell for name, cell in played.items() if cell is not None}
    parts = [*examples, {"match": played} if played else {}]
    return {name: value for cell in parts for name, value in cell.items()}


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
    head = ("North's 1♥ shows; judged by", "4♥", "3♥", "accepts", "4♥ makes", "bid")
    return markdown_table(
        head,
        [
            (n, f"{w['game']:.0f}", f"{w['invitation']:.0f}", f"{100 * w['accepted']:.0f} %",
             f"{100 * w['makes']:.0f} %", w["bid"])
            for n, w in rows.items()
        ],
    )  # fmt: skip


def _figure_6(six: dict[str, Any]) -> str:
    return (
        f"{_list(six['east'])}\n\n"
        f"{100 * six['unbalanced']:.0f} % are unbalanced, {100 * six['at_most_17']:.0f} % have at "
        f"most 17 points, {100 * six['short_diamonds']:.0f} % at most one diamond "
        f"({100 * six['short_diamonds_before']:.0f} % before the auction). Largest distance to "
        f"exact deals {six['distance']:.4f}; two fair samples show {six['noise']:.4f}."
    )


def _figure_10(ten: dict[str, Any]) -> str:
    return (
        f"- spades {ten['spades']}\n- hearts {ten['hearts']}\n- order {ten['order']}: "
        f"{ten['tricks']} tricks"
    )


def _played(rows: dict[str, Any]) -> str:
    head = ("pragma", "boards", "IMPs a board", "settled by", "ms a call: mean, slowest")
    return markdown_table(
        head,
        [
            (name, str(c["deals"]), f"{c['imps']:+.3f} ± {c['error']:.3f}", match.shares(c),
             f"{c['mean_ms']:.0f}, {c['slowest_ms']:.0f}")
            for name, c in rows.items()
        ],
    )  # fmt: skip


_SECTIONS: Final[dict[str, tuple[str, Callable[[Any], str]]]] = {
    "section_1": (
        "Section 1.1: what 2NT says indirectly after 1♠ – 2♦",
        lambda rows: _list([f"{c['words']} ({c['certainty']})" for c in rows]),
    ),
    "figure_2": ("Figure 2: 4♥ now or 3♥ first, by what 1♥ promises (vulnerable)", _figure_2),
    "figure_4": (
        "Figure 4: constraints after P 1♥ P 1♠ P 3♥",
        lambda rows: _list([f"{seat}: {words}" for seat, words in rows.items()]),
    ),
    "figure_6": ("Figure 6: ten East hands of the R-deals", _figure_6),
    "figure_7": (
        "Figure 7: P(at least 0..13 tricks) in diamonds by West",
        lambda rows: _list([f"{n}: {' '.join(map(str, p))}" for n, p in rows.items()]),
    ),
    "figure_9": (
        "Figure 9: choice sets",
        lambda rows: _list([f"{call}: {', '.join(bids)}" for call, bids in rows.items()]),
    ),
    "figure_10": ("Figure 10: two suits, one plan", _figure_10),
    "match": ("The bidder against `rules`, two rooms, double dummy (section 3.5)", _played),
}
