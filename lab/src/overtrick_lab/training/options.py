"""The recipes by their verbs, and their settings as command-line options."""

from __future__ import annotations

import ast
import inspect
import itertools
import textwrap
from typing import Any, Final, get_type_hints

from overtrick_lab.training.predicting_settings import (
    BeliefSettings,
    BoardSettings,
    CalibrateSettings,
    ContractSettings,
    LabelSettings,
    LeadSettings,
    TableTrickSettings,
    TricksSettings,
)
from overtrick_lab.training.settings import (
    AllSettings,
    AverageSettings,
    CallerSettings,
    ClubSettings,
    DistilSettings,
    GrowSettings,
    LessonSettings,
    PostMortemSettings,
    QuietSettings,
    SelfplaySettings,
    SupervisedSettings,
    UncontestedSettings,
)
from overtrick_lab.training.trials_settings import (
    AblationSettings,
    CurveSettings,
    ExportSettings,
    GateSettings,
    InformedSettings,
    ReportSettings,
    SearchSettings,
)

RECIPES: Final[dict[str, tuple[type[Any], str]]] = {
    "all": (AllSettings, "campaign"),
    "from-pbn": (ClubSettings, "club"),
    "lessons": (LessonSettings, "lessons"),
    "caller": (CallerSettings, "caller"),
    "supervised": (SupervisedSettings, "supervised"),
    "selfplay": (SelfplaySettings, "selfplay"),
    "grow": (GrowSettings, "growth"),
    "average": (AverageSettings, "average"),
    "distil": (DistilSettings, "distil"),
    "post-mortem": (PostMortemSettings, "post_mortem"),
    "quiet": (QuietSettings, "quiet"),
    "ablation": (AblationSettings, "ablations"),
    "informed": (InformedSettings, "informed"),
    "belief": (BeliefSettings, "belief"),
    "tricks": (TricksSettings, "tricks"),
    "contract": (ContractSettings, "contract_net"),
    "leads": (LeadSettings, "leads"),
    "uncontested": (UncontestedSettings, "uncontested.recipe"),
    "calibrate": (CalibrateSettings, "calibrate"),
    "export": (ExportSettings, "export"),
    "gate": (GateSettings, "gate"),
    "report": (ReportSettings, "report"),
    "search": (SearchSettings, "search_match"),
    "curve": (CurveSettings, "curve"),
    "labels": (LabelSettings, "dd_labels"),
    "boards": (BoardSettings, "played"),
    "table-tricks": (TableTrickSettings, "table_tricks"),
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
