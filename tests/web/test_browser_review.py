"""Review, club evening and lessons in a real browser: verdicts, playing on, ranking, repetition."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from tests.web.browsing import AXE, SLAM, Window
from tests.web.test_evening import TEXT
from tests.web.test_verdicts import GAME

pytestmark = pytest.mark.browser
SIZES = ((360, 740), (740, 360), (820, 1180), (1280, 800))


def _fits(page: Any) -> None:
    """Nothing is wider than the window, whatever its size."""
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.set_viewport_size({"width": 1280, "height": 800})


def _sound(page: Any) -> None:
    """No serious finding of axe, where it is installed."""
    if AXE.exists():
        page.evaluate(AXE.read_text())
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        bad = [v["id"] for v in found["violations"] if v["impact"] in ("serious", "critical")]
        assert not bad


def test_a_missed_game_comes_first_and_can_be_tried(window: Window) -> None:
    window.without("table")
    page = window.go(f"/review#lin={quote(GAME)}")
    window.until(lambda p: "Reading" in p.inner_text("main") or p.locator(".worst").count() > 0)
    page.wait_for_selector(".worst .costly li")
    first = page.locator(".worst .costly li").first
    window.until(lambda p: "vulnerable game was missed" in first.inner_text())
    assert "IMP" in first.inner_text()
    page.locator('.made[data-index="2"]').click()
    window.until(lambda p: p.locator(".explain .choices").count() == 1)
    page.get_by_label("Another call").select_option("4S")
    page.get_by_role("button", name="Play on from here").click()
    window.until(lambda p: "instead" in p.inner_text(".tried"))
    told = page.inner_text(".tried")
    assert "would have won" in told or "the same" in told
    page.locator(".tried a").click()
    page.wait_for_selector(".matrix")
    page.go_back()
    page.wait_for_selector(".worst .costly li")
    _fits(page)


def test_an_evening_from_upload_to_one_player(window: Window) -> None:
    window.without("table", "judge", "calls", "worlds")
    page = window.go("/review")
    page.fill("textarea", TEXT)
    page.get_by_role("button", name="Look at it").click()
    page.wait_for_url("**/evening/*")
    page.wait_for_selector(".evening-page")
    told = page.inner_text("main")
    assert "Tuesday pairs" in told
    assert "board 9" in told
    assert "Ann – Cy" in told
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV").click()
    assert b"Ann - Cy,NS,1,1,100" in download.value.path().read_bytes()
    page.get_by_role("button", name="Eve").click()
    page.wait_for_url("**?player=Eve")
    window.until(lambda p: p.locator("section table tbody tr").count() == 1)
    page.go_back()
    window.until(lambda p: p.locator("section table tbody tr").count() > 3)
    _fits(page)
    cut = "xs => xs.filter((x) => x.scrollHeight > x.clientHeight + 1).length"
    assert page.eval_on_selector_all(".evening-page .scroll", cut) == 0
    _sound(page)
    page.get_by_role("link", name="Board 1", exact=True).first.click()
    page.wait_for_selector(".siblings")
    window.until(lambda p: "1 of 3" in p.inner_text(".siblings"))
    page.get_by_role("link", name="Next").click()
    window.until(lambda p: "2 of 3" in p.inner_text(".siblings"))
    page.go_back()
    window.until(lambda p: "1 of 3" in p.inner_text(".siblings"))
    page.go_forward()
    window.until(lambda p: "2 of 3" in p.inner_text(".siblings"))
    page.get_by_role("link", name="All boards").click()
    page.wait_for_selector(".evening-page")


def test_a_lesson_explains_and_comes_back(window: Window) -> None:
    page = window.go("/practice")
    page.locator(".lesson-link", has_text="Responses").click()
    page.wait_for_url("**/lesson/responses")
    for seen in (1, 2):
        page.wait_for_selector(".answers .answer")
        page.locator(".answer:not([aria-disabled])").first.click()
        told = page.inner_text(".explained")
        assert "IMP" in told
        assert page.locator(".answer.right").count() == 1
        assert f"{seen} of " in page.inner_text(".tool-head")
        page.get_by_role("button", name="Next position").click()
    _fits(page)
    _sound(page)
    window.go("/practice")
    window.until(lambda p: "2 of " in p.inner_text(".lesson-link:has-text('Responses')"))


def test_a_lesson_with_cards(window: Window) -> None:
    page = window.go("/lesson/leads")
    page.wait_for_selector(".lesson-hand")
    assert page.locator(".answer").count() == 13
    page.get_by_role("button", name="Give me a nudge").click()
    assert page.inner_text(".nudge")
    page.locator(".answer:not([aria-disabled])").last.click()
    assert "Contract" in page.inner_text(".explained")
    _fits(page)
    window.go("/lesson/technique-declarer")
    page.wait_for_selector(".lesson-hand")
    assert "Tricks so far: declarer" in page.inner_text("main")
    assert page.locator(".auction").count() == 0  # there was none
    page.get_by_role("button", name="Give me a nudge").click()
    assert page.inner_text(".nudge").endswith("?")  # a question that names no technique
    page.locator(".answer:not([aria-disabled])").last.click()
    told = page.inner_text(".explained")
    assert "or less" in told
    assert "±" not in told


def test_a_suit_shows_only_cards(window: Window) -> None:
    page = window.go("/suit#north=Kx&south=xx")
    page.wait_for_selector(".plan")
    assert page.get_attribute(".suit-picture", "aria-label").endswith("missing: AQJT98765")
    assert "possible in" in page.inner_text(".plan") or "clear" in page.inner_text(".plan")


def test_the_decoder_reads_dashes_as_passes(window: Window) -> None:
    page = window.go("/decode#auction=1H+-+1S+-")
    window.until(lambda p: p.locator(".made").count() == 4)
    assert "overcall" not in page.inner_text("main .tool-columns").split("What ")[0]


def test_a_board_that_is_being_read_says_so(window: Window) -> None:
    window.page.route("**/api/review/read", lambda route: None)
    page = window.go(f"/review#lin={quote(SLAM)}")
    page.wait_for_selector("[role=status]")
    assert "Reading" in page.inner_text("main")
