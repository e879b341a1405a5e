"""Bidding problems of our own: hands by a script, awards by double dummy over many layouts.
Run as `python -m overtrick_lab.web.making` to write the sets that the package ships."""

from __future__ import annotations

import logging
import sys
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from overtrick import doubledummy as dd
from overtrick.arena.challenge import Problem
from overtrick.arena.problemsets import SetAbout
from overtrick.game import Board, Contract, PartialDeal, Seat, Strain, Vulnerability, imps, score
from overtrick.game.hand import Hand
from overtrick.worlds import Constraint, Dealer, parse
from overtrick.worlds.script import ScriptDealer

LOGGER = logging.getLogger(__name__)
_LAYOUTS: Final = 40  # ways the other two hands can lie
_PER_IMP: Final = 2.0  # award lost for each IMP a contract gives away on average


@dataclass(frozen=True, slots=True)
class Topic:
    """What the problems of a set have in common; `opponents` is their script, from the dealer."""

    name: str
    title: str
    words: str
    script: str
    dealer: str = ""
    opponents: tuple[str, ...] = ()
    west: str = ""  # what their calls show of the other two hands
    east: str = ""


THEMES: Final = (
    Topic("games", "Game or not", "Twenty-three to twenty-six points between you. Stop or go on?",
          "condition hcp(north)+hcp(south)>=23 and hcp(north)+hcp(south)<=26 "
          "and hcp(north)>=7 and hcp(south)>=7"),
    Topic("slams", "Slam hunting", "Thirty points or more. Find the slams that are good ones.",
          "condition hcp(north)+hcp(south)>=30 and hcp(north)+hcp(south)<=36"),
    Topic("notrump", "After one notrump", "North opens a strong notrump; South has a major.",
          "condition hcp(north)>=15 and hcp(north)<=17 and shape(north, any 4333 + any 4432 "
          "+ any 5332) and spades(north)<5 and hearts(north)<5 and hcp(south)>=6 "
          "and (spades(south)>=4 or hearts(south)>=4)", dealer="N"),
    Topic("shapes", "Shapely hands", "A long suit or two suits: trumps matter.",
          "condition hcp(north)+hcp(south)>=20 and hcp(north)+hcp(south)<=29 and "
          "(shape(south, any 6511+any 5521+any 6421+any 5530+any 6430+any 7321+any 6322) "
          "or shape(north, any 6511+any 5521+any 6421+any 5530+any 6430+any 7321+any 6322))"),
    Topic("overcalled", "They open one heart", "West opens 1♥ in front of North and East passes.",
          "condition hcp(west)>=11 and hcp(west)<=15 and hearts(west)>=5 and spades(west)<5 "
          "and hcp(east)<=7 and hcp(north)+hcp(south)>=20", dealer="W", opponents=("1H", "AC", "P"),
          west="hcp 11..15, hearts 5+, spades ..4", east="hcp ..7"),
)  # fmt: skip


def make_set(theme: Topic, count: int, seed: int) -> SetAbout:
    """A set of problems on one theme; those where every contract is as good are left out."""
    rng = np.random.default_rng(seed)
    dealer = ScriptDealer(theme.script)
    problems: list[Problem] = []
    while len(problems) < count:
        deal = dealer.sample(1, rng)[0]
        number = len(problems) + 1
        board = Board.numbered(number, deal)
        if theme.dealer:
            board = Board(number, Seat.parse(theme.dealer), board.vul, deal)
        awards = awards_of(board, rng, others=_others(theme))
        if 2 <= len(awards) <= 14 and list(awards.values()).count(10.0) <= 2:
            problems.append(_problem(theme, board, awards))
            LOGGER.info("%s %d: %s", theme.name, number, awards)
    return SetAbout(theme.name, theme.title, theme.words, tuple(problems))


def _others(theme: Topic) -> dict[Seat, Constraint]:
    wishes = {Seat.WEST: theme.west, Seat.EAST: theme.east}
    return {seat: parse(text) for seat, text in wishes.items() if text}


def _problem(theme: Topic, board: Board, awards: dict[str, float]) -> Problem:
    hands: dict[str, str] = {s.letter: str(board.deal[s]) for s in Seat}
    return Problem(
        theme.title, str(board.number), board.dealer.letter, str(board.vul), hands, awards,
        list(theme.opponents),
    )  # fmt: skip


def awards_of(
    board: Board,
    rng: np.random.Generator,
    layouts: int = _LAYOUTS,
    others: dict[Seat, Constraint] | None = None,
) -> dict[str, float]:
    """Ten for the best contract of North-South, less for others by the IMPs they give away.

    The two hands stay, the other cards are dealt again and again and every contract is played
    double dummy, so that a contract is not best only because the cards happen to lie well.
    """
    known = PartialDeal((board.deal[0], Hand(0), board.deal[2], Hand(0)))
    dealt = Dealer(others, known=known).sample(layouts, rng)
    tricks = dd.table_array(dealt.hands)
    choices = _contracts(tricks, board.vul)
    best = max(choices, key=lambda c: float(np.mean(choices[c])))
    out: dict[str, float] = {}
    for name, points in choices.items():
        lost = np.mean([imps(int(d)) for d in choices[best] - points])
        earned = round(10 - _PER_IMP * max(0.0, float(lost)))
        if earned > 0 and (name != "P" or earned >= 5):
            out[name] = float(earned)
    kept = {k: a for k, a in out.items() if out.get(_one_higher(k)) != a}
    return dict(sorted(kept.items(), key=lambda pair: -pair[1]))


def _one_higher(name: str) -> str:
    """The next part-score of the strain: when that earns as much, the lower one goes without
    saying (see `arena.challenge.award`)."""
    games = {"N": 3, "S": 4, "H": 4, "D": 5, "C": 5, "P": 0}
    level = int(name[0]) + 1 if name != "P" else 9
    return f"{level}{name[-1]}" if level < games[name[-1]] else ""


def _contracts(tricks: NDArray[Any], vul: Vulnerability) -> dict[str, NDArray[Any]]:
    """The scores of every contract in every layout, from the better side of the table."""
    out = {"P": np.zeros(len(tricks))}
    for level in range(1, 8):
        for strain in Strain:
            rows = []
            for seat in (Seat.NORTH, Seat.SOUTH):
                contract = Contract(level, strain, seat)
                rows.append([score(contract, int(t), vul) for t in tricks[:, strain, seat]])
            letter = "N" if strain == Strain.NT else strain.letter
            best = max(rows, key=sum)
            out[f"{level}{letter}"] = np.array(best, float)
    return out


def main(path: str, count: int = 12, seed: int = 2026) -> None:
    """Write all themes to a file."""
    sets = [make_set(theme, count, seed + i) for i, theme in enumerate(THEMES)]
    Path(path).write_bytes(msgspec.json.format(msgspec.json.encode(sets), indent=1))


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    default = files("overtrick.arena").joinpath("problems.json")
    main(sys.argv[1] if len(sys.argv) > 1 else str(default))
