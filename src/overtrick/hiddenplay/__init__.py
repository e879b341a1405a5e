"""Suits and endings as games of hidden hands: defenders who see thirteen cards, and may mix."""

from overtrick.hiddenplay.analysis import HiddenSuit, MixedPlay, solve
from overtrick.hiddenplay.words import choice_words

__all__ = ["HiddenSuit", "MixedPlay", "choice_words", "solve"]
