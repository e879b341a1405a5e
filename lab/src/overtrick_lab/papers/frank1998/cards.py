"""The paper's card examples computed: Figures 3, 12 to 14, 16 and 20 to 22.

Figures 12 and 13 are lost in the text we have; their hands are rebuilt from the prose (spades are
trumps, the last outstanding one is the two, North has the aces). All layouts of the other cards are
tried, and what is said of a card is what a double-dummy program sees after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from overtrick.doubledummy import Position, reach_worlds, solve
from overtrick.game import DECK, Card, Hand, PartialDeal, Seat, Strain
from overtrick.game.cards import RANKS
from overtrick.suitplay import solve as solve_suit
from overtrick.suitplay.holding import Holding
from overtrick.worlds import Dealer
from overtrick_lab.papers.frank1998.algorithms import SuitProblem
from overtrick_lab.papers.site import markdown_table

PAPER_SPLITS: Final = (0.0, 0.012, 0.242, 0.355, 0.242, 0.012, 0.007)
"""Figure 3: what each split, 0–6 to 6–0, contributes to the Encyclopedia's 87 %."""
_FIGURE_12: Final = ("A..A.A", "..3.32", "2..KQ.KQJ")  # North, South, and what East and West have
_FIGURE_13: Final = ("A.A.A.A", "3..3.32", "2.KQ.KQ.KQJ")
_FIGURE_16: Final = ("KJT2.AKQ.AKQ.432", "A983.432.432.AKQ")
_FIGURE_21: Final = {  # by East's holding: two tricks by the finesse of the seven, of the jack?
    "Q95": (1, 1), "Q9": (1, 1), "Q5": (0, 1), "95": (1, 1), "Q": (1, 1), "9": (1, 1), "5": (0, 1),
    "": (1, 0),
}  # fmt: skip


def figure_3() -> str:
    """AKQJ9 opposite two low cards for five tricks, split by split."""
    suit = solve_suit("AKQJ9", "32")
    line = suit.line_for(5)
    rows = []
    for west, paper in enumerate(PAPER_SPLITS):
        layouts = [x for x in suit.table([line]) if len(x.west.replace("–", "")) == west]
        chance = sum(x.chance for x in layouts)
        won = [x for x in layouts if x.tricks[line.name] >= 5]
        which = "all" if len(won) == len(layouts) else ", ".join(f"{x.west}–{x.east}" for x in won)
        gained = sum(x.chance for x in won)
        rows.append(
            [f"{west}–{6 - west}", f"{chance:.3f}", str(comb(6, west)), which or "none",
             f"{gained:.3f}", f"{paper:.3f}"]
        )  # fmt: skip
    rows.append(["all", "", "64", "", f"{suit.chances[5]:.4f}", "0.87"])
    head = ["West–East", "probability", "cases", "line succeeds", "contributes", "paper"]
    return f"{suit.words(line)}\n\n{markdown_table(head, rows)}"


def _layouts(outside: str) -> Iterator[tuple[int, int]]:
    """Every way East and West can share some cards."""
    cards = [1 << c for c in DECK if Hand.parse(outside).bits >> c & 1]
    for east in combinations(cards, len(cards) // 2):
        yield sum(east), sum(cards) - sum(east)


def _worlds(figure: tuple[str, str, str]) -> NDArray[np.uint64]:
    north, south = (Hand.parse(text).bits for text in figure[:2])
    every = [(north, east, south, west) for east, west in _layouts(figure[2])]
    return np.array(every, np.uint64)


def _shares(
    worlds: NDArray[np.uint64], strain: Strain, leader: Seat, goal: int
) -> dict[Card, float]:
    """In how many worlds each lead still reaches the goal double dummy."""
    good = reach_worlds(worlds, int(strain), int(leader), (), goal)
    mine = Hand(int(worlds[0, leader]))
    return {card: float(good[:, card].mean()) for card in mine.cards()}


def figure_12() -> dict[Card, float]:
    """South to lead, all three tricks wanted: a diamond or a club is a guess."""
    return _shares(_worlds(_FIGURE_12), Strain.SPADES, Seat.SOUTH, 3)


@cache
def figure_12_anyhow() -> float:
    """How often some lead wins: what a double-dummy program thinks it can do."""
    worlds = _worlds(_FIGURE_12)
    return float(reach_worlds(worlds, 3, int(Seat.SOUTH), (), 3).any(axis=1).mean())


def figure_13() -> dict[Card, float]:
    """North to lead, all four tricks wanted: what a double-dummy program sees in each ace."""
    return _shares(_worlds(_FIGURE_13), Strain.SPADES, Seat.NORTH, 4)


def figure_13_after_the_heart(suit: int) -> float:
    """South has ruffed the heart ace and comes back in one suit, chosen beforehand."""
    won = [
        all(_comes_back(hands, suit) for hands in _after_the_heart(world))
        for world in _worlds(_FIGURE_13)
    ]
    return float(np.mean(won))


def _after_the_heart(world: NDArray[np.uint64]) -> Iterator[tuple[int, int, int, int]]:
    """The hands after ♥A, ruffed by South with the three: East and West play what they can."""
    north, east, south, west = (int(h) for h in world)
    ace, ruff = 1 << Card.parse("HA"), 1 << Card.parse("S3")
    hearts = sum(1 << c for c in DECK if c.suit == 2)
    for e in _bits(east & hearts or east):
        for w in _bits(west & hearts or west):
            yield north ^ ace, east ^ e, south ^ ruff, west ^ w


def _bits(cards: int) -> Iterator[int]:
    while cards:
        low = cards & -cards
        yield low
        cards ^= low


def _comes_back(hands: Sequence[int], suit: int) -> bool:
    north, east, south, west = (Hand(h) for h in hands)
    position = Position((north, east, south, west), Strain.SPADES, Seat.SOUTH)
    return all(tricks == 3 for card, tricks in solve(position).items() if card.suit == suit)


def figure_14() -> dict[str, tuple[float, float]]:
    """KJTx opposite A98x for four tricks: each lead double dummy, and the best line of all."""
    holding = Holding.parse("KJTx", "A98x")
    game = SuitProblem(holding, 4).game()
    found: dict[str, tuple[float, float]] = {}
    best = solve_suit("KJTx", "A98x").chances[4]
    for lead in game.node(game.root).leads:
        level = lead.reach >> (3 * game.size) & ((1 << game.size) - 1)
        weight = sum(w for i, w in enumerate(game.layouts.weights) if level >> i & 1)
        hand = (holding.north, holding.south)[lead.hand]
        packed = (game.root.north, game.root.south)[lead.hand]
        before = sum(packed >> (4 * g) & 15 for g in range(lead.gap))
        ranks = hand[before : before + (packed >> (4 * lead.gap) & 15)]
        name = "".join(RANKS[r] for r in ranks)
        found[f"{('North', 'South')[lead.hand]} {name}"] = weight / game.layouts.total, best
    return found


def figure_16(count: int = 60, seed: int = 1) -> dict[Card, float]:
    """South to lead with all the tricks to come: what each card leaves, double dummy."""
    known = PartialDeal.of(
        {Seat.NORTH: Hand.parse(_FIGURE_16[0]), Seat.SOUTH: Hand.parse(_FIGURE_16[1])}
    )
    worlds = Dealer(known=known).sample(count, np.random.default_rng(seed)).hands
    return _shares(np.asarray(worlds, np.uint64), Strain.NT, Seat.SOUTH, 13)


def figure_20() -> str:
    """J87 opposite T32 with Q95 out, two tricks wanted: our best line, the paper's tactics."""
    suit = solve_suit("J87", "T32", missing="Q95")
    line = suit.line_for(2)
    ours = {x.east.replace("–", ""): x.tricks[line.name] >= 2 for x in suit.table([line])}
    mark = {True: "•", False: ""}
    rows = [
        [east or "void", mark[bool(seven)], mark[bool(jack)], mark[ours[east]]]
        for east, (seven, jack) in _FIGURE_21.items()
    ]
    head = ["East holds", "paper: finesse of the 7", "paper: finesse of the J", "our best line"]
    return markdown_table(head, rows)


def figure_22() -> str:
    """The trick before: J876 opposite AT32 for three tricks."""
    suit = solve_suit("J876", "AT32")
    line = suit.line_for(3)
    return f"{100 * suit.chances[3]:.2f} %. {suit.words(line)}"


def numbers() -> dict[str, float]:
    """The figures' numbers by name, for whoever compares them with a page."""
    found = {"figure 3": solve_suit("AKQJ9", "32").chances[5]}
    found |= {f"figure 12 {card.ascii}": share for card, share in figure_12().items()}
    found |= {f"figure 13 {card.ascii}": share for card, share in figure_13().items()}
    for name, suit in (("diamond", 1), ("club", 0)):
        found[f"figure 13 back by a {name}"] = figure_13_after_the_heart(suit)
    found |= {f"figure 14 {who}": share for who, (share, _) in figure_14().items()}
    found["figure 14 best line"] = next(iter(figure_14().values()))[1]
    found["figure 22"] = solve_suit("J876", "AT32").chances[3]
    return found


def markdown() -> str:
    """All card examples as a part of the report."""
    twelve, thirteen, sixteen = figure_12(), figure_13(), figure_16()
    clubs, diamonds = (figure_13_after_the_heart(suit) for suit in (0, 1))
    leads = ", ".join(f"{card} {100 * share:.0f} %" for card, share in twelve.items())
    aces = ", ".join(f"{card} {100 * share:.0f} %" for card, share in thirteen.items())
    suit = [f"{who} {100 * share:.0f} %" for who, (share, _) in figure_14().items()]
    best = next(iter(figure_14().values()))[1]
    spades = {c: s for c, s in sixteen.items() if c.suit == 3}
    others = [s for c, s in sixteen.items() if c.suit != 3]
    early = ", ".join(f"{card} {100 * share:.0f} %" for card, share in spades.items())
    return "\n\n".join(
        [
            "### Figure 3: the Encyclopedia's line, split by split",
            figure_3(),
            "### Figures 12 and 13: strategy fusion in cards",
            f"Figure 12, South leads and wants all three tricks: {leads}. Some lead wins in "
            f"{100 * figure_12_anyhow():.0f} % of the layouts, so a double-dummy program takes the "
            "guess for a certainty.",
            f"Figure 13, North leads and wants all four: {aces} double dummy. The heart ace is as "
            "good as the spade ace to repeated minimaxing. With the way back chosen beforehand it "
            f"wins in {100 * diamonds:.0f} % (diamond) or {100 * clubs:.0f} % (club).",
            "### Figures 14 and 16: a decision is put off",
            f"KJTx opposite A98x, four tricks double dummy after each lead: {', '.join(suit)}. The "
            f"best line makes it with {100 * best:.1f} %. As the paper says, such a program is "
            "not indifferent: every card but the ace and the king keeps the illusion of 100 %.",
            f"Figure 16, all the tricks: {early}; every other card "
            f"{100 * min(others):.0f} to {100 * max(others):.0f} %. So nothing makes the program "
            "play its winners first to learn where the queen is (discovery), nor keeps it from it.",
            "### Figures 20 to 22: non-locality in cards",
            figure_20(),
            f"Figure 22, J876 opposite AT32 for three tricks: {figure_22()}",
        ]
    )
