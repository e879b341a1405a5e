"""Clients made from the description of the API: they are up to date, and they work."""

from __future__ import annotations

import asyncio
import json
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the service needs the web extra")
pytest.importorskip("uvicorn")

import uvicorn

from overtrick import __version__
from overtrick.web import Config, app

CLIENTS = Path(__file__).parents[2] / "clients"
TOOLS = CLIENTS.parent / "web" / "node_modules" / ".bin"
ONE = {"hand": "AQ3.KJ4.QJ52.K82", "engine": "points"}
DEAL = "N:AKQ2.K53.A84.752 J6.QJT9.KT6.QJ83 T853.A72.QJ3.AK4 974.864.9752.T96"
SIDE = {"engine": "points", "player": "highest"}
TYPESCRIPT = """\
import { Overtrick, Refused, type BoardReply, type Forcing } from "./overtrick";

declare const process: { argv: string[] };
const robot = new Overtrick(process.argv[2]);
const health = await robot.getHealth();
const thought = await robot.think({ hand: "AQ3.KJ4.QJ52.K82", engine: "points" });
const forcing: Forcing = thought.meaning.forcing;
const kinds: string[] = [];
const side = { engine: "points", player: "highest" };
let board: BoardReply | undefined;
const asked = { deal: process.argv[3] as string, ns: side, ew: side, auction_only: true };
for await (const line of robot.boardLines(asked)) {
  kinds.push(line.type);
  if (line.type === "board") board = line.board;
}
const words = await robot.explain({ dealer: "N", ctx: "1N--2H" });
let status = 0;
try {
  await robot.think({ hand: "nonsense" });
} catch (error) {
  if (error instanceof Refused) status = error.status;
}
// @ts-expect-error: a field that the API does not have
const wrong = () => robot.think({ hand: "", seat: "N" });
console.log(JSON.stringify({
  action: thought.action, forcing, first: kinds[0], last: kinds[kinds.length - 1],
  contract: board?.contract, words, status, wrong: typeof wrong, health: typeof health.version,
}));
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server on a port of its own."""
    log = tmp_path_factory.mktemp("clients") / "web.sqlite"
    listening = socket.create_server(("127.0.0.1", 0))
    made = uvicorn.Config(app(Config(log, processes=1, warm=False)), log_level="error")
    server = uvicorn.Server(made)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listening])), daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    server.should_exit = True
    thread.join(10)


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The Python client, as a program elsewhere has it."""
    monkeypatch.syspath_prepend(CLIENTS / "python")
    import overtrick_client

    return overtrick_client


def test_the_clients_are_those_of_today(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(CLIENTS)
    import generate

    for path, text in generate.files().items():
        assert path.read_text(encoding="utf-8") == text, "run make clients"


def test_what_needs_no_thought(client: Any, address: str) -> None:
    robot = client.Overtrick(address)
    assert robot.get_openapi()["info"]["version"] == __version__
    assert robot.get_health()["version"] == __version__
    with pytest.raises(client.Refused, match=r"^40.: ") as refused:
        robot.get_table("nowhere", "a token of nobody")
    assert refused.value.status in (401, 404)


@pytest.mark.slow
def test_a_program_in_python(client: Any, address: str) -> None:
    robot = client.Overtrick(address)
    assert robot.think(**ONE)["action"] == "1NT"
    board = robot.board(deal=DEAL, ns=SIDE, ew=SIDE, auction_only=True)
    *lines, end = robot.board_lines(deal=DEAL, ns=SIDE, ew=SIDE, auction_only=True)
    assert end == {"type": "end", "answered": len(lines), "error": ""}
    assert len(lines[:-1]) == len(board["auction"])
    assert lines[-1]["board"]["contract"] == board["contract"]
    told = [line["thought"]["action"] for line in robot.think_all(questions=[ONE, ONE])["answers"]]
    assert told == ["1NT", "1NT"]
    assert robot.explain(dealer="N", ctx="1N--2H")["Alert"] is False
    with pytest.raises(client.Refused, match=r"^422: ") as refused:
        robot.think(hand="nonsense")
    assert refused.value.status == 422
    assert "\n" not in refused.value.words


@pytest.mark.slow
def test_a_program_sits_down_at_a_table(client: Any, address: str) -> None:
    robot = client.Overtrick(address)
    ticket = robot.new_table(seat="N", humans=["N"], source={"type": "text", "text": DEAL})
    table, token = ticket["table"], ticket["token"]
    at = robot.get_table(table, token)["at"]
    state = robot.table_act(table, token, {"type": "call", "call": "1NT", "at": at})
    assert [told["call"] for told in state["auction"]] == ["1NT"]
    with pytest.raises(client.Refused, match=r"^40"):
        robot.get_table(table, "a token of somebody else")


@pytest.mark.skipif(not (TOOLS / "tsc").exists(), reason="needs web/node_modules: make browser")
@pytest.mark.slow
def test_a_program_in_typescript(address: str, tmp_path: Path) -> None:
    """Its types are checked strictly, and it runs in Node."""
    shutil.copy(CLIENTS / "typescript" / "overtrick.ts", tmp_path)
    program = tmp_path / "program.ts"
    program.write_text(TYPESCRIPT, encoding="utf-8")
    strict = ["--strict", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes", "--noEmit",
              "--noUnusedLocals", "--target", "ES2022", "--module", "ESNext",
              "--moduleResolution", "Bundler", "--lib", "ES2023,DOM,DOM.Iterable"]  # fmt: skip
    checked = subprocess.run([TOOLS / "tsc", *strict, program], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout
    subprocess.run(
        [TOOLS / "esbuild", program, "--bundle", "--format=esm", "--log-level=error",
         f"--outfile={tmp_path / 'program.mjs'}"], check=True,
    )  # fmt: skip
    ran = subprocess.run(["node", tmp_path / "program.mjs", address, DEAL], capture_output=True,
                         text=True, timeout=120)  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)
    assert told.pop("words")["explanation"].startswith("transfer")
    assert told == {
        "action": "1NT", "forcing": "none", "first": "action", "last": "end", "contract": "3N",
        "status": 422, "wrong": "function", "health": "string",
    }  # fmt: skip
