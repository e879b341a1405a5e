"""`python -m tests.docs.pictures` (or `make pictures`): the pictures of the pages, taken anew.

A board at which the hint says why, its review, and the tools that the pages for each kind of
visitor speak of. Needs Chromium; look at them before committing them. With names of pictures only
those are taken.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from overtrick.notation import dumps, load
from tests.docs.blocks import ROOT
from tests.web.browsing import CHROMIUM, FLAGS, Server, Window, sync_api

_FOLDER: Final = ROOT / "docs" / "img"
_EVENING: Final = ROOT / "src" / "overtrick" / "samples" / "evening.pbn"
_QUALITY: Final = 82


def _advised(window: Window) -> str:
    """What the hint says; asked until it gives its reasons."""
    for _ in range(3):
        window.page.keyboard.press("i")
        window.page.wait_for_selector(".hint")
    hints = [f for f in map(json.loads, window.frames) if f.get("type") == "hint"]
    action: str = hints[-1]["action"]
    return action


def _table(window: Window) -> None:
    """A few tricks into a board that we play, with the hint and its reasons."""
    window.sit(source={"type": "random", "number": 3, "seed": 12})
    while True:
        action, kind = _advised(window), "call" if window.phase == "auction" else "card"
        if window.phase != "auction" and window.page.locator(".trick .card").count() >= 2:
            return
        before = window.at()
        window.page.click(f'[data-{kind}="{action}"]', position={"x": 8, "y": 8})
        if window.page.locator(".picked").count():
            window.page.click(f'[data-{kind}="{action}"]', position={"x": 8, "y": 8})
        window.moved(before)


def _review(window: Window) -> None:
    """The first board of the sample evening, judged, at its last mistake."""
    lin = dumps(load(_EVENING).records[:1], "lin").replace("\n", "")
    window.go(f"/review#lin={quote(lin)}")
    window.page.wait_for_selector(".matrix")
    window.page.wait_for_timeout(20_000)


def _opened(address: str) -> Callable[[Window], None]:
    """A page that its address fills."""

    def pose(window: Window) -> None:
        window.go(address)
        window.page.wait_for_selector("main")
        window.page.wait_for_load_state("networkidle")
        window.page.wait_for_timeout(4_000)

    return pose


_POSES: Final[dict[str, tuple[tuple[int, int], Callable[[Window], None]]]] = {
    "table": ((960, 600), _table),
    "review": ((960, 885), _review),
    "decode": ((960, 940), _opened("/decode#auction=1NT+P+2H&dealer=N")),
    "card": ((960, 640), _opened(f"/card#card={quote('two-over-one +dont')}")),
    "suit": ((960, 860), _opened("/suit#north=AQT98&south=5432")),
    "deal": ((960, 940), _opened("/deal#N=hcp+15..17%2C+balanced&S=either+major+5")),
    "practice": ((960, 640), _opened("/practice")),
    "club": ((960, 520), _opened("/club")),
}


def _taken(browser: Any, server: Server, name: str, size: tuple[int, int], pose: Any) -> None:
    window = Window(browser, server, viewport={"width": size[0], "height": size[1]})
    pose(window)
    path = _FOLDER / f"{name}.jpg"
    window.page.screenshot(path=path, type="jpeg", quality=_QUALITY)
    window.close()
    sys.stdout.write(f"{path.relative_to(ROOT)}: {path.stat().st_size // 1024} KB\n")


def main(wanted: Sequence[str] = ()) -> None:
    if not CHROMIUM:
        sys.exit("Chromium is not installed (apt-get install chromium)")
    with tempfile.TemporaryDirectory() as folder, sync_api.sync_playwright() as playwright:
        server = Server(Path(folder) / "log.sqlite")
        try:
            server.has_engines()
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            for name, (size, pose) in _POSES.items():
                if not wanted or name in wanted:
                    _taken(browser, server, name, size, pose)
            browser.close()
        finally:
            server.stop()


if __name__ == "__main__":
    main(sys.argv[1:])
