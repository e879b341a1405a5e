"""Where requests and frames begin and end in a stream of bytes, found before anything parses them.
Only what is counted here reaches the parsers, which make objects of every piece."""

from __future__ import annotations

import re
from typing import Final

MOST_HEAD: Final = 16 << 10  # bytes
_MOST_LINES: Final = 100  # of a head
_END: Final = b"\r\n\r\n"
_LENGTH: Final = re.compile(rb"\r\ncontent-length[ \t]*:[ \t]*([^\r\n]*)", re.IGNORECASE)
_CODING: Final = re.compile(rb"\r\ntransfer-encoding[ \t]*:", re.IGNORECASE)
_FORWARDED: Final = re.compile(rb"\r\nx-forwarded-for[ \t]*:[ \t]*([^\r\n]*)", re.IGNORECASE)


class BadHead(Exception):
    """The head of a request that is not passed on, and how it is answered."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status, self.text = status, text


def head_of(data: bytes | bytearray) -> bytes:
    """The head with which the data begins, to its empty line; empty until that has come.

    >>> head_of(b"GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\nGET"), head_of(b"GET / HT")
    (b'GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n', b'')
    """
    end = data.find(_END, 0, MOST_HEAD)
    if end < 0 and len(data) >= MOST_HEAD:
        raise BadHead(431, f"the head of a request has at most {MOST_HEAD} bytes")
    return bytes(data[: end + len(_END)]) if end >= 0 else b""


def body_length(head: bytes, most: int) -> int:
    """The bytes that follow a head. What browsers never send is refused: bodies in chunks, whose
    number of pieces nobody knows before, two lengths, and lines that end in some way of their own:
    a parser that is kind to those would see a head, or a coding, that was not seen here.

    >>> body_length(b"POST / HTTP/1.1\\r\\nContent-Length: 12\\r\\n\\r\\n", 100)
    12
    """
    if head.count(b"\n") > _MOST_LINES:
        raise BadHead(431, f"the head of a request has at most {_MOST_LINES} lines")
    if head.count(b"\n") != head.count(b"\r\n"):
        raise BadHead(400, "the lines of a head end with CR LF")
    if _CODING.search(head):
        raise BadHead(411, "say how long the request is (Content-Length), and send it whole")
    lengths = set(_LENGTH.findall(head))
    if not lengths:
        return 0
    text = lengths.pop().strip()
    if lengths or not text.isdigit() or len(text) > 18:
        raise BadHead(400, "the Content-Length is no number")
    if int(text) > most:
        raise BadHead(413, f"a request has at most {most} bytes")
    return int(text)


def forwarded_for(head: bytes, proxies: frozenset[str]) -> str:
    """The client a proxy speaks for: the last address it names that is no proxy itself."""
    named = b",".join(_FORWARDED.findall(head)).decode("latin-1").split(",")
    return next((a for a in (n.strip() for n in reversed(named)) if a not in proxies), "")


class Frames:
    """Counts the frames of a socket by their heads, whatever pieces they come in."""

    def __init__(self) -> None:
        self._skip = 0  # bytes of a frame that are still to come
        self._begun = b""  # the beginning of a head

    @property
    def broken(self) -> bool:
        """Is the last frame not whole yet?"""
        return bool(self._skip or self._begun)

    def count(self, data: bytes) -> int:
        """How many frames have begun since the last time."""
        data = self._begun + data
        at, end, found = self._skip, len(data), 0
        self._begun = b""
        while at < end:
            small = data[at + 1] & 0x7F if at + 2 <= end else 127
            head = 2 if small < 126 else 4 if small == 126 else 10
            if at + head > end:
                self._begun, at = data[at:], end
                break
            size = int.from_bytes(data[at + 2 : at + head], "big") if head > 2 else small
            # Frames of clients are masked: four bytes more.
            at += head + 4 * (data[at + 1] >> 7) + size
            found += 1
        self._skip = at - end
        return found
