"""Matches on Ray: two real nodes on this machine, a killed worker, the same bytes as at home."""

from __future__ import annotations

import os
import re
import shlex
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from overtrick import Board, Record, dump
from overtrick.arena import Backend, Match, MatchProgress, play_match, run_jobs
from overtrick.arena.store import Store
from overtrick.cli import main
from overtrick.game import BridgeError

pytestmark = pytest.mark.slow  # a Ray cluster takes some ten seconds to start
JOB = Match("points", "pass", boards=240, seed=5, method="play", chunk=6)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A head and a second node, each with one CPU."""
    os.environ["RAY_AUTH_MODE"] = "disabled"
    pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    cluster.add_node(num_cpus=1)
    yield cluster
    cluster.shutdown()


@pytest.fixture(scope="module")
def home() -> list[bytes]:
    store = Store(":memory:", JOB)
    play_match(JOB, store)
    return canonical(store)


def canonical(store: Store) -> list[bytes]:
    return [r.canonical() for r in store.results()]


def test_ray_and_two_workers_give_the_bytes_of_one(cluster: Any, home: list[bytes]) -> None:
    for backend in (Backend.parse(f"ray:{cluster.address}"), Backend.parse("2")):
        store = Store(":memory:", JOB)
        play_match(JOB, store, backend)
        assert canonical(store) == home


def test_both_nodes_work(cluster: Any) -> None:
    backend = Backend.parse(f"ray:{cluster.address}")
    nodes = {node for _, node in run_jobs(_where, list(range(12)), backend)}
    assert len(nodes) == 2


def _where(task: int) -> str:
    import time

    import ray

    time.sleep(0.3)
    return str(ray.get_runtime_context().get_node_id())


def test_a_killed_worker_costs_nothing(cluster: Any, home: list[bytes]) -> None:
    killed: list[int] = []

    def kill(progress: MatchProgress) -> None:
        busy = _workers(cluster)
        if busy and len(killed) < 2 and progress.done >= 40 * (len(killed) + 1):
            os.kill(busy[0], signal.SIGKILL)
            killed.append(busy[0])

    store = Store(":memory:", JOB)
    play_match(JOB, store, Backend.parse(f"ray:{cluster.address}"), progress=kill)
    assert len(killed) == 2
    assert canonical(store) == home


def _workers(cluster: Any) -> list[int]:
    """Processes that are playing a chunk, children of this cluster's own raylets."""
    raylets = {
        info.process.pid
        for node in cluster.list_all_nodes()
        for info in node.all_processes.get("raylet", [])
    }
    found = []
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            title = (folder / "cmdline").read_bytes()
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            continue
        if b"ray::play_chunk" in title and parent in raylets:
            found.append(int(folder.name))
    return found


VERBS = (
    'dd "{boards}" --no-cache --json',
    'simulate --south KQJ932.A4.72.K53 --auction "1NT P" --compare "4S S" "3NT N" -n 120 --json',
    'simulate --auction "1S P 2S P" --north AQJ84.K7.A64.Q52 --compare Pass 3S -n 60 --json',
    "challenge slams --engine points --json",
    'challenge technique --set crossruff --engine "pimc(worlds=4,knowledge=cards)" --json',
    "system audit acol -n 130 --imagine 1 --worlds 4 --no-lint --json",
)


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[list[str], str]]:
    """The words of each verb, and what it says in one process."""
    file = tmp_path_factory.mktemp("boards") / "boards.pbn"
    boards = [Board.random(n, seed=n) for n in range(1, 25)]
    dump([Record(b.number, b.dealer, b.vul, b.deal) for b in boards], file)
    words = {verb: shlex.split(verb.format(boards=file)) for verb in VERBS}
    return {verb: (found, _said(found)) for verb, found in words.items()}


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_says_the_same_with_two_processes(verb: str, said: Any) -> None:
    words, home = said[verb]
    assert _said([*words, "-w", "2"]) == home


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_says_the_same_on_ray(cluster: Any, verb: str, said: Any) -> None:
    words, home = said[verb]
    assert _said([*words, "--ray", cluster.address]) == home


def _said(words: list[str]) -> str:
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    return re.sub(r'"cpu": [\d.]+', "", done.stdout)  # how long each answer took


def test_lessons_are_the_same_on_ray(cluster: Any) -> None:
    lessons = pytest.importorskip("overtrick_lab.training.lessons")
    from overtrick_lab.training.settings import LessonSettings

    wish = LessonSettings(systems="sayc", count=120)
    home, there = (lessons.taught(replace(wish, ray=ray)) for ray in ("", cluster.address))
    assert (home.auctions.calls == there.auctions.calls).all()
    assert (home.allowed == there.allowed).all()


def test_what_a_job_raises_arrives_as_itself(cluster: Any) -> None:
    with pytest.raises(BridgeError, match="no such thing"):
        list(run_jobs(_fail, [1], Backend.parse(f"ray:{cluster.address}")))


def _fail(task: int) -> None:
    raise BridgeError("no such thing")
