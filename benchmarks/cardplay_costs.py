"""Where tricks go: what each card of played boards cost with all cards seen, by part and trick.
Run `PYTHONPATH=src python -m benchmarks.cardplay_costs boards|choices|certain|exposed|report …`.

  boards   boards bid and played by four robots, the double-dummy cost of every card
  choices  the real choices of those boards again, by several engines: paired costs, CPU time
  certain  tricks thrown away after the contract, or its defeat, was certain in all worlds
  exposed  how likely cards were to be such, whatever the true layout: the same in fewer boards
  report   the tables again from a file of boards or choices
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.cardplay_common import Row, bid, in_pool, restored, rows
from overtrick.bidding import bidder
from overtrick.cardplay import player
from overtrick.cardplay.alphamu import game_of
from overtrick.cardplay.fronts import Search
from overtrick.cardplay.knowledge import evidence, sample_worlds
from overtrick.cardplay.pimc import evaluate
from overtrick.cardplay.sampling import all_layouts, deal_layouts
from overtrick.cardplay.situation import Situation, situation
from overtrick.cardplay.solved import solve_ending
from overtrick.cardplay.values import goal_is_open
from overtrick.cardplay.vectors import FrontNode
from overtrick.doubledummy import Position, analyse, reach_worlds, solve, solve_worlds
from overtrick.engines.clock import OutOfTime
from overtrick.game import Auction, Board, Card, Meaning, Play, Systems, View, view_of
from overtrick.worlds.weighted import Worlds

Table = tuple[Board, Auction, tuple[Meaning, ...]]
PARTS: Final = ("lead", "declarer", "defence")
_OWN: Final = 0x0D0  # other layouts than the player's, whose seed is that of the view
_MORE: Final = 600  # layouts in which a card that seems needless is looked at again, …
_LIKELY: Final = 200  # … and such as the auction and the cards played make likely
_SEARCHED: Final = 60  # of those, for a search without sight
_SOLVES: Final = 40_000


def part_of(play: Play) -> str:
    """Whose choice the next card is: the opening lead, declarer's side, or the defence."""
    if not play.cards:
        return "lead"
    return "declarer" if play.turn.side == play.declarer.side else "defence"


def kind_of(play: Play, card: Card) -> str:
    """What sort of choice it was: a lead, following in second to fourth seat, or a discard."""
    trick = play.trick.cards
    if not trick:
        return "leads"
    if card.suit != trick[0].suit:
        return "ruffs" if int(card.suit) == int(play.strain) else "discards"
    return ("second", "third", "fourth")[len(trick) - 1]


def seen(table: Table, play: Play, name: str, scoring: str = "imps") -> View:
    """The view of the seat that chooses the next card, systems declared as at a table."""
    board, auction, meanings = table
    system = bidder(name).system
    return view_of(
        board,
        auction,
        play,
        meanings=meanings,
        systems=Systems(system, system),
        scoring=scoring,  # type: ignore[arg-type]
    )


# ---------------------------------------------------------------- boards


def one_board(job: tuple[int, str, str, str]) -> Row | None:
    """A board played by one engine in every seat, with the cost and the time of each card."""
    seed, name, engine, scoring = job
    table = bid(seed, name)
    board, auction, meanings = table
    if auction.contract is None:
        return None
    robot = player(engine)
    play = Play.of(auction.contract)
    seconds = []
    while not play.is_over:
        view = seen(table, play, name, scoring)
        began = time.process_time()
        card = robot.play(view).card
        seconds.append(round(time.process_time() - began, 4))
        play = play.then(card, board.deal[play.turn])
    return {
        "seed": seed,
        "bidder": name,
        "scoring": scoring,
        "contract": auction.contract.ascii,
        "calls": [int(c) for c in auction.calls],
        "meanings": [[m.words, m.hcp, m.lengths] for m in meanings],
        "cards": [int(c) for c in play.cards],
        "costs": [cost for _, _, cost in analyse(board.deal, play).costs()],
        "seconds": seconds,
    }


def boards(args: argparse.Namespace) -> None:
    have = rows(args.out)
    seed = max((r["seed"] for r in have), default=args.start - 1) + 1
    left = args.count - len(have)
    jobs = ((s, args.bidder, args.engine, args.scoring) for s in range(seed, args.start + 10**8))
    with open(args.out, "a", encoding="utf-8") as out:
        for row in in_pool(one_board, jobs, args.workers, args.minutes) if left > 0 else ():
            if row is None:
                continue
            out.write(json.dumps(row) + "\n")
            out.flush()
            left -= 1
            if left <= 0:
                break
    report(args)


def lines(row: Row) -> Iterator[tuple[Play, Card, int]]:
    """Every card of a played board with the play before it and what it cost."""
    _, auction, _ = restored(row)
    assert auction.contract is not None
    play = Play.of(auction.contract)
    for card, cost in zip(row["cards"], row["costs"], strict=True):
        yield play, Card(card), cost
        play = play.then(card)


# ---------------------------------------------------------------- choices


def one_choices(job: tuple[Row, list[str], tuple[str, ...], tuple[int, int]]) -> Row:
    """What several engines do at the real choices of a board, and what it costs them."""
    row, engines, parts, tricks = job
    table = restored(row)
    robots = {name: player(name) for name in engines}
    out: Row = {"seed": row["seed"], "contract": row["contract"], "choices": []}
    for play, card, _ in lines(row):
        number = play.tricks_played + 1
        if part_of(play) not in parts or not tricks[0] <= number <= tricks[1]:
            continue
        view = seen(table, play, row["bidder"], row["scoring"])
        if len(situation(view).groups()) == 1:
            continue
        worth = solve(Position.of_play(table[0].deal, play))
        best = max(worth.values())
        if best == min(worth.values()):
            continue  # nothing can be lost
        found: Row = {
            "part": part_of(play),
            "trick": number,
            "kind": kind_of(play, card),
            "at": len(play),
            "cost": {"as played": best - worth[card]},
            "card": {"as played": int(card)},
            "seconds": {"as played": row["seconds"][len(play)]},
        }
        for name, robot in robots.items():
            began = time.process_time()
            chosen = robot.play(view).card
            found["seconds"][name] = round(time.process_time() - began, 4)
            found["card"][name] = int(chosen)
            found["cost"][name] = best - worth[chosen]
        out["choices"].append(found)
    return out


def choices(args: argparse.Namespace) -> None:
    """Go through the boards of a file; boards that were done before are left out."""
    done = {r["seed"] for r in rows(args.out)}
    first, last = (int(x) for x in args.tricks.split("-"))
    engines = args.engines.split("|")
    parts = tuple(args.parts.split(","))
    todo = [r for r in rows(args.boards) if r["seed"] not in done][: args.count]
    jobs = ((r, engines, parts, (first, last)) for r in todo)
    with open(args.out, "a", encoding="utf-8") as out:
        for row in in_pool(one_choices, jobs, args.workers, args.minutes):
            out.write(json.dumps(row) + "\n")
            out.flush()
    report(args)


# ---------------------------------------------------------------- certainty


def one_certain(job: tuple[Row, int]) -> Row:
    """Cards that cost a trick when the contract's fate was the same in every layout.

    `given` counts double-dummy tricks of the true deal; `needless` those cards for which another
    was as good in every layout and better in this one, so that nothing spoke for the card played;
    `safer` those of which that is true with all cards seen, but without sight the card played wins
    the contract in more layouts. The others are guesses: what is right in this deal is wrong in
    another that is possible.
    """
    row, count = job
    table = restored(row)
    out: Row = {"seed": row["seed"], "contract": row["contract"], "given": 0, "needless": 0,
                "safer": 0, "where": []}  # fmt: skip
    for play, card, cost in lines(row):
        if not play.cards or not cost:
            continue
        at = situation(seen(table, play, row["bidder"], row["scoring"]))
        tricks = _if_certain(at, table[0], count)
        if tricks is None:
            continue
        more = _more(at, card, tricks)
        word = _judged(at, card, [c for c in more if more[c][0] > 0])
        out["given"] += cost
        if word in out:
            out[word] += 1
        out["where"].append([len(play), card.ascii, cost, word])
    return out


def one_exposed(job: tuple[Row, int]) -> Row:
    """How likely the cards of a board were to be needless, had the true layout been any other.

    That is, for each choice once the contract's fate was the same in every layout, the share of
    layouts in which a card that is nowhere worse is better. Needless cards are one in thousands;
    their chances add up to as many and are seen in far fewer boards.
    """
    row, count = job
    table = restored(row)
    out: Row = {"seed": row["seed"], "contract": row["contract"], "choices": 0, "needless": 0.0,
                "where": []}  # fmt: skip
    for play, card, _ in lines(row):
        at = situation(seen(table, play, row["bidder"], row["scoring"]))
        if not play.cards or len(at.groups()) == 1:
            continue
        tricks = _if_certain(at, table[0], count)
        if tricks is None:
            continue
        out["choices"] += 1
        more = {c: float((m > 0).mean()) for c, m in _more(at, card, tricks).items() if m.any()}
        if not more:
            continue
        word, share = _judged(at, card, list(more)), max(more.values())
        out["needless"] += share if word == "needless" else 0.0
        out["where"].append([len(play), card.ascii, round(share, 3), word])
    return out


def _if_certain(at: Situation, board: Board, count: int) -> NDArray[np.int8] | None:
    """Tricks of every legal card in the true deal and other layouts that the cards allow; None
    when the contract's fate differs between them. The layouts are not those of the player."""
    hands = all_layouts(at, count)
    if hands is None:
        hands = deal_layouts(at, count, np.random.default_rng(at.view.seed ^ _OWN))
    true = np.array([[h.bits & ~at.play.state.played for h in board.deal.hands]], np.uint64)
    every = np.concatenate([true, hands])
    return _tricks(at, every) if _same_fate(at, every) else None


def _same_fate(at: Situation, hands: NDArray[np.uint64]) -> bool:
    """Does the contract make in all of these layouts, or in none? A few mostly show it."""
    if not goal_is_open(at):
        return True
    fates: set[bool] = set()
    for some in np.array_split(hands, range(4, len(hands), 8)):
        makes = reach_worlds(some, at.strain, at.leader, at.trick, at.target).any(axis=1)
        fates |= set(makes.tolist())
        if len(fates) > 1:
            return False
    return True


def _tricks(at: Situation, hands: NDArray[np.uint64]) -> NDArray[np.int8]:
    found = solve_worlds(hands, at.strain, at.leader, at.trick)
    return found[:, [int(c) for c in at.cards()]]


def _more(at: Situation, card: Card, tricks: NDArray[np.int8]) -> dict[Card, NDArray[np.int8]]:
    """Cards that are nowhere worse than the one played, and their tricks more by layout."""
    more = tricks - tricks[:, [at.cards().index(card)]]
    return {c: more[:, i] for i, c in enumerate(at.cards()) if (more[:, i] >= 0).all()}


def _judged(at: Situation, card: Card, rivals: list[Card]) -> str:
    """Was the card needless? The rivals were better in some layouts and worse in none so far.

    Sixty layouts are not every layout that the cards allow, and least of all those in which the
    auction and the cards played make sense: there the card may be the better one.
    """
    if not rivals:
        return "a guess"
    rng = np.random.default_rng(at.view.seed ^ _OWN + 1)
    likely = sample_worlds(at, _LIKELY, rng, evidence("all"))
    hands = all_layouts(at, _MORE)
    if hands is None:
        hands = np.concatenate([likely.deals, deal_layouts(at, _MORE, rng)])
    if not _same_fate(at, hands):
        return "a guess"
    never_worse = _more(at, card, _tricks(at, hands))
    rivals = [c for c in rivals if c in never_worse]
    if not rivals:
        return "a guess"
    return "needless" if _as_sure(at, card, rivals, likely) else "safer"


def _as_sure(at: Situation, card: Card, rivals: list[Card], likely: Worlds) -> bool:
    """Does one of the rivals win the contract in as many layouts without sight of the cards?

    Small endings are solved to the last card; earlier declarer's search looks some cards ahead.
    """
    if not goal_is_open(at):
        return True
    solved = solve_ending(at, likely, evaluate(at, likely, "imps"))
    if solved is not None:
        best = {c for group in at.groups() for c in group if set(group) & set(solved.cards)}
        return card not in best or bool(best & set(rivals))
    if not at.declaring:
        return True
    game = game_of(at, likely.part(0, _SEARCHED), "imps")
    search = Search(game, seconds=600, most_solved=_SOLVES)
    root = FrontNode(0, at.leader, tuple(int(c) for c in at.trick), 0)
    try:
        sure, *others = (
            search.best(search.front(search.after(root, int(c)), 1, game.all)[0])
            for c in (card, *rivals)
        )
    except OutOfTime:
        return True
    return max(others) > sure - 1e-6


def certain(args: argparse.Namespace) -> None:
    jobs = ((r, args.worlds) for r in rows(args.boards)[: args.count])
    total = {"boards": 0, "given": 0, "needless": 0, "safer": 0}
    for row in in_pool(one_certain, jobs, args.workers, args.minutes):
        total["boards"] += 1
        for name in ("given", "needless", "safer"):
            total[name] += row[name]
        for index, card, cost, word in row["where"]:
            if args.show or word == "needless":
                print(f"{row['seed']} {row['contract']} card {index + 1} {card}: {cost} {word}")
    print(json.dumps(total))


def exposed(args: argparse.Namespace) -> None:
    jobs = ((r, args.worlds) for r in rows(args.boards)[: args.count])
    choices, chances = 0, []
    for row in in_pool(one_exposed, jobs, args.workers, args.minutes):
        choices += row["choices"]
        chances.append(row["needless"])
        for index, card, share, word in row["where"]:
            if args.show or word == "needless":
                print(f"{row['seed']} {row['contract']} card {index + 1} {card}: {share} {word}")
    print(f"{len(chances)} boards, {choices} choices after the contract's fate is certain")
    print(f"needless cards to be expected in a hundred: {interval(100 * np.array(chances))}")


# ---------------------------------------------------------------- reports


def report(args: argparse.Namespace) -> None:
    have = rows(args.out)
    if have and "choices" in have[0]:
        _report_choices(have)
    elif have:
        _report_boards(have)


def _report_boards(have: list[Row]) -> None:
    names = [*PARTS]
    cost = {p: np.zeros(len(have)) for p in names}
    by_trick = {p: np.zeros(14) for p in names}
    kinds: dict[tuple[str, str], float] = {}
    seconds: list[float] = []
    for i, row in enumerate(have):
        seconds += [s for s in row["seconds"] if s > 0.001]
        for play, card, lost in lines(row):
            part = part_of(play)
            cost[part][i] += lost
            by_trick[part][play.tricks_played + 1] += lost
            key = (part, kind_of(play, card))
            kinds[key] = kinds.get(key, 0.0) + lost
    print(f"{len(have)} boards, tricks given up a board")
    for part in names:
        print(f"{part:9} {interval(cost[part])}  by trick", end=" ")
        print(" ".join(f"{x / len(have):.3f}" for x in by_trick[part][1:13]))
    for kind, notrump in (("suit contracts", False), ("notrump", True)):
        best = np.array([r["costs"][0] == 0 for r in have if ("NT" in r["contract"]) == notrump])
        if len(best):
            error = 100 * best.std() / len(best) ** 0.5
            print(f"leads among the best against {kind}: {100 * best.mean():.1f} ± {error:.1f} % "
                  f"of {len(best)}, one standard error")  # fmt: skip
    for (part, kind), total in sorted(kinds.items(), key=lambda x: -x[1]):
        print(f"  {part} {kind}: {total / len(have):.3f}")
    times = np.array(seconds)
    print(f"CPU a card: median {np.median(times):.3f}, 99 % {np.quantile(times, 0.99):.2f}, "
          f"most {times.max():.2f}; a board {times.sum() / len(have):.1f} s")  # fmt: skip


def _report_choices(have: list[Row]) -> None:
    engines = list(next(r for r in have if r["choices"])["choices"][0]["cost"])
    every = [(i, c) for i, r in enumerate(have) for c in r["choices"]]
    for part in PARTS:
        some = [(i, c) for i, c in every if c["part"] == part]
        if not some:
            continue
        print(f"{part}: {len(some)} choices of {len(have)} boards, tricks given up a board")
        totals = {}
        for name in engines:
            total = np.zeros(len(have))
            by_trick = np.zeros(14)
            for i, c in some:
                total[i] += c["cost"][name]
                by_trick[c["trick"]] += c["cost"][name] / len(have)
            totals[name] = total
            times = np.array([c["seconds"][name] for _, c in some])
            line = f"  {name:34} {interval(total)}"
            if name != engines[0]:
                line += f" saves {interval(totals[engines[0]] - total)}"
            line += (
                f"  {np.median(times):.3f} s ({np.quantile(times, 0.99):.2f}, {times.max():.2f})"
            )
            print(line)
            print("     by trick", " ".join(f"{x:.3f}" for x in by_trick[1:13]))


def interval(values: NDArray[Any]) -> str:
    return f"{values.mean():.3f} ± {1.96 * values.std() / max(len(values), 1) ** 0.5:.3f}"


def main() -> None:
    os.environ.setdefault("OVERTRICK_DDS_THREADS", "1")  # one process per core instead
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    stages = parser.add_subparsers(dest="stage", required=True)
    sub = stages.add_parser("boards")
    sub.add_argument("--start", type=int, default=70_000_000)
    sub.add_argument("--bidder", default="rules")
    sub.add_argument("--engine", default="alphamu(seconds=60)")  # no clock on a busy machine
    sub.add_argument("--scoring", default="imps")
    sub.set_defaults(run=boards)
    sub = stages.add_parser("choices")
    sub.add_argument("--boards", required=True)
    sub.add_argument("--engines", default="alphamu(seconds=60)")
    sub.add_argument("--parts", default="defence")
    sub.add_argument("--tricks", default="1-13")
    sub.set_defaults(run=choices)
    sub = stages.add_parser("certain")
    sub.add_argument("--boards", required=True)
    sub.add_argument("--worlds", type=int, default=60)
    sub.add_argument("--show", action="store_true")
    sub.set_defaults(run=certain)
    sub = stages.add_parser("exposed")
    sub.add_argument("--boards", required=True)
    sub.add_argument("--worlds", type=int, default=100)
    sub.add_argument("--show", action="store_true")
    sub.set_defaults(run=exposed)
    stages.add_parser("report").set_defaults(run=report)
    for name, one in stages.choices.items():
        if name not in ("certain", "exposed"):
            one.add_argument("--out", required=True)
        one.add_argument("--count", type=int, default=200)
        one.add_argument("--workers", type=int, default=1)
        one.add_argument("--minutes", type=float, default=600)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
