"""Twelve formats there and back, the page that says what each keeps, files of other programs."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from overtrick import Record, load
from overtrick.notation import dump, dumps, loads, stream
from tests.notation import strategies, twelve

ROOT = Path(__file__).parents[2]
GAMES = ("pbn", "json", "lin", twelve.LINK, "rbn", "usebio", "travellers")
DEALS = ("dlm", "dup", "bri", "dge")


@pytest.mark.parametrize("count", [12, pytest.param(200, marks=pytest.mark.slow)])
@pytest.mark.parametrize("form", twelve.FORMATS)
def test_what_a_format_keeps_comes_back(form: str, count: int) -> None:
    asked = twelve.boards(min(count, twelve.MOST.get(form, count)))
    found = twelve.there_and_back(form, asked)
    assert len(found) == len(asked)
    kept = twelve.kept(form, count)
    assert kept == twelve.kept(form, 12)  # what the page says holds for many as for few
    if form in GAMES:
        told = ("four hands", "names", "auction", "explanations of calls", "contract", "result")
        assert all(kept[part] for part in (*told, "cards played", "claims"))
    if form in DEALS:
        assert {part for part in kept if kept[part]} == {
            "board number", "dealer", "vulnerability", "four hands",
        }  # fmt: skip


def test_openspiel_keeps_the_game_and_turns_the_table() -> None:
    for record in twelve.boards(40):
        assert record.dealer is not None
        (found,) = loads(dumps(record, "openspiel"))
        assert found.auction is not None
        assert record.auction is not None
        assert found.auction.calls == record.auction.calls
        for hand in range(4):
            assert record.deal is not None
            assert found.deal is not None
            assert found.deal.hands[hand] == record.deal[record.dealer.plus(hand)]


@given(strategies.records(lin=True))
def test_rbn_comes_back(record: Record) -> None:
    asked = replace(
        record,
        # Names and notes are words there: how many blanks stand between them is not kept.
        names=tuple(" ".join(n.replace("+", "/").split()) for n in record.names),  # type: ignore[arg-type]
        call_notes={
            at: replace(note, text=" ".join(note.text.split()))
            for at, note in record.call_notes.items()
        },
        auction=record.auction or None,  # none, and one without a call, are written alike
    )
    found = loads(dumps([asked, Record(1)], "rbn"), "rbn")
    assert found.warnings == ()
    assert found[0] == asked
    assert found[1] == Record(1)


def test_travellers_as_they_are_saved_elsewhere() -> None:
    text = (
        "#Title,Friday\n#BoardCount,2\n#Date,2026-11-19\n#Ranking,PAIRS\n#Rank,pair,Score\n1,3,60\n"
        "#TravellerLines\n#Board,North,South,East,West,Result,Contract,Declarer,Tricks,Lead,Score,"
        "nsMpts,ewMpts,nsPair,ewPair,section,playdata\n"
        "1,ann,bob,cem,dee,4SW-1,4S,W,9,QD,50,3,1,1,4,A,\n"
        '1,"e,f",g,h,i,,PASS,,,,0,,,2,5,A,\n2,a,b,c,d,,,,,,A5050,2,2,3,6,A,\n#Substitutions\n1,x\n'
    )
    found = loads(text)
    assert found.warnings == ()
    first, second, third = found
    assert (first.number, str(first.contract), first.tricks, first.ns_score) == (
        1,
        "4♠ West",
        9,
        50,
    )
    assert first.names == ("ann", "cem", "bob", "dee")
    assert first.tags["Lead"] == "DQ"
    assert (first.tags["Event"], first.tags["PairEW"]) == ("Friday", "4")
    assert second.names[0] == "e,f"
    assert second.is_passed_out
    assert third.tags["Score"] == "A5050"


def test_a_page_of_hands() -> None:
    asked = twelve.boards(4)
    rows = []
    for record in asked:
        link = dumps(record, "lin").strip().replace("|", "%7C").replace("'", "%27")
        cells = "".join(
            f"<td class='{seat}'>{name}</td>"
            for seat, name in zip(("north", "east", "south", "west"), record.names, strict=True)
        )
        shown = "PASS" if record.contract is None else ""
        rows.append(
            f"<tr class='tourney'><td class='handnum'>1</td>{cells}<td class='result'>{shown}</td>"
            f"<td class='movie'><a onclick=\"hv_popuplin('{link}');\">Movie</a></td></tr>"
        )
    page = f"<html><table class='body'>{''.join(rows)}</table></html>"
    found = loads(page)
    assert found.warnings == ()
    for record, read in zip(asked, found, strict=True):
        assert (read.number, read.deal, read.auction) == (
            record.number,
            record.deal,
            record.auction,
        )
        assert (read.names, read.play, read.tricks) == (record.names, record.play, record.tricks)


@pytest.mark.parametrize("text", [
    "#TravellerLines\n", "#TravellerLines\n#Board,North\n0,x\n\"", "<tr><td class=movie>",
    "#TravellerLines\n" + "," * 9000, "<td class='tourney'>" * 3000,
    "<a onclick=\"hv_popuplin('md|')\">x class=movie",
])  # fmt: skip
def test_nonsense_is_a_warning(text: str) -> None:
    for form in ("travellers", "bbo"):
        assert loads(text, form).warnings


def _known(record: Record) -> tuple[object, ...]:
    """What was dealt, called and played; bridgeobjects leaves the double out of its Contract."""
    contract = record.contract if record.auction is None else record.auction.contract
    return record.deal, record.auction, contract, record.play, record.tricks


@pytest.mark.slow
@pytest.mark.parametrize("program", ["endplay", "open_spiel", "bridgeobjects"])
def test_files_of_other_programs(program: str, tmp_path: Path) -> None:
    """Our boards through another program's reader and writer: nothing is lost on the way back."""
    asked = [r for r in twelve.boards(200) if r.contract is not None and r.play is not None]
    asked = [replace(r, call_notes={}, card_notes={}, comment="", claimed=False, tags={}, tables={})
             for r in asked if r.play is not None and r.play.is_over]  # fmt: skip
    writers: dict[str, Callable[[list[Record], Path], None]] = {
        "endplay": _endplay, "open_spiel": _open_spiel, "bridgeobjects": _bridgeobjects,
    }  # fmt: skip
    if program == "open_spiel":
        turned = [loads(dumps(r, "openspiel"))[0] for r in asked]
        asked = turned
    writers[program](asked, tmp_path)
    files = sorted(path for path in tmp_path.iterdir() if path.stem == "theirs")
    assert files
    for path in files:
        # bridgeobjects begins with a game that has an event and no board.
        found = [record for record in load(path) if record.deal is not None]
        assert len(found) == len(asked), path.name
        for ours, theirs in zip(asked, found, strict=True):
            assert _known(theirs) == _known(ours), path.name


def _endplay(records: list[Record], folder: Path) -> None:
    pbn: Any = pytest.importorskip("endplay.parsers.pbn")
    lin: Any = pytest.importorskip("endplay.parsers.lin")
    dump(records, folder / "ours.pbn")
    with (folder / "ours.pbn").open(encoding="latin-1", newline="") as file:
        boards = pbn.load(file)
    with (folder / "theirs.pbn").open("w", encoding="latin-1", newline="") as file:
        pbn.dump(boards, file)
    with (folder / "theirs.lin").open("w") as file:
        lin.dump(boards, file)


def _open_spiel(records: list[Record], folder: Path) -> None:
    pyspiel: Any = pytest.importorskip("pyspiel")
    game = pyspiel.load_game("bridge(use_double_dummy_result=false)")
    lines = []
    for record in records:
        state = game.new_initial_state()
        for action in dumps(record, "openspiel").split():
            state.apply_action(int(action))
        lines.append(" ".join(str(action) for action in state.history()))
    (folder / "theirs.traj").write_text("\n".join(lines) + "\n")


def _bridgeobjects(records: list[Record], folder: Path) -> None:
    theirs: Any = pytest.importorskip("bridgeobjects")
    # Version 0.1.31 calls a debugger's function that it does not import.
    vars(import_module("bridgeobjects._parse_pbn_string")).setdefault("ic", print)
    dump(records, folder / "ours.pbn")
    events = theirs.load_pbn(str(folder / "ours.pbn"))
    theirs.save_pbn(events, folder / "theirs.pbn")


@pytest.mark.slow
def test_a_million_boards_in_little_memory(tmp_path: Path) -> None:
    """A file of a million boards is read in a process that may not grow beyond 400 MB."""
    path = tmp_path / "million.pbn"
    text = dumps(twelve.boards(200), layout="export").encode("latin-1")
    with path.open("wb") as file:
        for _ in range(5000):
            file.write(text + b"\n")
    code = (
        "import resource, sys; from overtrick.notation import stream\n"
        "count = sum(record.deal is not None for record in stream(sys.argv[1]))\n"
        "print(count, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True
    )
    boards, megabytes = map(int, done.stdout.split())
    assert boards == 1_000_000
    assert megabytes < 400


def test_a_stream_is_what_a_file_is(tmp_path: Path) -> None:
    dump(twelve.boards(12), tmp_path / "few.pbn")
    assert [r.number for r in stream(tmp_path / "few.pbn")] == list(range(1, 13))
