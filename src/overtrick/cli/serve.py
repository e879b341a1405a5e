"""`overtrick serve`: the web table.
Needs the `web` extra."""

from __future__ import annotations

import gc
import os
import socket
from pathlib import Path

import click

from overtrick.cli.there import answering


@click.command("serve")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535))
@click.option("--host", default="127.0.0.1", show_default=True,
              help="0.0.0.0 lets other machines in.")  # fmt: skip
@click.option("--open", "browse", is_flag=True, help="Open the table in a browser.")
@click.option("--log", type=click.Path(dir_okay=False, path_type=Path),
              help="The file that keeps the tables; your data folder unless given.")  # fmt: skip
@click.option("--engines", "processes", default=2, show_default=True, type=click.IntRange(1, 64),
              help="Processes in which the robots think.")  # fmt: skip
@click.option("--matches", type=click.Path(exists=True, file_okay=False, path_type=Path),
              help="A folder of matches and tournaments to show.")  # fmt: skip
@click.option("--name", "names", multiple=True, metavar="NAME",
              help="A name of this server, such as club.example; addresses need none.")  # fmt: skip
@click.option("--proxy", "proxies", multiple=True, metavar="ADDRESS",
              help="Believe the reverse proxy at this address who its clients are.")  # fmt: skip
@click.option("--api-keys", "keys", type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="Keys of programs on other machines, one a line.")  # fmt: skip
@click.option("--origin", "origins", multiple=True, metavar="ORIGIN",
              help="Pages of this site may ask the robot, as https://club.example.")  # fmt: skip
def command(
    port: int,
    host: str,
    browse: bool,
    log: Path | None,
    processes: int,
    matches: Path | None,
    names: tuple[str, ...],
    proxies: tuple[str, ...],
    keys: Path | None,
    origins: tuple[str, ...],
) -> None:
    """Serve the table in the browser; Ctrl-C ends it and loses nothing.

    The same server answers programs: /bid, /lead, /play, /api/think, /api/board and others,
    described at its page /docs and in docs/howto/service.md.

    \b
    Examples:
      overtrick serve --open
      overtrick serve --host 0.0.0.0 --port 9000 --engines 4
      overtrick serve --matches results/      (overtrick match --db, overtrick tournament --dir)
      overtrick serve --name bridge.example --proxy 127.0.0.1      (see docs/howto/host.md)
    """
    try:
        import uvicorn
    except ImportError as error:
        raise ImportError(f"the web table needs `pip install overtrick[web]` ({error})") from None
    if log is None and matches is None and host == "127.0.0.1" and answering(host, port):
        click.echo(f"Overtrick is there already: http://localhost:{port}/")
        if browse:
            _open(f"http://localhost:{port}/")
        return
    from overtrick.web import logs
    from overtrick.web.application import Config, app, default_log
    from overtrick.web.connections import Door, Doors, guarded
    from overtrick.web.robot import KEYS_VARIABLE, Keys, origin_of
    from overtrick.web.store import Log

    logs.begin()  # what is refused is logged; the library itself never prints
    place = log or default_log()
    Log(place).close()  # a log that cannot be used is said before any address is
    named = os.environ.get(KEYS_VARIABLE, "")
    known = Keys.read(keys) if keys is not None else Keys(named.split())
    config = Config(
        place, processes, matches=str(matches or ""), host=host, names=names, keys=known,
        origins=frozenset(origin_of(text) for text in origins),
    )  # fmt: skip
    doors = Doors(total=_places(), proxies=frozenset(proxies))
    application = app(config)
    protocol = guarded(doors, application.state.budgets)
    server = uvicorn.Server(
        uvicorn.Config(
            application,
            host=host,
            port=port,
            http=protocol,
            log_config=None,
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=bool(proxies),
            forwarded_allow_ips=list(proxies),
            ws_max_size=config.rates.message_bytes,
            ws_per_message_deflate=True,
            timeout_graceful_shutdown=2,
        )
    )
    listening = Door.at(_listening(host, port), protocol)
    number = listening.getsockname()[1]
    shown = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::") else host
    click.echo(f"Overtrick is at http://{shown}:{number}/  (Ctrl-C ends it)")
    if browse:
        _open_soon(f"http://{shown}:{number}/")
    # What is loaded stays: looking through all of it for garbage would hold the loop now and then.
    gc.collect()
    gc.freeze()
    try:
        server.run([listening])
    except KeyboardInterrupt:
        click.echo("closed; every table is kept")


def _listening(host: str, port: int) -> socket.socket:
    """The socket of the server; taken before anything is said or opened."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=512)
    except OSError as error:
        if (error.errno or 0) < 0:  # of the resolver, whose numbers are no errno
            raise click.ClickException(f"{host} is no address of this machine") from None
        why = os.strerror(error.errno).lower() if error.errno else str(error)
        raise click.ClickException(
            f"{host} port {port}: {why}; if Overtrick runs there already, open it in the browser, "
            "else choose another with --port"
        ) from None


def _places() -> int:
    """How many connections there can be: as many files as the system allows, less our own."""
    try:
        import resource
    except ImportError:  # Windows
        return 900
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 8192 if hard == resource.RLIM_INFINITY else min(hard, 8192)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    return max(50, soft - 200)


def _open_soon(address: str) -> None:
    """Open a browser once the server listens."""
    import threading

    threading.Timer(1.5, _open, [address]).start()


def _open(address: str) -> None:
    import webbrowser

    webbrowser.open(address)
