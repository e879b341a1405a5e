"""The table in a real browser: clicks, keys, explanations, reload, two people, review, phones."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote
from urllib.request import urlopen

import pytest

pytestmark = pytest.mark.browser
sync_api = pytest.importorskip("playwright.sync_api", reason="pip install playwright")

CHROMIUM = next(
    (p for p in ("/usr/bin/chromium", "/usr/bin/chromium-browser") if Path(p).exists()), ""
)
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update",
]  # fmt: skip
AXE = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"
LIN = (
    "pn|a,b,c,d|st||md|3SAKQ2HAK3DAK2CA32,SJT98HQJTDQJTCQJT,S7654H654D654C654,|sv|o|ah|Board 1|"
    "mb|p|mb|p|mb|3N|mb|p|mb|p|mb|p|pc|SJ|pc|S4|pc|S3|pc|SA|pc|C2|pc|CT|pc|C4|pc|C7|"
)
PLAYED = LIN.split("pc|")[0] + "pc|SJ|pc|S4|pc|S3|pc|SA|pc|SK|pc|S8|pc|S5|pc|H2|mc|8|"

SLAM = "N:AKQJ.AKQ.AKQ.AKQ T987.JT9.JT9.JT9 6543.876.876.876 2.5432.5432.5432"


class Server:
    """`overtrick serve` as a program of its own, so that it can be killed."""

    def __init__(self, log: Path, errors: Path | None = None) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.log, self.errors = log, errors
        self.address = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        run = "from overtrick.cli import main; main()"
        arguments = ["serve", "--port", str(self.port), "--log", str(self.log)]
        self.process = subprocess.Popen(
            [sys.executable, "-c", run, *arguments],
            stdout=subprocess.DEVNULL,
            stderr=None if self.errors is None else self.errors.open("ab"),
            env={**os.environ, "OMP_NUM_THREADS": "1"},
        )
        for _ in range(300):
            try:
                urlopen(self.address + "/api/health", timeout=5).read()
                return
            except OSError:
                time.sleep(0.1)
        raise AssertionError("the server did not start")

    def kill(self) -> None:
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.kill()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    if not CHROMIUM:
        pytest.skip("Chromium is not installed (apt-get install chromium)")
    found = Server(tmp_path_factory.mktemp("browser") / "log.sqlite")
    urlopen(found.address + "/api/engines", timeout=60).read()
    yield found
    found.stop()


@pytest.fixture(scope="module")
def chromium(server: Server) -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


class Window:
    """A browser of one person; every frame it receives is kept."""

    def __init__(self, chromium: Any, server: Server, **options: Any) -> None:
        self.context = chromium.new_context(**options)
        self.page = self.context.new_page()
        self.server = server
        self.frames: list[str] = []
        self.problems: list[str] = []
        self.page.on("websocket", lambda ws: ws.on("framereceived", self._frame))
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.add_init_script(
            "localStorage.getItem('overtrick.prefs') ??"
            " localStorage.setItem('overtrick.prefs', JSON.stringify({pace: 'quick'}))"
        )

    def _frame(self, payload: Any) -> None:
        self.frames.append(payload if isinstance(payload, str) else payload.decode())

    def go(self, path: str) -> Any:
        self.page.goto(self.server.address + path)
        return self.page

    def sit(self, **wish: Any) -> dict[str, Any]:
        """Open a table as the start page does, with a wish of our own."""
        self.go("/")
        ticket: dict[str, Any] = self.page.evaluate(
            """async (wish) => {
              const answer = await fetch('/api/tables',
                {method: 'POST', body: JSON.stringify(wish)});
              const ticket = await answer.json();
              localStorage.setItem('overtrick.tickets', JSON.stringify([{...ticket, at: 1}]));
              return ticket;
            }""",
            wish,
        )
        self.go(f"/table/{ticket['table']}")
        self.ready()
        return ticket

    def ready(self, seconds: float = 40) -> None:
        """Until it is our turn or the board is over."""
        self.page.wait_for_selector(
            "main.table.mine, main.phase-over", timeout=1000 * seconds, state="attached"
        )

    @property
    def phase(self) -> str:
        found = self.page.get_attribute("main.table", "class") or ""
        return re.search(r"phase-(\w+)", found)[1]  # type: ignore[index]

    def legal(self) -> list[str]:
        if self.phase == "auction":
            return self.page.eval_on_selector_all(
                ".box .bid[data-call]:not([aria-disabled])", "xs => xs.map(x => x.dataset.call)"
            )
        return self.page.eval_on_selector_all(
            "button.card:not([aria-disabled])", "xs => xs.map(x => x.dataset.card)"
        )

    def at(self) -> int:
        state = next(json.loads(f) for f in reversed(self.frames) if '"state"' in f[:20])
        return int(state["at"])

    def moved(self, before: int) -> None:
        end = time.monotonic() + 40
        while self.at() == before and time.monotonic() < end:
            self.page.wait_for_timeout(20)
        self.ready()

    def until(self, done: Callable[[Any], bool], seconds: float = 40) -> None:
        """Ask again and again; the page's policy allows no function strings inside it."""
        end = time.monotonic() + seconds
        while not done(self.page):
            assert time.monotonic() < end, self.page.inner_text("body")[:300]
            self.page.wait_for_timeout(30)

    def close(self) -> None:
        self.context.close()
        assert not self.problems


@pytest.fixture
def window(chromium: Any, server: Server) -> Iterator[Window]:
    found = Window(chromium, server, viewport={"width": 1280, "height": 800})
    yield found
    found.close()


def board(seed: int) -> dict[str, Any]:
    return {"source": {"type": "random", "number": 3, "seed": seed}}


def test_a_whole_board_by_clicks(window: Window) -> None:
    page = window.go("/")
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
    page.wait_for_selector(".result")
    assert page.locator(".open-hand").count() == 4
    page.get_by_role("button", name="Next board").click()
    page.wait_for_selector("main.phase-auction")


def test_a_whole_board_by_keyboard_alone(window: Window) -> None:
    window.sit(**board(11))
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
    page.wait_for_selector(".hint .tells")
    assert page.locator(".bid.advised").count() == 1
    page.click('[data-call="1NT"]')
    window.moved(0)
    assert page.locator(".made").count() >= 4
    page.get_by_role("button", name="Undo").click()
    window.until(lambda p: p.locator(".made").count() == 0)
    window.ready()
    assert "1NT" in window.legal()


def test_a_claim(window: Window) -> None:
    window.sit(seat="N", source={"type": "text", "text": SLAM}, auto=False)
    page = window.page
    page.keyboard.type("7n")
    window.moved(0)
    while not page.query_selector(".tools .button:not([aria-disabled]):has-text('Claim')"):
        before = window.at()
        page.keyboard.type(window.legal()[0].lower())
        window.moved(before)
    page.keyboard.press("m")
    page.get_by_role("button", name=re.compile("^all")).click()
    page.wait_for_selector(".result")
    assert "7" in page.inner_text(".outcome")
    assert page.inner_text(".turn").startswith("Claimed")


def test_a_reload_in_mid_board(window: Window) -> None:
    window.sit(**board(12))
    page = window.page
    while window.phase == "auction":
        before = window.at()
        page.keyboard.press("p")
        window.moved(before)
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
    ticket = host.sit(
        seat="N", humans=["N", "E"], source={"type": "random", "number": 1, "seed": 4}
    )
    guest.go(f"/table/{ticket['table']}#join={ticket['invitations']['E']}")
    guest.page.wait_for_selector("main.table")
    assert "join=" not in guest.page.url
    people = {"N": host, "E": guest}
    for _ in range(80):
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


def test_the_review_and_a_pasted_link(window: Window) -> None:
    page = window.go("/review")
    link = "https://www.bridgebase.com/tools/handviewer.html?lin=" + quote(LIN)
    page.fill("textarea", link)
    page.get_by_role("button", name="Look at it").click()
    page.wait_for_selector(".matrix", timeout=30_000)
    assert page.locator(".matrix td").count() == 21
    assert "Par" in page.inner_text(".notes")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert "Card 3 of 8" in page.inner_text(".stepper")
    page.keyboard.press("End")
    assert "Card 8 of 8" in page.inner_text(".stepper")
    window.until(lambda p: len(p.get_attribute('.made[data-index="2"]', "aria-label")) > 25)
    page.hover('.made[data-index="2"]')
    window.until(lambda p: "engine bids" in p.inner_text(".notes .explain"))
    page.keyboard.press("ArrowLeft")
    permalink = page.url
    assert "lin=" in permalink
    window.go("/")
    page.goto(permalink)
    page.wait_for_selector(".matrix", timeout=30_000)
    assert "Card 7 of 8" in page.inner_text(".stepper")


def test_worlds_costs_and_other_tables(window: Window) -> None:
    page = window.go(f"/review#lin={quote(PLAYED)}&step=5")
    page.wait_for_selector(".thoughts .heat", timeout=30_000)
    assert page.locator(".thought").count() == 2
    assert page.locator(".thought .bars").count() == 10
    assert " of clubs" in page.get_attribute(".thought .heat", "aria-label")
    window.until(lambda p: "Double dummy" in p.inner_text(".costs"))
    window.until(lambda p: "thinking" not in p.inner_text(".costs"), 60)
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
    page = window.go(f"/review#lin={quote(PLAYED)}")
    page.wait_for_selector(".matrix", timeout=30_000)
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
    window.until(lambda p: "after 16 boards" in p.inner_text("main"), 60)
    page.locator(".list a").first.click()
    page.wait_for_url("**/review#lin=**")


def test_practice_with_awards(window: Window) -> None:
    page = window.go("/practice")
    page.locator(".set").first.click()
    page.wait_for_selector("main.table")
    window.ready()
    while window.phase != "over":
        before = window.at()
        page.keyboard.press("p")
        window.moved(before)
    page.wait_for_selector(".judgement .award", timeout=30_000)
    assert "Par" in page.inner_text(".judgement")
    assert "Two robots" in page.inner_text(".judgement")
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
    host.page.wait_for_selector(".judgement", timeout=30_000)
    assert "level with it" in host.page.inner_text(".judgement")
    host.close()
    guest.close()


def test_an_evening_ranked(window: Window) -> None:
    page = window.go("/review")
    page.fill(
        "textarea", "qx|o1|" + LIN + "\nqx|o2|" + LIN.replace("pc|SA|", "pc|S2|").split("pc|C2")[0]
    )
    page.get_by_role("button", name="Look at it").click()
    page.get_by_role("button", name="Find the most costly decisions").click()
    window.until(lambda p: "2 of 2 solved" in p.inner_text("body"))


def test_a_link_pasted_at_the_start_page(window: Window) -> None:
    page = window.go("/")
    page.get_by_role("radio", name="Paste").check()
    page.fill("form textarea", "https://www.bridgebase.com/tools/handviewer.html?lin=" + quote(LIN))
    page.get_by_role("button", name="Open this table").click()
    page.wait_for_selector("main.table")
    window.ready()
    shown = page.get_attribute(".hand", "aria-label") or ""
    assert "spades ace king queen 2" in shown


PAGES = ["/", "/review", "/practice", "/decode", "/book", "/suit", "/deal", "/match"]
READY = {"/deal": ".mini", "/suit": ".plan", "/book": ".booked", "/decode": ".decoded"}


@pytest.mark.parametrize("path", ["pages", "table"])
def test_a_phone_of_360_pixels(chromium: Any, server: Server, path: str) -> None:
    window = Window(
        chromium, server, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True
    )
    page = window.page
    if path == "table":
        window.sit(**board(11))
        # Two taps: the first explains, the second bids.
        page.tap('[data-call="1NT"]')
        assert page.locator(".bid.picked").count() == 1
        assert window.at() == 0
        page.tap('[data-call="1NT"]')
        window.moved(0)
    for each in PAGES if path == "pages" else []:
        window.go(each)
        page.wait_for_selector(READY.get(each, "main"))
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, each
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    window.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_serious_for_axe(chromium: Any, server: Server, scheme: str) -> None:
    if not AXE.exists():
        pytest.skip("axe-core is not installed (npm install in web/)")
    window = Window(chromium, server, color_scheme=scheme, bypass_csp=True)
    page = window.page
    window.go("/")
    page.wait_for_selector("option[value='points']", state="attached")
    _axe(page, "start")
    window.sit(**board(12))
    _axe(page, "auction")
    while window.phase == "auction":
        before = window.at()
        page.keyboard.press("p")
        window.moved(before)
    _axe(page, "play")
    window.go(f"/review#lin={quote(LIN)}")
    page.wait_for_selector(".matrix", timeout=30_000)
    _axe(page, "review")
    page.keyboard.press("?")
    _axe(page, "keys")
    for path in PAGES[2:]:
        window.go(path)
        page.wait_for_selector(READY.get(path, "main"))
        _axe(page, path)
    window.close()


def _axe(page: Any, where: str) -> None:
    page.evaluate(AXE.read_text())
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    bad = [
        (v["id"], v["nodes"][0]["html"][:160], v["nodes"][0].get("failureSummary", "")[:200])
        for v in found["violations"]
        if v["impact"] in ("serious", "critical")
    ]
    assert not bad, f"{where}: {bad}"


def test_killed_in_mid_board_and_back(chromium: Any, tmp_path: Path) -> None:
    server = Server(tmp_path / "log.sqlite")
    window = Window(chromium, server)
    try:
        window.sit(**board(12))
        before = window.at()
        window.page.keyboard.press("p")
        window.moved(before)
        calls = window.page.locator(".made").count()
        server.kill()
        window.until(lambda p: "Connection lost" in p.inner_text(".turn"))
        server.start()
        window.ready(60)
        assert window.page.locator(".made").count() == calls
        before = window.at()
        window.page.keyboard.press("p" if window.phase == "auction" else "Escape")
        if window.phase == "auction":
            window.moved(before)
    finally:
        window.close()
        server.stop()


def test_weight_and_speed(window: Window) -> None:
    weights: list[int] = []
    window.page.on("requestfinished", lambda r: weights.append(r.sizes()["responseBodySize"]))
    ticket = window.sit(**board(11))
    weights.clear()
    started = time.monotonic()
    window.page.goto(f"{window.server.address}/table/{ticket['table']}")
    window.page.wait_for_selector(".mine-hand .card")
    seconds = time.monotonic() - started
    window.page.wait_for_timeout(300)
    assert sum(weights) < 400_000
    assert seconds < 5, f"the table came after {seconds:.1f} s"
