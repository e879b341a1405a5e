"""The model of defenders: chances that add up, sense in what they say, and the fit."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.cardplay_fit import Choices, fit
from overtrick.cardplay import player
from overtrick.cardplay.carding import agreement
from overtrick.cardplay.evidence.defenders import DEFENDERS, KINDS, choice_likelihood
from overtrick.cardplay.evidence.scenes import Scene, scenes
from overtrick.cardplay.signals import signal
from overtrick.cardplay.situation import situation
from overtrick.game import Board, Card, Deal, Hand, OptionError, Play, Seat, Strain, view_of
from overtrick.game.reasons import Says, Signal
from tests.cardplay.helpers import contract_auction, random_ending


def test_chances_of_all_legal_cards_add_up_to_one() -> None:
    board, play = random_ending(4, Strain.SPADES, 12)
    auction = contract_auction(3, Strain.SPADES)
    gone, seen = 0, 0
    listed = {s.index: s for s in scenes(auction, play, board.deal[Seat.NORTH].bits, (1, 3))}
    for index, card in enumerate(play.cards):
        scene = listed.get(index)
        if scene is not None:
            before = Play(play.strain, play.opening_leader, play.cards[:index])
            hand = board.deal[scene.seat]
            total = 0.0
            for other in before.legal_cards(hand):
                one = replace(scene, card=other)
                bits = np.array([hand.bits & ~gone], np.uint64)
                total += math.exp(float(choice_likelihood(one, bits)[0]))
            assert total == pytest.approx(1, abs=1e-4)
            seen += 1
        gone |= 1 << card
    assert seen == 18


def test_a_player_who_could_follow_did_not_discard() -> None:
    board, play = random_ending(3, Strain.NT, 5)
    auction = contract_auction(3, Strain.NT)
    for scene in scenes(auction, play, board.deal[Seat.NORTH].bits, (1, 3)):
        if scene.led is not None and scene.card.suit != scene.led:
            with_suit = Hand.of([scene.card, 13 * scene.led + 5]).bits
            assert choice_likelihood(scene, np.array([with_suit], np.uint64))[0] < -20
            return
    pytest.skip("nobody discarded")


def test_fourth_hand_wins_when_it_can() -> None:
    """Who follows low in fourth seat under a jack hardly has the queen."""
    auction = contract_auction(3, Strain.NT)
    cards = [Card.parse(c) for c in ("S2", "S3", "SJ", "S4")]
    play = Play(Strain.NT, Seat.WEST, ()).then(cards[0])
    for card in cards[1:]:
        play = play.then(card)
    # West led low, North ♠3, East ♠J, South ♠4: now South leads and West plays last to it.
    more = [Card.parse(c) for c in ("D5", "D6", "DJ", "D2")]
    for card in more:
        play = play.then(card)
    dummy = Hand.parse("Q93.AQ2.A963.AKQ").bits
    last = list(scenes(auction, play, dummy, (1, 3)))[-1]
    assert last.index == 6 + (last.seat == 3) or last.index > 3
    has = Hand.parse("KT7.876.QT2.9876").bits | 1 << last.card
    has_not = Hand.parse("KT7.876.T82.9876").bits | 1 << last.card
    logs = choice_likelihood(last, np.array([has, has_not], np.uint64))
    assert logs[1] > logs[0] - 0.2


def test_the_packaged_weights_cover_every_kind() -> None:
    assert set(DEFENDERS.weights) == set(KINDS)


def test_the_fit_finds_the_weights_it_was_made_with() -> None:
    rng = np.random.default_rng(0)
    truth = np.array([1.5, -1.0])
    choices = Choices(names=["a", "b"])
    for _ in range(3000):
        rows = rng.normal(size=(4, 2))
        p = np.exp(rows @ truth)
        choices.rows.append(rows)
        choices.played.append(int(rng.choice(4, p=p / p.sum())))
    found = fit(choices)
    assert found.weights["a"] == pytest.approx(1.5, abs=0.15)
    assert found.weights["b"] == pytest.approx(-1.0, abs=0.15)
    assert found.log_likelihood > found.uniform


def test_chances_of_a_coming_choice_add_up_and_slips_only_help() -> None:
    from overtrick.cardplay.knowledge import evidence, sample_worlds
    from overtrick.cardplay.pimc import evaluate
    from overtrick.cardplay.situation import situation
    from overtrick.cardplay.slips import chance_with_slips, with_slips
    from overtrick.cardplay.values import goal_is_open
    from overtrick.game import view_of

    seen = 0
    for seed in range(40):
        board, play = random_ending(7, seed % 5, seed)
        view = view_of(board, contract_auction(3, seed % 5), play)
        at = situation(view)
        if not at.declaring or not goal_is_open(at) or len(at.groups()) < 2:
            continue
        worlds = sample_worlds(at, 15, np.random.default_rng(seed), evidence("cards"))
        found, _ = evaluate(at, worlds, "imps")
        for worth in found:
            chance = chance_with_slips(at, worlds, worth.card)
            if chance is not None:
                assert worth.chance - 1e-9 <= chance <= 1 + 1e-9
                seen += 1
        changed = with_slips(at, worlds, found, 0.5)
        assert {w.card for w in changed} == {w.card for w in found}
        if seen > 30:
            return


def declarers_spade(card: str) -> Scene:
    """South led ♠A against our notrump, and West followed with this card."""
    play = Play(Strain.NT, Seat.SOUTH)
    for text in ("SA", card):
        play = play.then(Card.parse(text))
    dummy = Hand.parse("KQ3.432.5432.A32").bits
    found = scenes(contract_auction(3, Strain.NT), play, dummy, (int(Seat.WEST),))
    return replace(list(found)[-1], index=4)


@pytest.mark.parametrize(
    ("signals", "card", "even"),
    [("standard", "S9", True), ("standard", "S2", False),
     ("upside-down", "S9", False), ("upside-down", "S2", True)],
)  # fmt: skip
def test_signals_are_read_as_agreed(signals: str, card: str, even: bool) -> None:
    """Which of four and three cards a spot comes from depends on what the pair plays."""
    four, three = (Hand.parse(f"{h}.AK5.KQ7.J75").bits for h in ("9762", "972"))
    scene = declarers_spade(card)
    hands = np.array([four, three], np.uint64)
    told, silent = (choice_likelihood(scene, hands, agreement(s)) for s in (signals, "silent"))
    shift = (told - silent)[0] - (told - silent)[1]  # beyond what the cards say without signals
    assert (shift > 0) == even


def test_a_first_discard_may_tell_by_its_parity() -> None:
    """Odd from a suit with an honour, even from one without; read in the same way."""
    deal = Deal.parse("N:432.AK2.KQ32.A32 A5.QJT9.T98.J876 KQJT9.65.AJ7.KQ4 876.8743.654.T95")
    board, auction = Board.numbered(1, deal), contract_auction(3, Strain.SPADES)
    play = Play(Strain.SPADES, Seat.WEST)
    for card in ("S6", "S2", "SA", "S9", "S5", "SK", "S7", "S3", "SQ", "S8", "S4"):
        play = play.then(Card.parse(card), board.deal[play.turn])
    at = situation(view_of(board, auction, play))
    clubs = [c for c in at.cards() if c.suit == 0 and c.rank < 9]
    odd = signal(at, clubs, agreement("odd-even"))
    assert (odd[0].ascii, odd[1]) == ("C6", Signal(Says.DISCOURAGING_EVEN))
    thrown = play.then(Card.parse("C7"))
    scene = list(scenes(auction, thrown, deal[Seat.NORTH].bits, (int(Seat.EAST),)))[-1]
    hands = np.array([Hand.parse(f".QJT9.T98.{c}").bits for c in ("K876", "J876")], np.uint64)
    told, usual = (choice_likelihood(scene, hands, agreement(s)) for s in ("odd-even", "standard"))
    assert told[0] - told[1] > usual[0] - usual[1]


@pytest.mark.parametrize(
    ("signals", "card", "likes"),
    [("standard", "C8", True), ("standard", "C6", False),
     ("upside-down", "C8", False), ("upside-down", "C6", True)],
)  # fmt: skip
def test_a_discard_tells_by_its_height(signals: str, card: str, likes: bool) -> None:
    """A high club from a suit with the king, a low one from a suit with the jack."""
    auction = contract_auction(3, Strain.SPADES)
    play = Play(Strain.SPADES, Seat.SOUTH)
    for text in ("SQ", "S8", "S4", card):
        play = play.then(Card.parse(text))
    dummy = Hand.parse("432.AK2.KQ32.A32").bits
    scene = list(scenes(auction, play, dummy, (int(Seat.EAST),)))[-1]
    scene = replace(scene, index=11)
    hands = np.array([Hand.parse(f".QJT9.T98.{c}").bits for c in ("K876", "J876")], np.uint64)
    told, silent = (choice_likelihood(scene, hands, agreement(s)) for s in (signals, "silent"))
    assert ((told - silent)[0] > (told - silent)[1]) == likes


@pytest.mark.parametrize(("card", "higher"), [("C9", True), ("C4", False)])
def test_a_card_to_ruff_asks_for_a_suit(card: str, higher: bool) -> None:
    """West leads clubs for East to ruff, hearts trumps: high with ♠A, low with ♦A."""
    auction = contract_auction(4, Strain.HEARTS)
    play = Play(Strain.HEARTS, Seat.WEST)
    for text in ("CA", "C2", "C6", "CT", card):
        play = play.then(Card.parse(text))
    dummy = Hand.parse("K32.KJ42.KQ2.K32").bits
    scene = replace(list(scenes(auction, play, dummy, (int(Seat.WEST),)))[-1], partner_void=1)
    hands = np.array(
        [Hand.parse(h).bits for h in ("A65.63.43.98754", "654.63.A3.98754")], np.uint64
    )
    told, silent = (choice_likelihood(scene, hands, agreement(s)) for s in ("standard", "silent"))
    assert ((told - silent)[0] > (told - silent)[1]) == higher


def test_signals_have_names() -> None:
    assert player("pimc(signals=False)").name == "pimc(worlds=100, signals=silent)"
    with pytest.raises(OptionError, match="upside-down"):
        player("alphamu(signals=loud)")


def test_an_answer_does_not_depend_on_what_else_was_asked() -> None:
    """Answers are kept for later decisions: alone, with others or again they are the same."""
    board, play = random_ending(6, Strain.HEARTS, 5)
    auction, rng = contract_auction(3, Strain.HEARTS), np.random.default_rng(3)
    dummy = board.deal[Seat.NORTH].bits
    for scene in scenes(auction, play, dummy, (1, 3)):
        theirs = scene.alive & ~dummy & ~(1 << scene.card)
        pool = [c for c in range(52) if theirs >> c & 1]
        hands = np.array(
            [Hand.of([*rng.choice(pool, 6, replace=False), scene.card]).bits for _ in range(40)],
            np.uint64,
        )
        carding = agreement("upside-down" if scene.index % 2 else "odd-even")
        part = choice_likelihood(scene, hands[::3], carding)
        every = choice_likelihood(scene, hands, carding)
        assert (choice_likelihood(scene, hands, carding) == every).all()
        if scene.led is not None and scene.card.suit == scene.led:
            assert (every[::3] == part).all()
        else:
            assert every[::3] == pytest.approx(part, abs=1e-6)


def test_trumps_are_echoed_and_read_if_agreed() -> None:
    """High from three trumps, low from two, the reverse of count; if not agreed always low."""
    deal = Deal.parse("N:432.AK2.KQ32.A32 A5.QJT9.T98.J876 KQJT9.65.AJ7.KQ4 876.8743.654.T95")
    board, auction = Board.numbered(1, deal), contract_auction(4, Strain.SPADES)
    play = Play(Strain.SPADES, Seat.WEST)
    for card in ("H3", "HA", "H9", "H5", "S2", "S5", "SK"):
        play = play.then(Card.parse(card), board.deal[play.turn])
    at = situation(view_of(board, auction, play))
    trumps = [c for c in at.cards() if c.suit == 3]
    assert signal(at, trumps, agreement("echo")) == (Card.parse("S8"), Signal(Says.TRUMPS_ODD))
    assert signal(at, trumps) == (Card.parse("S6"), None)
    for card, odd in (("S8", True), ("S6", False)):
        scene = list(scenes(auction, play.then(Card.parse(card)), deal[0].bits, (3,)))[-1]
        hands = np.array([Hand.parse(f"{h}.874.654.T95").bits for h in ("876", "86")], np.uint64)
        told, silent = (choice_likelihood(scene, hands, agreement(s)) for s in ("echo", "silent"))
        assert ((told - silent)[0] > (told - silent)[1]) == odd


def test_either_of_two_honours_falls_under_declarers_ace() -> None:
    """West has ♦QJ alone: who sees one of them fall learns nothing of the other."""
    deal = Deal.parse("N:432.AK2.5432.A32 AJT5.QJ93.T8.J65 KQ9.65.AK976.KQ7 876.T874.QJ.T984")
    board, play = Board.numbered(1, deal), Play(Strain.NT, Seat.WEST)
    for card in ("C4", "CA", "C5", "C7", "D2", "DT", "DA"):
        play = play.then(Card.parse(card), board.deal[play.turn])
    view = view_of(board, contract_auction(3, Strain.NT), play)
    decisions = [player("pimc").play(replace(view, table_seed=seed)) for seed in range(8)]
    assert {d.card.ascii for d in decisions} == {"DQ", "DJ"}
    assert all(Signal(Says.NOTHING) in d.reasons for d in decisions)
