"""The command line: `overtrick VERB …`, each verb a file of its own beside this one.
Used as the console script; verbs load when they are called, so `--help` stays quick."""

from __future__ import annotations

import sys
from importlib.util import find_spec

import click

from overtrick import __version__
from overtrick.cli.lazy import LazyGroup

# Verb → one line of help, by purpose. A verb without its module is not listed.
_SECTIONS = {
    "Begin here": {
        "serve": "a table in the browser: play, review, practise",
        "bid": "bid a board, every call explained",
        "play": "play a board, every card explained",
        "analyse": "what each call and card of a played board cost",
    },
    "Bidding": {
        "think": "what to call with a hand, and why",
        "explain": "what the calls of an auction mean, and what could come next",
        "system": "browse, check and test bidding systems",
        "card": "your convention card: show, change, print, share",
        "describe": "the bidding systems that machines invented",
        "challenge": "bidding problems with awards",
        "simulate": "what makes on many deals, and which of two actions is better",
    },
    "Card play": {
        "lead": "the opening lead from a hand and the auction",
        "plan": "plan the play of a hand, suit by suit",
        "suit": "the best way to play one suit, exactly",
        "dd": "double-dummy tables, leads and par",
        "par": "par score and contracts",
    },
    "Hands and files": {
        "deal": "deal hands, at random or to order",
        "eval": "points, losers and 250 other numbers of a hand",
        "score": "what a contract scores",
        "convert": "PBN, LIN, RBN and others into each other",
        "movement": "who meets whom with which boards, for an evening of pairs",
        "rating": "how strong people and pairs are, from a club's evenings",
        "samples": "files to try things with",
    },
    "Engines against each other": {
        "engines": "the engines there are, and their options",
        "match": "two engines over many boards, with the error of the result",
        "diff": "where the engines of a match parted ways",
        "verify": "was a match played on the boards that were promised",
        "tournament": "many engines: round robin, Swiss, pairs, ladder",
        "ladder": "ratings of robots, ours by version and others, in one file",
        "league": "a schedule of matches, ours and other people's programs",
        "sweep": "an engine's options tried out",
        "tm": "other people's robots over the Table Manager protocol",
        "engine": "drive one engine from another program",
        "mcp": "let a language model ask (Model Context Protocol)",
    },
    "Research": {
        "reproduce": "repeat the tables of the five papers",
        "train": "train networks",
        "label": "solve random deals into a file",
    },
    "Set-up": {
        "completion": "shell completion",
    },
}

_ELSEWHERE = {"describe": "overtrick-lab", "reproduce": "overtrick-lab", "train": "overtrick-lab"}
"""Verbs of other distributions."""


@click.group(
    cls=LazyGroup,
    sections=_SECTIONS,
    elsewhere=_ELSEWHERE,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, message="overtrick %(version)s")
@click.pass_context
def main(context: click.Context) -> None:
    """Overtrick bids, plays, explains and analyses contract bridge.

    Without a verb it opens the table in your browser, where the `web` extra is installed; a
    script, which has no terminal, is shown this. Every verb has --help with examples.

    \b
    Examples:
      overtrick serve --open
      overtrick explain "1NT P 2H"
      overtrick suit AQT98 5432
    """
    if context.invoked_subcommand is not None:
        return
    command = main.get_command(context, "serve") if _can_open_a_table() else None
    if command is None:
        click.echo(context.get_help())
        return
    command.main(["--open"], prog_name="overtrick", standalone_mode=False)


def _can_open_a_table() -> bool:
    """Somebody sits at a terminal, and the packages of the web table are there. A script that
    names no verb gets the help, not a server."""
    at_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    return at_terminal and all(find_spec(name) for name in ("uvicorn", "starlette", "websockets"))
