"""The table: whole boards, faults of every kind, what each seat may see."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from threading import Event

import pytest

from overtrick.game import (
    PASS,
    Board,
    BridgeError,
    Call,
    Card,
    Decision,
    Hand,
    Meaning,
    Seat,
    View,
)
from overtrick.table import Fault, Limits, TableState, play_table, robot
from overtrick.table.seats import _hears


@dataclass
class Scripted:
    """Calls from a list, then passes; plays the first legal card."""

    calls: list[object] = field(default_factory=list)
    seconds: float = 0.0
    name: str = "scripted"
    system: str = "none"
    views: list[View] = field(default_factory=list)

    def bid(self, view: View) -> Decision:
        self.views.append(view)
        time.sleep(self.seconds)
        action = self.calls.pop(0) if self.calls else PASS
        if isinstance(action, BaseException):
            raise action
        return Decision(action, Meaning("scripted", alert=True))  # type: ignore[arg-type]

    def play(self, view: View) -> Decision:
        self.views.append(view)
        time.sleep(self.seconds)
        return Decision(view.legal_cards().cards()[0], Meaning("first legal card"))


def table(**seats: Scripted) -> list[Scripted]:
    return [seats.get(s, Scripted()) for s in ("north", "east", "south", "west")]


def test_a_whole_board_is_played_and_recorded() -> None:
    board = Board.random(1, seed=3)
    seats = table(north=Scripted([Call.parse("1NT")]))
    state = play_table(board, seats)
    assert state.phase == "over"
    assert state.contract is not None
    assert state.contract.ascii == "1NT"
    assert state.play is not None
    assert len(state.play) == 52
    assert len(state.log) == 4 + 52
    record = state.record(("a", "b", "c", "d"))
    assert record.tricks == state.play.declarer_tricks
    assert record.ns_score == state.score()
    assert record.call_notes[0].text == "scripted"


def test_going_back_is_as_if_the_rest_had_not_been() -> None:
    board = Board.random(2, seed=5)
    calls = [Call.parse(c) for c in ("1NT", "X", "XX")]
    seats = table(west=Scripted(calls[2:]), east=Scripted(calls[:1]), south=Scripted(calls[1:2]))
    over = play_table(board, seats)
    states = [TableState.start(board, systems=over.systems, seed=over.seed)]
    for entry in over.log:
        states.append(states[-1].after(entry.decision, entry.milliseconds, entry.ruling))
    assert states[-1] == over
    for keep, state in enumerate(states):
        assert over.back_to(keep) == state
        assert state.back_to(keep) == state
    tricks = states[-5].play
    assert tricks is not None
    claimed = states[-5].after_claim(tricks.declarer_tricks)
    assert claimed.back_to(len(claimed.log)) == states[-5]


def test_views_show_no_hidden_cards() -> None:
    board = Board.random(1, seed=3)
    seats = table(north=Scripted([Call.parse("1NT")]))
    play_table(board, seats)
    for seat, occupant in zip(Seat, seats, strict=True):
        for view in occupant.views:
            assert view.seat == seat
            assert view.hand == board.deal[seat]
            if view.play is None or len(view.play) == 0:
                assert view.dummy is None
            else:
                assert view.dummy == board.deal[view.play.dummy]
            hidden = [s for s in Seat if s not in view.known]
            for other in hidden:
                left = board.deal[other] - (view.play.played if view.play else Hand(0))
                assert (view.unseen.bits & left.bits) == left.bits


def test_partner_hears_no_explanation_opponents_do() -> None:
    seats = table(north=Scripted([Call.parse("1C")]))
    play_table(Board.random(1, seed=3), seats)
    east, south = seats[1].views[0], seats[2].views[0]
    assert east.meanings[0] is not None
    assert south.meanings[0] is None


@pytest.mark.parametrize(
    ("action", "fault"),
    [
        (Call.parse("XX"), Fault.ILLEGAL),
        (Card.parse("SA"), Fault.ILLEGAL),
        (RuntimeError("out of ideas"), Fault.EXCEPTION),
        (ConnectionResetError("gone"), Fault.DISCONNECTED),
    ],
)
def test_faulty_calls_become_pass(action: object, fault: Fault) -> None:
    state = play_table(Board.random(1, seed=3), table(north=Scripted([action])))
    assert state.auction.is_passed_out
    (ruling,) = state.rulings
    assert (ruling.seat, ruling.fault, ruling.instead) == (Seat.NORTH, fault, "Pass")


@pytest.mark.parametrize("error", [SystemExit("bye"), StopIteration("no more")])
def test_an_engine_that_leaves_its_thread_does_not_leave_the_table(error: BaseException) -> None:
    seats = table(north=Scripted([error]))
    state = play_table(Board.random(1, seed=3), seats, limits=Limits(call=5.0))
    (ruling,) = state.rulings
    assert (ruling.seat, ruling.fault) == (Seat.NORTH, Fault.EXCEPTION)
    assert type(error).__name__ in ruling.detail


def test_a_late_seat_is_ruled_on_and_does_not_hold_up_the_table() -> None:
    board_over = Event()

    class Ponders(Scripted):
        def bid(self, view: View) -> Decision:
            board_over.wait()
            return super().bid(view)

    slow = Ponders([Call.parse("1S")])
    state = play_table(Board.random(1, seed=3), table(north=slow), limits=Limits(call=0.05))
    assert state.rulings[0].fault == Fault.LATE
    assert state.auction.is_passed_out
    board_over.set()


def test_an_illegal_card_is_replaced_by_the_lowest_legal_one() -> None:
    class Revoker(Scripted):
        def play(self, view: View) -> Decision:
            return Decision(Card(0), Meaning("always the two of clubs"))

    board = Board.random(1, seed=3)
    seats = [Revoker([Call.parse("3NT")]), Revoker(), Revoker(), Revoker()]
    state = play_table(board, seats)
    assert state.phase == "over"
    assert len(state.rulings) == 51
    first = state.rulings[0]
    assert first.fault == Fault.ILLEGAL


def test_claims_must_be_possible() -> None:
    board = Board.random(1, seed=3)
    state = TableState.start(board)
    for word in ("1NT", "P", "P", "P"):
        state = state.after(Decision(Call.parse(word), Meaning("x")))
    assert state.after_claim(9).tricks == 9
    with pytest.raises(BridgeError, match="cannot end with 14"):
        state.after_claim(14)


def test_robot_strings() -> None:
    assert robot("pass").name == "pass+highest"
    assert robot("pass + random(seed=3)".replace(" ", "")).name == "pass+random(seed=3)"
    with pytest.raises(BridgeError, match="no bidder called"):
        robot("nobody")


@pytest.mark.parametrize(
    ("spec", "hears"),
    [
        ("points+highest", False),
        ("external(command='x')", True),
        ("points+external(command='x')", True),
        ("ben(url='http://127.0.0.1:1')+ben", False),
        ("epbot(lib=a, card=b)+pimc", False),
    ],
)
def test_only_who_hears_what_calls_show_makes_us_measure_it(spec: str, hears: bool) -> None:
    assert _hears(spec) is hears
