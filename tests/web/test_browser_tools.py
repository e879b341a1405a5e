"""Review, practice and tools in a real browser."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from tests.web.browsing import (
    LIN,
    PLAYED,
    SLAM,
    Server,
    Window,
)

pytestmark = pytest.mark.browser


def test_the_review_and_a_pasted_link(window: Window) -> None:
    window.without("table", "judge", "worlds")
    page = window.go("/review")
    link = "https://www.bridgebase.com/tools/handviewer.html?lin=" + quote(LIN)
    page.fill("textarea", link)
    page.get_by_role("button", name="Look at it").click()
    page.wait_for_selector(".matrix")
    assert page.locator(".matrix td").count() == 21
    assert "Par" in page.inner_text(".notes")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert "Card 3 of 8" in page.inner_text(".stepper")
    page.keyboard.press("End")
    assert "Card 8 of 8" in page.inner_text(".stepper")
    window.until(lambda p: len(p.get_attribute('.made[data-index="2"]', "aria-label")) > 25)
    page.hover('.made[data-index="2"]')
    window.until(lambda p: "robot bids" in p.inner_text(".notes .explain"))
    page.keyboard.press("ArrowLeft")
    permalink = page.url
    assert "lin=" in permalink
    window.go("/")
    page.goto(permalink)
    page.wait_for_selector(".matrix")
    assert "Card 7 of 8" in page.inner_text(".stepper")


def test_worlds_costs_and_other_tables(window: Window) -> None:
    page = window.go(f"/review#lin={quote(PLAYED)}&step=5")
    page.wait_for_selector(".thoughts .heat")
    assert page.locator(".thought").count() == 2
    assert page.locator(".thought .bars").count() == 10
    assert " of clubs" in page.get_attribute(".thought .heat", "aria-label")
    window.until(lambda p: "As the cards lay" in p.inner_text(".costs"))
    window.until(lambda p: "thinking" not in p.inner_text(".costs"))
    page.hover('.made[data-index="2"]')
    window.until(lambda p: p.locator(".thought").count() == 3)
    for bidder in ("points", "pass"):
        page.get_by_label("North–South bid").select_option(bidder)
        page.get_by_label("All play by").select_option("highest")
        before = page.locator("tr .number").count()
        page.get_by_role("button", name="Let them play it").click()
        window.until(lambda p, n=before: p.locator("tr .number").count() > n)
    told = page.inner_text(".notes")
    assert "IMPs on average" in told
    assert "of the matchpoints" in told


def test_exports(window: Window) -> None:
    window.without("table", "judge", "calls", "worlds")
    page = window.go(f"/review#lin={quote(PLAYED)}")
    page.wait_for_selector(".matrix")
    for name, start in (("PBN", b"% PBN 2.1"), ("LIN", b"pn|")):
        with page.expect_download() as download:
            page.get_by_role("button", name=name, exact=True).click()
        assert download.value.path().read_bytes().startswith(start)
    page.emulate_media(media="print")
    assert page.locator(".print-only").is_visible()
    assert not page.locator(".stepper").is_visible()


def test_the_decoder_and_the_book(window: Window) -> None:
    page = window.go("/decode#auction=1NT+Pass&bidder=rules(system=sayc)")
    page.wait_for_selector(".decoded")
    page.locator(".decoded .linklike", has_text="transfer").first.click()
    window.until(lambda p: p.input_value("input.mono") in ("1NT Pass 2D", "1NT Pass 2H"))
    window.until(lambda p: p.locator(".samples .hand-line").count() == 3)
    window.go("/book#system=sayc")
    page.wait_for_selector(".booked")
    page.get_by_role("button", name="1NT, go on from there").click()
    window.until(lambda p: "stayman" in p.inner_text(".booked"))
    page.get_by_label("Find").fill("transfer")
    window.until(lambda p: "stayman" not in p.inner_text(".booked"))
    assert "auction=1NT" in page.url


def test_suits_deals_and_matches(window: Window) -> None:
    page = window.go("/suit")
    page.wait_for_selector(".plan .branches")
    page.get_by_label("North", exact=True).fill("AJ9xx")
    page.get_by_label("South", exact=True).fill("Kxxx")
    window.until(lambda p: "AJ9" in (p.get_attribute(".suit-picture", "aria-label") or ""))
    page.get_by_label("You need").select_option("5")
    window.until(lambda p: "tricks=5" in p.url)
    window.go("/deal#N=hcp+20%2B&S=spades+5%2B")
    page.wait_for_selector(".mini")
    assert "once in" in page.inner_text(".headline")
    assert page.locator(".seat-stats").count() == 4
    page.get_by_role("textbox", name="West").fill("hcp 41")
    page.get_by_role("button", name="Deal", exact=True).click()
    window.until(lambda p: "West" in p.inner_text(".problem"))
    window.go("/match")
    page.wait_for_selector("option[value='pass']", state="attached")
    page.get_by_label("Team A").select_option("points")
    page.get_by_label("Team B").select_option("pass")
    page.get_by_label("Boards").select_option("16")
    page.get_by_role("button", name="Play it now").click()
    window.until(lambda p: "after 16 boards" in p.inner_text("main"))
    page.locator(".list a").first.click()
    page.wait_for_url("**/review#lin=**")


def test_a_tournament_down_to_its_boards(window: Window) -> None:
    page = window.go("/match")
    page.get_by_role("link", name="cup: round robin of 3 engines").click()
    page.wait_for_selector(".cross")
    table = page.inner_text(".places-table")
    assert "Points and length" in table
    assert "±" in table
    assert page.locator(".places-table td.chart .interval").count() == 3
    assert page.locator(".cross a").count() == 6
    page.locator(".cross a").first.click()
    page.wait_for_selector(".running")
    assert " against " in page.inner_text("h1")
    page.locator("tbody a").first.click()
    page.wait_for_url("**/review#lin=**")
    page.go_back()
    page.wait_for_selector(".running")
    page.get_by_role("link", name="Tournament cup").click()
    page.wait_for_selector(".cross")
    page.go_back()
    page.wait_for_selector(".running")
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(page.url.split("#")[0] + "#tournament=cup")
    page.wait_for_selector(".cross")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.locator(".narrow-chart").first.is_visible()
    page.goto(page.url.split("#")[0] + "#tournament=nothing")
    window.until(lambda p: "no such tournament" in p.inner_text("main"))


def test_practice_with_awards(window: Window) -> None:
    page = window.go("/practice")
    page.locator("button.set").first.click()
    page.wait_for_selector("main.table")
    window.ready()
    while window.phase != "over":
        window.go_on()
    page.wait_for_selector(".judgement .award")
    assert "Against par" in page.inner_text(".judgement")
    assert "Two robots" in page.inner_text(".judgement")
    assert page.get_by_role("button", name="Bid it again").count() == 1
    page.get_by_role("button", name="Next problem").click()
    window.until(lambda p: "2 of " in p.inner_text(".progress-note"))


def test_practice_with_a_friend_and_own_problems(chromium: Any, server: Server) -> None:
    host, guest = Window(chromium, server), Window(chromium, server)
    page = host.go("/practice")
    page.get_by_label("Partner").select_option("friend")
    page.get_by_role("radio", name="Your own").check()
    page.fill("textarea", f'[Board "3"]\n[Deal "{SLAM}"]\n')
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector("main.table")
    ticket = page.evaluate("JSON.parse(localStorage.getItem('overtrick.tickets'))[0]")
    guest.go(f"/table/{ticket['table']}#join={ticket['invitations']['N']}")
    guest.page.wait_for_selector("main.table")
    for _ in range(40):
        for window, bid in ((guest, "7n"), (host, "p")):
            if window.page.query_selector("main.table.mine"):
                window.page.keyboard.type(bid if "7NT" in window.legal() else "p")
        if host.phase == "over":
            break
        host.page.wait_for_timeout(100)
    host.page.wait_for_selector(".judgement")
    assert "Against par\nlevel" in host.page.inner_text(".judgement")
    host.close()
    guest.close()
