"""The numbers as a Markdown page: Tables III to VI and the pictures, the paper beside ours.
What was not measured says so."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from overtrick_lab.papers.qiu2024 import claims, paper
from overtrick_lab.papers.qiu2024.numbers import AGENTS, Numbers
from overtrick_lab.papers.qiu2024.pictures import suited
from overtrick_lab.papers.site import markdown_table
from overtrick_lab.training.disclosure import CHECKED, TABLE_V

CAPTIONS = {
    "fig2_training": "Fig. 2: strength over SL during self-play",
    "fig3_belief": "Fig. 3: what the belief network knows, by the length of the auction",
    "fig4_openings": "Fig. 4: opening bids",
    "fig5_contracts": "Fig. 5: final contracts",
    "fig6_lengths": "Fig. 6: length of auctions",
    "openings_by_strength": "What a hand with the chance to open does, by its high-card points",
}


def page(numbers: Numbers, pictures: Sequence[Path]) -> str:
    """The whole report."""
    drawn = {path.stem: f"![{CAPTIONS[path.stem]}]({path.name})" for path in pictures}

    def figure(name: str) -> str:
        return f"{drawn[name]}\n\n{CAPTIONS[name]}." if name in drawn else ""

    parts = [
        "# Bridge bidding via deep reinforcement learning and belief Monte Carlo search",
        _setting(numbers),
        "## The paper's claims",
        claims_table(numbers),
        "## Table III: strength",
        table_iii(numbers),
        _gains(numbers),
        _paper_iii(),
        "## Table IV: parts left out",
        table_iv(numbers),
        "## Fig. 2: training",
        figure("fig2_training") or _no_curve(numbers),
        "## Fig. 3: belief",
        belief_table(numbers),
        figure("fig3_belief"),
        "## Table V: conformity to SAYC",
        table_v(numbers),
        "## Figs. 4 to 6: openings, contracts, lengths",
        _games_words(numbers),
        figure("fig4_openings"),
        figure("fig5_contracts"),
        figure("fig6_lengths"),
        "## Openings by strength",
        rates_table(numbers),
        figure("openings_by_strength"),
        "## Case studies (Figs. 7 to 10)",
        cases(numbers),
        "## Table VI: what the networks see",
        table_vi(numbers),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _setting(numbers: Numbers) -> str:
    said = numbers["setting"]
    own = said.get("own", {})
    policy, search = (
        f"the policy of `{own['net']}`" if "net" in own else "the shipped `policy`",
        f"`bmcs` with {_named(own)}" if own else "the searching `bmcs`",
    )
    return (
        f"RL is {policy}, RL-BMCS {search}, SL the imitation of BBA's SAYC and the stand-in for "
        "WBridge5, `rules` our own written SAYC. "
        f"Deals: {said['deals']}; dealer and vulnerability follow the sixteen-board cycle (the "
        "paper: nobody vulnerable), every deal in both rooms, double-dummy scores, "
        f"seed {said['seed']}."
    )


def _named(own: dict[str, str]) -> str:
    return ", ".join(f"{option} `{name}`" for option, name in own.items())


def claims_table(numbers: Numbers) -> str:
    """What the paper found, and whether it is found here."""
    found = claims.claims(numbers)
    rows = [[c.words, c.said, c.seen, f"**{c.holds}**"] for c in found]
    words = (
        f"A verdict needs {claims.SURE:g} standard errors. Differences are IMPs a deal; those of "
        f"training (Table IV) need {claims.SEEDS} seeds and have the errors of seeds and deals "
        "together; with three seeds two standard errors are five chances in six, no more."
    )
    return markdown_table(["claim", "paper", "here", "holds"], rows) + "\n\n" + words


def cases(numbers: Numbers) -> str:
    """Boards that went best and worst, chosen by their swing alone."""
    lines = []
    for case in numbers.get("cases", []):
        rooms = "; ".join(
            f"{r['north_south']} North–South: {r['auction']} ({r['contract']}, {r['score']:+d})"
            for r in case["rooms"]
        )
        where = f"`{case['deal']}`, dealer {case['dealer']}, {case['vul']} vulnerable"
        lines.append(f"- {case['imps']:+d} IMPs, {where}. {rooms}")
    return "\n".join(lines) or "Too few boards were played."


def signed(entry: dict[str, Any] | None) -> str:
    """'+0.98 ± 0.05'."""
    if entry is None or not entry["deals"]:
        return "–"
    error = "" if entry["error"] is None else f" ± {entry['error']:.3f}"
    return f"{entry['imps']:+.3f}{error}"


def table_iii(numbers: Numbers) -> str:
    """Every match; the paper's figure where it has the same one."""
    if not numbers["matches"]:
        return "No match has been played."
    beside = {
        ("RL", "SL"): "+0.87 ± 0.02",
        ("RL-BMCS", "RL"): "+0.30 (0.98 − 0.68)",
        ("RL", "WBridge5"): "+0.68 ± 0.05",
        ("RL-BMCS", "WBridge5"): "+0.98 ± 0.05",
    }
    rows = []
    for line in numbers["matches"]:
        by = line["by_vulnerability"]
        rows.append(
            [
                line["a"],
                line["b"],
                f"{line['score']['deals']:,}",
                f"**{signed(line['score'])}**",
                *(signed(score) for score in by.values()),
                beside.get((line["a"], line["b"]), ""),
            ]
        )
    head = [
        "A",
        "B",
        "deals",
        "IMPs a deal for A",
        "nobody vulnerable",
        "one side",
        "both",
        "paper",
    ]
    return markdown_table(head, rows)


def _gains(numbers: Numbers) -> str:
    words = [
        f"{signed(g['score'])} against {g['against']} ({g['score']['deals']:,} deals)"
        for g in numbers["gains"]
    ]
    if not words:
        return ""
    shown = ", ".join(words)
    return f"RL-BMCS less RL on the same deals: {shown}; the paper against WBridge5: +0.30."


def _paper_iii() -> str:
    shown = [
        f"{name} {imps:.2f}" + ("" if error is None else f" ± {error:.2f}")
        for name, (imps, error) in paper.TABLE_III.items()
    ]
    return (
        "The paper's table, all against WBridge5 (`--match` takes boards of your own): "
        + ", ".join(shown)
        + "."
    )


def table_iv(numbers: Numbers) -> str:
    """Variants of training against SL, variants of the search against the policy."""
    parts = []
    if numbers["ablations"]:
        head = ["self-play", "variant", "iterations", "over SL", "every seed",
                "difference, same deals", "every seed"]  # fmt: skip
        parts.append(markdown_table(head, [_trained(entry) for entry in numbers["ablations"]]))
        parts.append(
            "Trainings are short. Errors are those of seeds and deals together where there are "
            "several seeds, else of the deals alone: then small differences mean little."
        )
    else:
        parts.append("No results of `overtrick train ablation` were given (`--results`).")
    for search in numbers["searches"]:
        rows = [
            [
                row["words"],
                f"`{row['engine']}`",
                signed({**row, "deals": search["deals"]}),
                "" if not place else _less(row),
                f"{row['cpu_seconds_a_search']:.2f}",
            ]
            for place, row in enumerate(search["engines"])
        ]
        head = ["search", "engine", f"over {search['opponent']}", "difference", "CPU s a search"]
        parts.append(
            f"{search['deals']:,} deals, the same for all, against `{search['opponent']}`:"
        )
        parts.append(markdown_table(head, rows))
    if not numbers["searches"]:
        parts.append("No results of `overtrick train search` were given (`--results`).")
    said = ", ".join(f"{name} {imps:.2f}" for name, imps in paper.TABLE_IV.items())
    parts.append(f"The paper, against WBridge5, each ± 0.05: {said}.")
    return "\n\n".join(parts)


def _trained(entry: dict[str, Any]) -> list[str]:
    less, each = "", ""
    if "base" in entry:
        better, error = -entry["base_is_better_by"], entry["paired_error"]
        less = f"{better:+.3f} ± {error:.3f} (to `{entry['base']}`)"
        each = _every([-one for one in entry["base_is_better_every_seed"]])
    count = str(entry["iterations"] or "–")
    variant = f"`{entry['variant']}`"
    return [entry["words"], variant, count, signed(entry), _every(entry["every_seed"]), less, each]


def _every(values: Sequence[float]) -> str:
    return ", ".join(f"{value:+.2f}" for value in values) if len(values) > 1 else ""


def _less(row: dict[str, Any]) -> str:
    error = row["paired_error"]
    return f"{-row['first_is_better_by']:+.3f}" + ("" if error is None else f" ± {error:.3f}")


def _no_curve(numbers: Numbers) -> str:
    if not numbers["curves"]:
        return "No curve of `overtrick train selfplay` was given (`--results`)."
    last = [f"{name}: {points[-1]['over_sl']:+.3f}" for name, points in numbers["curves"].items()]
    return "Last points over SL: " + ", ".join(last) + "."


def belief_table(numbers: Numbers) -> str:
    """The curve at a few lengths."""
    belief = numbers["belief"]
    if not belief["points"]:
        return "Not measured."
    asked = [p for p in belief["points"] if p["calls"] in (0, 1, 2, 3, 4, 6, 8, 10, 12, 15, 18)]
    rows = [
        ["positions", *(f"{p['positions']:,}" for p in asked)],
        ["belief network", *(f"{p['loss']:.4f}" for p in asked)],
        ["nats a card", *(f"{p['card_loss']:.3f}" for p in asked)],
    ]
    words = (
        f"{belief['positions']:,} positions of random deals that RL bids in all four seats. The "
        "paper's loss, the mean cross-entropy of 156 yes-or-no questions; uniform deals have "
        f"{belief['uniform_loss']:.4f} at any length "
        f"({belief['uniform_card_loss']:.3f} nats a card)."
    )
    return words + "\n\n" + markdown_table(["calls made", *(str(p["calls"]) for p in asked)], rows)


def table_v(numbers: Numbers) -> str:
    """Openings within the booklet's points and lengths; in brackets how many were made."""
    agents = numbers["agents"]
    shown = [name for name in (*AGENTS, "WBridge5") if name in agents]
    if not shown:
        return "No match has been played."
    rows = []
    for bid in CHECKED:
        cells = [_share(agents[name]["conformity"][bid]) for name in shown]
        rows.append([suited(bid), *cells, *(f"{share:.1f}" for share in TABLE_V[bid])])
    words = (
        "Per cent of the openings whose points and suit lengths are the booklet's, and how many "
        "were made. The paper does not say which ranges it used; ours give about its WBridge5 "
        "column on 5,000 published auctions of WBridge5."
    )
    head = ["opening", *shown, "paper: RL", "RL-BMCS", "WBridge5"]
    return words + "\n\n" + markdown_table(head, rows)


def _share(cell: dict[str, int]) -> str:
    if not cell["made"]:
        return "–"
    return f"{100 * cell['fits'] / cell['made']:.1f} ({cell['made']:,})"


def _games_words(numbers: Numbers) -> str:
    words = []
    for name, opened in zip(("RL", "RL-BMCS"), paper.OPENED, strict=True):
        if name not in numbers["agents"]:
            continue
        agent = numbers["agents"][name]
        games, lengths = agent["games"], agent["lengths"]
        openings, contracts = ([sum(row) for row in agent[k]] for k in ("openings", "contracts"))
        calls = sum(length * count for length, count in enumerate(lengths)) / games
        words.append(
            f"- {name} opened {_percent(sum(openings), games)} of its {games:,} games (paper "
            f"{100 * opened:.1f}), {_percent(sum(openings[:2]), sum(openings))} of the openings at "
            f"the one and two level; {_percent(sum(contracts[5:]), sum(contracts))} of its "
            f"contracts are slams; auctions have {calls:.1f} calls, "
            f"{_percent(sum(lengths[6:16]), games)} of them 6 to 15."
        )
    return "\n".join(words)


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / max(whole, 1):.1f} %"


def rates_table(numbers: Numbers) -> str:
    """The guard that goes with every claim of strength."""
    rows = [
        [
            name,
            *(f"{100 * rate:.1f} %" for rate in agent["opening_rates"].values()),
            f"{100 * agent['light_rate']:.1f} %",
        ]
        for name, agent in numbers["agents"].items()
    ]
    if not rows:
        return ""
    bands = next(iter(numbers["agents"].values()))["opening_rates"]
    return markdown_table(["hands that open", *(f"{band} hcp" for band in bands), "0-7 hcp"], rows)


def table_vi(numbers: Numbers) -> str:
    """Bits of the input; ours are OpenSpiel's, tested bit for bit."""
    rows = [
        [name, str(bits), str(paper.TABLE_VI.get(name, "–"))]
        for name, bits in numbers["inputs"].items()
    ]
    return markdown_table(["feature", "bits", "paper"], rows)
