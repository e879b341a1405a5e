"""Matches: the same result on every backend, after any interruption, in any order."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from overtrick.arena import Backend, Match, play_match, run_jobs
from overtrick.arena.diff import partings
from overtrick.arena.report import html, markdown
from overtrick.arena.run import WorkerDied
from overtrick.arena.store import Store, StoreError
from overtrick.bidding.points.engine import Points
from overtrick.doubledummy import TableCache, tables
from overtrick.game import Deal, Decision, OptionError, ParseError, Record, View
from overtrick.notation import dump
from overtrick.notation.solved import SolvedDeals, pack_owners, unpack_owners

JOB = Match("points", "pass", boards=24, seed=5, method="play", chunk=4)


def canonical(store: Store) -> list[bytes]:
    return [r.canonical() for r in store.results()]


def test_an_engine_against_itself_scores_exactly_nothing() -> None:
    store = Store(":memory:", Match("points", "points", boards=12, method="play"))
    result = play_match(store.job, store)
    assert (result.mean, result.error) == (0.0, 0.0)


def test_backends_give_identical_bytes() -> None:
    here, pool = Store(":memory:", JOB), Store(":memory:", JOB)
    first = play_match(JOB, here)
    second = play_match(JOB, pool, Backend.parse("2"))
    assert first == second
    assert canonical(here) == canonical(pool)


def test_a_killed_match_continues_with_nothing_lost_or_doubled(tmp_path: Path) -> None:
    whole = Store(":memory:", JOB)
    play_match(JOB, whole)
    path = tmp_path / "match.sqlite"
    code = (
        "import sys, time; from overtrick.arena import *; from overtrick.arena.store import Store;"
        "job = Match('points', 'pass', boards=24, seed=5, method='play', chunk=4);"
        "store = Store(sys.argv[1], job);"
        "play_match(job, store, progress=lambda p: (print(p.done, flush=True), time.sleep(0.2)))"
    )
    for kills in range(3):
        child = subprocess.Popen(
            [sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE, text=True
        )
        assert child.stdout is not None
        child.stdout.readline()  # one more chunk is stored
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
        assert len(Store(path).done()) >= 4 * (kills + 1)
    resumed = Store(path, JOB)
    assert len(resumed.done()) < 24
    play_match(JOB, resumed)
    assert canonical(resumed) == canonical(whole)


def test_the_pool_replaces_a_dead_worker() -> None:
    results = dict(run_jobs(_die_once, _tasks(), Backend("pool", 2)))
    assert results == {i: i * i for i in range(6)}


def _tasks() -> list[tuple[int, str]]:
    marker = f"/tmp/overtrick-die-{os.getpid()}-{time.time_ns()}"
    return [(i, marker) for i in range(6)]


def _die_once(task: tuple[int, str]) -> int:
    number, marker = task
    if number == 3 and not os.path.exists(marker):
        Path(marker).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def test_a_store_refuses_another_match(tmp_path: Path) -> None:
    path = tmp_path / "m.sqlite"
    Store(path, JOB).close()
    with pytest.raises(StoreError, match="another match"):
        Store(path, Match("pass", "pass", boards=5))
    path.write_text("not a database, but long enough to be read as one by mistake" * 20)
    with pytest.raises(StoreError, match="no match file"):
        Store(path, JOB)
    with pytest.raises(StoreError, match="there is no match"):
        Store(tmp_path / "missing.sqlite")
    with pytest.raises(StoreError, match="look at the folder"):
        Store(tmp_path / "no such folder" / "m.sqlite", JOB)


def test_undisclosed_systems_reach_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, str, int]] = []

    def noted(self: Points, view: View) -> Decision:
        seen.append((view.systems.ours, view.systems.theirs, sum(map(bool, view.meanings))))
        return bid(self, view)

    bid = Points.bid
    monkeypatch.setattr(Points, "bid", noted)
    job = Match("points", "points", boards=1)
    play_match(job)
    told = list(seen)
    seen.clear()
    play_match(replace(job, disclosed=False))
    assert len(told) == len(seen)
    assert any(theirs for _, theirs, _ in told)
    assert any(explained for _, _, explained in told)
    assert {(theirs, explained) for _, theirs, explained in seen} == {("", 0)}
    assert [ours for ours, _, _ in seen] == [ours for ours, _, _ in told]


def test_a_store_leaves_other_databases_alone(tmp_path: Path) -> None:
    """A table cache given by mistake is refused, and is a table cache afterwards."""
    path = tmp_path / "tables.sqlite"
    TableCache(path).close()
    before = path.read_bytes()
    for job in (None, JOB):
        with pytest.raises(StoreError, match="no match"):
            Store(path, job)
    assert path.read_bytes() == before
    with sqlite3.connect(path) as db:
        names = {row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type='table'")}
    assert names == {"tables"}


def test_a_store_of_another_description_is_one_clear_line(tmp_path: Path) -> None:
    path = tmp_path / "m.sqlite"
    Store(path, JOB).close()
    with sqlite3.connect(path) as db:
        db.execute("UPDATE match SET job = '{\"a\": 1}'")
    with pytest.raises(StoreError, match="no match file"):
        Store(path)


def test_sequential_stopping_does_not_depend_on_the_backend() -> None:
    job = Match("points", "pass", boards=400, seed=2, method="play", chunk=16)
    here, pool = Store(":memory:", job), Store(":memory:", job)
    a = play_match(job, here, until=0.9)
    b = play_match(job, pool, Backend.parse("2"), until=0.9)
    assert a == b
    assert a.error <= 0.9
    assert a.boards < 400


def test_solved_deals_round_trip_and_score_without_a_solver(tmp_path: Path) -> None:
    deals = [Deal.random(seed) for seed in range(3)]
    owners = np.array([list(d.owners) for d in deals], dtype=np.uint8)
    assert (unpack_owners(pack_owners(owners)) == owners).all()
    tricks = np.array([t.array for t in tables(deals)], dtype=np.uint8)
    path = tmp_path / "solved.npz"
    SolvedDeals(owners, tricks).save(path)
    loaded = SolvedDeals.load(path)
    assert [loaded.deal(i) for i in range(3)] == deals
    job = Match("points", "pass", boards=3, deals=str(path))
    store = Store(":memory:", job)
    play_match(job, store)
    for r in store.results():
        if r.open.contract:
            assert r.open.tricks is not None


def test_solved_deals_are_read_whole_or_refused(tmp_path: Path) -> None:
    whole = tmp_path / "whole.npz"
    owners = np.array([list(Deal.random(1).owners)], dtype=np.uint8)
    SolvedDeals(owners, np.zeros((1, 5, 4), np.uint8)).save(whole)
    assert os.stat(whole).st_mode & 0o444 == 0o444 & ~_umask()  # as any file of this user
    for name, data in (("cut", whole.read_bytes()[:200]), ("junk", b"junk"), ("empty", b"")):
        path = tmp_path / f"{name}.npz"
        path.write_bytes(data)
        with pytest.raises(ParseError, match="no file of solved deals"):
            SolvedDeals.load(path)
    with pytest.raises(ParseError, match="no file of solved deals"):
        SolvedDeals.load(tmp_path / "gone.npz")


def _umask() -> int:
    now = os.umask(0)
    os.umask(now)
    return now


def test_reports_hold_the_figures(tmp_path: Path) -> None:
    store = Store(":memory:", JOB)
    result = play_match(JOB, store)
    text = markdown(store, result)
    assert f"{result.mean:+.3f} ± {result.error:.3f}" in text
    assert "opens with 0–3 hcp" in text
    page = html(store)
    assert page.startswith("<!doctype html>")
    assert "Biggest swings" in page
    assert "Parted a" not in page
    assert html(store, why=True).count("Parted a") == page.count("<div class=board>")
    found = partings(store, 3)
    assert found
    assert all(p.open.action != p.closed.action for p in found)


def test_only_complete_deals_of_a_file_are_boards(tmp_path: Path) -> None:
    whole, ending = Deal.random(1), Deal.parse("N:AK... QJ... T9... 87...")
    path = tmp_path / "boards.pbn"
    dump([Record(number=1, deal=ending), Record(number=2, deal=whole)], path)
    job = Match("pass", "pass", boards=1, deals=str(path))
    job.check()
    assert job.board(1).deal == whole
    with pytest.raises(OptionError, match="holds 1 deals, too few"):
        Match("pass", "pass", boards=2, deals=str(path)).check()


def test_bad_matches_say_what_is_wrong() -> None:
    with pytest.raises(OptionError, match="at least one board"):
        Match("pass", "pass", boards=0)
    with pytest.raises(OptionError, match="dd or play"):
        Match("pass", "pass", boards=1, method="guess")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="number of workers"):
        Backend.parse("many")


def test_a_job_that_kills_its_worker_is_named_and_no_other() -> None:
    with pytest.raises(WorkerDied, match="job 2 lost its worker 2 times"):
        dict(run_jobs(_die_always, list(range(4)), Backend("pool", 2, retries=1)))


def _die_always(number: int) -> int:
    if number == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return number
