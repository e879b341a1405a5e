"""A tree of one's own from a file: the paper's Figure 9 studied, and files that are no trees."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from overtrick.cli import main
from overtrick.game.errors import BridgeError
from overtrick_lab.papers.frank1998 import own


def test_the_command_studies_a_tree(tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("title: Mine\na( b[x=11100 y=00011] c[00111 11000] )\n", encoding="utf-8")
    words = ["reproduce", "frank1998", "--tree", str(file), "--out", str(tmp_path / "out")]
    found = CliRunner().invoke(main, words)
    assert found.exit_code == 0, found.output
    assert "Against best defence MAX gets 2/5 in 5 worlds; 1 if both sides saw all." in found.output
    assert "Best: b → y, c → 1." in found.output
    assert "Non-locality at b" in found.output
    assert (tmp_path / "out" / "mine.svg").read_text(encoding="utf-8").startswith("<svg")
    plain = json.loads(CliRunner().invoke(main, [*words, "--json"]).output)
    assert plain["best defence"] == "2/5"
    assert [one["achieves"] for one in plain["algorithms"]][-1] == "2/5"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"x[1", "ends inside the tree"),
        (b"\xff\xfe\x00[", "no text"),
        (b"a( b[1 0] <1/2: 1 1/2: 0> )", "same kinds of move"),
        (b"[" * 200, "more than 100 moves"),
        (b"1" * 1_000_001, "bytes"),
    ],
)
def test_what_is_no_tree_is_one_line(tmp_path: Path, content: bytes, message: str) -> None:
    file = tmp_path / "bad.txt"
    file.write_bytes(content)
    with pytest.raises(BridgeError, match=message):
        own.read(file)


def test_an_extensive_form_is_laid_out_flat(tmp_path: Path) -> None:
    file = tmp_path / "form.txt"
    file.write_text("< 1/3: x@s[1 0]  2/3: y@s[0 1] >", encoding="utf-8")
    found = own.study(own.read(file))
    assert found["best defence"] == "2/3"
    assert found["strategy"] == {"s": "2"}
