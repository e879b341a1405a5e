"""The card page: every switch of a card, cards of other programs, the page to print, and what a
card costs beside its standard. Every answer is plain values; a card comes and goes as its line."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import numpy as np

from overtrick.engines import Spec, parse_spec
from overtrick.game import BridgeError
from overtrick.systems import declared, library_names, load
from overtrick.systems.card import ConventionCard, Imported, card_of, fitted, loads, parse_line
from overtrick.systems.system import System
from overtrick.web import messages
from overtrick.web.answers import CardGains, CardRead, CardShown, EngineOffer, SwitchRow
from overtrick.web.thinking import bidder_of

_AGAINST = "sl"  # whom a card is measured against
_ROBOT = "partner"


def shown(wish: messages.CardWish) -> CardShown:
    """A card with all its switches, once those of the wish are set."""
    return _shown(*_played(_line(wish.card), wish.name))


def imported(wish: messages.CardFile) -> CardRead:
    """A card's file as text, ours or BBA's, and every line of it that has no switch here."""
    from overtrick.systems import bbsa

    is_bba = wish.file.endswith(".bbsa") or not wish.text.lstrip().startswith(("#", "card"))
    read = bbsa.loads(wish.text, wish.file or "card") if is_bba else Imported(loads(wish.text))
    if read.card.system not in library_names():
        raise BridgeError(f"there is no system {read.card.system[:40]!r} here")
    read = fitted(read) if is_bba else read
    found = _shown(*_played(read.card, read.card.name))
    return CardRead(**msgspec.structs.asdict(found), unmapped=list(read.unmapped))


def printed(line: str, name: str, form: str) -> str:
    """The page to print."""
    from overtrick.systems.cardpage import page

    card, system = _played(_line(line), name)
    return page(system, card, "wbf" if form == "wbf" else "acbl")


def cost(wish: messages.CardCost) -> CardGains:
    """Some deals bid by the card and by its system's standard against the same opponents: the sum
    and the sum of squares of what the card gains, in IMPs, both rooms of a deal together."""
    from overtrick.arena.audit import CHUNK, AuditJob
    from overtrick.bidding.audit import AuditSettings, compared

    card, _ = _played(_line(wish.card), "")
    mine, usual = AuditSettings(card.line, _AGAINST), AuditSettings(card.system, _AGAINST)
    chunk = wish.start // CHUNK
    table = AuditJob(usual, boards=(chunk + 1) * CHUNK, seed=wish.seed).table(chunk)
    gains = compared(table, mine, usual)
    return CardGains(
        deals=len(gains),
        sum=float(gains.sum()),
        squares=float(np.square(gains).sum()),
        changed=int((gains != 0).sum()),
    )


def card_offer(spec: str, offered: tuple[str, ...]) -> EngineOffer | None:
    """An offered engine with another card of its system; None for anything else."""
    try:
        wanted = parse_spec(spec)
        line = str(wanted.options.get("system", ""))
        card = parse_line(line)
    except BridgeError:
        return None
    plain = str(Spec(wanted.name, {**wanted.options, "system": card.system}))
    usual = _usual(wanted.name)
    if plain not in offered and not (usual == card.system and wanted.name in offered):
        return None
    known = declared(line)
    if not known:
        load(line)  # says what is wrong with it
        return None
    mine = replace(parse_line(known), character=card.character)
    made = str(Spec(wanted.name, {**wanted.options, "system": mine.line}))
    words = f"{load(known).title}, your card"
    return EngineOffer(spec=spec, words=words, system=bidder_of(made).system)


def _usual(name: str) -> str:
    """The system that an engine plays when none is named."""
    try:
        return bidder_of(name).system
    except (BridgeError, OSError, ImportError):
        return ""


def _line(text: str) -> ConventionCard:
    card = parse_line(text)
    if card.system not in library_names():
        raise BridgeError(f"there is no system {card.system[:40]!r} here")
    return card


def _played(card: ConventionCard, name: str) -> tuple[ConventionCard, System]:
    system = load(card.line)
    made = card_of(system)
    return replace(card, system=made.system, switches=made.switches, name=name), system


def _shown(card: ConventionCard, system: System) -> CardShown:
    switches = [
        SwitchRow(
            name=c.name, title=c.title, about=c.about, topic=c.topic, on=c.on, standard=c.standard,
            fixed=c.fixed, needs=c.needs, excludes=c.excludes,
        )
        for c in system.conventions
    ]  # fmt: skip
    robot = str(Spec(_ROBOT, {"system": card.line}))
    return CardShown(
        card=card.line, name=card.name, system=card.system, title=system.title, robot=robot,
        switches=switches, character=str(card.character or ""),
    )  # fmt: skip
