"""A robot's tempo follows from what everybody sees. The clock of these tests stands still while
anything but waiting is done."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.testclient import TestClient

from benchmarks.tempo import Area, Deed, area, touching
from overtrick.game import PASS, Board, Call, Card, Deal, Decision, Hand, Meaning, Seat, View
from overtrick.table import TableState
from overtrick.web import showing, thinking
from overtrick.web.robots import Patience, Robots
from overtrick.web.tempo import Moment, Tempo, beat, blur, moment, rest
from tests.web.conftest import sit


class StoppedClock(asyncio.SelectorEventLoop):
    """A loop whose time is only what is waited for."""

    _now = 0.0

    def time(self) -> float:
        return self._now

    def _run_once(self) -> None:
        if not self._ready and self._scheduled:  # type: ignore[attr-defined]
            self._now = max(self._now, self._scheduled[0]._when)  # type: ignore[attr-defined]
        super()._run_once()  # type: ignore[misc]


@pytest.fixture(autouse=True)
def sharp(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beats without the milliseconds of chance that follow them."""
    monkeypatch.setattr("overtrick.web.robots.blur", lambda: 0.0)


def test_chance_adds_milliseconds_and_no_more() -> None:
    drawn = [blur() for _ in range(300)]
    assert 0 <= min(drawn) < 0.005 < 0.015 < max(drawn) <= 0.02


def decided(action: Call | Card) -> Decision:
    return Decision(action, Meaning("some"))


def somewhere(rng: random.Random, seed: int) -> TableState:
    """A board with some calls made, or a contract and some cards played."""
    state = TableState.start(Board.random(rng.randrange(1, 17), seed=seed))
    if rng.random() < 0.3:
        for _ in range(rng.randrange(4)):
            state = state.after(decided(PASS))
        return state if state.phase == "auction" else TableState.start(state.board)
    for call in (Call.parse("1NT"), PASS, PASS, PASS):
        state = state.after(decided(call))
    for _ in range(rng.randrange(52)):
        state = state.after(decided(rng.choice(state.view().legal_cards().cards())))
    return state


def other_hands(state: TableState, rng: random.Random) -> TableState:
    """The same calls and cards with other hidden cards: two players have exchanged some of equal
    suit, so that everything could have gone as it went."""
    play = state.play
    gone = set() if play is None else set(play.cards)
    dummy = play.dummy if play is not None and play.cards else None
    hidden = [s for s in Seat if s != dummy]
    hands = [set(h.cards()) for h in state.board.deal.hands]
    for _ in range(30):
        a, b = rng.sample(hidden, 2)
        mine = [c for c in hands[a] if c not in gone]
        if not mine:
            break
        card = rng.choice(mine)
        theirs = [c for c in hands[b] if c not in gone and c.suit == card.suit]
        if theirs:
            other = rng.choice(theirs)
            hands[a] ^= {card, other}
            hands[b] ^= {card, other}
    north, east, south, west = (Hand.of(cards) for cards in hands)
    deal = Deal((north, east, south, west))
    made = TableState.start(replace(state.board, deal=deal))
    for entry in state.log:
        made = made.after(decided(entry.decision.action))
    return made


def test_the_same_for_everybody_means_the_same_beat() -> None:
    rng, differ = random.Random(7), 0
    for seed in range(400):
        state = somewhere(rng, seed)
        if state.phase == "over":
            continue
        other = other_hands(state, rng)
        differ += other.view().hand != state.view().hand
        assert moment(other.view()) == moment(state.view())
        for pace in (0.5, 3.0):
            assert beat(moment(other.view()), pace) == beat(moment(state.view()), pace)
    assert differ > 150


def test_only_what_all_see_is_settled() -> None:
    """Dummy's single card and the last trick; never the single card of a hidden hand."""
    rng, seen = random.Random(3), set()
    for seed in range(300):
        state = somewhere(rng, seed)
        view = state.view()
        if view.play is None or state.phase == "over":
            continue
        public = view.play.turn == view.play.dummy or len(view.play.cards) >= 48
        alone = len(view.legal_cards()) == 1
        seen.add((public, alone))
        assert moment(view).settled == (public and alone)
    assert len(seen) == 4


@pytest.mark.parametrize(
    ("spent", "step", "waits"),
    [(0.0, 0.4, 0.4), (0.39, 0.4, 0.01), (0.4, 0.4, 0.0), (0.41, 0.4, 0.39), (1.0, 0.0, 0.0)],
)
def test_early_answers_wait_and_late_ones_are_shown_at_the_next_beat(
    spent: float, step: float, waits: float
) -> None:
    assert rest(spent, step) == pytest.approx(waits)


def shown_after(seconds: Callable[[View], float], states: list[TableState]) -> list[float]:
    """When the answers of a robot appear that thinks so long; of one server, one after another."""

    class Thinkers:
        async def ask(self, what: Any, spec: str, view: View, *_: Any, **__: Any) -> Decision:
            await asyncio.sleep(seconds(view))
            return decided(PASS if view.play is None else view.legal_cards().cards()[0])

    async def all_of_them() -> list[float]:
        thinkers: Any = Thinkers()
        robots, out = Robots(thinkers, thinkers), []
        engines = SimpleNamespace(bidder="partner", player="pimc(worlds=20)")
        settings = SimpleNamespace(
            engines=lambda seat: engines, humans=("N",), silent=False, auction_only=False
        )
        for state in states:
            table: Any = SimpleNamespace(settings=settings, posed=None, state=state)
            began = asyncio.get_running_loop().time()
            await robots.answer(table, state.view(), Patience())
            out.append(asyncio.get_running_loop().time() - began)
        return out

    return _run(all_of_them())


def _run(work: Awaitable[list[float]]) -> list[float]:
    with asyncio.Runner(loop_factory=StoppedClock) as runner:
        return runner.run(work)  # type: ignore[arg-type]


def test_no_choice_comes_as_late_as_a_choice() -> None:
    """Cards of hidden hands: one legal card, thought about for no time, and many for long."""
    rng = random.Random(11)
    states = [s for seed in range(150) if (s := somewhere(rng, seed)).phase == "play"]
    states = [replace(s, seed=1) for s in states if not moment(s.view()).settled]

    def thought(view: View) -> float:
        return 0.001 if len(view.legal_cards()) == 1 else 0.09

    times = shown_after(thought, states)
    assert {len(s.view().legal_cards()) == 1 for s in states} == {True, False}
    for state, time in zip(states, times, strict=True):
        assert time == pytest.approx(beat(moment(state.view()), 1.5))


def test_a_hesitation_over_a_call_is_not_seen() -> None:
    states = [TableState.start(Board.random(n, seed=n)) for n in range(1, 9)]
    times = shown_after(lambda view: 0.38 if view.hand.hcp > 10 else 0.002, states)
    assert times == pytest.approx([beat(Moment(0), 1.5)] * 8)
    late = shown_after(lambda view: 0.8, states[:1])
    assert late == pytest.approx([2 * beat(Moment(0), 1.5)])


def test_a_board_keeps_its_pace_and_the_next_one_has_learned() -> None:
    tempo = Tempo()
    assert tempo.pace("pimc", 1) == 1.0
    for _ in range(40):
        tempo.learn("pimc", Moment(4, 8), 1.9 * beat(Moment(4, 8), 1.0))
    assert tempo.pace("pimc", 1) == 2.0  # its first board: it was late
    assert tempo.pace("pimc", 2) == 2.0
    assert tempo.pace("other", 2, 0.5) == 0.5
    for _ in range(400):
        tempo.learn("pimc", Moment(4, 8), 0.01)
    assert tempo.pace("pimc", 3) == 0.25
    assert tempo.pace("pimc", 2) == tempo.pace("pimc", 1) == 2.0


def test_what_the_benchmark_counts() -> None:
    """Areas within one public situation only, and cards that are equal."""
    slow = [Deed("choice", (1,), 2.0), Deed("choice", (2,), 1.0)]
    quick = [Deed("single", (1,), 1.0), Deed("single", (2,), 1.0), Deed("single", (3,), 9.0)]
    assert area(slow, quick) == Area(0.75, pytest.approx(0.177, abs=0.001), 2, 3)
    deal = Deal.parse("N:KQ32.A43.A43.A43 AJT9.K52.K52.K52 8765.QJT.QJT.QJT 4.9876.9876.9876")
    state = TableState.start(Board(1, Seat.NORTH, Board.random(1, seed=1).vul, deal))
    for call in (Call.parse("1NT"), PASS, PASS, PASS):
        state = state.after(decided(call))
    assert not touching(state.view())  # any card may be led
    state = state.after(decided(Card.parse("SA")))
    assert not touching(
        state.after(decided(Card.parse("S5"))).after(decided(Card.parse("S4"))).view()
    )
    assert touching(state.view())


def test_among_people_no_card_comes_by_itself_that_others_cannot_foresee() -> None:
    rng, found = random.Random(5), 0
    for seed in range(200):
        state = somewhere(rng, seed)
        if state.phase != "play" or len(state.view().legal_cards()) != 1:
            continue
        found += 1
        actor = state.actor.letter

        def table(humans: tuple[str, ...], state: TableState = state) -> Any:
            return SimpleNamespace(
                state=state, settings=SimpleNamespace(auto=True, humans=humans, take_over=False),
                is_human=lambda seat: seat.letter in humans,
            )  # fmt: skip

        other = state.actor.partner.letter
        assert showing.forced(table((actor,))) is not None
        known = showing.forced(table((actor, other))) is not None
        assert known == moment(state.view()).settled
    assert found > 20


def test_that_a_hint_was_asked_for_is_known_before_it_is_found(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the answer comes depends on a hidden hand; others see only that it was asked for."""
    seat = sit(client, source={"type": "random", "number": 1, "seed": 7})
    seat.my_turn()
    room = client.app.state.room  # type: ignore[attr-defined]
    real, known = room.think.ask, []

    async def ask(what: Any, *rest: Any, **more: Any) -> Any:
        if what is thinking.opinion:
            known.append((await room.find(seat.table)).table.helped)
        return await real(what, *rest, **more)

    monkeypatch.setattr(room.think, "ask", ask)
    assert seat.hint().status_code == 200
    assert known == [True]
