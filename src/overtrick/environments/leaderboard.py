"""A file of who bids how well on the same deals, which anybody can add a line to and check.

Every row says how it was measured; the deals are named by their SHA-256, so that a row measured on
others is refused.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec

from overtrick.arena import Match, play_match
from overtrick.environments.datasets import DATASETS, Dataset
from overtrick.game import OptionError, ParseError
from overtrick.notation.whole import write_whole

FORMAT: Final = "overtrick-leaderboard-1"
_BYTES: Final = 4 << 20
_Text = Annotated[str, msgspec.Meta(max_length=400)]


@dataclass(frozen=True, slots=True)
class LeaderRow:
    """One bidder against the opponent of the leaderboard: IMPs a board, both rooms, double dummy.

    `weights` is the SHA-256 of the file that was learned, where there is one, `source` says where
    bidder and training can be found, `command` how the row is measured again.

    >>> LeaderRow("points", 1.2, 0.3, 400, "2026-11-16", "overtrick match points pass").boards
    400
    """

    bidder: _Text
    imps: float
    error: float
    boards: int
    date: _Text
    command: _Text
    source: _Text = ""
    weights: _Text = ""


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """Rows that were measured on the same deals against the same opponent.

    >>> board = Leaderboard.on("benchmark", against="points")
    >>> board.deals, len(board.rows)
    ('benchmark', 0)
    """

    deals: _Text
    sha256: _Text
    against: _Text
    rows: tuple[LeaderRow, ...] = ()
    format: _Text = FORMAT

    @classmethod
    def on(cls, deals: str, against: str) -> Leaderboard:
        """An empty one."""
        return cls(deals, _known(deals).sha256, against)

    @classmethod
    def read(cls, path: Path | str) -> Leaderboard:
        """From a file; whatever is not a leaderboard on deals of this name is a ParseError."""
        data = Path(path).read_bytes()
        if len(data) > _BYTES:
            raise ParseError(f"{path} is too large for a leaderboard: {len(data)} bytes")
        try:
            found = msgspec.json.decode(data, type=cls)
        except msgspec.MsgspecError as error:
            raise ParseError(f"{path} is no leaderboard: {error}") from None
        if found.format != FORMAT:
            raise ParseError(f"{path} is a leaderboard of another format: {found.format[:40]!r}")
        if _known(found.deals).sha256 != found.sha256:
            raise ParseError(f"{path} was measured on other deals than today's {found.deals!r}")
        return found

    def write(self, path: Path | str) -> None:
        """As a file, whole or not at all."""
        text = msgspec.json.format(msgspec.json.encode(self), indent=1)
        write_whole(Path(path), text + b"\n")

    def with_row(self, row: LeaderRow) -> Leaderboard:
        """With one more row, or a newer one of the same bidder; the best stands first."""
        others = [r for r in self.rows if r.bidder != row.bidder]
        best = sorted([*others, row], key=lambda r: (-r.imps, r.bidder))
        return replace(self, rows=tuple(best))

    def table(self) -> str:
        """As Markdown."""
        lines = [f"| bidder | IMPs a board over `{self.against}` | boards | measured |",
                 "|---|---|---|---|"]  # fmt: skip
        lines += [
            f"| `{r.bidder}` | {r.imps:+.2f} ± {r.error:.2f} | {r.boards:,} | {r.date} |"
            for r in self.rows
        ]
        return "\n".join(lines) + "\n"


def measured(
    bidder: str,
    leaderboard: Leaderboard,
    date: str,
    *,
    boards: int | None = None,
    weights: Path | str | None = None,
    **told: Any,
) -> LeaderRow:
    """A row: the bidder against the leaderboard's opponent on its deals, in both rooms.

    >>> board = Leaderboard.on("benchmark", against="pass")
    >>> row = measured("points", board, "2026-11-19", boards=20)
    >>> row.boards, row.imps > 0
    (20, True)
    """
    deals = _known(leaderboard.deals)
    if deals.first:
        raise OptionError(f"{deals.name!r} is a part of a file; leaderboards take whole ones")
    deals.load()
    count = deals.deals if boards is None else boards
    found = play_match(Match(bidder, leaderboard.against, boards=count, deals=str(deals.path)))
    digest = "" if weights is None else sha256(Path(weights).read_bytes()).hexdigest()
    command = (
        f"overtrick match {bidder!r} {leaderboard.against} -n {count} --deals {deals.path.name}"
    )
    return LeaderRow(
        bidder, round(found.mean, 3), round(found.error, 3), count, date, command, weights=digest,
        **told,
    )  # fmt: skip


def _known(name: str) -> Dataset:
    if name not in DATASETS:
        raise OptionError(f"no deals called {name!r} ({', '.join(DATASETS)})")
    return DATASETS[name]
