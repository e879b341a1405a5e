"""Whole boards for four robots: begun from a wish, moved on action by action by whoever has the
processes, and told at the end. Fields and answers are those of BEN's autoplay."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from time import perf_counter
from typing import Final

from msgspec import UNSET

from overtrick.analysis.asking import USUAL_PLAYER, bidder_spec
from overtrick.bidding import BIDDERS, Bidder, bidder, meaning_of
from overtrick.bidding.base import standing_in
from overtrick.cardplay import PLAYERS, Player, player
from overtrick.game import (
    Auction,
    Board,
    BridgeError,
    Call,
    Deal,
    Decision,
    Meaning,
    Seat,
    View,
    Vulnerability,
)
from overtrick.game.board import dealer_of, vulnerability_of
from overtrick.service.queries import Query, need, vulnerability, yes
from overtrick.service.replies import ActionLine, BoardIn, BoardReply, SideIn, ToldCall, Vulnerable
from overtrick.service.words import call_out, told_shortly
from overtrick.table import TableState
from overtrick.table.director import Ruling
from overtrick.table.loop import excused, judged

Specs = tuple[tuple[str, str], tuple[str, str]]
"""Bidder and player of North-South, and of East-West."""
_VULNERABLE: Final[tuple[Vulnerable, ...]] = ("None", "NS", "EW", "All")
_MOST_NUMBER: Final = 10_000


def board_by_query(query: Query) -> BoardReply:
    """The board of a question in BEN's fields, from beginning to end in this process."""
    return board_reply(wish_of(query))


def board_reply(wish: BoardIn) -> BoardReply:
    """The whole board at once."""
    began = perf_counter()
    specs, state = begun(wish)
    while state.phase != "over":
        state = state.after(*act(specs, state.view()))
    return finished(wish, state, perf_counter() - began)


def wish_of(query: Query) -> BoardIn:
    """A wish from BEN's fields."""
    number = query.get("board", "") or "1"
    if not number.isdigit():
        raise BridgeError(f"board is a number from 1, not {number!r}")
    side = SideIn(
        engine=query.get("engine", ""),
        player=query.get("player", ""),
        system=query.get("system", ""),
        character=query.get("character", ""),
    )
    dealer = Seat.parse(query["dealer"]).letter if query.get("dealer") else None
    vul = _VULNERABLE[vulnerability(query)] if query.get("vul") else None
    return BoardIn(
        deal=need(query, "deal"),
        board=int(number),
        dealer=dealer,
        vul=vul,
        ns=side,
        ew=side,
        scoring="matchpoints" if query.get("tournament", "").lower() == "mp" else "imps",
        auction=query.get("auction", ""),
        auction_only=yes(query, "bidding_only"),
    )


def specs_of(wish: BoardIn) -> Specs:
    """The engines that were wished for; none may start a program or read a file."""
    return _side(wish.ns), _side(wish.ew)


def _side(side: SideIn) -> tuple[str, str]:
    bids, plays = bidder_spec(side.engine, side.system, side.character), side.player or USUAL_PLAYER
    return BIDDERS.as_data(bids), PLAYERS.as_data(plays)


@lru_cache(maxsize=32)
def _bidder(spec: str) -> Bidder:
    return bidder(spec)


@lru_cache(maxsize=32)
def _player(spec: str) -> Player:
    return player(spec)


def begun(wish: BoardIn) -> tuple[Specs, TableState]:
    """Who sits there, and the table before the first action that a robot has to take."""
    specs = specs_of(wish)
    if not 1 <= wish.board <= _MOST_NUMBER:
        raise BridgeError(f"board is a number from 1 to {_MOST_NUMBER}, not {wish.board}")
    deal = Deal.parse(wish.deal.replace("_", ".").replace("+", " "))
    dealer = dealer_of(wish.board) if wish.dealer is None else Seat(wish.dealer)
    vul = vulnerability_of(wish.board) if wish.vul is None else Vulnerability(wish.vul)
    state = TableState.start(
        Board(wish.board, dealer, vul, deal),
        systems=(_bidder(specs[0][0]).system, _bidder(specs[1][0]).system),
        scoring=wish.scoring,
        auction_only=wish.auction_only,
    )
    given = Auction.parse(wish.auction.replace(",", " "), dealer)
    for call in given.calls:
        state = state.after(_given(specs, state.view(), call))
    return specs, state


def _given(specs: Specs, view: View, call: Call) -> Decision:
    """A call that was made before anybody here was asked, with what it tells."""
    meaning = meaning_of(_bidder(specs[view.seat & 1][0]), view, int(call))
    return Decision(call, replace(meaning or Meaning("not explained"), shows=None))


def act(specs: Specs, view: View) -> tuple[Decision, float, Ruling | None]:
    """What the robot of this seat does, or the director for it."""
    bids, plays = specs[view.seat & 1]
    began = perf_counter()
    try:
        decision = _bidder(bids).bid(view) if view.play is None else _player(plays).play(view)
    except Exception as error:  # a board goes on whatever an engine does
        stands, ruling = excused(error, view, None)
        return stands, 0.0, ruling
    stands, found = judged(decision, view)
    told = replace(stands.meaning, shows=None)
    return (
        Decision(
            stands.action, told, worlds=stands.worlds, seed=stands.seed, engine=stands.engine,
            milliseconds=stands.milliseconds, cut=stands.cut, reasons=stands.reasons,
        ),
        1000 * (perf_counter() - began),
        found,
    )  # fmt: skip


def told(state: TableState, index: int) -> ActionLine:
    """An action of the board as a line of a stream."""
    entry = state.log[index]
    decision = entry.decision
    return ActionLine(
        index=index,
        seat=entry.seat.letter,
        action=decision.action.ascii,
        explanation=told_shortly(decision.meaning),
        why=decision.why,
        cut=decision.cut,
    )


def finished(wish: BoardIn, state: TableState, seconds: float) -> BoardReply:
    """The answer when the board is over."""
    contract, points, vul = state.contract, state.score(), state.board.vul
    side = 1 if contract is None or not contract.declarer & 1 else -1
    usual = not wish.ns.engine or not wish.ew.engine
    return BoardReply(
        number=state.board.number,
        dealer=state.board.dealer.letter,
        vulnerability=str(vul),
        deal=state.board.deal.pbn()[2:],
        auction=[call_out(c) for c in state.auction.calls],
        auction_with_explanations=[
            ToldCall(bid=call_out(c), explanation=told_shortly(m), alert=m.alert)
            for c, m in zip(state.auction.calls, state.meanings, strict=True)
        ],
        contract="Pass" if contract is None else contract.ascii.replace("NT", "N"),
        declarer="" if contract is None else contract.declarer.letter,
        opening_leader="" if contract is None else contract.leader.letter,
        bidding_only=wish.auction_only,
        tricks=state.tricks,
        score=None if points is None else side * points,
        ns_score=points,
        play=[] if state.play is None else [c.ascii for c in state.play.cards],
        cut=sum(e.decision.cut for e in state.log),
        rulings=[str(ruling) for ruling in state.rulings],
        elapsed=round(seconds, 2),
        note=(standing_in() or UNSET) if usual else UNSET,
    )
