"""A finished board looked into: double dummy, par, what each card cost, what an engine would do.
All four hands are known here."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

import msgspec

from overtrick import doubledummy as dd
from overtrick import notation
from overtrick.bidding import bidder
from overtrick.cardplay import player as make_player
from overtrick.cardplay.review import without_auction
from overtrick.game import (
    PASS,
    Auction,
    Board,
    BridgeError,
    Call,
    Card,
    Contract,
    Deal,
    Decision,
    Meaning,
    Play,
    Record,
    Seat,
    Side,
    Strain,
    Vulnerability,
    imps,
    score,
    view_of,
)
from overtrick.game.scoring import result_text
from overtrick.notation.diagram import text_board
from overtrick.table import Entry, Robot, TableState, judged, play_table
from overtrick.web import thinking
from overtrick.web.meanings import in_short
from overtrick.web.reviewed import (
    BiddingLoss,
    BoardAgain,
    CallBeside,
    CardBeside,
    CardChoice,
    CardCosts,
    ContractWorth,
    ListedBoard,
    NotedCall,
    ParResult,
    ReadBoards,
    SolvedBoard,
)
from overtrick.web.sources import NoBoard, read

_MOST: Final = 2000  # boards listed


@dataclass(frozen=True, slots=True)
class Played:
    """A board with what happened on it, checked."""

    record: Record
    board: Board
    auction: Auction
    play: Play | None

    @property
    def contract(self) -> Contract | None:
        if self.auction.is_over:
            return self.auction.contract
        return self.record.contract

    @property
    def tricks(self) -> int | None:
        """Declarer's tricks as recorded, or as played to the end."""
        if self.record.tricks is None and self.play is not None and self.play.is_over:
            return self.play.declarer_tricks
        return self.record.tricks


def boards(text: str) -> ReadBoards:
    """Every complete board of a text, and what was wrong with the rest."""
    found, unread, warnings = readable(text)
    boards = [listed(at) for at in found]
    return ReadBoards(boards=boards, unread=unread[:50], warnings=warnings[:50])


def readable(text: str) -> tuple[list[Played], list[str], list[str]]:
    """Every complete board of a text; which could not be read and why; remarks of the reader."""
    records, warnings = read(text)
    found: list[Played] = []
    unread: list[str] = []
    for i, record in enumerate(records, 1):
        try:
            found.append(played(record, i))
        except BridgeError as error:
            unread.append(f"board {record.number or i}: {error}")
        if len(found) == _MOST:
            unread += [f"only the first {_MOST} boards are shown"] * (i < len(records))
            break
    return found, unread, warnings


def one(text: str) -> Played:
    """The first complete board of a text."""
    records, _ = read(text)
    complete = (r for i, r in enumerate(records, 1) if r.board(i) is not None)
    return played(next(complete, records[0]))


def played(record: Record, fallback: int = 1) -> Played:
    board = record.board(fallback)
    if board is None:
        raise NoBoard("the four hands are not all known")
    auction = record.auction or Auction(board.dealer)
    if auction.dealer != board.dealer:
        auction = Auction(board.dealer)
    play = record.play
    if play is not None:
        checked = Play(play.strain, play.opening_leader)
        for card in play.cards:
            checked = checked.then(card, board.deal[checked.turn])
        play = checked
    return Played(record, board, auction, play)


def listed(at: Played) -> ListedBoard:
    """What the page needs to draw the board, without any analysis."""
    contract, record, tricks = at.contract, at.record, at.tricks
    result = None
    if contract is not None and tricks is not None:
        result = f"{contract.ascii} {contract.declarer.letter}{result_text(contract, tricks)}"
    return ListedBoard(
        number=at.board.number,
        dealer=at.board.dealer.letter,
        vul=str(at.board.vul),
        names=list(record.names),
        hands={s.letter: [c.ascii for c in at.board.deal[s]] for s in Seat},
        calls=[_noted(record, i, c) for i, c in enumerate(at.auction.calls)],
        contract=None if contract is None else contract.ascii,
        declarer=None if contract is None else contract.declarer.letter,
        leader=None if contract is None else contract.leader.letter,
        cards=[] if at.play is None else [c.ascii for c in at.play.cards],
        tricks=tricks,
        claimed=record.claimed,
        result=result,
        score_ns=_ns_score(at),
        **exports(at),
    )


def _noted(record: Record, index: int, call: Call) -> NotedCall:
    note = record.call_notes.get(index)
    text = note.text if note is not None else ""
    return NotedCall(call=call.ascii, alert=bool(note and note.alert), note=text)


def exports(at: Played) -> dict[str, str]:
    """The board in the notations people exchange."""
    record = Record(
        number=at.board.number,
        dealer=at.board.dealer,
        vul=at.board.vul,
        deal=at.board.deal,
        auction=at.auction if at.auction.calls else None,
        contract=at.contract,
        play=at.play,
        tricks=at.record.tricks,
        claimed=at.record.claimed,
        names=at.record.names,
        call_notes=at.record.call_notes,
    )
    lin = notation.dumps(record, "lin").strip()
    pbn = notation.dumps(record, "pbn", layout="export")
    # LIN has neither a contract without its auction nor a result without its cards.
    whole = at.auction.is_over and (at.play is not None or at.tricks is None)
    return {
        "lin": lin,
        "pbn": pbn,
        "source": lin if whole else pbn,
        "link": notation.to_url(record),
        "text": text_board(at.board),
    }


def solved(text: str) -> SolvedBoard:
    """The double-dummy table, par, and for every card played its worth and the alternatives."""
    at = one(text)
    table = solved_deal(at.board.deal)
    par = dd.par(table, at.board.vul, at.board.dealer)
    contract = at.contract
    worth: ContractWorth | None = None
    cards: list[CardCosts] = []
    if contract is not None:
        tricks = table[contract.strain, contract.declarer]
        points = score(contract, tricks, at.board.vul)
        lost = imps(points - par.score)
        worth = ContractWorth(tricks=tricks, score_ns=points, imps_to_par=lost)
        if at.play is not None and at.play.cards:
            cards = _cards(at, at.play, contract)
    return SolvedBoard(
        table=table.to_dict(),
        par=ParResult(score_ns=par.score, contracts=[str(c) for c in par.contracts]),
        cards=cards,
        contract=worth,
        bidding=bidding_loss(at, table, par),
    )


@lru_cache(maxsize=64)
def solved_deal(deal: Deal) -> dd.Table:
    """Tricks of every declarer in every strain; a board is looked at again and again."""
    return dd.table(deal)


def best_contract(table: dd.Table, side: Side, vul: Vulnerability) -> Contract | None:
    """The undoubled contract that earns a side most when all cards are seen; lowest of equals."""
    best, most = None, 0
    for level in range(1, 8):
        for strain in Strain:
            for seat in Seat:
                if seat.side != side or table[strain, seat] < level + 6:
                    continue
                contract = Contract(level, strain, seat)
                points = abs(score(contract, table[strain, seat], vul))
                if points > most:
                    best, most = contract, points
    return best


def settled(auction: Auction, index: int) -> bool:
    """Did this call settle the contract, as far as the caller's side is concerned?"""
    return auction.is_over and all(c == PASS for c in auction.calls[index + 2 :: 2])


def bidding_loss(at: Played, table: dd.Table, par: dd.Par) -> BiddingLoss | None:
    """What the auction gave away against par, as a player would say it; None when nothing."""
    if not at.auction.is_over and at.contract is None:
        return None
    points = _worth(at.board, at.contract, table)
    lost = imps(abs(points - par.score))
    if not lost:
        return None
    side = Side.NS if points < par.score else Side.EW
    best = best_contract(table, side, at.board.vul)
    ours = at.contract is not None and at.contract.declarer.side == side
    vulnerable = bool(at.board.vul & (1 if side == Side.NS else 2))
    return BiddingLoss(
        side="NS" if side == Side.NS else "EW",
        imps=lost,
        kind=_fault(at.contract, best, ours, table),
        vulnerable=vulnerable,
        best=None if best is None else best.ascii,
        by=None if best is None else best.declarer.letter,
        score_ns=points,
        par_ns=par.score,
    )


def _fault(reached: Contract | None, best: Contract | None, ours: bool, table: dd.Table) -> str:
    """missed slam, missed game, too high, wrong contract, sold out, or not stopped (they should
    have been pushed or doubled). Too high is what fails where nothing as high is made."""
    worth = 0 if best is None else _kind(best)
    have = 0 if not ours or reached is None else _kind(reached)
    fails = ours and reached is not None and not _makes(reached, table)
    if fails and (best is None or reached is None or (worth, best.level) < (have, reached.level)):
        return "too high"
    if worth > have and worth > 1:
        return "missed slam" if worth > 2 else "missed game"
    if ours:
        return "wrong contract"
    return "sold out" if best is not None else "no sacrifice"


def _makes(contract: Contract, table: dd.Table) -> bool:
    """Is it made when all cards are seen?"""
    return table[contract.strain, contract.declarer] >= contract.target


def _kind(contract: Contract) -> int:
    """1 part-score, 2 game, 3 small slam, 4 grand slam."""
    if contract.level >= 6:
        return contract.level - 3
    strain = contract.strain
    needed = 3 if strain == Strain.NT else 4 if strain >= Strain.HEARTS else 5
    return 2 if contract.level >= needed else 1


def _cards(at: Played, play: Play, contract: Contract) -> list[CardCosts]:
    """Each card: declarer's tricks after it, what it cost in tricks and in IMPs, what was best."""
    analysis = dd.analyse(at.board.deal, play)
    positions = []
    walk = Play(play.strain, play.opening_leader)
    for card in play.cards:
        positions.append(dd.Position.of_play(at.board.deal, walk))
        walk = walk.then(card)
    options = dd.solve_all(positions)
    rows = []
    for i, (seat, card, cost) in enumerate(analysis.costs()):
        before, after = analysis.tricks[i], analysis.tricks[i + 1]
        swing = score(contract, after, at.board.vul) - score(contract, before, at.board.vul)
        lost = -swing if seat.side == Side.NS else swing
        best = max(options[i].values())
        row = CardCosts(
            seat=seat.letter,
            card=card.ascii,
            tricks=after,
            cost=max(0, cost),
            imps=imps(lost) if cost > 0 else 0,
            best=[c.ascii for c, t in options[i].items() if t == best],
            worth={c.ascii: t - best for c, t in options[i].items()},
        )
        rows.append(row)
    return rows


def called(text: str, ns: str, ew: str) -> list[CallBeside]:
    """The calls of the first complete board of a text, as `calls_of` has them."""
    return calls_of(one(text), ns, ew)


def calls_of(at: Played, ns: str, ew: str) -> list[CallBeside]:
    """Each call beside the engine's own, what the engine reads in it, and what the difference is
    worth when engines bid on after either and the contracts are played double dummy. Nobody pays
    for what others called later."""
    specs = (ns, ew)
    table = solved_deal(at.board.deal)
    rows: list[CallBeside] = []
    auction = Auction(at.board.dealer)
    told: list[Any] = []
    for call in at.auction.calls:
        seat = auction.turn
        view = view_of(at.board, auction, meanings=tuple(told))
        decision = thinking.decide(specs[seat & 1], view)
        own = decision.meaning if decision.action == call else Meaning("not explained")
        meaning = thinking.meaning(specs[seat & 1], view, call) or own
        gain, instead = None, ""
        if decision.action != call and at.auction.is_over:
            other = finished(at.board, auction.then(decision.call), specs)
            made = finished(at.board, auction.then(call), specs)
            more = _worth(at.board, other.contract, table) - _worth(at.board, made.contract, table)
            gain = imps(more if seat.side == Side.NS else -more)
            instead = "Pass" if other.contract is None else str(other.contract)
        row = CallBeside(
            seat=seat.letter,
            call=call.ascii,
            meaning=in_short(meaning),
            engine=decision.action.ascii,
            engine_meaning=decision.meaning.words,
            why=decision.why,
            imps=gain,
            instead=instead,
        )
        rows.append(row)
        told.append(meaning)
        auction = auction.then(call)
    return rows


def other_table(text: str, bidders: tuple[str, str], player: str) -> BoardAgain:
    """The same board with four robots: their auction, result and the IMPs between the tables."""
    at = one(text)
    robots = [Robot(bidder(b), make_player(player)) for b in bidders] * 2
    state = play_table(at.board, robots)
    played = Played(state.record(), at.board, state.auction, state.play)
    mine, theirs = _ns_score(at), state.score()
    return _again(played, None if mine is None or theirs is None else imps(mine - theirs))


def _again(played: Played, imps_ns: int | None) -> BoardAgain:
    return BoardAgain(**msgspec.structs.asdict(listed(played)), imps_ns=imps_ns)


@dataclass(frozen=True, slots=True)
class Change:
    """Another call or card at one place of a board, and the robots that go on from there."""

    kind: str  # "call" or "card"
    index: int
    action: str
    bidders: tuple[str, str]
    player: str


def played_on(text: str, change: Change) -> BoardAgain:
    """The board with one action changed and finished by robots, and the IMPs between the two."""
    at = one(text)
    state = _until(at, change)
    wanted: type[Call] | type[Card] = Call if change.kind == "call" else Card
    decision = Decision(wanted.parse(change.action), Meaning("what if"), engine="you")
    if (why := state.why_illegal(decision)) is not None:
        raise BridgeError(f"{change.action} cannot be chosen here: {why}")
    state = state.after(decision)
    robots = [Robot(bidder(b), make_player(change.player)) for b in change.bidders] * 2
    while state.phase != "over":
        view = state.view()
        act = robots[view.seat].bid if view.play is None else robots[view.seat].play
        decision, ruling = judged(act(view), view)
        state = state.after(decision, ruling=ruling)
    record = replace(state.record(), names=at.record.names)
    if state.auction.dealer != at.board.dealer:  # it was made up for the contract
        record = replace(record, auction=None)
    played = Played(record, at.board, record.auction or at.auction, state.play)
    mine, theirs = _ns_score(at), state.score()
    return _again(played, None if mine is None or theirs is None else imps(theirs - mine))


def _until(at: Played, change: Change) -> TableState:
    """The table just before the action that is to be changed."""
    calls, meanings = heard(at, change.bidders)
    systems = (thinking.system_of(change.bidders[0]), thinking.system_of(change.bidders[1]))
    state = TableState.start(at.board, systems=systems)
    if change.kind == "call":
        if change.index >= len(at.auction):
            raise BridgeError(f"there are {len(at.auction)} calls on this board")
        calls = Auction(at.board.dealer, at.auction.calls[: change.index])
    log = tuple(
        Entry(calls.seat_of(i), Decision(c, m or Meaning("not explained")))
        for i, (c, m) in enumerate(zip(calls.calls, meanings, strict=False))
    )
    if change.kind == "call":
        return replace(state, auction=calls, log=log)
    if at.play is None or change.index >= len(at.play.cards):
        raise BridgeError("there is no such card on this board")
    play = Play(at.play.strain, at.play.opening_leader, at.play.cards[: change.index])
    return replace(state, auction=calls, play=play, log=log)


def _ns_score(at: Played) -> int | None:
    if at.contract is None:
        return 0 if at.auction.is_passed_out else None
    return None if at.tricks is None else score(at.contract, at.tricks, at.board.vul)


def _worth(board: Board, contract: Contract | None, table: dd.Table) -> int:
    if contract is None:
        return 0
    return score(contract, table[contract.strain, contract.declarer], board.vul)


def finished(board: Board, auction: Auction, specs: tuple[str, str]) -> Auction:
    while not auction.is_over:
        decision = thinking.decide(specs[auction.turn & 1], view_of(board, auction))
        auction = auction.then(decision.call)
    return auction


def carded(
    text: str, player: str, start: int, count: int, bidders: tuple[str, str] = ("", "")
) -> list[CardBeside]:
    """What the engine, seeing only what the player saw, would have played, and what it thought
    of the card that was played: unlucky is not the same as wrong."""
    at = one(text)
    if at.play is None or at.contract is None:
        return []
    auction, meanings = heard(at, bidders)
    rows = []
    walk = Play(at.play.strain, at.play.opening_leader)
    for i, card in enumerate(at.play.cards[: start + count]):
        if i >= start:
            view = view_of(at.board, auction, walk, meanings=meanings)
            rows.append(_carded(i, card, thinking.decide(player, view)))
        walk = walk.then(card)
    return rows


def told(at: Played, bidders: tuple[str, str]) -> tuple[Meaning | None, ...]:
    """What each call of a board meant to those who made it; nothing without bidders."""
    if not bidders[0]:
        return (None,) * len(at.auction)
    return _told(at.board, at.auction, bidders)


@lru_cache(maxsize=64)
def _told(board: Board, auction: Auction, bidders: tuple[str, str]) -> tuple[Meaning | None, ...]:
    return tuple(
        thinking.meaning(bidders[before.turn & 1], view_of(board, before), call)
        for before, call in zip(auction.prefixes(), auction.calls, strict=True)
    )


def heard(at: Played, bidders: tuple[str, str]) -> tuple[Auction, tuple[Meaning | None, ...]]:
    """The auction for those who play the cards, with what its calls meant. Records may have none,
    or part of one: then it is made up for the contract and tells nothing."""
    if at.auction.is_over or at.contract is None:
        return at.auction, told(at, bidders)
    return without_auction(at.contract)


def _carded(index: int, card: Card, decision: Decision) -> CardBeside:
    """The engine's own card beside the one played: what the difference is worth single dummy."""
    values = {c.action: c for c in decision.candidates if c.value is not None}
    best, mine = values.get(decision.action), values.get(card)
    lost = chance = tricks = None
    if best is not None and mine is not None:
        lost = round((best.value or 0) - (mine.value or 0), 3)
        chance = _less(best.details.get("chance"), mine.details.get("chance"))
        tricks = _less(best.details.get("tricks"), mine.details.get("tricks"))
    return CardBeside(
        index=index,
        card=card.ascii,
        engine=decision.action.ascii,
        why=decision.why,
        worlds=decision.worlds,
        lost=lost,
        chance=chance,
        tricks=tricks,
        candidates=[
            CardChoice(action=c.action.ascii, value=c.value, note=c.note)
            for c in decision.candidates[:6]
        ],
    )


def _less(best: float | None, mine: float | None) -> float | None:
    return None if best is None or mine is None else round(best - mine, 3)
