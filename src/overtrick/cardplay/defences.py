"""The names players give to what a defender does."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from overtrick.cardplay.blind import Defence
from overtrick.cardplay.ending import Ending
from overtrick.cardplay.endings import EndingSolver
from overtrick.cardplay.naming import HONOUR, Technique, beats, named, suit_of
from overtrick.cardplay.vectors import cards_of


def defenders(asked: Defence, card: int, rivals: Sequence[int]) -> Technique | None:
    """The technique of a defender's best card against the best of the others."""
    game = asked.game
    if game.trick:
        led = game.trick[0] // 13
        if card // 13 == led:
            return _following(game, card, rivals)
        return _not_following(game, card, rivals)
    return _leading(game, card, rivals)


def _wins_now(game: Ending, card: int) -> bool:
    return beats(EndingSolver(game), game.trick, card)


def _following(game: Ending, card: int, rivals: Sequence[int]) -> Technique | None:
    place = len(game.trick)
    rival = rivals[0]
    mine, theirs = _wins_now(game, card), _wins_now(game, rival)
    if place == 1:
        return _second(game, card, rival)
    partner_wins = _holder(game) == place - 2
    if mine == theirs:
        if card > rival:
            way = "throws-under-partner" if partner_wins else "throws-under"
            return named("unblock", way, cards=(card,))
        return named("keeping the high card", "keeps-for-later", cards=(rival,))
    if mine:
        if partner_wins:
            return named("overtaking", "overtakes", cards=(card,))
        if place == 2:
            return named("third hand high", "third-hand-high", cards=(card,))
        return named("winning at once", "wins-now", suits=(card // 13,))
    if partner_wins:
        return named("leaving partner on lead", "leaves-it-to-partner")
    if place == 2:
        return named("third hand low", "keeps-it-over-the-left", cards=(rival,))
    return named("hold-up", "holds-up", cards=(rival,))


def _cuts_off(game: Ending, card: int) -> bool:
    """Is it the only card over a suit that is long in dummy, which has no other way in?"""
    suit, dummy = card // 13, game.hands[0][game.declarer ^ 2]
    others = [c for c in cards_of(dummy) if c // 13 != suit]
    mine = cards_of(suit_of(dummy, suit))
    us = game.chooser, game.chooser ^ 2

    def over(row: Sequence[int]) -> bool:
        ours = cards_of(suit_of(row[us[0]] | row[us[1]], suit))
        return [c for c in ours if c > mine[-2]] == [card]

    return (
        len(mine) > 1
        and all(map(over, game.hands))
        and _mostly(game, lambda row: suit_of(row[game.declarer], suit).bit_count() < len(mine))
        and not any(all(c == _top_of(row, c // 13) for row in game.hands) for c in others)
    )


def _holder(game: Ending) -> int:
    """Which card of the trick is winning."""
    solver = EndingSolver(game)
    best = 0
    for i in range(1, len(game.trick)):
        if beats(solver, game.trick[:i], game.trick[i]):
            best = i
    return best


def _second(game: Ending, card: int, rival: int) -> Technique | None:
    led = game.trick[0]
    if led % 13 >= HONOUR and (card > led) != (rival > led):
        if card > led:
            return named("covering an honour", "covers-with", cards=(led, card))
        return named("not covering", "does-not-cover", cards=(led,))
    if card < rival:
        if _cuts_off(game, rival):
            return named("hold-up", "holds-up", cards=(rival,))
        return named("second hand low", "plays-low-and-keeps", cards=(rival,))
    return named("second hand high", "goes-up", cards=(card,))


def _not_following(game: Ending, card: int, rivals: Sequence[int]) -> Technique | None:
    strain, rival = game.strain, rivals[0]
    if card // 13 == strain:
        if rival // 13 == strain:
            if card > rival:
                return named("uppercut", "ruffs-high-to-promote", cards=(card,))
            return named("ruffing low", "ruffs-low-and-keeps", cards=(rival,))
        return named("ruffing", "ruffs-with", cards=(card,))
    if rival // 13 == strain:
        over = any(c // 13 == strain for c in game.trick)
        return named("refusing to ruff", "does-not-overruff" if over else "does-not-ruff")
    if card // 13 == rival // 13:
        if card > rival:
            return named("unblock", "throws-away-to-unblock", cards=(card,))
        return named("keeping the high card", "throws-not-the-other", cards=(card, rival))
    return named("keeping guard", "keeps-the-guard", suits=(card // 13, rival // 13))


def _leading(game: Ending, card: int, rivals: Sequence[int]) -> Technique | None:
    suit = card // 13
    if suit == game.strain:
        return named("trump lead", "leads-a-trump")
    if (forced := _forcing(game, suit)) is not None:
        return forced
    tops = [_top_of(row, suit) for row in game.hands]
    if all(card == t for t in tops):
        return named("cashing out", "cashes-while-it-is-there", cards=(card,))
    partner = game.chooser ^ 2
    if _mostly(game, lambda row: _short_with_trumps(game, row[partner], suit)):
        return named("giving a ruff", "leads-for-a-ruff", suits=(suit,))
    dummy = game.hands[0][game.declarer ^ 2]
    entries = [c for c in cards_of(dummy) if all(c == _top_of(row, c // 13) for row in game.hands)]
    if suit_of(dummy, suit) and {c // 13 for c in entries} == {suit}:
        return named("breaking communications", "attacks-the-entry", suits=(suit,))
    if _mostly(game, lambda row: bool(row[partner] >> _top_of(row, suit) & 1)):
        return named("to partner's hand", "finds-partner", suits=(suit,))
    mine = suit_of(game.hands[0][game.chooser], suit)
    honours = [c for c in cards_of(mine) if c % 13 >= HONOUR and c > card]
    if honours:
        return named("active switch", "leads-away-from", cards=(honours[-1],))
    return named("passive exit", "gets-off-lead", suits=(suit,))


def _forcing(game: Ending, suit: int) -> Technique | None:
    """A suit that declarer's side ruffs in most layouts: a trump is promoted if partner is out of
    the suit too and may ruff higher; else the ruff is to shorten them."""
    partner = game.chooser ^ 2
    if not _mostly(game, lambda row: _ruffs_it(game, row, suit)):
        return None
    if _mostly(game, lambda row: _short_with_trumps(game, row[partner], suit)):
        return named("trump promotion", "promotes-a-trump", suits=(suit,))
    return named("forcing declarer", "makes-them-ruff", suits=(suit,))


def _mostly(game: Ending, holds: Callable[[Sequence[int]], bool]) -> bool:
    """In more than half of the layouts."""
    return 2 * sum(holds(row) for row in game.hands) > len(game.hands)


def _short_with_trumps(game: Ending, hand: int, suit: int) -> bool:
    return game.strain < 4 and not suit_of(hand, suit) and bool(suit_of(hand, game.strain))


def _top_of(row: Sequence[int], suit: int) -> int:
    return max(suit_of(hand, suit).bit_length() - 1 for hand in row)


def _ruffs_it(game: Ending, row: Sequence[int], suit: int) -> bool:
    """Has a hand of declarer's side no card of the suit, but a trump?"""
    both = (game.declarer, game.declarer ^ 2)
    return any(_short_with_trumps(game, row[s], suit) for s in both)
