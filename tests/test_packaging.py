"""What a release is made of: one version number, the libraries that were checked, all files."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest

import overtrick
import overtrick_lab
from benchmarks.reach import beyond, modules

ROOT = Path(__file__).parents[1]
LIB = ROOT / "src" / "overtrick" / "doubledummy" / "lib"


def test_one_version_number() -> None:
    cited = re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)
    assert cited is not None
    assert cited[1] == overtrick.__version__
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    released = re.search(r"^## (\d\S*)", changes, re.MULTILINE)  # what is not yet stands above
    assert released is not None
    assert released[1] == overtrick.__version__
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert 'version = { attr = "overtrick.__version__" }' in project
    lab = tomllib.loads((ROOT / "lab" / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert overtrick_lab.__version__ == overtrick.__version__
    assert lab["dependencies"] == [f"overtrick[nn]=={overtrick.__version__}"]


def test_the_conda_recipe_asks_for_the_same_packages() -> None:
    recipe = (ROOT / "packaging" / "conda" / "meta.yaml").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f'"{overtrick.__version__}"' in recipe
    assert f"python {project['requires-python']}" in recipe
    needed = [*project["dependencies"]]
    needed += [n for extra in ("nn", "web") for n in project["optional-dependencies"][extra]]
    for need in needed:
        name, bounds = re.fullmatch(r"([a-z]+)(\S+)", need).groups()  # type: ignore[union-attr]
        assert f"    - {'msgspec-python' if name == 'msgspec' else name} {bounds}\n" in recipe, need


def test_the_solver_is_the_one_that_is_described() -> None:
    text = (LIB / "README.md").read_text(encoding="utf-8")
    told = dict(re.findall(r"^\| (\S+) \| \S+ \| ([0-9a-f]{64}) \|", text, re.MULTILINE))
    found = {p.parent.name: sha256(p.read_bytes()).hexdigest() for p in LIB.glob("*/*dds*")}
    assert found == told
    assert len(found) == 5


def test_ci_is_make_test() -> None:
    """Whatever the workflows do can be done at home by the same words."""
    commands = [c for text in workflows() for c in re.findall(r"- run: (make \w+)", text)]
    assert commands[:3] == ["make test", "make fuzz", "make papers"]
    assert {"make audit", "make sbom", "make slow", "make attack", "make guided"} <= set(commands)
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert {c.removeprefix("make ") for c in commands} <= set(targets)


def workflows() -> list[str]:
    folder = ROOT / ".github" / "workflows"
    names = ["test.yml", *sorted(p.name for p in folder.glob("*.yml") if p.name != "test.yml")]
    return [(folder / name).read_text() for name in names]


def test_actions_are_named_by_commit_and_may_do_little() -> None:
    for text in workflows():
        used = re.findall(r"uses: (\S+)(.*)", text)
        assert used
        for action, comment in used:
            assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", action), action
            assert re.fullmatch(r" # v[\d.]+", comment), action
        assert re.search(r"^permissions:\n  contents: read$", text, re.MULTILINE)
        assert "pull_request_target" not in text
        for line in re.findall(r"run: (.*)", text):  # names of branches and tags are data
            assert set(re.findall(r"\$\{\{ (\S+) \}\}", line)) <= {"matrix.python"}


def test_images_and_servers_use_what_is_locked() -> None:
    image = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
    for line in re.findall(r"pip install[^&\n]*", image):
        assert "--require-hashes" in line or "--no-index" in line, line
    lock = (ROOT / "requirements.lock").read_text()
    locked = dict(re.findall(r"^([\w-]+)==([\d.]+)", lock, re.MULTILINE))
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for name in ("starlette", "uvicorn", "websockets"):
        found = re.search(rf'"{name}>=([\d.]+),<([\d.]+)"', project)
        assert found is not None, f"{name} has no upper bound"
        low, high, ours = ([int(n) for n in v.split(".")] for v in (*found.groups(), locked[name]))
        assert low <= ours < high
    for text in (lock, (ROOT / "requirements-build.lock").read_text()):
        for entry in re.split(r"\n(?=\w)", text)[1:]:
            assert "--hash=sha256:" in entry, entry


def test_the_core_needs_four_packages() -> None:
    """Nothing outside of the extras is imported by what a plain install can do."""
    code = (
        "import sys\n"
        "class Gone:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.partition('.')[0] in {'matplotlib', 'PIL', 'fontTools', 'endplay', 'jax',"
        " 'onnxruntime', 'starlette', 'mcp', 'ray'}:\n"
        "            raise ModuleNotFoundError(f'No module named {name!r}', name=name)\n"
        "sys.meta_path.insert(0, Gone())\n"
        "from overtrick import Board, bid_board, bidder, dd, robot, play_table, simulate\n"
        "board = Board.random(1, seed=1)\n"
        "bid_board(board, [bidder('rules')] * 4)\n"
        "play_table(board, [robot('points+pimc(worlds=2)')] * 4)\n"
        "simulate({'N': 'hcp 20+'}, contracts=['3NT N'], deals=2)\n"
        "print(dd.solver().info)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert str(Path("doubledummy", "lib")) in done.stdout


def test_what_nobody_reaches_is_in_the_laboratory() -> None:
    """The core has what verbs and the page reach, and rooms for people who write Python."""
    library = ("environments", "hiddenplay", "samples")
    left = [name for name in beyond(modules(ROOT)) if name.split(".")[1] not in library]
    assert left == ["overtrick.bidding.points.caller"]  # of the guide to searching bidders


_WITHOUT = (
    "import sys, importlib.metadata as metadata\n"
    "real = metadata.entry_points\n"
    "metadata.entry_points = lambda **by: [] if by.get('group') == 'overtrick.verbs' else"
    " real(**by)\n"
    "class Gone:\n"
    "    def find_spec(self, name, path=None, target=None):\n"
    "        assert not name.startswith('overtrick_lab'), name\n"
    "sys.meta_path.insert(0, Gone())\n"
    "from overtrick.cli import main\n"
    "main(sys.argv[1:], prog_name='overtrick')\n"
)


@pytest.mark.parametrize(
    "words", [["train"], ["train", "all", "--tiny"], ["reproduce", "--help"], ["reproduce", "-h"]]
)
def test_without_the_laboratory_its_verbs_say_what_to_install(words: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _WITHOUT, *words], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"error: `overtrick {words[0]}` is in overtrick-lab: pip install overtrick-lab "
        "(in a clone: pip install . ./lab)\n"
    )


def test_without_the_laboratory_the_help_lists_its_verbs() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _WITHOUT, "--help"], capture_output=True, text=True, check=True
    )
    shown = " ".join(done.stdout.split())
    assert "train train networks (pip install overtrick-lab)" in shown
    assert "label solve random deals into a file Set-up" in shown


@pytest.mark.slow
def test_the_laboratory_has_a_wheel_of_its_own(tmp_path: Path) -> None:
    pytest.importorskip("build")
    command = [sys.executable, "-m", "build", "--outdir", str(tmp_path), str(ROOT / "lab")]
    subprocess.run(command, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("overtrick_lab-*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    files = ("py.typed", "papers/amit2006/book/bids.bid", "training/campaign.py")
    assert {f"overtrick_lab/{n}" for n in files} <= set(names)
    assert {n.partition("/")[0] for n in names if ".dist-info" not in n} == {"overtrick_lab"}
    licences = {Path(n).name for n in names if "/licenses/" in n}
    assert licences == {"LICENSE", "NOTICE"}


@pytest.mark.slow
def test_wheel_and_source_archive(tmp_path: Path) -> None:
    pytest.importorskip("build")
    command = [sys.executable, "-m", "build", "--outdir", str(tmp_path), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    (source,) = tmp_path.glob("*.tar.gz")
    assert wheel.stat().st_size < 20e6
    names = zipfile.ZipFile(wheel).namelist()
    needed = {"samples/evening.pbn", "doubledummy/lib/linux-x86_64/libdds.so", "py.typed",
              "web/static/index.html"}  # fmt: skip
    assert {f"overtrick/{n}" for n in needed} <= set(names)
    with tarfile.open(source) as archive:
        inside = {n.partition("/")[2] for n in archive.getnames()}
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.splitlines()
    left_out = {n for n in listed if n not in inside and not n.startswith("checkpoints/")}
    assert left_out <= {".gitignore"}
