"""What a language model can read before it asks: the words of constraints, systems and their
cards, sets of problems; and what people often want, as prompts."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

import msgspec

from overtrick.arena.problemsets import shipped
from overtrick.game import BridgeError
from overtrick.systems import library_names, load
from overtrick.systems.book import to_bml
from overtrick.systems.system import title_of
from overtrick.worlds.vocabulary import REFERENCE


def words() -> str:
    """The words that say what a seat holds, for `simulate` and `sample_deals`."""
    lines = []
    for title, rows in REFERENCE:
        lines += [f"{title}:", *(f"  {write:<36} {means}" for write, means in rows), ""]
    return "\n".join(lines)


def system_list() -> str:
    """The systems there are, with their titles."""
    return "\n".join(f"{name}: {title_of(name)}" for name in library_names())


def system_book(name: str) -> str:
    """A system's first calls and answers, in Bridge Markup Language."""
    return to_bml(load(_known(name)), depth=2)


def system_card(name: str) -> str:
    """The agreements of a system's card: which are on, and the switches that change them."""
    rows = [
        f"{'+' if c.on else '-'}{c.name}: {c.title}{f'. {c.about}' if c.about else ''}"
        for c in load(_known(name)).conventions
    ]
    head = f"{name}: a card is the name with switches, such as '{name} +NAME -OTHER'"
    return "\n".join([head, *rows])


def problem_list() -> str:
    """The sets of bidding problems that come with Overtrick."""
    return "\n".join(f"{s.name}: {s.title} ({len(s.problems)}). {s.words}" for s in shipped())


def problem_set(name: str) -> str:
    """A set of bidding problems: four hands and the award of each contract, as JSON."""
    for found in shipped():
        if found.name == name:
            plain: Any = msgspec.to_builtins(found.problems)
            return json.dumps(plain, ensure_ascii=False)
    raise BridgeError(f"no set {name!r}; there are {', '.join(s.name for s in shipped())}")


def _known(name: str) -> str:
    if name not in library_names():
        raise BridgeError(f"no system {name!r}; there are {', '.join(library_names())}")
    return name


def review_my_board(board: str) -> str:
    """Go over a played board with somebody: calls first, then the cards that mattered."""
    return (
        "Review this board with me. First `explain_calls` for the auction, and `think` for each of"
        " my calls that you doubt, with the hand that made it; then `review` for the cards. Tell me"
        " the two or three moments that mattered, what each cost with its figure and error, and"
        " what I could have seen at the table. Keep apart what was wrong and what was unlucky.\n\n"
        f"{board}"
    )


def teach_me(convention: str, system: str = "two-over-one") -> str:
    """Teach a convention of a system, with hands to try."""
    return (
        f"Teach me {convention} as it is played in {system}. Read the resources"
        f" overtrick://systems/{system} and overtrick://cards/{system}; take meanings from"
        " `explain_calls` and `possible_calls`, never from memory. Then deal me hands with"
        " `sample_deals`, one at a time, let me bid, and compare with `think`. Begin with the idea"
        " in two sentences."
    )


def plan_this_hand(deal: str, contract: str) -> str:
    """Plan a contract together before the first card."""
    return (
        f"I declare {contract} on {deal}. Ask me first how I would play it. Then use `plan`,"
        " `double_dummy` and, for each key suit, `suit_play`; tell me which lines work, how often,"
        " and what to watch for."
    )


READABLE: Final[tuple[tuple[str, Callable[..., str]], ...]] = (
    ("overtrick://words", words),
    ("overtrick://systems", system_list),
    ("overtrick://systems/{name}", system_book),
    ("overtrick://cards/{name}", system_card),
    ("overtrick://problems", problem_list),
    ("overtrick://problems/{name}", problem_set),
)
PROMPTS: Final[tuple[Callable[..., str], ...]] = (review_my_board, teach_me, plan_this_hand)
