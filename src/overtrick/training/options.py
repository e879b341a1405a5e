"""The recipes by their verbs, and their settings as command-line options.
Used by cli.train, and by `python -m overtrick.training` on machines without click."""

from __future__ import annotations

import argparse
import ast
import inspect
import itertools
import textwrap
from collections.abc import Sequence
from dataclasses import MISSING, fields
from typing import Any, Final, TypeVar, get_type_hints

from overtrick.training.contract_settings import ContractSettings
from overtrick.training.lead_settings import LeadSettings
from overtrick.training.settings import (
    AblationSettings,
    BeliefSettings,
    CalibrateSettings,
    CurveSettings,
    ExportSettings,
    GateSettings,
    InformedSettings,
    LessonSettings,
    SearchSettings,
    SelfplaySettings,
    SupervisedSettings,
    TricksSettings,
)

T = TypeVar("T")

RECIPES: Final[dict[str, tuple[type[Any], str]]] = {
    "lessons": (LessonSettings, "lessons"),
    "supervised": (SupervisedSettings, "supervised"),
    "selfplay": (SelfplaySettings, "selfplay"),
    "ablation": (AblationSettings, "ablations"),
    "informed": (InformedSettings, "informed"),
    "belief": (BeliefSettings, "belief"),
    "tricks": (TricksSettings, "tricks"),
    "contract": (ContractSettings, "contract_net"),
    "leads": (LeadSettings, "leads"),
    "calibrate": (CalibrateSettings, "calibrate"),
    "export": (ExportSettings, "export"),
    "gate": (GateSettings, "gate"),
    "search": (SearchSettings, "search_match"),
    "curve": (CurveSettings, "curve"),
}
"""Verb → its settings and the module of this package whose run(settings) does it."""


def field_help(settings: type[Any]) -> dict[str, str]:
    """The docstring under each field of a settings class."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(settings)))
    body = tree.body[0].body if isinstance(tree.body[0], ast.ClassDef) else []
    found = {}
    for entry, after in itertools.pairwise(body):
        if not (isinstance(entry, ast.AnnAssign) and isinstance(entry.target, ast.Name)):
            continue
        if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            found[entry.target.id] = " ".join(str(after.value.value).split())
    return found


def field_types(settings: type[Any]) -> dict[str, type[Any]]:
    """The plain type of each field: `Path | None` is Path."""
    plain = {}
    for name, hint in get_type_hints(settings).items():
        choices = [kind for kind in getattr(hint, "__args__", (hint,)) if kind is not type(None)]
        plain[name] = choices[0]
    return plain


def parse_settings(settings: type[T], arguments: Sequence[str]) -> T:
    """Settings from plain command-line words (machines without click run the recipes too)."""
    parser = argparse.ArgumentParser(description=settings.__doc__)
    types, helps = field_types(settings), field_help(settings)
    for entry in fields(settings):  # type: ignore[arg-type]
        option = "--" + entry.name.replace("_", "-")
        shown = f"{helps.get(entry.name, '')} (default {entry.default})".replace("%", "%%")
        if types[entry.name] is bool:
            kind: dict[str, Any] = {"action": argparse.BooleanOptionalAction}
        else:
            kind = {"type": types[entry.name]}
        default = None if entry.default is MISSING else entry.default
        parser.add_argument(option, dest=entry.name, default=default, help=shown, **kind)
    return settings(**vars(parser.parse_args(arguments)))
