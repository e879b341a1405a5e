"""Answers for language models about the play of the cards: solved, planned, led and reviewed."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Final

from overtrick import analysis, notation
from overtrick import doubledummy as dd
from overtrick.cardplay.plans import Plan, plan_deal
from overtrick.cardplay.plans.words import sentences
from overtrick.cardplay.review import CardReview, review_play, without_auction
from overtrick.game import (
    Auction,
    Board,
    BridgeError,
    Card,
    Contract,
    Deal,
    Decision,
    PartialDeal,
    Record,
    Seat,
    Strain,
)
from overtrick.service.facttypes import (
    AuctionText,
    ContractText,
    DealerSide,
    DealText,
    EndingFact,
    Grounds,
    HandText,
    LeadFact,
    PlanFact,
    ReviewedFact,
    ReviewFact,
    Scored,
    Side,
    SolvedFact,
    Suited,
    SuitFact,
    System,
    Theirs,
    Vulnerable,
)
from overtrick.suitplay import solve as solve_suit

_MOST_TEXT: Final = 200_000
_MOST_BOARDS: Final = 4
_REVIEW_WORLDS: Final = 20


def double_dummy(
    deal: DealText,
    dealer: DealerSide = "N",
    vul: Vulnerable = "None",
    contract: Annotated[str, "'4S S': also what each lead gives declarer"] = "",
) -> SolvedFact:
    """Tricks of every declarer in every strain with all cards seen, par, and for a contract
    ("4S S") what each opening lead gives declarer."""
    board = Board(1, dealer, vul, deal)
    table = dd.table(board.deal)
    par = dd.par(table, board.vul, board.dealer)
    out: SolvedFact = {
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


def suit_play(
    north: Suited, south: Suited, tricks: Annotated[int | None, "the tricks that are needed"] = None
) -> SuitFact:
    """The best way to play one suit, such as AQT98 opposite 5432, exactly, against best defence.

    Chances are for at least so many tricks; `lines` say how to play for them.
    """
    found = solve_suit(north, south)
    out = found.to_dict(table=False)
    fact: SuitFact = {
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
    hand: HandText,
    auction: AuctionText,
    dealer: DealerSide = "N",
    vul: Vulnerable = "None",
    system: System = "",
    theirs: Theirs = "",
    scoring: Scored = "imps",
) -> LeadFact:
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


def review(
    text: Annotated[str, "a played board, PBN or LIN, or a file of them"],
    board: Annotated[int | None, "its number; the first ones unless given"] = None,
    single_dummy: Annotated[bool, "also what each card cost as far as its player saw"] = True,
) -> ReviewFact:
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


def solve(
    hands: Annotated[str, "what is left in four hands, as PBN: 'N:AQ..2. K3..4. 54..A. 62..K.'"],
    strain: Annotated[str, "trumps: C, D, H, S, or NT"],
    leader: Annotated[Side, "who led, or leads, to this trick"],
    trick: Annotated[str, "the cards of the trick so far, such as 'S4 S3'; not in the hands"] = "",
) -> EndingFact:
    """An ending with all cards seen: the tricks that the side of whoever plays next takes with each
    of its cards, from this trick on."""
    cards = tuple(Card.parse(word) for word in trick.replace(",", " ").split())
    left = PartialDeal.parse(hands)
    position = dd.Position(left.hands, Strain.parse(strain), Seat(leader), cards)
    found = dd.solve(position)
    most = max(found.values())
    return {
        "turn": str(position.turn),
        "tricks_left": position.tricks_left,
        "tricks_by_card": {card.ascii: tricks for card, tricks in found.items()},
        "best": [card.ascii for card, tricks in found.items() if tricks == most],
        "evidence": {"source": "double-dummy solver DDS", "exact": True},
    }


def plan(
    deal: DealText,
    contract: ContractText,
    lead: Annotated[str, "the opening lead, such as HQ; the solver's choice unless given"] = "",
) -> PlanFact:
    """How to play a contract with all cards seen: what each suit gives and needs, and the tricks in
    order, each with a sentence."""
    made = Contract.parse(contract)
    found = plan_deal(Deal.parse(deal), made, Card.parse(lead) if lead.strip() else None)
    told = planned(found, made)
    told["evidence"] = {"source": "lines of single suits, matched; played against a double-dummy"
                        " defence", "exact": False}  # fmt: skip
    return told


def planned(made: Plan, contract: Contract) -> PlanFact:
    """A plan as plain data."""
    return {
        "contract": str(contract),
        "tricks": made.tricks,
        "possible": made.possible,
        "suits": {
            report.suit.letter: {
                "chosen": str(report.chosen) if report.chosen else None,
                "lines": [str(line) for line in report.lines],
            }
            for report in made.suits
        },
        "play": [
            {"leader": trick.leader.letter, "cards": [c.ascii for c in trick.cards], "words": text}
            for trick, text in zip(made.play, sentences(made), strict=True)
        ],
    }


# ---------------------------------------------------------------- parts of answers


def _decided(decision: Decision) -> Grounds:
    return {"source": decision.engine, "deals": decision.worlds, "seed": decision.seed,
            "cut_by_clock": decision.cut}  # fmt: skip


def _reviewed(record: Record, index: int, single_dummy: bool) -> ReviewedFact:
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
