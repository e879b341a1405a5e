"""Engines that play cards; `player("name(option=…)")` makes one.
Engines here never import bidders."""

from overtrick.cardplay.base import PLAYERS, Player, check_player, play_board, player

__all__ = ["PLAYERS", "Player", "check_player", "play_board", "player"]
