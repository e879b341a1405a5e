"""The exam as a file: one JSON line for each question, with what the player sees and the answer.
Reading, the view of a question, asking a player. The format is in docs/howto/technique.md."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from time import perf_counter, process_time
from typing import Annotated, Final, Literal

import msgspec

from overtrick.archives import expanded
from overtrick.cardplay.base import Player
from overtrick.cardplay.review import without_auction
from overtrick.game import BridgeError, Card, Contract, Decision, Hand, Play, Seat, View
from overtrick.game.seats import Vulnerability

FILE: Final = "technique.jsonl.xz"
MOST: Final = 20_000  # questions of a file
_Text = Annotated[str, msgspec.Meta(max_length=200)]
_Short = Annotated[str, msgspec.Meta(max_length=40)]


class NoQuestion(BridgeError):
    """A line that is no question, or a set without the kind asked for."""


class Question(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line. South declares and North is dummy; hands are whole, `play` is what has gone."""

    id: _Short
    kind: _Short
    grade: Literal[1, 2, 3]
    contract: _Short
    seat: Literal["S", "E", "W"]
    hand: _Short
    dummy: _Short
    play: _Text
    answers: Annotated[tuple[_Short, ...], msgspec.Meta(min_length=1, max_length=13)]
    chance: float
    next: float
    layouts: int
    reason: _Text
    line: _Text = ""
    half: Literal[1, 2] = 1

    @property
    def side(self) -> str:
        return "declarer" if self.seat == "S" else "defender"

    def view(self) -> View:
        """What the seat sees. The auction is made up and tells nothing."""
        contract = Contract.parse(f"{self.contract} S")
        auction, meanings = without_auction(contract)
        cards = [self.play[i : i + 2] for i in range(0, len(self.play), 2)]
        return View(
            Seat.parse(self.seat), Hand.parse(self.hand, size=13), auction, Vulnerability.NONE,
            meanings=meanings, play=Play.of(contract, cards), dummy=Hand.parse(self.dummy, size=13),
        )  # fmt: skip

    def is_right(self, card: Card) -> bool:
        return card.ascii in self.answers


_DECODER = msgspec.json.Decoder(Question)


def read(lines: Iterable[str | bytes]) -> list[Question]:
    """Questions of a file, each of which can be asked."""
    out: list[Question] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        if len(out) == MOST:
            raise NoQuestion(f"a set has at most {MOST} questions")
        try:
            question = _DECODER.decode(line)
            legal = {c.ascii for c in question.view().legal_cards().cards()}
        except (msgspec.MsgspecError, BridgeError) as error:
            raise NoQuestion(f"line {number} is no question: {error}") from None
        if not legal.issuperset(question.answers):
            raise NoQuestion(f"line {number}: the answer cannot be played")
        out.append(question)
    return out


def load(path: Path) -> list[Question]:
    with path.open("rb") as file:
        return read(file)


@lru_cache(maxsize=1)
def shipped() -> tuple[Question, ...]:
    """The exam of this package."""
    text = expanded(resources.files("overtrick.exam").joinpath(FILE).read_bytes())
    return tuple(_DECODER.decode(line) for line in text.splitlines())


@dataclass(frozen=True, slots=True)
class ExamAnswer:
    """A player's card for a question, its reason, and the time it took."""

    question: Question
    card: Card
    right: bool
    why: str
    seconds: float
    cpu: float


def ask(player: Player, question: Question) -> ExamAnswer:
    view = question.view()
    started, cpu = perf_counter(), process_time()
    decision: Decision = player.play(view)
    spent = perf_counter() - started, process_time() - cpu
    card = decision.card
    return ExamAnswer(question, card, question.is_right(card), decision.why, *spent)
