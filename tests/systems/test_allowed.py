"""The calls a system leaves to a hand: the rules' own first, makeshifts and lies never."""

import numpy as np
import pytest

from overtrick.game import CALLS, Board, Call, Hand, Suit
from overtrick.game.meaning import SpeechAct
from overtrick.game.reasons import Departs, Lack
from overtrick.systems import Reading, load
from overtrick.systems.allowed import Allowed, Tolerance, allowed, departure, nearest
from overtrick.systems.card import Character
from overtrick.systems.shows import HandValues, holds


@pytest.fixture(scope="module")
def reading() -> Reading:
    return Reading(load("two-over-one"))


FREE, DISCIPLINED = Character.FREE, Character.DISCIPLINED


def ways(
    reading: Reading, hand: str, auction: str, character: Character | None = FREE
) -> dict[str, Allowed]:
    calls = tuple(int(Call.parse(word)) for word in auction.split())
    ctx = reading.context(calls)
    found = allowed(reading, ctx, HandValues(Hand.parse(hand).bits), character)
    return {_name(way.call): way for way in found}


def _name(call: int) -> str:
    return CALLS[call].ascii


def test_the_rules_own_choice_comes_first_and_every_meaning_is_satisfied(reading: Reading) -> None:
    rng = np.random.default_rng(3)
    for number in range(60):
        board = Board.random(number % 16 + 1, seed=int(rng.integers(1 << 40)))
        calls: tuple[int, ...] = ()
        while not (ctx := reading.context(calls)).is_over:
            values = HandValues(board.deal.hands[(int(board.dealer) + ctx.me) & 3].bits)
            found = allowed(reading, ctx, values)
            rule = reading.choose(ctx, values)
            if found:
                assert rule is not None
                assert found[0].call == rule.call
            assert all(holds(way.option.items, values) for way in found)
            assert len({way.call for way in found}) == len(found)
            calls = (*calls, found[0].call if found else 0)


def test_stretches_are_natural_and_named(reading: Reading) -> None:
    rng = np.random.default_rng(4)
    seen = 0
    for number in range(60):
        board = Board.random(number % 16 + 1, seed=int(rng.integers(1 << 40)))
        calls: tuple[int, ...] = ()
        while not (ctx := reading.context(calls)).is_over:
            values = HandValues(board.deal.hands[(int(board.dealer) + ctx.me) & 3].bits)
            found = allowed(reading, ctx, values, FREE)
            plain = {way.call for way in allowed(reading, ctx, values)}
            for way in found:
                assert (way.departs is None) == holds(way.option.items, values)
                if way.call not in plain:
                    seen += 1
                    assert way.departs
                    assert way.call != 0
                    assert not way.option.rule.artificial
                    assert way.option.rule.act not in (SpeechAct.ANSWERING, SpeechAct.ASKING)
            calls = (*calls, found[0].call if found else 0)
    assert seen > 100


def test_a_raise_may_be_a_card_short_and_an_opening_may_not(reading: Reading) -> None:
    assert "2S" not in ways(reading, "KQJ98.742.T5.J63", "", FREE)
    assert "1S" not in ways(reading, "KQJ9.A74.AT5.J63", "", FREE)
    two = ways(reading, "85.KJ74.AT52.T63", "1S P", FREE)
    assert two["2S"].departs == Departs(Lack.SHORTER, 2, 3, Suit.SPADES)


@pytest.mark.parametrize(
    ("auction", "hand", "call"),
    [
        ("1H", "AT9.AT54.543.KQ7", "1NT"),  # 13 points
        ("", "632.T4.KT743.842", "2D"),
        ("1D P 1S P", "6.AQT5.AT642.A97", "2H"),  # a reverse on 14
        ("1D", "K874.85.QT.AJT62", "1S"),  # an overcall on four cards
        ("1C P", "KT542.T53.52.873", "1S"),  # a response on three points
        ("1D X", "QJ4.AT5.J82.8752", "1H"),  # on three cards
        ("1C P 1H P", "KJ2.A.AQ62.Q9432", "1S"),
        ("2D", "K976.9.AT6.AKQT4", "2S"),
        ("1H P", "AK7.AT5.KJ853.Q4", "2C"),  # on a doubleton
        ("", "AQ2.Q73.AK42.K73", "1NT"),  # 18 points
        ("", "KJ4.Q73.A852.J64", "1D"),
        ("1C P 1H P 1S P 2D P", "AK53.2.J72.AKQ94", "6NT"),
    ],
)
def test_what_partner_counts_on_is_never_bent(
    reading: Reading, auction: str, hand: str, call: str
) -> None:
    assert call not in ways(reading, hand, auction, DISCIPLINED)


def test_a_question_is_answered_and_a_long_suit_is_not_hidden(reading: Reading) -> None:
    assert "4H" not in ways(reading, "84.AQJ973.K52.63", "2H P 2NT P", FREE)
    for hand in ("84.KJ7.AQ652.AJ3", "84.AQJ75.KJ6.A92", "Q7.A84.AQJ63.K52"):
        assert "2C" not in ways(reading, hand, "1S P", DISCIPLINED)


def test_who_is_disciplined_departs_by_a_point_in_limit_bids_alone(reading: Reading) -> None:
    """And whoever is usual in a few calls more, whoever is free in many."""
    rng = np.random.default_rng(9)
    seen = dict.fromkeys(Character, 0)
    for number in range(80):
        board = Board.random(number % 16 + 1, seed=int(rng.integers(1 << 40)))
        calls: tuple[int, ...] = ()
        while not (ctx := reading.context(calls)).is_over:
            values = HandValues(board.deal.hands[(int(board.dealer) + ctx.me) & 3].bits)
            plain = {way.call for way in allowed(reading, ctx, values)}
            for character in Character:
                more = [w for w in allowed(reading, ctx, values, character) if w.departs]
                seen[character] += len(more) if plain else 0
                for way in more if plain and character is not FREE else ():
                    assert way.departs is not None
                    assert abs(way.departs.holds - way.departs.agreed) == 1
                    assert way.departs.suit is None
                for way in more if plain and character is DISCIPLINED else ():
                    if "keycard-ask" in way.option.rule.tags:
                        continue
                    assert ctx.bids[ctx.partner]
                    assert 3 <= way.call < 23
                    assert ctx.me != ctx.opener
            found = allowed(reading, ctx, values)
            calls = (*calls, found[0].call if found else 0)
    assert 0 < seen[DISCIPLINED] < seen[Character.USUAL] < seen[FREE]


def test_the_nearest_meaning_and_not_the_first(reading: Reading) -> None:
    """Opener has 18 for a notrump of 15-17: three notrump, maximum, and no fourth spade."""
    calls = tuple(int(Call.parse(word)) for word in ["1NT", "P", "2C", "P", "2H", "P", "2NT", "P"])
    found = nearest(reading, reading.context(calls), HandValues(Hand("K53.AQT6.KQ.A763").bits))
    assert found is not None
    assert _name(found.call) == "3NT"


def test_partners_takeout_double_is_not_passed_for_want_of_a_better_bid(reading: Reading) -> None:
    assert "P" not in ways(reading, "J742.85.T9642.73", "1H X P", FREE)


def test_what_is_lacking_is_one_thing_by_a_little(reading: Reading) -> None:
    ctx = reading.context(())
    slack = Tolerance(2, short=8)
    two = next(o for o in reading.options(ctx) if _name(o.call) == "2S")
    assert departure(two.items, HandValues(Hand.parse("KQJ982.742.T5.J6").bits), slack) is None
    assert departure(two.items, HandValues(Hand.parse("KQJ9.7432.T5.J63").bits), slack) is None


def test_after_a_light_opening_the_nearest_call_is_found(reading: Reading) -> None:
    found = ways(reading, "AQJ754.7.Q9843.4", "1S P 1NT P")
    assert list(found) == ["2S"]
    (out,) = ways(reading, "874.KT952.T852.2", "P P 1C P 1H P 2C P", None)
    assert out == "Pass"


@pytest.mark.parametrize(
    ("auction", "hand"),
    [
        ("1C 1H P 1S X P", "QT4.JT743.843.83"),
        ("1D P 1H X P", "T.74.J987654.A53"),
        ("1C P 1D X P", "T53.QJ7.95.Q9854"),
        ("P P 1C 2D P 2H X P", "J75.Q42.QT865.74"),
        ("1D P 2C X P", "93.932.76432.972"),
    ],
)
def test_a_weak_hand_without_trumps_answers_a_takeout_double(
    reading: Reading, auction: str, hand: str
) -> None:
    found = ways(reading, hand, auction, FREE)
    assert found
    assert "P" not in found


def test_the_first_word_to_partner_denies_by_passing(reading: Reading) -> None:
    """Three spades and six points raise; with five points a pass is the rules' own call."""
    assert list(ways(reading, "K84.Q973.J652.93", "1C 1S P", DISCIPLINED)) == ["2S"]
    assert "Pass" in ways(reading, "K84.Q93.J652.T93", "1C 1S P", DISCIPLINED)


def test_an_ask_for_key_cards_may_be_a_point_short(reading: Reading) -> None:
    """Who asks decides, so partner builds on nothing; no other artificial call departs."""
    found = ways(reading, "AQJT8.KT763.A8.5", "1C P 1S P 2S P", DISCIPLINED)
    lacks = found["4NT"].departs
    assert lacks is not None
    assert lacks.agreed - lacks.holds == 1
    assert "4NT" not in ways(reading, "AQJT8.KT763.A8.5", "1C P 1S P 2S P", None)
