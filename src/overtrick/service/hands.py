"""Hands played by a language model against robots: it sees what its seat may see, and no more.
Used as tools by the MCP server; tables live as long as the server and are few."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Annotated, Any, Final

from overtrick.cardplay.claim import claim
from overtrick.game import Board, BridgeError, Call, Card, Decision, Meaning, Seat, imps
from overtrick.game.scoring import result_text
from overtrick.service.facttypes import ResultFact, SeatFact, Side, TableName
from overtrick.table import Robot, TableState, robot
from overtrick.table.loop import excused, judged

ROBOT: Final = "rules(system=sayc)+pimc(worlds=12)"
_MOST_TABLES: Final = 64


class Tables:
    """Boards in play by their names. A deal is drawn from the system's own randomness: a seed that
    the player knew would be the deal."""

    def __init__(
        self, robots: str = ROBOT, draw: Callable[[], int] = lambda: secrets.randbits(62)
    ) -> None:
        self._robot: Robot | None = None
        self._robots, self._draw = robots, draw
        self._tables: OrderedDict[str, tuple[TableState, Seat]] = OrderedDict()
        self._lock = Lock()

    def tools(self) -> tuple[Callable[..., SeatFact], ...]:
        """What a model may do here."""
        return self.play_a_hand, self.look_at_table, self.make_call, self.play_card, self.claim_rest

    def play_a_hand(self, seat: Annotated[Side, "where you sit"] = "S") -> SeatFact:
        """Sit down at a new table, in `seat`, with three robots; a random board is dealt.

        Returns what the seat sees: its hand, the auction, whose turn it is, what is legal.
        """
        drawn = self._draw()
        board = Board.random(drawn % 16 + 1, seed=drawn)
        engine = self._engine()
        systems = (engine.system, engine.system)
        state = TableState.start(board, systems=systems, seed=self._draw() & 0xFFFF)
        name = secrets.token_hex(6)
        with self._lock:
            self._tables[name] = (self._robots_act(state, Seat.parse(seat)), Seat.parse(seat))
            while len(self._tables) > _MOST_TABLES:
                self._tables.popitem(last=False)
            return self._seen(name)

    def look_at_table(self, table: TableName) -> SeatFact:
        """The table again, as its seat sees it now; after the end with all hands and par."""
        with self._lock:
            return self._seen(table)

    def make_call(
        self, table: TableName, call: Annotated[str, "1NT, 4S, Pass, X or XX"]
    ) -> SeatFact:
        """Make a call (1NT, 4S, Pass, X, XX) when it is the seat's turn; robots answer."""
        return self._act(table, Call.parse(call), "auction")

    def play_card(
        self, table: TableName, card: Annotated[str, "suit and rank: SA, HT"]
    ) -> SeatFact:
        """Play a card (SA, HT) from the seat's hand, or from dummy as declarer; robots answer."""
        return self._act(table, Card.parse(card), "play")

    def claim_rest(self, table: TableName) -> SeatFact:
        """End the hand when the rest is certain in every layout; refused when it is not."""
        with self._lock:
            state, seat = self._find(table)
            if state.phase != "play":
                raise BridgeError("claims are made during the play")
            found = claim(state.view(seat)) if state.actor == seat else None
            if found is None:
                raise BridgeError("nothing is certain yet: play on")
            self._tables[table] = (state.after_claim(found.declarer_total), seat)
            return {**self._seen(table), "claim": {"tricks": found.tricks, "proof": found.proof}}

    def _engine(self) -> Robot:
        if self._robot is None:
            self._robot = robot(self._robots)
        return self._robot

    def _find(self, table: str) -> tuple[TableState, Seat]:
        if table not in self._tables:
            raise BridgeError("there is no such table; play_a_hand opens one")
        self._tables.move_to_end(table)
        return self._tables[table]

    def _act(self, table: str, action: Call | Card, phase: str) -> SeatFact:
        with self._lock:
            state, seat = self._find(table)
            if state.phase == "over":
                raise BridgeError("the board is over; play_a_hand opens another")
            if state.phase != phase:
                raise BridgeError(f"this is the {state.phase}")
            if state.actor != seat:
                raise BridgeError(f"it is {state.actor}'s turn")
            decision = Decision(action, Meaning("not explained"))
            why = state.why_illegal(decision)
            if why:
                raise BridgeError(f"{action.ascii}: {why}")
            self._tables[table] = (self._robots_act(state.after(decision), seat), seat)
            return self._seen(table)

    def _robots_act(self, state: TableState, seat: Seat) -> TableState:
        """On to the seat's next turn. When it is dummy, its partner, a robot, plays both hands."""
        engine = self._engine()
        while state.phase != "over" and state.actor != seat:
            view = state.view()
            try:
                decision = engine.bid(view) if view.play is None else engine.play(view)
            except Exception as error:  # a table goes on whatever an engine does
                state = state.after(*_without_time(excused(error, view, None)))
                continue
            state = state.after(*_without_time(judged(decision, view)))
        return state

    def _seen(self, table: str) -> SeatFact:
        """Made from the seat's View, so that nothing else can be in it."""
        state, seat = self._find(table)
        view = state.view(seat)
        contract = state.contract
        out: SeatFact = {
            "table": table,
            "seat": str(seat),
            "board": view.number,
            "dealer": str(view.dealer),
            "vulnerable": str(view.vul),
            "phase": state.phase,
            "turn": None if state.phase == "over" else str(state.actor),
            "your_turn": state.phase != "over" and state.actor == seat,
            "hand": _left(view.hand, view.play),
            "auction": [
                {"seat": str(view.auction.seat_of(i)), "call": c.ascii,
                 "explained": _words(view.meanings, i)}
                for i, c in enumerate(view.auction.calls)
            ],
            "contract": None if contract is None else str(contract),
            "evidence": {"source": "a table played by the laws", "robots": self._robots},
        }  # fmt: skip
        if view.play is not None:
            out["dummy"] = None if view.dummy is None else _left(view.dummy, view.play)
            out["dummy_seat"] = str(view.play.dummy)
            out["tricks"] = [
                {"leader": str(t.leader), "cards": [c.ascii for c in t.cards]}
                for t in view.play.tricks()
            ]
            out["declarer_tricks"] = view.play.declarer_tricks
        if state.phase == "auction" and out["your_turn"]:
            out["legal"] = [c.ascii for c in view.auction.legal_calls()]
        if state.phase == "play" and out["your_turn"]:
            out["legal"] = [c.ascii for c in view.legal_cards()]
            out["playing_from"] = str(view.turn)
        if state.phase == "over":
            out["result"] = _result(state, seat)
        return out


def _without_time(found: tuple[Decision, Any]) -> tuple[Decision, float, Any]:
    return found[0], 0.0, found[1]


def _left(hand: Any, play: Any) -> str:
    """The cards still in a hand, spades first."""
    return str(hand if play is None else hand - play.played)


def _words(meanings: tuple[Meaning | None, ...], index: int) -> str | None:
    meaning = meanings[index] if index < len(meanings) else None
    return None if meaning is None else meaning.words


def _result(state: TableState, seat: Seat) -> ResultFact:
    """What everybody sees when the board is over."""
    from overtrick import doubledummy as dd

    points = state.score() or 0
    par = dd.par(state.board.deal, state.board.vul, state.board.dealer)
    sign = -1 if seat & 1 else 1
    contract, tricks = state.contract, state.tricks
    said = "passed out"
    if contract is not None and tricks is not None:
        said = f"{contract}{result_text(contract, tricks)}"
    return {
        "said": said,
        "declarer_tricks": tricks,
        "score_for_you": sign * points,
        "par_for_you": sign * par.score,
        "imps_against_par": sign * imps(points - par.score),
        "hands": {str(s): str(state.board.deal[s]) for s in Seat},
    }
