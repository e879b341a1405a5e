"""The command line: `overtrick VERB …`, each verb a file of its own beside this one.
Used as the console script; verbs load when they are called, so `--help` stays quick."""

from __future__ import annotations

import click

from overtrick import __version__
from overtrick.cli.lazy import LazyGroup

# Verb → one line of help, by purpose. A verb without its module is not listed.
_SECTIONS = {
    "Cards": {
        "deal": "deal hands, at random or to order",
        "eval": "points, losers and 250 other numbers of a hand",
        "dd": "double-dummy table, leads and par of a deal",
        "par": "par score and contracts",
        "score": "what a contract scores",
        "convert": "PBN, LIN, RBN and others into each other",
    },
    "Bidding and play": {
        "bid": "bid a board and say why",
        "think": "what an engine calls with a hand, and why",
        "explain": "what a call means in a system",
        "describe": "the bidding system a machine has invented",
        "system": "look at, check and test bidding systems",
        "play": "play a board, or let engines play it",
        "plan": "plan the play of a hand",
        "suit": "the best way to play one suit",
        "analyse": "what each call and card of a file was worth",
    },
    "Engines and matches": {
        "engines": "the engines there are",
        "match": "two engines over many boards",
        "diff": "where two engines part ways",
        "tournament": "many engines: round robin, Swiss, pairs, ladder",
        "sweep": "an engine's options tried out",
        "challenge": "bidding problems with awards",
        "label": "solve random deals into a file",
        "engine": "one engine on standard input and output",
        "tm": "Table Manager: serve or join a table",
        "serve": "the web table",
        "web": "the web table",
    },
    "Research": {
        "train": "train networks",
        "reproduce": "repeat the tables of the papers",
    },
    "Set-up": {
        "completion": "shell completion",
    },
}


@click.group(
    cls=LazyGroup,
    sections=_SECTIONS,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, message="overtrick %(version)s")
@click.pass_context
def main(context: click.Context) -> None:
    """Overtrick bids, plays, explains and analyses contract bridge.

    Without a verb it bids a random board and shows it.

    Examples:

    \b
      overtrick deal -n 4
      overtrick dd boards.pbn
      overtrick score "4SX S" --tricks 9 --vul NS
    """
    if context.invoked_subcommand is None:
        command = main.get_command(context, "bid")
        if command is None:
            raise click.UsageError("the verb 'bid' is not installed")
        command.main([], prog_name="overtrick", standalone_mode=False)
