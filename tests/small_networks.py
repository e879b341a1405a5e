"""Small random networks for tests: the recipes' files and their exports, made in milliseconds.
Used by the tests of export, policy, bmcs and explain."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

SYSTEMS = "auction-1+systems-1"
PLAIN = "auction-1"
WIDTHS = {SYSTEMS: 490, PLAIN: 480}


def trained(
    path: Path,
    kind: str,
    features: str = SYSTEMS,
    seed: int = 0,
    *,
    activation: str = "relu",
    form: str = "players",
) -> Path:
    """An npz as training.network writes it, with random weights."""
    rng, width = np.random.default_rng(seed), 24
    if kind == "tricks":
        sizes = [(52, 8), (8, 8), (8, 8), (8, 8), (16, width), (width, width), (width, 56)]
        features = "hands-1"
    else:
        outputs = {"policy": 38, "belief": 156}[kind]
        sizes = [(WIDTHS.get(features, 480), width), *[(width, width)] * 3, (width, outputs)]
    arrays = {}
    for place, size in enumerate(sizes):
        arrays[f"w{place}"] = rng.normal(0, np.sqrt(2 / size[0]), size).astype(np.float16)
        arrays[f"b{place}"] = rng.normal(0, 0.1, size[1]).astype(np.float16)
    card = {"kind": kind, "features": features, "activation": activation}
    card["made_by"] = {"seed": seed, "settings": {"form": form}}
    np.savez(path, card=np.array(json.dumps(card)), **arrays)
    return path


def exported(
    folder: Path, kind: str, features: str = SYSTEMS, seed: int = 0, precision: str = "fp32"
) -> str:
    """The same as an ONNX file; its path as engines take it."""
    from overtrick_lab.training.export import read, to_onnx

    target = folder / f"{kind}{seed}{features}{precision}.onnx"
    if not target.exists():
        source = trained(folder / f"{kind}{seed}{features}.npz", kind, features, seed)
        to_onnx(read(source), f"small {kind}", target, precision)
    return str(target)
