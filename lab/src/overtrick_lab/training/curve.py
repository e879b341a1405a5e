"""The training curve of self-play as a picture (the paper's Fig. 2), from curve.jsonl."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from overtrick.notation.whole import whole_file
from overtrick_lab.training.data import DataError
from overtrick_lab.training.trials_settings import CurveSettings


def read(path: Path) -> list[dict[str, Any]]:
    """The lines of a curve; a half-written last line (a killed run) is left out."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise DataError(f"cannot read {path}: {error}") from None
    points = []
    for number, line in enumerate(lines, start=1):
        try:
            points.append(json.loads(line))
        except ValueError:
            if number < len(lines):
                raise DataError(f"{path}, line {number}: not a line of a curve") from None
    if not points or "over_sl" not in points[0]:
        raise DataError(f"{path} is no training curve")
    return points


def run(settings: CurveSettings) -> dict[str, Any]:
    """Draw it: strength over SL above, naturalness of the openings below."""
    points = read(settings.curve)
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise DataError("curves need matplotlib: pip install 'overtrick[plots]'") from None
    calls = [p["calls"] / 1e6 for p in points]
    figure = Figure(figsize=(7, 6), layout="constrained")
    strength, style = figure.subplots(2, 1, sharex=True)
    gain = [p["over_sl"] for p in points]
    error = [p["error"] for p in points]
    low = [g - e for g, e in zip(gain, error, strict=True)]
    high = [g + e for g, e in zip(gain, error, strict=True)]
    strength.fill_between(calls, low, high, alpha=0.25)
    strength.plot(calls, gain, label="weight average (± standard error)")
    strength.plot(calls, [p["newest_over_sl"] for p in points], lw=0.8, label="newest")
    strength.axhline(0, ls=":", color="grey")
    strength.set_ylabel("IMPs a deal over SL")
    strength.legend(loc="lower right")
    for bid in points[0]["conforms"]:
        style.plot(calls, [100 * p["conforms"][bid] for p in points], label=bid)
    style.plot(calls, [100 * p["light_rate"] for p in points], "k--", label="0–7 hcp opens")
    style.set(xlabel="million calls", ylabel="%", ylim=(0, 100))
    style.legend(ncols=3, fontsize="small", loc="center right")
    kind = settings.out.suffix.removeprefix(".") or "png"
    with whole_file(settings.out) as picture:
        figure.savefig(picture, dpi=120, format=kind)
    return {"points": len(points), "over_sl": gain[-1], "out": str(settings.out)}
