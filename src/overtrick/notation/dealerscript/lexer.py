"""Words of a `dealer` script with their line and column.
Mistakes are reported where they stand."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from overtrick.game.errors import ParseError

MOST: Final = 1 << 20  # characters of one script


class ScriptError(ParseError):
    """A mistake in a script; `line` and `column` count from 1."""

    def __init__(self, what: str, line: int, column: int) -> None:
        super().__init__(f"line {line}, column {column}: {what}")
        self.line = line
        self.column = column


class Token(NamedTuple):
    """kind: name, number, shape, string, mark or end."""

    kind: str
    text: str
    line: int
    column: int


_TOKEN: Final = re.compile(
    r"""(?P<space>[ \t\r\f\v]+)
      |(?P<newline>\n)
      |(?P<comment>\#[^\n]*|//[^\n]*|/\*.*?\*/)
      |(?P<string>"[^"]*")
      |(?P<shape>[0-9]*x[0-9x]*(?![A-Za-z0-9_]))
      |(?P<card>[2-9AKQJT][SHDC](?![A-Za-z0-9_]))
      |(?P<number>[0-9]+(?![A-Za-z_]))
      |(?P<name>[A-Za-z_][A-Za-z0-9_]*)
      |(?P<open>/\*)
      |(?P<mark>==|!=|<=|>=|&&|\|\||\\n|[-+*/%<>!?:(),=])""",
    re.VERBOSE | re.DOTALL,
)


def _first_word(text: str) -> str:
    """Up to the next space; a space of another alphabet is what is wrong itself."""
    return text[0] if text[0].isspace() else text.split()[0]


def tokens(text: str) -> list[Token]:
    """All words of a script; the last is of kind "end"."""
    if len(text) > MOST:
        raise ScriptError(f"a script of {len(text)} characters, {MOST} is the most", 1, 1)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    out: list[Token] = []
    position, line, start = 0, 1, 0
    while position < len(text):
        found = _TOKEN.match(text, position)
        if found is None or found.lastgroup == "open":
            what = "a string is not closed" if text[position] == '"' else (
                "a comment is not closed" if text.startswith("/*", position)
                else f"not part of the language: {_first_word(text[position : position + 10])!a}"
            )  # fmt: skip
            raise ScriptError(what, line, position - start + 1)
        kind, word = found.lastgroup or "", found[0]
        if kind not in ("space", "newline", "comment"):
            out.append(Token(kind, word, line, position - start + 1))
        breaks = word.count("\n")
        if breaks:
            line += breaks
            start = position + word.rindex("\n") + 1
        position = found.end()
    out.append(Token("end", "", line, position - start + 1))
    return out
