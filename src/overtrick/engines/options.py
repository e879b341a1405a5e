"""What the options of engines mean, in words: from the engine's own source, or words they share.
Used by `overtrick engines` and the reference; engines need not know about it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any, Final

_FIELD: Final = re.compile(r"^\s+(\w+): [^#=\n]+= [^#\n]+?  # (.+)$", re.MULTILINE)
# Options that mean the same wherever they occur.
_SHARED: Final = {
    "after": "what it does when the usual way ends",
    "batch": "worlds rolled out together",
    "belief": "the network that guesses the other hands",
    "command": "the program to start",
    "declarer": "who plays declarer's and dummy's cards",
    "defence": "who plays the defenders' cards after the lead",
    "depth": "how many turns it looks ahead",
    "disclose": "random hands from which a call's meaning is computed; 0 tells the style only",
    "doubt": "how far it mistrusts what calls seem to say",
    "early": "worlds solved while twelve cards or more are left; 0 leaves it to `worlds`",
    "effort": "millions of positions the solver may look at for one card",
    "engine": "somebody's engine, by file or module, trusted to run within this program",
    "fallback": "who bids where it has nothing to say",
    "improbable": "what a call the network would hardly make must gain besides",
    "k": "at most so many calls are weighed",
    "knowledge": "what weighs the worlds: cards, auction, lead, carding or all",
    "lead": "who makes the opening lead",
    "lead_worlds": "worlds solved for an opening lead; 0 leaves it to `worlds`",
    "least": "IMPs by which a call must be better in any case",
    "margin": "standard errors by which a call must be better",
    "model": "which of the trained models, or a file",
    "most": "at most so many calls are considered",
    "near": "hands near a rule's limits that it takes too",
    "net": "the network, by name or file",
    "nets": "a folder of learned refinements",
    "objective": "what is maximised: imps, matchpoints or tricks; empty follows the table",
    "opponents": "whose system the opponents are thought to play",
    "own": "what it is thought to do at its own later turns: auto, model, set or world",
    "p_max": "deals drawn at most",
    "p_min": "calls less probable than this are not looked at",
    "proposal": "how worlds are proposed: plain, staged, exact or auto",
    "proposals": "deals drawn before they are weighed",
    "r_max": "deals bid to the end at most",
    "r_min": "how many worlds the sample must be worth",
    "seconds": "a clock; the work itself is fixed, so the clock is a safety net",
    "seed": "added to the seed of what a seat sees",
    "sealed": "false lets it do what you may: the network, your files",
    "signals": "the pair's signals: standard, upside-down, odd-even, echo (in trumps) or silent",
    "sure": "a call as probable as this is made without search",
    "system": "the bidding system: a name, a card (its line or its file), a folder of rule files",
    "their_signals": "the signals that defenders are thought to give",
    "theirs": "the opponents' system; empty means what they declared, or our own",
    "threads": "threads of the networks",
    "ties": "layouts without evidence in which equal cards are compared again, at most",
    "tricks": "who estimates tricks: a network, or dd; `tricks+table` moves them to what declarers"
    " take on average, `tricks+played` to what our own players take in such contracts,"
    " `tricks+both` half-way there",
    "utility": "how a contract is valued: tricks, tricks+table, tricks+played, tricks+both, ltc,"
    " total or dd",
    "weighting": "how worlds are weighed",
    "worlds": "deals it imagines",
}


def option_words(factory: Callable[..., Any]) -> dict[str, str]:
    """A few words for each option of an engine; '' where nothing is known.

    Words are taken from the comment beside the option in the source, from the sentence of the
    docstring that names it, or from what the option means everywhere.
    """
    beside = _comments(factory)
    told = _sentences(inspect.getdoc(factory) or "")
    names = inspect.signature(factory).parameters
    return {n: beside.get(n) or told.get(n) or _SHARED.get(n, "") for n in names}


def _comments(factory: Callable[..., Any]) -> dict[str, str]:
    out: dict[str, str] = {}
    for kind in reversed(inspect.getmro(factory) if inspect.isclass(factory) else ()):
        try:
            source = inspect.getsource(kind)
        except (OSError, TypeError):  # built in, or typed in
            continue
        found = {n: text.strip(" …") for n, text in _FIELD.findall(source)}
        out.update({n: text for n, text in found.items() if " " in text})  # no bare names
    return out


def _sentences(text: str) -> dict[str, str]:
    """The clause of a docstring in which `name` stands."""
    flat = " ".join(text.split())
    out: dict[str, str] = {}
    for clause in re.split(r"(?<=[.;])\s", flat):
        for name in re.findall(r"`(\w+)`", clause):
            out.setdefault(name, clause.strip().rstrip(".;"))
    return out
