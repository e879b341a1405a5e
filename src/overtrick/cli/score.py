"""`overtrick score`: what a contract scores, and the IMPs against another result.
The tables are in `game.scoring`."""

from __future__ import annotations

import re
from typing import Any

import click

from overtrick.cli.common import (
    ContractParam,
    VulParam,
    coloured,
    console,
    echo_json,
    json_option,
    words_argument,
)
from overtrick.game import Contract, ContractError, Vulnerability, imps, score
from overtrick.game.scoring import declarer_score, result_text


class _Scored(ContractParam):
    """A contract; tricks that stand beside it belong elsewhere."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        found = re.fullmatch(r"(.*\D)\s+(\d{1,2})", value) if isinstance(value, str) else None
        if found:
            self.fail(f"tricks are told by --tricks: '{found[1]}' --tricks {found[2]}", param, ctx)
        return super().convert(value, param, ctx)


@click.command("score")
@words_argument("contract", kind=_Scored())
@click.option("--tricks", type=click.IntRange(0, 13), help="Tricks taken by declarer.")
@click.option("--result", help="Instead of --tricks: '=', '+1', '-2'.")
@click.option(
    "--vul", type=VulParam(), default="None", show_default=True, help="None, NS, EW, All."
)
@click.option("--versus", type=int, help="North-South's score at the other table, for IMPs.")
@json_option
def command(
    contract: Contract,
    tricks: int | None,
    result: str | None,
    vul: Vulnerability,
    versus: int | None,
    as_json: bool,
) -> None:
    """The duplicate score of CONTRACT, written with its declarer: '4SX S', '3NT W', '1♣XX N'.

    Without --tricks or --result it makes exactly.

    \b
    Examples:
      overtrick score "4SX S" --tricks 9 --vul NS
      overtrick score "3NT W" --result +1 --versus -600
    """
    taken = _tricks(contract, tricks, result)
    ns, declaring = score(contract, taken, vul), declarer_score(contract, taken, vul)
    swing = None if versus is None else imps(ns - versus)
    if as_json:
        row = {
            "contract": contract.ascii,
            "declarer": contract.declarer.letter,
            "tricks": taken,
            "vul": str(vul),
            "score": declaring,
            "ns_score": ns,
        }
        if swing is not None:
            row["imps"] = swing
        echo_json(row)
        return
    text = f"{contract}{result_text(contract, taken)}: {declaring:+d} (North-South {ns:+d})"
    if swing is not None:
        text += f", {swing:+d} IMPs for North-South against {versus:+d}"
    console().print(coloured(text))


def _tricks(contract: Contract, tricks: int | None, result: str | None) -> int:
    if tricks is not None and result is not None:
        raise click.UsageError("give --tricks or --result, not both")
    if tricks is not None:
        return tricks
    text = (result or "=").strip().replace("−", "-").replace("–", "-")
    if text in ("=", "=="):
        return contract.target
    if not re.fullmatch(r"[+-]\d+", text):
        raise ContractError(f"a result reads like =, +1 or -2, not {text!r}")
    taken = contract.target + int(text)
    if not 0 <= taken <= 13 or (text[0] == "-" and int(text) == 0):
        raise ContractError(f"{contract.pretty()} cannot end {text}: that would be {taken} tricks")
    return taken
