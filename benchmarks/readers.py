"""Is every reader linear? Texts that invite repetition, in doubled sizes, timed against their size.
`python -m benchmarks readers` prints the growth of each; 1.0 is linear, 2.0 is quadratic."""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from math import log2

from benchmarks.rows import Row, at_most, markdown
from overtrick.engines import parse_spec
from overtrick.game import BridgeError, Hand
from overtrick.notation import dumps, loads
from overtrick.notation.dealerscript import parse as parse_script
from overtrick.protocol.lines import MAX_LINE
from overtrick.protocol.lines import read as read_line
from overtrick.systems import bml
from overtrick.systems.system import system_of_text

DEAL = "N:AKQJ.AKQ.AKQ.AKQ T987.JT9.JT9.JT9 6543.876.876.876 2.5432.5432.5432"
MD = "md|3SAKQ2HAK3DAK2CA32,SJT98HQJTDQJTCQJT,S7654H654D654C654,|"
_LIMIT = 1.35  # growth that still is noise

# name → what is repeated, and what stands before it; sizes are characters of the whole text
PBN = {
    "boards": ("", f'[Board "1"]\n[Deal "{DEAL}"]\n[Auction "N"]\n1NT Pass Pass Pass\n\n'),
    "tags": ("", '[A "x"]'),
    "the same tag": ('[Board "1"]\n', '[Event "x"]\n'),
    "notes and blank lines": ('[Auction "N"]\n1C\n', '[Note "1:a"]\n\n'),
    "numbered notes": ('[Auction "N"]\n1C\n', '[Note "{i}:a"]\n'),
    "repeated tags": ('[Board "1"]\n[Event "##x"]\n\n', '[Board "#"]\n\n'),
    "calls": ('[Auction "N"]\n', "Pass =1= $1 ! {x} "),
    "cards": (f'[Deal "{DEAL}"]\n[Contract "3NT"]\n[Declarer "N"]\n[Play "E"]\n', "SA - - - "),
    "irregularities": ('[Auction "N"]\n', "^I ^S "),
    "table rows": ('[ScoreTable "A;B"]\n', "1 2\n"),
    "open brackets": ("", "["),
    "open tags": ("", '[A "'),
    "open braces": ("", "{"),
    "closed braces": ('[A "x"]\n', "{x} "),
    "semicolons": ('[A "x"]\n', ";\n"),
    "percent lines": ("", "%\n"),
    "quotes": ("", '"'),
    "blank lines": ("", "\n"),
    "spaces": ('[A "x"', " "),
    "backslashes": ('[A "', "\\\\"),
    "loose tags": ("", "[A x]\n"),
    "sections": ("", '[Auction "N"]\n\n[Play "E"]\n\n'),
}
LIN = {
    "boards": ("", f"pn|a,b,c,d|{MD}mb|p|mb|1N|mb|p|mb|p|mb|p|pc|SA|\n"),
    "commentary": (f"{MD}mb|p|", "nt|aa|"),
    "commentary before a call": (MD, "nt|aa|"),
    "calls": (MD, "mb|p|"),
    "one long call": (f"{MD}mb|", "p"),
    "cards": (f"{MD}mb|1N|mb|p|mb|p|mb|p|", "pc|SA|"),
    "one long card": (f"{MD}pc|", "SA"),
    "alerts": (f"{MD}mb|1C|", "an|x|"),
    "vugraph": ("vg|a,b,I,1,9,x,1,y,2|rs|4SN=|", "qx|o1|" + MD),
    "results": ("vg|a|rs|", "4SN=,"),
    "names": ("pn|", "x,"),
    "bars": ("pn|", "|"),
    "unknown tags": (MD, "zz|x|"),
    "deals": ("", MD),
    "dangling": (MD, "pn|"),
}
RBN = {
    "boards": ("", "H W:AKQJ.AKQ.AKQ.AKQ:T987.JT9.JT9.JT9:6543.876.876.876:\nA NZ:1NPPP\n\n"),
    "calls": ("A NZ:", "P"),
    "cards": ("H W:AKQJ.AKQ.AKQ.AKQ:T987.JT9.JT9.JT9:6543.876.876.876:\nP W", "S2"),
    "comments": ("A NZ:1N\n", "{x}\n"),
    "colons": ("A NZ", ":"),
    "lines": ("", "T x\n"),
}
SCRIPT = {
    "conditions": ("condition 1", " && hcp(north) > 1"),
    "brackets": ("condition ", "("),
    "definitions": ("", "x{i} = 1\n"),
    "comments": ("", "# x\n"),
    "open comment": ("/*", " *"),
    "shapes": ("condition shape(north, any 4333", " + any 4432"),
    "actions": ("action printall", ", printall"),
}

BML = {
    "rows": ("", "1C  x\n"),
    "deeper rows": ("1X  a\n", "  2Y  b\n"),
    "words": ("1C  x\n", "     y\n"),
    "passes": ("", "P-"),
    "headings": ("", "* x\n"),
    "prose": ("", "x !c 1--2 "),
    "pieces": ("", "#COPY a\nx\n#ENDCOPY\n"),
    "slashes": ("1C", "/1C"),
    "brackets": ("", "("),
}
RULES = {
    "rules": ("after 1NT\n", '  2C "x" : hcp 8+, hearts 4+ @60\n'),
    "alternatives": ('after 1NT\n  2C "x" : hcp 1', " or hcp 1"),
    "definitions": ("", "define x{i} = hcp 1\n"),
    "brackets": ('after 1NT\n  2C "x" : ', "("),
    "comments": ("", "# x\n"),
    "quotes": ("", '"'),
}


def text_of(start: str, piece: str, size: int) -> str:
    many = max(1, (size - len(start)) // len(piece))
    if "{i}" in piece:
        return start + "".join(piece.replace("{i}", str(i)) for i in range(many))
    return start + piece * many


def _tried(reader: Callable[[str], object], text: str) -> None:
    """Readers of single values refuse what is none."""
    with suppress(BridgeError):
        reader(text)


def _rewritten(form: str, text: str) -> None:
    """Read, and written in both layouts: those walk over the same text once more."""
    loaded = loads(text, form)
    for layout in ("keep", "export"):
        dumps(loaded, form, layout=layout)


def openspiel(size: int) -> str:
    rng = random.Random(1)
    lines = []
    total = 0
    while total < size:
        cards = rng.sample(range(52), 52)
        lines.append(" ".join(map(str, cards)) + " 52 52 52 52")
        total += len(lines[-1]) + 1
    return "\n".join(lines)


def cases() -> list[tuple[str, Callable[[str], object], Callable[[int], str]]]:
    """What is read, how, and the text of a given size."""
    out: list[tuple[str, Callable[[str], object], Callable[[int], str]]] = []
    for form, texts in (("pbn", PBN), ("lin", LIN)):
        for name, (start, piece) in texts.items():
            reader = partial(_rewritten, form)
            out.append((f"{form}: {name}", reader, partial(text_of, start, piece)))
    for name, (start, piece) in RBN.items():
        out.append((f"rbn: {name}", partial(loads, format="rbn"), partial(text_of, start, piece)))
    out.append(("openspiel: boards", partial(loads, format="openspiel"), openspiel))
    out.append(
        ("openspiel: one line", partial(loads, format="openspiel"), partial(text_of, "1", " 1"))
    )
    for name, (start, piece) in SCRIPT.items():
        out.append(
            (
                f"dealer script: {name}",
                partial(_tried, parse_script),
                partial(text_of, start, piece),
            )
        )
    for kind, texts, reader in (
        ("BML", BML, bml.loads),
        ("rule file", RULES, partial(system_of_text, name="x")),
    ):
        for name, (start, piece) in texts.items():
            out.append((f"{kind}: {name}", partial(_tried, reader), partial(text_of, start, piece)))
    for name, start, piece in (
        ("link", "https://x/?lin=", "md%7C"), ("link: parameters", "https://x/?lin=pn", "&n=SA"),
        ("any format: no format", "", "hello "), ("any format: spaces", "", " \n"),
        ("any format: digits", "", "1 "),
    ):  # fmt: skip
        out.append((name, loads, partial(text_of, start, piece)))
    out.append(("engine: options", partial(_tried, parse_spec), partial(text_of, "x(", "a=1,")))
    out.append(("engine: brackets", partial(_tried, parse_spec), partial(text_of, "x(a=", "(")))
    out.append(("hand: one suit", partial(_tried, Hand.parse), partial(text_of, "", "AK")))
    return out


def growth(reader: Callable[[str], object], make: Callable[[int], str], size: int) -> float:
    """The exponent of the time between the first and the last of four doubled sizes."""
    times = []
    for step in range(4):
        text = make(size << step)
        times.append(min(_timed(reader, text) for _ in range(2)))
    return log2(max(times[-1], 1e-4) / max(times[0], 1e-4)) / 3


def _timed(reader: Callable[[str], object], text: str) -> float:
    began = time.process_time()
    reader(text)
    return time.process_time() - began


def slowest_line() -> float:
    """The slowest of many Table Manager lines, in milliseconds; their length has a limit."""
    rng = random.Random(1)
    words = [
        "teams",
        "n/s",
        "e/w",
        '"',
        ":",
        "north",
        "bids",
        "1nt",
        "alert",
        ".",
        "as",
        "using",
        "plays",
        "cards",
        "board",
        "number",
        "seated",
        "(",
        ")",
        "timing",
        "1:2",
        "playing",
    ]
    worst = 0.0
    for _ in range(3000):
        some = rng.choices(words, k=rng.randrange(1, 5))
        line = (rng.choice(words) + " " + " ".join(some * 400))[: MAX_LINE - 1]
        worst = max(worst, _timed(read_line, line))
    return 1000 * worst


def run() -> list[Row]:
    return measured(20_000)


def measured(size: int) -> list[Row]:
    rows = []
    for name, reader, make in cases():
        rows.append(at_most(name, growth(reader, make, size), _LIMIT))
    rows.append(at_most("Table Manager: slowest of 3,000 lines, ms", slowest_line(), 20.0))
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=20_000, help="of the smallest text")
    print(markdown(measured(parser.parse_args().size)))


if __name__ == "__main__":
    main()
