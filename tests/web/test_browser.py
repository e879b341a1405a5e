"""The table in a real browser: clicks, keys, explanations, reload, two people, phones, axe."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import quote

import pytest

from tests.web.browsing import (
    AXE,
    LIN,
    SLAM,
    Server,
    Window,
    board,
    quick,
)

pytestmark = pytest.mark.browser


WRONG = {"index": 0, "word": "wrong", "done": "", "better": "", "loss": 1, "error": 0, "worlds": 1,
         "how": "", "choices": []}  # fmt: skip
CHOICES = {"bidders": {"NS": "points", "EW": "points"}, "player": "highest"}


def test_a_whole_board_by_clicks_from_the_start_to_ones_history(window: Window) -> None:
    page = window.go("/")
    page.evaluate("x => localStorage.setItem('overtrick.choices', JSON.stringify(x))", CHOICES)
    page = window.go("/")
    page.wait_for_selector("option[value='points']", state="attached")
    page.get_by_role("button", name="Play a board").click()
    page.wait_for_selector("main.table")
    window.ready()
    actions = 0
    while window.phase != "over" and actions < 60:
        before = window.at()
        if window.phase == "auction":
            page.get_by_role("button", name=re.compile("^pass", re.IGNORECASE)).click()
        else:
            page.click(f'button.card[data-card="{window.legal()[0]}"]', position={"x": 8, "y": 8})
        window.moved(before)
        actions += 1
    page.wait_for_selector(".swing, .result")
    passed_out = "Passed out" in page.inner_text(".outcome")
    assert page.locator(".open-hand").count() == 4
    page.wait_for_selector(".swing")
    card = page.inner_text(".outcome-card")
    assert passed_out or re.search(r"made|down", card, re.IGNORECASE)
    for words in ("IMP", "Other room", "Par", "Matchpoints", "after 1 of 16 boards"):
        assert words in card, card
    page.click(".sheet-button")
    assert page.locator("dialog .sheet tbody tr").count() == 1
    assert page.eval_on_selector("dialog .scroll", "x => x.scrollWidth - x.clientWidth") <= 0
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Next board").click()
    page.wait_for_selector("main.phase-auction")
    page.goto(window.server.address + "/me")
    assert page.locator("tbody tr").count() > 3
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a file").click()
    kept = json.loads(download.value.path().read_text())
    assert len(kept["boards"]) == 1
    assert kept["boards"][0]["lin"].startswith("pn|")
    assert "what it calls wrong is counted here" in page.inner_text("main")
    broken = {"name": "x.json", "mimeType": "application/json", "buffer": b"nonsense"}
    page.set_input_files("input[type=file]", broken)
    window.until(lambda p: "no history of Overtrick" in p.inner_text("body"))
    assert page.locator("tbody tr").count() > 3
    page.route("**/api/review/judge", lambda route: route.fulfill(json=WRONG))
    page.locator("tbody button", has_text="Review").first.click()
    window.until(lambda p: "faults" in p.evaluate("localStorage.getItem('overtrick.history')"))
    page.goto(window.server.address + "/me")
    assert "From 1 board that you have reviewed" in page.inner_text("main")


def test_a_whole_board_by_keyboard_alone(window: Window) -> None:
    window.sit(**quick(11))
    page = window.page
    first = True
    while window.phase != "over":
        before = window.at()
        legal = window.legal()
        if window.phase == "auction":
            if first and "1NT" in legal:
                page.keyboard.type("1n")
                first = False
            else:
                page.keyboard.press("p")
        else:
            suit, rank = legal[-1]
            page.keyboard.type((suit + rank if before % 2 else rank + suit).lower())
        window.moved(before)
    page.keyboard.press("?")
    assert page.locator("dialog[open] kbd").count() > 8
    page.keyboard.press("Escape")
    page.keyboard.press("v")
    page.wait_for_url("**/review**")


def test_calls_explain_themselves(window: Window) -> None:
    window.sit(**board(11))
    page = window.page
    window.until(lambda p: ":" in p.get_attribute('[data-call="1H"]', "aria-label"))
    page.hover('[data-call="1H"]')
    explained = page.inner_text(".explain")
    assert "Partner will read" in explained
    assert "hearts" in explained.lower()
    page.focus('[data-call="1NT"]')
    assert "hcp" in page.inner_text(".explain")
    page.click('[data-call="1D"]')
    window.moved(0)
    page.hover('.made[data-index="0"]')
    assert "Your call showed" in page.inner_text(".explain")
    assert "diamonds" in page.inner_text(".explain")


def test_undo_and_hint(window: Window) -> None:
    window.sit(**board(11))
    page = window.page
    page.keyboard.press("i")
    page.wait_for_selector(".hint .words")
    assert page.locator(".bid.advised").count() == 0  # first a nudge
    page.keyboard.press("i")
    page.wait_for_selector(".hint .reasons li")
    page.keyboard.press("i")
    page.wait_for_selector(".hint .others, .hint .tells .call")
    assert page.locator(".bid.advised").count() == 1
    page.click('[data-call="1NT"]')
    window.moved(0)
    assert page.locator(".made").count() >= 4
    page.get_by_role("button", name="Undo").click()
    window.until(lambda p: p.locator(".made").count() == 0)
    window.ready()
    assert "1NT" in window.legal()


def test_a_claim(window: Window) -> None:
    window.sit(**quick(1, seat="N", source={"type": "text", "text": SLAM}, auto=False))
    page = window.page
    page.keyboard.type("7n")
    window.moved(0)
    while not page.query_selector(".actions .button:not([aria-disabled]):has-text('Claim')"):
        window.go_on()
    page.keyboard.press("m")
    page.get_by_role("button", name=re.compile("^all")).click()
    while window.phase != "over":  # in mid-trick the claim waits for the end of the trick
        window.go_on()
    assert "7" in page.inner_text(".outcome")
    assert page.inner_text(".claim-words").startswith("Claimed")


def test_a_reload_in_mid_board(window: Window) -> None:
    window.sit(**quick(12))
    page = window.page
    while window.phase == "auction":
        window.go_on()
    hand = page.locator(".mine-hand .card").count()
    trick = page.get_attribute(".trick", "aria-label")
    page.reload()
    page.wait_for_selector("main.table")
    window.ready()
    assert page.locator(".mine-hand .card").count() == hand
    assert page.get_attribute(".trick", "aria-label") == trick


def test_two_people_see_only_their_own_cards(chromium: Any, server: Server) -> None:
    host = Window(chromium, server)
    guest = Window(chromium, server)
    ticket = host.sit(**quick(4, seat="N", humans=["N", "E"]))
    guest.go(f"/table/{ticket['table']}#join={ticket['invitations']['E']}")
    guest.page.wait_for_selector("main.table")
    assert "join=" not in guest.page.url
    people = {"N": host, "E": guest}
    for _ in range(300):
        if all(w.phase == "over" for w in people.values()):
            break
        for window in people.values():
            if window.page.query_selector("main.table.mine"):
                before = window.at()
                window.page.keyboard.type("1n" if "1NT" in window.legal() else "p")
                if window.phase == "play" and window.legal():
                    window.page.keyboard.type(window.legal()[-1].lower())
                _wait_moved(window, before)
        host.page.wait_for_timeout(60)
    assert host.phase == "over"
    hands = json.loads(host.frames[-1])["result"]["hands"]
    for letter, window in people.items():
        _check_frames(letter, window.frames, hands)
        window.close()


def _wait_moved(window: Window, before: int) -> None:
    for _ in range(100):
        if window.at() != before:
            return
        window.page.wait_for_timeout(20)


def _check_frames(letter: str, frames: list[str], hands: dict[str, list[str]]) -> None:
    """No frame before the end has a card of a hand this seat does not see, unless played."""
    owner = {card: seat for seat, cards in hands.items() for card in cards}
    checked = 0
    for text in frames:
        frame = json.loads(text)
        if frame["type"] != "state" or frame["phase"] == "over":
            continue
        checked += 1
        play, contract = frame["play"], frame["contract"]
        sees = {letter} | ({contract["dummy"]} if play and play["cards"] else set())
        if contract and contract["dummy"] == letter and contract["declarer"] not in frame["humans"]:
            sees.add(contract["declarer"])  # a person plays his robot partner's hand
        out = (
            {c["card"] for t in (play["trick"], play["last"]) if t for c in t["cards"]}
            if play
            else set()
        )
        named = set(re.findall(r"\b([CDHS][2-9TJQKA])\b", text))
        assert {c for c in named if owner[c] not in sees} <= out
    assert checked > 8


def test_a_link_pasted_at_the_start_page(window: Window) -> None:
    page = window.go("/")
    page.get_by_text("Set the table").click()
    page.get_by_role("radio", name="Paste").check()
    page.fill("form textarea", "https://www.bridgebase.com/tools/handviewer.html?lin=" + quote(LIN))
    page.get_by_role("button", name="Open this table").click()
    page.wait_for_selector("main.table")
    window.ready()
    shown = page.get_attribute(".hand", "aria-label") or ""
    assert "spades ace king queen 2" in shown


def test_what_cannot_be_done_says_why(window: Window) -> None:
    page = window.go("/no-such-page")
    page.wait_for_selector("#notice.up")
    assert "no such page" in page.inner_text("#notice")
    assert page.locator("h1").count() == 1
    window.sit(**board(7))
    window.until(lambda p: "play Two over one" in p.inner_text(".explain"))
    page.keyboard.press("u")
    window.until(lambda p: "nothing of yours" in p.inner_text("#notice"))
    page.keyboard.press("i")
    page.wait_for_selector(".explain .hint")
    box = page.locator(".explain").bounding_box()
    hint = page.locator(".explain .hint").bounding_box()
    assert hint["y"] + hint["height"] <= box["y"] + box["height"]  # nothing is cut off
    window.go("/table/nowhere")
    window.until(lambda p: "no seat" in p.inner_text("main"))


PAGES = [
    "/",
    "/review",
    "/practice",
    "/decode",
    "/book",
    "/card",
    "/suit",
    "/deal",
    "/match",
    "/match#tournament=cup",
    "/club",
    "/club/daily",
    "/me",
]
READY = {
    "/deal": ".mini",
    "/suit": ".plan",
    "/book": ".booked",
    "/card": ".card-switch",
    "/decode": ".decoded",
}


def test_a_phone_needs_two_taps(chromium: Any, server: Server) -> None:
    window = Window(
        chromium, server, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True
    )
    page = window.page
    window.sit(**quick(11))
    page.tap('[data-call="1NT"]')  # the first explains, the second bids
    assert page.locator(".bid.picked").count() == 1
    assert window.at() == 0
    page.tap('[data-call="1NT"]')
    window.moved(0)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    window.close()


def test_every_page_fits_a_phone_and_suits_axe(chromium: Any, server: Server) -> None:
    touch = {"has_touch": True, "is_mobile": True, "reduced_motion": "reduce"}
    window = Window(chromium, server, bypass_csp=True, **touch)
    page = window.page
    window.go("/")
    page.wait_for_selector("option[value='points']", state="attached")
    _sound(page, "start")
    _fits_a_phone(page, "start")
    window.sit(**quick(12))
    _sound(page, "auction")
    while window.phase == "auction":
        window.go_on()
    _sound(page, "play")
    window.without("table", "judge", "worlds")
    window.go(f"/review#lin={quote(LIN)}")
    page.wait_for_selector(".matrix")
    _sound(page, "review")
    page.keyboard.press("?")
    _sound(page, "keys")
    for path in PAGES[2:]:
        window.go(path)
        page.wait_for_selector(READY.get(path, "main h1"))
        _sound(page, path)
        _fits_a_phone(page, path)
    window.close()


# What a finger has to hit, and words that do not fit where they stand; names of what is too small.
_SMALL = """xs => xs.filter((x) => x.offsetParent && !x.classList.contains('sr-only')).map((x) => {
  const box = (/checkbox|radio/.test(x.type) ? x.closest('label') : x).getBoundingClientRect();
  return [x.className || x.tagName, x.innerText, Math.round(box.width), Math.round(box.height)];
}).filter(([, , width, height]) => Math.min(width, height) < 44)"""
_CUT = "xs => xs.filter((x) => x.scrollWidth > x.clientWidth + 1).map((x) => x.innerText)"


def _fits_a_phone(page: Any, where: str) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360, where
    small = page.eval_on_selector_all("button, a, input, select, summary", _SMALL)
    assert not small, f"{where}: too small for a finger: {small[:5]}"
    assert page.eval_on_selector_all(".tab span, .button, h1, h2", _CUT) == [], where
    page.set_viewport_size({"width": 1280, "height": 800})


def _sound(page: Any, where: str) -> None:
    """No serious finding of axe; in the dark only colours can differ."""
    _axe(page, where)
    page.emulate_media(color_scheme="dark")
    _axe(page, f"{where}, dark", "color-contrast")
    page.emulate_media(color_scheme="light")


def _axe(page: Any, where: str, rule: str = "") -> None:
    if not AXE.exists():
        return  # not installed (npm install in web/)
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(AXE.read_text())
    wish = {"resultTypes": ["violations"], **({"runOnly": [rule]} if rule else {})}
    found = page.evaluate("wish => axe.run(document, wish)", wish)
    bad = [
        (v["id"], v["nodes"][0]["html"][:160], v["nodes"][0].get("failureSummary", "")[:200])
        for v in found["violations"]
        if v["impact"] in ("serious", "critical")
    ]
    assert not bad, f"{where}: {bad}"


def test_killed_in_mid_board_and_back(window: Window, server: Server) -> None:
    window.sit(**quick(12))
    window.go_on()
    calls = window.page.locator(".made").count()
    server.kill()
    window.until(lambda p: "Connection lost" in p.inner_text(".turn"))
    server.start()
    window.ready()
    assert window.page.locator(".made").count() == calls
    if window.phase == "auction":
        window.go_on()


def test_weight(window: Window) -> None:
    weights: list[int] = []
    window.page.on("requestfinished", lambda r: weights.append(r.sizes()["responseBodySize"]))
    ticket = window.sit(**board(11))
    weights.clear()
    window.page.goto(f"{window.server.address}/table/{ticket['table']}")
    window.page.wait_for_selector(".mine-hand .card")
    window.page.wait_for_timeout(300)
    assert sum(weights) < 450_000
