"""`overtrick` alone, a second start of the table, and a core install that says who bids."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from overtrick import cli
from overtrick.cli import main


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What `serve` was asked to do; it does nothing."""
    asked: list[list[str]] = []

    @click.command("serve", context_settings={"ignore_unknown_options": True})
    @click.argument("words", nargs=-1, type=click.UNPROCESSED)
    def serve(words: tuple[str, ...]) -> None:
        asked.append(list(words))

    monkeypatch.setattr(main, "get_command", lambda *_: serve)
    return asked


def test_alone_it_opens_the_table_for_somebody_at_a_terminal(
    opened: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli, "_can_open_a_table", lambda: True)
    assert CliRunner().invoke(main, []).exit_code == 0
    assert opened == [["--open"]]


def test_alone_in_a_script_it_shows_its_help() -> None:
    shown = CliRunner().invoke(main, [])
    assert shown.exit_code == 0
    assert "Begin here" in shown.stdout


def test_without_the_extra_it_shows_its_help(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr(cli, "find_spec", lambda name: None if name == "uvicorn" else True)
    assert "Begin here" in CliRunner().invoke(main, []).stdout


class _Healthy(BaseHTTPRequestHandler):
    said = b""

    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/api/health" else 404)
        self.send_header("Content-Length", str(len(self.said)))
        self.end_headers()
        self.wfile.write(self.said)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def neighbour() -> Iterator[HTTPServer]:
    with HTTPServer(("127.0.0.1", 0), _Healthy) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield server
        server.shutdown()


def test_a_second_start_shows_the_table_that_is_there(
    neighbour: HTTPServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("uvicorn")
    seen: list[str] = []
    monkeypatch.setattr("webbrowser.open", seen.append)
    monkeypatch.setattr(
        _Healthy, "said", json.dumps({"ok": True, "version": "1", "waiting": 0}).encode()
    )
    port = str(neighbour.server_port)
    shown = CliRunner().invoke(main, ["serve", "--open", "--port", port])
    address = f"http://localhost:{port}/"
    assert (shown.exit_code, shown.stdout) == (0, f"Overtrick is there already: {address}\n")
    assert seen == [address]


@pytest.mark.parametrize("said", [b"", b"[]", b'{"ok": true}', b"<html>"])
def test_another_program_on_the_port_is_an_error(
    neighbour: HTTPServer, monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    from overtrick.cli.there import answering

    monkeypatch.setattr(_Healthy, "said", said)
    assert not answering("127.0.0.1", neighbour.server_port)


def test_a_core_install_says_who_bids_in_the_partners_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    command = ["think", "AQ954.83.KJ6.952", "1H X 3H"]
    assert CliRunner().invoke(main, command).stderr == ""
    monkeypatch.setattr("overtrick.bidding.base.find_spec", lambda _: None)
    shown = CliRunner().invoke(main, [*command, "--json"])
    assert shown.exit_code == 0
    assert shown.stderr.count("\n") == 1
    assert "rules(system=two-over-one) bids" in shown.stderr
    assert "pip install overtrick[nn]" in shown.stderr
    assert json.loads(shown.stdout)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["deal", "--south", "KQJ932.A4.72.K53"], "--known 'N:- - KQJ932.A4.72.K53 -'"),
        (["deal", "--south", "nonsense"], "no such feature 'nonsense'"),
        (["score", "4S S", "10"], "'4S S' --tricks 10"),
        (["challenge", "nosuch"], "overcalled, technique"),
        (["challenge", "junk.bin"], "junk.bin is no file of problems"),
        (["dd", "/dev/null"], "no plain file"),
        (["serve", "--host", "256.1.1.1", "--port", "0"], "256.1.1.1 is no address"),
    ],
)
def test_a_mistake_says_what_to_write(
    words: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (tmp_path / "junk.bin").write_bytes(b"\x9f\x00\xff")
    shown = CliRunner().invoke(main, words)
    assert shown.exit_code == 2
    assert told in shown.stderr
    assert shown.stderr.count("\n") == 1
