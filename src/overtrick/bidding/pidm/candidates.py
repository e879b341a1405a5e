"""Calls worth comparing: those the rules allow the hand, and sensible ones beside them.
The paper's own candidates are φ(s) alone (`widen=0`)."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from overtrick.bidding.kernel.position import AuctionPosition
from overtrick.bidding.pidm.models import PlayerModel
from overtrick.evaluation import HandArray, feature
from overtrick.game.meaning import SpeechAct
from overtrick.systems.context import Context
from overtrick.systems.many import Pool

GAME_BIDS: Final = (3 + 20, 3 + 21, 3 + 17, 3 + 18, 3 + 14)  # 5C 5D 4H 4S 3NT
_GAME_POINTS: Final = (25, 25, 22, 22, 22)  # together, below which game is far off
SLAM_BIDS: Final = 3 + 25  # 6C and above
_SLAM_POINTS: Final = 28
_ACES: Final = 3 + 19  # 4NT
_SLAM_TRY: Final = 3 + 15  # 4C: from here on questions are about slam


def candidates(
    player: PlayerModel, position: AuctionPosition, hand: int, widen: int, most: int
) -> list[int]:
    """At most `most` calls, the first choice in front: φ(s), then other calls whose rules the hand
    satisfies by priority, then (widen ≥ 2) natural alternatives."""
    pool = Pool(np.array([hand], np.uint64))
    chosen = player.selection(position, pool).calls()
    if widen < 1 or (player.refined(position) and not player.wide):
        return chosen[:most]
    ctx = player.context(position)
    if asked(player, position) or answered(player, position):
        return chosen[:1]
    found = list(chosen)
    for option in player.reading.options(ctx):
        if option.call not in found and pool.satisfying(option.items):
            found.append(option.call)
    if widen > 1:
        legal = set(player.reading.default_calls(ctx))
        if _at_rest(ctx):
            legal.add(0)
        for call in [*alternatives(ctx, hand), *questions(player, ctx)]:
            if call in legal and call not in found:
                found.append(call)
    return found[:most]


def _at_rest(ctx: Context) -> bool:
    """Does our side stand in its agreed suit at game or above? Then a pass can always be meant."""
    agreed = ctx.agreed[ctx.side]
    return ctx.ours and ctx.at_game and agreed >= 0 and (ctx.last_bid - 3) % 5 == agreed


def asked(player: PlayerModel, position: AuctionPosition) -> bool:
    """Has partner just asked by an artificial call, with no bid in between? Then it is answered."""
    calls = position.calls
    if len(calls) < 2 or calls[-1] or not calls[-2]:
        return False
    before = position.before(len(calls) - 2)
    partner = player.other(2)
    meant = partner.reading.of_call(partner.context(before), calls[-2])
    return bool(meant) and meant[0].rule.act is SpeechAct.ASKING and meant[0].rule.artificial


def answered(player: PlayerModel, position: AuctionPosition) -> bool:
    """Have I told partner my key cards, and have they placed the contract? They know."""
    calls = position.calls
    if len(calls) < 6 or calls[-6] < _SLAM_TRY or calls[-1] or calls[-2] < 3 or calls[-3]:
        return False
    if not asked(player, position.before(len(calls) - 4)):
        return False
    partner, before = player.other(2), position.before(len(calls) - 2)
    meant = partner.reading.of_call(partner.context(before), calls[-2])
    return not meant or meant[0].rule.act is not SpeechAct.ASKING


def questions(player: PlayerModel, ctx: Context) -> list[int]:
    """Calls that ask partner: whoever asks need not have what the rule says."""
    if not ctx.ours:
        return []
    asks = [o.call for o in player.reading.options(ctx) if o.rule.act is SpeechAct.ASKING]
    return list(dict.fromkeys(asks))


def alternatives(ctx: Context, hand: int) -> list[int]:
    """Natural calls that no rule need support: pass, raises, doubles, games and slams in reach,
    and the question for key cards."""
    if not ctx.last_bid or (ctx.ours and ctx.last_bid >= SLAM_BIDS):
        return [0]  # before the opening, and after a slam of ours, it is for the rules
    ours = _together(ctx, hand)
    out = [] if _opened(ctx) else [0]
    out += _on_seven(ctx, ours.lengths)
    out += _games(ctx, ours)
    if not ctx.ours and ctx.doubled == 0 and ctx.level >= 2:
        out.append(1)
    out += _slams(ours)
    return [c for c in out if c < 3 or ctx.last_bid < c <= 37]


class _Ours(NamedTuple):
    """What our side has, as far as I can tell: my lengths, high cards together, the best two suits
    to play in, and points together in each suit."""

    lengths: list[int]
    high: int
    strains: list[int]
    worth: list[int]


def _together(ctx: Context, hand: int) -> _Ours:
    mine = HandArray(np.array([hand], np.uint64))
    lengths = [int(mine.look("length", s)[0]) for s in range(4)]
    partner = ctx.shown[ctx.partner]
    high = int(feature("HCP")(mine)[0]) + min(partner.hcp[1], ctx.expected(ctx.partner) + 5)
    strains = [s for s in range(4) if lengths[s] + partner.low[s] >= 8 or lengths[s] >= 7]
    strains.sort(key=lambda s: (-(s >= 2), -(lengths[s] + partner.low[s])))
    worth = [high + _shape_points(lengths, s) for s in range(4)]
    return _Ours(lengths, high, strains[:2], worth)


def _games(ctx: Context, ours: _Ours) -> list[int]:
    """One more of our suit, and games in reach."""
    out = []
    for strain in ours.strains:
        if _cheapest(ctx, strain) < SLAM_BIDS:
            out.append(_cheapest(ctx, strain))
        if ours.worth[strain] >= _GAME_POINTS[strain]:
            out.append(GAME_BIDS[strain])
    if ours.high >= _GAME_POINTS[4] and ctx.our_suits:
        out.append(GAME_BIDS[4])
    return out


def _slams(ours: _Ours) -> list[int]:
    """Slams in reach, and the question for key cards."""
    out = [SLAM_BIDS + s for s in ours.strains if ours.worth[s] >= _SLAM_POINTS]
    if out:
        out.append(_ACES)
    if ours.high >= _SLAM_POINTS + 3:
        out.append(SLAM_BIDS + 4)
    return out


def _opened(ctx: Context) -> bool:
    """Has partner just opened one of a suit? They may have anything up to a game in hand, and the
    opponents would not go on passing either, so passing is for the rules."""
    opened = ctx.last_bidder == ctx.opener == ctx.partner
    return opened and ctx.level == 1 and (ctx.last_bid - 3) % 5 < 4 and not ctx.bids[ctx.rho]


def _on_seven(ctx: Context, lengths: list[int]) -> list[int]:
    """Three cards for partner's four of a major at the two level; a long suit over their bid."""
    partner = ctx.shown[ctx.partner]
    if ctx.ours:
        fits = [s for s in (2, 3) if lengths[s] == 3 and partner.low[s] == 4]
        calls = [_cheapest(ctx, s) for s in fits]
        return [c for c in calls if c < 3 + 10]
    return [_cheapest(ctx, s) for s in range(4) if lengths[s] >= 6 and ctx.bids[ctx.me]]


def _shape_points(lengths: list[int], trump: int) -> int:
    """Points for length in trumps and shortness beside them."""
    short = sum(max(0, 3 - lengths[s]) for s in range(4) if s != trump)
    return max(0, lengths[trump] - 4) + (short if lengths[trump] >= 4 else 0)


def _cheapest(ctx: Context, strain: int) -> int:
    level = max(ctx.level, 1)
    call = 3 + 5 * (level - 1) + strain
    return call if call > ctx.last_bid else call + 5
