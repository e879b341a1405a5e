"""Makes the exam: endings are dealt at random or changed a little from ones that were found; they
are proved, get a name and a history, and are kept when nothing like them is there.

    python -m overtrick_lab.exam.making --side declarer --seed 1 --minutes 20 --out found.jsonl
    python -m overtrick_lab.exam.making --side both --workers 14 --minutes 4 --out many.jsonl
    python -m overtrick_lab.exam.making --prove --ship found.jsonl more.jsonl

The search goes on where the file ends; --ship writes the package's own file.
"""

from __future__ import annotations

import argparse
import gc
import logging
import lzma
import random
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Final, Literal

import msgspec
import numpy as np

from overtrick.cardplay.ending import shared_out
from overtrick.cardplay.sampling import all_layouts
from overtrick.cardplay.situation import situation
from overtrick.cardplay.technique import PLAYS
from overtrick.cardplay.vectors import cards_of, packed
from overtrick.doubledummy import solve_worlds, solver
from overtrick.exam.questions import FILE, Question, shipped
from overtrick.game import DECK, Contract, Hand, Play, Seat
from overtrick.game.cards import ALL_CARDS, SUIT_BITS
from overtrick.notation.whole import write_whole
from overtrick.processes import spawned
from overtrick_lab.exam import counting
from overtrick_lab.exam.coups import COUPS, drawn
from overtrick_lab.exam.history import any_history, history
from overtrick_lab.exam.proof import Proof, glimpse, proved, proved_view, screened
from overtrick_lab.exam.scene import DECLARER, DUMMY, EndingScene, Four
from overtrick_lab.exam.themes import RARER, Built, built

LOGGER = logging.getLogger(__name__)
_LAYOUTS: Final = {True: (4, 21), False: (3, 15)}  # by declaring: how many there may be
_DECLARERS: Final = (4, 20)  # layouts a declarer may think of in a defender's question
_HOPE: Final = 0.2  # chance with all cards seen, at least
_KEPT: Final = 80  # of one kind in each half of the file that is shipped: games first
_THEMED: Final = 0.5  # of fresh endings: built for a technique
_CHANGED: Final = 0.8  # of all endings: changed from one that was found
_PLANNED: Final = 0.5  # the same where rarer techniques are looked for
_PAST: Final = 40  # nodes of the search for a past
_FAMILY: Final = 8  # scenes kept from one that was dealt
_RARE: Final = 3  # of a kind: fewer are no kind of the exam
_SHARE: Final = 60  # of one kind, in one run
_BY_THE_WAY: Final = 12  # of another kind, where rarer ones are looked for
_COUNTED: Final = 0.1  # of a defender's planned endings: count for partner
_NEAR: Final = 40  # scenes of one kind that may be made to ask for it
_LENGTH: Final = (3, 7)
_GAME: Final = (5, 5, 4, 4, 3)  # the level of a game by strain


class FoundScene(msgspec.Struct, frozen=True):
    """A line of the search's own file: the scene, whose child it is, and the question."""

    scene: dict[str, object]
    family: int
    question: Question


# ---------------------------------------------------------------- scenes


def dealt(rng: random.Random, declaring: bool) -> EndingScene | None:
    """A random ending: one suit in which declarer has to guess, the rest as it comes.

    Declarer's side has most of the high cards.
    """
    n = rng.choice((4, 4, 4, 5) if declaring else (3, 3, 4, 4))
    hands = _guess(rng)
    room = [n - h.bit_count() for h in hands]
    if min(room) < 0:
        return None
    weights = [rng.uniform(0.2, 1) for _ in range(3)]
    sizes = Counter(rng.choices(range(3), weights=weights, k=sum(room)))
    strong = rng.uniform(0.55, 0.85) if declaring else rng.uniform(0.5, 0.7)
    if max(sizes.values(), default=0) > 12:
        return None
    _fill(hands, room, sizes, strong, rng)
    cards = rng.choice((0, 0, 0, 1, 2, 3) if declaring else (0, 1, 2, 3))
    return _scene(Built(hands, rng.choice((4, 4, 0, 1, 2, 3)), None, cards), declaring, rng)


def themed(rng: random.Random, declaring: bool) -> EndingScene | None:
    """An ending built for a technique."""
    found = built(rng, declaring)
    return None if found is None else _scene(found, declaring, rng)


def _scene(found: Built, declaring: bool, rng: random.Random) -> EndingScene:
    """Somebody's choice in four hands; most suits that a hand is out of are known to be out."""
    hands = found.hands
    barred = [0] * 4
    for seat in (1, 2, 3):
        for suit in range(4):
            if not hands[seat] & SUIT_BITS << 13 * suit and rng.random() < 0.8:
                barred[seat] |= SUIT_BITS << 13 * suit
    chooser = DECLARER if declaring else rng.choice((1, 3))
    turn = rng.choice((DUMMY, DECLARER)) if declaring else chooser
    scene = EndingScene(_four(hands), found.strain, turn, (), _four(barred), 1, chooser)
    return _into_the_trick(scene, found, rng)


def _fill(
    hands: list[int], room: list[int], sizes: Counter[int], strong: float, rng: random.Random
) -> None:
    """Deal the other three suits, high cards to declarer's side with the chance `strong`."""
    cards = [13 * s + 12 - i for s in range(3) for i in range(sizes[s])]
    cards.sort(key=lambda c: -(c % 13) - rng.random())
    for card in cards:
        side = int(rng.random() >= (strong if card % 13 >= 9 else 0.45))
        seats = [s for s in (side, side + 2) if room[s]] or [s for s in range(4) if room[s]]
        seat = rng.choice(seats)
        hands[seat] |= 1 << card
        room[seat] -= 1


# A suit of North and South with a guess in it, and what is out.
_GUESSES: Final = (
    ("KJ", "32", "AQ65"), ("KJ4", "32", "AQ65"), ("KT", "AJ", "Q654"), ("KT2", "AJ3", "Q654"),
    ("AQ", "32", "K65"), ("AQ2", "43", "K65"), ("AJ", "32", "KQ54"), ("AJT", "32", "KQ54"),
    ("AK", "JT", "Q654"), ("AKJ", "32", "Q654"), ("KT", "A2", "QJ43"), ("QT", "32", "AKJ4"),
    ("K3", "2", "A65"), ("KQ", "32", "A654"), ("KQ2", "J3", "A54"), ("AQ", "J2", "K543"),
    ("Q2", "J3", "AK54"), ("A2", "Q3", "KJ54"), ("", "", ""), ("", "", ""), ("AK3", "2", "QJ54"),
)  # fmt: skip


def _guess(rng: random.Random) -> list[int]:
    """Spades of four hands: North's and South's as listed or exchanged, the others shared out."""
    ours = list(rng.choice(_GUESSES)[:2])
    out = next(g[2] for g in _GUESSES if list(g[:2]) == ours)
    if rng.random() < 0.5:
        ours.reverse()
    hands = [0, 0, 0, 0]
    for seat, text in zip((0, 2), ours, strict=True):
        hands[seat] = Hand.parse(f"{text}...").bits
    for card in cards_of(Hand.parse(f"{out}...").bits):
        hands[rng.choice((1, 3))] |= 1 << card
    return hands


def _into_the_trick(scene: EndingScene, found: Built, rng: random.Random) -> EndingScene:
    """So many cards of the trick are on the table when it is the chooser's turn."""
    hands, trick = list(scene.hands), list[int]()
    leader = (scene.turn - found.cards) & 3
    for i in range(found.cards):
        seat = (leader + i) & 3
        suit = trick[0] // 13 if trick else found.led
        legal = hands[seat]
        if suit is not None:
            legal = legal & SUIT_BITS << 13 * suit or legal
        card = rng.choice(cards_of(legal))
        hands[seat] &= ~(1 << card)
        trick.append(card)
    return replace(scene, hands=_four(hands), leader=leader, trick=tuple(trick))


def _four(parts: list[int]) -> Four:
    return parts[0], parts[1], parts[2], parts[3]


def changed(scene: EndingScene, rng: random.Random) -> EndingScene:
    """A neighbour: cards exchanged, replaced, added or taken away, another void, another strain."""
    for _ in range(rng.choice((1, 1, 1, 2))):
        scene = rng.choice(_CHANGES)(scene, rng)
    return scene


def _exchange(scene: EndingScene, rng: random.Random) -> EndingScene:
    one, other = rng.sample(range(4), 2)
    mine, theirs = rng.choice(cards_of(scene.hands[one])), rng.choice(cards_of(scene.hands[other]))
    hands = list(scene.hands)
    hands[one] ^= 1 << mine | 1 << theirs
    hands[other] ^= 1 << mine | 1 << theirs
    return replace(scene, hands=_four(hands))


def _unused(scene: EndingScene) -> list[int]:
    gone = ALL_CARDS
    for hand in scene.hands:
        gone &= ~hand
    return [c for c in cards_of(gone) if c not in scene.trick]


def _renew(scene: EndingScene, rng: random.Random) -> EndingScene:
    seat = rng.randrange(4)
    hands = list(scene.hands)
    old = rng.choice(cards_of(hands[seat]))
    suit = old // 13
    new = _unused(scene)
    near = [c for c in new if c // 13 == suit]
    hands[seat] ^= 1 << old | 1 << rng.choice(near if near and rng.random() < 0.6 else new)
    return replace(scene, hands=_four(hands))


def _grow(scene: EndingScene, rng: random.Random) -> EndingScene:
    if scene.left >= _LENGTH[1] - (not scene.declaring) * 2:
        return scene
    hands = list(scene.hands)
    for seat, card in enumerate(rng.sample(_unused(scene), 4)):
        hands[seat] |= 1 << card
    return replace(scene, hands=_four(hands))


def _one_before(scene: EndingScene, rng: random.Random) -> EndingScene:
    """A trick earlier: a winner more for our side, low cards for the others."""
    if scene.trick or not scene.declaring or scene.left >= _LENGTH[1] - 1:
        return scene
    hands, unused = list(scene.hands), _unused(scene)
    alive = hands[0] | hands[1] | hands[2] | hands[3]
    tops = [c for c in unused if not alive >> c & SUIT_BITS >> c % 13]
    winner = rng.choice((0, 2))
    for seat in rng.sample(range(4), 4):
        low = [c for c in unused if c % 13 < 8] or unused
        card = rng.choice(tops if seat == winner and tops else low)
        unused.remove(card)
        tops = [c for c in tops if c != card]
        hands[seat] |= 1 << card
    return replace(scene, hands=_four(hands))


def _shrink(scene: EndingScene, rng: random.Random) -> EndingScene:
    if scene.left <= _LENGTH[0]:
        return scene
    hands = [h & ~(1 << rng.choice(cards_of(h))) for h in scene.hands]
    return replace(scene, hands=_four(hands))


def _void(scene: EndingScene, rng: random.Random) -> EndingScene:
    seat, suit = rng.choice((1, 2, 3)), rng.randrange(4)
    barred = list(scene.barred)
    barred[seat] ^= SUIT_BITS << 13 * suit
    return replace(scene, barred=_four(barred))


def _strain(scene: EndingScene, rng: random.Random) -> EndingScene:
    return replace(scene, strain=rng.randrange(5))


def _other_hand(scene: EndingScene, rng: random.Random) -> EndingScene:
    if scene.trick or not scene.declaring:
        return scene
    return replace(scene, leader=scene.leader ^ 2)


_CHANGES: Final = (
    _exchange, _exchange, _exchange, _renew, _renew, _renew, _grow, _grow, _grow, _one_before,
    _one_before, _shrink, _void, _strain, _other_hand,
)  # fmt: skip


def _fair(scene: EndingScene) -> bool:
    """Sound, with few enough layouts and a choice of cards."""
    if not _LENGTH[0] <= scene.left <= _LENGTH[1] or not scene.is_sound():
        return False
    least, most = _LAYOUTS[scene.declaring]
    one, other = scene.hidden
    if not least <= _count(scene, one, other) <= most:
        return False
    if scene.declaring:
        return True
    return _DECLARERS[0] <= _count(scene, scene.chooser, scene.chooser ^ 2) <= _DECLARERS[1]


def _count(scene: EndingScene, one: int, other: int) -> int:
    shown = scene.shown()
    pool = scene.hands[one] | scene.hands[other]
    sizes = scene.hands[one].bit_count(), scene.hands[other].bit_count()
    free = pool & ~(shown[one] | shown[other])
    if free.bit_count() > 10:
        return 1 << 20
    return len(shared_out(pool, sizes, (shown[one], shown[other])))


def _aimed(scene: EndingScene, rng: random.Random) -> tuple[EndingScene, dict[int, int]] | None:
    """With a number of tricks that is in doubt, and the layouts each card wins, all cards seen."""
    hands = np.array(scene.rows(), np.uint64)
    tricks = solve_worlds(hands, scene.strain, scene.leader, scene.trick).astype(int)
    legal = tricks[:, tricks[0] >= 0]
    if legal.shape[1] < 2:
        return None
    best = legal.max(axis=1)
    n = scene.left
    near = range(max(1, n - 2), n + 1) if scene.declaring else range(1, n + 1)
    hope = _HOPE if scene.declaring else 0.05
    needs = [g for g in near if (best >= g).mean() >= hope and not (legal >= g).all()]
    if not needs:
        return None
    need = rng.choice(needs[-2:])
    every = list(range(len(tricks)))
    cards = np.flatnonzero(tricks[0] >= 0).tolist()
    reached = {c: packed(tricks[:, c, None] >= need, every, 1) for c in cards}
    return replace(scene, need=need), reached


# ---------------------------------------------------------------- questions


def questioned(scene: EndingScene, proof: Proof, rng: random.Random, name: str) -> Question | None:
    """A scene with its past: whole hands, a contract, the tricks before."""
    best: tuple[int, list[int]] | None = None
    for _ in range(12):
        cards = history(scene, rng)
        if cards is None:
            continue
        play = Play(_strain_of(scene), Seat.WEST, cards)
        won = sum(t.winner(play.strain) & 1 == 0 for t in play.tricks() if len(t.cards) == 4)
        want = scene.need if scene.declaring else scene.left - scene.need + 1
        level = won + want - 6
        if 1 <= level <= 7 and (best is None or level > best[0]):
            best = level, cards
        if best is not None and best[0] >= _GAME[scene.strain]:
            break
    return None if best is None else _question(scene, proof, best, name)


def _strain_of(scene: EndingScene) -> str:
    return "CDHSN"[scene.strain].replace("N", "NT")


def _question(scene: EndingScene, proof: Proof, past: tuple[int, list[int]], name: str) -> Question:
    level, cards = past
    contract = f"{level}{_strain_of(scene)}"
    whole = list(scene.hands)
    play = Play.of(Contract.parse(f"{contract} S"), cards)
    for trick in play.tricks():
        for i, card in enumerate(trick.cards):
            whole[(trick.leader + i) & 3] |= 1 << card
    for i, number in enumerate(scene.trick):
        whole[(scene.leader + i) & 3] |= 1 << number
    told = proof.technique.name == counting.NAME  # of equal cards one tells the truth
    right = [proof.card] if told else _touching(scene, proof.card)
    return Question(
        id=name,
        kind=proof.technique.name,
        grade=_grade(scene, proof),
        contract=contract,
        seat=Seat(scene.chooser).letter,  # type: ignore[arg-type]
        hand=str(Hand(whole[scene.chooser])),
        dummy=str(Hand(whole[DUMMY])),
        play="".join(DECK[c].ascii for c in (*cards, *scene.trick)),
        answers=tuple(DECK[c].ascii for c in right),
        chance=round(proof.chance, 3),
        next=round(proof.next_best, 3),
        layouts=proof.layouts,
        reason=proof.technique.words,
        line=" ".join(DECK[c].ascii for c in proof.technique.line),
    )


def _touching(scene: EndingScene, card: int) -> list[int]:
    """The card and those of the same hand that are equal to it."""
    hand = scene.hands[scene.turn]
    others = 0
    for seat in range(4):
        others |= scene.hands[seat] if seat != scene.turn else 0
    for c in scene.trick:
        others |= 1 << c
    out = [card]
    for step in (1, -1):
        now = card + step
        while 0 <= now < 52 and now // 13 == card // 13 and not others >> now & 1:
            if hand >> now & 1:
                out.append(now)
            now += step
    return sorted(out, reverse=True)


def _grade(scene: EndingScene, proof: Proof) -> Literal[1, 2, 3]:
    """1 for short endings where much is at stake, 3 for long ones or small differences."""
    hard = (scene.left >= 5) + (scene.left >= 6) + (proof.gap < 0.2) + (proof.gap < 0.1)
    favourite = max(proof.averaged.values())
    hard += proof.averaged[proof.card] < favourite - 1e-9  # averaging is sure of another card
    return 1 if hard == 0 else 2 if hard <= 2 else 3


# ---------------------------------------------------------------- the search


class SceneSearch:
    """Scenes found so far; rare kinds are looked for near their own."""

    def __init__(
        self, declaring: bool, seed: int, share: int = _SHARE, coups: bool = False
    ) -> None:
        self.declaring, self.seed, self.share, self.coups = declaring, seed, share, coups
        self.rng = random.Random(f"{seed} {declaring} coups" if coups else f"{seed} {declaring}")
        self.found: list[tuple[EndingScene, int, str]] = []
        self.kinds: Counter[str] = Counter()
        self.families: Counter[int] = Counter()
        self.like: set[object] = set()
        self.near: dict[str, list[EndingScene]] = {}
        self.tried = self.screened = 0

    def add(self, scene: EndingScene, family: int, kind: str) -> None:
        self.found.append((scene, family, kind))
        self.kinds[kind] += 1
        self.families[family] += 1
        self.like.add(scene.likeness())

    def _candidate(self) -> tuple[EndingScene | None, int]:
        """A change of something found, or of something near to a rare kind, or something new."""
        rng, full = self.rng, {k for k, n in self.kinds.items() if n >= self.share}
        open_ = self._open(full)
        if open_ and rng.random() < (_PLANNED if self.coups else _CHANGED):
            weights = [1 / (self.kinds[f[2]] * self.families[f[1]]) for f in open_]
            scene, family, _ = rng.choices(open_, weights=weights)[0]
            return changed(scene, rng), family
        if self.coups:
            return self._planned(), -1
        near = [k for k in self.near if k not in full]
        if near and rng.random() < 0.35:
            kind = rng.choices(near, weights=[1 / (1 + self.kinds[k]) for k in near])[0]
            return changed(rng.choice(self.near[kind]), rng), -1
        fresh = themed if rng.random() < _THEMED else dealt
        return fresh(rng, self.declaring), -1

    def _open(self, full: set[str]) -> list[tuple[EndingScene, int, str]]:
        """What was found and may be changed: its family is small, its kind not `full`."""
        found = [f for f in self.found if self.families[f[1]] < _FAMILY and f[2] not in full]
        return [f for f in found if f[2] in COUPS] if self.coups else found

    def _room(self, proof: Proof) -> int:
        """How many of its kind are kept."""
        by_the_way = self.coups and proof.technique.name not in COUPS
        return min(_BY_THE_WAY, self.share) if by_the_way else self.share

    def _planned(self) -> EndingScene | None:
        if self.declaring:
            return drawn(self.rng)
        if self.rng.random() < _COUNTED:
            return counting.built(self.rng)
        found = built(self.rng, False, RARER)
        return None if found is None else _scene(found, False, self.rng)

    def run(self, until: float) -> Iterator[FoundScene]:
        while time.process_time() < until:
            scene, family = self._candidate()
            aimed = None if scene is None else self._worth_a_proof(scene, family)
            if aimed is None:
                continue
            self.screened += 1
            proof = proved(aimed)
            if proof is None or self.kinds[proof.technique.name] >= self._room(proof):
                continue
            name = f"{'d' if self.declaring else 'f'}{self.seed}-{len(self.found) + 1}"
            question = questioned(aimed, proof, self.rng, name)
            if question is None:
                continue
            family = family if family >= 0 else len(self.found)
            self.add(aimed, family, proof.technique.name)
            yield FoundScene(msgspec.to_builtins(_plain(aimed)), family, question)

    def _worth_a_proof(self, scene: EndingScene, family: int) -> EndingScene | None:
        """With a past and a number of tricks to win, when a quick look promises something."""
        past: EndingScene | None = None
        if self.coups and self.declaring:
            past = scene  # the voids are part of the plan
        elif scene.is_sound():
            past = any_history(scene, self.rng, _PAST)
        if past is None or not _fair(past):
            return None
        if self.coups and counting.may_count(past.ending()):
            return self._unlike(past)
        found = _aimed(past, self.rng)
        if found is None:
            return None
        aimed, reached = found
        if aimed.likeness() in self.like:
            return None
        self.tried += 1
        if self.declaring and family < 0 and (name := glimpse(aimed, reached)) in PLAYS:
            self.near.setdefault(str(name), []).append(aimed)
            del self.near[str(name)][:-_NEAR]
        return self._unlike(aimed) if screened(aimed, reached) else None

    def _unlike(self, scene: EndingScene) -> EndingScene | None:
        """The scene if there was none like it."""
        like = scene.likeness()
        if like in self.like:
            return None
        self.like.add(like)
        return scene


def _plain(scene: EndingScene) -> dict[str, object]:
    return {f: getattr(scene, f) for f in EndingScene.__slots__}


def scene_of(plain: dict[str, object]) -> EndingScene:
    parts = {k: tuple(v) if isinstance(v, list) else v for k, v in plain.items()}
    return EndingScene(**parts)  # type: ignore[arg-type]


def search(
    side: str, seed: int, minutes: float, out: Path, share: int = _SHARE, coups: bool = False
) -> None:
    """Look for so many CPU minutes, appending to a file what is found."""
    solver().set_threads(1)
    gc.disable()  # millions of tuples and no rings
    hunt = SceneSearch(side == "declarer", seed, share, coups)
    for old in _found(out):
        hunt.add(scene_of(old.scene), old.family, old.question.kind)
    if hunt.found:
        hunt.rng.seed(f"{seed} {side} {len(hunt.found)}")
        write_whole(out, b"".join(msgspec.json.encode(f) + b"\n" for f in _found(out)))
    until = time.process_time() + 60 * minutes
    with out.open("ab") as file:
        for found in hunt.run(until):
            file.write(msgspec.json.encode(found) + b"\n")
            file.flush()
            if len(hunt.found) % 20 == 0:
                kinds = ", ".join(f"{k} {n}" for k, n in hunt.kinds.most_common())
                LOGGER.info("%d of %d/%d: %s", len(hunt.found), hunt.screened, hunt.tried, kinds)


def _found(path: Path) -> list[FoundScene]:
    """What a file holds; a last line that was cut off is left out."""
    if not path.exists():
        return []
    lines = path.read_bytes().split(b"\n")[:-1]
    return [msgspec.json.decode(line, type=FoundScene) for line in lines]


def search_many(
    sides: list[str], seed: int, workers: int, minutes: float, out: Path, share: int, coups: bool
) -> None:
    """Searches side by side, each with its own seed and its own file next to `out`, joined at
    the end. Started again, each goes on where its file ends."""
    jobs = []
    for i in range(workers):
        side = sides[i % len(sides)]
        part = out.with_name(f".{out.name}.{side}.{seed + i}")
        job = spawned(search, side, seed + i, minutes, part, share, coups)
        job.start()
        jobs.append((job, part))
    for job, _ in jobs:
        job.join()
    found = [f for _, part in jobs for f in _found(part)]
    write_whole(out, b"".join(msgspec.json.encode(f) + b"\n" for f in found))


def _anew(question: Question) -> Question | None:
    """Proved and named again from what its seat sees."""
    proof = proved_view(question.view())
    if proof is None:
        return None
    found = proof.technique
    line = " ".join(DECK[c].ascii for c in found.line)
    return msgspec.structs.replace(question, kind=found.name, reason=found.words, line=line)


def _asks_the_same(found: FoundScene) -> bool:
    """Does the seat, from its view alone, think of the layouts that were proved?"""
    scene, view = scene_of(found.scene), found.question.view()
    at = situation(view)
    rows = all_layouts(at, found.question.layouts)
    if rows is None or at.target != scene.need or tuple(at.trick) != scene.trick:
        return False
    return {tuple(map(int, row)) for row in rows} == set(scene.rows())


def _bare(scene: EndingScene) -> object:
    """The likeness of a scene by what its chooser does not see."""
    barred = [0 if s == DUMMY or (s == DECLARER and scene.declaring) else scene.barred[s]
              for s in range(4)]  # fmt: skip
    return replace(scene, barred=_four(barred)).likeness()


def _scene_asked(question: Question) -> EndingScene:
    """One layout of a question, as the search has it."""
    at = situation(question.view())
    rows = all_layouts(at, question.layouts)
    if rows is None:
        raise ValueError(f"{question.id} has more than {question.layouts} layouts")
    return EndingScene(
        _four([int(h) for h in rows[0]]), at.strain, at.leader, tuple(map(int, at.trick)),
        at.barred, at.target, int(at.view.seat),
    )  # fmt: skip


def ship(
    files: list[Path], halves: list[int], out: Path, prove: bool = False, keep: bool = False
) -> None:
    """The questions of some searches as one file: no twins, no rare kinds, no kind too often, and
    of each family the first before the second. With `keep`, what is there stays."""
    like: set[object] = set()
    families: Counter[tuple[str, int]] = Counter()
    kinds: dict[tuple[str, str, int], list[tuple[bool, int, int, Question]]] = {}

    def put(question: Question, rank: int) -> None:
        rows = kinds.setdefault((question.side, question.kind, question.half), [])
        rows.append((not _is_game(question.contract), rank, len(rows), question))

    for old in shipped() if keep else ():
        again = _anew(old) if prove else old
        if again is None:
            LOGGER.warning("%s (%s) has no proof any more", old.id, old.kind)
            continue
        like.add(_bare(_scene_asked(again)))
        put(again, 0)
    for path, half in zip(files, halves, strict=True):
        for found in _found(path):
            same = _bare(scene_of(found.scene))
            if same in like or not _asks_the_same(found):
                continue
            question = _anew(found.question) if prove else found.question
            if question is None:
                continue
            like.add(same)
            family = question.id.split("-")[0], found.family
            families[family] += 1
            put(msgspec.structs.replace(question, half=half), families[family])
    kept = _kept(kinds)
    names = (f"{'d' if q.seat == 'S' else 'f'}{i}" for i, q in enumerate(kept, 1))
    named = [msgspec.structs.replace(q, id=name) for q, name in zip(kept, names, strict=True)]
    text = b"".join(msgspec.json.encode(q) + b"\n" for q in named)
    write_whole(out, lzma.compress(text, preset=9 | lzma.PRESET_EXTREME))
    for (side, kind), n in sorted(Counter((q.side, q.kind) for q in named).items()):
        LOGGER.info("%s, %s: %d", side, kind, n)


def _kept(
    kinds: dict[tuple[str, str, int], list[tuple[bool, int, int, Question]]],
) -> list[Question]:
    """The first questions of every kind that is not rare, in the order of the file."""
    often = Counter[tuple[str, str]]()
    for (side, kind, _), rows in kinds.items():
        often[side, kind] += len(rows)
    kept = [
        row[-1]
        for (side, kind, _), rows in kinds.items()
        if often[side, kind] >= _RARE
        for row in sorted(rows)[:_KEPT]
    ]
    return sorted(kept, key=lambda q: (q.side, q.kind, q.grade, q.half, q.play))


def _is_game(contract: str) -> bool:
    return int(contract[0]) >= _GAME["CDHSN".index(contract[1])]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--side", choices=["declarer", "defender", "both"], default="declarer")
    parser.add_argument("--workers", type=int, default=1, help="searches with seeds one apart")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=_SHARE, help="questions of a kind in a search")
    parser.add_argument("--coups", action="store_true", help="only the rarer techniques")
    parser.add_argument("--minutes", type=float, default=5.0, help="of CPU time")
    parser.add_argument("--out", type=Path, default=Path("technique-found.jsonl"))
    parser.add_argument("--ship", nargs="*", type=Path, help="files of searches to ship")
    parser.add_argument("--halves", nargs="+", type=int, help="1 or 2 for each of those files")
    parser.add_argument("--prove", action="store_true", help="prove and name them again to ship")
    parser.add_argument("--keep", action="store_true", help="what is shipped already stays")
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    if options.ship is not None:
        halves = options.halves or [1] * len(options.ship)
        out = Path(str(files("overtrick.exam").joinpath(FILE)))
        ship(options.ship, halves, out, options.prove, options.keep)
        return
    sides = ["declarer", "declarer", "defender"] if options.side == "both" else [options.side]
    if options.workers > 1:
        search_many(
            sides, options.seed, options.workers, options.minutes, options.out, options.most,
            options.coups,
        )  # fmt: skip
        return
    search(sides[0], options.seed, options.minutes, options.out, options.most, options.coups)


if __name__ == "__main__":
    main()
