"""Engines of others in the arena: each seat knows its View and nothing else, however it tries."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from overtrick.arena import Match, play_match
from overtrick.arena.deck import SecretDeck
from overtrick.arena.ladder import LadderError, results_of
from overtrick.arena.store import Store
from overtrick.arena.tournament import Tournament, play_tournament
from overtrick.arena.verify import verified
from overtrick.cli import main
from overtrick.engines import seal
from overtrick.engines.confine import HOWS
from overtrick.game import Contract, Deal, Record, Vulnerability, imps, score
from overtrick.game.commitment import promise_of, promise_of_all
from overtrick.notation import dump
from overtrick.table.seats import is_foreign, is_sealed

# Speaks the lines and answers with `call()`; `told` is the board line of the seat.
_PROGRAM = """
import json, os, sys
told, calls = None, []
{body}
for line in sys.stdin:
    line = json.loads(line)
    if line["type"] == "hello":
        print(json.dumps({{"type": "hello", "name": "theirs", "system": ""}}), flush=True)
    elif line["type"] == "board":
        told, calls = line, []
        seen(line)
    elif line["type"] == "call":
        calls.append(line["call"])
    elif line["type"] == "act":
        words, action = call()
        meaning = {{"words": words, "alert": True}}
        print(json.dumps({{"type": "decision", "action": action, "meaning": meaning}}), flush=True)
"""

# Remembers every hand of a board, in memory and wherever it may write, and bids game with it.
_REMEMBERS = """
PLACES = ["/tmp", "/var/tmp", "/dev/shm", os.getcwd(), os.path.expanduser("~"), MARK]
hands = {}
def seen(line):
    mine = hands.setdefault(line["number"], {})
    mine[line["seat"]] = line["hand"]
    for place in PLACES if ON else ():
        name = os.path.join(place, "overtrick-test-%d-%s.hand" % (line["number"], TOKEN))
        try:
            with open(name, "a") as file:
                file.write(line["seat"] + line["hand"] + "\\n")
            with open(name) as file:
                mine.update({text[0]: text[1:].strip() for text in file})
        except OSError:
            pass
def points(hand):
    return sum("JQKA".index(c) + 1 for c in hand if c in "JQKA")
def call():
    known = hands[told["number"]] if ON else {told["seat"]: told["hand"]}
    partner = "NESW"[("NESW".index(told["seat"]) + 2) % 4]
    ours = points(told["hand"]) + points(known.get(partner, ""))
    bid = "3NT" if ours > (24 if partner in known else 15) else "1C" if ours > 11 else "Pass"
    order = ["1C", "3NT"]
    taken = [order.index(c) for c in calls if c in order]
    return "", bid if bid == "Pass" or order.index(bid) > max(taken, default=-1) else "Pass"
"""

# Looks for anything of the match that it was not told, and says in an alert what it found.
_SPIES = """
def seen(line): pass
def tried(name, what, found):
    try:
        if what():
            found.append(name)
    except Exception:
        pass
def call():
    found, me = [], os.getpid()
    for name in os.listdir("/proc"):
        if not name.isdecimal() or int(name) == me:
            continue
        found.append("process")
        tried("environment", lambda: open(f"/proc/{name}/environ", "rb").read(), found)
        tried("memory", lambda: open(f"/proc/{name}/mem", "rb"), found)
        tried("files", lambda: os.listdir(f"/proc/{name}/fd"), found)
    tried("match", lambda: open(DB, "rb").read(), found)
    import re
    def dealt(path):
        return re.search(rb"[NESW]:[2-9TJQKA.]{16}", open(path, "rb").read())
    tried("deals", lambda: dealt(DB), found)
    tried("deals", lambda: dealt(DB + "-wal"), found)
    tried("own environment", lambda: [k for k in os.environ if "SECRET" in k], found)
    import socket
    tried("network", lambda: socket.create_connection(("127.0.0.1", PORT), 1), found)
    return " ".join(sorted({"looked", *found})), "Pass"
"""


def program(folder: Path, name: str, body: str, **names: object) -> str:
    path = folder / f"{name}.py"
    values = "\n".join(f"{key} = {value!r}" for key, value in names.items())
    path.write_text(_PROGRAM.format(body=f"{values}\n{body}"))
    return f'external(command="{sys.executable} -I -S {path}")'


def remembering(folder: Path, on: bool) -> str:
    token = f"{os.getpid()}-{on}"
    return program(folder, f"on{on}", _REMEMBERS, ON=on, TOKEN=token, MARK=str(folder))


def decisions(a: str, boards: int, folder: Path) -> list[bytes]:
    job = Match(a, "pass", boards, seed=3)
    with Store(folder / f"{len(list(folder.iterdir()))}.sqlite", job) as store:
        play_match(job, store)
        return [r.canonical() for r in store.results()]


@pytest.mark.parametrize("boards", [10, pytest.param(200, marks=pytest.mark.slow)])
def test_who_remembers_hands_decides_as_without_memory(boards: int, tmp_path: Path) -> None:
    without = decisions(remembering(tmp_path, False), boards, tmp_path)
    if seal.how() == "namespaces":
        assert decisions(remembering(tmp_path, True), boards, tmp_path) == without
    assert not [p for p in tmp_path.iterdir() if p.suffix == ".hand"]
    # The memory is worth something where nothing shuts it in.
    unsealed = remembering(tmp_path, True).replace(")", ", sealed=false)")
    assert decisions(unsealed, boards, tmp_path) != without
    for path in [*tmp_path.glob("*.hand"), *_left_behind()]:
        path.unlink(missing_ok=True)


def _left_behind() -> list[Path]:
    places = (Path("/tmp"), Path("/var/tmp"), Path("/dev/shm"), Path.cwd(), Path.home())
    return [p for place in places for p in place.glob(f"overtrick-test-*-{os.getpid()}-*.hand")]


_OWN = """
import sys
hands = sys.modules.setdefault("overtrick_test_hands", {})
def bid(view):
    mine = hands.setdefault(view.number, set())
    mine.add(str(view.hand))
    return "1C" if len(mine) > 1 and view.auction.is_legal("1C") else "Pass"
"""


def test_python_code_of_others_has_no_common_memory_either(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(_OWN)
    for spec, bids in ((str(tmp_path / "own.py"), False), ("inside", True)):
        if spec == "inside":
            spec = f"inside(engine={str(tmp_path / 'own.py')!r})"
        job = Match(spec, "pass", 3, deals="secret")
        with Store(":memory:", job) as store:
            play_match(job, store)
            found = [r.open.contract + r.closed.contract for r in store.results()]
        assert any(found) == bids, spec


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="looks for secrets in /proc")
@pytest.mark.parametrize("how", [kind for kind in HOWS if seal.works(kind)])
def test_a_seat_finds_nothing_of_the_match(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From inside a seat's process. This is how well it is closed here: `seal.how()`."""
    import socket

    monkeypatch.setenv("OVERTRICK_SECRET", "4711")
    monkeypatch.setattr("overtrick.engines.seal.how", lambda: how)
    tmp_path.chmod(0o755)
    for parent in list(tmp_path.parents)[:2]:
        parent.chmod(0o755)  # somebody else's process could come here
    with socket.create_server(("127.0.0.1", 0)) as server:
        db = tmp_path / "m.sqlite"
        spy = program(tmp_path, "spy", _SPIES, DB=str(db), PORT=server.getsockname()[1])
        job = Match(spy, "pass", 1, deals="secret")
        with Store(db, job) as store:
            play_match(job, store)
            (board,) = store.results()
    said = {word for room in (board.open, board.closed) for t in room.alerts.values()
            for word in t.split()}  # fmt: skip
    assert not board.open.rulings + board.closed.rulings
    assert "looked" in said
    assert not said & {"deals", "own"}
    if how == "user":
        assert not said & {"memory", "environment", "files", "match"}
    if how == "namespaces":
        assert said == {"looked"}


# Seats that read the same files try to tell each other their hands by them.
_WHISPERS = """
import ctypes, fcntl, select, socket
libc = ctypes.CDLL(None, use_errno=True)
def tried(what):
    try:
        return what()
    except OSError:
        return None
def lock(how):
    file = os.open(__file__, os.O_RDONLY)
    how(file)
    return file
pipes = [tried(lambda: os.open(name, os.O_RDWR | os.O_NONBLOCK)) for name in PIPES]
watch = libc.inotify_init1(os.O_NONBLOCK)
libc.inotify_add_watch(watch, __file__.encode(), 0xfff)
locked = tried(lambda: lock(lambda f: fcntl.flock(f, fcntl.LOCK_EX | fcntl.LOCK_NB)))
def seen(line):
    for pipe in pipes:
        if pipe is not None:
            tried(lambda: os.write(pipe, line["seat"].encode()))
def call():
    found = ["looked"]
    for pipe in pipes:
        said = pipe is not None and tried(lambda: os.read(pipe, 100))
        if said:
            os.write(pipe, said)  # for the others
        if said and set(said) - set(told["seat"].encode()):
            found.append("pipe")
    if locked is None:
        found.append("lock")
    if tried(lambda: os.read(watch, 4096)):
        found.append("notice")
    if tried(lambda: socket.socket(socket.AF_UNIX).connect(SOCKET) or "in"):
        found.append("socket")
    if tried(lambda: socket.socket(40, socket.SOCK_STREAM)):
        found.append("vsock")
    return " ".join(sorted(set(found))), "Pass"
"""


@pytest.mark.parametrize("sealed", [True, False])
def test_seats_cannot_whisper_through_what_they_all_read(sealed: bool, tmp_path: Path) -> None:
    """Pipes and sockets with a name, locks, notices of who opens what: files that can only be read
    are enough for all of these."""
    import socket

    home = Path.home() / f".overtrick-test-{os.getpid()}"
    pipes = [str(tmp_path / "pipe"), str(home)]
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket"))
        server.listen(100)
        server.setblocking(False)
        try:
            kept = []
            for name in pipes:
                os.mkfifo(name)
                kept.append(os.open(name, os.O_RDWR | os.O_NONBLOCK))
            spec = program(
                tmp_path, "whispers", _WHISPERS, PIPES=pipes, SOCKET=str(tmp_path / "socket")
            )
            if not sealed:
                spec = spec.replace(")", ", sealed=false)")
            with Store(":memory:", Match(spec, "pass", 2, deals="secret")) as store:
                play_match(store.job, store)
                found = list(store.results())
        finally:
            for pipe in kept:
                os.close(pipe)
            home.unlink(missing_ok=True)
    said = {word for board in found for room in (board.open, board.closed)
            for text in room.alerts.values() for word in text.split()}  # fmt: skip
    assert "looked" in said
    if not sealed:
        assert said >= {"pipe", "lock", "notice", "socket"}
    elif seal.how() == "namespaces":
        assert said == {"looked"}


_READS = """
def seen(line): pass
def call():
    try:
        return "", "1C" if "1C" not in calls and open(LOG).read() else "Pass"
    except OSError:
        return "", "Pass"
"""


@pytest.mark.parametrize("sealed", [True, False])
def test_a_seat_at_the_table_manager_does_not_read_its_journal(
    sealed: bool, tmp_path: Path
) -> None:
    log, pbn = tmp_path / "tm.jsonl", tmp_path / "tm.pbn"
    theirs = program(tmp_path, "reads", _READS, LOG=str(log))
    if not sealed:
        theirs = theirs.replace(")", ", sealed=false)")
    said = CliRunner().invoke(
        main,
        ["tm", "serve", "-n", "1", "--rooms", "1", "--port", "0",
         "--log", str(log), "--pbn", str(pbn),
         "--engine", f"Home={theirs}+random", "--engine", "Visitors=pass+random"],
    )  # fmt: skip
    assert said.exit_code == 0, said.output
    found = '[Contract "1C"]' in pbn.read_text()
    assert found == (not sealed or seal.how() != "namespaces")


def test_a_file_of_deals_is_hidden_from_who_plays_them(tmp_path: Path) -> None:
    deals = tmp_path / "deals.pbn"
    dump([Record(number=1, deal=Deal.random(1))], deals)
    theirs = program(tmp_path, "reads", _READS, LOG=str(deals))
    with Store(":memory:", Match(theirs, "pass", 1, deals=str(deals))) as store:
        play_match(store.job, store)
        (board,) = store.results()
    assert (board.open.contract == "") == (seal.how() == "namespaces")


_AS_SOMEBODY = """
import ctypes, os, sys
if os.geteuid() == 0:  # who may look into everything
    os.setgroups([]), os.setgid(65534), os.setuid(65534)
    ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)
"""
_PLAYS = """
if sys.argv[1] == "closed":
    close_to_others()
print(os.getpid(), flush=True)
sys.stdin.read()
"""
_LOOKS = """
for name in ("environ", "maps"):
    try:
        open(f"/proc/{sys.argv[1]}/{name}", "rb").read(1)
        print(name)
    except PermissionError:
        pass
"""


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="looks into /proc")
@pytest.mark.parametrize(("how", "found"), [("closed", ""), ("open", "environ\nmaps\n")])
def test_a_process_of_the_same_user_cannot_look_into_ours(how: str, found: str) -> None:
    """Also where nothing else can be closed."""
    ours = f"from overtrick.engines.confine import close_to_others\n{_AS_SOMEBODY}{_PLAYS}"
    with subprocess.Popen(
        [sys.executable, "-c", ours, how], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as match:
        assert match.stdout is not None
        pid = match.stdout.readline().strip()
        seen = subprocess.run(
            [sys.executable, "-I", "-c", _AS_SOMEBODY + _LOOKS, pid],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        match.communicate("")
    assert seen.stdout == found


def test_a_killed_match_of_sealed_engines_goes_on_and_is_verified(tmp_path: Path) -> None:
    theirs = remembering(tmp_path, False)
    db = tmp_path / "m.sqlite"
    words = ["match", theirs, "pass", "-n", "12", "--chunk", "2", "--db", str(db)]
    with subprocess.Popen(
        [sys.executable, "-m", "overtrick", *words], stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True,
    ) as child:  # fmt: skip
        assert child.stderr is not None
        told = [line for line in (child.stderr.readline(), child.stderr.readline()) if line]
        while not _boards(db):
            assert child.poll() is None
        child.send_signal(signal.SIGKILL)
    assert "SHA-256" in told[1]
    first = told[1].split()[-1]
    said = CliRunner().invoke(main, [*words, "--json"])
    assert said.exit_code == 0, said.output
    out = json.loads(said.stdout)
    assert (out["boards"], out["deals"]) == (12, "secret")
    promises = [sitting["promise"] for sitting in out["sittings"]]
    assert promises[0] == first
    checked = CliRunner().invoke(main, ["verify", str(db), "--promise", first, "--json"])
    assert checked.exit_code == 0, checked.output
    assert json.loads(checked.stdout)["as_promised"] == 12
    assert CliRunner().invoke(main, ["verify", str(db), "--promise", "0" * 64]).exit_code == 1
    if os.name != "nt":
        assert not db.stat().st_mode & 0o077


def _boards(db: Path) -> int:
    try:
        with sqlite3.connect(f"file:{db}?mode=ro", uri=True) as file:
            return int(file.execute("SELECT count(*) FROM boards").fetchone()[0])
    except sqlite3.Error:
        return 0


def test_what_was_changed_afterwards_is_found(tmp_path: Path) -> None:
    path = tmp_path / "m.sqlite"
    job = Match("points", "pass", 4, deals="secret", method="play")
    with Store(path, job) as store:
        play_match(job, store)
        assert verified(store).kept == 4
    with sqlite3.connect(path) as db:  # boards 1 and 2 change their cards
        one, two = (
            db.execute("SELECT text FROM opened WHERE number = ?", (n,)).fetchone()[0]
            for n in (1, 2)
        )
        db.execute("UPDATE opened SET text = ? WHERE number = 1", (two,))
    with Store(path) as store:
        assert verified(store).wrong == ("board 1: what is told of its cards was never promised",)
    with sqlite3.connect(path) as db:
        db.execute("UPDATE opened SET text = ? WHERE number = 1", (one,))
        (text,) = db.execute("SELECT promises FROM sittings").fetchone()
        db.execute("UPDATE sittings SET promises = ?", (text.replace('"1":"', '"1":"0'),))
    with Store(path) as store:
        assert [line.partition(":")[0] for line in verified(store).wrong] == [
            "sitting 1", "board 1",
        ]  # fmt: skip


@pytest.fixture(scope="module")
def transcript(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match on four secret boards, with its cards."""
    path = tmp_path_factory.mktemp("transcript") / "m.sqlite"
    with Store(path, Match("points", "pass", 4, deals="secret", method="play")) as store:
        play_match(store.job, store)
        assert verified(store).wrong == ()
    return path


def _without_a_board(db: sqlite3.Connection) -> str:
    for table in ("boards", "opened"):
        db.execute(f"DELETE FROM {table} WHERE number = 2")
    return "board 2: it is not there, and later ones are"


def _with_cards(change: str, said: str) -> Callable[[sqlite3.Connection], str]:
    """Board 1 with other cards where something was played."""

    def forge(db: sqlite3.Connection) -> str:
        (blob,) = db.execute("SELECT result FROM boards WHERE number = 1").fetchone()
        result = json.loads(blob)
        for room in (result["open"], result["closed"]):
            if room["contract"]:
                cards = room["cards"]
                room["cards"] = {"none": [], "few": cards[:20]}[change]
        db.execute("UPDATE boards SET result = ? WHERE number = 1", (json.dumps(result),))
        return said

    return forge


def _with_two_boards_under_a_seal(db: sqlite3.Connection) -> str:
    (text,) = db.execute("SELECT text FROM opened WHERE number = 1").fetchone()
    text += "\n" + text.splitlines()[1]
    (told,) = db.execute("SELECT promises FROM sittings").fetchone()
    promises = {**json.loads(told), "1": promise_of(text)}
    whole = promise_of_all(promises.values())
    db.execute("UPDATE opened SET text = ? WHERE number = 1", (text,))
    db.execute("UPDATE sittings SET promise = ?, promises = ?", (whole, json.dumps(promises)))
    return "board 1: 2 boards are under a seal of one"


def _with_a_seal_that_is_no_text(db: sqlite3.Connection) -> str:
    db.execute("UPDATE opened SET text = ? WHERE number = 1", (b"salt",))
    return "board 1: what is told of its cards was never promised"


@pytest.mark.parametrize(
    "forge",
    [
        _without_a_board,
        _with_cards("none", "board 1: only 0 cards of its play are told"),
        _with_cards("few", "board 1: only 20 cards of its play are told"),
        _with_two_boards_under_a_seal,
        _with_a_seal_that_is_no_text,
    ],
)
def test_a_forged_transcript_is_found(
    forge: Callable[[sqlite3.Connection], str], transcript: Path, tmp_path: Path
) -> None:
    path = tmp_path / "m.sqlite"
    path.write_bytes(transcript.read_bytes())
    with closing(sqlite3.connect(path)) as db, db:
        said = forge(db)
    with Store(path) as store:
        assert verified(store).wrong == (said,)


def test_what_a_contract_makes_double_dummy_is_worked_out_again(tmp_path: Path) -> None:
    path = tmp_path / "m.sqlite"
    with Store(path, Match("points", "pass", 2, seed=5)) as store:
        play_match(store.job, store)
        assert verified(store).wrong == ()
        (first, second) = store.results()
    forged = first if first.open.contract else second
    room = forged.open
    assert room.tricks is not None
    contract = Contract.parse(room.contract)
    better = msgspec.structs.replace(
        room, tricks=room.tricks + 1,
        score=score(contract, room.tricks + 1, Vulnerability(forged.vul)),
    )  # fmt: skip
    whole = msgspec.structs.replace(
        forged, open=better, imps=imps(better.score - forged.closed.score)
    )
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(
            "UPDATE boards SET result = ? WHERE number = ?",
            (msgspec.json.encode(whole), forged.number),
        )
    with Store(path) as store:
        (line,) = verified(store).wrong
    assert line.startswith(f"board {forged.number}: double dummy it makes {room.tricks} tricks")


def test_boards_that_were_drawn_again_are_told(tmp_path: Path) -> None:
    """A run that ended early, and a match that stopped before its last board."""
    job = Match("points", "pass", 6, deals="secret")
    with Store(tmp_path / "m.sqlite", job) as store:
        store.begin("", SecretDeck.drawn(range(1, 7)))
        play_match(replace(job, boards=4), store)
        found = verified(store)
    assert (found.kept, found.unplayed, found.again, found.wrong) == (4, 2, 4, ())


def test_random_deals_are_verified_by_their_seed(tmp_path: Path) -> None:
    path = tmp_path / "m.sqlite"
    with Store(path, Match("points", "pass", 3, seed=5)) as store:
        play_match(store.job, store)
    shown = CliRunner().invoke(main, ["verify", str(path)])
    assert "3 boards follow from seed 5" in shown.output
    with sqlite3.connect(path) as db:
        (job,) = db.execute("SELECT job FROM match").fetchone()
        db.execute("UPDATE match SET job = ?", (job.replace('"seed":5', '"seed":6'),))
    assert CliRunner().invoke(main, ["verify", str(path)]).exit_code == 1


def test_all_matches_of_a_round_are_played_on_the_same_secret_boards(tmp_path: Path) -> None:
    cup = Tournament("round-robin", ("points", "pass", "points(seconds=1)"[:6] + "+random"),
                     boards=3, deals="secret")  # fmt: skip
    promises: list[str] = []
    played = play_tournament(cup, tmp_path, promised=promises.append)
    assert len(promises) == 1
    assert len({tuple(r.deal for r in e.results) for e in played.encounters}) == 1
    (tmp_path / "001-2-3.sqlite").unlink()  # as if it had been stopped there
    again = play_tournament(cup, tmp_path)
    assert [r.deal for r in again.encounters[2].results] == [
        r.deal for r in played.encounters[2].results
    ]


@pytest.mark.parametrize(
    ("spec", "foreign", "sealed"),
    [
        ("rules+pimc", False, True),
        ("rules(system='sayc +dont')", False, True),
        ("external(command=x)", True, True),
        ("external(command=x, sealed=false)", True, False),
        ("epbot(lib='./lib.so')+pimc", True, False),
        ("ben(url='http://127.0.0.1:8085')", True, False),
        ("points+./mine.py", True, True),
        ("mine:Class(level=2)", True, True),
        ("inside(engine='./mine.py')", True, False),
        ("bandit(fallback='./mine.py')", True, True),
        ("bandit(fallback=\"inside(engine='./mine.py')\")", True, False),
        ("bandit(fallback=\"bandit(fallback='./mine.py')\")", True, True),
        ("points+parts(lead='mine:Class', declarer=highest, defence=highest)", True, True),
    ],
)
def test_who_is_not_ours(spec: str, foreign: bool, sealed: bool) -> None:
    assert (is_foreign(spec), is_sealed(spec)) == (foreign, sealed)


def test_a_ladder_takes_sealed_engines_only(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text("def bid(view):\n    return 'Pass'\n")
    path = tmp_path / "m.sqlite"
    job = Match(f"inside(engine={str(tmp_path / 'own.py')!r})", "pass", 2, method="play")
    with Store(path, job) as store:
        play_match(job, store)
    with pytest.raises(LadderError, match="was not sealed while it played; with --trust"):
        results_of(path)
    assert len(results_of(path, trusted=True)) == 2
    with sqlite3.connect(path) as db:
        db.execute("UPDATE sittings SET sealing = 'namespaces'")
    assert len(results_of(path)) == 2
