"""`overtrick reproduce PAPER`: each paper's tables, one file `reproduce_PAPER.py` each.
Used from the command line; a paper's file is loaded when its name is called."""

from __future__ import annotations

import click

from overtrick.cli.lazy import LazyGroup

_PAPERS = {
    "Papers": {
        "bidi": "Amit & Markovitch 2006: learning to bid, the PIDM algorithm",
        "frank1998": "Frank & Basin 1998: search in games with incomplete information",
        "ho2015": "Ho & Lin 2015: contract bridge bidding by learning",
        "pragma": "agents that bid by knowledge sources",
        "qiu2024": "Qiu et al. 2024: deep learning and belief Monte Carlo search",
    }
}


@click.group("reproduce", cls=LazyGroup, sections=_PAPERS, prefix="reproduce_")
def command() -> None:
    """Repeat the tables and figures of a paper.

    Example: overtrick reproduce ho2015 --help
    """
