"""Suits and endings as games of hidden hands: defenders who see thirteen cards, and may mix."""
