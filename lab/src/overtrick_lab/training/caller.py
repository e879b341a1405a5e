"""Recipe: a small network that calls by somebody's card. Deals are bid by the card's rules against
systems that opponents play; the network learns what the rules prescribe, and knows what else they
allow (`supervised`, target "prescribed"). It goes straight to the ONNX file that engines load.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from overtrick.engines import Spec
from overtrick.game import OptionError
from overtrick.systems import agreed
from overtrick_lab.training import export, lessons, supervised
from overtrick_lab.training.settings import CallerSettings, LessonSettings, SupervisedSettings

_CHOICE = 0.1  # of the probability goes to all calls that the card allows


def run(settings: CallerSettings) -> dict[str, Any]:
    """Bid, learn, export; says how often the network makes the prescribed call on held-out deals,
    and which engine plays it."""
    if settings.deals < 20 or settings.out.suffix != ".onnx":
        raise OptionError("a caller learns from 20 deals or more, and is written as an .onnx file")
    card = agreed(settings.card)
    others = [agreed(name.strip()) for name in settings.against.split(",")]
    pairs = [pair for other in others for pair in ((card, other), (other, card))]
    with tempfile.TemporaryDirectory() as folder:
        taught, learned = Path(folder) / "lessons.npz", Path(folder) / "caller.npz"
        wish = LessonSettings(
            count=settings.deals, explore=settings.explore, workers=settings.workers, out=taught,
            seed=settings.seed,
        )  # fmt: skip
        lessons.write(taught, lessons.in_pairs(pairs, wish))
        recipe = SupervisedSettings(
            auctions=taught, target="prescribed", choice=_CHOICE, out=learned,
            held_out=settings.deals // 10, width=settings.width, steps=settings.steps,
            batch=settings.batch, seed=settings.seed,
        )  # fmt: skip
        found = supervised.run(recipe)
        export.to_onnx(export.read(learned), settings.out.stem, settings.out, "fp16")
    engine = Spec("partner", {"system": card, "net": str(settings.out)})
    return {"card": card, "same_call": round(found["lessons"], 4), "engine": str(engine)}
