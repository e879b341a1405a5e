"""What card players say of their cards, as a coach would say it to the one who has to play.
Used by the coach; the numbers stay as they were computed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

_SPOKEN: Final = tuple((re.compile(pattern), words) for pattern, words in (
    (r"makes (\d+%), (.+) tricks in all",
     r"This makes the contract in \1 of the possible deals, with \2 tricks on average"),
    (r"makes (\d+%)", r"This makes the contract in \1 of the possible deals"),
    (r"makes, (\d+) tricks in all", r"This makes the contract, with \1 tricks"),
    (r"makes, (.+) tricks in all", r"This makes the contract, with \1 tricks on average"),
    (r"makes", r"This makes the contract"),
    (r"goes down, (.+) tricks in all", r"The contract goes down, with \1 tricks"),
    (r"goes down", r"The contract goes down"),
    (r"beats it (\d+%), (.+) tricks in all for us",
     r"This beats the contract in \1 of the possible deals, with \2 tricks for your side"),
    (r"beats it (\d+%)", r"This beats the contract in \1 of the possible deals"),
    (r"beats it, (.+) tricks in all for us",
     r"This beats the contract, with \1 tricks for your side"),
    (r"beats it", r"This beats the contract"),
    (r"they make it, (.+) tricks in all for us", r"They make it; your side takes \1 tricks"),
    (r"they make it", r"They make it"),
    (r"(\S+) makes (\d+%)", r"With \1 it is \2"),
    (r"(\S+) makes", r"With \1 it is made"),
    (r"(\S+) goes down", r"With \1 it goes down"),
    (r"(\S+) beats it (\d+%)", r"With \1 it is \2"),
    (r"(\S+) beats it", r"\1 beats it"),
    (r"(\S+) they make it", r"With \1 they make it"),
    (r"(.+) tricks in all for us with (\S+)", r"With \2 it is \1 tricks"),
    (r"(.+) tricks in all with (\S+)", r"With \2 it is \1 tricks"),
    (r"(.+) tricks in all for us", r"Your side takes \1 tricks"),
    (r"(.+) tricks in all", r"You take \1 tricks in all"),
    (r"count: (even|odd)", r"This shows partner an \1 number of cards in the suit"),
    (r"encouraging", r"This asks partner to go on with the suit"),
    (r"discouraging", r"This asks partner to leave the suit"),
    (r"finesses against the (\S+) \((\w+) has it (\d+%)\)",
     r"Finesse against the \1: \2 has it in \3 of the possible deals"),
    (r"takes the marked finesse against the (\S+) \((\w+) has it\)",
     r"The finesse against the \1 is marked: \2 has it"),
    (r"plays for the drop of the (\S+)", r"Play for the drop of the \1"),
    (r"leads (towards|through) the (\S+)", r"Lead \1 the \2"),
    (r"covers the (\S+)", r"Cover the \1"),
    (r"lets the (\S+) run", r"Let the \1 run"),
    (r"goes on with (\w+)", r"Go on with \1"),
    (r"switches to (\w+)", r"Switch to \1"),
    (r"wins", r"You can win this trick"),
    (r"ruffs", r"You can ruff"),
    (r"overruffs", r"You can overruff"),
    (r"ruffs low", r"A low ruff is enough"),
    (r"throws a loser", r"A loser can go"),
    (r"throws", r"You have to discard"),
    (r"cashes", r"Take your winner"),
    (r"draws trumps", r"Draw trumps"),
    (r"ducks", r"Let them have this trick"),
    (r"plays low", r"Play low"),
    (r"leads a trump", r"Lead a trump"),
    (r"leads for a ruff or a discard", r"Lead for a ruff or a discard"),
    (r"gives up the lead to set up the suit", r"Give up the lead to set up the suit"),
    (r"returns partner's suit", r"Return partner's suit"),
    (r"(second|third) hand (low|high)", r"Here \1 hand plays \2"),
))  # fmt: skip


def spoken(part: str) -> str:
    """A statement of a card player as a sentence to the one who has to play.

    >>> spoken("beats it 20%"), spoken("♣Q makes 40%")
    ('This beats the contract in 20% of the possible deals.', 'With ♣Q it is 40%.')
    >>> spoken("top of a sequence")
    'Top of a sequence.'
    """
    bare = part.rstrip(".")
    for pattern, words in _SPOKEN:
        if found := pattern.fullmatch(bare[:1].lower() + bare[1:]):
            return sentence(found.expand(words))
    return sentence(part)


_COMPARES: Final = re.compile(
    r"This (makes|beats) the contract|The contract goes down|They make it|With \S+ |Your side takes"
    r"|You take .* tricks|Fewer tricks with|A little better than|\S+ (would do as well|beats it)"
)


def of_the_cards(reasons: Iterable[str]) -> tuple[str, ...]:
    """The reasons without what compares chances: where a table has those from many more deals.

    >>> of_the_cards(["Draw trumps.", "This makes the contract in 50% of the possible deals."])
    ('Draw trumps.',)
    """
    found = tuple(r for r in reasons if not _COMPARES.match(r))
    return found or ("No other card keeps the chance as high.",)


def sentence(text: str) -> str:
    """With a capital letter and a full stop."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")
