"""The technique exam: its file, its proofs, its history, and the marks of a player."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import msgspec
import pytest
from click.testing import CliRunner

from overtrick.cardplay import player
from overtrick.cli import main
from overtrick.exam.questions import NoQuestion, ask, read, shipped
from overtrick.exam.report import Mark, report
from overtrick.game import Card, Hand, Play, Seat
from overtrick.game.cards import SUIT_BITS
from overtrick_lab.exam.coups import PLANS, drawn
from overtrick_lab.exam.history import any_history, history
from overtrick_lab.exam.making import dealt, themed
from overtrick_lab.exam.proof import proved, proved_view
from overtrick_lab.exam.scene import EndingScene


def test_every_question_can_be_asked() -> None:
    questions = shipped()
    assert len({q.id for q in questions}) == len(questions)
    assert {q.half for q in questions} == {1, 2}
    for q in questions:
        legal = {c.ascii for c in q.view().legal_cards().cards()}
        assert legal > set(q.answers)
        assert q.chance - q.next > 0.039
        assert q.reason


def _reproved(ids: set[str]) -> None:
    for q in shipped():
        if q.id in ids:
            proof = proved_view(q.view())
            assert proof is not None, q.id
            assert proof.technique.name == q.kind, q.id
            assert round(proof.chance, 3) == q.chance, q.id
            assert round(proof.next_best, 3) == q.next, q.id


def test_some_proofs_again() -> None:
    """The shortest question of each side's first kinds: quick ones."""
    seen: Counter[str] = Counter()
    ids = set()
    for q in sorted(shipped(), key=lambda q: (-len(q.play), q.layouts, q.id)):
        if not seen[q.kind] and sum(seen.values()) < 8:
            seen[q.kind] += 1
            ids.add(q.id)
    _reproved(ids)


@pytest.mark.slow
def test_every_proof_again() -> None:
    _reproved({q.id for q in shipped()})


@pytest.mark.parametrize("declaring", [True, False])
def test_history_shows_the_voids_of_the_scene_and_no_others(declaring: bool) -> None:
    rng = random.Random(4)
    checked = 0
    while checked < 5:
        scene = dealt(rng, declaring)
        if scene is None or not scene.is_sound():
            continue
        cards = history(scene, rng)
        if cards is None:
            continue
        play = Play("CDHSN"[scene.strain].replace("N", "NT"), "W", cards)
        assert play.turn == scene.leader
        shown = [0, 0, 0, 0]
        for trick in play.tricks():
            for i, card in enumerate(trick.cards):
                if card.suit != trick.cards[0].suit:
                    shown[(trick.leader + i) & 3] |= SUIT_BITS << 13 * trick.cards[0].suit
        watched = (1, 3) if declaring else (1, 2, 3)
        assert all(shown[s] == scene.barred[s] for s in watched)
        checked += 1


@pytest.mark.parametrize("declaring", [True, False])
def test_some_past_shows_only_what_a_hand_is_out_of(declaring: bool) -> None:
    rng = random.Random(7)
    checked = 0
    while checked < 5:
        scene = themed(rng, declaring)
        if scene is None:
            continue
        found = any_history(scene, rng)
        if found is None:
            continue
        assert found.is_sound()
        assert replace(found, barred=scene.barred) == scene
        checked += 1


NT = 4
PLANNED = [  # hands, strain, who leads, suits East and West are out of, tricks, the line
    # A lone heart over West, a tenace over him: the squeeze or the finesse?
    ("AQ..2. K...98 3.J.A. JT.Q..", NT, "S", "H", "C", 3, "DA", "show-up squeeze"),
    ("2.AQ.A. 3...653 A.3.Q3. .K5.KJ.", NT, "N", "D", "", 4, "DA", "Vienna coup"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("hands", "strain", "leader", "east", "west", "need", "card", "name"), PLANNED
)
def test_rarer_lines_are_proved_and_named(
    hands: str, strain: int, leader: str, east: str, west: str, need: int, card: str, name: str
) -> None:
    north, right, south, left = (Hand.parse(h).bits for h in hands.split())
    out = [sum(SUIT_BITS << 13 * "CDHS".index(s) for s in suits) for suits in (east, west)]
    scene = EndingScene(
        (north, right, south, left), strain, int(Seat.parse(leader)), (), (0, out[0], 0, out[1]),
        need, int(Seat.SOUTH),
    )  # fmt: skip
    proof = proved(scene)
    assert proof is not None
    assert proof.card == Card.parse(card)
    assert proof.technique.name == name


@pytest.mark.parametrize(("hands", "led", "need", "card", "word"), [
    ("KQJ... A3..A. .K.K. 54.A..", "S8", 2, "S5", "even"),
    (".KQ.5. A.A.K. .4.A. .965..", "H3", 1, "H5", "odd"),
])  # fmt: skip
def test_count_tells_partner_when_to_win(
    hands: str, led: str, need: int, card: str, word: str
) -> None:
    north, east, south, west = (Hand.parse(h).bits for h in hands.split())
    trick = (int(Card.parse(led)),)
    scene = EndingScene(
        (north, east, south, west), NT, 2, trick, (0, 0, 0, 0), need, int(Seat.WEST)
    )
    proof = proved(scene)
    assert proof is not None
    assert proof.card == Card.parse(card)
    assert len(set(proof.averaged.values())) == 1
    assert proof.technique.name == "count for partner"
    assert word in proof.technique.words


@pytest.mark.parametrize("name", PLANS)
def test_plans_make_sound_endings(name: str) -> None:
    rng = random.Random(3)
    scenes = [s for s in (drawn(rng, name) for _ in range(60)) if s is not None]
    assert scenes
    assert all(s.is_sound() and s.declaring for s in scenes)


def test_lines_that_are_no_questions() -> None:
    good = msgspec.json.encode(shipped()[0])
    assert len(read([good, b"", good])) == 2
    with pytest.raises(NoQuestion, match="line 1"):
        read([b'{"id": "x"}'])
    with pytest.raises(NoQuestion, match="cannot be played"):
        read([msgspec.json.encode(msgspec.structs.replace(shipped()[0], answers=("XX",)))])


def test_marks() -> None:
    answers = [ask(player("highest"), q) for q in shipped()[:6]]
    found = report("highest", answers)
    assert sum(m["all"].asked for m in found.marks().values()) == 6
    assert str(Mark(3, 4)).startswith("3 of 4 (75.0")


def test_the_verb() -> None:
    kind = shipped()[0].kind
    options = ["technique", "--engine", "highest", "--set", kind, "--json"]
    result = CliRunner().invoke(main, ["challenge", *options])
    assert result.exit_code == 0, result.output
    found = msgspec.json.decode(result.output)
    assert all(q["kind"] == kind for q in found["questions"])
    assert CliRunner().invoke(main, ["challenge", "technique", "--set", "nonsense"]).exit_code == 2
