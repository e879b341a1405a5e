"""The card page in a real browser: changed, saved, shared, played, measured."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest

from tests.web.browsing import Server, Window

pytestmark = pytest.mark.browser
CARD = "two-over-one -bergen -cappelletti +dont"


def test_a_card_is_changed_shared_and_played(window: Window, chromium: Any, server: Server) -> None:
    page = window.go("/card")
    page.wait_for_selector(".card-switch")
    page.get_by_label("Bergen raises").uncheck()
    window.until(lambda p: "-bergen" in p.url)
    page.locator("input[name=dont]").check()
    window.until(lambda p: "dont" in p.url)
    assert not page.locator("input[name=cappelletti]").is_checked()  # not with DONT
    assert page.locator("input[name=strong-2c]").is_disabled()
    changed = page.locator(".card-changes li").all_inner_texts()
    assert [" ".join(t.split()[:-1]) for t in changed] == [
        "off Bergen raises", "off Cappelletti over 1NT", "on DONT over 1NT",
    ]  # fmt: skip
    page.get_by_label("Name of the card").fill("Anna & Bert")
    page.get_by_role("button", name="Save").click()
    assert "Anna & Bert" in page.evaluate("localStorage.getItem('overtrick.cards')")

    friend = Window(chromium, server, viewport={"width": 360, "height": 740})
    theirs = friend.go(page.url.removeprefix(server.address))
    theirs.wait_for_selector(".card-switch.changed")
    assert theirs.get_by_label("Name of the card").input_value() == "Anna & Bert"
    assert theirs.locator(".card-switch.changed").count() == 3
    assert theirs.evaluate("document.documentElement.scrollWidth") <= 360
    friend.close()

    page.evaluate("localStorage.setItem('overtrick.choices', JSON.stringify({player: 'highest'}))")
    page.get_by_role("button", name="Play a board").click()
    page.wait_for_selector("main.table")
    window.ready()
    state = next(f for f in window.frames if '"state"' in f[:20])
    assert f'"NS":"{CARD}"' in state
    links = page.locator(".card-links a").evaluate_all("xs => xs.map(x => x.hash)")
    assert not links or f"#{urlencode({'card': CARD})}" in links
    while window.phase != "over":
        window.go_on()
    home = window.go("/")
    home.wait_for_selector(f"option[value=\"partner(system='{CARD}')\"]", state="attached")


def test_what_a_card_costs(window: Window) -> None:
    page = window.go(f"/card#card={'two-over-one -stayman'.replace(' ', '+')}")
    page.get_by_role("button", name="Compare").click()
    page.wait_for_selector(".tile b")
    assert "deals" in page.inner_text(".tile")
    assert page.locator("progress").count() == 1
    page.get_by_role("button", name="Stop").click()
    window.until(lambda p: p.get_by_role("button", name="Go on").count() == 1)


def test_a_link_that_says_nonsense(window: Window) -> None:
    page = window.go("/card#card=two-over-one+%2Bdont+%2Bcappelletti")
    window.until(lambda p: "cannot be played together" in p.inner_text("[role=alert]"))
    page.wait_for_selector(".card-switch")
    assert page.locator(".card-switch.changed").count() == 0
