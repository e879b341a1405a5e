"""Every reader of somebody else's bytes as one function that either returns or refuses in one line:
what `python -m tests.fuzz` calls with whatever reaches new code, and what a list of kept inputs
is tried with at every landing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Final

import msgspec
import numpy as np

from overtrick.archives import arrays, expanded
from overtrick.arena.results import BoardResult
from overtrick.bidding import BIDDERS
from overtrick.engines import parse_spec
from overtrick.exam import questions
from overtrick.game import Auction, BridgeError, Call, Contract, Deal, Hand
from overtrick.notation import dumps, from_url, loads
from overtrick.notation.dealerscript import parse as parse_script
from overtrick.notation.files import FORMATS
from overtrick.protocol.lines import read as read_line
from overtrick.systems import bbsa, bml, card
from overtrick.systems.refined import read_refinements
from overtrick.systems.system import _Loader, system_of_text
from overtrick.web import evening, messages
from overtrick.web.problems import deck_of
from overtrick.worlds.language import parse as parse_constraint

Reader = Callable[[bytes], object]
GOLDEN: Final = Path(__file__).parent.parent / "golden"
CORPUS: Final = Path(__file__).parent / "corpus"


def _words(reader: Callable[[str], object]) -> Reader:
    """A reader of text that may refuse."""

    def read(data: bytes) -> object:
        try:
            return reader(data.decode("utf-8", "replace"))
        except BridgeError as error:
            refused = str(error)
        if "\n" in refused:
            raise AssertionError(f"more than one line: {refused!r}")
        return None

    return read


def _rewritten(form: str | None, data: bytes) -> object:
    """Read without refusing, written in both layouts, and read again."""
    found = loads(data, form)
    for other in ("pbn", "lin"):
        for layout in ("keep", "export"):
            loads(dumps(found, other, layout=layout), other)  # type: ignore[call-overload]
    return found


def _json(kind: type) -> Reader:
    def read(data: bytes) -> object:
        try:
            found = msgspec.json.decode(data, type=kind)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            return None
        try:
            return found.check() if isinstance(found, BoardResult) else found
        except BridgeError:
            return None

    return read


def _arrays(data: bytes) -> object:
    try:
        return arrays(BytesIO(data))
    except BridgeError:
        return None


def _expanded(data: bytes) -> object:
    try:
        return expanded(data)
    except BridgeError:
        return None


def _auction(text: str) -> object:
    return Auction("N", text.split())


READERS: Final[dict[str, Reader]] = {
    **{form: partial(_rewritten, form) for form in sorted(FORMATS)},
    "any": partial(_rewritten, None),
    "url": _words(from_url),
    "script": _words(parse_script),
    "rules": _words(system_of_text),
    "refinements": _words(read_refinements),
    "card": _words(card.loads),
    "card line": _words(card.parse_line),
    "bbsa": _words(bbsa.loads),
    "bml": _words(bml.loads),
    "constraint": _words(parse_constraint),
    "engine": _words(lambda text: BIDDERS.as_data(str(parse_spec(text)))),
    "hand": _words(Hand.parse),
    "deal": _words(Deal.parse),
    "call": _words(Call.parse),
    "contract": _words(lambda text: Contract.parse(text, "N")),
    "auction": _words(_auction),
    "line": _words(read_line),
    "problems": _words(deck_of),
    "questions": _words(lambda text: questions.read(text.splitlines())),
    "evening": _words(evening.read),
    "action": _json(messages.Action),  # type: ignore[arg-type]
    "open": _json(messages.Open),
    "board": _json(BoardResult),
    "arrays": _arrays,
    "packed": _expanded,
}


def seeds() -> Iterator[tuple[str, bytes]]:
    """Something that each reader understands, to begin with."""
    for path in sorted((GOLDEN / "notation").iterdir()):
        if path.is_file():
            text = path.read_bytes()[:3000]
            for form in (path.suffix[1:], "any", "evening"):
                yield form, text
    for path in sorted((GOLDEN / "dealer").iterdir()):
        yield "script", path.read_bytes()
    root = _Loader().root
    for path in sorted((root / "sayc").glob("*.bid"))[:4]:
        yield "rules", path.read_bytes()[:2000]
    yield (
        "card",
        card.dumps(card.ConventionCard("sayc", {"dont": True}, "Ann", {"leads": "low"})).encode(),
    )
    yield "card line", b"two-over-one +dont -bergen"
    yield "bbsa", b"System type = 1\nDrury = 1\n1NT opening range 15-17 = 1\n"
    yield (
        "bml",
        b"* Openings\n\n1C  Strong\n  1D  Negative\n#COPY a\n2X  w\n#ENDCOPY\n#PASTE a X=M",
    )
    yield "constraint", b"hcp 15..17, balanced, spades 4+ or hearts 5"
    yield "engine", b"rules(system='sayc +dont', seconds=2.5)"
    yield "hand", b"AKQ2.T98.J76.543"
    yield "deal", b"N:AKQJ.AKQ.AKQ.AKQ T987.JT9.JT9.JT9 6543.876.876.876 2.5432.5432.5432"
    yield "contract", b"3NTXX"
    yield "auction", b"1NT P 3C X XX P P"
    yield "line", b"North bids 1NT Alert. 15-17"
    yield "line", b'Connecting "A" as North using protocol version 18'
    yield "action", b'{"type": "call", "call": "1NT", "at": 3}'
    yield "open", b'{"seat": "N", "humans": ["N"], "source": {"type": "random", "seed": 1}}'
    written = BytesIO()
    np.savez_compressed(written, owners=np.zeros((2, 13), np.uint8), card=np.array("words"))
    yield "arrays", written.getvalue()


def kept() -> Iterator[tuple[str, bytes]]:
    """Inputs of earlier runs that reached something of their own."""
    for path in sorted(CORPUS.rglob("*.in")):
        yield path.parent.name, path.read_bytes()
