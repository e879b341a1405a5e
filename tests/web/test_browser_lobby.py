"""Two strangers find each other in the lobby and play; its screen on telephones, in German."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.web.browsing import AXE, Server, Window

pytestmark = pytest.mark.browser


def _seeks(window: Window, name: str) -> None:
    page = window.go("/lobby")
    page.get_by_label("Your name, as others see it").fill(name)
    page.locator(".enter button.primary").click()


@pytest.mark.slow
def test_two_strangers_find_each_other_and_play_four_boards(chromium: Any, server: Server) -> None:
    ann = Window(chromium, server, viewport={"width": 1280, "height": 800})
    bob = Window(chromium, server, viewport={"width": 390, "height": 844}, has_touch=True)
    _seeks(ann, "Ann")
    ann.page.wait_for_selector("text=Looking for company")
    _seeks(bob, "Bob")
    for window in (ann, bob):
        window.page.wait_for_url("**/table/*")
        window.page.wait_for_selector("main.table")
    assert ann.page.url == bob.page.url
    boards, end = 0, time.monotonic() + 500
    while boards < 4:
        assert time.monotonic() < end, (boards, ann.page.inner_text("main")[:600])
        for window in (ann, bob):
            if window.phase != "over" and window.page.locator("main.table.mine").count():
                _acts(window)
        if ann.phase == bob.phase == "over":
            boards += 1
            assert ann.page.get_by_text("Bob").count()
            if boards < 4:
                ann.page.get_by_role("button", name="Next board").click()
                for window in (ann, bob):
                    window.page.wait_for_selector("main.phase-auction")
        ann.page.wait_for_timeout(20)
    assert "New match" in ann.page.inner_text("main")
    for window in (ann, bob):
        window.close()


def _acts(window: Window) -> None:
    """Pass, or the last legal card, by keyboard."""
    legal = window.legal()
    if legal:
        call = window.phase == "auction"
        window.page.keyboard.type("p" if call else legal[-1].lower())
        window.page.wait_for_timeout(30)
        if window.page.locator(".picked").count():
            window.page.keyboard.press("Enter")


def test_the_lobby_and_events_on_a_telephone_in_german(chromium: Any, server: Server) -> None:
    window = Window(
        chromium, server, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True,
        color_scheme="dark", locale="de",
    )  # fmt: skip
    for path in ("/lobby", "/event", "/club"):
        page = window.go(path)
        page.wait_for_selector("h1")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path
        assert page.evaluate("[...overtrick.missing]") == []
    if AXE.exists():
        page.evaluate(AXE.read_text(encoding="utf-8"))
        assert page.evaluate("axe.run().then(r => r.violations.map(v => v.id))") == []
    window.close()
