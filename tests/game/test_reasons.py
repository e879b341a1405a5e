"""Reasons are values: each has a sentence, and a decision that is given text keeps it."""

from __future__ import annotations

from dataclasses import fields, replace
from string import Formatter

from overtrick.game import Call, Candidate, Card, Decision, Meaning, Seat, Suit
from overtrick.game import reasons as kinds
from overtrick.game.reasons import (
    Coup,
    Deed,
    Departs,
    Does,
    Fate,
    Finesse,
    Lack,
    MakesUp,
    Merit,
    Otherwise,
    Reason,
    Remark,
    Said,
    Says,
    TakesOver,
)
from overtrick.game.wording import WORDS, why, words


def test_every_remark_deed_and_signal_has_a_sentence() -> None:
    ids = {r.id for r in Remark} | {f"does.{d}" for d in Deed} | {f"signal.{s}" for s in Says}
    ids |= {f"departs.{x}" for x in Lack} | {f"makes-up.{m}" for m in Merit}
    assert ids <= set(WORDS)


def test_every_kind_has_a_sentence_and_every_sentence_a_kind() -> None:
    found = {
        kinds._named(kind)
        for kind in vars(kinds).values()
        if isinstance(kind, type) and issubclass(kind, Reason) and kind not in (Reason, Remark)
    }
    said = {name.partition(".")[0] for name in WORDS} - {r.id for r in Remark}
    assert found == said


def test_sentences_speak_of_what_the_reason_has() -> None:
    named = {"name", "card", "card2", "suit", "suit2", "suits", "seat", "seat2"}
    planned = {"leader", "suit", "led", "won", "winner", "hand", "other"}
    of = {kinds._named(k): {f.name for f in fields(k)} for k in Reason.__subclasses__()  # type: ignore[arg-type]
          if k is not Remark}  # fmt: skip
    of |= {"coup": named, "planned": planned} | {r.id: set() for r in Remark}
    for name, text in WORDS.items():
        holes = {hole for _, hole, _, _ in Formatter().parse(text) if hole}
        assert holes <= of[name.partition(".")[0]], name


def test_chances_are_certain_only_if_they_are() -> None:
    assert words(Fate(0.625, 9.26)) == "makes 62%, 9.3 tricks in all"
    assert words(Fate(0.999)) == "makes 99%"
    assert words(Fate(0.004, 4.0, declaring=False)) == "beats it 1%, we take 4 tricks"
    assert words(Fate(1 - 1e-12)) == "makes"
    assert words(Fate(0.375 - 1e-13)) == words(Fate(0.375)) == "makes 38%"
    assert words(Otherwise(Card("SA"), 0.0)) == "♠A goes down"
    marked = Finesse(Card("HQ"), Seat.WEST, 1.0)
    assert words(marked) == "takes the marked finesse against the ♥Q (West has it)"


def test_reasons_stand_in_a_line() -> None:
    handed = TakesOver("relay", "points")
    assert why((handed, Said("15 points"))).endswith("points takes over: 15 points")
    made_up = MakesUp(Merit.LONG_SUIT, 6, Suit.SPADES)
    assert (
        why((Said("a raise"), Departs(Lack.FEWER_POINTS, 10, 11), made_up))
        == "a raise: 10 points where 11 are agreed, but six good spades"
    )
    squeeze = Coup("simple squeeze", "squeezes", (), (Suit.SPADES, Suit.HEARTS), (Seat.EAST,))
    assert words(squeeze) == "squeezes East in spades and hearts (simple squeeze)"


def test_text_is_a_reason_too() -> None:
    told = Decision(Call("1NT"), Meaning("balanced"), why="16 points")
    assert told.reasons == (Said("16 points"),)
    assert told.why == told.to_dict()["why"] == "16 points"
    assert replace(told, engine="x").why == "16 points"
    assert replace(told, why="other").why == "other"
    assert replace(told, reasons=(Does(Deed.DUCKS),)).why == "ducks"
    assert Candidate(Call("1NT"), note="balanced").note == "balanced"
    assert Candidate(Card("SA"), reasons=(Fate(0.5),)).note == "makes 50%"
