"""Reasons in plain English, for terminals, notebooks and logs: a sentence for every id.
Nothing reads these sentences; whoever asks what a reason is looks at the reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from string import Formatter
from typing import Any, Final

from overtrick.game.cards import SUIT_WORDS, Suit
from overtrick.game.reasons import Coup, Reason

WORDS: Final[dict[str, str]] = {
    "said": "{text}",
    # remarks
    "only-card": "the only card",
    "only-legal": "the only legal card",
    "all-equal": "all these cards are equal",
    "highest": "the highest card of the longest suit",
    "as-planned": "as planned",
    "solved": "solved to the end",
    "best-blind": "best without seeing their cards",
    "led-by-rule": "led by rule, there was no time for more",
    "usual-lead": "the usual lead, though with all cards seen another suit does a little better",
    "played-by-rule": "played by rule, there was no time for more",
    "cut-short": "time cut the search short",
    "no-rule": "no rule fits this hand",
    "no-doubt": "the policy has no doubt",
    "too-weak": "neither the points nor a suit to bid on",
    "only-call": "the only call of the system",
    "no-choice": "the rules leave no choice",
    "outside": "fallback: the auction is outside the system",
    "dominated": "every other call is dominated",
    "no-time": "no time: the rules decide",
    "no-world": "fallback: no time for a single world, the rules decide",
    "departed-before": "an earlier call departed from what it shows",
    "model-ends": "the model's auctions end here",
    # what a card does
    "does.draws-trumps": "draws trumps",
    "does.cashes": "cashes",
    "does.leads-for-a-ruff": "leads for a ruff",
    "does.leads-towards": "leads towards the {card}",
    "does.leads-for-a-finesse": "leads for a finesse against the {card}",
    "does.drives-out": "drives out the {card}",
    "does.prepares-a-ruff": "gives up a {suit:one}, so that the next can be ruffed",
    "does.sets-up": "gives up the lead to set up the suit",
    "does.gives-up-the-lead": "gives up the lead",
    "does.wins": "wins",
    "does.puts-up": "goes up with the {card}",
    "does.keeps-an-entry": "wins and keeps the {card} opposite as an entry",
    "does.overtakes": "overtakes the {card}",
    "does.throws-a-loser": "throws a loser",
    "does.loser-on-loser": "throws a loser on a loser",
    "does.throws": "discards",
    "does.ruffs": "ruffs",
    "does.overruffs": "overruffs the {card}",
    "does.underruffs": "underruffs",
    "does.plays-for-the-drop": "plays for the drop of the {card}",
    "does.holds-up": "holds up the {card}",
    "does.ducks": "ducks",
    "does.plays-low": "plays low",
    "does.lets-run": "lets the {card} run",
    "does.covers": "covers the {card}",
    "does.second-low": "second hand low",
    "does.second-high": "second hand high",
    "does.third-low": "third hand low",
    "does.third-high": "third hand high",
    "does.inserts": "third hand, and keeps the {card} over dummy",
    "does.leads-a-trump": "leads a trump",
    "does.gives-a-ruff": "leads {suit} for partner to ruff",
    "does.dummy-can-ruff": "leads {suit}, which dummy can ruff",
    "does.declarer-can-ruff": "leads {suit}, which declarer can ruff",
    "does.returns": "returns partner's suit",
    "does.goes-on": "goes on with {suit}",
    "does.comes-back": "comes back to {suit}",
    "does.leads-theirs": "leads their {suit}",
    "does.switches": "switches to {suit}",
    "finesse": "finesses against the {against} ({seat} has it {chance:hundred}%)",
    "finesse.marked": "takes the marked finesse against the {against} ({seat} has it)",
    "safe-loss": "if it loses, {seat} has no {suit} left (avoidance)",
    "known-lengths": "the {suit} are known: {seat} {length}, {other} {rest}",
    # what becomes of the contract
    "fate.declarer.maybe": "makes {chance:odds}%",
    "fate.declarer.sure": "makes",
    "fate.declarer.never": "goes down",
    "fate.defender.maybe": "beats it {chance:odds}%",
    "fate.defender.sure": "beats it",
    "fate.defender.never": "they make it",
    "fate.declarer.maybe.tricks": "makes {chance:odds}%, {tricks:counted} in all",
    "fate.declarer.sure.tricks": "makes, {tricks:counted} in all",
    "fate.declarer.never.tricks": "goes down, {tricks:counted} in all",
    "fate.defender.maybe.tricks": "beats it {chance:odds}%, we take {tricks:counted}",
    "fate.defender.sure.tricks": "beats it, we take {tricks:counted}",
    "fate.defender.never.tricks": "they make it, we take {tricks:counted}",
    "otherwise.declarer.maybe": "{card} makes {chance:odds}%",
    "otherwise.declarer.sure": "{card} makes",
    "otherwise.declarer.never": "{card} goes down",
    "otherwise.defender.maybe": "{card} beats it {chance:odds}%",
    "otherwise.defender.sure": "{card} beats it",
    "otherwise.defender.never": "{card} they make it",
    "other-tricks": "{tricks:counted} in all with {card}",
    "fewer-tricks": "fewer tricks with {card}",
    "little-better": "a little better than {card}",
    "as-good.card": "{action} would do as well",
    "as-good.call": "{action} is about as good",
    "blind": "without seeing their cards it makes {chance:hundred}%",
    # what a card tells partner
    "signal.encouraging": "encouraging",
    "signal.discouraging": "discouraging",
    "signal.encouraging-odd": "encouraging (odd)",
    "signal.discouraging-even": "discouraging (even)",
    "signal.even": "count: even",
    "signal.odd": "count: odd",
    "signal.trumps-even": "trumps: even",
    "signal.trumps-odd": "trumps: odd",
    "signal.asks-for": "asks for {suit}",
    "signal.nothing": "either of two equals, so that it tells nothing",
    "asked-for": "partner's double asks for {suit}",
    "led-from.sequence": "top of a sequence",
    "led-from.singleton": "a singleton",
    "led-from.doubleton": "top of a doubleton",
    "led-from.inside": "top of an inside sequence",
    "led-from.ace": "the ace",
    "led-from.fourth": "fourth best",
    "led-from.third": "third best",
    "led-from.fifth": "fifth best",
    "led-from.honour": "low from an honour",
    "led-from.second": "second highest of small cards",
    "led-from.nothing": "top of nothing",
    "led-from.sequence.partners": "partner's suit, top of a sequence",
    "led-from.singleton.partners": "partner's suit, a singleton",
    "led-from.doubleton.partners": "partner's suit, top of a doubleton",
    "led-from.inside.partners": "partner's suit, top of an inside sequence",
    "led-from.ace.partners": "partner's suit, the ace",
    "led-from.fourth.partners": "partner's suit, fourth best",
    "led-from.third.partners": "partner's suit, third best",
    "led-from.fifth.partners": "partner's suit, fifth best",
    "led-from.honour.partners": "partner's suit, low from an honour",
    "led-from.second.partners": "partner's suit, second highest of small cards",
    "led-from.nothing.partners": "partner's suit, top of nothing",
    # tricks of a plan
    "planned.they-lead": "{leader} leads the {led}; {winner} takes it with the {won}",
    "planned.they-lead-and-win": "{leader} leads the {led}; {winner} wins with the {won}",
    "planned.give-up": "give up a {suit:one}: the {led} from {hand}, {winner} wins with the {won}",
    "planned.ruff": "ruff a {suit:one} in {other}: the {led} from {hand}, ruffed with the {won}",
    "planned.draw": "draw trumps: the {led} from {hand}, won by the {won}",
    "planned.run": "run the {led} from {hand}",
    "planned.cash": "cash the {led} in {hand}",
    "planned.finesse": "finesse: the {led} from {hand} to the {won}",
    "planned.cross": "cross to {other}: the {led} to the {won}",
    # calls
    "agreed": "{words}",
    "agreed.rule": "{words} ({rule}, priority {priority})",
    "departs.fewer-points": "{holds} points where {agreed} are agreed",
    "departs.more-points": "{holds} points where at most {agreed} are agreed",
    "departs.fewer-with-shape": "{holds} points with shape where {agreed} are agreed",
    "departs.more-with-shape": "{holds} points with shape where at most {agreed} are agreed",
    "departs.shorter": "{holds:word} {suit} where {agreed:word} are agreed",
    "departs.longer": "{holds:word} {suit} where at most {agreed:word} are agreed",
    "departs.nearest": "no call shows this hand, and this one is nearest",
    "makes-up.long-suit": "but {count:word} good {suit}",
    "makes-up.trumps": "but {count:word} trumps",
    "makes-up.void": "but a void in {suit}",
    "makes-up.singleton": "but a singleton in {suit}",
    "makes-up.honour": "but a top honour in partner's {suit}",
    "makes-up.controls": "but nearly all in aces and kings",
    "makes-up.spots": "but {count:word} tens and nines",
    "makes-up.flat": "but flat: four cards and three times three",
    "makes-up.soft": "but mostly queens and jacks",
    "makes-up.aceless": "but no ace",
    "makes-up.deals": "but it gains in the deals imagined",
    "gains": "gains {gain:.2f} ± {error:.2f} IMPs over {over} in {worlds} worlds",
    "gains-only": "{call} gains only {gain:.2f} ± {error:.2f} IMPs",
    "agrees.first": "the search agrees with the first choice in {worlds} worlds",
    "agrees.policy": "the search agrees with the policy in {worlds} worlds",
    "agrees.rules": "the search agrees with the rules in {worlds} worlds",
    "untried.first": "nothing was tried: the first choice decides",
    "untried.policy": "nothing was tried: the policy decides",
    "untried.rules": "nothing was tried: the rules decide",
    "best-of-rest": "best in {worlds} worlds; {first} is dominated",
    "best-mean": "the best mean in {worlds} worlds",
    "too-few-worlds": "only {worlds:.0f} effective worlds: the policy decides",
    "costs": "{call} would cost {imps:.1f} IMPs",
    "ends.passed": "everybody passes in {share:hundred} of 100 deals",
    "ends.ours": "we play {contract} in {share:hundred} of 100 deals "
    "and make it in {makes:hundred} of 100",
    "ends.ours.doubled": "we play {contract} doubled in {share:hundred} of 100 deals "
    "and make it in {makes:hundred} of 100",
    "ends.ours.redoubled": "we play {contract} redoubled in {share:hundred} of 100 deals "
    "and make it in {makes:hundred} of 100",
    "ends.theirs": "they play {contract} in {share:hundred} of 100 deals "
    "and make it in {makes:hundred} of 100",
    "ends.theirs.doubled": "they play {contract} doubled in {share:hundred} of 100 deals "
    "and make it in {makes:hundred} of 100",
    "ends.theirs.redoubled": "they play {contract} redoubled in {share:hundred} of 100 deals "
    "and make it in {makes:hundred} of 100",
    "unexplained": "(fallback: hardly a deal explains all calls, most fail {calls})",
    "not-legal": "fallback: {call} is not legal here, so pass",
    "learned": "learned: {line}",
    "network-bids": "the network bids {call} with {chance:hundred} %",
    "policy-bids": "the policy bids {call}",
    "probability": "probability {chance:hundred} %",
    "cost-estimate": "estimated cost {imps:.2f} IMPs",
    "least-cost": "{call} has the least estimated cost {imps:.2f} IMPs",
    "takes-over": "the opponents bid, and {model} knows uncontested auctions only; "
    "{engine} takes over",
    # lines with a name
    "coup.takes-trumps-one-by-one": "takes the trumps of both hands one by one",
    "coup.ruffs-in-the-long-hand": "ruffs in the long hand and draws trumps with the short one",
    "coup.squeezes-both": "squeezes both, first {seat}, then {seat2}",
    "coup.squeezes": "squeezes {seat} in {suits:and}",
    "coup.squeezes-without-guess": "squeezes {seat} in {suits:and} and need not guess",
    "coup.cashes-then-squeezes": "cashes the {card} first, then squeezes {seat} in {suits:and}",
    "coup.gives-the-trick-to": "gives the trick to {seat}, from whom no harm comes",
    "coup.looks-first": "looks at the {suit} first, then chooses {suits:then}",
    "coup.tries-first": "tries the {suit} first and goes on with {suits:then}",
    "coup.cashes-in-time": "cashes the {card} before it is too late",
    "coup.throws-under-partner": "throws the {card} under: partner's suit must not be blocked",
    "coup.throws-under": "throws the {card} under: it would block the suit",
    "coup.holds-up": "holds up the {card} and breaks their communications",
    "coup.does-not-overruff": "does not overruff: the trump grows",
    "coup.does-not-ruff": "does not ruff: the trump grows",
    "coup.keeps-the-guard": "throws a {suit:one} and keeps the guard in {suit2}",
    "coup.throws-in-to-lead": "throws {seat} in to lead into the tenace",
    "coup.throws-in-without-good-leads": "throws {seat} in, who has only bad leads left",
    "coup.leads-through-trumps": "leads through {seat}'s trumps at the end",
    "coup.guards-against-a-bad-break": "guards against a bad break in {suit}",
    "coup.lets-them-have-it": "lets them have the {suit} for now",
    "coup.wins-and-keeps-the-lower": "wins with the {card} and keeps the lower card",
    "coup.wins-at-once": "wins the {suit} at once: ducking is too dangerous",
    "coup.can-spare-only": "can spare the {card}, and no other card",
    "coup.ruffs-at-once": "ruffs with the {card} at once",
    "coup.throws-out-of-the-way": "throws the {card} out of the way",
    "coup.throws-instead-of-ruffing": "throws the {card} instead of ruffing",
    "coup.ruffs-with": "ruffs with the {card}",
    "coup.lets-it-go-once": "lets the {suit} go once and stays in touch",
    "coup.finesses-with": "finesses with the {card}",
    "coup.does-not-finesse": "plays the {card} and does not finesse",
    "coup.gets-out-of-the-way": "gets the {card} out of the way",
    "coup.gives-up-one-early": "gives up a {suit:one} early, to keep in touch",
    "coup.takes-the-ruff": "takes the ruff while there is a trump for it",
    "coup.cashes-from-the-short-hand": "cashes the {card} from the short hand",
    "coup.leaves-the-trumps": "leaves the trumps and plays {suit} first",
    "coup.draws-trumps-first": "draws trumps before anything else",
    "coup.keeps-an-entry-there": "wins here and keeps the {card} as an entry",
    "coup.keeps-an-entry-here": "wins over there and keeps the {card} here",
    "coup.keeps-for-later": "keeps the {card} for later",
    "coup.wins-now": "wins the {suit} now",
    "coup.leaves-it-to-partner": "leaves the trick to partner",
    "coup.keeps-it-over-the-left": "keeps the {card} over the hand on the left",
    "coup.overtakes": "overtakes with the {card} to lead from this side",
    "coup.third-hand-high": "plays the {card}: third hand high",
    "coup.goes-up": "goes up with the {card}",
    "coup.does-not-cover": "does not cover the {card}",
    "coup.plays-low-and-keeps": "plays low and keeps the {card}",
    "coup.covers-with": "covers the {card} with the {card2}",
    "coup.throws-not-the-other": "throws the {card}, not the {card2}",
    "coup.ruffs-low-and-keeps": "ruffs low and keeps the {card}",
    "coup.throws-away-to-unblock": "throws the {card} away to unblock",
    "coup.ruffs-high-to-promote": "ruffs high with the {card}, to promote a trump",
    "coup.gets-off-lead": "gets off lead with a {suit:one} and waits",
    "coup.leads-a-trump": "leads a trump to save the ruffs",
    "coup.cashes-while-it-is-there": "cashes the {card} while it is there",
    "coup.leads-for-a-ruff": "leads {suit} for partner to ruff",
    "coup.attacks-the-entry": "attacks dummy's entry in {suit}",
    "coup.finds-partner": "finds partner in {suit}",
    "coup.leads-away-from": "leads away from the {card}: it cannot wait",
    "coup.makes-them-ruff": "makes them ruff {suit}",
    "coup.promotes-a-trump": "leads {suit}, so that a trump is promoted",
    "coup.shows-even": "shows an even number of {suit} for partner to count by",
    "coup.shows-odd": "shows an odd number of {suit} for partner to count by",
}
"""What every reason says, by its id."""

_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
                   "ten", "eleven", "twelve", "thirteen")  # fmt: skip
_BEFORE: Final = {"departs": ": ", "makes-up": ", ", "cost-estimate": ", ", "unexplained": " "}
_AFTER: Final = {"takes-over": ": ", "policy-bids": ": "}


class Wording(Formatter):
    """Fills holes with the values of a reason. Beside Python's own formats there are `hundred` (in
    a hundred), `odds` (the same, but 0 or 100 only if it is), `tricks` (one digit where they are no
    whole number) and `counted` (that with the word), `word` (for a small number), and for suits
    `one` (a spade), `and` and `then` (all of them, and/or)."""

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, Suit):
            return SUIT_WORDS[value][: -1 if format_spec == "one" else None]
        if isinstance(value, tuple):
            return listed(value[1:], "or") if format_spec == "then" else listed(value, "and")
        if format_spec == "odds":
            return str(min(max(round(100 * round(value, 9)), 1), 99))  # weights sum to nearly 1
        if format_spec == "hundred":
            return f"{100 * value:.0f}"
        if format_spec == "word":
            return _NUMBERS[value]
        if format_spec in ("tricks", "counted"):
            number = tricks_counted(value)
            noun = "trick" if number == "1" else "tricks"
            return f"{number} {noun}" if format_spec == "counted" else number
        return format(value, format_spec)

    def filled(self, template: str, fields: Mapping[str, Any]) -> str:
        return self.vformat(template, (), fields)


ENGLISH: Final = Wording()


def tricks_counted(tricks: float) -> str:
    """A whole number where it is one, else one place after the point.

    >>> tricks_counted(9.0), tricks_counted(9.26)
    ('9', '9.3')
    """
    return f"{tricks:.0f}" if abs(tricks - round(tricks)) < 0.05 else f"{tricks:.1f}"


def listed(suits: Iterable[Suit], word: str) -> str:
    """Suits one after the other, the last after a word."""
    names = [SUIT_WORDS[suit] for suit in suits]
    return f"{', '.join(names[:-1])} {word} {names[-1]}" if len(names) > 1 else "".join(names)


def words(reason: Reason) -> str:
    """One reason as a statement."""
    text = ENGLISH.filled(WORDS[reason.id], reason.fields)
    return f"{text} ({reason.name})" if isinstance(reason, Coup) else text


def done(coup: Coup) -> str:
    """What is done in a line with a name, without the name."""
    return ENGLISH.filled(WORDS[coup.id], coup.fields)


def why(reasons: Iterable[Reason]) -> str:
    """All reasons in one line."""
    text, last = "", ""
    for reason in reasons:
        kind = reason.id.partition(".")[0]
        if kind == "planned":
            mark = "; then " if last == kind else "; the plan: "
        else:
            mark = _AFTER.get(last, _BEFORE.get(kind, "; "))
        text += (mark if text else "") + words(reason)
        last = kind
    return text
