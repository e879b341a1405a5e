"""OpenSpiel trajectories of bridge, one board a line of action numbers, both ways."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from overtrick.game import Auction, Deal, Play, Record, Seat, Vulnerability
from overtrick.notation.pbn.writer import NotationError
from overtrick.notation.reading import Warnings

_FIRST_CALL: Final = 52
# OpenSpiel numbers cards suit + 4 * rank, suits C, D, H, S; calls follow the 52 cards.
_OURS: Final = tuple((a % 4) * 13 + a // 4 for a in range(52))
_THEIRS: Final = tuple((c % 13) * 4 + c // 13 for c in range(52))
_MOST: Final = 52 + 319 + 52  # deal, the longest auction, play


def read(text: str, warnings: Warnings) -> list[Record]:
    """A record a line: 52 cards dealt in turn from North, the calls from North, the play."""
    records: list[Record] = []
    for number, line in enumerate(text.split("\n"), 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if len(words) > _MOST or not all(w.isdecimal() and len(w) < 3 for w in words):
            warnings.on(number, "a trajectory is a line of action numbers 0 to 89")
            continue
        record = _record([int(w) for w in words], number, warnings)
        if record is not None:
            records.append(record)
    return records


def _record(actions: list[int], line: int, warnings: Warnings) -> Record | None:
    dealt = actions[:52]
    if len(set(dealt)) != 52 or max(dealt) > 51:
        warnings.on(line, "the first 52 actions do not deal 52 different cards")
        return None
    owners = [0] * 52
    for i, action in enumerate(dealt):
        owners[_OURS[action]] = i % 4
    deal = Deal.from_owners(owners)
    auction, i = Auction(Seat.NORTH), 52
    while i < len(actions) and not auction.is_over:
        if why := auction.why_illegal(actions[i] - _FIRST_CALL):
            warnings.on(line, f"action {i + 1}, {actions[i]}: {why}")
            return Record(None, Seat.NORTH, Vulnerability.NONE, deal, auction)
        auction = auction.then(actions[i] - _FIRST_CALL)
        i += 1
    contract = auction.contract if auction.is_over else None
    play, tricks = None, None
    if contract is not None and i < len(actions):
        play = Play.of(contract)
        for action in actions[i:]:
            card = _OURS[action] if action < 52 else 99
            if why := play.why_illegal(card, deal[play.turn]):
                warnings.on(line, f"action {52 + len(auction) + len(play) + 1}, {action}: {why}")
                break
            play = play.then(card)
        tricks = play.declarer_tricks if play.is_over else None
    return Record(None, Seat.NORTH, Vulnerability.NONE, deal, auction, contract, play, tricks)


def write(records: Iterable[Record]) -> str:
    """A line a record; seats turn so that the dealer sits North, as the game wants it."""
    lines: list[str] = []
    for number, record in enumerate(records, 1):
        deal = record.deal
        if not isinstance(deal, Deal) or not deal.is_complete:
            raise NotationError(f"record {number}: a trajectory needs all four hands")
        turn = record.dealer if record.dealer is not None else Seat.NORTH
        hands = [deal[turn.plus(i)].cards() for i in range(4)]
        actions = [_THEIRS[hands[i % 4][i // 4]] for i in range(52)]
        if record.auction is not None:
            actions += [call + _FIRST_CALL for call in record.auction.calls]
        if record.play is not None:
            actions += [_THEIRS[card] for card in record.play.cards]
        lines.append(" ".join(str(a) for a in actions))
    return "".join(line + "\n" for line in lines)
