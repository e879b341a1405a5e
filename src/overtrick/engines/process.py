"""Another program as an engine: started when needed, asked over its standard input and output.
Slow, silent, crashed and talkative programs are handled."""

from __future__ import annotations

import contextlib
import os
import selectors
import shlex
import shutil
import signal
import subprocess
import sys
import weakref
from collections.abc import Sequence
from dataclasses import dataclass, field
from errno import ENOENT
from threading import Lock
from time import monotonic
from typing import Final

from overtrick.engines import seal
from overtrick.engines.wire import (
    MAX_LINE,
    PROTOCOL,
    Line,
    WireError,
    decision_in,
    decode,
    encode,
    events,
)
from overtrick.game import Call, Card, Decision, OptionError, View

_MAX_CHATTER = 10_000  # lines that are no answer, per question


class Outside:
    """One running program; the next question starts it again when it has crashed.

    Only what is new since the last question is sent while the same seat goes on with the same
    board; otherwise the whole board is told again.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        seconds: float = 30.0,
        restarts: int = 1,
        *,
        sealed: bool = True,
        needs: Sequence[str] = (),
    ) -> None:
        self._command = shlex.split(command) if isinstance(command, str) else list(command)
        if not self._command:
            raise OptionError("an external engine needs a command")
        if seconds <= 0:
            raise OptionError(f"an external engine needs some seconds, not {seconds}")
        self.seconds = seconds
        self._restarts, self._sealed, self._needs = restarts, sealed, needs
        self._child: subprocess.Popen[bytes] | None = None
        self._stop: weakref.finalize[..., Outside] | None = None
        self._buffer = b""
        self._told: list[Line] = []
        self._asked = 0
        self._lock = Lock()
        self._hello: Line | None = None

    def hello(self) -> Line:
        """What the program says about itself: name, system."""
        with self._lock:
            if self._hello is None:
                self._start(monotonic() + self.seconds)
            return self._hello or {}

    def ask(self, view: View) -> Decision:
        """The program's decision; TimeoutError, ConnectionError or WireError when it has none."""
        deadline = monotonic() + self.seconds
        wanted: type[Call] | type[Card] = Call if view.play is None else Card
        with self._lock:
            for attempt in range(self._restarts + 1):
                try:
                    return decision_in(self._exchange(view, deadline), wanted)
                except BrokenPipeError as error:
                    self.close()
                    if attempt == self._restarts:
                        raise ConnectionError(f"{self._command[0]} ended: {error}") from None
                except (TimeoutError, WireError):
                    self.close()  # what it may still say belongs to no question
                    raise
        raise AssertionError("the last attempt returns or raises")

    def _exchange(self, view: View, deadline: float) -> Line:
        if self._child is None:
            self._start(deadline)
        now = events(view)
        known = len(self._told)
        news = now[known:] if known and now[:known] == self._told else now
        self._asked += 1
        what = "call" if view.play is None else "card"
        ask = {
            "type": "act",
            "id": self._asked,
            "what": what,
            "turn": view.turn.letter,
            "seconds": round(max(0.0, deadline - monotonic()), 3),
        }
        self._send(b"".join(encode(line) for line in [*news, ask]), deadline)
        self._told = now
        for _ in range(_MAX_CHATTER):
            line = self._receive(deadline)
            if line["type"] == "decision" and line.get("id", self._asked) == self._asked:
                return line
            if line["type"] == "error":
                raise WireError(f"the engine says: {str(line.get('text'))[:200]}")
        raise WireError("the engine talks without answering")

    def _start(self, deadline: float) -> None:
        try:
            child = self._begun()
        except OSError as error:
            raise ConnectionError(f"{self._command[0]} does not start: {error}") from None
        assert child.stdin is not None
        assert child.stdout is not None
        os.set_blocking(child.stdin.fileno(), False)
        os.set_blocking(child.stdout.fileno(), False)
        self._child, self._buffer, self._told = child, b"", []
        self._stop = weakref.finalize(self, _end, child)
        try:
            self._send(encode({"type": "hello", "protocol": PROTOCOL}), deadline)
            line = self._receive(deadline)
        except (TimeoutError, BrokenPipeError) as error:
            self.close()
            raise ConnectionError(f"{self._command[0]} does not say hello: {error}") from None
        except WireError:
            self.close()
            raise
        if line["type"] != "hello":
            self.close()
            if line["type"] == "error":
                raise OptionError(str(line.get("text"))[:500])
            raise WireError('the first line of an engine is {"type": "hello", …}')
        self._hello = line

    def _begun(self) -> subprocess.Popen[bytes]:
        if shutil.which(self._command[0]) is None:
            raise FileNotFoundError(ENOENT, "there is no such program")
        if self._sealed:
            return seal.start(self._command, self._needs)
        # A session of its own: what the program starts itself can be ended with it.
        return subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0,
            start_new_session=True,
        )  # fmt: skip

    def _send(self, data: bytes, deadline: float) -> None:
        assert self._child is not None
        assert self._child.stdin is not None
        pipe = self._child.stdin.fileno()
        while data:
            _wait(pipe, selectors.EVENT_WRITE, deadline)
            data = data[os.write(pipe, data[:65536]) :]

    def _receive(self, deadline: float) -> Line:
        """The next JSON object; other lines are the program's own chatter."""
        while True:
            raw, found, rest = self._buffer.partition(b"\n")
            if found:
                self._buffer = rest
                if raw.lstrip().startswith(b"{"):
                    return decode(raw)
                continue
            if len(self._buffer) > MAX_LINE:
                raise WireError(f"a line of more than {MAX_LINE} bytes")
            self._buffer += self._read(deadline)

    def _read(self, deadline: float) -> bytes:
        assert self._child is not None
        assert self._child.stdout is not None
        pipe = self._child.stdout.fileno()
        _wait(pipe, selectors.EVENT_READ, deadline)
        data = os.read(pipe, 65536)
        if not data:
            code = self._child.wait(5)
            raise BrokenPipeError(f"exit code {code}")
        return data

    def close(self) -> None:
        """End the program; the next question starts it again."""
        if self._stop is not None:
            self._stop()
        self._child = None


def _wait(pipe: int, what: int, deadline: float) -> None:
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, what)
        left = deadline - monotonic()
        if left <= 0 or not selector.select(left):
            raise TimeoutError("the external engine did not answer in time")


def _end(child: subprocess.Popen[bytes]) -> None:
    for pipe in (child.stdin, child.stdout):
        if pipe is not None:
            pipe.close()
    try:
        child.wait(0.5)  # a closed input is the polite way to say goodbye
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
    if hasattr(os, "killpg"):  # its children, which may have outlived it
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)


@dataclass(frozen=True, slots=True)
class Program:
    """The program behind `command` as an engine; it has `seconds` for each decision.

    It is shut in (`engines.seal`); with `sealed=false` it may do what you may.
    """

    command: str
    seconds: float = 30.0
    sealed: bool = True
    _outside: Outside = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        outside = Outside(self.command, self.seconds, sealed=self.sealed)
        object.__setattr__(self, "_outside", outside)

    @property
    def name(self) -> str:
        open_ = "" if self.sealed else ", sealed=False"
        return f"external(command={self.command!r}, seconds={self.seconds:g}{open_})"


class ForeignEngine:
    """An engine that is no program but Python code of others, in a process of its own: nothing of
    it is loaded into this one. Partners and rooms each have another."""

    _SECONDS: Final = 600.0  # for a decision: there is a clock for those who want one

    def __init__(self, spec: str, kind: str, needs: Sequence[str] = ()) -> None:
        self._kind = kind
        inside = f"inside(engine={spec!r})"
        whole = inside if kind == "bidder" else f"pass+{inside}"
        command = [sys.executable, "-m", "overtrick", "engine", whole, "--stdio"]
        self._outside = Outside(command, self._SECONDS, needs=needs)
        self._outside.hello()  # what is wrong with it is said before the first board

    @property
    def name(self) -> str:
        return str(self._outside.hello().get(self._kind))

    @property
    def system(self) -> str:
        """What it declares to the opponents."""
        return str(self._outside.hello().get("system", ""))

    def bid(self, view: View) -> Decision:
        """The engine's call."""
        return self._outside.ask(view)

    def play(self, view: View) -> Decision:
        """The engine's card."""
        return self._outside.ask(view)
