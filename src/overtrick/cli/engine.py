"""`overtrick engine`: one engine on standard input and output, for other programs to drive.
The work is in `table.stdio`, the lines in docs/howto/external.md."""

from __future__ import annotations

import sys
from typing import Final

import click

_MAX_LINE: Final = 1 << 20


@click.command("engine")
@click.argument("spec")
@click.option("--stdio", is_flag=True, required=True, help="Speak JSON lines on stdin and stdout.")
def command(spec: str, stdio: bool) -> None:
    """Let another program drive an engine (BIDDER or BIDDER+PLAYER).

    Lines in: hello, board, call, card, dummy, act, quit. Lines out: hello, decision, error.

    \b
    Example:
      echo '{"type": "hello"}' | overtrick engine points --stdio
    """
    from overtrick.engines.wire import encode
    from overtrick.game import BridgeError
    from overtrick.table import robot
    from overtrick.table.stdio import serve

    def write(data: bytes) -> None:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()

    try:
        made = robot(spec)
    except BridgeError as error:  # the program that asked hears it, and so does a person
        write(encode({"type": "error", "text": str(error)}))
        sys.exit(2)
    serve(made, iter(lambda: sys.stdin.buffer.readline(_MAX_LINE), b""), write)
