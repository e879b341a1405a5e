"""`overtrick convert` from the outside: files, pipes, links, exit codes."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner, Result

from overtrick.cli import main
from overtrick.notation import load, to_url

GOLDEN = Path(__file__).parent.parent / "golden" / "notation"
SPEC = str(GOLDEN / "spec_example.pbn")


def convert(*arguments: str, given: bytes | None = None) -> Result:
    return CliRunner().invoke(main, ["convert", *arguments], input=given)


def test_files(tmp_path: Path) -> None:
    lin, pbn = tmp_path / "a.lin", tmp_path / "b.pbn"
    assert convert(SPEC, str(lin)).exit_code == 0
    assert convert(str(lin), str(pbn)).exit_code == 0
    once, again = load(SPEC)[0], load(pbn)[0]
    assert (again.deal, again.auction, again.play) == (once.deal, once.auction, once.play)
    assert again.call_notes == once.call_notes


def test_pipes_and_links() -> None:
    assert convert("-", given=Path(SPEC).read_bytes()).output == Path(SPEC).read_text()
    url = to_url(load(SPEC)[0])
    assert '[Contract "5HX"]' in convert(url).output
    assert convert(SPEC, "--to", "url").output.strip() == url
    assert "♦ AKQ987" in convert(SPEC, "--to", "text").output
    assert "<svg" in convert(SPEC, "--to", "html").output


def test_json() -> None:
    found = json.loads(convert(SPEC, "--json").output)
    assert found["records"][0]["contract"] == "5HX S"
    assert found["records"][0]["score"] == -300
    assert found["warnings"] == []


def test_mistakes(tmp_path: Path) -> None:
    features = str(GOLDEN / "features.pbn")
    assert "warning: line 5: no earlier Site to repeat" in convert(features).stderr
    strict = convert(features, str(tmp_path / "x.pbn"), "--strict")
    assert strict.exit_code == 1
    assert not (tmp_path / "x.pbn").exists()
    missing = convert("nosuch.pbn")
    assert missing.exit_code == 2
    assert missing.stderr.startswith("error: there is no file 'nosuch.pbn'")
    assert convert("-", given=b"hello").exit_code == 2
    assert convert(SPEC, "x.doc").exit_code == 2
    assert convert(SPEC, "--to", "openspiel").exit_code == 0
    part = convert(features, "--to", "openspiel")
    assert part.exit_code == 2
    assert "a trajectory needs all four hands" in part.stderr
