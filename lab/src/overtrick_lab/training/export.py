"""From a trained network (npz) to the file that ships: ONNX in one of three precisions, a card.
Checks that the exported network still makes the same calls.

    fp32   full weights; the yardstick of the others
    fp16   half-precision weights, widened when loaded: half the size, the same arithmetic
    int8   8-bit weights and products (onnxruntime's dynamic quantisation), the last layer in half
           precision: a quarter, and faster
"""

from __future__ import annotations

import hashlib
import json
import logging
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from overtrick.archives import UNREADABLE, arrays
from overtrick.nets import features
from overtrick.nets.features import Bits
from overtrick.nets.inference import Network, network, softmax
from overtrick.notation.whole import write_whole
from overtrick_lab.training import onnx_graph, trick_figures
from overtrick_lab.training.data import Auctions, DataError, read_auctions, read_solved
from overtrick_lab.training.lineage import told_once
from overtrick_lab.training.onnx_graph import Layers
from overtrick_lab.training.trials_settings import ExportSettings

LOGGER = logging.getLogger(__name__)
PRECISIONS: Final = ("fp32", "fp16", "int8")
REQUIRED: Final = {"fp32": 0.999, "fp16": 0.999, "int8": 0.99}
"""Share of positions on which the exported network must make the same call."""
Measured = dict[str, Any]


class OtherCalls(DataError):
    """An exported policy that does not call as it did before."""


@dataclass(frozen=True, slots=True)
class Trained:
    """A network as the recipes leave it."""

    layers: Layers
    card: dict[str, Any]

    @property
    def kind(self) -> str:
        return str(self.card["kind"])


def read(path: Path) -> Trained:
    """A network file (training.network) without JAX; anything else is one clear DataError."""
    try:
        stored = arrays(path)
        card = json.loads(str(stored.pop("card")))
        layers = [
            (stored[f"w{i}"].astype(np.float32), stored[f"b{i}"].astype(np.float32))
            for i in range(len(stored) // 2)
        ]
        found = Trained(layers, {"activation": "relu", **card})
        found.card["kind"], found.card["features"]
    except (*UNREADABLE, TypeError) as error:
        raise DataError(f"{path} is not a network file: {error}") from None
    if not layers or found.kind not in ("policy", "belief", "tricks"):
        raise DataError(f"{path} is a {found.kind} network; export knows policy, belief and tricks")
    return found


def to_onnx(trained: Trained, name: str, path: Path, precision: str = "int8") -> None:
    """Write the network as ONNX, whole or not at all."""
    if precision not in PRECISIONS:
        raise DataError(f"precision must be one of {', '.join(PRECISIONS)}, not {precision}")
    try:
        import onnx
    except ImportError:
        raise DataError("export needs onnx: pip install 'overtrick-lab[train]'") from None
    meta = {
        "kind": trained.kind,
        "features": str(trained.card["features"]),
        "name": name,
        "precision": precision,
    }
    if trained.kind == "belief":
        meta["form"] = _belief_form(trained)
    build = onnx_graph.trick_tables if trained.kind == "tricks" else onnx_graph.perceptron
    model = build(trained.layers, trained.card["activation"], meta, half=precision == "fp16")
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(path.name + ".part")
    if precision == "int8":
        _quantise(model, unfinished)
    else:
        onnx.save(model, str(unfinished))
    unfinished.replace(path)


def _belief_form(trained: Trained) -> str:
    """`players` (one softmax a card) or `cards` (156 sigmoids).

    Every reader takes a softmax, so the graph of the second ends in log-sigmoids."""
    form = str(trained.card.get("made_by", {}).get("settings", {}).get("form", "players"))
    if form not in ("players", "cards"):
        raise DataError(f"a belief network of the form {form!r} cannot be exported")
    return form


def _quantise(model: Any, path: Path) -> None:
    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic

    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "plain.onnx"
        onnx.save(model, str(plain))
        logging.disable(logging.WARNING)  # it advises a preparation that our graphs do not need
        try:
            # The last layer decides between calls and is small: it keeps half precision.
            last = [node.name for node in model.graph.node if node.op_type == "MatMul"][-1]
            quantize_dynamic(
                plain, path, weight_type=QuantType.QInt8, per_channel=True,
                op_types_to_quantize=["MatMul"], nodes_to_exclude=[last],
            )  # fmt: skip
            onnx.save(onnx_graph.half_head(onnx.load(str(path))), str(path))
        finally:
            logging.disable(logging.NOTSET)


def _relu(x: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.maximum(x, 0)


def _gelu(x: NDArray[np.float32]) -> NDArray[np.float32]:
    """JAX's, the one with tanh."""
    bent = np.tanh(np.float32(np.sqrt(2 / np.pi)) * (x + np.float32(0.044715) * x**3))
    return np.asarray(np.float32(0.5) * x * (1 + bent))


_ACTIVATIONS: Final = {"relu": _relu, "gelu": _gelu}


def forward(trained: Trained, rows: Bits) -> NDArray[np.float32]:
    """A perceptron in plain numpy: what the exported file is compared with."""
    act = _ACTIVATIONS[trained.card["activation"]]
    hidden = rows.astype(np.float32)
    for place, (weight, bias) in enumerate(trained.layers[:-1]):
        new = act(hidden @ weight + bias)
        hidden = new if place == 0 else hidden + new
    found: NDArray[np.float32] = hidden @ trained.layers[-1][0] + trained.layers[-1][1]
    return found


def observations(
    auctions: Auctions, deal: NDArray[np.intp], turn: NDArray[np.intp], *, systems: int
) -> Bits:
    """What the player on turn saw at each of these places of complete auctions."""
    count = len(deal)
    seat = (auctions.dealer[deal].astype(np.int64) + turn) % 4
    calls = auctions.calls[deal]
    slots = features.history_slots(calls, auctions.dealer[deal].astype(np.int64))
    seen = features.relative_slots(slots, seat[:, None])
    happened = (seen >= 0) & (np.arange(calls.shape[1]) < turn[:, None])
    width = features.PLAIN_WIDTH + 2 * systems
    bits = np.zeros((count, width), np.uint8)
    rows, columns = np.nonzero(happened)
    bits[rows, seen[rows, columns]] = 1
    vul = np.stack([auctions.vul[deal] & 1, auctions.vul[deal] >> 1], axis=1)
    sides = np.stack([seat % 2, 1 - seat % 2], axis=1)
    every = np.arange(count)
    for side in range(2):
        bits[every, 2 * side + vul[every, sides[:, side]]] = 1
    bits[:, features.HAND_START : features.PLAIN_WIDTH] = auctions.owner[deal] == seat[:, None]
    if systems:
        for side in range(2):
            system = auctions.systems[deal, sides[:, side]].astype(np.int64)
            told = system < systems
            place = features.PLAIN_WIDTH + side * systems + system
            bits[every[told], place[told]] = 1
    return bits


def some_positions(path: Path, count: int, seed: int, *, systems: int) -> Bits:
    """That many decisions, drawn from the last 20,000 auctions of a file."""
    held_out = read_auctions(path)[slice(-20_000, None)]
    deal, turn = np.nonzero(held_out.calls >= 0)
    chosen = np.random.default_rng(seed).choice(len(deal), min(count, len(deal)), replace=False)
    return observations(held_out, deal[chosen], turn[chosen], systems=systems)


def same_calls(trained: Trained, exported: Network, rows: Bits) -> Measured:
    """On how many positions the exported policy makes the same call, and how far it is off."""
    same, moved, batch = 0, 0.0, 4096
    for begin in range(0, len(rows), batch):
        part = rows[begin : begin + batch]
        legal = features.legal_calls(part)
        before = np.where(legal, forward(trained, part), -np.inf)
        after = np.where(legal, exported.run(part), -np.inf)
        same += int((before.argmax(axis=1) == after.argmax(axis=1)).sum())
        first, second = softmax(before), softmax(after)
        moved += float(np.abs(first - second).sum() / 2)
    return {
        "positions": len(rows),
        "same_call": round(same / len(rows), 6),
        "probability_moved": round(moved / len(rows), 6),
    }


def trick_errors(exported: Network, deals: Path, count: int) -> Measured:
    """The exported tricks network on the last solved deals of a file."""
    solved = read_solved(deals)[slice(-count, None)]
    hands = (solved.owner[:, None, :] == np.arange(4)[:, None]).reshape(-1, 208)
    chances = softmax(exported.run(hands.astype(np.uint8)).reshape(-1, 5, 4, 14))
    off = np.abs(trick_figures.median(chances) - solved.tricks)
    return {
        "deals": len(solved),
        "median_error": round(float(off.mean()), 4),
        "exact": round(float((off == 0).mean()), 4),
        "log_loss": round(trick_figures.log_loss(chances, solved.tricks), 4),
    }


def _without_places(told: Any) -> Any:
    """The same without the folders of the machine on which it was made."""
    if isinstance(told, dict):
        return {name: _without_places(value) for name, value in told.items()}
    if isinstance(told, list):
        return [_without_places(value) for value in told]
    if isinstance(told, str) and "/" in told:
        return ", ".join(Path(each).name for each in told.split(", "))
    return told


def run(settings: ExportSettings) -> Measured:
    """Export, check, write the card; a network that changed its calls is refused."""
    trained = read(settings.network)
    name = settings.name or settings.network.stem
    target = settings.out / f"{name}.onnx"
    with tempfile.TemporaryDirectory() as folder:  # a network that is refused replaces nothing
        draft = Path(folder) / target.name
        to_onnx(trained, name, draft, settings.precision)
        checked = _check(trained, network(str(draft), trained.kind), settings)
        write_whole(target, draft.read_bytes())
    card = {
        "name": name,
        "kind": trained.kind,
        "features": trained.card["features"],
        "activation": trained.card["activation"],
        "precision": settings.precision,
        "bytes": target.stat().st_size,
        "sha256": hashlib.sha256(target.read_bytes()).hexdigest(),
        "export_check": checked,
        "made_by": told_once(_without_places(trained.card.get("made_by", {}))),
    }
    if settings.notes is not None:
        card |= json.loads(settings.notes.read_text(encoding="utf-8"))
    text = json.dumps(card, indent=1, ensure_ascii=False) + "\n"
    write_whole(target.with_suffix(".json"), text)
    return card


def smallest(settings: ExportSettings) -> Measured:
    """The same in 8 bits, or in 16 if that would change its calls: one that has learned little
    hangs by a hair."""
    try:
        return run(replace(settings, precision="int8"))
    except OtherCalls as error:
        LOGGER.info("%s; kept in half precision", error)
        return run(replace(settings, precision="fp16"))


def _check(trained: Trained, exported: Network, settings: ExportSettings) -> Measured:
    """Does it do what it did before? Only as far as there is something to try it on."""
    if trained.kind == "policy" and settings.auctions is not None:
        systems = features.feature_version(exported.features).systems
        rows = some_positions(settings.auctions, settings.positions, settings.seed, systems=systems)
        checked = same_calls(trained, exported, rows)
        if checked["same_call"] < REQUIRED[settings.precision]:
            raise OtherCalls(f"{exported.name} makes other calls than before: {checked}")
        return checked
    if trained.kind == "tricks" and settings.deals is not None:
        return trick_errors(exported, settings.deals, settings.positions // 20)
    return {}
