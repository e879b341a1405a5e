"""Networks at the table: ONNX files with a card, run by onnxruntime in batches.
`training.export` writes the files.

A file's metadata say what it is: `kind`, `features` (their version) and `name`. The kinds:
    policy   observation [n, width] → logits [n, 38]
    belief   observation [n, width] → logits [n, 52 cards, 3 players: LHO, partner, RHO]
    tricks   hands [n, 208] (N E S W, cards in observation order) → logits [n, strain, declarer, 14]
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from overtrick.game import OptionError
from overtrick.nets.features import EncodingError, FeatureVersion, feature_version, legal_calls

Floats = NDArray[np.float32]
_BATCH: Final = 2048  # rows a call: large enough to be fast, small enough for the cache


class NetworkError(OptionError):
    """A network that is missing, damaged, or of another version."""


@dataclass(frozen=True, slots=True)
class Network:
    """One loaded network; `rows` in, numbers out."""

    name: str
    kind: str
    features: str
    path: str
    _session: Any = field(repr=False, compare=False)
    _input: str = field(repr=False, compare=False)
    _floats: bool = field(repr=False, compare=False)

    def run(self, rows: NDArray[np.uint8]) -> Floats:
        """All rows through the network, in batches."""
        if len(rows) <= _BATCH:
            return self._once(rows)
        parts = [self._once(rows[i : i + _BATCH]) for i in range(0, len(rows), _BATCH)]
        return np.concatenate(parts)

    def _once(self, rows: NDArray[np.uint8]) -> Floats:
        fed = rows.astype(np.float32) if self._floats else np.ascontiguousarray(rows)
        (out,) = self._session.run(None, {self._input: fed})
        found: Floats = out
        return found

    @property
    def version(self) -> FeatureVersion:
        return feature_version(self.features)

    def call_probabilities(self, observations: NDArray[np.uint8]) -> Floats:
        """For a policy: the probability of each of the 38 calls, illegal ones exactly 0."""
        logits = self.run(observations)
        return softmax(np.where(legal_calls(observations), logits, -np.inf))


def softmax(logits: Floats) -> Floats:
    """Along the last axis, without overflow."""
    top = logits - logits.max(axis=-1, keepdims=True)
    powers = np.exp(top)
    found: Floats = powers / powers.sum(axis=-1, keepdims=True)
    return found


@cache
def models() -> Mapping[str, Path]:
    """The networks shipped in the package, by name."""
    folder = Path(str(files("overtrick.nets"))) / "models"
    return MappingProxyType({p.stem: p for p in sorted(folder.glob("*.onnx"))})


def network(name: str, kind: str, threads: int = 1) -> Network:
    """A shipped network by name, or any .onnx file by path; it must be of that kind.

    It is loaded once in a process, and again when its file has changed.
    """
    path = name if name.endswith(".onnx") else models().get(name, "")
    try:
        about = os.stat(path)
    except OSError:
        known = ", ".join(models()) or "none are shipped in this installation"
        raise NetworkError(f"no network {name!r} ({known})") from None
    return _loaded(Path(path), kind, threads, (about.st_mtime_ns, about.st_size, about.st_ino))


@lru_cache(maxsize=16)
def _loaded(path: Path, kind: str, threads: int, stamp: tuple[int, int, int]) -> Network:
    del stamp  # only there to tell a new file of the same name from the old one
    session = _session(path, threads)
    found = session.get_modelmeta().custom_metadata_map
    if found.get("kind") != kind:
        raise NetworkError(f"{path.name} is a {found.get('kind', 'nameless')} network, not {kind}")
    try:
        feature_version(found.get("features", ""))
    except EncodingError as error:
        if kind != "tricks":  # it sees hands only
            raise NetworkError(f"{path.name}: {error}") from None
    wanted = session.get_inputs()[0]
    return Network(
        found.get("name", path.stem),
        kind,
        found.get("features", ""),
        str(path),
        session,
        wanted.name,
        "float" in wanted.type,
    )


@cache
def installed() -> bool:
    """Is there anything to run networks with? For engines that can do without."""
    return find_spec("onnxruntime") is not None


def _session(path: Path, threads: int) -> Any:
    try:
        import onnxruntime
    except ImportError:
        raise NetworkError("networks need onnxruntime: pip install 'overtrick[nn]'") from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime raises its own, undocumented classes
        first = str(error).splitlines()[0]
        raise NetworkError(f"{path.name} cannot be read as a network: {first}") from None
