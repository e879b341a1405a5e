"""Plans in words ("low to the queen; if it loses, cash the ace") and as a tree of cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from overtrick.game.cards import RANKS
from overtrick.suitplay.holding import ranks_text
from overtrick.suitplay.plan import PlanTrick, SuitReply, Tactic, TrickEnd

_NAMES = dict(zip(RANKS, (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "jack", "queen", "king", "ace"), strict=True))  # fmt: skip
_UNLIKELY = 0.02  # branches rarer than this are left to the tree
_NINE = RANKS.index("9")


def rank_name(rank: int) -> str:
    """'two' … 'ace'."""
    return _NAMES[RANKS[rank]]


def trick_words(trick: PlanTrick) -> str:
    """One trick when the second hand plays low: "low to the queen", "run the jack"."""
    third = trick.main.card
    lead = rank_name(trick.card)
    if trick.tactic is Tactic.DUCK:
        return "duck a round"
    if trick.tactic is Tactic.RUN:
        return f"run the {lead}" if third is not None else f"lead the {lead}"
    if third is None or trick.card > third:
        return f"cash the {lead}"
    small = trick.low and trick.card <= _NINE
    start = "low" if small else f"lead the {lead}"
    if trick.tactic is Tactic.DEEP_FINESSE:
        return f"{start} to the {rank_name(third)} (deep finesse)"
    return f"{start} to the {rank_name(third)}"


def plan_words(trick: PlanTrick | None) -> str:
    """A plan in a few sentences: the first trick, then what follows from it.

    >>> from overtrick.suitplay import solve
    >>> suit = solve("AQ", "32")
    >>> plan_words(suit.plan(suit.mean_line))
    'Low to the queen (if West plays the king, play the ace). Then cash the ace.'
    """
    if trick is None:
        return "No card is missing: every one of yours wins."
    sentences = [trick_words(trick) + _exceptions(trick), *_continuations(trick), *_marked(trick)]
    return " ".join(s[0].upper() + s[1:] + "." for s in sentences)


def _likeliest(trick: PlanTrick, tricks: int) -> str:
    """The next tricks if everybody plays low, without branches."""
    parts = [trick_words(trick) + ("" if trick.sure else _exceptions(trick))]
    follows = [o for o in trick.main.outcomes if o.then is not None and o.cards]
    if tricks > 1 and not trick.sure and follows:
        then = max(follows, key=lambda o: o.chance).then
        if then is not None:
            parts.append(_likeliest(then, tricks - 1))
    return ", then ".join(parts)


def _exceptions(trick: PlanTrick) -> str:
    """Answers to higher cards of the second hand, where they are not the obvious ones."""
    second = "East" if trick.hand == "N" else "West"
    said = []
    for answer in trick.answers[1:]:
        if not answer.cards or answer.card is None or answer.chance < _UNLIKELY:
            continue
        if answer.card == trick.main.card:
            continue
        what = (
            "play low" if answer.card < answer.cards[-1] else f"play the {rank_name(answer.card)}"
        )
        said.append((answer.card, what, _or_names(answer.cards)))
    by_play: dict[str, list[str]] = {}
    for _, what, cards in said:
        by_play.setdefault(what, []).append(cards)
    clauses = [f"if {second} plays the {' or '.join(c)}, {what}" for what, c in by_play.items()]
    return f" ({'; '.join(clauses)})" if clauses else ""


def _continuations(trick: PlanTrick) -> list[str]:
    """What comes next, grouped by what happened to the trick."""
    if trick.sure:
        return []
    fourth = "West" if trick.hand == "N" else "East"
    groups: dict[str, list[TrickEnd]] = {}
    for outcome in trick.main.outcomes:
        if outcome.then is None or not outcome.cards or outcome.chance < _UNLIKELY:
            continue
        groups.setdefault(_likeliest(outcome.then, 2), []).append(outcome)
    if len(groups) == 1:
        return [f"then {next(iter(groups))}"]
    ranked = sorted(groups.items(), key=lambda g: -max(o.chance for o in g[1]))
    return [f"{_condition(trick, fourth, outcomes)}, {text}" for text, outcomes in ranked[:4]]


def _marked(trick: PlanTrick) -> list[str]:
    """Finesses that become certain when a defender shows out on the first round."""
    if trick.sure:
        return []
    second, fourth = ("East", "West") if trick.hand == "N" else ("West", "East")
    nexts = [
        (fourth if answer.cards else second, outcome.then)
        for answer in trick.answers
        for outcome in answer.outcomes
        if outcome.then is not None and bool(answer.cards) != bool(outcome.cards)
        if answer is trick.main or not answer.cards
    ]
    finesses = [
        f"if {who} shows out, {trick_words(then)}"
        for who, then in nexts
        if then.tactic not in (Tactic.CASH, Tactic.DUCK)
    ]
    return list(dict.fromkeys(finesses))[:2]


def _condition(trick: PlanTrick, fourth: str, outcomes: Sequence[TrickEnd]) -> str:
    """When some outcomes of a trick have happened: by its result where that tells, else by card."""
    won = {o.wins for o in outcomes}
    for wins, words in ((True, "if it wins"), (False, "if it loses")):
        if won == {wins} and _all_of(trick, wins, outcomes):
            return words if any(o.wins != wins for o in trick.main.outcomes) else "then"
    low = [o for o in outcomes if o.low]
    high = _or_names([c for o in outcomes if not o.low for c in o.cards])
    if len(low) == len(outcomes):
        return f"if {fourth} plays low"
    if won == {False}:
        return f"if it loses to the {_or_names([c for o in outcomes for c in o.cards])}"
    return f"if {fourth} plays {'low or ' if low else ''}the {high}"


def _all_of(trick: PlanTrick, wins: bool, outcomes: Sequence[TrickEnd]) -> bool:
    """Are these all the outcomes in which the trick is won (or lost) and the defender follows?"""
    return all(o in outcomes for o in trick.main.outcomes if o.wins == wins and o.cards)


def _or_names(cards: Sequence[int]) -> str:
    """`king or queen`, a spot by its rank, and a run of spots as `9-6`."""
    ranks = sorted(set(cards), reverse=True)
    if len(ranks) > 2 and ranks[0] - ranks[-1] == len(ranks) - 1 and ranks[0] <= _NINE:
        return f"{RANKS[ranks[0]]}–{RANKS[ranks[-1]]}"
    return " or ".join(rank_name(r) if r > _NINE else RANKS[r] for r in ranks)


def plan_tree(trick: PlanTrick | None, depth: int = 13) -> Iterator[tuple[int, str]]:
    """The plan card by card as (indent, text) lines; equal branches are written once.

    >>> from overtrick.suitplay import solve
    >>> suit = solve("AQ", "32")
    >>> next(plan_tree(suit.plan(suit.mean_line)))
    (0, 'South leads the 2 (finesse)')
    """
    yield from _tree(trick, 0, depth)


def _tree(trick: PlanTrick | None, indent: int, depth: int) -> Iterator[tuple[int, str]]:
    if trick is None:
        return
    head = f"{_hand(trick.hand)} leads the {RANKS[trick.card]} ({trick.tactic})"
    if trick.sure:
        yield indent, head
        return
    yield indent, head
    second, fourth = ("East", "West") if trick.hand == "N" else ("West", "East")
    partner = "South" if trick.hand == "N" else "North"
    for answers in _alike(trick.answers):
        reply = "discards" if answers[0].card is None else f"plays the {RANKS[answers[0].card]}"
        seen = " / ".join(_seen(a.cards) for a in answers)
        yield indent + 1, f"{second} {seen}: {partner} {reply}"
        if depth <= 1:
            continue
        for outcomes in _same_next(answers[0].outcomes):
            then = outcomes[0].then
            if then is None:
                continue
            seen = " / ".join(_seen(o.cards) for o in outcomes)
            won = "wins" if outcomes[0].wins else "loses"
            yield indent + 2, f"{fourth} {seen} ({won})"
            yield from _tree(then, indent + 3, depth - 1)


def _alike(answers: Sequence[SuitReply]) -> list[list[SuitReply]]:
    groups: dict[tuple[object, ...], list[SuitReply]] = {}
    for answer in answers:
        groups.setdefault(answer.sequel, []).append(answer)
    return list(groups.values())


def _same_next(outcomes: Sequence[TrickEnd]) -> list[list[TrickEnd]]:
    groups: dict[tuple[bool, int | None], list[TrickEnd]] = {}
    for outcome in outcomes:
        shape = outcome.then.shape if outcome.then else None
        groups.setdefault((outcome.wins, shape), []).append(outcome)
    return list(groups.values())


def _seen(cards: Sequence[int]) -> str:
    return ranks_text(cards) if cards else "shows out"


def _hand(hand: str) -> str:
    return "North" if hand == "N" else "South"
