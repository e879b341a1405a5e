"""Answers for language models: facts as plain values, each with the evidence it rests on.
Used as tools by the MCP server; nothing here is prose that would have to be interpreted again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final, Literal

import msgspec

from overtrick import analysis, notation
from overtrick import doubledummy as dd
from overtrick.analysis.asking import named, usual_system
from overtrick.bidding.rules import reading_of
from overtrick.cardplay.review import CardReview, review_play, without_auction
from overtrick.evaluation import features
from overtrick.game import (
    Auction,
    Board,
    BridgeError,
    Contract,
    Decision,
    Hand,
    Record,
    Seat,
    Vulnerability,
)
from overtrick.game import imps as imps_of
from overtrick.game import score as score_of
from overtrick.game.scoring import declarer_score
from overtrick.game.view import Scoring
from overtrick.service.replies import ThinkIn
from overtrick.service.thoughts import thought
from overtrick.suitplay import solve as solve_suit
from overtrick.systems import declared, library_names
from overtrick.systems.explain import Explained, explain_auction, next_calls
from overtrick.worlds import Dealer

Fact = dict[str, Any]
Side = Literal["N", "E", "S", "W"]
Vul = Literal["None", "NS", "EW", "All"]
System = str
_MOST_DEALS: Final = 50
_MOST_SIMULATED: Final = 400
_MOST_SEED: Final = 2**62
_MOST_TEXT: Final = 200_000
_MOST_BOARDS: Final = 4
_REVIEW_WORLDS: Final = 20


def check_auction(auction: str, dealer: Side = "N") -> Fact:
    """Is this auction legal by the laws? Whose turn it is, the legal calls, the contract.

    `auction` is calls from the dealer on, such as "1NT P 3NT P P P"; "" is an auction not begun.
    """
    try:
        made = Auction.parse(auction, dealer)
    except BridgeError as error:
        return {"legal": False, "reason": str(error), "evidence": _laws()}
    contract = made.contract
    return {
        "legal": True,
        "calls": [c.ascii for c in made.calls],
        "over": made.is_over,
        "turn": None if made.is_over else str(made.turn),
        "legal_calls": [c.ascii for c in made.legal_calls()],
        "contract": None if contract is None else contract.ascii,
        "declarer": None if contract is None else str(contract.declarer),
        "opening_leader": None if contract is None else str(contract.leader),
        "evidence": _laws(),
    }


def score(contract: str, tricks: int, vul: Vul = "None") -> Fact:
    """The duplicate score of a contract, with its declarer ("4SX S"), for a number of tricks."""
    made = Contract.parse(contract)
    at = Vulnerability(vul)
    return {
        "contract": f"{made.ascii} {made.declarer.letter}",
        "tricks": tricks,
        "needed": made.target,
        "made": tricks >= made.target,
        "score_declarer": declarer_score(made, tricks, at),
        "score_ns": score_of(made, tricks, at),
        "evidence": {"source": "duplicate scoring table", "exact": True},
    }


def imps(points: int) -> Fact:
    """IMPs for a difference of points between two tables, with its sign."""
    table = {"source": "the IMP scale of the laws", "exact": True}
    return {"points": points, "imps": imps_of(points), "evidence": table}


def evaluate_hand(hand: str) -> Fact:
    """Points, shape, losers, controls and quick tricks of a hand such as AK3.QJ2.T98.7654."""
    held = Hand.parse(hand, size=13)
    numbers = features(held)
    return {
        "hand": str(held),
        "hcp": held.hcp,
        "shape": held.shape,
        "balanced": held.is_balanced,
        "losers": float(numbers["LTC"]),
        "controls": float(numbers["CONTROLS"]),
        "quick_tricks": float(numbers["QUICK"]),
        "evidence": {"source": "counted from the cards", "exact": True},
    }


def explain_calls(
    auction: str, system: System = "", dealer: Side = "N", vul: Vul = "None", samples: int = 1
) -> Fact:
    """What every call of an auction shows in a bidding system, with hands that would make it.

    Ranges are what the system's rules allow; `rule` names the rule a meaning comes from.
    """
    reading, made = _read(system, auction, dealer)
    system = _known_system(system)
    if not made.calls:
        raise BridgeError("the auction has no call to explain")
    many = _within(samples, 0, 5, "samples")
    told = explain_auction(reading, made, Vulnerability(vul), samples=many)
    return {
        "system": system,
        "calls": [{"seat": str(made.seat_of(i)), **_told(e)} for i, e in enumerate(told)],
        "evidence": _rules(system),
    }


def possible_calls(
    auction: str, system: System = "", dealer: Side = "N", vul: Vul = "None"
) -> Fact:
    """Every call that has a meaning after an auction in a bidding system, with the meaning."""
    reading, made = _read(system, auction, dealer)
    system = _known_system(system)
    if made.is_over:
        raise BridgeError("the auction is over")
    told = next_calls(reading, made, Vulnerability(vul))
    return {"system": system, "turn": str(made.turn), "calls": [_told(e) for e in told],
            "evidence": _rules(system)}  # fmt: skip


def think(
    hand: str, auction: str = "", dealer: Side = "N", vul: Vul = "None", dummy: str = "",
    played: str = "", engine: str = "", system: System = "", theirs: System = "",
    character: str = "", scoring: Scoring = "imps", seconds: float | None = None,
) -> Fact:  # fmt: skip
    """What the robot calls with a hand after an auction, or plays when the auction is over, and
    why; every other action it considered with its value and error.

    `partner` calls and `alphamu` plays unless `engine` names another ("rules" keeps to the letter
    of a system). For a card give `dummy` and the cards `played` so far ("HQ H2 H4").
    """
    asked = ThinkIn(
        hand=hand, auction=auction, dealer=dealer, vul=vul, dummy=dummy, played=played,
        engine=engine, system=system, theirs=theirs, character=character, scoring=scoring,
        seconds=seconds,
    )  # fmt: skip
    found: Fact = msgspec.to_builtins(thought(asked))
    return {
        **found,
        "evidence": {"source": found["engine"], "deals": found["worlds"], "seed": found["seed"],
                     "cut_by_clock": found["cut"]},
    }  # fmt: skip


def sample_deals(
    count: int = 4,
    north: str = "",
    east: str = "",
    south: str = "",
    west: str = "",
    known: str = "",
    seed: int = 0,
) -> Fact:
    """Random deals, uniform among all that fit, and how often such a deal comes.

    A seat may be described: "hcp 15..17, balanced", "spades 5+, hearts ..3", "has SA".
    `known` places cards as PBN does: "N:AKQ2.K53.A84.752 - - -".
    """
    count, seed = _within(count, 1, _MOST_DEALS, "count"), _within(seed, 0, _MOST_SEED, "seed")
    wishes = {s: t for s, t in zip("NESW", (north, east, south, west), strict=True) if t.strip()}
    dealt = Dealer(wishes, known=known or None).sample(count, seed)
    return {
        "deals": [str(deal) for deal in dealt],
        "chance": dealt.chance,
        "evidence": {"source": "sampled uniformly", "deals": len(dealt), "seed": seed,
                     "chance_is": "estimated from the proposals"},
    }  # fmt: skip


def double_dummy(deal: str, dealer: Side = "N", vul: Vul = "None", contract: str = "") -> Fact:
    """Tricks of every declarer in every strain with all cards seen, par, and for a contract
    ("4S S") what each opening lead gives declarer."""
    board = Board(1, dealer, vul, deal)
    table = dd.table(board.deal)
    par = dd.par(table, board.vul, board.dealer)
    out: Fact = {
        "tricks": table.to_dict(),
        "par_score_ns": par.score,
        "par_contracts": [str(c) for c in par.contracts],
        "evidence": {"source": "double-dummy solver DDS", "exact": True},
    }
    if contract:
        made = Contract.parse(contract)
        leads = dd.solve(dd.Position.of_contract(board.deal, made))
        out["declarer_tricks_by_lead"] = {c.ascii: 13 - t for c, t in leads.items()}
    return out


def simulate(
    north: str = "",
    east: str = "",
    south: str = "",
    west: str = "",
    known: str = "",
    auction: str = "",
    contracts: list[str] | None = None,
    compare: list[str] | None = None,
    dealer: Side = "N",
    vul: Vul = "None",
    system: System = "",
    deals: int = 60,
    seed: int = 0,
) -> Fact:
    """How often contracts make over deals that fit, or which of two actions is better in IMPs.

    Give `contracts` (["3NT N"]) or `compare`: two contracts of one side (["4S S", "3NT N"]) or two
    calls to make now after `auction` (["Pass", "3S"]). Every figure comes with its standard error.
    """
    system = _known_system(system)
    seed = _within(seed, 0, _MOST_SEED, "seed")
    if not contracts and not compare:
        raise BridgeError("say which contracts to simulate, or which two actions to compare")
    if compare and len(compare) != 2:
        raise BridgeError(f"two actions are compared, not {len(compare)}")
    wishes = {s: t for s, t in zip("NESW", (north, east, south, west), strict=True) if t.strip()}
    found = analysis.simulate(
        wishes, auction=Auction.parse(auction, dealer), known=known or None,
        contracts=contracts or (), actions=(compare[0], compare[1]) if compare else None,
        vul=vul, system=system, deals=_within(deals, 1, _MOST_SIMULATED, "deals"), seed=seed,
    )  # fmt: skip
    evidence = {"source": "double dummy over sampled deals", "deals": found.deals, "seed": seed,
                "how": found.how, "stopped": found.stopped}  # fmt: skip
    return {**found.to_dict(), "evidence": evidence}


def suit_play(north: str, south: str, tricks: int | None = None) -> Fact:
    """The best way to play one suit, such as AQT98 opposite 5432, exactly, against best defence.

    Chances are for at least so many tricks; `lines` say how to play for them.
    """
    found = solve_suit(north, south)
    out = found.to_dict(table=False)
    fact: Fact = {
        "north": out["north"], "south": out["south"],
        "chances": {str(k): c for k, c in out["chances"].items()}, "mean_tricks": out["mean"],
        "lines": [
            {"name": line["name"], "good_for": line["good_for"], "how": line["words"],
             "chances": {str(k): c for k, c in line["chances"].items()}}
            for line in out["lines"]
        ],
        "evidence": {"source": "solved over all layouts of the missing cards", "exact": True},
    }  # fmt: skip
    if tricks is not None:
        fact["best_line"] = found.line_for(tricks).name
    return fact


def opening_lead(
    hand: str, auction: str, dealer: Side = "N", vul: Vul = "None", system: System = "",
    theirs: System = "", scoring: Scoring = "imps",
) -> Fact:  # fmt: skip
    """The opening lead from a hand after an auction: every card with its chance to beat the
    contract and its tricks on average."""
    made = Auction.parse(auction, dealer).closed()
    if made.contract is None:
        raise BridgeError("nobody bid: there is nothing to lead against")
    asked = analysis.Inquiry(hand=hand, auction=made, vul=vul, system=system, theirs=theirs,
                             scoring=scoring)  # fmt: skip
    decision = analysis.decided(asked)
    return {
        "contract": None if made.contract is None else str(made.contract),
        "card": decision.card.ascii,
        "reason": decision.why,
        "cards": [
            {"card": c.action.ascii, "beats_contract": c.details.get("chance"),
             "tricks": c.details.get("tricks"), "error": c.error}
            for c in decision.candidates
        ],
        "evidence": _decided(decision),
    }  # fmt: skip


def review(text: str, board: int | None = None, single_dummy: bool = True) -> Fact:
    """What each card of a played board cost: tricks with all cards seen, and the chance that its
    player gave away as far as they could see. `text` is PBN or LIN with auction and play."""
    if len(text) > _MOST_TEXT:
        raise BridgeError(f"at most {_MOST_TEXT:,} characters are reviewed")
    loaded = notation.loads(text)
    records = [r for i, r in enumerate(loaded.records, 1) if board in (None, r.number or i)]
    rows = [_reviewed(r, i, single_dummy) for i, r in enumerate(records[:_MOST_BOARDS], 1)]
    if not rows:
        raise BridgeError("no such board with four hands and the play in this text")
    worlds = _REVIEW_WORLDS if single_dummy else 0
    return {
        "boards": rows,
        "left_out": max(0, len(records) - _MOST_BOARDS),
        "warnings": [str(w) for w in loaded.warnings[:10]],
        "evidence": {"source": "double-dummy solver; single dummy over imagined deals",
                     "deals_per_card": worlds},
    }  # fmt: skip


def systems() -> Fact:
    """The bidding systems there are."""
    return {"systems": list(library_names()), "evidence": {"source": "rule files"}}


TOOLS: Final = (
    check_auction, score, imps, evaluate_hand, systems, explain_calls, possible_calls, think,
    sample_deals, double_dummy, simulate, suit_play, opening_lead, review,
)  # fmt: skip


# ---------------------------------------------------------------- parts of answers


def _laws() -> Fact:
    return {"source": "the laws of duplicate bridge", "exact": True}


def _rules(system: str) -> Fact:
    return {"source": f"the rules of {system}, run backwards", "system": system}


def _decided(decision: Decision) -> Fact:
    return {"source": decision.engine, "deals": decision.worlds, "seed": decision.seed,
            "cut_by_clock": decision.cut}  # fmt: skip


def _known_system(system: str) -> str:
    """The system as the library names it; the usual robot's where none is named."""
    found = named(system) or usual_system()
    if not declared(found):
        raise BridgeError(f"no system {system!r}; there are {', '.join(library_names())}")
    return found


def _read(system: str, auction: str, dealer: str) -> tuple[Any, Auction]:
    return reading_of(_known_system(system), ""), Auction.parse(auction, dealer)


def _told(told: Explained) -> Fact:
    m = told.meaning
    return {
        "call": told.call.ascii,
        "shows": m.words,
        "hcp": list(m.hcp),
        "lengths": {s: list(r) for s, r in zip("CDHS", m.lengths, strict=True)},
        "forcing": str(m.forcing),
        "alert": m.alert,
        "convention": m.convention,
        "rule": m.rule,
        "hands": [str(h) for h in told.samples],
        "denies": [c.words for c in told.denies],
    }


def _within(value: int, low: int, high: int, name: str) -> int:
    if not low <= value <= high:
        raise BridgeError(f"{name} lies between {low} and {high}, not {value}")
    return value


def _reviewed(record: Record, index: int, single_dummy: bool) -> Fact:
    board = record.board(index)
    if board is None or record.play is None or not record.play.cards:
        raise BridgeError("a board is reviewed that has four hands and its play")
    number = board.number
    auction = record.auction
    meanings: Any = ()
    if auction is None or not auction.is_over or auction.contract is None:
        if record.contract is None:
            raise BridgeError(f"board {number} has neither an auction nor a contract")
        auction, meanings = without_auction(record.contract)
        board = replace(board, dealer=auction.dealer)
    worlds = _REVIEW_WORLDS if single_dummy else 0
    found = review_play(board, auction, record.play, worlds=worlds, meanings=meanings)
    costly = [r for r in found if _costs(r)]
    return {
        "board": number,
        "contract": str(auction.contract),
        "cards": [
            {"trick": (r.number + 3) // 4, "seat": str(Seat(r.seat)), "card": r.card.ascii,
             "tricks_lost_all_cards_seen": r.dd_cost, "chance_lost_as_seen": r.chance_cost,
             "tricks_lost_as_seen": r.trick_cost,
             "better_as_seen": None if r.better is None else r.better.ascii}
            for r in costly
        ],
        "cards_that_cost_nothing": len(found) - len(costly),
    }  # fmt: skip


def _costs(card: CardReview) -> bool:
    """Did it cost a trick with all cards seen, or anything worth saying by what was seen?"""
    return bool(card.dd_cost) or (card.chance_cost or 0) > 0.005 or (card.trick_cost or 0) > 0.05
