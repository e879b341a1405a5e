"""Mutated files of every format: readers return records and warnings, and never raise."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from overtrick.notation import Loaded, dumps, from_url, loads, to_url
from overtrick.notation.dealerscript import ScriptError, parse
from overtrick.notation.diagram import html_record, text_record
from overtrick.notation.files import FORMATS

GOLDEN = Path(__file__).parent.parent / "golden"
SPICE = (
    b"[", b"]", b'"', b"{", b"}", b";", b"%", b"\n", b"\n\n", b"\\", b"|", b"#", b"##", b"^I",
    b"^S", b"^R", b"^L", b"=1=", b"$99999999", b"!", b"?!", b"AP", b"-", b"*", b"+", b"\x00",
    b"\xff\xfe", b"\xc3(", b'[Auction "N"]\n', b'[Play "W"]\n', b'[Note "1:x"]\n',
    b'[Deal "N:- - - -"]', b'[OptimumResultTable "A;B"]\n', b"7NT", b"SA", b"10", b"md|", b"mb|",
    b"pc|", b"qx|o1|", b"mc|14|", b"999999999999999999999", b"\xe2\x99\xa0", b"A NZ:", b"H W:",
    b"P ", b"\t", b"\r",
)  # fmt: skip


def seeds() -> list[bytes]:
    return [p.read_bytes() for p in sorted((GOLDEN / "notation").iterdir()) if p.is_file()]


def mutated(rng: random.Random, text: bytes) -> bytes:
    """A few cuts, repetitions, swaps, single bytes and pieces of syntax."""
    if len(text) > 1500 and rng.random() < 0.8:  # a window keeps a run short
        start = rng.randrange(len(text) - 1000)
        text = text[start : start + rng.randrange(100, 1000)]
    out = bytearray(text)
    for _ in range(rng.choice((1, 1, 2, 4, 9, 20))):
        i = rng.randrange(len(out) + 1)
        j = min(len(out), i + rng.choice((1, 1, 2, 7, 30)))
        kind = rng.randrange(6)
        if kind == 0:
            del out[i:j]
        elif kind == 1:
            out[i:i] = rng.choice(SPICE)
        elif kind == 2:
            out[i:j] = bytes(rng.randrange(256) for _ in range(j - i))
        elif kind == 3:
            out[i:i] = out[i:j] * rng.choice((1, 2, 40))
        elif kind == 4 and out:
            out[i % len(out)] = rng.choice(b' "[]{}|.:NESWAKQJT29SHDC17PXR-*+\n')
        else:
            k = rng.randrange(len(out) + 1)
            out[k:k] = out[i:j]
    return bytes(out)


def inputs(number: int, seed: int) -> Iterator[tuple[bytes, str | None]]:
    rng = random.Random(seed)
    corpus = seeds()
    for _ in range(number):
        yield mutated(rng, rng.choice(corpus)), rng.choice((None, None, *FORMATS))


def check(loaded: Loaded) -> None:
    """What was read can be written and read again, in every notation that takes it."""
    for warning in loaded.warnings:
        assert str(warning)
    for form in ("pbn", "lin"):
        loads(dumps(loaded, form, layout="keep"), form)
        loads(dumps(loaded, form, layout="export"), form)
    for record in loaded.records[:1]:
        from_url(to_url(record))
        text_record(record)
        html_record(record)


def run(number: int, seed: int) -> int:
    warned = 0
    for i, (data, form) in enumerate(inputs(number, seed)):
        loaded = loads(data, form)
        warned += bool(loaded.warnings)
        if i % 5 == 0:
            check(loaded)
    return warned


def test_two_thousand_mutated_files() -> None:
    assert run(2000, 1) > 200


@pytest.mark.fuzz
@pytest.mark.parametrize("part", range(5))
def test_many_mutated_files(part: int) -> None:
    """By number and not by the clock, in parts for several cores."""
    assert run(9000, 100 + part) > 900


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_a_million_mutated_files(part: int) -> None:
    assert run(50_000, 1000 + part) > 5000


def test_mutated_scripts_raise_only_script_errors() -> None:
    rng = random.Random(3)
    corpus = [p.read_bytes() for p in sorted((GOLDEN / "dealer").iterdir())]
    for _ in range(1000):
        text = mutated(rng, rng.choice(corpus)).decode("latin-1")
        with contextlib.suppress(ScriptError):
            parse(text)


def test_mutated_addresses() -> None:
    rng = random.Random(4)
    url = to_url(loads((GOLDEN / "notation" / "vugraph.lin").read_bytes())[0]).encode()
    for _ in range(500):
        from_url(mutated(rng, url).decode("latin-1"))
