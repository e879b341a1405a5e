"""A disk that really is full, or can only be read: what a player sees in a real browser, what the
host reads, and that nothing is lost. Needs Chromium and the right to mount a small disk."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from tests.web.browsing import CHROMIUM, FLAGS, Server, Window, quick, sync_api

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CHROMIUM, reason="Chromium is not installed"),
]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "disk"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(place)]
    if not shutil.which("mount") or subprocess.run(command, check=False).returncode:
        pytest.skip("no right to mount a disk")
    yield place
    subprocess.run(["umount", str(place)], check=True)


@pytest.fixture
def playing(small_disk: Path, tmp_path: Path) -> Iterator[tuple[Window, Server, Path]]:
    server = Server(small_disk / "web.sqlite", errors=tmp_path / "errors.txt")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        window = Window(browser, server, viewport={"width": 1280, "height": 800})
        window.sit(**quick(7))
        yield window, server, small_disk
        window.context.close()
        browser.close()
    server.stop()


def health(server: Server) -> tuple[int, Any]:
    try:
        with urlopen(server.address + "/api/health", timeout=20) as answer:
            return answer.status, answer.read().decode()
    except HTTPError as error:
        return error.code, error.read().decode()


def told(page: Any) -> bool:
    return "Nothing is lost" in page.inner_text("main")


def fill(path: Path) -> None:
    """To the last byte of its disk."""
    with contextlib.suppress(OSError), path.open("wb") as file:
        while True:
            file.write(b"x" * 4096)
            file.flush()


def test_a_full_disk_in_the_browser(playing: tuple[Window, Server, Path], tmp_path: Path) -> None:
    window, server, disk = playing
    before = window.at()
    filling = disk / "other"
    fill(filling)
    call = window.legal()[0]
    window.page.click(f'[data-call="{call}"]')
    window.until(lambda page: "the disk is full" in page.inner_text("body"))  # what one click met
    window.until(told)  # what stays
    status, words = health(server)
    assert status == 503
    assert "the disk is full" in words
    assert window.at() == before
    assert (tmp_path / "errors.txt").read_text().count("the disk is full") == 1
    filling.unlink()
    window.until(lambda page: not told(page), 60)
    assert health(server)[0] == 200
    assert "can be written again" in (tmp_path / "errors.txt").read_text()
    window.ready()
    window.page.click(f'[data-call="{call}"]')
    window.moved(before)
    kept = window.at()
    assert kept > before
    server.kill()
    server.start()
    window.page.reload()
    window.ready()
    assert window.at() >= kept  # nothing was lost


def test_a_disk_that_can_only_be_read(small_disk: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    run = "from overtrick.cli import main; main()"
    command = [sys.executable, "-c", run, "serve", "--port", "0", "--log"]
    ended = subprocess.run(
        [*command, str(small_disk / "web.sqlite")], capture_output=True, text=True, timeout=120,
        check=False,
    )  # fmt: skip
    assert ended.returncode not in (0, 70)
    assert "http://" not in ended.stdout
    assert "Traceback" not in ended.stderr
    assert len(ended.stderr.strip().splitlines()) == 1
