"""Archives that claim more than they are: refused in one line, before anything is unpacked."""

from __future__ import annotations

import ast
import gzip
import io
import lzma
import random
import struct
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import overtrick
from overtrick.archives import ArchiveError, arrays, expanded, members
from overtrick.game import BridgeError
from overtrick.nets.contract import paper_nets
from overtrick.nets.table_tricks import table_tricks
from overtrick.notation.solved import SolvedDeals
from overtrick.notation.streaming import stream
from overtrick_lab.training import data, export, leads, lessons
from overtrick_lab.uncontested.nodes import build
from overtrick_lab.uncontested.shipped import ModelError, model

SOURCE = Path(overtrick.__file__).parent
TRUE = {"owners": np.zeros((3, 13), np.uint8), "tricks": np.zeros((3, 5, 4), np.uint8)}


def header(shape: str, kind: str = "|u1") -> bytes:
    text = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}"
    text += " " * (-(len(text) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode()


def bundle(path: Path, **parts: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in parts.items():
            file.writestr(f"{name}.npy", content)
    return path


def bomb(path: Path) -> Path:
    """A few kilobytes that say they are many megabytes of owners, and are."""
    rows = 1_000_000
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        with file.open("owners.npy", "w", force_zip64=True) as part:
            part.write(header(f"({rows}, 13)"))
            for _ in range(rows * 13 // (1 << 20)):
                part.write(bytes(1 << 20))
            part.write(bytes(rows * 13 % (1 << 20)))
        file.writestr("tricks.npy", header("(0, 5, 4)"))
    return path


def astronomical(path: Path) -> Path:
    """A header of ten million million rows, and no rows."""
    return bundle(path, owners=header("(10000000000000, 13)"), tricks=header("(0, 5, 4)"))


def nothing_each(path: Path) -> Path:
    """Very many rows of no length."""
    return bundle(path, owners=header("(10000000000000,)", "|S0"), tricks=header("(0, 5, 4)"))


def objects(path: Path) -> Path:
    return bundle(path, owners=header("(1,)", "|O") + b"x" * 8, tricks=header("(0, 5, 4)"))


def overlapping(path: Path) -> Path:
    """Every part of the list is the same bytes."""
    content = header("(1048512,)") + bytes(1 << 20)
    bundle(path, owners=content[: 1 << 20])
    raw = path.read_bytes()
    at = raw.index(b"PK\x01\x02")
    entry, end = raw[at : raw.index(b"PK\x05\x06")], raw[raw.index(b"PK\x05\x06") :]
    many = b"".join(entry.replace(b"owners", b"%06d" % i) for i in range(3000))
    end = end[:8] + struct.pack("<HHL", 3000, 3000, len(many)) + end[16:]
    path.write_bytes(raw[:at] + many + end)
    return path


def not_deflated(path: Path) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_BZIP2) as file:
        file.writestr("owners.npy", header("(0, 13)"))
    return path


def up_and_away(path: Path) -> Path:
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("../owners.npy", header("(0, 13)"))
    return path


def one_array(path: Path) -> Path:
    with path.open("wb") as file:
        np.save(file, np.zeros(3))
    return path


BAD = (
    bomb, astronomical, nothing_each, objects, overlapping, not_deflated, up_and_away, one_array,
)  # fmt: skip


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """What any archive may unpack to is a megabyte here, so that bombs may be small."""
    monkeypatch.setattr("overtrick.archives._ALWAYS", 1 << 20)


@pytest.mark.parametrize("make", BAD)
def test_what_no_file_of_ours_is(make: Callable[[Path], Path], tmp_path: Path) -> None:
    path = make(tmp_path / "some.npz")
    with pytest.raises(ArchiveError) as refused:
        arrays(path)
    assert "\n" not in str(refused.value)


def test_no_room_is_made_for_rows_that_are_not_there(tmp_path: Path) -> None:
    """A header of 64 megabytes, and no rows: nothing is allocated before it is refused."""
    path = bundle(tmp_path / "some.npz", owners=header(f"({1 << 26},)"))
    tracemalloc.start()
    try:
        with pytest.raises(ArchiveError):
            arrays(path)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 1 << 23


@pytest.mark.parametrize(
    "reader",
    [
        SolvedDeals.load, lambda p: paper_nets(str(p)), lambda p: table_tricks(str(p)),
        lambda p: model(str(p)), export.read, leads.read_leads, lessons.read,
        data.read_auctions,
    ],
)  # fmt: skip
@pytest.mark.parametrize("make", [astronomical, one_array])
def test_every_reader_refuses_in_one_line(
    reader: Callable[[Path], object], make: Callable[[Path], Path], tmp_path: Path
) -> None:
    path = make(tmp_path / "some.npz")
    with pytest.raises(BridgeError) as refused:
        reader(path)
    assert "\n" not in str(refused.value)


def test_sound_files_are_read_as_they_were(tmp_path: Path) -> None:
    path = tmp_path / "deals.npz"
    np.savez_compressed(path, **TRUE, card=np.array("words"), none=np.zeros((0, 4), np.float32))
    found = arrays(path)
    assert sorted(found) == ["card", "none", "owners", "tricks"]
    assert str(found["card"]) == "words"
    assert list(arrays(path, "owners", "other")) == ["owners"]
    assert len(SolvedDeals.load(path)) == 3
    zeros = tmp_path / "zeros.npz"  # much longer than its file, and still small
    np.savez_compressed(zeros, zeros=np.zeros(1_000_000, np.uint8))
    assert arrays(zeros)["zeros"].nbytes > 500 * zeros.stat().st_size


def test_what_ships_is_read() -> None:
    found = [*SOURCE.rglob("*.npz"), *(SOURCE.parents[1] / "lab" / "src").rglob("*.npz")]
    assert len(found) > 6
    for path in found:
        assert arrays(path)


def test_damage_is_one_kind_of_error(tmp_path: Path) -> None:
    """Whatever bytes are changed: arrays, or an ArchiveError."""
    written = io.BytesIO()
    np.savez_compressed(written, **TRUE, card=np.array("words"))
    whole, rng, refused = written.getvalue(), random.Random(5), 0
    for _ in range(1500):
        damaged = bytearray(whole)
        for _ in range(rng.choice((1, 1, 2, 8))):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        cut = damaged[: rng.choice((len(damaged), rng.randrange(len(damaged))))]
        try:
            arrays(io.BytesIO(bytes(cut)))
        except ArchiveError:
            refused += 1
    assert refused > 500


def test_packed_texts_have_an_end() -> None:
    text = b"some words " * 1000
    assert expanded(gzip.compress(text)) == text
    assert expanded(lzma.compress(text)) == text
    zeros = bytes(4 << 20)
    for made in (gzip.compress(zeros, 6), lzma.compress(zeros, preset=0)):
        with pytest.raises(ArchiveError, match="longer than its size explains"):
            expanded(made)
        with pytest.raises(ArchiveError, match="cut off"):
            expanded(gzip.compress(text)[:-9])
    with pytest.raises(ArchiveError):
        expanded(b"plain words")


def test_a_packed_file_read_in_pieces_has_an_end(tmp_path: Path) -> None:
    """As many empty lines as one likes are a small file; they are not read for ever."""
    path = tmp_path / "boards.pbn.gz"
    with gzip.open(path, "wb", compresslevel=6) as file:
        file.write(b'[Board "1"]\n\n')
        file.write(b"\n" * (4 << 20))
    with pytest.raises(ArchiveError, match="longer than its size explains"):
        list(stream(path))
    path.write_bytes(gzip.compress(b'[Board "1"]\n\n[Board "2"]\n'))
    assert [r.number for r in stream(path)] == [1, 2]
    path.write_bytes(path.read_bytes()[:-12])
    with pytest.raises(ArchiveError, match="cannot be unpacked"):
        list(stream(path))


def test_members_of_a_bundle(tmp_path: Path) -> None:
    path = bundle(tmp_path / "some.zip", b=b"2", a=b"1")
    assert list(members(path)) == [("a.npy", b"1"), ("b.npy", b"2")]
    with pytest.raises(ArchiveError):
        list(members(bomb(tmp_path / "bomb.zip")))


def test_models_do_not_grow_out_of_a_small_file(tmp_path: Path) -> None:
    path = tmp_path / "tree.npz"
    np.savez(path, format=np.array(2), kind=np.array("tree"), shape=np.array("tree"),
             size=np.array([36, 36]), weights=np.zeros((2, 2)))  # fmt: skip
    with pytest.raises(ModelError, match="too many nodes"):
        model(str(path))
    assert len(build("tree", 5, 5)) == 781


def test_arrays_are_opened_in_one_place() -> None:
    """`np.load` would believe what a file says of itself; so would zipfile, gzip and lzma."""
    openers = {
        ("np", "load"), ("numpy", "load"), ("zipfile", "ZipFile"), ("tarfile", "open"),
        ("gzip", "decompress"), ("gzip", "open"), ("lzma", "decompress"), ("lzma", "open"),
        ("bz2", "decompress"), ("zlib", "decompress"), ("pickle", "load"), ("pickle", "loads"),
        ("np", "fromfile"), ("np", "memmap"), ("shutil", "unpack_archive"),
    }  # fmt: skip
    found = set()
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and isinstance(node.func.value, ast.Name)
                and (node.func.value.id, node.func.attr) in openers
                and not any(isinstance(a, ast.Constant) and a.value in ("w", "w:gz")
                            for a in node.args)
            ):  # fmt: skip
                found.add(str(path.relative_to(SOURCE)))
    assert found == {"archives.py"}
