"""The tools: one suit solved, deals to order with statistics, a system's book, calls with samples.
Every answer is plain values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

import msgspec
import numpy as np

from overtrick import doubledummy as dd
from overtrick import notation
from overtrick.game import (
    Auction,
    Board,
    BridgeError,
    Hand,
    Meaning,
    ParseError,
    Record,
    Seat,
    Vulnerability,
    view_of,
)
from overtrick.game.cards import RANKS
from overtrick.systems.explain import Explained
from overtrick.web import messages, thinking
from overtrick.web.answers import (
    BookPage,
    CardLineRow,
    DealtBoard,
    DealtDeals,
    DealtHand,
    DealtStatistic,
    DecodedAuction,
    ExplainedCall,
    IllustratedCall,
    ShapeShare,
    SolvedSuit,
    SuitAnswer,
    SuitGoal,
    SuitLayout,
    SuitLine,
    SuitOutcome,
    SuitTrick,
    SystemName,
)
from overtrick.web.meanings import SUITS, exactly, with_text

_MOST_LAYOUTS: Final = 64
_DEEP: Final = 6
_COMMAND: Final = re.compile(r"(?<=\()`overtrick [^`]*` lists what there is, such as")
_DASH: Final = re.compile(r"\s*[-–—]+\s*")
_SAYS_PASS: Final = re.compile(r"\bp(ass)?\b|\bap\b|all pass|[()]", re.IGNORECASE)


# ---------------------------------------------------------------- one suit


def suit(wish: messages.SuitWish) -> SolvedSuit:
    """Every goal of a holding with its chance, the lines for it in words and as a tree."""
    from overtrick.suitplay import UNLIMITED, Stakes, solve

    entries = None
    if wish.entries is not None:
        north, south = (UNLIMITED if e < 0 else e for e in wish.entries)
        entries = (north, south)
    found = solve(wish.north, wish.south, wish.vacant, entries, Stakes(need=wish.tricks))
    line = found.line_for(wish.tricks) if wish.tricks is not None else found.mean_line
    plain = found.to_dict(table=False)
    plain["lines"] = [SuitLine(**row) for row in plain["lines"]]
    rows = found.table()
    held = {*found.holding.north, *found.holding.south}
    return SolvedSuit(
        **plain,
        goals=[
            SuitGoal(tricks=k, chance=found.chances[k], line=found.line_for(k).name)
            for k in range(1, len(found.chances))
        ],
        layouts=[
            SuitLayout(
                west=_held(r.west), east=_held(r.east), chance=r.chance, tricks=dict(r.tricks)
            )
            for r in rows[:_MOST_LAYOUTS]
        ],
        more_layouts=max(0, len(rows) - _MOST_LAYOUTS),
        missing="".join(RANKS[r] for r in range(12, -1, -1) if r not in held),
        line=line.name,
        plans={one.name: _trick(found.plan(one), _DEEP) for one in found.lines},
    )


def _held(cards: str) -> str:
    """A defender's cards for a table cell.

    >>> _held("A(4 of QJT98765)"), _held("(K/Q)xx"), _held("(5 of QJT98765)")
    ('A and 4 lower', 'K/Q xx', '5 of the QJT98765')
    """
    cards = re.sub(r"\((\w(?:/\w)+)\)(?=\w)", r"\1 ", cards)
    cards = re.sub(r"\((\w(?:/\w)+)\)", r"\1", cards)
    if not (found := re.search(r"\((\d+) of (\w+)\)", cards)):
        return cards
    if cards[: found.start()]:
        return f"{cards[: found.start()]} and {found[1]} lower{cards[found.end() :]}"
    return f"{found[1]} of the {found[2]}{cards[found.end() :]}"


def _trick(trick: Any, depth: int) -> SuitTrick | None:
    """A plan as nested values: lead, answers of the second hand, what the fourth hand shows."""
    if trick is None or depth == 0:
        return None
    out = SuitTrick(
        hand=trick.hand, card=RANKS[trick.card], low=trick.low, tactic=str(trick.tactic),
        sure=trick.sure, answers=[],
    )  # fmt: skip
    if trick.sure:
        return msgspec.structs.replace(out, third=_rank(trick.main.card))
    answers = [_answered(alike, depth) for alike in _alike(trick.answers)]
    return msgspec.structs.replace(out, answers=answers)


def _answered(alike: list[Any], depth: int) -> SuitAnswer:
    """Cards of the second hand that are answered alike."""
    outcomes = [
        SuitOutcome(
            cards=[_ranks(o.cards) for o in same],
            wins=same[0].wins,
            chance=sum(o.chance for o in same),
            then=_trick(same[0].then, depth - 1),
        )
        for same in _same(alike[0].outcomes)
    ]
    return SuitAnswer(
        cards=[_ranks(a.cards) for a in alike],
        chance=sum(a.chance for a in alike),
        card=_rank(alike[0].card),
        outcomes=outcomes,
    )


def _rank(card: int | None) -> str | None:
    return None if card is None else RANKS[card]


def _alike(answers: Any) -> list[list[Any]]:
    groups: dict[Any, list[Any]] = {}
    for answer in answers:
        groups.setdefault(answer.sequel, []).append(answer)
    return list(groups.values())


def _same(outcomes: Any) -> list[list[Any]]:
    groups: dict[Any, list[Any]] = {}
    for o in outcomes:
        groups.setdefault((o.wins, o.then.shape if o.then else None), []).append(o)
    return list(groups.values())


def _ranks(cards: tuple[int, ...]) -> str:
    return "".join(RANKS[c] for c in sorted(cards, reverse=True))


# ---------------------------------------------------------------- deals


def deals(wish: messages.DealWish) -> DealtDeals:
    """Deals that fit, how rare they are, what the hands look like, and what makes double dummy."""
    rng = np.random.default_rng(wish.seed)
    dealt, statistics = _dealt(wish, rng)
    shown = [Board.numbered(i, d) for i, d in enumerate(_first(dealt, wish.show), 1)]
    records = [Record(number=b.number, dealer=b.dealer, vul=b.vul, deal=b.deal) for b in shown]
    return DealtDeals(
        deals=len(dealt),
        chance=dealt.chance,
        hands={s.letter: _summary(dealt.hands[:, s]) for s in Seat},
        statistics=statistics,
        boards=[
            DealtBoard(
                number=b.number, dealer=b.dealer.letter, vul=str(b.vul),
                hands={s.letter: [c.ascii for c in b.deal[s]] for s in Seat},
            )
            for b in shown
        ],
        pbn=notation.dumps(records, "pbn") if records else "",
        solved=_solved(dealt.hands[wish.skip : wish.skip + wish.solve]) if wish.solve else [],
    )  # fmt: skip


def _dealt(wish: messages.DealWish, rng: np.random.Generator) -> tuple[Any, list[DealtStatistic]]:
    from overtrick.worlds import Dealer, parse
    from overtrick.worlds.script import Mean, run

    if wish.script.strip():
        outcome = run(wish.script, rng, wish.count)
        rows = [
            DealtStatistic(label=s.label, value=s.value)
            if isinstance(s, Mean)
            else DealtStatistic(label=s.label, low=s.lows[0], counts=s.counts.tolist())
            for s in outcome.statistics
            if isinstance(s, Mean) or s.counts.ndim == 1
        ]
        return outcome.dealt, rows
    wishes = {}
    for seat in Seat:
        text = getattr(wish, seat.name.lower()).strip()
        if not text:
            continue
        try:
            rule = parse(text)
        except ParseError as error:
            raise BridgeError(f"{seat}: {_COMMAND.sub('there is', str(error))}") from None
        if rule.is_impossible:
            raise BridgeError(f"{seat}: no hand has {text!r}")
        wishes[seat] = rule
    return Dealer(wishes).sample(wish.count, rng), []


def _first(dealt: Any, count: int) -> list[Any]:
    return [dealt[i] for i in range(min(count, len(dealt)))]


def _summary(bits: Any) -> DealtHand:
    """Histograms of points and lengths of one seat over all deals."""
    from overtrick.cardplay.evidence.ranges import Hands13

    full = Hands13(np.ascontiguousarray(bits))
    n = max(1, len(bits))
    shapes, counts = np.unique(np.sort(full.lengths, axis=1)[:, ::-1], axis=0, return_counts=True)
    order = np.argsort(-counts)[:5]
    return DealtHand(
        hcp=(np.bincount(full.hcp, minlength=1) / n).round(4).tolist(),
        mean=round(float(full.hcp.mean()), 2) if len(bits) else 0,
        lengths={
            letter: (np.bincount(full.lengths[:, s], minlength=1) / n).round(4).tolist()
            for s, letter in enumerate(SUITS)
        },
        shapes=[
            ShapeShare(shape="".join(map(str, shapes[i])), share=round(float(counts[i] / n), 4))
            for i in order
        ],
    )


def _solved(hands: Any) -> list[list[int]]:
    """The tricks of North-South in ♣ ♦ ♥ ♠ and notrump, from the better side, deal by deal."""
    tricks = dd.table_array(hands)
    best: list[list[int]] = np.maximum(tricks[:, :, Seat.NORTH], tricks[:, :, Seat.SOUTH]).tolist()
    return best


# ---------------------------------------------------------------- systems


def systems() -> list[SystemName]:
    """The systems of the library."""
    from overtrick.systems import library_names, load

    return [SystemName(name=n, title=load(n).title) for n in library_names()]


def book(wish: messages.BookWish) -> BookPage:
    """A page of a system's book: the card, the auction so far, every call that has a meaning."""
    from overtrick.bidding.rules import reading_of
    from overtrick.systems import declared
    from overtrick.systems.card import card_lines
    from overtrick.systems.explain import explain_auction, next_calls

    line = declared(wish.system)
    if not line:
        raise BridgeError(f"there is no system {wish.system!r}")
    reading = reading_of(line, "")
    auction = Auction.parse(wish.auction) if wish.auction.strip() else Auction(Seat.NORTH)
    vul = Vulnerability.parse(wish.vul)
    told = explain_auction(reading, auction, vul, samples=0)
    coming = [] if auction.is_over else next_calls(reading, auction, vul, samples=2)
    system = reading.systems[0]
    return BookPage(
        system=wish.system,
        title=system.title,
        auction=auction.ascii,
        turn=auction.turn.letter,
        calls=_made(auction, [_told(e) for e in told]),
        next=[_told(e) for e in coming],
        legal=[] if auction.is_over else [c.ascii for c in auction.legal_calls()],
        card=[CardLineRow(name=n, title=t, on=on) for n, t, on in card_lines(system)],
        rules=system.concrete_rules(),
    )


def _told(e: Explained) -> IllustratedCall:
    return IllustratedCall(
        call=e.call.ascii,
        **with_text(e.meaning, e.shows),
        samples=[_dotted(h) for h in e.samples],
        denies=[c.words for c in e.denies],
        acts=[a.words for a in e.acts],
    )


def _made(auction: Auction, calls: Sequence[IllustratedCall]) -> list[ExplainedCall]:
    """The calls of an auction with who made them."""
    return [
        ExplainedCall(seat=auction.seat_of(i).letter, **msgspec.structs.asdict(call))
        for i, call in enumerate(calls)
    ]


def _dotted(hand: Hand) -> list[str]:
    """A hand as a list of cards."""
    return [c.ascii for c in hand]


def decoded(wish: messages.Decode, spec: str) -> DecodedAuction:
    """An auction explained call by call with hands that would make the calls, and the next ones."""
    auction = typed_auction(wish.auction, Seat.parse(wish.dealer))
    vul = Vulnerability.parse(wish.vul)
    told, coming = _explained(spec, auction, vul, wish.samples)
    return DecodedAuction(
        auction=auction.ascii,
        turn=auction.turn.letter,
        over=auction.is_over,
        calls=_made(auction, told),
        next=coming,
    )


def typed_auction(text: str, dealer: Seat) -> Auction:
    """An auction as people type it. A dash between two calls of one side stands for the opponents'
    pass, unless the text names passes or brackets opponents, or no such auction is possible.

    >>> typed_auction("1H - 1S -", Seat.NORTH).ascii, typed_auction("1S-3NT", Seat.NORTH).ascii
    ('1H Pass 1S Pass', '1S Pass 3NT')
    >>> typed_auction("1D-X-2D-3S", Seat.NORTH).ascii, typed_auction("1H-P-1S", Seat.NORTH).ascii
    ('1D X 2D 3S', '1H Pass 1S')
    """
    if _DASH.search(text) and not _SAYS_PASS.search(text):
        try:
            return Auction.parse(_DASH.sub(" Pass ", text), dealer)
        except BridgeError:
            pass  # dashes were only between the calls
    return Auction.parse(text, dealer)


def _explained(
    spec: str, auction: Auction, vul: Vulnerability, samples: int
) -> tuple[list[IllustratedCall], list[IllustratedCall]]:
    """Calls made and calls to come, from whatever the engine explains itself by."""
    from overtrick.bidding import Illustrating, bidder

    engine = bidder(spec)
    if isinstance(engine, Illustrating):
        told, coming = engine.explain(auction, vul, samples=samples)
        return [_told(e) for e in told], [_told(e) for e in coming]
    # Meanings do not depend on the hand: any deal will do to carry the auction.
    board = Board(1, auction.dealer, vul, Board.random(1, seed=1).deal)
    rows: list[IllustratedCall] = []
    for before, call in zip(auction.prefixes(), auction.calls, strict=True):
        found = thinking.meaning(spec, view_of(board, before), call)
        words = exactly(found or Meaning("not explained"))
        rows.append(IllustratedCall(call=call.ascii, **words, samples=[]))
    if auction.is_over:
        return rows, []
    following = thinking.meanings(spec, view_of(board, auction))
    return rows, [IllustratedCall(**msgspec.structs.asdict(call)) for call in following]
