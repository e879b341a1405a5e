"""Whoever starts processes is not outlived by them, however it ends."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from overtrick.processes import run_program, spawned_pool

_SLOW = pytest.mark.slow
_VERBS = [  # and how many processes there are at least, when two of them work and one counts
    ("match points pass -n 1000000 -w 2 --db {file}", 3),
    pytest.param("tournament pairs points pass -n 1000000 -w 2 --dir {file}", 3, marks=_SLOW),
    pytest.param("sweep 'points+pimc(worlds={{5,6}})' points -n 100000 -w 2", 3, marks=_SLOW),
    pytest.param("label {file}.npz -n 100000 -w 2", 3, marks=_SLOW),
    pytest.param("reproduce frank1998 --quick -w 2 --out {file}", 3, marks=_SLOW),
    pytest.param("train labels --workers 2 --minutes 60 --out {file}", 3, marks=_SLOW),
    pytest.param("league {file}.toml --dir {file} -w 2", 3, marks=_SLOW),
    pytest.param("serve --port 0 --log {file}", 2, marks=_SLOW),
    pytest.param("match \"external(command='sleep 1000')\" pass", 2, marks=_SLOW),
]

_SCHEDULE = """
robots = {a = "points", b = "pass"}
match = [{a = "a", b = "b", boards = 1000000}]
"""


def children(pid: int) -> set[tuple[int, str]]:
    """All processes below this one, with their starting times: numbers are used again."""
    parents: dict[int, list[tuple[int, str]]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if fields[0] not in "ZX":
            parents.setdefault(int(fields[1]), []).append((int(path.parent.name), fields[19]))
    found: set[tuple[int, str]] = set()
    todo = [pid]
    while todo:
        below = parents.get(todo.pop(), [])
        found.update(below)
        todo += [number for number, _ in below]
    return found


def alive(process: tuple[int, str]) -> bool:
    try:
        fields = Path(f"/proc/{process[0]}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return False
    return fields[0] not in "ZX" and fields[19] == process[1]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")
@pytest.mark.parametrize("hit", [signal.SIGKILL, signal.SIGTERM], ids=["kill", "term"])
@pytest.mark.parametrize(("words", "least"), _VERBS)
def test_nothing_outlives_a_verb_that_is_killed(
    words: str, least: int, hit: signal.Signals, tmp_path: Path
) -> None:
    verb = shlex.split(words.format(file=tmp_path / "file"))
    (tmp_path / "file.toml").write_text(_SCHEDULE)
    with subprocess.Popen(
        [sys.executable, "-m", "overtrick", *verb],
        cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    ) as parent:  # fmt: skip
        workers: set[tuple[int, str]] = set()
        while len(workers) < least and parent.poll() is None:
            workers |= children(parent.pid)
            time.sleep(0.02)
        assert parent.poll() is None
        parent.send_signal(hit)
    _all_gone(workers)


def _all_gone(processes: set[tuple[int, str]]) -> None:
    deadline = time.monotonic() + 60
    while (left := [p for p in processes if alive(p)]) and time.monotonic() < deadline:
        time.sleep(0.05)
    for number, _ in left:
        os.kill(number, signal.SIGKILL)
    assert not left


def _forever(seconds: float) -> None:
    time.sleep(seconds)


_STARTS = """
import sys, tests.test_processes as here
pool = here.spawned_pool(1)
pool.submit(here._forever, 1000)
sys.stdin.read()
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")
def test_a_worker_in_the_middle_of_something_ends_too() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", _STARTS], stdin=subprocess.PIPE, cwd=Path(__file__).parents[1]
    ) as parent:
        workers: set[tuple[int, str]] = set()
        while len(workers) < 2:
            assert parent.poll() is None
            workers |= children(parent.pid)
            time.sleep(0.02)
        parent.kill()
    _all_gone(workers)


_RUNS = """
import sys
from overtrick.processes import run_program
run_program([sys.executable, "-m", "overtrick", "engine", "pass", "--stdio"], stdin=0)
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")
def test_a_verb_that_a_program_runs_ends_with_it() -> None:
    theirs, ours = os.pipe()  # kept open: the verb does not end because its input does
    with subprocess.Popen([sys.executable, "-c", _RUNS], stdin=theirs) as parent:
        while not (below := children(parent.pid)):
            assert parent.poll() is None
        parent.kill()
    _all_gone(below)
    os.close(theirs), os.close(ours)


_CLINGS = """
import os, json, time
held = os.open("/proc/self/fd/0", os.O_WRONLY)
os.write(1, b'{"type": "hello"}\\n')
time.sleep(1000)
"""
_ASKS = """
import sys
from overtrick.engines.process import Outside
outside = Outside([sys.executable, "-I", "-c", sys.argv[1]])
outside.hello()
print("hello", flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")
def test_an_engine_that_holds_its_own_input_open_ends_too() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", _ASKS, _CLINGS], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"hello\n"
        below = children(parent.pid)
        parent.kill()
    assert len(below) == 2
    _all_gone(below)


def test_what_a_verb_says_comes_back() -> None:
    ran = run_program(
        [sys.executable, "-m", "overtrick", "--version"], stdout=subprocess.PIPE, text=True
    )
    assert (ran.returncode, ran.stdout.split()[0]) == (0, "overtrick")


def test_a_pool_does_what_comes_first() -> None:
    with spawned_pool(1) as pool:
        assert pool.submit(len, "four").result() == 4
