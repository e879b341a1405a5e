"""Suits and endings as games of hidden hands: defenders who see thirteen cards, and may mix."""

from overtrick.hiddenplay.analysis import Choice, HiddenSuit, solve
from overtrick.hiddenplay.words import choice_words

__all__ = ["Choice", "HiddenSuit", "choice_words", "solve"]
