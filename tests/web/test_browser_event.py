"""An event of pairs in real browsers: six tables from entry to the printed ranking, with a late
pair, a substitute and a director's result; its screens on telephones, in German, for axe."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.web.browsing import Server, Window
from tests.web.crowd import Crowd, ask

pytestmark = pytest.mark.browser


@pytest.fixture
def crowd(server: Server) -> Iterator[Crowd]:
    found = Crowd(server.address)
    yield found
    found.close()


def _until(window: Window, done: Callable[[], bool], *others: Window) -> None:
    end = time.monotonic() + 120
    while not done():
        shown = [f"{w.page.url} {w.page.inner_text('main')[:800]}" for w in (window, *others)]
        assert time.monotonic() < end, shown
        window.page.wait_for_timeout(300)


def _arranged(window: Window, title: str, each: str = "1", movement: str = "mitchell") -> str:
    page = window.go("/event")
    page.get_by_label("Name of the event").fill(title)
    page.get_by_label("Movement").select_option(movement)
    page.get_by_label("Boards in a round").select_option(each)
    page.get_by_text("Arrange it").click()
    page.wait_for_url("**/event/*")
    return page.url.rsplit("/", 1)[1]


def _director(window: Window) -> str:
    return str(
        window.page.evaluate(
            "Object.values(JSON.parse(localStorage.getItem('overtrick.events')))[0].director"
        )
    )


@pytest.mark.slow
def test_six_tables_from_entry_to_the_printed_ranking(
    chromium: Any, server: Server, crowd: Crowd
) -> None:
    desk = Window(chromium, server, viewport={"width": 1280, "height": 900})
    event = _arranged(desk, "Tuesday pairs")
    tokens = [crowd.pair(event, f"Ann {i}", f"Bob {i}") for i in range(1, 11)]
    # The eleventh pair: one of them in a browser, who invites a friend by script.
    mine = Window(chromium, server, viewport={"width": 390, "height": 844}, has_touch=True)
    page = mine.go(f"/event/{event}")
    page.get_by_label("Your name, as others see it").fill("Eve")
    page.locator(".enter button.primary").click()
    page.wait_for_selector(".my-place")
    link = page.locator(".my-place .address").inner_text().partition("#join=")[2]
    ticket = ask(
        server.address, f"/api/events/{event}/join", {"name": "Flo", "invitation": link},
        browser="flo",
    )  # fmt: skip
    crowd.start(crowd.play(event, "flo", ticket["token"]))
    board = desk.page
    board.wait_for_selector("text=Pairs: 11")
    board.get_by_role("button", name="Begin").click()
    board.wait_for_selector("text=Round 1 of 5")
    for number in range(1, 6):
        # Eve plays by touch: taps the first legal call or card, twice where that is asked.
        _play_round(mine, number)
        if number == 2:  # a late pair takes the empty place
            tokens.append(crowd.pair(event, "Ida", "Jon"))
        if number == 3:  # somebody leaves, another one comes
            made = ask(
                server.address, f"/api/events/{event}/direct",
                {"type": "offer", "entry": 1, "member": 1}, _director(desk),
            )  # fmt: skip
            zoe = ask(
                server.address, f"/api/events/{event}/join",
                {"name": "Zoe", "invitation": made["invitation"]}, browser="zoe",
            )  # fmt: skip
            crowd.start(crowd.play(event, "zoe", zoe["token"]))
        _until(desk, lambda: board.get_by_text("All boards have a result.").is_visible(), mine)
        if number == 4:
            board.get_by_role("button", name="Result").first.click()
            board.get_by_label("North–South, per cent").fill("60")
            board.get_by_label("East–West, per cent").fill("40")
            board.get_by_label("Why").fill("misboarded")
            board.get_by_text("Enter this result").click()
            _until(desk, lambda: not board.locator("dialog").count())
        if number < 5:
            board.get_by_role("button", name="Next round").click()
            board.wait_for_selector(f"text=Round {number + 1} of 5")
    board.get_by_role("button", name="Close the event").click()
    board.wait_for_selector("text=Results to take along")
    assert not crowd.problems
    assert board.get_by_text("misboarded").first.is_visible()
    assert board.get_by_text("Zoe instead of Bob 1").first.is_visible()
    lists = board.locator("table.ranking")
    assert [lists.nth(i).locator("tbody tr").count() for i in range(2)] == [6, 6]
    printed = Window(chromium, server)
    sheet = printed.go(f"/api/events/{event}/results?form=print")
    assert sheet.locator("table").count() == 2 + 6
    assert "Ann 1 – Zoe" in sheet.inner_text("body")
    shown = ask(server.address, f"/api/events/{event}")
    late = next(p["number"] for p in shown["pairs"] if p["names"] == ["Ida", "Jon"])
    boards = {r["pair"]: r["boards"] for f in shown["rankings"] for r in f["rows"]}
    assert boards[late] == 3
    assert sorted(boards.values()) == [3, *[4] * 2, *[5] * 9]
    for window in (desk, mine, printed):
        assert not window.problems
        window.close()


def _play_round(window: Window, number: int) -> None:
    """From the event to the table, board by board, until this round is over there."""
    page = window.page
    if "/event/" in page.url:
        page.wait_for_selector(f"text=Round {number} of 5")
        place = page.locator(".my-place")
        _until(
            window,
            lambda: "/table/" in page.url or place.get_by_text("To my table").is_visible()
            or place.get_by_text("You sit out this round.").is_visible(),
        )  # fmt: skip
        if place.get_by_text("You sit out this round.").is_visible():
            return
        place.get_by_text("To my table").click()
    page.wait_for_selector("main.table")
    while not page.get_by_text("This round is over.").is_visible():
        if window.phase == "over":
            page.get_by_role("button", name="Next board").click()
            page.wait_for_selector("main.phase-auction")
        elif page.locator("main.table.mine").count():
            window.go_on()
        page.wait_for_timeout(50)
    page.get_by_text("To the event").click()
    page.wait_for_selector(".my-place")
