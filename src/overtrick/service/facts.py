"""Answers for language models: facts as plain values, each with the evidence it rests on; nothing
here is prose that would have to be interpreted again. The play of the cards is in `cardfacts`."""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec

from overtrick import analysis
from overtrick.analysis.asking import named, usual_system
from overtrick.analysis.simulation import written_out
from overtrick.arena import Match, play_match
from overtrick.bidding.rules import reading_of
from overtrick.evaluation import features
from overtrick.game import Auction, BridgeError, Contract, Hand, PartialDeal, Seat, Vulnerability
from overtrick.game import imps as imps_of
from overtrick.game import score as score_of
from overtrick.game.scoring import declarer_score
from overtrick.service.facttypes import (
    AuctionText,
    CallFact,
    CallsFact,
    ContractText,
    DealerSide,
    DealsFact,
    Engine,
    Grounds,
    HandFact,
    HandText,
    ImpsFact,
    LegalFact,
    MatchFact,
    Places,
    Scored,
    ScoreFact,
    Seed,
    SimulatedFact,
    System,
    SystemsFact,
    Theirs,
    ThoughtFact,
    Vulnerable,
    Wish,
)
from overtrick.service.replies import ThinkIn
from overtrick.service.thoughts import thought
from overtrick.systems import declared, library_names
from overtrick.systems.explain import Explained, explain_auction, next_calls
from overtrick.systems.system import title_of
from overtrick.table.seats import as_data
from overtrick.worlds import Constraint, Dealer

_MOST_DEALS: Final = 50
_MOST_SIMULATED: Final = 400
_MOST_SEED: Final = 2**62
_MOST_MATCH: Final = 64  # boards


def check_auction(auction: AuctionText, dealer: DealerSide = "N") -> LegalFact:
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


def score(
    contract: ContractText,
    tricks: Annotated[int, "tricks that declarer won, 0 to 13"],
    vul: Vulnerable = "None",
) -> ScoreFact:
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


def imps(points: Annotated[int, "points more than the other table, with the sign"]) -> ImpsFact:
    """IMPs for a difference of points between two tables, with its sign."""
    table: Grounds = {"source": "the IMP scale of the laws", "exact": True}
    return {"points": points, "imps": imps_of(points), "evidence": table}


def evaluate_hand(hand: HandText) -> HandFact:
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
    auction: AuctionText,
    system: System = "",
    dealer: DealerSide = "N",
    vul: Vulnerable = "None",
    samples: Annotated[int, "typical hands for each call, 0 to 5"] = 1,
) -> CallsFact:
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
        "calls": [_told(e, str(made.seat_of(i))) for i, e in enumerate(told)],
        "evidence": _rules(system),
    }


def possible_calls(
    auction: AuctionText, system: System = "", dealer: DealerSide = "N", vul: Vulnerable = "None"
) -> CallsFact:
    """Every call that has a meaning after an auction in a bidding system, with the meaning."""
    reading, made = _read(system, auction, dealer)
    system = _known_system(system)
    if made.is_over:
        raise BridgeError("the auction is over")
    told = next_calls(reading, made, Vulnerability(vul))
    return {"system": system, "turn": str(made.turn), "calls": [_told(e) for e in told],
            "evidence": _rules(system)}  # fmt: skip


def think(
    hand: HandText,
    auction: AuctionText = "",
    dealer: DealerSide = "N",
    vul: Vulnerable = "None",
    dummy: Annotated[str, "dummy's thirteen cards, once the lead is made"] = "",
    played: Annotated[str, "the cards so far in order, such as 'HQ H2 H4'"] = "",
    engine: Engine = "",
    system: System = "",
    theirs: Theirs = "",
    character: Annotated[str, "disciplined, usual or free: how calls depart from the system"] = "",
    scoring: Scored = "imps",
    seconds: Annotated[float | None, "how long somebody waits; the same work unless given"] = None,
) -> ThoughtFact:
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
    found: ThoughtFact = msgspec.to_builtins(thought(asked))
    found["evidence"] = {"source": found["engine"], "deals": found["worlds"],
                         "seed": found["seed"], "cut_by_clock": found["cut"]}  # fmt: skip
    return found


def sample_deals(
    count: Annotated[int, "how many, up to 50"] = 4,
    north: Wish = "",
    east: Wish = "",
    south: Wish = "",
    west: Wish = "",
    known: Places = "",
    seed: Seed = 0,
) -> DealsFact:
    """Random deals, uniform among all that fit, and how often such a deal comes.

    A seat may be described: "hcp 15..17, balanced", "spades 5+, hearts ..3", "has SA", or have
    all its cards: "KQJ932.A4.72.K53".
    `known` places cards as PBN does: "N:AKQ2.K53.A84.752 - - -".
    """
    count, seed = _within(count, 1, _MOST_DEALS, "count"), _within(seed, 0, _MOST_SEED, "seed")
    wishes, placed = _placed(north, east, south, west, known)
    dealt = Dealer(wishes, known=placed).sample(count, seed)
    return {
        "deals": [str(deal) for deal in dealt],
        "chance": dealt.chance,
        "evidence": {"source": "sampled uniformly", "deals": len(dealt), "seed": seed,
                     "chance_is": "estimated from the proposals"},
    }  # fmt: skip


def simulate(
    north: Wish = "",
    east: Wish = "",
    south: Wish = "",
    west: Wish = "",
    known: Places = "",
    auction: AuctionText = "",
    contracts: Annotated[list[str] | None, "contracts to try, such as ['3NT N', '4S S']"] = None,
    compare: Annotated[list[str] | None, "two contracts of one side, or two calls"] = None,
    dealer: DealerSide = "N",
    vul: Vulnerable = "None",
    system: System = "",
    deals: Annotated[int, "at most so many, up to 400"] = 60,
    seed: Seed = 0,
) -> SimulatedFact:
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
    wishes, placed = _placed(north, east, south, west, known)
    found = analysis.simulate(
        wishes, auction=Auction.parse(auction, dealer), known=placed,
        contracts=contracts or (), actions=(compare[0], compare[1]) if compare else None,
        vul=vul, system=system, deals=_within(deals, 1, _MOST_SIMULATED, "deals"), seed=seed,
    )  # fmt: skip
    evidence: Grounds = {"source": "double dummy over sampled deals", "deals": found.deals,
                         "seed": seed, "how": found.how, "stopped": found.stopped}  # fmt: skip
    told: Any = {**found.to_dict(), "evidence": evidence}
    answer: SimulatedFact = told
    return answer


def systems() -> SystemsFact:
    """The bidding systems there are."""
    names = list(library_names())
    return {"systems": names, "titles": [{"name": n, "title": title_of(n)} for n in names],
            "evidence": {"source": "rule files"}}  # fmt: skip


def match(
    a: Engine,
    b: Engine,
    boards: Annotated[int, "boards, each in both rooms, up to 64"] = 16,
    seed: Seed = 0,
    play: Annotated[bool, "play the cards too, by the players named"] = False,
) -> MatchFact:
    """Two robots over some boards, each held by both sides: IMPs a board for `a`, with the error.

    A robot is a bidder, or bidder+player as in "partner+pimc(worlds=10)" where cards are played;
    without play a contract scores what it makes double dummy.
    """
    job = Match(
        as_data(a),
        as_data(b),
        boards=_within(boards, 2, _MOST_MATCH, "boards"),
        seed=_within(seed, 0, _MOST_SEED, "seed"),
        method="play" if play else "dd",
    )
    found = play_match(job)
    return {
        "a": job.a, "b": job.b, "boards": job.boards, "imps_a_board": found.mean,
        "error": found.error, "clear": abs(found.mean) > 2 * found.error,
        "evidence": {"source": "a duplicate match", "deals": job.boards, "seed": seed,
                     "how": "cards played" if play else "double dummy"},
    }  # fmt: skip


# ---------------------------------------------------------------- parts of answers


def _placed(*told: str) -> tuple[dict[Seat | str, Constraint | str], PartialDeal | None]:
    """What four seats hold in words, and cards that are placed, by `known` or as whole hands."""
    known = told[4]
    hands, rules = written_out(dict(zip("NESW", told[:4], strict=True)))
    if not hands:
        return rules, PartialDeal.parse(known) if known.strip() else None
    if known.strip():
        raise BridgeError("place cards by known, or as a seat's whole hand, not both")
    return rules, PartialDeal.of(hands)


def _laws() -> Grounds:
    return {"source": "the laws of duplicate bridge", "exact": True}


def _rules(system: str) -> Grounds:
    return {"source": f"the rules of {system}, run backwards", "system": system}


def _known_system(system: str) -> str:
    """The system as the library names it; the usual robot's where none is named."""
    found = named(system) or usual_system()
    if not declared(found):
        raise BridgeError(f"no system {system!r}; there are {', '.join(library_names())}")
    return found


def _read(system: str, auction: str, dealer: str) -> tuple[Any, Auction]:
    return reading_of(_known_system(system), ""), Auction.parse(auction, dealer)


def _told(told: Explained, seat: str = "") -> CallFact:
    m = told.meaning
    found: CallFact = {
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
    return {**found, "seat": seat} if seat else found


def _within(value: int, low: int, high: int, name: str) -> int:
    if not low <= value <= high:
        raise BridgeError(f"{name} lies between {low} and {high}, not {value}")
    return value
