"""What kinds of lead are worth beyond what the worlds say, so that experts' leads come out.

    python -m benchmarks.lead_positions alphamu --out positions.jsonl
    python -m benchmarks.lead_kinds positions.jsonl --pull 30

The worth of kinds (`cardplay/leadkinds.py`) is fitted to every second position and tried on the
others, and the other way round: a suit is led with a probability that grows with its value and the
worth of its kinds; `--pull` draws the worth to nothing. Then it is fitted to all of them.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.lead_positions import LeadPosition, positions
from overtrick.cardplay.carding import STANDARD
from overtrick.cardplay.leadkinds import kinds_of
from overtrick.cardplay.leadrules import agreed_lead
from overtrick.cardplay.leadtalk import asked_suit, heard, own_suits
from overtrick.cardplay.situation import situation
from overtrick.game import Card

Floats = NDArray[np.float64]
_SURE: Final = 8.0  # how much likelier a suit is, as a logarithm, by a trick
_STEPS: Final = 2000
_NEAR: Final = 0.035  # the agreed card is led if it is worth so little less


@dataclass(frozen=True, slots=True)
class LeadChoice:
    """The suits of one position: what each is worth, its kinds, whether it is right, and whether
    the card that would be led from it is."""

    trumps: bool
    asked: int | None
    worth: Floats
    kinds: list[list[str]]
    suits: list[int]
    right: NDArray[np.bool_]
    good: NDArray[np.bool_]

    @classmethod
    def of(cls, position: LeadPosition, row: dict[str, Any]) -> LeadChoice:
        view = position.view()
        at, calls = situation(view), heard(view)
        contract, asked = at.contract, asked_suit(view)
        partners = own_suits(calls, at.turn.partner)
        theirs = own_suits(calls, contract.declarer) + own_suits(calls, contract.dummy)
        value = {Card.parse(text): worth for text, worth in row["values"].items()}
        suits = sorted({int(card.suit) for card in value})
        worth, kinds, right, good = [], [], [], []
        for suit in suits:
            held = [card for card in value if card.suit == suit]
            agreed = agreed_lead(view, suit, STANDARD)
            worth.append(max(value[card] for card in held))
            kinds.append(kinds_of(at, agreed, partners, theirs))
            led = agreed
            if value[agreed] < worth[-1] - _NEAR:
                led = max(held, key=lambda card: (value[card], card))
            right.append(any(card.suit == suit for card in position.right))
            good.append(led in position.right)
        return cls(
            at.strain < 4, None if asked is None else int(asked), np.array(worth), kinds, suits,
            np.array(right), np.array(good),
        )  # fmt: skip

    def led(self, worth: dict[str, float]) -> bool:
        """Is the card right that is led with these kinds?"""
        if self.asked is not None:
            return bool(self.good[self.suits.index(self.asked)])
        beside = [sum(worth.get(kind, 0.0) for kind in kinds) for kinds in self.kinds]
        return bool(self.good[int(np.argmax(self.worth + np.array(beside)))])


def fitted(choices: list[LeadChoice], pull: float) -> dict[str, float]:
    """The worth of kinds, by gradient."""
    free = [choice for choice in choices if choice.asked is None]
    names = sorted({kind for choice in free for kinds in choice.kinds for kind in kinds})
    rows = [np.array([[n in kinds for n in names] for kinds in c.kinds], float) for c in free]
    worth = np.zeros(len(names))
    for _ in range(_STEPS):
        slope = -2 * pull * worth
        for choice, row in zip(free, rows, strict=True):
            score = _SURE * (choice.worth - choice.worth.max() + row @ worth)
            chance = np.exp(score - score.max())
            chance /= chance.sum()
            among = chance * choice.right
            slope += _SURE * row.T @ (among / max(among.sum(), 1e-9) - chance)
        worth += slope / (2 * pull + _SURE**2 * len(free) / 4)
    return dict(zip(names, worth.round(3).tolist(), strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("file")
    parser.add_argument("--pull", type=float, default=30.0)
    args = parser.parse_args()
    with open(args.file, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    every = [LeadChoice.of(p, row) for p, row in zip(positions(), rows, strict=True)]
    plain = sum(choice.led({}) for choice in every)
    found = 0
    for learnt, tried in ((every[::2], every[1::2]), (every[1::2], every[::2])):
        worth = {t: fitted([c for c in learnt if c.trumps == t], args.pull) for t in (False, True)}
        found += sum(choice.led(worth[choice.trumps]) for choice in tried)
    print(f"right without kinds {plain} of {len(every)}, with those of the other half {found}")
    for trumps in (False, True):
        worth_ = fitted([c for c in every if c.trumps == trumps], args.pull)
        print("trumps" if trumps else "notrump", dict(sorted(worth_.items(), key=lambda k: k[1])))


if __name__ == "__main__":
    main()
