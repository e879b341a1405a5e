"""Makes the positions of the lessons: robots bid and play random boards, and a decision is kept
when one answer is plainly better than the others over the deals its seat could think possible.

    python -m overtrick_lab.web.teaching                  # all lessons, about an hour on one core
    python -m overtrick_lab.web.teaching slam leads --count 50 --seed 7

A lesson that is made again takes the place of the old one in the file; the others stay.
"""

from __future__ import annotations

import argparse
import gzip
import logging
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from statistics import median
from typing import Any, Final

import msgspec

from overtrick.archives import expanded
from overtrick.cardplay.situation import situation
from overtrick.doubledummy import solver
from overtrick.game import (
    CALLS,
    PASS,
    Auction,
    Board,
    Call,
    Card,
    Decision,
    Meaning,
    Play,
    Seat,
    View,
    view_of,
)
from overtrick.game.calls import DOUBLE
from overtrick.game.reasons import Deed, Does, Remark
from overtrick.notation.whole import write_whole
from overtrick.table import TableState, play_table, robot
from overtrick.web import coaching, lessons, thinking
from overtrick.web.lessons import Lesson, Option, Position
from overtrick.web.meanings import shown_ranges
from overtrick.web.opinions import Advice
from overtrick.web.possible import Heard
from overtrick.web.verdicts import Alternatives, Choice, Verdict, call_verdict, card_verdict

LOGGER = logging.getLogger(__name__)
SHIPPED: Final = Path(str(files("overtrick.web").joinpath(lessons.FILE)))
SYSTEM: Final = "two-over-one"
BIDDER: Final = f"rules(system={SYSTEM})"
_SYSTEMS: Final = (SYSTEM, SYSTEM)
PLAYER: Final = "pimc(worlds=6)"
_QUICK, _CALL_WORLDS, _CARD_WORLDS, _LEAD_WORLDS = 24, 256, 128, 48
_WORSE: Final = 2.5  # standard errors by which a wrong answer must be worse than …
_LEAST: Final = 0.3  # … so many IMPs
_SAME: Final = 0.2  # IMPs: as good as the answer
_SHARE: Final = 5  # one answer in so many may be the same call
_EASY, _FAIR = 3.0, 1.2  # IMPs that the least bad of the wrong answers costs
_MOST_ANSWERS: Final = 3  # choices that count as right
_MOST_LEADS: Final = 5  # of leads several cards of a suit are right
_AT_STAKE: Final = 1.0  # IMPs between the best lead and the middle one
_OFTEN: Final = 3  # positions between two times that the file is written
_CHOICES: Final = 3  # wrong calls that are offered, of …
_TRIED: Final = 5  # … so many that are tried
_GAME, _SLAM, _MOST_SHOWN = 26, 31, 22  # points together for which a slam is thought of
_DULL: Final = (Does(Deed.CASHES), Remark.ONLY_CARD, Remark.ALL_EQUAL)


# ---------------------------------------------------------------- what to bid


def _opening(view: View, call: Call) -> bool:
    points = coaching.hcp(view.hand)
    return not _bids(view.auction) and (call != PASS or 10 <= points <= 12)


def _response(view: View, call: Call) -> bool:
    made = view.auction.calls
    opened = len(made) >= 2 and made[-2].is_bid and all(c == PASS for c in (*made[:-2], made[-1]))
    return opened and (call != PASS or coaching.hcp(view.hand) >= 4)


def _competition(view: View, call: Call) -> bool:
    theirs = [s for s in _bids(view.auction) if s.side != view.seat.side]
    return bool(theirs) and (call != PASS or coaching.hcp(view.hand) >= 9)


def _slam(view: View, call: Call) -> bool:
    last = view.auction.last_bid
    ours = {s for s in _bids(view.auction) if s.side == view.seat.side}
    alone = all(s.side == view.seat.side for s in _bids(view.auction))
    high = last is not None and last.level >= 3 and (call.is_bid or call == PASS)
    if not (alone and len(ours) == 2 and high and (call == PASS or call.level >= 4)):
        return False
    partner = thinking.heard(BIDDER, view).get(view.seat.partner, coaching.HeardFrom())
    low, high_ = partner.hcp
    mine = coaching.hcp(view.hand)
    return mine + low >= _GAME and mine + min(high_, _MOST_SHOWN) >= _SLAM


def _bids(auction: Auction) -> list[Seat]:
    """Who made the bids so far."""
    return [auction.seat_of(i) for i, c in enumerate(auction.calls) if c.is_bid]


def bidding(wanted: Callable[[View, Call], bool], seed: int) -> Iterator[Position]:
    """Decisions of an auction between robots in which the system's call is plainly best."""
    number = 0
    while True:
        number += 1
        board = Board.random(number % 16 + 1, seed * 1_000_003 + number)
        auction = Auction(board.dealer)
        told: list[Meaning | None] = []
        while not auction.is_over:
            view = view_of(board, auction, meanings=tuple(told))
            decision = thinking.bidder_of(BIDDER).bid(view)
            if wanted(view, decision.call):
                found = _bidding(view, decision, tuple(told))
                if found is not None:
                    yield found
                    break
            told.append(thinking.meaning(BIDDER, view, decision.call))
            auction = auction.then(decision.call)


def _bidding(view: View, decision: Decision, told: tuple[Meaning | None, ...]) -> Position | None:
    others = _other_calls(view, decision)
    if len(others) < 2:
        return None
    verdict = call_verdict(
        view, decision.call, Alternatives(others), _SYSTEMS, Heard(view, told).drawn,
        rounds=(_CALL_WORLDS,),
    )  # fmt: skip
    wrong = [c for c in verdict.choices if _plainly_worse(c)]
    doubtful = any(c.imps > _SAME for c in verdict.choices)
    if doubtful or len(wrong) < 2:
        return None
    own = next(c for c in verdict.choices if c.action == decision.call.ascii)
    options = tuple(_called(view, c) for c in (own, *wrong[:_CHOICES]))
    coached = coaching.coached(view, decision, thinking.heard(BIDDER, view))
    return _position(view, (own.action,), options, verdict.worlds, coached)


def _other_calls(view: View, decision: Decision) -> tuple[Call, ...]:
    """Calls a player might think of: what else fits the system, a pass, one more or one less of the
    suit, no trump, a double."""
    auction, call = view.auction, decision.call
    found = [c.action for c in decision.candidates[:3] if isinstance(c.action, Call)]
    found.append(PASS)
    last = auction.last_bid
    if last is not None and (by := auction.last_bidder) is not None and by.side != view.seat.side:
        found.append(DOUBLE)
    number = int(call)
    near = (number + 5, number - 5, number + 1, number + 10) if call.is_bid else ()
    suit = max(range(4), key=lambda s: (view.hand.length(s), s))
    level = 1 if last is None else last.level + int(last.strain >= suit)
    near = (*near, int(Call.bid(min(7, level), suit)))
    found += [CALLS[n] for n in near if 3 <= n <= 37]
    legal = [c for c in dict.fromkeys(found) if c != call and auction.is_legal(c)]
    known = [c for c in legal if _meant(view, c)]
    return tuple(known[:_TRIED])


def _meant(view: View, call: Call) -> bool:
    told = thinking.meaning(BIDDER, view, call)
    return call in (PASS, DOUBLE) or (told is not None and not told.words.startswith("outside"))


def _called(view: View, choice: Choice) -> Option:
    told = thinking.meaning(BIDDER, view, Call.parse(choice.action))
    ranges = "" if told is None else shown_ranges(told)
    words = "" if told is None else told.words + (f" ({ranges})" if ranges else "")
    return Option(choice.action, round(choice.imps, 1), round(choice.error, 1), words)


# ---------------------------------------------------------------- what to play


def _leading(view: View, decision: Decision) -> bool:
    return view.play is not None and not view.play.cards


def _declaring(view: View, decision: Decision) -> bool:
    return _thinking(view, decision) and _declares(view)


def _defending(view: View, decision: Decision) -> bool:
    return _thinking(view, decision) and not _declares(view)


def _declares(view: View) -> bool:
    return view.contract is not None and view.contract.declarer == view.seat


def _thinking(view: View, decision: Decision) -> bool:
    """A card that the robot found better than the next by its own few worlds, for a reason."""
    if view.play is None or not 1 <= len(view.play.cards) <= 40:
        return False
    chances = sorted((c.details.get("chance") or 0.0 for c in decision.candidates), reverse=True)
    dull = any(reason in _DULL for reason in decision.reasons[:1])
    return len(chances) > 1 and chances[0] - chances[-1] >= 0.2 and not dull


def playing(wanted: Callable[[View, Decision], bool], seed: int) -> Iterator[Position]:
    """Cards of boards between robots, where one choice is plainly better than the others."""
    robots = [robot(f"{BIDDER}+{PLAYER}")] * 4
    number = 0
    while True:
        number += 1
        board = Board.random(number % 16 + 1, seed * 1_000_003 + number)
        state = play_table(board, robots, auction_only=wanted is _leading)
        for view, decision in _cards_of(state, wanted is _leading):
            if wanted(view, decision):
                found = _playing(view, decision)
                if found is not None:
                    yield found


def _cards_of(state: TableState, lead: bool) -> Iterator[tuple[View, Decision]]:
    contract = state.contract
    if contract is None:
        return
    if lead:
        view = view_of(state.board, state.auction, Play.of(contract), meanings=state.meanings)
        hand = state.board.deal[view.seat]
        yield view, Decision(hand.cards()[0], Meaning("a lead"))
        return
    assert state.play is not None
    walk = Play.of(contract)
    for entry in state.log[len(state.auction) :]:
        yield view_of(state.board, state.auction, walk, meanings=state.meanings), entry.decision
        walk = walk.then(entry.decision.card)


def _playing(view: View, decision: Decision) -> Position | None:
    at = situation(view)
    if len(at.groups()) < 3:
        return None
    looked_at = _looked_at(view, decision.card, lead=not at.play.cards)
    if looked_at is None:
        return None
    card, verdict = looked_at
    touching = {c.ascii: g for g in at.groups() for c in g}
    every = tuple(c.ascii for a in _answers(verdict) for c in touching[a])
    told = decision if decision.card.ascii in every else Decision(card, Meaning("a card"))
    chosen = thinking.player_of(PLAYER).play(view)
    told = chosen if chosen.card.ascii in every else told
    coached = coaching.coached(view, told, {}, coaching.of_the_cards(told.reasons))
    options = tuple(
        Option(c.action, round(c.imps, 1), round(c.error, 1), "", _rounded(c.chance))
        for c in verdict.choices
    )
    return _position(view, every, options, verdict.worlds, coached)


def _looked_at(view: View, card: Card, *, lead: bool) -> tuple[Card, Verdict] | None:
    """The best card and the verdict on it in many worlds; None where nothing much is at stake."""
    for worlds in (_QUICK // 2, _LEAD_WORLDS) if lead else (_QUICK, _CARD_WORLDS):
        verdict = card_verdict(view, card, rounds=(worlds,))
        if verdict.choices and verdict.choices[0].imps > _SAME:
            # Another card is better than the robot's: that one is the answer to look at.
            card = Card.parse(verdict.choices[0].action)
            verdict = card_verdict(view, card, rounds=(worlds,))
        if lead and worlds < _LEAD_WORLDS:  # few worlds: only a lead where something is at stake
            if median(c.imps for c in verdict.choices) > -_AT_STAKE:
                return None
            continue
        found, most = len(_answers(verdict)), _MOST_LEADS if lead else _MOST_ANSWERS
        if not 0 < found <= most or 2 * found > len(verdict.choices):
            return None
    return card, verdict


def _rounded(chance: float | None) -> float | None:
    return None if chance is None else round(chance, 2)


# ---------------------------------------------------------------- what is kept


def _answers(verdict: Verdict) -> tuple[str, ...]:
    """The choices that are not plainly worse than the best, which comes first; none when it is not
    the one looked at."""
    good = [c for c in verdict.choices if not _plainly_worse(c)]
    best = max((c.imps for c in good), default=0.0)
    return tuple(c.action for c in good) if best <= _SAME else ()


def _plainly_worse(choice: Choice) -> bool:
    return choice.imps + _WORSE * choice.error < -_LEAST


def _position(
    view: View, answers: tuple[str, ...], options: tuple[Option, ...], worlds: int,
    coached: Advice,
) -> Position:  # fmt: skip
    least = min(-o.imps for o in options if o.action not in answers)
    dealer: Any = view.dealer.letter
    seat: Any = view.seat.letter
    contract, play = view.contract, view.play
    playing = play is not None
    return Position(
        "",
        1 if least >= _EASY else 2 if least >= _FAIR else 3,
        dealer,
        str(view.vul),
        seat,
        str(view.hand),
        view.auction.ascii,
        answers,
        options,
        coached.reasons,
        worlds,
        coached.nudge,
        contract.ascii if playing and contract is not None else "",
        contract.declarer.letter if playing and contract is not None else None,
        str(view.dummy) if playing and view.dummy is not None else "",
        " ".join(c.ascii for c in play.cards) if play is not None else "",
        play.turn.letter if play is not None else None,
    )


@dataclass(frozen=True, slots=True)
class Theme:
    """A lesson to be made."""

    name: str
    title: str
    words: str
    kind: Any
    positions: Callable[[int], Iterator[Position]]

    def make(self, count: int, seed: int, old: Sequence[Position] = ()) -> Iterator[Lesson]:
        """The lesson as it grows to so many positions: every few of them are worth keeping."""
        kept = list(old)
        same: Counter[str] = Counter(p.answers[0] for p in old)
        for position in self.positions(seed) if len(kept) < count else ():
            answer = position.answers[0]
            if self.kind == "call" and same[answer] >= max(2, count // _SHARE):
                continue
            same[answer] += 1
            kept.append(position)
            LOGGER.info("%s %d of %d: %s", self.name, len(kept), count, " ".join(position.answers))
            if len(kept) == count or len(kept) % _OFTEN == 0:
                yield self._named(kept)
            if len(kept) == count:
                return

    def _named(self, kept: list[Position]) -> Lesson:
        ordered = sorted(kept, key=lambda p: p.grade)
        named = tuple(
            msgspec.structs.replace(p, name=f"{self.name}-{i}") for i, p in enumerate(ordered, 1)
        )
        return Lesson(self.name, self.title, self.words, self.kind, named)


THEMES: Final = (
    Theme("opening", "Opening bids", "Open or not, and with what?", "call",
          lambda seed: bidding(_opening, seed)),
    Theme("responses", "Responses", "Partner has opened and they passed.", "call",
          lambda seed: bidding(_response, seed + 1)),
    Theme("competition", "They bid, too", "Come in, double, raise or leave it to them?", "call",
          lambda seed: bidding(_competition, seed + 2)),
    Theme("slam", "Game or slam", "Strong hands, high up. Stop or go on?", "call",
          lambda seed: bidding(_slam, seed + 3)),
    Theme("declarer", "Playing the hand", "The one card that gives you the best chance.", "card",
          lambda seed: playing(_declaring, seed + 4)),
    Theme("defence", "Defending", "Beat it, or save a trick.", "card",
          lambda seed: playing(_defending, seed + 5)),
    Theme("leads", "Opening leads", "All you have is your hand and what you heard.", "card",
          lambda seed: playing(_leading, seed + 6)),
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    names = [t.name for t in THEMES]
    parser.add_argument("lesson", nargs="*", choices=[*names, []], help="which; all by default")
    parser.add_argument("--count", type=int, default=48, help="positions of each")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--more", action="store_true", help="keep the old ones; take a new seed")
    parser.add_argument("--out", type=Path, default=SHIPPED)
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    solver().set_threads(1)
    for theme in THEMES:
        if not options.lesson or theme.name in options.lesson:
            old = _positions(options.out, theme.name) if options.more else ()
            for lesson in theme.make(options.count, options.seed, old):
                _keep(options.out, lesson)


def _read(path: Path) -> tuple[Lesson, ...]:
    if not path.exists():
        return ()
    return msgspec.json.decode(expanded(path.read_bytes()), type=tuple[Lesson, ...])


def _positions(path: Path, name: str) -> tuple[Position, ...]:
    return next((s.positions for s in _read(path) if s.name == name), ())


def _keep(path: Path, made: Lesson) -> None:
    """Write the file with this lesson in its place."""
    by_name = {s.name: s for s in (*_read(path), made)}
    new = [by_name[t.name] for t in THEMES if t.name in by_name]
    write_whole(path, gzip.compress(msgspec.json.encode(new), 9, mtime=0))


if __name__ == "__main__":
    main()
