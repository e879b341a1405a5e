"""Engines of other programs: the lines, an engine in Perl, ours on stdio, and every way to fail."""

from __future__ import annotations

import contextlib
import io
import json
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from overtrick.bidding.base import bidder, check_bidder
from overtrick.cardplay.base import check_player, player
from overtrick.engines.process import Outside
from overtrick.engines.wire import (
    Follower,
    WireError,
    decision_in,
    decode,
    encode,
    events,
    meaning_in,
)
from overtrick.game import Board, Call, Decision, Meaning, OptionError, View
from overtrick.table import Fault, TableState, play_table, robot
from overtrick.table.stdio import serve

PERL = Path(__file__).parents[2] / "examples" / "external_engine.pl"
OURS = f"{sys.executable} -c 'from overtrick.cli import main; main()' engine points+random --stdio"


def fake(tmp_path: Path, body: str) -> str:
    """A small engine in Python: hello, then `body` for each act line."""
    path = tmp_path / "engine.py"
    path.write_text(
        "import json, os, sys, time\n"
        "for text in sys.stdin:\n"
        "    line = json.loads(text)\n"
        "    if line['type'] == 'hello':\n"
        "        print(json.dumps({'type': 'hello', 'system': 'fake'}), flush=True)\n"
        "    if line['type'] == 'act':\n"
        f"        {body}\n"
    )
    return f"{sys.executable} {path}"


def opening() -> View:
    return TableState.start(Board.random(1, seed=1)).view()


def test_following_the_lines_gives_the_view_back() -> None:
    seen: list[View] = []

    def watch(state: TableState) -> None:
        if state.phase != "over":
            seen.append(state.view())

    play_table(Board.random(3, seed=5), [robot("points+random")] * 4, watch=watch, seed=9)
    assert any(view.play for view in seen)
    for view in seen:
        follower = Follower()
        for line in events(view):
            follower.follow(decode(encode(line)))
        again = follower.view()
        assert again.seed == view.seed
        assert (again.known, again.auction, again.play) == (view.known, view.auction, view.play)
        assert [m and m.words for m in again.meanings] == [m and m.words for m in view.meanings]


def test_our_engine_behind_a_pipe_decides_as_it_does_at_home() -> None:
    board = Board.random(2, seed=4)
    spec = f'external(command="{OURS}", seconds=60)'
    outside = play_table(board, [robot(f"{spec}+{spec}")] * 4)
    home = play_table(board, [robot("points+random")] * 4)
    assert outside.auction == home.auction
    assert outside.play == home.play
    assert not outside.rulings
    words = [e.decision.meaning.words for e in outside.log]
    assert words == [e.decision.meaning.words for e in home.log]


@pytest.mark.skipif(shutil.which("perl") is None, reason="Perl is not installed")
def test_the_example_in_perl_keeps_the_contract() -> None:
    command = f"perl {PERL}"
    check_bidder(bidder(f"external(command='{command}')"), boards=4)
    check_player(player(f"external(command='{command}')"), boards=2)


def test_a_crash_is_answered_by_a_fresh_start(tmp_path: Path) -> None:
    marker = tmp_path / "crashed"
    body = (
        f"m = {str(marker)!r}\n"
        "        if not os.path.exists(m): open(m, 'w').close(); os._exit(3)\n"
        "        print(json.dumps({'type': 'decision', 'action': '1C'}), flush=True)"
    )
    engine = bidder(f'external(command="{fake(tmp_path, body)}", sealed=false)')
    assert engine.system == "fake"
    assert engine.bid(opening()).action == Call.parse("1C")
    assert marker.exists()


def _ruling(command: str, seconds: float = 5) -> Fault:
    engine = robot(f'external(command="{command}", seconds={seconds})')
    state = play_table(Board.random(1, seed=1), [engine, *[robot("pass")] * 3], auction_only=True)
    return state.rulings[0].fault


def test_crashing_again_and_again_is_a_disconnection(tmp_path: Path) -> None:
    assert _ruling(fake(tmp_path, "os._exit(3)")) == Fault.DISCONNECTED


def test_a_slow_program_is_late(tmp_path: Path) -> None:
    assert _ruling(fake(tmp_path, "time.sleep(10**6)"), 1.0) == Fault.LATE


def test_nonsense_and_illegal_calls_are_ruled_on(tmp_path: Path) -> None:
    bad = 'print(\'{"type": "decision", "action": "9C"}\', flush=True)'
    assert _ruling(fake(tmp_path, bad)) == Fault.EXCEPTION
    illegal = 'print(\'{"type": "decision", "action": "XX"}\', flush=True)'
    assert _ruling(fake(tmp_path, illegal)) == Fault.ILLEGAL
    endless = "sys.stdout.write('{' * 3_000_000); sys.stdout.flush(); time.sleep(9)"
    assert _ruling(fake(tmp_path, endless)) == Fault.EXCEPTION


def test_chatter_before_the_answer_is_ignored(tmp_path: Path) -> None:
    body = (
        "print('thinking...'); print(json.dumps({'type': 'decision', 'action': 'P'}), flush=True)"
    )
    decision = Outside(fake(tmp_path, body)).ask(opening())
    assert isinstance(decision, Decision)
    assert decision.meaning.words == "not explained"


def test_commands_that_cannot_be() -> None:
    with pytest.raises(OptionError, match="needs a command"):
        Outside("")
    with pytest.raises(OptionError, match="some seconds"):
        Outside("x", 0)
    with pytest.raises(ConnectionError, match="does not start"):
        Outside("/no/such/program").ask(opening())
    with pytest.raises(ConnectionError, match="does not say hello"):
        Outside("true").ask(opening())


@pytest.mark.parametrize("words", ["{broken", '{"type": "howdy"}'])
def test_a_program_that_greets_wrongly_is_sent_home(tmp_path: Path, words: str) -> None:
    path = tmp_path / "engine.py"
    path.write_text(f"import time\nprint({words!r}, flush=True)\ntime.sleep(60)\n")
    engine = Outside(f"{sys.executable} {path}")
    with pytest.raises(WireError):
        engine.hello()
    assert engine._child is None  # nothing is left running


def _talk(*lines: object) -> list[dict[str, object]]:
    out = io.BytesIO()
    raw = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
    serve(robot("points+highest"), raw, out.write)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_stdio_answers_mistakes_with_errors_and_goes_on() -> None:
    board = events(opening())[0]
    answers = _talk(
        {"type": "act"},
        b"not json",
        {"type": "dance"},
        {"no": "type"},
        board,
        {"type": "card", "card": "SA"},
        {"type": "call", "call": "XX"},
        {"type": "call"},
        {"type": "act", "id": 7},
        {"type": "quit"},
        {"type": "hello"},
    )
    assert [a["type"] for a in answers] == ["error"] * 7 + ["decision"]
    assert answers[-1]["id"] == 7
    assert answers[-1]["meaning"]
    (hello,) = _talk({"type": "hello"})
    assert hello["name"] == "points+highest"


def test_stdio_survives_numbers_and_shapes_that_cannot_be() -> None:
    """Anything that is JSON may come down the pipe; none of it ends the engine."""
    board = events(opening())[0]
    endless = b'{"type": "call", "call": "1C", "meaning": {"words": "x", "hcp": [Infinity, 9]}}'
    answers = _talk({**board, "systems": ["sayc"]}, {"type": "act"}, endless, {"type": "act"})
    assert [a["type"] for a in answers] == ["decision", "error", "decision"]


def test_candidates_worth_no_number_have_no_value() -> None:
    worth = ["NaN", "Infinity", "1" + 400 * "0", "true", "2.5"]
    raw = "".join(f'{{"action": "1C", "value": {v}, "error": {v}}},' for v in worth)[:-1]
    line = decode(f'{{"type": "decision", "action": "1C", "candidates": [{raw}]}}')
    decision = decision_in(line, Call)
    assert [c.value for c in decision.candidates] == [None, None, None, None, 2.5]
    assert [c.error for c in decision.candidates] == [None, None, None, None, 2.5]
    json.loads(json.dumps(decision.to_dict(), allow_nan=False))


def test_meanings_may_be_short() -> None:
    assert meaning_in("weak") == Meaning("weak")
    assert meaning_in(None).words == "not explained"
    with pytest.raises(WireError, match="range"):
        meaning_in({"words": "x", "hcp": 7})


def _within_a_while(asked: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + 30
    while not asked() and time.monotonic() < deadline:
        time.sleep(0.02)
    return asked()


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")
@pytest.mark.parametrize("sealed", [True, False])
def test_children_of_an_engine_end_with_it(tmp_path: Path, sealed: bool) -> None:
    token = f"60.{time.time_ns()}"
    body = (
        f"import subprocess; subprocess.Popen(['sleep', {token!r}]); "
        "print(json.dumps({'type': 'decision', 'action': 'Pass'}), flush=True)"
    )
    outside = Outside(fake(tmp_path, body), sealed=sealed)
    outside.ask(opening())
    assert _within_a_while(lambda: bool(_running(token)))  # a name appears a moment after a start
    outside.close()
    assert _within_a_while(lambda: not _running(token))


def _running(word: str) -> list[str]:
    """The processes with this word in their command."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if word.encode() in (folder / "cmdline").read_bytes().split(b"\0"):
                found.append(folder.name)
    return found
