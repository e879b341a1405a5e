"""What the belief network knows at the table once cards are played, and whether it decides cards.
Run `PYTHONPATH=src:. python -m benchmarks.cardplay_belief boards|worth|costs …`.

  boards  boards bid by one bidder a side and played by one engine in every seat
  worth   the true layout against random ones, in nats, by kind of evidence and cards left; nats a
          card of single cards, and how far said and true chances are apart
  costs   two files of the same boards: tricks given up double dummy, and leads that give up none
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from benchmarks.beliefs import worst_tenth
from benchmarks.cardplay_common import Row, in_pool, rows
from overtrick.bidding import Bidder, bid_board, bidder
from overtrick.cardplay import knowledge, player
from overtrick.cardplay.agreed import agreed_likelihood, agreed_reading
from overtrick.cardplay.believed import belief_likelihood
from overtrick.cardplay.holders import could_be, holders
from overtrick.cardplay.knowledge import KINDS, played_likelihood
from overtrick.cardplay.reading import auction_likelihood
from overtrick.cardplay.sampling import deal_layouts
from overtrick.cardplay.situation import Situation, situation
from overtrick.doubledummy import analyse
from overtrick.game import Auction, Board, Meaning, Play, Seat, Systems, View, view_of
from overtrick.nets.belief import believed

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
_LEFT: Final = (13, 11, 9, 7, 5)  # cards left; 13 after the lead
_RANDOM: Final = 600  # layouts beside the true one
_BALANCE: Final = 30
_DRAWS: Final = 20  # truths drawn from what was said: how far apart they are is chance alone
_SURE: Final = 1e-3  # chances are taken to be no nearer to 0 and 1
_TRUST: Final = KINDS["all"].auction
UNTOLD: Final = replace(KINDS["all"], belief=0.0, learned=False)
BELIEVED: Final = replace(KINDS["all"], learned=False)
# For engines: all evidence but what networks say, and but what learned styles would bid.
KINDS["untold"], KINDS["believed"] = UNTOLD, BELIEVED

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


def positions(row: Row) -> Iterator[tuple[str, int, Situation, Board]]:
    """Who looks, cards left, what he knows, and how it is: every seat but dummy."""
    at = table(row["seed"], tuple(row["bidders"]))
    contract = at[1].contract
    assert contract is not None
    assert [int(c) for c in at[1].calls] == row["calls"], "bid differently today"
    for left in _LEFT:
        play = Play.of(contract)
        for card in row["cards"][: 4 * (13 - left) or 1]:
            play = play.then(card)
        for seat in (contract.declarer, contract.leader, contract.leader.partner):
            who = "declarer" if seat == contract.declarer else "a defender"
            yield who, left, situation(seen(at, play, seat), on_turn=False), at[0]


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
    quick = knowledge._auction_weights(at, hands, KINDS["all"])
    read = quick + knowledge._read_weights(at, hands, KINDS["all"])
    asked = read + knowledge._asked_weights(at, hands, KINDS["all"], read)
    if agreed_reading(view) is None:
        return {**out, "ranges and belief": quick, "learned styles asked": asked}
    return {
        **out,
        "systems": _TRUST * agreed,
        "systems, 0.4 of belief": _TRUST * (agreed + 0.4 * network),
        "systems, or judgement": asked,
    }


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


def by_worlds(at: Situation, kind: knowledge.Evidence, true: Bools, rng: Generator) -> Answer:
    """By the weighted layouts of card play, as the page draws them."""
    worlds = could_be(at, kind)
    cards = np.array([c for c in range(52) if at.pool >> c & 1], np.uint64)
    some = rng.choice(len(worlds), _DRAWS, p=worlds.weights)
    draws = (worlds.hands[some, at.hidden[0], None] >> cards & np.uint64(1)).astype(bool)
    return Answer(holders(worlds)[at.hidden[0]][cards.astype(np.intp)], true, draws)


def answers(at: Situation, board: Board, seed: int) -> dict[str, Answer]:
    """What each kind of evidence says of single cards."""
    hidden = board.deal[Seat(at.hidden[0])].bits
    true = np.array([bool(hidden >> c & 1) for c in range(52) if at.pool >> c & 1])
    rng = np.random.default_rng(seed)
    if agreed_reading(at.view) is None:
        other = "worlds, belief", by_worlds(at, BELIEVED, true, rng)
    else:  # as strangers see it, who heard what was explained and know no system
        stranger = situation(replace(at.view, systems=Systems()), on_turn=False)
        other = "worlds, ranges", by_worlds(stranger, KINDS["all"], true, rng)
    return {
        "network alone": by_network(at, true, rng),
        "worlds, no network": by_worlds(at, UNTOLD, true, rng),
        other[0]: other[1],
        "worlds": by_worlds(at, KINDS["all"], true, rng),
    }


def worth(args: argparse.Namespace) -> None:
    """Means by who looks and cards left, errors by board."""
    every: Said = defaultdict(list)
    for path in args.boards:
        layout: dict[tuple[str, str, int], list[float]] = defaultdict(list)
        single: dict[tuple[str, str, int], list[float]] = defaultdict(list)
        said: Said = defaultdict(list)
        read = rows(path)[: args.count]
        for row in read:
            of_board: dict[tuple[str, str, int], list[float]] = defaultdict(list)
            of_card: dict[tuple[str, str, int], list[float]] = defaultdict(list)
            for who, left, at, board in positions(row):
                hands = layouts(at, board, row["seed"])
                played = played_likelihood(at, hands, KINDS["all"])
                for name, logs in auction_logs(at, hands).items():
                    of_board[who, name, left].append(nats(logs))
                    of_board[who, name + " + cards", left].append(nats(logs + played))
                for name, answer in answers(at, board, row["seed"]).items():
                    of_card[who, name, left].append(answer.cost)
                    said[name, left].append(answer)
            for key, values in of_board.items():
                layout[key].append(float(np.mean(values)))
            for key, values in of_card.items():
                single[key].append(float(np.mean(values)))
        print(f"\n{path}: {len(read)} boards of {read[0]['bidders']}")
        _table("nats of the true layout", layout, 2)
        _table(f"nats a card (flat {np.log(2):.4f})", single, 4)
        _calibration(said)
        for group, many in said.items():
            every[group].extend(many)
    if len(args.boards) > 1:
        print("\nall boards")
        _calibration(every)


def _calibration(said: Said) -> None:
    """By kind of evidence: the worst tenth of said against true in points, and in brackets what it
    is by chance alone; then how much sharper it should have been, and what chance makes of that."""
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
    too bold. Certain cards have no part in it."""
    open_ = (chances > _SURE) & (chances < 1 - _SURE)
    logs = np.log(chances[open_] / (1 - chances[open_]))
    power = 1.0
    for _ in range(10):  # Newton's method
        found = 1 / (1 + np.exp(-power * logs))
        power += float(logs @ (true[open_] - found)) / float(logs**2 @ (found * (1 - found)))
    return power


def _table(title: str, found: dict[tuple[str, str, int], list[float]], digits: int) -> None:
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
    parser.add_argument("--boards", default=[], nargs="*", help="worth, costs: the files")
    args = parser.parse_args()
    {"boards": boards, "worth": worth, "costs": costs}[args.verb](args)


if __name__ == "__main__":
    main()
