"""The catalogues: every line whole, and the words of the bidding systems in every language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import overtrick.systems
from overtrick.web import lessons
from overtrick.web.sentences import SENTENCES, Sentence

TEXTS = Path(__file__).parents[2] / "web/texts"
LIBRARY = Path(overtrick.systems.__file__).parent / "library"
_SUIT = "spades|hearts|diamonds|clubs|♠|♥|♦|♣"
_HOLES = {
    "n": r"[−+-]?\d[\d.,]*",
    "m": r"\d+",
    "q": "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|none",
    "s": _SUIT,
    "r": r"ace|king|queen|jack|ten|nine|eight|seven|six|five|four|three|two"
    r"|[2-9TJQKA](?:–[2-9TJQKA])?",
    "w": "North|East|South|West",
    "c": rf"[♠♥♦♣](?:10|[2-9TJQKA])|(?:ace|king|queen|jack|\d+) of (?:{_SUIT})",
}


@cache
def _rows() -> dict[str, list[str]]:
    rows: dict[str, list[str]] = {}
    for path in sorted(TEXTS.glob("*.txt")):
        if path.name != "sentences.txt":
            rows |= {english: words for english, *words in _lines(path)}
    return rows


def _lines(path: Path) -> Iterator[list[str]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            yield [part.strip() for part in line.split(" | ")]


@pytest.fixture(autouse=True)
def _has_texts() -> None:
    if not TEXTS.exists():
        pytest.skip("the page's source is not here")


def test_every_line_has_three_translations() -> None:
    assert all(len(words) == 3 and all(words) for words in _rows().values())


def test_translations_keep_the_holes() -> None:
    for english, words in _rows().items():
        wanted = set(re.findall(r"\{\w+\}", english))
        assert all(set(re.findall(r"\{\w+\}", w)) == wanted for w in words), english


def test_every_sentence_of_the_server_is_there_in_every_language() -> None:
    """By its id, with the English that the server would say and the same holes."""
    lines = {name: texts for name, *texts in _lines(TEXTS / "sentences.txt")}
    quoted = {name for name in SENTENCES if name.partition(".")[0] in ("said", "agreed")}
    assert set(lines) == set(SENTENCES) - quoted
    for name, (english, *words) in lines.items():
        assert english == re.sub(r"{(\w+)(?::(?!or)[^}]*)?}", r"{\1}", _or(SENTENCES[name])), name
        holes = _holes_of(english)
        assert len(words) == 3
        assert all(_holes_of(w) == holes for w in words), name


def _holes_of(text: str) -> list[str]:
    """Other languages may say the form of a word, too: `{tops:tricks}`, a number with its noun."""
    return sorted(hole.replace(":tricks", "") for hole in re.findall(r"{[\w:]+}", text))


def _or(template: str) -> str:
    """The page knows one of the lists by its word."""
    return template.replace(":then}", ":or}")


@cache
def _patterns() -> list[re.Pattern[str]]:
    out = []
    for english in _rows():
        names = re.findall(r"\{(\w+)\}", english)
        parts = [re.escape(p) for p in re.split(r"\{\w+\}", english)]
        holes = [f"({_HOLES.get(n[0], '.+?')})" for n in names] + [""]
        if names:
            out.append(re.compile("".join(p + h for p, h in zip(parts, holes, strict=True))))
    return out


@cache
def _known(text: str) -> bool:
    """Would the page find this text, whole, by a pattern or statement by statement?"""
    if not re.search(r"[^\W\d_]{2}", text) or text in _rows():
        return True
    for pattern in _patterns():
        match = pattern.fullmatch(text)
        if match and all(_known(group) for group in match.groups()):
            return True
    for cut in (r"(?<=[.!?]) ", "; or ", "; ", ": ", ", "):
        parts = re.split(cut, text)
        if len(parts) > 1 and all(_known(part) for part in parts):
            return True
    if text.endswith("."):
        return _known(text[:-1])
    lower = text[0].lower() + text[1:]
    return lower != text and _known(lower)


def test_the_systems_words_are_translated() -> None:
    quoted = (re.findall(r'"([^"]*)"', p.read_text()) for p in LIBRARY.rglob("*.bid"))
    # A second kind of hand begins with `or`, and a suit is filled in where it is told.
    told = (w.removeprefix("or ") for found in quoted for w in found)
    words = {re.sub(r"\{\w\}", "♥", w) for w in told}
    unknown = sorted(w for w in words if not _known(w))
    # A rule may be added before its words are translated; then they are shown in English.
    assert len(unknown) <= 0.02 * len(words), unknown


def _quoted(said: Sentence) -> str:
    """The words of a system in a sentence, if there are any."""
    return str(said.args.get("words", ""))


def test_the_lessons_words_are_translated() -> None:
    told: set[str] = set()
    for lesson in lessons.shipped():
        told |= {lesson.title, lesson.words}
        for p in lesson.positions:
            told |= {r if isinstance(r, str) else _quoted(r) for r in p.reasons}
            told |= {o.words for o in p.options}
    unknown = sorted(w for w in told if not _known(w))
    assert len(unknown) <= 0.02 * len(told), unknown
