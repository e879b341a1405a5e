"""What a call or card tells: words, ranges, forcing level, alert — and what a decision was worth.
Engines fill it in, tables disclose it, people read it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from overtrick.game.calls import Call
from overtrick.game.cards import SUIT_SYMBOLS, Card
from overtrick.game.errors import WrongType

if TYPE_CHECKING:  # loaded where somebody has a reason or asks for words
    from overtrick.game.reasons import Reason

Range = tuple[int, int]
ANY_HCP: Final[Range] = (0, 37)
ANY_LENGTH: Final[Range] = (0, 13)
Lengths = tuple[Range, Range, Range, Range]
ANY_LENGTHS: Final[Lengths] = (ANY_LENGTH, ANY_LENGTH, ANY_LENGTH, ANY_LENGTH)


class Forcing(StrEnum):
    """How far a call binds partner."""

    NONE = "none"
    ONE_ROUND = "one round"
    GAME = "to game"
    SLAM = "to slam"
    SIGN_OFF = "sign-off"

    def __repr__(self) -> str:
        return f"Forcing.{self.name}"


class SpeechAct(StrEnum):
    """What kind of speech act a call is (Gambäck, Rayner & Pell 1993, section 1.2)."""

    ASSERTING = "asserting"
    DENYING = "denying"
    ASKING = "asking"
    ANSWERING = "answering"
    PREEMPTING = "pre-empting"
    ORDERING = "ordering"
    INVITING = "inviting"
    PROMISING = "promising"
    LYING = "lying"

    def __repr__(self) -> str:
        return f"SpeechAct.{self.name}"


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a call shows, as its maker would tell the opponents.

    What is owed for it: `alert`, `announce` (the words), `delayed` (alerted after the auction).
    `shows` may carry the exact constraint object (worlds.Constraint) behind the ranges.

    >>> hearts = (ANY_LENGTH, ANY_LENGTH, (6, 6), ANY_LENGTH)
    >>> Meaning("weak two", hcp=(6, 10), lengths=hearts).ranges()
    '6–10 hcp, ♥6'
    """

    words: str
    hcp: Range = ANY_HCP
    lengths: Lengths = ANY_LENGTHS
    forcing: Forcing = Forcing.NONE
    alert: bool = False
    act: SpeechAct = SpeechAct.ASSERTING
    convention: str = ""
    rule: str = ""
    shows: Any = field(default=None, compare=False, repr=False)
    announce: str = ""
    delayed: bool = False

    def __str__(self) -> str:
        return self.words

    def ranges(self) -> str:
        """The ranges in short: '12–21 hcp, ♥5+'."""
        parts = []
        if self.hcp != ANY_HCP:
            parts.append(f"{span(*self.hcp, 37)} hcp")
        for suit in (3, 2, 1, 0):
            if self.lengths[suit] != ANY_LENGTH:
                parts.append(f"{SUIT_SYMBOLS[suit]}{span(*self.lengths[suit], 13)}")
        return ", ".join(parts)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; `shows` stays at home."""
        return {
            "words": self.words,
            "hcp": list(self.hcp),
            "lengths": {s: list(r) for s, r in zip("CDHS", self.lengths, strict=True)},
            "forcing": str(self.forcing),
            "alert": self.alert,
            "act": str(self.act),
            "convention": self.convention,
            "rule": self.rule,
            **({"announce": self.announce} if self.announce else {}),
            **({"delayed": True} if self.delayed else {}),
        }

    @classmethod
    def from_dict(cls, told: Mapping[str, Any]) -> Meaning:
        """What `to_dict` made.

        >>> meaning = Meaning("weak two", hcp=(6, 10), forcing=Forcing.NONE, alert=True)
        >>> Meaning.from_dict(meaning.to_dict()) == meaning
        True
        """
        lengths = {suit: _range(r) for suit, r in told.get("lengths", {}).items()}
        return cls(
            str(told["words"]),
            _range(told.get("hcp", ANY_HCP)),
            (
                lengths.get("C", ANY_LENGTH),
                lengths.get("D", ANY_LENGTH),
                lengths.get("H", ANY_LENGTH),
                lengths.get("S", ANY_LENGTH),
            ),
            Forcing(told.get("forcing", Forcing.NONE)),
            bool(told.get("alert", False)),
            SpeechAct(told.get("act", SpeechAct.ASSERTING)),
            str(told.get("convention", "")),
            str(told.get("rule", "")),
            announce=str(told.get("announce", "")),
            delayed=bool(told.get("delayed", False)),
        )


def _range(told: Iterable[int]) -> Range:
    low, high = told
    return int(low), int(high)


def span(low: int, high: int, top: int) -> str:
    """A range in short; from `top` on there is no upper end.

    >>> span(15, 17, 37), span(5, 37, 37), span(4, 4, 13)
    ('15–17', '5+', '4')
    """
    if low == high:
        return str(low)
    if high >= top:
        return f"{low}+"
    return f"{low}–{high}"


Action = Call | Card


def action_of(text: str) -> Action:
    """A call or a card from its letters: a card has its suit first.

    >>> action_of("1S").ascii, action_of("HT").ascii, action_of("X").ascii
    ('1S', 'HT', 'X')
    """
    return Card.parse(text) if text[:1] in ("C", "D", "H", "S") else Call.parse(text)


@dataclass(frozen=True, slots=True, init=False)
class Candidate:
    """An action that was considered, with its value (higher is better) and standard error.

    What is to be said of it are `reasons`, or `note`, a text.

    >>> Candidate(Call("3NT"), 1.5, 0.4, "natural").note
    'natural'
    """

    action: Action
    value: float | None
    error: float | None
    details: Mapping[str, Any] = field(repr=False)
    reasons: tuple[Reason, ...]

    def __init__(
        self,
        action: Action,
        value: float | None = None,
        error: float | None = None,
        note: str = "",
        details: Mapping[str, Any] | None = None,
        *,
        reasons: Iterable[Reason] = (),
    ) -> None:
        told = {"action": action, "value": value, "error": error, "details": details or {}}
        _fill(self, {**told, "reasons": _reasons(note, reasons)})

    @property
    def note(self) -> str:
        """The reasons in words."""
        return _words(self.reasons)


@dataclass(frozen=True, slots=True, init=False)
class Decision:
    """What an engine does and why: the one object that decides and explains.

    Why is said by `reasons`, the weightiest first; `why` says them in words, and an engine that has
    only words may give these. `cut` is true when a clock ended the thinking: the same view may then
    get another answer on another day. Engines whose work is fixed never set it.

    >>> decision = Decision(Call("1NT"), Meaning("15–17, balanced"), why="16 points")
    >>> f"{decision.call}: {decision.meaning}", decision.why, decision.to_dict()["action"]
    ('1NT: 15–17, balanced', '16 points', '1NT')
    """

    action: Action
    meaning: Meaning
    candidates: tuple[Candidate, ...]
    reasons: tuple[Reason, ...]
    worlds: int
    seed: int
    milliseconds: float
    engine: str
    details: Mapping[str, Any] = field(repr=False)
    cut: bool = field(compare=False)

    def __init__(
        self,
        action: Action,
        meaning: Meaning,
        candidates: tuple[Candidate, ...] = (),
        why: str = "",
        worlds: int = 0,
        seed: int = 0,
        milliseconds: float = 0.0,
        engine: str = "",
        details: Mapping[str, Any] | None = None,
        cut: bool = False,
        *,
        reasons: Iterable[Reason] = (),
    ) -> None:
        told: dict[str, object] = {"action": action, "meaning": meaning, "candidates": candidates}
        told |= {"worlds": worlds, "seed": seed, "milliseconds": milliseconds, "engine": engine}
        _fill(
            self, {**told, "details": details or {}, "cut": cut, "reasons": _reasons(why, reasons)}
        )

    @property
    def why(self) -> str:
        """The reasons in words, for people."""
        return _words(self.reasons)

    @property
    def call(self) -> Call:
        """The call; an error when a card was decided on."""
        if not isinstance(self.action, Call):
            raise WrongType("a bidder's action", "a Call", self.action)
        return self.action

    @property
    def card(self) -> Card:
        """The card; an error when a call was decided on."""
        if not isinstance(self.action, Card):
            raise WrongType("a player's action", "a Card", self.action)
        return self.action

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON: the web, logs and the stdio protocol send this."""
        return {
            "action": self.action.ascii,
            "meaning": self.meaning.to_dict(),
            "candidates": [
                {"action": c.action.ascii, "value": c.value, "error": c.error, "note": c.note}
                for c in self.candidates
            ],
            "why": self.why,
            "worlds": self.worlds,
            "seed": self.seed,
            "milliseconds": round(self.milliseconds, 3),
            "engine": self.engine,
            **({"cut": True} if self.cut else {}),
        }

    @classmethod
    def from_dict(cls, told: Mapping[str, Any]) -> Decision:
        """What `to_dict` made: the same action, meaning and values. Why is words then, and what
        engines keep in `details` is gone.

        >>> first = Decision(Call("1NT"), Meaning("15–17, balanced"), why="16 points", worlds=40)
        >>> again = Decision.from_dict(first.to_dict())
        >>> again.call, again.why, again.worlds, again.to_dict() == first.to_dict()
        (Call('1NT'), '16 points', 40, True)
        """
        return cls(
            action_of(told["action"]),
            Meaning.from_dict(told["meaning"]),
            tuple(
                Candidate(action_of(c["action"]), c.get("value"), c.get("error"), c.get("note", ""))
                for c in told.get("candidates", ())
            ),
            told.get("why", ""),
            int(told.get("worlds", 0)),
            int(told.get("seed", 0)),
            float(told.get("milliseconds", 0.0)),
            str(told.get("engine", "")),
            cut=bool(told.get("cut", False)),
        )

    def _repr_html_(self) -> str:
        from overtrick.notation.pictures import html_decision

        return html_decision(self)


def _reasons(text: str, reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    """Text that is given stands for itself."""
    if not text:
        return tuple(reasons)
    from overtrick.game.reasons import Said

    return (Said(text),)


def _words(reasons: Iterable[Reason]) -> str:
    from overtrick.game.wording import why

    return why(reasons)


def _fill(value: object, told: Mapping[str, object]) -> None:
    for name, what in told.items():
        object.__setattr__(value, name, what)
