"""Networks as ONNX graphs: the perceptrons and the tricks network, layer by layer.
Needs onnx, neither torch nor JAX.

Inputs are bits (uint8) and are cast inside, so that a batch is small on its way to the runtime.
Weights may be stored in half precision: the runtime widens them once, when it loads the file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Layers = Sequence[tuple[NDArray[np.float32], NDArray[np.float32]]]

OPSET: Final = 17
IR_VERSION: Final = 9
FIXED_LAYERS: Final = 6
"""Of the tricks network: embedding, suit block, U, V, join, head; others are strain blocks."""
SIDE: Final = np.concatenate([1 - np.eye(4), np.ones((1, 4))]).astype(np.float32)
"""SIDE[t, s]: suit s is a side suit when t is trumps (row 4: no-trumps)."""


class Graph:
    """Nodes and constants in the order in which they are asked for."""

    def __init__(self, half: bool = False) -> None:
        self.half = half
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self._named = 0

    def name(self, what: str) -> str:
        self._named += 1
        return f"{what}_{self._named}"

    def node(self, operation: str, inputs: Sequence[str], **attributes: Any) -> str:
        from onnx import helper

        out = self.name(operation.lower())
        self.nodes.append(helper.make_node(operation, list(inputs), [out], name=out, **attributes))
        return out

    def constant(self, values: NDArray[Any], what: str = "constant") -> str:
        from onnx import numpy_helper

        name = self.name(what)
        self.constants.append(numpy_helper.from_array(values, name))
        return name

    def weights(self, values: NDArray[np.float32], what: str) -> str:
        """A constant of floats, widened from half precision if the graph stores that."""
        if not self.half:
            return self.constant(values.astype(np.float32), what)
        return self.floats(self.constant(values.astype(np.float16), what))

    def floats(self, source: str) -> str:
        from onnx import TensorProto

        return self.node("Cast", [source], to=TensorProto.FLOAT)

    def dense(self, source: str, layer: tuple[NDArray[np.float32], NDArray[np.float32]]) -> str:
        product = self.node("MatMul", [source, self.weights(layer[0], "w")])
        return self.node("Add", [product, self.weights(layer[1], "b")])

    def activate(self, source: str, activation: str) -> str:
        if activation == "relu":
            return self.node("Relu", [source])
        return self._gelu(source)

    def _gelu(self, source: str) -> str:
        """JAX's gelu: the one with tanh, x/2 · (1 + tanh(√(2/π) (x + 0.044715 x³)))."""

        def number(value: float) -> str:
            return self.constant(np.array(value, np.float32))

        cube = self.node("Mul", [self.node("Mul", [source, source]), source])
        inner = self.node("Add", [source, self.node("Mul", [cube, number(0.044715)])])
        bent = self.node("Tanh", [self.node("Mul", [inner, number(float(np.sqrt(2 / np.pi)))])])
        half = self.node("Mul", [source, number(0.5)])
        return self.node("Mul", [half, self.node("Add", [bent, number(1.0)])])

    def reshape(self, source: str, shape: Sequence[int]) -> str:
        return self.node("Reshape", [source, self.constant(np.array(shape, np.int64))])

    def model(self, inputs: int, output: str, shape: Sequence[int], card: Mapping[str, str]) -> Any:
        """The whole model: `bits` [n, inputs] in, `logits` [n, *shape] out, the card inside."""
        from onnx import TensorProto, checker, helper

        self.nodes.append(helper.make_node("Identity", [output], ["logits"]))
        graph = helper.make_graph(
            self.nodes,
            card["name"],
            [helper.make_tensor_value_info("bits", TensorProto.UINT8, ["n", inputs])],
            [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["n", *shape])],
            self.constants,
        )
        model = helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", OPSET)], producer_name="overtrick"
        )
        model.ir_version = IR_VERSION
        helper.set_model_props(model, dict(card))
        checker.check_model(model)
        return model


def layers_of(model: Any) -> list[tuple[NDArray[np.float32], NDArray[np.float32]]]:
    """The layers of a perceptron's graph, whatever its precision; what 8 bits have lost is lost."""
    from onnx import numpy_helper

    stored = {w.name: numpy_helper.to_array(w) for w in model.graph.initializer}
    for name in [n.removesuffix("_quantized") for n in stored if n.endswith("_quantized")]:
        whole = stored[f"{name}_quantized"].astype(np.float32) - stored[f"{name}_zero_point"]
        stored[name] = whole * stored[f"{name}_scale"]
    for name in [n.removesuffix("_half") for n in stored if n.endswith("_half")]:
        stored[name] = stored[f"{name}_half"]

    def numbered(what: str) -> list[NDArray[np.float32]]:
        found = {int(n[2:]): n for n in stored if n.startswith(f"{what}_") and n[2:].isdigit()}
        return [stored[found[at]].astype(np.float32) for at in sorted(found)]

    return list(zip(numbered("w"), numbered("b"), strict=True))


def half_head(model: Any) -> Any:
    """The same model, the weights of its last product in half precision and widened when loaded."""
    from onnx import TensorProto, checker, helper, numpy_helper

    last = [node for node in model.graph.node if node.op_type == "MatMul"][-1]
    stored = next(w for w in model.graph.initializer if w.name == last.input[1])
    values = numpy_helper.to_array(stored)
    if values.dtype != np.float32:
        return model
    half = f"{stored.name}_half"
    stored.CopyFrom(numpy_helper.from_array(values.astype(np.float16), half))
    wide = last.input[1]
    place = list(model.graph.node).index(last)
    cast = helper.make_node("Cast", [half], [wide], name=f"{wide}_widened", to=TensorProto.FLOAT)
    model.graph.node.insert(place, cast)
    checker.check_model(model)
    return model


def perceptron(
    layers: Layers, activation: str, card: Mapping[str, str], *, half: bool = False
) -> Any:
    """Hidden layers with residual adds from the second on, then a plain one (network.forward)."""
    graph = Graph(half)
    hidden = graph.floats("bits")
    for place, layer in enumerate(layers[:-1]):
        new = graph.activate(graph.dense(hidden, layer), activation)
        hidden = new if place == 0 else graph.node("Add", [hidden, new])
    outputs = layers[-1][1].shape[0]
    logits = graph.dense(hidden, layers[-1])
    shape = [outputs]
    if card["kind"] == "belief":
        shape = [outputs // 3, 3]
        logits = graph.reshape(logits, [-1, *shape])
        if card["form"] == "cards":  # log σ(x) = −softplus(−x): its softmax is the σ(x), normalised
            logits = graph.node("Neg", [graph.node("Softplus", [graph.node("Neg", [logits])])])
    return graph.model(layers[0][0].shape[0], logits, shape, card)


def trick_tables(
    layers: Layers, activation: str, card: Mapping[str, str], *, half: bool = False
) -> Any:
    """Five strains, each trump suit meeting its side suits (trick_network.forward)."""
    graph = Graph(half)
    act = activation
    deals = graph.reshape("bits", [-1, 4, 13, 4])
    suits = graph.reshape(graph.node("Transpose", [deals], perm=[0, 3, 1, 2]), [-1, 4, 52])
    floats = graph.floats(suits)
    # No-trumps is a fifth, empty suit.
    empty = graph.node("Pad", [floats, graph.constant(np.array([0, 0, 0, 0, 1, 0], np.int64))])
    suit = graph.activate(graph.dense(empty, layers[0]), act)
    suit = graph.node("Add", [suit, graph.activate(graph.dense(suit, layers[1]), act)])
    real = graph.node(
        "Slice",
        [suit, *(graph.constant(np.array([v], np.int64)) for v in (0, 4, 1))],
    )
    width = layers[2][0].shape[1]
    trump = graph.reshape(graph.dense(suit, layers[2]), [-1, 5, 1, width])
    side = graph.reshape(graph.dense(real, layers[3]), [-1, 1, 4, width])
    meet = graph.activate(graph.node("Add", [trump, side]), act)
    meet = graph.node("Mul", [meet, graph.constant(SIDE[None, :, :, None])])
    pairs = graph.node("ReduceSum", [meet, graph.constant(np.array([2], np.int64))], keepdims=0)
    joined = graph.node("Concat", [suit, pairs], axis=2)
    strain = graph.activate(graph.dense(joined, layers[4]), act)
    for layer in layers[FIXED_LAYERS - 1 : -1]:
        new = graph.activate(graph.dense(strain, layer), act)
        strain = graph.node("Add", [strain, new])
    logits = graph.reshape(graph.dense(strain, layers[-1]), [-1, 5, 4, 14])
    return graph.model(208, logits, [5, 4, 14], card)
