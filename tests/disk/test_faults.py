"""One fault of the disk in the life of each store: a full disk, half a write, an error, a kill in
the middle, a power cut, a disk that is slow. Whatever was promised is there afterwards, whoever
used it read one line, and everything opens again. Needs a C compiler and Linux."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from tests.disk.machine import KINDS, WORK, check
from tests.disk.power import after_power_cut

HERE = Path(__file__).parent
STORES: Final = [what for what in WORK if what != "quick log"]
_ONE_LINE: Final = re.compile(
    r"[^\n]*(the disk is full|the disk reports an error|it cannot be opened)[^\n]*\Z"
)
_NO_REASON: Final = re.compile(r"transaction|Traceback|Error\b")


@dataclass(slots=True)
class Machine:
    """A program whose disk has faults."""

    process: subprocess.Popen[str]
    folder: Path
    count: int = 0

    def run(self, what: str, kind: str = "", at: int = -1, length: int = 1) -> tuple[Path, Any]:
        """One life of a store; the folder it leaves, and what it told."""
        self.count += 1
        home = self.folder / str(self.count)
        (home / "disk").mkdir(parents=True)
        wish = {
            "what": what, "kind": kind, "at": at, "length": length, "seed": self.count,
            "folder": str(home / "disk"), "notes": str(home / "notes"),
        }  # fmt: skip
        into, out = self.process.stdin, self.process.stdout
        assert into is not None
        assert out is not None
        into.write(json.dumps(wish) + "\n")
        into.flush()
        return home, json.loads(out.readline())

    def steps(self, what: str) -> int:
        """How many steps a life without a fault has."""
        home, answer = self.run(what)
        (steps,) = [value for kind, value in answer["told"] if kind == "steps"]
        check(what, home / "disk", answer["told"])
        return int(steps)

    def life(self, what: str, kind: str, at: int, length: int, seed: int) -> list[str]:
        """A life with one fault, and what is found after it. The lines that were read."""
        home, answer = self.run(what, kind, at, length)
        told, disk = answer["told"], home / "disk"
        assert not [value for name, value in told if name == "broken"], answer
        assert answer["code"] == (137 if kind in ("torn", "power") else 0), answer
        said = [value for name, value in told if name == "said"]
        for line in said:
            assert _ONE_LINE.match(line), line
            assert not _NO_REASON.search(line), line
        if kind == "power":
            after_power_cut(home / "notes", disk, home / "found", seed)
            disk = home / "found"
        check(what, disk, told)
        shutil.rmtree(home)
        return said


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    compiler = shutil.which("cc")
    if not compiler or sys.platform != "linux":
        pytest.skip("no C compiler on Linux: faults of the disk are not tried")
    folder = tmp_path_factory.mktemp("faults")
    shim = folder / "faults.so"
    subprocess.run(
        [compiler, "-O1", "-shared", "-fPIC", "-o", str(shim), str(HERE / "faults.c"), "-ldl"],
        check=True,
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.disk.machine", str(shim)], text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=HERE.parent.parent,
        env={**os.environ, "LD_PRELOAD": str(shim)},
    )  # fmt: skip
    yield Machine(process, folder)
    assert process.stdin is not None
    process.stdin.close()
    process.wait(30)


def many(machine: Machine, runs: int, seed: int) -> Counter[str]:
    """So many lives, all stores and kinds by turns, each with a fault at some step of it."""
    rng, found = random.Random(seed), Counter[str]()
    steps = {what: machine.steps(what) for what in STORES}
    for i in range(runs):
        what, kind = STORES[i % len(STORES)], KINDS[i // len(STORES) % len(KINDS)]
        at, length = rng.randrange(steps[what]), rng.choice((1, 1, 2, 4))
        said = machine.life(what, kind, at, length, rng.randrange(1 << 30))
        found[kind] += bool(said)
    return found


def test_ninety_faults(machine: Machine) -> None:
    found = many(machine, 90, 1)
    assert found["full"] > 3
    assert found["io"] > 3
    assert not found["late"]


@pytest.mark.slow
def test_two_thousand_faults(machine: Machine) -> None:
    found = many(machine, 2000, 2)
    assert found["full"] > 200


@pytest.mark.parametrize("what", STORES)
def test_a_power_cut_at_every_step(machine: Machine, what: str) -> None:
    for at in range(0, machine.steps(what), 20):
        machine.life(what, "power", at, 1, at)


def test_less_than_is_promised_is_found_out(machine: Machine) -> None:
    """The same log with `synchronous` at NORMAL loses what was shown: the disk of these tests
    forgets what nobody asked it to keep."""
    lost = 0
    for at in range(40, 60, 2):
        home, answer = machine.run("quick log", "power", at)
        after_power_cut(home / "notes", home / "disk", home / "found", at)
        try:
            check("log", home / "found", answer["told"])
        except AssertionError:
            lost += 1
    assert lost > 3
