"""The page that is shipped is the one its source builds: the same bytes, from exact versions."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

WEB = Path(__file__).parents[2] / "web"
STATIC = WEB.parent / "src/overtrick/web/static"


def test_versions_are_exact() -> None:
    wanted = json.loads((WEB / "package.json").read_text())["devDependencies"]
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in wanted.values())


def test_the_build_is_what_is_shipped(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None or not (WEB / "node_modules/esbuild").is_dir():
        pytest.skip("needs Node and `npm install` in web/")
    built = subprocess.run(
        [node, "build.mjs"], cwd=WEB, env={**os.environ, "OUT": str(tmp_path)}, check=False,
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert built.returncode == 0, built.stderr
    names = {p.name for p in STATIC.iterdir()}
    assert {p.name for p in tmp_path.iterdir()} == names
    for name in sorted(names):
        assert (tmp_path / name).read_bytes() == (STATIC / name).read_bytes(), (
            f"run make web: {name}"
        )


def test_nothing_is_fetched_from_elsewhere() -> None:
    """Works offline: no address of another host in what is shipped, but for names and licences."""
    for name in ("index.html", "app.js", "style.css"):
        text = (STATIC / name).read_text()
        hosts = set(re.findall(r"https?://([\w.-]+)", text))
        assert hosts <= {"www.w3.org", "www.bridgebase.com"}, name
