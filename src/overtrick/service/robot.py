"""A robot without memory: each question has all that its seat knows, each answer is plain data.
Used by the web server. Names of questions and fields are those that clients of BEN, the best-known
open robot, use already, so that they can be pointed at Overtrick."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from html import escape
from time import perf_counter
from typing import Any, Final

from overtrick.analysis import simulate
from overtrick.bidding import bidder
from overtrick.bidding.rules import reading_of
from overtrick.cardplay import player
from overtrick.cardplay.claim import Claim, sure_tricks
from overtrick.cardplay.claim import claim as provable
from overtrick.cardplay.situation import situation
from overtrick.game import (
    Auction,
    Board,
    BridgeError,
    Call,
    Card,
    Contract,
    Deal,
    Decision,
    Hand,
    Play,
    Seat,
    Strain,
    Systems,
    View,
    Vulnerability,
    score,
)
from overtrick.game.board import dealer_of, vulnerability_of
from overtrick.game.cards import RANKS
from overtrick.game.play import Trick
from overtrick.systems.explain import Explained, explain_auction, next_calls
from overtrick.table import Robot, play_table

Query = Mapping[str, str]
Row = dict[str, Any]
BIDDER: Final = "rules"
PLAYER: Final = "pimc"
SYSTEM: Final = "sayc"
_CONTRACT_DEALS: Final = 24
_TWO: Final = {"--": "P", "DB": "X", "RD": "XX", "P-": "P", "PA": "P"}
_LONGEST: Final = 400  # characters of one value; an auction of all bids has some 300 calls


def answer(question: str, query: Query) -> Any:
    """The answer to a question by its name; what is wrong with it is a BridgeError in one line.

    >>> found = answer("bid", {"hand": "AQ3.KJ4.QJ52.K82", "seat": "N", "dealer": "N",
    ...                        "vul": "", "ctx": ""})
    >>> found["bid"], found["explanation"].startswith("15–17")
    ('1N', True)
    """
    if question not in QUESTIONS:
        raise BridgeError(f"no question {question!r}; there are {', '.join(QUESTIONS)}")
    for key, value in query.items():
        if len(value) > _LONGEST:
            raise BridgeError(f"{key} is longer than {_LONGEST} characters")
    return QUESTIONS[question](query)


def bid(query: Query) -> Row:
    """What to call: hand, seat, dealer, vul, ctx; details=true adds what else was considered."""
    view = _view(query)
    if view.auction.is_over:
        return {"message": "Bidding is over"}
    if view.auction.turn != view.seat:
        raise BridgeError(f"it is {view.auction.turn}'s turn to call, not {view.seat}'s")
    decision = bidder(BIDDER).bid(view)
    out: Row = {
        "bid": call_out(decision.call),
        "alert": decision.meaning.alert,
        "explanation": _told(decision),
        "who": decision.engine,
        "quality": None,
    }
    if _yes(query, "details"):
        told = explain_auction(_reading(), view.auction, view.vul, samples=1)
        out["candidates"] = [
            {"call": call_out(Call(c.action)), "explanation": c.note} for c in decision.candidates
        ]
        out["hcp"] = list(decision.meaning.hcp)
        out["shape"] = [list(r) for r in reversed(decision.meaning.lengths)]
        out["samples"] = [str(h) for e in told for h in e.samples]
        out["explanations"] = [[call_out(e.call), e.meaning.words] for e in told]
    return out


def bids(query: Query) -> Row:
    """Every call that has a meaning after ctx, with the meaning."""
    auction = _auction(query, required=False)
    told = [] if auction.is_over else next_calls(_reading(), auction, _vul(query))
    return {
        "bids": [
            {"bid": call_out(e.call), "meaning": e.meaning.words, "ranges": e.meaning.ranges(),
             "alert": e.meaning.alert, "forcing": str(e.meaning.forcing)}
            for e in told
        ]
    }  # fmt: skip


def lead(query: Query) -> Row:
    """The opening lead: hand, seat, dealer, vul, ctx."""
    view = _view(query)
    contract = _contract(view.auction)
    if contract.leader != view.seat:
        return {"message": "Not this player to lead"}
    decision = player(PLAYER).play(replace(view, play=Play.of(contract)))
    return _carded(query, decision)


def play(query: Query) -> Row:
    """The next card: hand, dummy, seat, dealer, vul, ctx, played; for dummy ask as declarer."""
    view, stop = _playing(query)
    if view is None:
        return {"message": stop}
    assert view.play is not None
    decision = player(PLAYER).play(view)
    out = _carded(query, decision)
    out["player"] = (view.seat - view.play.declarer - 1) % 4  # 0 leader, 1 dummy, 2, 3 declarer
    out["matchpoint"] = view.scoring == "matchpoints"
    return out


def claim(query: Query) -> Row:
    """May the side to play claim `tricks` more? Only what holds in every layout is accepted."""
    view, stop = _playing(query)
    if view is None:
        return {"message": stop}
    assert view.play is not None
    left = 13 - view.play.tricks_played
    text = query.get("tricks", "") or str(left)
    if not text.isdigit() or not 0 <= int(text) <= left:
        raise BridgeError(f"tricks is a number from 0 to {left}, not {text!r}")
    wanted, found = int(text), provable(view)
    proved, proof = _proved(view, found)
    who = "declarer's" if view.seat == view.play.declarer else "the defenders'"
    name = _contract(view.auction).pretty
    if proved is not None and proved >= wanted:
        return {"tricks": wanted, "result": f"Contract: {name} Accepted {who} claim of {wanted} "
                f"tricks", "proof": proof}  # fmt: skip
    reached = "nothing is proved yet" if proved is None else f"{proved} are proved"
    said = f"Contract: {name} Rejected {who} claim of {wanted} tricks: {reached}"
    return {"tricks": wanted, "result": said, "proof": ""}


def contract(query: Query) -> Row:
    """Where two hands belong: hand, dummy, seat, vul. A contract's score is the share of deals in
    which no other is better for the side, with silent opponents and double-dummy play."""
    seat, vul = Seat.parse(_need(query, "seat")), _vul(query)
    hand = _hand(_need(query, "hand"))
    dummy = _hand(_need(query, "dummy"), taken=hand)
    wanted = [Contract(1, strain, seat) for strain in Strain]
    found = simulate(
        known={seat: hand, seat.partner: dummy}, contracts=wanted,
        deals=_CONTRACT_DEALS, vul=vul,
    )  # fmt: skip
    best: dict[tuple[int, Strain], float] = {}
    for row in found.tricks[:, :, seat].tolist():
        tops = _best(row, seat, vul)
        for key in tops:
            best[key] = best.get(key, 0.0) + 1 / len(tops) / found.deals
    out: Row = {}
    for (level, strain), share in sorted(best.items(), key=lambda item: -item[1]):
        if share >= 0.05:
            counts = found.distribution(strain, seat)
            out[f"{level}{'N' if strain == 4 else strain.letter}"] = {
                "score": round(share, 2),
                "Tricks": list(counts),
                "Percentage": [round(s.value, 2) for s in counts.values()],
            }
    return out


def explain(query: Query) -> Row:
    """What the last call of ctx means."""
    told = _explained(query)
    return {"explanation": _words(told[-1]), "Alert": told[-1].meaning.alert}


def explained_auction(query: Query) -> Row:
    """What every call of ctx means; as a list in HTML, and as pairs."""
    told = _explained(query)
    items = "".join(f"  <li>{escape(call_out(e.call))} {escape(_words(e))}</li>\n" for e in told)
    return {
        "explanation": f"<ul>\n{items}</ul>",
        "explanations": [[call_out(e.call), _words(e)] for e in told],
        "bba_controlled": False,
    }


def autoplay(query: Query) -> Row:
    """A whole board by four robots: deal, and board or dealer and vul."""
    started = perf_counter()
    text = _need(query, "deal").replace("_", ".")
    deal = Deal.parse(text)
    number = query.get("board", "") or "1"
    if not number.isdigit() or not 1 <= int(number) <= 10_000:
        raise BridgeError(f"board is a number from 1, not {number!r}")
    dealer = Seat.parse(query["dealer"]) if query.get("dealer") else dealer_of(int(number))
    vul = _vul(query) if query.get("vul") else vulnerability_of(int(number))
    board = Board(int(number), dealer, vul, deal)
    end = play_table(board, [Robot(bidder(BIDDER), player(f"{PLAYER}(worlds=12)"))] * 4)
    reached, tricks = end.contract, end.tricks
    return {
        "boardNumber": board.number,
        "dealer": dealer.letter,
        "vulnerability": str(vul),
        "deal": deal.pbn()[2:],
        "auction": [call_out(c) for c in end.auction.calls],
        "contract": "Pass" if reached is None else reached.ascii.replace("NT", "N"),
        "declarer": "" if reached is None else reached.declarer.letter,
        "tricks": tricks,
        "score": 0 if reached is None or tricks is None else score(reached, tricks, vul),
        "ns_score": end.score(),
        "play": [] if end.play is None else [c.ascii for c in end.play.cards],
        "elapsed": round(perf_counter() - started, 2),
    }


QUESTIONS: Final[Mapping[str, Callable[[Query], Any]]] = {
    "bid": bid, "bids": bids, "lead": lead, "play": play, "claim": claim, "contract": contract,
    "explain": explain, "explain_auction": explained_auction, "autoplay": autoplay,
}  # fmt: skip


def _proved(view: View, found: Claim | None) -> tuple[int | None, str]:
    """How many more tricks are sure: by a proof for the rest of the hand, or as top tricks."""
    if found is not None:
        return found.tricks, found.proof
    at = situation(view, on_turn=False)
    ours = view.play is not None and view.seat == view.play.declarer
    if at.trick or not ours or at.turn.side != view.seat.side:
        return None, ""
    return sure_tricks(at)[0], "top tricks"


_HEARD: Final = ("seat", "dealer", "vul", "ctx")
_SEEN: Final = ("hand", "seat", "dealer", "vul", "ctx", "tournament", "details")
_PLAYED: Final = (*_SEEN, "dummy", "played", "format")
FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "bid": _SEEN, "bids": ("dealer", "vul", "ctx"), "lead": _SEEN, "play": _PLAYED,
    "claim": (*_PLAYED, "tricks"), "contract": ("hand", "dummy", "seat", "vul"),
    "explain": _HEARD, "explain_auction": _HEARD,
    "autoplay": ("deal", "board", "dealer", "vul"),
}  # fmt: skip
FIELD_WORDS: Final[Mapping[str, str]] = {
    "hand": "the seat's thirteen cards: AQ3.KJ4.QJ52.K82; _ may stand for dots, x for small cards",
    "dummy": "dummy's thirteen cards",
    "seat": "whose view it is: N, E, S or W; for dummy's card ask as declarer",
    "dealer": "N, E, S or W",
    "vul": "@v in it when North-South are vulnerable, @V for East-West; or None, NS, EW, All",
    "ctx": "the calls from the dealer, two characters each: 1C 1N -- Db Rd",
    "played": "the cards played, two characters each (SA), in playing order",
    "format": "true when `played` is in the order of the opening leader's table, as in PBN",
    "tricks": "how many more tricks are claimed; all that are left unless given",
    "tournament": "mp for matchpoints, else IMPs",
    "details": "true adds candidates and samples",
    "deal": "four hands N E S W separated by spaces",
    "board": "its number, which tells dealer and vulnerability",
}  # fmt: skip


# ---------------------------------------------------------------- reading questions


def call_out(call: Call) -> str:
    """As these clients write calls: PASS, X, XX, 1N, 4S."""
    return "PASS" if call == Call.PASS else call.ascii.replace("NT", "N")


def _need(query: Query, key: str) -> str:
    value = query.get(key, "").strip()
    if not value:
        raise BridgeError(f"{key} is missing")
    return value


def _yes(query: Query, key: str) -> bool:
    return query.get(key, "").lower() in ("true", "1", "t", "y", "yes")


def _vul(query: Query) -> Vulnerability:
    """`@v` is in it when North-South are vulnerable, `@V` for East-West; words will do, too."""
    text = query.get("vul", "").strip()
    if "@" in text or not text:
        return Vulnerability(("@v" in text) + 2 * ("@V" in text))
    return Vulnerability.parse(text)


def _auction(query: Query, required: bool = True) -> Auction:
    """`ctx` has two characters a call (1C, 1N, --, Db, Rd), or calls with spaces or dashes."""
    dealer = Seat.parse(query.get("dealer", "").strip() or "N")
    if required and "ctx" not in query:
        raise BridgeError("ctx is missing: the calls so far, two characters each")
    text = query.get("ctx", "").strip()
    if " " in text or "," in text:
        return Auction.parse(text, dealer)
    calls = [text[i : i + 2] for i in range(0, len(text), 2)]
    try:
        return Auction(dealer, [_TWO.get(c.upper(), c) for c in calls])
    except BridgeError:
        if "-" not in text.replace("--", ""):
            raise
        return Auction.parse(text.replace("-", " "), dealer)


def _hand(text: str, taken: Hand = Hand(0)) -> Hand:
    """Thirteen cards; underscores may stand for dots, x for small cards."""
    suits = text.replace("_", ".").upper().split(".")
    if len(suits) != 4:
        raise BridgeError(f"a hand has four suits separated by dots or underscores, not {text!r}")
    out = []
    for suit, ranks in zip("SHDC", suits, strict=True):
        used = set(ranks) | set(taken.ranks(suit))
        small = iter([r for r in RANKS if r not in used])
        out.append("".join(next(small, "X") if r == "X" else r for r in ranks))
    return Hand.parse(".".join(out), size=13)


def _view(query: Query) -> View:
    scoring = "matchpoints" if query.get("tournament", "").lower() == "mp" else "imps"
    return View(
        Seat.parse(_need(query, "seat")),
        _hand(_need(query, "hand")),
        _auction(query),
        _vul(query),
        scoring="matchpoints" if scoring == "matchpoints" else "imps",
        systems=Systems(SYSTEM, SYSTEM),
    )


def _contract(auction: Auction) -> Contract:
    found = auction.closed().contract
    if found is None:
        raise BridgeError("nobody has bid in ctx")
    return found


def _playing(query: Query) -> tuple[View | None, str]:
    """The view of a seat that has to play a card, or why there is none."""
    view = _view(query)
    auction = view.auction.closed()
    contract = _contract(auction)
    cards = _cards(query.get("played", ""), contract, _yes(query, "format"))
    if len(cards) > 51:
        return None, "Game is over, no cards to play"
    if not cards:
        return None, "No card is played yet: ask for the lead"
    if not query.get("dummy", "").strip():
        return None, "No dummy provided"
    dummy = _hand(query["dummy"], taken=view.hand)
    if dummy == view.hand:
        return None, "Hand and dummy are identical"
    if view.seat == contract.dummy:
        said = f"Called as dummy or with wrong dealer / seat {contract.ascii}"
        return None, said
    made = Play.of(contract, cards)
    if made.controller != view.seat:
        raise BridgeError(f"it is {made.turn}'s turn to play, not {view.seat}'s")
    return replace(view, auction=auction, play=made, dummy=dummy), ""


def _cards(text: str, contract: Contract, by_seat: bool) -> list[Card]:
    """Two characters a card, in playing order, or (`by_seat`) trick by trick in the order of the
    opening leader's table, as PBN writes them."""
    text = text.replace(" ", "")
    if len(text) % 2:
        raise BridgeError("played has two characters a card")
    cards = [Card.parse(text[i : i + 2]) for i in range(0, len(text), 2)]
    if not by_seat:
        return cards
    out: list[Card] = []
    leader = contract.leader
    for start in range(0, len(cards), 4):
        row = cards[start : start + 4]
        if len(row) < 4:
            return [*out, *row]
        turn = (leader - contract.leader) % 4
        trick = Trick(leader, tuple(row[turn:] + row[:turn]))
        out.extend(trick.cards)
        leader = trick.winner(contract.strain)
    return out


# ---------------------------------------------------------------- writing answers


def _reading() -> Any:
    return reading_of(SYSTEM, "")


def _explained(query: Query) -> list[Explained]:
    auction = _auction(query)
    if not auction.calls:
        raise BridgeError("ctx has no call to explain")
    return explain_auction(_reading(), auction, _vul(query), samples=0)


def _words(told: Explained) -> str:
    ranges = told.meaning.ranges()
    return f"{told.meaning.words} ({ranges})" if ranges else told.meaning.words


def _told(decision: Decision) -> str:
    ranges = decision.meaning.ranges()
    return f"{decision.meaning.words} ({ranges})" if ranges else decision.meaning.words


def _carded(query: Query, decision: Decision) -> Row:
    out: Row = {"card": decision.card.ascii, "who": decision.engine, "explanation": decision.why,
                "quality": None}  # fmt: skip
    if _yes(query, "details"):
        out["candidates"] = [
            {
                "card": Card(c.action).ascii,
                "expected_tricks_dd": _rounded(c.details.get("tricks")),
                "p_make_contract": _rounded(c.details.get("chance")),
                "msg": c.note,
            }
            for c in decision.candidates
        ]
        out["samples"] = decision.worlds
    return out


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)


def _best(tricks: list[int], seat: Seat, vul: Vulnerability) -> list[tuple[int, Strain]]:
    """The contracts with the highest score for these tricks, the lowest of each strain."""
    scores: dict[tuple[int, Strain], int] = {}
    for strain in Strain:
        taken = tricks[strain]
        for level in range(1, 8):
            made = Contract(level, strain, seat)
            won = score(made, taken, vul)
            scores[level, strain] = -won if seat & 1 else won
    top = max(scores.values())
    found: dict[Strain, int] = {}
    for (level, strain), value in scores.items():
        if value == top and strain not in found:
            found[strain] = level
    return [(level, strain) for strain, level in found.items()]
