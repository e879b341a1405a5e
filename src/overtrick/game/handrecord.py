"""What a hand record says of a board beside the cards: tricks of every declarer, and par.

PBN has no fields for it, but tags that dealing programs write and others read by name; they are
understood and made here, and nothing here solves anything.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from overtrick.game.cards import Strain
from overtrick.game.contract import Contract
from overtrick.game.errors import BridgeError
from overtrick.game.scoring import result_text
from overtrick.game.seats import Seat, Side

Rows = tuple[tuple[int, int, int, int], ...]
"""Tricks by strain (clubs to notrump) and declarer (N, E, S, W)."""
Tables = Mapping[str, tuple[tuple[str, ...], ...]]

DIGITS_TAG: Final = "DoubleDummyTricks"  # twenty hexadecimal digits
TABLE_TAG: Final = "OptimumResultTable"  # twenty rows of declarer, strain and tricks
SCORE_TAG: Final = "OptimumScore"
PAR_TAG: Final = "ParContract"
TAGS: Final = (DIGITS_TAG, TABLE_TAG, SCORE_TAG, PAR_TAG)
_HEAD: Final = r"Declarer;Denomination\2R;Result\2R"
_DECLARERS: Final = (Seat.NORTH, Seat.SOUTH, Seat.EAST, Seat.WEST)
_STRAINS: Final = tuple(reversed(Strain))  # notrump first
_SCORE: Final = re.compile(r"\s*(NS|EW)\s*([+-]?\d{1,5})\b", re.IGNORECASE)
_CONTRACT: Final = re.compile(
    r"(?P<by>NS|EW|[NESW])?\s*(?P<bid>[1-7]\s*(?:NT|[NSHDC]))\s*(?P<doubled>XX|X)?"
    r"(?:\s+(?P<after>NS|EW|[NESW]))?\s*(?P<over>=|[+-]\d{1,2})(?!\d)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ParContract:
    """A contract in which par is reached, with declarer's tricks.

    >>> print(ParContract(Contract(4, "S", "N"), 11))
    4♠ North+1
    """

    contract: Contract
    tricks: int

    def __str__(self) -> str:
        return f"{self.contract}{result_text(self.contract, self.tricks)}"


@dataclass(frozen=True, slots=True)
class Par:
    """Par for North-South and the contracts that reach it; none when the deal is passed out.

    >>> print(Par(0, ()))
    Par 0, passed out
    """

    score: int
    contracts: tuple[ParContract, ...] = ()

    def __str__(self) -> str:
        if not self.contracts:
            return f"Par {self.score:+d}" if self.score else "Par 0, passed out"
        return f"Par {self.score:+d}: " + ", ".join(str(c) for c in self.contracts)

    def _repr_html_(self) -> str:
        from overtrick.notation.pictures import html_lines

        return html_lines(str(self))


@dataclass(frozen=True, slots=True)
class Analysis:
    """The double-dummy tricks and the par that a record carries; None for what it does not say.

    >>> told = Analysis.of({"DoubleDummyTricks": "89967899674347643476", "OptimumScore": "NS 140"})
    >>> told.tricks[Strain.SPADES][Seat.SOUTH], told.par.score
    (9, 140)
    """

    tricks: Rows | None = None
    par: Par | None = None

    @classmethod
    def of(cls, tags: Mapping[str, str], tables: Tables | None = None) -> Analysis:
        """What tags and table sections tell; what they do not tell whole is not told."""
        tricks = _by_digits(tags.get(DIGITS_TAG, ""))
        if tricks is None and tables is not None:
            tricks = _by_rows(tables.get(TABLE_TAG, ()))
        return cls(tricks, _par(tags.get(SCORE_TAG, ""), tags.get(PAR_TAG, "")))

    def tags(self) -> tuple[dict[str, str], dict[str, tuple[tuple[str, ...], ...]]]:
        """The tags and the table section that say the same."""
        said: dict[str, str] = {}
        tables: dict[str, tuple[tuple[str, ...], ...]] = {}
        if self.tricks is not None:
            rows = tuple(
                (declarer.letter, strain.letter, str(self.tricks[strain][declarer]))
                for declarer in _DECLARERS
                for strain in _STRAINS
            )
            said = {DIGITS_TAG: "".join(f"{int(count):x}" for *_, count in rows), TABLE_TAG: _HEAD}
            tables = {TABLE_TAG: rows}
        if self.par is not None:
            side = "NS" if self.par.score >= 0 else "EW"
            said[SCORE_TAG] = f"{side} {abs(self.par.score)}"
            if self.par.contracts:
                said[PAR_TAG] = ", ".join(_said(self.par.contracts))
            elif not self.par.score:
                said[PAR_TAG] = "Pass"
        return said, tables


def _by_digits(text: str) -> Rows | None:
    if not re.fullmatch(r"[0-9a-dA-D]{20}", text.strip()):
        return None
    tricks = [int(digit, 16) for digit in text.strip()]
    rows = [[0] * 4 for _ in Strain]
    for place, count in enumerate(tricks):
        rows[_STRAINS[place % 5]][_DECLARERS[place // 5]] = count
    return _frozen(rows)


def _by_rows(told: tuple[tuple[str, ...], ...]) -> Rows | None:
    found: dict[tuple[Strain, Seat], int] = {}
    for row in told:
        try:
            declarer, strain, tricks = Seat.parse(row[0]), Strain.parse(row[1]), int(row[2])
        except (BridgeError, ValueError, IndexError):
            return None
        found[strain, declarer] = tricks
    if len(found) != 20 or not all(0 <= tricks <= 13 for tricks in found.values()):
        return None
    return _frozen([[found[strain, seat] for seat in Seat] for strain in Strain])


def _frozen(rows: list[list[int]]) -> Rows:
    return tuple((n, e, s, w) for n, e, s, w in rows)


def _par(score: str, contracts: str) -> Par | None:
    """Par from a score, with the contracts that a second tag may name."""
    found = _SCORE.match(score)
    if found is None:
        return None
    points = int(found[2]) if found[1].upper() == Side.NS.name else -int(found[2])
    named = [each for told in _CONTRACT.finditer(contracts) for each in _named(told)]
    return Par(points, tuple(named))


def _named(told: re.Match[str]) -> list[ParContract]:
    """The contracts of `NS 4S=`, `4SX E -1` and the like: one for each declarer."""
    by = (told["by"] or told["after"] or "").upper()
    bid = told["bid"].replace(" ", "")
    over = 0 if told["over"] == "=" else int(told["over"])
    named = []
    for letter in by:
        contract = Contract.parse(f"{bid}{told['doubled'] or ''}", Seat.parse(letter))
        if 0 <= contract.target + over <= 13:
            named.append(ParContract(contract, contract.target + over))
    return named


def _said(contracts: tuple[ParContract, ...]) -> list[str]:
    """As dealing programs write them, partners who reach the same together: `NS 4S=`."""
    together: dict[str, set[Seat]] = {}
    for each in contracts:
        over = each.tricks - each.contract.target
        text = f"{each.contract.ascii}{f'{over:+d}' if over else '='}"
        together.setdefault(text, set()).add(each.contract.declarer)
    return [
        f"{''.join(seat.letter for seat in Seat if seat in seats)} {text}"
        for text, seats in together.items()
    ]
