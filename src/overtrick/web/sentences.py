"""What the coach says to the one who has to play: a sentence for every reason and every fact.

A sentence goes to the page as its id, the values it speaks of, and its English text; the page makes
the same sentence in the reader's language from its own catalogue (web/texts/sentences.txt).
"""

from __future__ import annotations

from string import Formatter
from typing import Any, Final

import msgspec

from overtrick.game.reasons import Reason
from overtrick.game.wording import ENGLISH, WORDS

_NUMBERS: Final = ("", "odds", "hundred", "tricks", ".0f", ".1f", ".2f")

_COACHED: Final[dict[str, str]] = {
    # reasons, where a coach says them in other words than an engine's log
    "agreed.rule": "{words}",
    "finesse": "Finesse against the {against}: {seat} has it in {chance:hundred}% of the possible"
    " deals.",
    "finesse.marked": "The finesse against the {against} is marked: {seat} has it.",
    "fate.declarer.maybe": "This makes the contract in {chance:odds}% of the possible deals.",
    "fate.declarer.sure": "This makes the contract.",
    "fate.declarer.never": "The contract goes down.",
    "fate.defender.maybe": "This beats the contract in {chance:odds}% of the possible deals.",
    "fate.defender.sure": "This beats the contract.",
    "fate.defender.never": "They make it.",
    "fate.declarer.maybe.tricks": "This makes the contract in {chance:odds}% of the possible deals,"
    " with {tricks:tricks} tricks on average.",
    "fate.declarer.sure.tricks": "This makes the contract, with {tricks:tricks} tricks.",
    "fate.declarer.never.tricks": "The contract goes down, with {tricks:tricks} tricks.",
    "fate.defender.maybe.tricks": "This beats the contract in {chance:odds}% of the possible deals,"
    " with {tricks:tricks} tricks for your side.",
    "fate.defender.sure.tricks": "This beats the contract, with {tricks:tricks} tricks for your"
    " side.",
    "fate.defender.never.tricks": "They make it; your side takes {tricks:tricks} tricks.",
    # what is so in all deals that were imagined
    "finesse.all": "Finesse against the {against}: {seat} has it in all {worlds} deals I imagined.",
    "fate.declarer.all": "This makes the contract in all {worlds} deals I imagined.",
    "fate.declarer.none": "The contract goes down in all {worlds} deals I imagined.",
    "fate.defender.all": "This beats the contract in all {worlds} deals I imagined.",
    "fate.defender.none": "They make it in all {worlds} deals I imagined.",
    "fate.declarer.all.tricks": "This makes the contract in all {worlds} deals I imagined, with"
    " {tricks:tricks} tricks on average.",
    "fate.declarer.none.tricks": "The contract goes down in all {worlds} deals I imagined, with"
    " {tricks:tricks} tricks on average.",
    "fate.defender.all.tricks": "This beats the contract in all {worlds} deals I imagined, with"
    " {tricks:tricks} tricks for your side.",
    "fate.defender.none.tricks": "They make it in all {worlds} deals I imagined; your side takes"
    " {tricks:tricks} tricks.",
    "otherwise.declarer.maybe": "With {card} it is {chance:odds}%.",
    "otherwise.declarer.sure": "With {card} it is made.",
    "otherwise.declarer.never": "With {card} it goes down.",
    "otherwise.defender.maybe": "With {card} it is {chance:odds}%.",
    "otherwise.defender.sure": "{card} beats it.",
    "otherwise.defender.never": "With {card} they make it.",
    "otherwise.declarer.all": "With {card} it is made in all of them.",
    "otherwise.declarer.none": "With {card} it goes down in all of them.",
    "otherwise.defender.all": "{card} beats it in all of them.",
    "otherwise.defender.none": "With {card} they make it in all of them.",
    "other-tricks": "With {card} it is {tricks:tricks} tricks.",
    "signal.even": "This shows partner an even number of cards in the suit.",
    "signal.odd": "This shows partner an odd number of cards in the suit.",
    "signal.encouraging": "This asks partner to go on with the suit.",
    "signal.discouraging": "This asks partner to leave the suit.",
    "does.plays-for-the-drop": "Play for the drop of the {card}.",
    "does.leads-towards": "Lead towards the {card}.",
    "does.crosses": "Cross to the {card}.",
    "does.leads-for-a-finesse": "Lead for a finesse against the {card}.",
    "does.drives-out": "Drive out the {card}.",
    "does.prepares-a-ruff": "Give up a {suit:one}: the next one can be ruffed.",
    "does.gives-up-the-lead": "Give up the lead.",
    "does.puts-up": "Go up with the {card}.",
    "does.keeps-an-entry": "Win here, and keep the {card} opposite as an entry.",
    "does.overtakes": "Overtake the {card}.",
    "does.loser-on-loser": "Throw a loser on their trick.",
    "does.holds-up": "Hold up the {card}.",
    "does.inserts": "Play third hand so that the {card} stays over dummy.",
    "does.gives-a-ruff": "Lead {suit} for partner to ruff.",
    "does.dummy-can-ruff": "Lead {suit}, which dummy can ruff.",
    "does.declarer-can-ruff": "Lead {suit}, which declarer can ruff.",
    "does.comes-back": "Come back to {suit}.",
    "does.leads-theirs": "Lead their {suit}.",
    "does.covers": "Cover the {card}.",
    "does.lets-run": "Let the {card} run.",
    "does.goes-on": "Go on with {suit}.",
    "does.switches": "Switch to {suit}.",
    "does.wins": "You can win this trick.",
    "does.ruffs": "You can ruff.",
    "does.overruffs": "You can overruff the {card}.",
    "does.underruffs": "Underruff: the low trump can go.",
    "does.throws-a-loser": "A loser can go.",
    "does.throws": "You have to discard.",
    "does.cashes": "Take your winner.",
    "does.draws-trumps": "Draw trumps.",
    "does.ducks": "Let them have this trick.",
    "does.plays-low": "Play low.",
    "does.leads-a-trump": "Lead a trump.",
    "does.leads-for-a-ruff": "Lead for a ruff.",
    "does.sets-up": "Give up the lead to set up the suit.",
    "does.returns": "Return partner's suit.",
    "does.second-low": "Here second hand plays low.",
    "does.second-high": "Here second hand plays high.",
    "does.third-low": "Here third hand plays low.",
    "does.third-high": "Here third hand plays high.",
    # points and lengths of both hands
    "hand": "You have {points} points, {shape}.",
    "fit": "Together you have at least {cards:word} {suit}.",
    "forced": "Partner's {call} is forcing: you may not pass.",
    "pre-empt": "Partner shows at least {length:word} {suit} and few points: count tricks, not"
    " points.",
    "together.slam": "You have {mine} points and partner shows {shown}: {both} together, enough for"
    " a slam.",
    "together.perhaps-slam": "You have {mine} points and partner shows {shown}: {both} together,"
    " game for certain, perhaps a slam.",
    "together.game": "You have {mine} points and partner shows {shown}: {both} together, enough for"
    " game, not for a slam.",
    "together.upper": "You have {mine} points and partner shows {shown}: {both} together, game only"
    " if partner has the upper part.",
    "together.no-game": "You have {mine} points and partner shows {shown}: {both} together, not"
    " enough for game.",
    "together.shape": "You have {mine} points and partner shows {shown}: {both} together, few for a"
    " game: here shape counts for more.",
    "together.controls": "You have {mine} points and partner shows {shown}: {both} together, few"
    " for a slam: it takes a fit and controls.",
    # what another card would need
    "needs": "{card} would need the {honour} with {seat}.",
    # why the answer of a lesson is better, by the lesson's own figures
    "lesson.tells": "{call} tells partner: {words}.",
    "lesson.costs": "{call} costs {imps:.1f} IMPs on average over {worlds} deals.",
    "lesson.costs-and-tells": "{call} would tell: {words}. It costs {imps:.1f} IMPs on average over"
    " {worlds} deals.",
    "lesson.makes": "With {card} the contract is made in {chance:hundred}% of {worlds} deals that"
    " fit, with {other} in {rest:hundred}%.",
    "lesson.beats": "{card} beats the contract in {chance:hundred}% of {worlds} deals that"
    " fit, {other} in {rest:hundred}%.",
    "lesson.card-costs": "{other} costs {imps:.1f} IMPs against {card} on average over {worlds}"
    " deals.",
    # what a call without a message says of the hand, as the shipped lessons have it
    "silent": "Your hand is not worth a bid here.",
    "told-all": "You have shown what you have.",
    "no-opening": "Your hand is not strong enough to open.",
    "place": "You know enough to place the contract.",
    # what is certain about the hidden hands
    "shown-out": "{seat} has no more {suit}, so {other} began with {length:word}.",
    "promised.none": "{seat} promised {length:word} {suit}, so {other} has none.",
    "promised.one": "{seat} promised {length:word} {suit}, so {other} has at most one.",
    "no-difference": "All your cards here are worth the same.",
    "keeps-the-chance": "No other card keeps the chance as high.",
    # tricks that are missing
    "need.lost": "The contract's fate is settled; save what you can.",
    "need.done": "The contract's fate is settled; every further trick still counts.",
    "need.beat.one": "You need one more trick to beat it.",
    "need.beat": "You need {tricks:word} more tricks to beat it.",
    "need.one": "You need one more trick.",
    "need": "You need {tricks:word} more tricks.",
    "need.safe.one": "You need one more trick and have {tops:word} on top: it is safe. Look for"
    " more.",
    "need.safe": "You need {tricks:word} more tricks and have {tops:word} on top: it is safe. Look"
    " for more.",
    "need.enough.one": "You need one more trick and have {tops:word} on top. What can still go"
    " wrong?",
    "need.enough": "You need {tricks:word} more tricks and have {tops:word} on top. Can anything"
    " keep you from them?",
    "need.tops.one": "You need one more trick and have none on top.",
    "need.tops": "You need {tricks:word} more tricks and have {tops:word} on top.",
    "need.no-tops": "You need {tricks:word} more tricks and have none on top.",
    # questions about a call
    "ask.forced": "Partner's {call} is forcing. What can you tell partner next?",
    "ask.pre-empt": "Partner has few points and a long suit. How many tricks do your two hands"
    " take?",
    "ask.how-high": "You have {mine} points, partner shows {shown}. How high should your side be?",
    "ask.come-in": "They have bid. Have you the suit, the shape or the points to come in?",
    "ask.late": "They have both bid. What could you win by bidding, and what could it cost?",
    "ask.compete": "They have gone on. Should you bid more, double or let them play?",
    "ask.unknown": "What does partner not know about your hand yet?",
    "ask.open": "Nobody has bid. Is your hand strong enough to open, and which suit is longest?",
    # questions about a card
    "ask.nothing": "You cannot go wrong here.",
    "ask.who-has-it": "An honour is missing. Which opponent is more likely to have it?",
    "ask.drop": "How many cards are out in this suit? Could the honour fall?",
    "ask.ruff": "Could a trump win a trick for you here?",
    "ask.discard": "You cannot follow suit. Which card will you never need?",
    "ask.trumps": "How many trumps are still out, and who wants them gone?",
    "ask.duck": "Do you have to win this trick?",
    "ask.winners": "Which tricks are yours already, and can anybody take them away?",
    "ask.towards": "From which hand should this suit be led, so that an honour counts?",
    "ask.through": "Through which opponent should you lead?",
    "ask.set-up": "Which suit can be set up while the others are still stopped?",
    "ask.cover": "An honour was played. Does covering it make a trick for your side?",
    "ask.return": "What did partner lead, and what did that tell you?",
    "ask.second": "You play second. Can the trick wait for partner?",
    "ask.third": "You play third. How high must you play, and no higher?",
    "ask.auction": "What did the auction tell: who has the points, and which suits were not bid?",
    "ask.new-trick": "Which suit can give you a trick that you do not have yet?",
    "ask.cross": "From which hand must the next lead come, and how do you get there?",
    "ask.signal": "For tricks these cards are equal. Which of them tells partner something?",
    "ask.ours.declarer": "The {card} wins this trick for you. Which card will you not miss?",
    "ask.ours.defender": "Partner's {card} wins this trick. What should your card tell, and which"
    " can you spare?",
    "ask.ours.yet": "The {card} of your side wins so far. Will it hold?",
    "ask.beaten.declarer": "Nothing here beats the {card}. Which card will you not miss?",
    "ask.beaten.defender": "You cannot beat the {card}. Which card can you spare, and what does it"
    " tell partner?",
    "ask.last": "You play last, and the {card} can be beaten. How cheaply, and do you want the"
    " lead?",
    "ask.high": "The {card} can be beaten. What has {after}, who plays after you?",
    "ask.develop.one": "The {suits} can give more than they do from the top. How many times must"
    " you lose the lead?",
    "ask.develop.some": "Which of {suits} gives most beyond the tricks from the top?",
    "ask.order": "You see {tops:word} tricks from the top. In which order do you take them, and"
    " from which hand?",
    "ask.go-on": "Partner led {suit}. Go on with them, or is there more to win elsewhere?",
    "ask.weak.one": "Dummy is weak in {suits}. Is it time to attack there?",
    "ask.weak.some": "Dummy is weak in {suits}. Where could partner have something?",
    "ask.partner-bid": "Partner bid {suit}. Is anything better than that lead?",
    "ask.unbid.one": "They have bid every suit but {suits}. What do you have there?",
    "ask.unbid.some": "Nobody has bid {suits}. Which of them is your side's?",
}


def _closed(text: str) -> str:
    """With a capital letter and a full stop."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")


_OPEN: Final = ("said", "agreed")  # words of others, which may have their own full stop
_NAMED: Final = {
    name: f"{text} ({{name}})" if name.startswith("coup.") else text for name, text in WORDS.items()
}
SENTENCES: Final = {
    name: text if name.partition(".")[0] in _OPEN else _closed(text)
    for name, text in {**_NAMED, **_COACHED}.items()
}
"""Every sentence of the coach in English, by its id."""


class Sentence(msgspec.Struct, frozen=True):
    """A sentence for a person: which one, what it speaks of, and how it reads in English."""

    id: str
    text: str
    args: dict[str, str | int | float | list[str]] = {}


def sentence(name: str, /, **fields: Any) -> Sentence:
    """The sentence of this id about these values.

    >>> sentence("forced", call="2♣").text
    "Partner's 2♣ is forcing: you may not pass."
    """
    template = SENTENCES[name]
    args = {
        hole: _plain(ENGLISH.format_field(fields[hole], spec or ""), fields[hole], spec or "")
        for _, hole, spec, _ in Formatter().parse(template)
        if hole
    }
    return Sentence(name, _closed(ENGLISH.filled(template, fields)), args)


def _plain(text: str, value: Any, spec: str) -> str | int | float | list[str]:
    """Numbers stay numbers and lists lists, so that each language may write them its own way."""
    if isinstance(value, tuple):
        return [ENGLISH.format_field(one, "") for one in value[spec == "then" :]]
    if type(value) not in (int, float) or spec not in _NUMBERS:
        return text
    found = float(text)
    return int(found) if found.is_integer() else found


def of(reason: Reason) -> Sentence:
    """A reason as a sentence."""
    return sentence(reason.id, **reason.fields)
