"""The command line as a whole: help, exit codes, one-line errors, completion, quickness."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from time import sleep

import click
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from overtrick import __version__
from overtrick.cli import main
from overtrick.cli.lazy import LazyGroup
from overtrick.game import BridgeError
from tests.cli.test_terminals import HEARING


def test_help_lists_verbs_by_purpose_without_loading_them() -> None:
    code = (
        "import sys\n"
        "from overtrick.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit as e:\n    assert e.code == 0\n"
        "heavy = {'numpy', 'rich', 'overtrick.game', 'overtrick.cli.dd'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "Begin here:" in done.stdout
    assert "dd " in done.stdout
    assert "Set-up:" in done.stdout


def test_every_listed_verb_loads_and_has_an_example() -> None:
    context = click.Context(main)
    for verb in main.list_commands(context):
        command = main.get_command(context, verb)
        assert command is not None, verb
        shown = CliRunner().invoke(main, [verb, "--help"], prog_name="overtrick")
        assert shown.exit_code == 0, verb
        assert f"overtrick {verb}" in shown.output.split("Usage", 1)[1].split("\n", 1)[1], verb


def test_version() -> None:
    shown = CliRunner().invoke(main, ["--version"])
    assert (shown.exit_code, shown.output) == (0, f"overtrick {__version__}\n")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(shell: str) -> None:
    shown = CliRunner().invoke(main, ["completion", shell])
    assert shown.exit_code == 0
    assert "_OVERTRICK_COMPLETE" in shown.output


def test_completion_completes_verbs_and_options() -> None:
    for words, index, expected in (
        ("overtrick sc", "1", "score"),
        ("overtrick par --v", "2", "--vul"),
    ):
        asked = {"_OVERTRICK_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": index}
        code = "from overtrick.cli import main; main(prog_name='overtrick')"
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env=os.environ | asked,
        )
        assert done.stdout == f"plain,{expected}\n"


@pytest.mark.parametrize(
    ("words", "begun", "expected"),
    [
        (["bid", "--engine"], "prag", "pragma"),
        (["match", "points"], "rules+alph", "rules+alphamu"),
        (["explain", "--system"], "two", "two-over-one"),
        (["challenge"], "sla", "slams"),
        (["play", "--engine"], "alph", "alphamu"),
        (["engines"], "plann", "planner"),
    ],
)
def test_completion_knows_engines_systems_and_problems(
    words: list[str], begun: str, expected: str
) -> None:
    shell = ShellComplete(main, {}, "overtrick", "_OVERTRICK_COMPLETE")
    assert [found.value for found in shell.get_completions(words, begun)] == [expected]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["scoer"], "no such command 'scoer'; did you mean score?"),
        (["score", "8S S"], "a contract reads like"),
        (["score", "4S"], "who declares?"),
        (["score", "4S S", "--tricks", "14"], "0<=x<=13"),
        (["score", "4S S", "--result", "+9"], "that would be 19 tricks"),
        (["score", "4S S", "--tricks", "9", "--result", "="], "not both"),
        (["score", "4S S", "--vul", "some"], "no such vulnerability"),
        (["score"], "Missing argument"),
        (["par", "no-such-file.pbn"], "there is no file"),
        (["par", ""], "four hands, found 0"),
        (["dd", "N:K863.A53.QJ84.97Z AQ5.K92.T73.AJ62 J94.QJ86.K95.KT5 -"], "no such rank 'Z'"),
        (["dd", "N:AK... KQ... QJ... JT..."], "SK is in two hands, North and East"),
        (["bid", "--engine", "pointz"], "did you mean points?"),
        (["bid", "--engine", "points(x=1)"], "points has no option 'x'"),
        (["bid", "--engine", "bmcs(seconds=abc)"], "bmcs: seconds is a number, not 'abc'"),
        (["play", "--engine", "pimc(worlds=-3)"], "worlds is a whole number, 0 or more"),
        (["play", "--out", "boards.doc"], "should end in .pbn or .lin"),
        (["par", "rubbish"], "there is no file 'rubbish', and a deal reads like"),
        (["dd", "tests"], "is a folder"),
        (["analyse", "no-such-file.pbn"], "there is no file"),
        (["match", "points", "pass", "-n", "-5"], "-5 is not in the range"),
        (["match", "points", "pass", "--until", "-1"], "-1.0 is not in the range"),
        (["match", "points", "pass", "--db", "/dev/null/x/m.sqlite"], "cannot make the folder"),
        (["tournament", "swiss", "points", "pass", "-n", "0"], "0 is not in the range"),
        (["label", "deals.txt"], "should end in .npz"),
        (["challenge", "no-such-set"], "and the sets are"),
        (["engines", "no-such-engine"], "overtrick engines lists them"),
        (["system", "lint", "sayc", "--deals", "-1"], "-1 is not in the range"),
    ],
)
def test_a_mistake_is_one_line_and_exit_2(arguments: list[str], words: str) -> None:
    shown = CliRunner().invoke(main, arguments, prog_name="overtrick")
    assert shown.exit_code == 2
    assert shown.stdout == ""
    assert shown.stderr.startswith("error: ")
    assert shown.stderr.count("\n") == 1
    assert words in shown.stderr


def test_a_group_without_its_verb_shows_its_help() -> None:
    for group in ("system", "tm", "train"):
        shown = CliRunner().invoke(main, [group], prog_name="overtrick")
        assert shown.exit_code == 0
        assert shown.output.startswith(f"Usage: overtrick {group}")


def test_control_characters_of_a_broken_file_stay_out_of_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "broken.pbn"
    file.write_bytes(b'[Deal "\x1b[31m\x07"]\n[\x1b]0;title\x07\n')
    shown = CliRunner().invoke(main, ["par", str(file)])
    assert shown.exit_code == 2
    assert not set("\x1b\x07") & set(shown.stderr)


def test_ctrl_c_ends_a_match_on_two_workers_at_once_and_says_what_is_kept(tmp_path: Path) -> None:
    db = tmp_path / "new" / "m.sqlite"
    code = f"{HEARING}from overtrick.cli import main; main()"
    command = [sys.executable, "-c", code, "match", "points+pimc", "pass+pimc", "-n", "400"]
    options = ["--play", "--db", str(db), "-w", "2", "--chunk", "100"]
    child = subprocess.Popen(
        [*command, *options], stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        for _ in range(200):
            if db.exists():
                break
            sleep(0.05)
        sleep(2)  # the workers are starting, or play their hundred boards
        os.killpg(child.pid, signal.SIGINT)
        said = child.communicate(timeout=10)[1]
    finally:
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGKILL)
    assert child.returncode == 130
    assert f"kept in {db}" in said
    assert "Traceback" not in said


def _group(error: BaseException) -> LazyGroup:
    @click.group(cls=LazyGroup, invoke_without_command=True)
    def group() -> None:
        raise error

    return group  # type: ignore[return-value]


def test_interrupt_exits_130_and_bugs_are_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = CliRunner().invoke(_group(KeyboardInterrupt()), [])
    assert (stopped.exit_code, stopped.stderr.strip()) == (130, "stopped")
    assert CliRunner().invoke(_group(BridgeError("no\nway")), []).stderr == "error: no way\n"
    bug = CliRunner().invoke(_group(ValueError("a bug")), [])
    assert (bug.exit_code, bug.stderr.count("\n")) == (70, 1)
    assert "ValueError: a bug" in bug.stderr
    monkeypatch.setenv("OVERTRICK_DEBUG", "1")
    assert isinstance(CliRunner().invoke(_group(ValueError("a bug")), []).exception, ValueError)
    missing = CliRunner().invoke(_group(ImportError("pip install overtrick[nn]")), [])
    assert missing.exit_code == 1
    assert missing.stderr.startswith("error: pip install")
    assert isinstance(CliRunner().invoke(_group(ImportError("x")), []).exception, ImportError)


def test_a_missing_solver_is_one_line() -> None:
    code = "from overtrick.cli import main; main(['par', 'N:A... K... Q... J...', '--no-cache'])"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"OVERTRICK_DDS": "/no/libdds.so"},
    )
    assert done.returncode == 1
    assert done.stderr.startswith("error: no double-dummy library")


def test_without_the_web_extra_problems_and_reviews_work_all_the_same() -> None:
    code = (
        "import sys\nsys.modules['starlette'] = sys.modules['uvicorn'] = None\n"
        "from overtrick.cli import main\nmain(sys.argv[1:])"
    )
    for verb, status, words in (("challenge", 0, "slams"), ("serve", 1, "overtrick[web]")):
        done = subprocess.run(
            [sys.executable, "-c", code, verb], capture_output=True, text=True, check=False
        )
        assert done.returncode == status, done.stderr
        assert words in done.stdout + done.stderr


def test_a_closed_pipe_is_quiet() -> None:
    done = subprocess.run(
        f"{sys.executable} -c 'from overtrick.cli import main; main()' engines --json | head -c 1",
        shell=True,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
