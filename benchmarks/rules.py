"""Measures the rules engine: robustness, WBridge5, distance to par, challenges, speed.
Run `python benchmarks/rules.py all --system sayc`; the data folder is named by OVERTRICK_DATA."""

from __future__ import annotations

import argparse
import json
import os
import time
from collections import Counter
from pathlib import Path

import numpy as np

from overtrick.bidding import bid_board, bidder
from overtrick.bidding.rules import last_resort
from overtrick.doubledummy.par import par
from overtrick.doubledummy.tables import Table
from overtrick.game import CALLS, Auction, Board, Hand, Seat, Vulnerability, imps, score
from overtrick.systems import Reading, load
from overtrick.systems.context import GAME_CALLS, Context
from overtrick.systems.explain import random_hands
from overtrick.systems.meanings import contexts, knowledge, turned_vul
from overtrick.systems.nets import hands_actions, net_of
from overtrick.systems.reading import OfferedCall
from overtrick.systems.shows import HandValues, holds

DATA = Path(os.environ.get("OVERTRICK_DATA", "../shared/data"))
NESW = "NESW"


def unpack(owners: np.ndarray) -> np.ndarray:
    """Hands (52-bit integers, [deals, seats]) from the packed owners of the data files."""
    bits = np.zeros((len(owners), 4), np.uint64)
    for i in range(52):
        seat = owners[:, i // 4] >> (2 * (i % 4)) & 3
        card = np.uint64(1) << np.uint64((3 - i // 13) * 13 + 12 - i % 13)
        for s in range(4):
            bits[:, s] |= np.where(seat == s, card, np.uint64(0))
    return bits


def bid_deal(
    reading: Reading, hands: list[HandValues], dealer: int, vul: int
) -> tuple[tuple[int, ...], list[OfferedCall | None], Context]:
    """All four seats bid; calls, the option behind each, and the final context."""
    turned = turned_vul(vul, dealer)
    calls: tuple[int, ...] = ()
    used: list[OfferedCall | None] = []
    while True:
        ctx = reading.context(calls, turned, 0)
        if ctx.is_over:
            return calls, used, ctx
        values = hands[(dealer + len(calls)) & 3]
        option = reading.choose(ctx, values)
        used.append(option)
        calls = (*calls, option.call if option else last_resort(ctx, values))


def auction_score(calls: tuple[int, ...], dealer: int, vul: int, tricks: np.ndarray) -> int:
    """Double-dummy score for North-South of the contract an auction reaches."""
    contract = Auction(Seat(dealer), tuple(CALLS[c] for c in calls)).contract
    if contract is None:
        return 0
    made = score(contract, int(tricks[contract.strain][contract.declarer]), Vulnerability(vul))
    return made


def robust(system: str, deals: int, seed: int) -> dict[str, object]:
    """Random deals and vulnerabilities: legality, named rules, forcing calls, self-consistency."""
    reading = Reading(load(system))
    rng = np.random.default_rng(seed)
    counts: Counter[str] = Counter()
    offenders: Counter[str] = Counter()
    seconds = 0.0
    for _ in range(deals):
        order = rng.permutation(52)
        hands = [
            HandValues(int(sum(1 << int(c) for c in order[13 * s : 13 * s + 13]))) for s in range(4)
        ]
        dealer, vul = int(rng.integers(4)), int(rng.integers(4))
        started = time.process_time()
        calls, used, _ = bid_deal(reading, hands, dealer, vul)
        seconds += time.process_time() - started
        Auction(Seat(dealer), tuple(CALLS[c] for c in calls))  # raises on an illegal call
        _check(reading, calls, used, hands, dealer, vul, counts, offenders)
    total = counts["calls"]
    return {
        "deals": deals, "calls": total, "calls_per_second": round(total / seconds),
        "named": counts["named"] / total,
        "consistent": counts["consistent"] / max(1, counts["named"]),
        "forcing_passed": counts["forcing passed"], "below_game": counts["below game"],
        "sold_out": counts["sold out"], "offenders": offenders.most_common(12),
    }  # fmt: skip


def _check(reading, calls, used, hands, dealer, vul, counts, offenders) -> None:  # type: ignore[no-untyped-def]
    turned = turned_vul(vul, dealer)
    for i, option in enumerate(used):
        ctx = reading.context(calls[:i], turned, 0)
        counts["calls"] += 1
        if option is None:
            offenders["no rule: " + Auction(Seat(0), tuple(CALLS[c] for c in calls[:i])).ascii] += 1
        else:
            counts["named"] += 1
            sets = reading.of_call(ctx, option.call)
            counts["consistent"] += any(holds(o.items, hands[(dealer + i) & 3]) for o in sets)
        if calls[i] == 0 and ctx.forced:
            counts["forcing passed"] += 1
            offenders["passed: " + Auction(Seat(0), tuple(CALLS[c] for c in calls[:i])).ascii] += 1
    end = reading.context(calls, turned, 0)
    if end.last_bid:
        side = end.last_bidder & 1
        text = Auction(Seat(0), tuple(CALLS[c] for c in calls)).ascii
        if end.game_force[side] and end.last_bid not in GAME_CALLS and not end.doubled:
            counts["below game"] += 1
            offenders["below game: " + text] += 1
        if end.game_force[1 - side] and not end.doubled and end.last_bid not in GAME_CALLS:
            counts["sold out"] += 1
            offenders["sold out: " + text] += 1


def first_calls(system: str, limit: int) -> dict[str, object]:
    """How often our opening decision is WBridge5's."""
    reading = Reading(load(system))
    ctx = reading.context((), 0, 0)
    same = total = 0
    differ: Counter[str] = Counter()
    for line in (DATA / "wbridge5_auctions.txt").read_text().splitlines()[:limit]:
        actions = [int(w) for w in line.split()]
        bits = 0
        for i, card in enumerate(actions[:52]):
            if i % 4 == 0:
                bits |= 1 << (card % 4) * 13 + card // 4
        option = reading.choose(ctx, HandValues(bits))
        theirs = actions[52] - 52
        ours = option.call if option else 0
        total += 1
        same += ours == theirs
        if ours != theirs:
            differ[f"{CALLS[ours].ascii} for {CALLS[theirs].ascii}"] += 1
    return {"deals": total, "agreement": same / total, "differences": differ.most_common(8)}


def pars(count: int, start: int = 0) -> np.ndarray:
    """Par of the solved deals, computed once and kept in the temporary folder."""
    kept = Path(os.environ.get("TMPDIR", "/tmp")) / f"overtrick_par_{start}_{count}.npy"
    if kept.is_file():
        return np.load(kept)
    solved = np.load(DATA / "double_dummy.npz")["tricks"][start : start + count]
    extra = np.load(DATA / "solved_auctions.npz")
    dealer, vul = extra["dealer"][start : start + count], extra["vul"][start : start + count]
    out = np.array([
        par(table_of(t), Vulnerability(int(v)), Seat(int(d))).score
        for t, v, d in zip(solved, vul, dealer, strict=True)
    ])  # fmt: skip
    np.save(kept, out)
    return out


def table_of(tricks: np.ndarray) -> Table:
    return Table(tuple(tuple(int(x) for x in row) for row in tricks))


def to_par(
    system: str, deals: int, worst: int, start: int = 0, keep: str = ""
) -> dict[str, object]:
    """Mean IMP distance to par, ours and BBA's, on the same deals. `keep` names a file of our
    distances: the first run writes it, later ones report the gain over it, deal by deal."""
    reading = Reading(load(system))
    solved, extra = np.load(DATA / "double_dummy.npz"), np.load(DATA / "solved_auctions.npz")
    hands = unpack(solved["owners"][start : start + deals])
    key = "two" if system == "two-over-one" else "sayc"
    lengths = extra[f"{key}_length"].astype(int)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    bba_calls, tricks = extra[f"{key}_calls"], solved["tricks"]
    best = pars(deals, start)
    ours, theirs, rows = [], [], []
    for k in range(deals):
        i = start + k
        dealer, vul = int(extra["dealer"][i]), int(extra["vul"][i])
        values = [HandValues(int(b)) for b in hands[k]]
        calls, used, _ = bid_deal(reading, values, dealer, vul)
        other = tuple(int(c) for c in bba_calls[offsets[i] : offsets[i] + lengths[i]])
        mine, his = (auction_score(c, dealer, vul, tricks[i]) for c in (calls, other))
        ours.append(abs(imps(mine - int(best[k]))))
        theirs.append(abs(imps(his - int(best[k]))))
        rows.append((ours[-1] - theirs[-1], k, calls, other, used, mine, his))
    result: dict[str, object] = {
        "deals": deals, "ours": float(np.mean(ours)), "bba": float(np.mean(theirs)),
        "ratio": float(np.mean(ours) / np.mean(theirs)),
    }  # fmt: skip
    if keep:
        result["gain"] = _paired(Path(keep), np.array(ours))
    if worst:
        result["where"] = _where(rows, tricks[start : start + deals], extra, start, best)
        result["by_rule"] = _blame(rows)
        result["worst"] = [
            _story(row, hands, extra, best, start)
            for row in sorted(rows, key=lambda r: -r[0])[:worst]
        ]
    return result


def _where(rows, tricks, extra, start, best) -> dict[str, list[int]]:  # type: ignore[no-untyped-def]
    """IMPs from par by what the deal held for the side par pays and what was played: ours, BBA's
    and the difference, largest first."""
    loss: dict[str, list[int]] = {}
    for _, k, calls, other, _, mine, his in rows:
        dealer, par_score = int(extra["dealer"][start + k]), int(best[k])
        side = int(par_score < 0)
        held = _best_class(tricks[k], side)
        for i, (auction, score_) in enumerate(((calls, mine), (other, his))):
            name = f"{held}: {_played(auction, dealer, side, score_)}"
            loss.setdefault(name, [0, 0])[i] += abs(imps(score_ - par_score))
    order = sorted(loss.items(), key=lambda item: item[1][1] - item[1][0])
    return {name: [ours, bba, ours - bba] for name, (ours, bba) in order}


_GAME_LEVEL = (5, 5, 4, 4, 3)


def _best_class(tricks, side: int) -> str:  # type: ignore[no-untyped-def]
    """What the side can make: a slam, a game or a part-score."""
    most = [max(int(tricks[s][side]), int(tricks[s][side + 2])) for s in range(5)]
    if max(most) >= 12:
        return "slam deal"
    makes = any(m >= 6 + g for m, g in zip(most, _GAME_LEVEL, strict=True))
    return "game deal" if makes else "part-score deal"


def _played(calls: tuple[int, ...], dealer: int, side: int, made: int) -> str:
    contract = Auction(Seat(dealer), tuple(CALLS[c] for c in calls)).contract
    if contract is None:
        return "passed out"
    if contract.declarer & 1 != side:
        return "they played" + (" doubled" if contract.doubled else "")
    level = "game" if contract.level >= _GAME_LEVEL[contract.strain] else "part-score"
    level = "slam" if contract.level >= 6 else level
    good = (made > 0) == (side == 0)
    return level + (" made" if good else " down")


def _paired(kept: Path, ours: np.ndarray) -> dict[str, float] | str:
    """IMPs nearer to par per deal than the kept run, with its standard error."""
    if not kept.is_file():
        np.save(kept, ours)
        return f"kept in {kept}"
    gain = np.load(kept) - ours
    changed = int(np.count_nonzero(gain))
    error = float(gain.std() / np.sqrt(len(gain)))
    return {"per_deal": float(gain.mean()), "error": error, "changed": changed}


def _blame(rows) -> list[tuple[str, int, float]]:  # type: ignore[no-untyped-def]
    """Where the distance comes from: net IMPs behind BBA by the first rule that differs."""
    loss: Counter[str] = Counter()
    times: Counter[str] = Counter()
    for difference, _, calls, other, used, _, _ in rows:
        for i, call in enumerate(calls):
            if i >= len(other) or other[i] != call:
                option = used[i]
                his = CALLS[other[i]].ascii if i < len(other) else "-"
                name = f"{option.rule.id if option else 'none'} {CALLS[call].ascii} (BBA {his})"
                loss[name] += difference
                times[name] += 1
                break
    return [(n, times[n], round(v, 1)) for n, v in loss.most_common(40)]


def _story(row, hands, extra, best, start) -> str:  # type: ignore[no-untyped-def]
    difference, k, calls, other, used, mine, his = row
    dealer, vul = int(extra["dealer"][start + k]), int(extra["vul"][start + k])
    shown = " ".join(
        f"{NESW[(dealer + j) & 3]}:{Hand(int(hands[k][(dealer + j) & 3]))}" for j in range(4)
    )
    ours = " ".join(
        f"{CALLS[c].ascii}[{o.rule.id.split('/')[-1] if o else '-'}]"
        for c, o in zip(calls, used, strict=True)
    )
    return (
        f"{difference:+d} deal {k} vul {vul} {shown}\n   ours {mine}: {ours}\n"
        f"   bba {his}: {' '.join(CALLS[c].ascii for c in other)}   par {int(best[k])}"
    )


def challenges(system: str, name: str, show: bool) -> dict[str, object]:
    """Awards of a set of bidding problems (scoring as the data's README says)."""
    reading = Reading(load(system))
    total, stories = 0, []
    for line in (DATA / "bidding_challenges.jsonl").read_text().splitlines():
        row = json.loads(line)
        if row["set"] != name:
            continue
        auction, used = _bid_challenge(reading, row)
        award = _award(auction, row["awards"])
        total += award
        if award < 7:
            stories.append(
                f"{award} board {row['board']} dealer {row['dealer']} N:{row['hands']['N']} "
                f"S:{row['hands']['S']} {auction.ascii} [{' '.join(used)}] best {row['awards']}"
            )
    return {"set": name, "score": total, **({"stories": stories} if show else {})}


def _bid_challenge(reading: Reading, row) -> tuple[Auction, list[str]]:  # type: ignore[no-untyped-def]
    dealer = Seat.parse(row["dealer"])
    vul = Vulnerability.parse(row["vul"])
    turned = turned_vul(vul, dealer)
    auction = Auction(dealer)
    used: list[str] = []
    given = row["opponents_calls"]
    hands = {s: HandValues(Hand.parse(row["hands"][NESW[s]]).bits) for s in (0, 2)}
    while not auction.is_over:
        turn, i = auction.turn, len(auction)
        if turn & 1:
            word = given[i] if i < len(given) and given[i] != "AC" else "P"
            step = auction
            try:
                auction = auction.then(
                    Auction.parse(word, turn).calls[0]
                    if word not in ("X", "XX")
                    else {"X": 1, "XX": 2}[word]
                )
            except ValueError:
                auction = step.then(0)
        else:
            ctx = reading.context(tuple(int(c) for c in auction.calls), turned, 0)
            option = reading.choose(ctx, hands[turn])
            used.append(option.rule.id.split("/")[-1] if option else "-")
            auction = auction.then(option.call if option else last_resort(ctx, hands[turn]))
    return auction, used


def _award(auction: Auction, awards: dict[str, int]) -> int:
    contract = auction.contract
    if contract is None:
        return awards.get("P", awards.get("PASS", 0))
    strain = contract.strain.letter[0]
    doubled = "X" * contract.doubled
    if contract.declarer & 1:
        key = f"W{contract.level}{strain}{doubled}"
        return awards.get(key, awards.get("E" + key[1:], 0))
    for key in (
        f"{NESW[contract.declarer]}{contract.level}{strain}{doubled}",
        f"{contract.level}{strain}{doubled}",
        f"{contract.level}{strain}",
    ):
        if key in awards:
            return awards[key]
    top = 2 if contract.strain == 4 else (3 if contract.strain >= 2 else 4)
    if contract.level <= top:  # a part-score not listed takes the nearest higher one listed
        for level in range(contract.level + 1, top + 1):
            if f"{level}{strain}" in awards:
                return awards[f"{level}{strain}"]
    elif contract.level == top + 1 and contract.strain >= 2:  # 3NT or four of a major
        return awards.get(f"{contract.level + 1}{strain}", 0)
    return 0


def speed(system: str) -> dict[str, object]:
    """Processor time of the engine, of inference and of a net (the machine is shared)."""
    bidders = [bidder(f"rules(system={system})")] * 4
    started, count, played = time.process_time(), 0, []
    for i in range(500):
        board = Board.random(i + 1, seed=1000 + i)
        auction, decisions = bid_board(board, bidders)
        count += len(decisions)
        played.append((board, auction))
    engine = count / (time.process_time() - started)
    out: dict[str, object] = {"engine_calls_per_second": round(engine)}
    reading = Reading(load(system))
    for name, deny in (("constraints", False), ("constraints_with_denials", True)):
        for board, auction in played:
            contexts(reading, auction, board.vul, 0)
        for state in ("first", "again"):
            started = time.process_time()
            for board, auction in played:
                knowledge(reading, auction, board.vul, deny=deny)
            each = (time.process_time() - started) / len(played) * 1000
            out[f"{name}_{state}_ms"] = round(each, 3)
    for auction_text, calls in (("1NT P 2C P", (7, 0, 8, 0)), ("1S P", (6, 0)), ("opening", ())):
        net = net_of(reading, reading.context(calls))
        hands = random_hands(100_000)
        started = time.process_time()
        hands_actions(net, hands)
        out[f"net_100000_hands_{auction_text}_s"] = round(time.process_time() - started, 4)
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["all", "robust", "first", "par", "challenges", "speed"])
    parser.add_argument("--system", default="sayc")
    parser.add_argument("--deals", type=int, default=2000)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--worst", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", default="", help="file (.npy) of distances to compare with")
    args = parser.parse_args()
    out: dict[str, object] = {"system": args.system}
    if args.what in ("all", "robust"):
        out["robust"] = robust(args.system, args.deals, args.seed)
    if args.what in ("all", "first"):
        out["first"] = first_calls(args.system, 5000)
    if args.what in ("all", "par"):
        out["par"] = to_par(args.system, args.deals, args.worst, args.start, args.keep)
    if args.what in ("all", "challenges"):
        out["challenges"] = [
            challenges(args.system, s, bool(args.worst)) for s in ("pavlicek-1", "bridge-world-1")
        ]
    if args.what in ("all", "speed"):
        out["speed"] = speed(args.system)
    for key, value in out.items():
        print(key)
        print(json.dumps(value, indent=1, ensure_ascii=False, default=str).replace("\\n", "\n"))


if __name__ == "__main__":
    main()
