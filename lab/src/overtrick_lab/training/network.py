"""The multilayer perceptrons: policy, critic, belief, tricks; how they start, run, are stored.
A file is an npz: w0, b0, w1, … and a JSON card that says what it is.

The network is four hidden layers with residual adds from the second on (the form that trained best
in trials); products run in bfloat16 where the accelerator likes that, sums and the last layer in
float32.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from overtrick.archives import UNREADABLE, arrays
from overtrick.nets.features import PLAIN_WIDTH, VERSIONS, FeatureVersion
from overtrick.nets.inference import models
from overtrick_lab.training import onnx_graph
from overtrick_lab.training.data import DataError, save_atomically
from overtrick_lab.training.lineage import in_full, told_once

Params = tuple[tuple[Array, Array], ...]

ACTIVATIONS = {"relu": jax.nn.relu, "gelu": jax.nn.gelu}
ILLEGAL = -1e9
WHISPER = 1e-3
"""How loud a new layer begins, beside an ordinary one."""


@dataclass(frozen=True, slots=True)
class NetworkCard:
    """What a network file says about itself."""

    kind: str
    """policy, allowed (the calls of a written system), critic, belief or tricks."""
    features: str
    """The feature version its input has (nets.features), or the critic's own description."""
    activation: str = "relu"
    """relu or gelu."""
    made_by: dict[str, Any] = field(default_factory=dict)
    """Recipe, settings and results: enough to make it again (`lineage`)."""


def init(key: Array, inputs: int, outputs: int, width: int, layers: int = 4) -> Params:
    """Random weights (He), a nearly silent last layer."""
    sizes = [inputs, *[width] * layers, outputs]
    params = []
    for place, layer_key in enumerate(jax.random.split(key, layers + 1)):
        scale = np.sqrt(2 / sizes[place]) if place < layers else 0.01
        weight = scale * jax.random.normal(layer_key, (sizes[place], sizes[place + 1]))
        params.append((weight, jnp.zeros(sizes[place + 1])))
    return tuple(params)


def forward(params: Params, inputs: Array, activation: str = "relu") -> Array:
    """[n, inputs] to [n, outputs], float32."""
    act = ACTIVATIONS[activation]
    half = jnp.bfloat16 if jax.default_backend() != "cpu" else jnp.float32
    hidden = inputs.astype(half)
    for place, (weight, bias) in enumerate(params[:-1]):
        new = act(hidden @ weight.astype(half) + bias.astype(half))
        hidden = new if place == 0 else hidden + new
    weight, bias = params[-1]
    return hidden.astype(jnp.float32) @ weight.astype(jnp.float32) + bias.astype(jnp.float32)


def logits(params: Params, observation: Array, legal: Array, activation: str = "relu") -> Array:
    """[n, 38] with illegal calls far below."""
    return jnp.where(legal, forward(params, observation, activation), ILLEGAL)


def permitted(params: Params, observation: Array, legal: Array, activation: str = "relu") -> Array:
    """[n, 38]: the calls a written system allows, as its network sees it; never none."""
    scores = logits(params, observation, legal, activation)
    return legal & (scores >= jnp.minimum(scores.max(axis=1, keepdims=True), 0.0))


def widen(params: Params, old: FeatureVersion, new: FeatureVersion) -> Params:
    """The same network for features that know more systems; their bits start without effect."""
    weight, bias = params[0]
    wide = jnp.zeros((new.width, weight.shape[1]), weight.dtype)
    wide = wide.at[:PLAIN_WIDTH].set(weight[:PLAIN_WIDTH])
    known = min(old.systems, new.systems)
    for side in range(2):
        at, was = PLAIN_WIDTH + side * new.systems, PLAIN_WIDTH + side * old.systems
        wide = wide.at[at : at + known].set(weight[was : was + known])
    return ((wide, bias), *params[1:])


def form(params: Params) -> tuple[int, int]:
    """Units of a hidden layer, and how many hidden layers there are."""
    return int(params[0][0].shape[1]), len(params) - 1


def grow(params: Params, width: int, layers: int, key: Array | None = None) -> Params:
    """A network of more units and layers that computes the same; never a smaller one.

    With a key it can learn with what is new: units that hear everybody and are not heard yet, and
    residual layers that say next to nothing (weights of zero would never wake up behind a ReLU).
    Without one what is new stays silent: the same network beside larger ones.
    """
    units, deep = form(params)
    width, layers = max(width, units), max(layers, deep)
    silent = [(jnp.zeros((units, units)), jnp.zeros(units))] * (layers - deep)
    known = [*params[:-1], *silent, params[-1]]
    keys = jax.random.split(key, layers) if key is not None else None
    grown = []
    for place, (weight, bias) in enumerate(known):
        inputs = weight.shape[0] if place == 0 else width
        outputs = bias.shape[0] if place == layers else width
        wide = jnp.zeros((inputs, outputs)).at[: weight.shape[0], : weight.shape[1]].set(weight)
        if keys is not None and place < layers:
            drawn = jax.random.normal(keys[place], wide.shape)
            if place < deep:  # as loud as the units that are there
                wide = wide.at[:, units:].set(weight.std() * drawn[:, units:])
            else:
                wide = WHISPER * np.sqrt(2 / width) * drawn
        grown.append((wide, jnp.zeros(outputs).at[: bias.shape[0]].set(bias)))
    return tuple(grown)


def save(path: Path, params: Params, card: NetworkCard) -> None:
    """Half-precision weights and the card, written whole or not at all."""
    told = asdict(card) | {"made_by": told_once(card.made_by)}
    arrays: dict[str, np.ndarray] = {"card": np.array(json.dumps(told))}
    for place, (weight, bias) in enumerate(params):
        arrays[f"w{place}"] = np.asarray(weight, dtype=np.float16)
        arrays[f"b{place}"] = np.asarray(bias, dtype=np.float16)
    save_atomically(path, **arrays)


def load(path: Path, kind: str) -> tuple[Params, NetworkCard]:
    """A network of that kind; anything else is one clear DataError.

    An exported policy or belief, or the name of a shipped one, will do as well: what its 8 bits
    have lost is soon learned again.
    """
    shipped = models().get(str(path))
    if shipped is not None or path.suffix == ".onnx":
        return _exported(shipped or path, kind)
    try:
        stored = arrays(path)
        told = NetworkCard(**json.loads(str(stored.pop("card"))))
        card = replace(told, made_by=in_full(told.made_by))
    except (*UNREADABLE, TypeError) as error:
        raise DataError(f"{path} is not a network file: {error}") from None
    _checked(path, card, kind)
    layers = len(stored) // 2
    params = tuple(
        (jnp.asarray(stored[f"w{i}"], jnp.float32), jnp.asarray(stored[f"b{i}"], jnp.float32))
        for i in range(layers)
    )
    return params, card


def _checked(path: Path, card: NetworkCard, kind: str) -> None:
    if card.kind != kind:
        raise DataError(f"{path} is a {card.kind} network, not a {kind} network")
    if kind in ("policy", "allowed", "belief") and card.features not in VERSIONS:
        known = ", ".join(VERSIONS)
        raise DataError(f"{path} sees features {card.features!r}; this version has {known}")


def _exported(path: Path, kind: str) -> tuple[Params, NetworkCard]:
    """A network from its ONNX file, with what the card beside it says."""
    try:
        import onnx

        model = onnx.load(str(path))
        layers = onnx_graph.layers_of(model)
    except ImportError:
        raise DataError(f"{path.name} needs onnx: pip install 'overtrick-lab[train]'") from None
    except Exception as error:  # protobuf raises its own classes
        raise DataError(f"{path} is not a network file: {error}") from None
    told = {entry.key: entry.value for entry in model.metadata_props}
    beside = path.with_suffix(".json")
    about = json.loads(beside.read_text(encoding="utf-8")) if beside.is_file() else {}
    card = NetworkCard(
        told.get("kind", "nameless"),
        told.get("features", ""),
        about.get("activation", "relu"),
        in_full(about.get("made_by", {})),
    )
    _checked(path, card, kind)
    if kind == "tricks":
        raise DataError(f"{path.name}: a tricks network is read from its npz, not from ONNX")
    return tuple((jnp.asarray(weight), jnp.asarray(bias)) for weight, bias in layers), card
