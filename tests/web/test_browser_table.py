"""The table in a browser: nothing moves during a board, small screens show all, matches count."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import pytest

from tests.web.browsing import PLAYED, SLAM, Server, Window, quick

pytestmark = pytest.mark.browser

SIZES = [(360, 740), (740, 360), (820, 1180), (1280, 640), (1440, 900)]
# Shifts that follow a click at once are forgiven by the browser's own score, but not by a player.
SHIFTS = """
  window.shifts = [];
  new PerformanceObserver((list) => list.getEntries().forEach((e) => window.shifts.push(
    [e.value, e.sources.map((s) => s.node && (s.node.className || s.node.parentNode.className))],
  ))).observe({type: 'layout-shift', buffered: true});
"""
NEEDED = {
    "auction": ".mine-hand .card, .box .bid, .actions > *, .explain, .turn, .auction",
    "play": ".mine-hand .card, .actions > *, .explain, .turn, .trick, .auction tr:nth-child(-n+3)",
    "over": ".outcome, .swing, .actions > *",
}


def _sized(chromium: Any, server: Server, size: tuple[int, int]) -> Window:
    small = min(size) <= 820 and size[0] <= 820
    viewport = {"width": size[0], "height": size[1]}
    touch = {"has_touch": small, "is_mobile": small}
    return Window(chromium, server, viewport=viewport, reduced_motion="no-preference", **touch)


def _act(window: Window, choice: str) -> None:
    """Click a call or a card, twice where the page asks for it."""
    before, page = window.at(), window.page
    kind = "call" if window.phase == "auction" else "card"
    for _ in range(2):
        page.click(f'[data-{kind}="{choice}"]', position={"x": 8, "y": 8})
        if not page.locator(".picked").count():
            break
    window.moved(before)


def _all_on_screen(window: Window, size: tuple[int, int]) -> None:
    boxes = window.page.eval_on_selector_all(
        NEEDED[window.phase], "xs => xs.map(x => [x.className, x.getBoundingClientRect().toJSON()])"
    )
    assert boxes
    for name, box in boxes:
        inside = box["left"] >= -1 and box["top"] >= -1
        inside = inside and box["right"] <= size[0] + 1 and box["bottom"] <= size[1] + 1
        assert inside, f"{name} is off the screen in the {window.phase}: {box}"
    page = window.page
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert page.evaluate("document.documentElement.scrollHeight") <= size[1]


_EACH = [[size] for size in SIZES]
_NAMES = [f"{size[0]}x{size[1]}" for size in SIZES]


# One board in windows of every size, which take turns; in `make slow` a whole board in each.
@pytest.mark.parametrize(
    "sizes",
    [SIZES, *(pytest.param(one, marks=pytest.mark.slow) for one in _EACH)],
    ids=["all", *_NAMES],
)
def test_nothing_moves_during_a_board(
    chromium: Any, server: Server, sizes: list[tuple[int, int]]
) -> None:
    windows = [_sized(chromium, server, size) for size in sizes]
    ticket = None
    for window in windows:
        window.page.add_init_script(SHIFTS)
        if ticket is None:
            ticket = window.sit(**quick(12))
        else:
            window.sit_with(ticket)
    seen: set[str] = set()
    turns = 0
    while windows[0].phase != "over":
        acting = windows[turns % len(windows)]
        if acting.phase not in seen:
            seen.add(acting.phase)
            for window, size in zip(windows, sizes, strict=True):
                _all_there(window, size)
        before = windows[0].at()
        _act(acting, "Pass" if acting.phase == "auction" else acting.legal()[-1])
        for window in windows:
            window.moved(before)
        turns += 1
    assert seen == {"auction", "play"}
    for window, size in zip(windows, sizes, strict=True):
        window.page.wait_for_selector(".swing")
        _all_on_screen(window, size)
        assert [s for s in window.page.evaluate("window.shifts") if s[0] > 0] == []
        window.close()


def _all_there(window: Window, size: tuple[int, int]) -> None:
    """All that is needed is on the screen, and stays there when a hint makes the page grow."""
    page = window.page
    _all_on_screen(window, size)
    cut = page.eval_on_selector(".explain", "x => x.scrollHeight - x.clientHeight")
    assert cut <= 1 or size[1] == 360, f"{cut} px of the explanation cannot be seen"
    if min(size) <= 360:
        _large_enough_for_a_finger(page, window.phase)
    page.get_by_role("button", name="Hint").click()
    page.wait_for_selector(".hint")


def _large_enough_for_a_finger(page: Any, phase: str) -> None:
    measured = "xs => xs.map(x => [x.className, x.offsetWidth, x.offsetHeight])"
    wanted = ".box .bid, .actions > *" if phase == "auction" else ".actions > *"
    for name, width, height in page.eval_on_selector_all(wanted, measured):
        assert min(width, height) >= 44, (name, width, height)
    assert min(page.evaluate(_STRIPS)) >= 44


# How many pixels of each card of the hand can be touched across.
_STRIPS = """() => [...document.querySelectorAll('.mine-hand .fan')].flatMap((fan) => {
  const lefts = [...fan.querySelectorAll('.card')].map((c) => c.getBoundingClientRect().left);
  return lefts.slice(1).map((x, i) => x - lefts[i]);
})"""


def test_a_slip_of_the_hand_bids_nothing(window: Window) -> None:
    """Neither a second click on Hint nor a first one on a long jump."""
    window.sit(**quick(12))
    page = window.page
    hint = page.get_by_role("button", name="Hint")
    spot = hint.bounding_box()
    assert spot is not None
    for step in range(4):
        page.mouse.click(spot["x"] + 20, spot["y"] + 20)
        if step == 0:
            page.wait_for_selector(".hint")
    assert window.at() == 0
    assert page.locator(".hint").count() == 1
    assert page.locator(".bid.picked").count() == 0
    page.click('[data-call="7H"]')
    page.wait_for_selector('[data-call="7H"].picked')
    assert window.at() == 0
    page.click('[data-call="1D"]')
    window.moved(0)
    assert "1" in page.inner_text('.made[data-index="0"]')


def test_who_plays_sits_below_and_dummy_lies_opposite(window: Window) -> None:
    window.sit(**quick(1, seat="S", auto=False, source={"type": "text", "text": SLAM}))
    page = window.page
    while window.phase == "auction":
        _act(window, "Pass")
    state = next(json.loads(f) for f in reversed(window.frames) if '"state"' in f[:20])
    assert state["contract"]["declarer"] == "N"
    assert "North" in page.inner_text(".place-s .plate")
    assert "You play" in page.inner_text(".place-s .plate")
    assert "dummy" in page.inner_text(".place-n .plate")
    assert page.locator(".place-n .dummy .card").count() == 13


def test_friends_play_the_same_boards_by_a_link(chromium: Any, server: Server) -> None:
    ann = Window(chromium, server)
    page = ann.go("/club")
    page.get_by_label("Name of the match").fill("Tuesday")
    page.get_by_role("button", name="Make the match").click()
    page.wait_for_selector("code.address")
    page.get_by_label("Your name").fill("Ann")
    address = page.inner_text("code.address")
    assert "/club/" in address
    page.get_by_role("button", name="Play these boards").click()
    ann.ready()
    bob = Window(chromium, server)
    other = bob.go(address.replace(server.address, ""))
    other.get_by_label("Your name").fill("Bob")
    other.get_by_role("button", name="Play these boards").click()
    bob.ready()
    hands = [w.page.get_attribute(".mine-hand .hand", "aria-label") for w in (ann, bob)]
    assert hands[0] == hands[1]
    for window in (ann, bob):
        window.close()


def test_people_talk_look_on_and_are_replaced(chromium: Any, server: Server) -> None:
    host, guest, third = (Window(chromium, server) for _ in range(3))
    ticket = host.sit(**quick(4, seat="N", humans=["N", "E"], name="Nora"))
    _covers_nothing(host.page, ".invite", ".auction, .turn, .mine-hand .card")
    guest.go(f"/table/{ticket['table']}#join={ticket['invitations']['E']}")
    guest.page.wait_for_selector("main.table")
    guest.page.click(".people-button")
    guest.page.get_by_placeholder("Say something").fill("good evening")
    guest.page.keyboard.press("Enter")
    host.until(lambda p: "good evening" in p.inner_text("#notice"))
    host.page.click(".people-button")
    host.page.get_by_role("button", name="Link to look on").click()
    host.until(lambda p: p.locator("dialog textarea").count() == 1)
    link = host.page.input_value("dialog textarea")
    third.page.goto(link)
    third.page.wait_for_selector("main.table")
    assert third.page.locator(".bid:not([aria-disabled])").count() == 0
    guest.context.close()
    for _ in range(2):
        host.page.keyboard.press("Escape")
    host.until(lambda p: "East" in p.inner_text(".turn") or p.locator("main.mine").count() > 0)
    while not host.page.locator("main.mine").count():
        robot = host.page.get_by_role("button", name="Let a robot play")
        if robot.count():
            robot.first.click()
        host.page.wait_for_timeout(100)
    third.close()
    host.close()


def _covers_nothing(page: Any, above: str, below: str) -> None:
    """On a phone, too, where there is little room."""
    page.set_viewport_size({"width": 360, "height": 740})
    inner = "xs => xs.map((x) => x.getBoundingClientRect().toJSON())"
    a = page.eval_on_selector_all(above, inner)[0]
    for b in page.eval_on_selector_all(below, inner):
        apart = a["bottom"] <= b["top"] or b["bottom"] <= a["top"]
        assert apart or a["right"] <= b["left"] or b["right"] <= a["left"], (a, b)
    page.set_viewport_size({"width": 1280, "height": 720})


def test_the_page_opens_without_a_network(chromium: Any, server: Server) -> None:
    window = Window(chromium, server)
    page = window.go("/")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    window.context.set_offline(True)
    page.reload()
    assert page.get_by_role("heading", level=1).count() == 1
    assert page.get_by_role("button", name="Play a board").count() == 1
    window.context.close()


def test_the_result_tells_its_story_and_leads_back(chromium: Any, server: Server) -> None:
    """The costliest moment, what its maker could know, and the way back to it or to the review."""
    window = Window(chromium, server)
    window.sit(**quick(12))
    while window.phase != "over":
        window.go_on()
    page = window.page
    window.until(
        lambda p: (
            p.locator(".story").count() == 1
            and (
                "Nothing was given away" in p.inner_text(".story")
                or p.locator(".known").count() == 1
            )
        )
    )
    if page.locator(".known").count():
        window.until(lambda p: "What could" not in p.inner_text(".known"))
        assert "IMP" in page.inner_text(".story")
        page.locator(".story").get_by_role("link", name="Look at it").click()
        page.wait_for_selector("main.review .compass")
    window.close()


def test_who_is_new_is_asked_two_questions_and_guided(chromium: Any, server: Server) -> None:
    window = Window(chromium, server)
    page = window.go("/")
    page.get_by_role("button", name="No, or long ago").click()
    page.get_by_role("button", name="Explain things as they come").click()
    assert page.get_by_role("link", name="First lesson").count() == 1
    page.get_by_role("button", name="Deal me in").click()
    window.ready()
    page.wait_for_selector(".guide")
    window.go("/")
    page.wait_for_selector(".recent")
    assert page.locator(".newcomer").count() == 0
    window.close()


def test_lessons_go_on_without_a_network(chromium: Any, server: Server) -> None:
    """Whoever has looked at the list has them all, and one's progress is in the browser."""
    window = Window(chromium, server)
    page = window.go("/")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    window.go("/practice")
    page.wait_for_selector(".lesson-link")
    kept = (
        "caches.open('overtrick-page').then((c) => c.match('/api/lessons/responses')).then(Boolean)"
    )
    window.until(lambda p: p.evaluate(kept))
    window.context.set_offline(True)
    page.goto(server.address + "/lesson/responses")
    page.locator(".answer").first.click()
    page.wait_for_selector(".explained .reasons li")
    page.get_by_role("button", name="Next position").click()
    page.reload()
    window.until(lambda p: "1 of 70 seen" in p.inner_text("main"))
    window.context.close()


LANGUAGES = {"de": "Ein Board spielen", "fr": "Jouer une donne", "pl": "Zagraj rozdanie"}
PATHS = ("/club", "/club/daily", "/me", "/practice", "/lesson/responses", "/lesson/defence")


def test_every_text_is_translated(chromium: Any, server: Server) -> None:
    """Every line of the catalogues has all languages: what German has, the others have."""
    window = Window(chromium, server, viewport={"width": 1280, "height": 800})
    page = window.page
    page.add_init_script(
        "localStorage.setItem('overtrick.prefs', JSON.stringify({pace: 'quick',"
        " language: sessionStorage.getItem('language') ?? 'de'}))"
    )
    missing: set[str] = set()

    def look() -> None:
        missing.update(page.evaluate("[...overtrick.missing]"))

    window.go("/")
    page.get_by_role("button", name=LANGUAGES["de"]).wait_for()
    page.wait_for_selector("option[value='points']", state="attached")
    look()
    for path in PATHS:
        window.go(path)
        page.wait_for_selector("main h1")
        if path.startswith("/lesson"):
            page.locator(".answer:not([aria-disabled])").first.click()
        look()
    window.go(f"/review#lin={quote(PLAYED)}&step=5")
    page.wait_for_selector(".thoughts .heat")
    look()
    # A bidder with the whole system's words, so that the meanings of calls are read, too.
    bidder = {"bidder": "rules(system=two-over-one)", "player": "highest"}
    window.sit(**quick(11, ns=bidder, ew=bidder))
    window.until(lambda p: ":" in (p.get_attribute('[data-call="1H"]', "aria-label") or ""))
    for action in ("1NT", "Pass", "Pass"):
        if window.phase == "auction" and action in window.legal():
            for _ in range(3):
                page.keyboard.press("i")
                page.wait_for_selector(".hint")
            _act(window, action)
    look()
    page.click(".people-button")
    page.keyboard.press("Escape")
    page.click(".sheet-button")
    look()
    assert not missing
    for language in ("fr", "pl"):
        page.evaluate("x => sessionStorage.setItem('language', x)", language)
        window.go("/")
        page.get_by_role("button", name=LANGUAGES[language]).wait_for()
    window.close()
