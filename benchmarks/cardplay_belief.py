"""What the belief network knows at the table once cards are played, and whether it decides cards.
Run `PYTHONPATH=src:. python -m benchmarks.cardplay_belief boards|worth|costs …`.

  boards  boards bid by one bidder a side and played by one engine in every seat
  worth   the true layout against random ones, in nats, by kind of evidence and cards left; nats a
          card of single cards, and how far said and true chances are apart, for players who know
          the systems, for strangers and for the page; all of it, or the kinds named
  costs   two files of the same boards: tricks given up double dummy, and leads that give up none
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from typing import Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from benchmarks.beliefs import worst_tenth
from benchmarks.cardplay_common import Row, in_pool, rows
from overtrick.bidding import Bidder, bid_board, bidder
from overtrick.cardplay import player
from overtrick.cardplay.constants import HOLDERS_WORTH as WORTH
from overtrick.cardplay.evidence.beliefs import belief_likelihood
from overtrick.cardplay.evidence.ranges import auction_likelihood
from overtrick.cardplay.evidence.rules import agreed_likelihood, book_of
from overtrick.cardplay.holders import as_told, could_be, holders
from overtrick.cardplay.knowledge import KINDS, Evidence, cards_left, funnel
from overtrick.cardplay.sampling import deal_layouts
from overtrick.cardplay.situation import Situation, situation
from overtrick.doubledummy import analyse
from overtrick.game import Auction, Board, Meaning, Play, Seat, Systems, View, view_of
from overtrick.nets.belief import believed
from overtrick.worlds.weighted import Worlds

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
_LEFT: Final = (13, 11, 9, 7, 5)  # cards left; 13 after the lead
_RANDOM: Final = 600  # layouts beside the true one
_BALANCE: Final = 30
_DRAWS: Final = 20  # truths drawn from what was said: how far apart they are is chance alone
_SURE: Final = 1e-3  # chances are taken to be no nearer to 0 and 1
_SHARPEST: Final = 5.0
_TRUST: Final = KINDS["all"].auction
UNTOLD: Final = replace(KINDS["all"], belief=0.0, networks=False)
BELIEVED: Final = replace(KINDS["all"], networks=False)
# For engines: all evidence but what networks say, and but what learned styles would bid.
KINDS["untold"], KINDS["believed"] = UNTOLD, BELIEVED
_LAYOUTS: Final = "true layout"  # nats of whole layouts; the others are about single cards
_ALONE: Final = "network alone"
ASKED: Final = (
    _LAYOUTS,
    _ALONE,
    "worlds, no network",
    "worlds, belief",
    "worlds, ranges",
    "worlds",
    "worlds, as players",
    "the page",
    "the page, nothing explained",
)

Trust = tuple[float, float]  # of its word, what was bid and what was played
_DRAWN: Final = 0.95  # so far layouts are trusted that are weighed again by other trusts

Table = tuple[Board, Auction, tuple[Meaning, ...], tuple[str, str]]


def table(seed: int, names: tuple[str, str]) -> Table:
    """A board bid by a bidder a side, with what each side declares."""
    board = Board.random(seed % 16 + 1, seed=seed)
    sides = _bidder(names[0]), _bidder(names[1])
    auction, decisions = bid_board(board, [sides[s % 2] for s in range(4)])
    systems = sides[0].system, sides[1].system
    return board, auction, tuple(d.meaning for d in decisions), systems


@cache
def _bidder(name: str) -> Bidder:
    return bidder(name)


def seen(at: Table, play: Play, seat: Seat) -> View:
    """What a seat sees, systems declared as at a table."""
    board, auction, meanings, systems = at
    ours, theirs = systems[seat % 2], systems[1 - seat % 2]
    return view_of(
        board, auction, play, seat=seat, meanings=meanings, systems=Systems(ours, theirs)
    )


# ---------------------------------------------------------------- boards


def one_board(job: tuple[int, tuple[str, str], str]) -> Row | None:
    """A board played by one engine in every seat, with the cost of each card."""
    seed, names, engine = job
    at = table(seed, names)
    board, auction, _, _ = at
    if auction.contract is None:
        return None
    robot = player(engine)
    play = Play.of(auction.contract)
    while not play.is_over:
        card = robot.play(seen(at, play, play.controller)).card
        play = play.then(card, board.deal[play.turn])
    return {
        "seed": seed,
        "bidders": names,
        "engine": engine,
        "contract": auction.contract.ascii,
        "calls": [int(c) for c in auction.calls],
        "cards": [int(c) for c in play.cards],
        "costs": [cost for _, _, cost in analyse(board.deal, play).costs()],
    }


def boards(args: argparse.Namespace) -> None:
    """So many boards; a file that has some of them is gone on with."""
    have = rows(args.out)
    seed = max((r["seed"] for r in have), default=args.start - 1) + 1
    left = args.count - len(have)
    names = tuple((args.bidders.split("|") * 2)[:2])
    jobs: Iterator[object] = ((s, names, args.engine) for s in range(seed, args.start + 10**6))
    with open(args.out, "a", encoding="utf-8") as out:
        for row in in_pool(one_board, jobs, args.workers, args.minutes) if left > 0 else ():
            if row is None:
                continue
            out.write(json.dumps(row) + "\n")
            out.flush()
            left -= 1
            if left <= 0:
                break


# ---------------------------------------------------------------- worth


@dataclass(frozen=True, slots=True)
class Looked:
    """A seat that looks at the table: what it knows, what all calls meant, and how it is."""

    who: str
    left: int  # cards in each hand; 13 after the lead
    at: Situation
    meanings: tuple[Meaning, ...]
    board: Board


def positions(row: Row) -> Iterator[Looked]:
    """Every seat but dummy, stage by stage."""
    at = table(row["seed"], tuple(row["bidders"]))
    board, auction, meanings, _ = at
    contract = auction.contract
    assert contract is not None
    assert [int(c) for c in auction.calls] == row["calls"], "bid differently today"
    for left in _LEFT:
        play = Play.of(contract)
        for card in row["cards"][: 4 * (13 - left) or 1]:
            play = play.then(card)
        for seat in (contract.declarer, contract.leader, contract.leader.partner):
            who = "declarer" if seat == contract.declarer else "a defender"
            here = situation(seen(at, play, seat), on_turn=False)
            yield Looked(who, left, here, meanings, board)


def layouts(at: Situation, board: Board, seed: int) -> NDArray[np.uint64]:
    """The true layout, and random ones behind it."""
    true = np.array([[h.bits & ~at.play.state.played for h in board.deal.hands]], np.uint64)
    return np.concatenate([true, deal_layouts(at, _RANDOM, np.random.default_rng(seed))])


def auction_logs(at: Situation, hands: NDArray[np.uint64]) -> dict[str, Floats]:
    """Log weights of layouts by each kind of evidence about the auction."""
    full = {Seat(s): hands[:, s] | np.uint64(at.shown[s]) for s in at.hidden}
    view = at.view
    none = np.zeros(len(hands))
    ranges = sum((auction_likelihood(view, s, bits) for s, bits in full.items()), none)
    agreed = sum((agreed_likelihood(view, s, bits) for s, bits in full.items()), none)
    network = sum((belief_likelihood(view, s, bits) for s, bits in full.items()), none)
    out = {"nothing": none, "ranges": _TRUST * ranges, "belief alone": _TRUST * network}
    asked = funnel(at, Evidence(auction=_TRUST)).every(hands).logs
    quick = "systems" if declared_systems(at) else "ranges and belief"
    return {**out, quick: _TRUST * agreed, "bidders asked": asked}


def declared_systems(at: Situation) -> bool:
    """Have all whose hands are hidden declared a system of the library?"""
    return all(book_of(at.view, seat) for seat in at.hidden)


def nats(logs: Floats) -> float:
    """The weight of the first layout against the mean of the others, as a logarithm."""
    top = float(logs.max())
    return float(logs[0]) - top - float(np.log(np.exp(logs[1:] - top).mean()))


@dataclass(frozen=True, slots=True)
class Answer:
    """What was said of a position's unseen cards: P(first hidden seat has it), whether it has it,
    and what else could have been, [draw, card], if what was said is right."""

    chances: Floats
    true: Bools
    draws: Bools

    @property
    def cost(self) -> float:
        """Nats a card."""
        said = np.clip(self.chances, _SURE, 1 - _SURE)
        return float(-np.log(np.where(self.true, said, 1 - said)).mean())


Said = defaultdict[tuple[str, int], list[Answer]]  # by kind of evidence and cards left


def by_network(at: Situation, true: Bools, rng: Generator) -> Answer:
    """By the auction's belief: balanced to the cards each still holds, and certain where a seat has
    shown out. What else could have been is drawn card by card."""
    beliefs = believed(at.view)
    assert beliefs is not None
    first, second = at.hidden
    cards = [c for c in range(52) if at.pool >> c & 1]
    columns = [(seat - at.view.seat) % 4 - 1 for seat in at.hidden]
    odds = beliefs[cards][:, columns]
    for column, seat in enumerate((first, second)):
        odds[[bool(at.barred[seat] >> c & 1) for c in cards], column] = 0.0
    for _ in range(_BALANCE):
        shares = odds / odds.sum(axis=1, keepdims=True)
        odds = (
            shares
            * np.array([at.needs[first], at.needs[second]])
            / np.maximum(shares.sum(axis=0), 1e-9)
        )
    chances: Floats = (odds / odds.sum(axis=1, keepdims=True))[:, 0]
    return Answer(chances, true, rng.random((_DRAWS, len(cards))) < chances)


def by_worlds(at: Situation, worlds: Worlds, true: Bools, rng: Generator) -> Answer:
    """By the weighted layouts of card play, as people are told of them."""
    cards = np.array([c for c in range(52) if at.pool >> c & 1], np.uint64)
    some = rng.choice(len(worlds), _DRAWS, p=worlds.shares)
    draws = (worlds.deals[some, at.hidden[0], None] >> cards & np.uint64(1)).astype(bool)
    return Answer(holders(worlds)[at.hidden[0]][cards.astype(np.intp)], true, draws)


def by_layouts(look: Looked) -> dict[str, tuple[Situation, Evidence | None]]:
    """What may be told from layouts: what is known, and the evidence; None is what people get."""
    at = look.at

    def stranger(meanings: tuple[Meaning | None, ...]) -> Situation:
        view = replace(at.view, systems=Systems(), meanings=meanings)
        return situation(view, on_turn=False)

    out: dict[str, tuple[Situation, Evidence | None]] = {"worlds, no network": (at, UNTOLD)}
    if not declared_systems(at):
        out["worlds, belief"] = at, BELIEVED
    else:  # a stranger at the table, who heard what opponents explained and knows no system
        out["worlds, ranges"] = stranger(at.view.meanings), None
    return {
        **out,
        "worlds": (at, None),
        "worlds, as players": (at, KINDS["all"]),
        # The page knows no system either, but what partner's calls meant.
        "the page": (stranger(look.meanings), None),
        "the page, nothing explained": (stranger((None,) * len(look.meanings)), None),
    }


def trusting(auction: float, cards: float) -> Evidence:
    """What was bid and what was played, so far taken at its word."""
    return Evidence(auction=auction, lead=cards, carding=cards, line=cards)


def by_trust(at: Situation, trusts: Iterable[Trust]) -> Iterator[Worlds]:
    """What would be told if evidence were so far taken at its word, to choose by: the layouts are
    drawn once and weighed each time, so that many are compared in the time of two."""
    rng = np.random.default_rng(at.view.seed)
    drawn = cards_left(at, funnel(at, trusting(_DRAWN, _DRAWN)).drawn(WORTH, rng))
    bid = funnel(at, trusting(1, 0)).every(drawn.deals).logs
    played = funnel(at, trusting(0, 1)).every(drawn.deals).logs
    for auction, cards in trusts:
        weighed = drawn.weighed((auction - _DRAWN) * bid + (cards - _DRAWN) * played)
        yield as_told(at, weighed, deepcopy(rng))


def answers(
    look: Looked, seed: int, kinds: Collection[str], trusts: Sequence[Trust]
) -> dict[str, Answer]:
    """What each kind says of single cards; what it says does not depend on the others."""
    at = look.at
    hidden = look.board.deal[Seat(at.hidden[0])].bits
    true = np.array([bool(hidden >> c & 1) for c in range(52) if at.pool >> c & 1])
    out: dict[str, Answer] = {}
    if _ALONE in kinds:
        out[_ALONE] = by_network(at, true, np.random.default_rng(seed))
    for name, (known, kind) in by_layouts(look).items():
        if name in kinds:
            out[name] = by_worlds(known, could_be(known, kind), true, np.random.default_rng(seed))
    if trusts:
        for (bid, cards), worlds in zip(trusts, by_trust(at, trusts), strict=True):
            name = f"auction {bid:.2f}, cards {cards:.2f}"
            out[name] = by_worlds(at, worlds, true, np.random.default_rng(seed))
    return out


Means = dict[tuple[str, str, int], list[float]]  # by who looks, kind and cards left


@dataclass(frozen=True, slots=True)
class Found:
    """What was measured on a board, position by position."""

    path: str
    bidders: tuple[str, str]
    layout: Means
    single: Means
    said: Said


def one_worth(job: tuple[str, Row, tuple[str, ...], tuple[Trust, ...]]) -> Found:
    """A board of a file, by the kinds named."""
    path, row, kinds, trusts = job
    layout: Means = defaultdict(list)
    single: Means = defaultdict(list)
    said: Said = defaultdict(list)
    for look in positions(row):
        if _LAYOUTS in kinds:
            hands = layouts(look.at, look.board, row["seed"])
            played = funnel(look.at, trusting(0, _TRUST)).every(hands).logs
            for name, logs in auction_logs(look.at, hands).items():
                layout[look.who, name, look.left].append(nats(logs))
                layout[look.who, name + " + cards", look.left].append(nats(logs + played))
        for name, answer in answers(look, row["seed"], kinds, trusts).items():
            single[look.who, name, look.left].append(answer.cost)
            said[name, look.left].append(answer)
    return Found(path, tuple(row["bidders"]), layout, single, said)


def worth(args: argparse.Namespace) -> None:
    """File by file, then all of them together."""
    asked = tuple(args.kinds), tuple(args.trusts)
    jobs = [(path, row, *asked) for path in args.boards for row in rows(path)[: args.count]]
    every: list[Found] = []
    found = in_pool(one_worth, jobs, args.workers, args.minutes)
    for path, some in groupby(found, key=lambda board: board.path):
        boards_ = list(some)
        every += boards_
        print(f"\n{path}: {len(boards_)} boards of {boards_[0].bidders}")
        _told(boards_)
    if len(args.boards) > 1:
        print(f"\nall {len(every)} boards")
        _told(every)


def _told(boards_: Sequence[Found]) -> None:
    """Means by who looks and cards left, errors by board; then said and true chances."""
    said: Said = defaultdict(list)
    for board in boards_:
        for group, many in board.said.items():
            said[group].extend(many)
    _table("nats of the true layout", _by_board([board.layout for board in boards_]), 2)
    _table(f"nats a card (flat {np.log(2):.4f})", _by_board([b.single for b in boards_]), 4)
    _calibration(said)


def _by_board(boards_: Iterable[Means]) -> Means:
    """The mean of each board."""
    out: Means = defaultdict(list)
    for board in boards_:
        for key, values in board.items():
            out[key].append(float(np.mean(values)))
    return out


def _calibration(said: Said) -> None:
    """By kind: the worst tenth of said against true in points, and in brackets what it
    is by chance alone; then how much sharper it should have been, and what chance makes of that."""
    if not said:
        return
    print(f"  said and true chances; {', '.join(map(str, _LEFT))} cards left, all")
    by_name = {name: [said[name, left] for left in _LEFT] for name, _ in said}
    for title, measure in (("worst tenth", _worst), ("sharpness", _sharpness)):
        for name, stages in by_name.items():
            every = [answer for stage in stages for answer in stage]
            words = "  ".join(measure(stage) for stage in (*stages, every))
            print(f"    {title:12} {name:32} {words}")


def _worst(said: list[Answer]) -> str:
    chances = np.concatenate([a.chances for a in said])
    true = np.concatenate([a.true for a in said])
    draws = np.concatenate([a.draws for a in said], axis=1)
    chance = np.mean([worst_tenth(chances, draw) for draw in draws])
    return f"{worst_tenth(chances, true):.1f} ({chance:.1f})"


def _sharpness(said: list[Answer]) -> str:
    chances = np.concatenate([a.chances for a in said])
    true = np.concatenate([a.true for a in said])
    draws = np.concatenate([a.draws for a in said], axis=1)
    error = np.std([sharpness(chances, draw) for draw in draws])
    return f"{sharpness(chances, true):.2f} ± {error:.2f}"


def sharpness(chances: Floats, true: Bools) -> float:
    """The power to which the odds said should have been taken: above 1 they are too modest, below 1
    too bold. Certain cards have no part in it; of a few cards it may be anything, so it ends at 5.
    """
    open_ = (chances > _SURE) & (chances < 1 - _SURE)
    logs = np.log(chances[open_] / (1 - chances[open_]))
    power = 1.0
    for _ in range(10 if logs.any() else 0):  # Newton's method
        found = 1 / (1 + np.exp(-power * logs))
        step = float(logs @ (true[open_] - found)) / float(logs**2 @ (found * (1 - found)))
        power = min(max(power + step, 0.0), _SHARPEST)
    return power


def _table(title: str, found: Means, digits: int) -> None:
    if not found:
        return
    print(f"  {title}; {', '.join(map(str, _LEFT))} cards left, all")
    for who, name in dict.fromkeys(key[:2] for key in found):
        many = [np.array(found[who, name, left]) for left in _LEFT]
        many.append(np.mean(many, axis=0))
        words = [f"{v.mean():.{digits}f} ± {v.std() / len(v) ** 0.5:.{digits}f}" for v in many]
        print(f"    {who:10} {name:32} {'  '.join(words)}")


# ---------------------------------------------------------------- costs


def costs(args: argparse.Namespace) -> None:
    """Tricks given up a board by part, of files with the same boards, and the differences."""
    files = [{r["seed"]: r for r in rows(path)} for path in args.boards]
    both = sorted(set.intersection(*(set(f) for f in files)))
    print(f"{len(both)} boards; one standard error")
    parts = [np.array([_parts(f[seed]) for seed in both]) for f in files]
    names = ("lead", "declarer", "defence", "all", "leads that give up nothing")
    for path, table_ in zip(args.boards, parts, strict=True):
        print(path, _means(names, table_))
    for path, table_ in zip(args.boards[1:], parts[1:], strict=True):
        print(path, "less the first:", _means(names, table_ - parts[0]))


def _parts(row: Row) -> list[float]:
    play = Play.of(table(row["seed"], tuple(row["bidders"]))[1].contract)  # type: ignore[arg-type]
    lead = row["costs"][0]
    given = {True: 0, False: 0}
    for card, cost in zip(row["cards"], row["costs"], strict=True):
        given[play.turn.side == play.declarer.side] += cost
        play = play.then(card)
    return [lead, given[True], given[False] - lead, sum(row["costs"]), float(lead == 0)]


def _means(names: tuple[str, ...], table_: Floats) -> str:
    error = table_.std(axis=0) / len(table_) ** 0.5
    found = zip(names, table_.mean(axis=0), error, strict=True)
    return ", ".join(f"{name} {mean:.3f} ± {err:.3f}" for name, mean, err in found)


def _trust(text: str) -> Trust:
    bid, _, cards = text.partition(":")
    return float(bid), float(cards or bid)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("verb", choices=("boards", "worth", "costs"))
    parser.add_argument("--bidders", default="policy", help="boards: one, or two with a | between")
    parser.add_argument(
        "--engine",
        default="pimc(worlds=20, lead_worlds=1)",
        help="boards: knowledge=untold asks no network, =believed not what a style would bid",
    )
    parser.add_argument("--start", type=int, default=0, help="boards: the first seed")
    parser.add_argument("--count", type=int, default=80)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--out", default="", help="boards: the file")
    parser.add_argument(
        "--kinds", nargs="*", default=ASKED, choices=ASKED, help="worth: what is measured"
    )
    parser.add_argument(
        "--trusts",
        nargs="*",
        default=(),
        type=_trust,
        help="worth: how far evidence is taken at its word, or the auction:the cards, to choose by",
    )
    parser.add_argument("--boards", default=[], nargs="*", help="worth, costs: the files")
    args = parser.parse_args()
    {"boards": boards, "worth": worth, "costs": costs}[args.verb](args)


if __name__ == "__main__":
    main()
