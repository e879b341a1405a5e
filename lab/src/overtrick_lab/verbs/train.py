"""`overtrick train`: the recipes that make the networks, one verb each.
Every option is a field of that recipe's settings."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from dataclasses import MISSING, fields
from importlib import import_module
from inspect import getdoc
from pathlib import Path
from typing import Any, Final

import click

from overtrick.cli.common import console, echo_json
from overtrick_lab.training.options import RECIPES, field_help, field_types
from overtrick_lab.verbs import cotrain

_NO_JAX: Final = frozenset(
    {"lessons", "calibrate", "contract", "export", "gate", "search", "curve", "labels", "boards"}
)
"""What trains nothing, or so little that it needs no accelerator."""
_EXAMPLES: Final[dict[str, str]] = {
    "all": "--card two-over-one --minutes 30 --out mine",
    "from-pbn": "club.pbn --pair 'Ann,Bob' --system sayc --out club.onnx",
    "lessons": "--systems two-over-one,sayc --count 20000 --workers 2",
    "caller": "--card mine.toml --out mine.onnx",
    "supervised": "--auctions auctions.npz",
    "selfplay": "--supervised sl.npz --minutes 9",
    "grow": "--resume selfplay --width 1536 --layers 6 --out grown",
    "average": "one/policy.npz two/policy.npz --out both.npz",
    "distil": "large/policy.npz --pupil policy.npz --minutes 3",
    "post-mortem": "--policy policy.npz --deals solved.npz --minutes 8",
    "quiet": "--policy policy --met sayc --out quiet.npz",
    "ablation": "--variant no-past-selves",
    "informed": "--policy policy.npz --minutes 8",
    "belief": "--policy selfplay/policy.npz",
    "tricks": "--deals double_dummy.npz --minutes 8",
    "contract": "--deals data/solved_deals.npz --steps 12000",
    "leads": "--deals leads.npz --sees info --out leadnet.npz",
    "uncontested": "--deals double_dummy.npz --out nets",
    "calibrate": "--network tricks.npz --deals unseen.npz",
    "export": "--network policy.npz --precision int8",
    "gate": "--new models/policy.onnx --deals solved.npz",
    "report": "--policy selfplay/policy.npz --supervised sl.npz",
    "search": "--deals double_dummy.npz --skip -10000 --boards 1500 --workers 2",
    "curve": "--curve selfplay/curve.jsonl",
    "labels": "--minutes 9 --workers 4 --out solved.npz",
    "boards": "--count 30000 --workers 16 --out played.npz",
    "table-tricks": "--boards played.npz --out table_tricks.npz",
}


@click.group("train")
def command() -> None:
    """Train networks, export them, and let only better ones in.

    \b
    Examples:
      overtrick train all --card two-over-one --minutes 30
      overtrick train supervised --auctions auctions.npz --out sl.npz
    """


def _verb(name: str) -> click.Command:
    kind, module = RECIPES[name]

    def run(as_json: bool, **values: Any) -> None:
        made = kind(**values)
        recipe = _recipe(module)
        if name not in _NO_JAX:
            _say_where()
        logging.basicConfig(level=logging.INFO, format="%(message)s")
        found = recipe(made)
        if as_json:
            echo_json({"recipe": name, "found": found})
        else:
            _show(found)

    text = f"{getdoc(kind)}\n\nExample: overtrick train {name} {_EXAMPLES[name]}"
    return click.Command(name, params=_options(kind), callback=run, help=text)


def _options(kind: type[Any]) -> list[click.Parameter]:
    types, helps = field_types(kind), field_help(kind)
    options: list[click.Parameter] = []
    for entry in fields(kind):
        if isinstance(entry.default, tuple):  # the files that the recipe is about
            many = click.Path(path_type=Path)
            options.append(click.Argument([entry.name], nargs=-1, required=True, type=many))
            continue
        flag = "--" + entry.name.replace("_", "-")
        default = None if entry.default is MISSING else entry.default
        yes_or_no = types[entry.name] is bool
        options.append(
            click.Option(
                [f"{flag}/--no-{flag[2:]}" if yes_or_no else flag, entry.name],
                type=click.Path(path_type=Path) if types[entry.name] is Path else types[entry.name],
                default=default,
                show_default=default is not None,
                help=helps.get(entry.name, ""),
            )
        )
    options.append(click.Option(["--json", "as_json"], is_flag=True, help="Print JSON."))
    return options


def _recipe(module: str) -> Callable[[Any], Any]:
    try:
        found: Callable[[Any], Any] = import_module(f"overtrick_lab.training.{module}").run
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("overtrick"):
            raise
        package = (error.name or "").split(".")[0]
        raise click.ClickException(
            f"this recipe needs {package}: pip install 'overtrick-lab[train]'"
        ) from None
    return found


def _say_where() -> None:
    """Without an accelerator the full-size recipes take days: say so, in one line."""
    import jax

    try:
        device = jax.devices()[0]
    except (RuntimeError, AssertionError):  # JAX's own words are about its insides
        asked = os.environ.get("JAX_PLATFORMS", "")
        raise click.ClickException(
            f"JAX cannot use JAX_PLATFORMS={asked!r} here: unset it to train on what there is; an "
            "NVIDIA card needs pip install 'jax[cuda12]'"
        ) from None
    if device.platform == "cpu":
        click.echo(
            "no accelerator found: training on the CPU, which suits small settings "
            "(an NVIDIA card needs pip install 'jax[cuda12]')",
            err=True,
        )
    else:
        click.echo(f"training on {device.device_kind}", err=True)


def _show(found: Any) -> None:
    if isinstance(found, list):
        found = found[-1] if found else {}
    out = console()
    if not isinstance(found, dict):
        out.print(str(found))
        return
    for name, value in found.items():
        if "\n" in str(value):  # a text of its own
            out.print(f"\n{str(value).strip()}", highlight=False, soft_wrap=True)
        else:
            out.print(f"{name:20} {value}", highlight=False, soft_wrap=True)


for _name in RECIPES:
    command.add_command(_verb(_name))
command.add_command(cotrain.command)
