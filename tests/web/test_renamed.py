"""No behaviour hangs on a phrase: with every word of every sentence changed, the same is decided,
asked and told, by id."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from overtrick.engines.clock import counted_by
from overtrick.game import Auction, Board, Play, View, view_of, wording
from overtrick.game.reasons import Deed, Does
from overtrick.notation import dumps
from overtrick.table import play_table, robot
from overtrick.web import review, sentences, thinking
from overtrick_lab.web import teaching
from tests.web.conftest import plain

BIDDERS = ("rules(system=two-over-one)", "points", "bmcs(batches=1, disclose=20)")
PLAYERS = ("pimc(worlds=3)", "planner(worlds=3, plans=1)", "highest")


def _views() -> Iterator[tuple[str, View]]:
    board = Board.random(3, 7)
    auction = Auction(board.dealer)
    for call in Auction.parse("P 1NT P 3NT P P P", board.dealer).calls:
        for spec in BIDDERS:
            yield spec, view_of(board, auction)
        auction = auction.then(call)
    contract = auction.contract
    assert contract is not None
    play = Play.of(contract)
    while len(play) < 8:
        view = view_of(board, auction, play)
        yield PLAYERS[len(play) % len(PLAYERS)], view
        play = play.then(view.legal_cards().cards()[-1])


def _hints() -> list[dict[str, Any]]:
    """Hints without their words and times."""
    return [_wordless(plain(thinking.hint(spec, view))) for spec, view in _views()]


def _wordless(told: Any) -> Any:
    if isinstance(told, dict):
        spoken = {"text", "why", "note", "words", "milliseconds"}
        return {k: _wordless(v) for k, v in told.items() if k not in spoken}
    return [_wordless(v) for v in told] if isinstance(told, list | tuple) else told


def _reviewed() -> list[Any]:
    state = play_table(Board.random(2, 5), [robot("points+highest")] * 4)
    text = dumps(state.record(), "pbn")
    rows = plain(review.called(text, "rules(system=sayc)", "points"))
    return [_wordless(rows), _wordless(plain(review.carded(text, "pimc(worlds=3)", 30, 3)))]


def _worth_a_lesson() -> list[bool]:
    views = [view for _, view in _views() if view.play is not None]
    return [teaching._thinking(v, thinking.decide("pimc(worlds=3)", v)) for v in views[3:]]


def _all() -> tuple[list[dict[str, Any]], list[Any], list[bool]]:
    with counted_by(lambda: 0.0):  # what is decided does not hang on a busy machine either
        return _hints(), _reviewed(), _worth_a_lesson()


def _other_words(template: str) -> str:
    """Every letter outside the holes becomes another one; numbers and holes stay."""
    parts = re.split(r"({[^}]*})", template)
    return "".join(p if p.startswith("{") else re.sub(r"[^\W\d_]", "q", p) for p in parts)


def test_nothing_but_the_words_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = _all()
    ids = {said["id"] for hint in usual[0] for said in (*hint["nudge"], *hint["reasons"])}
    assert len(ids) > 12
    for told in (wording.WORDS, sentences.SENTENCES):
        for name, text in told.items():
            monkeypatch.setitem(told, name, _other_words(text))
    assert wording.words(Does(Deed.DUCKS)) == "qqqqq"
    assert _all() == usual
