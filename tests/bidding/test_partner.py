"""The partner: inside the written system always, the same call for the same view, plain words."""

import re
from collections import Counter

import numpy as np
import pytest

pytest.importorskip("onnxruntime")

from overtrick.bidding import bidder, check_bidder
from overtrick.bidding.honesty import listen
from overtrick.bidding.kernel import AuctionPosition, Passing, RulesCaller, SeatHands
from overtrick.bidding.partner import Partner
from overtrick.bidding.partner.believing import Believing
from overtrick.bidding.partner.merits import makes_up
from overtrick.bidding.rules import context_of, hand_values, reading_of
from overtrick.game import Auction, Board, Call, Hand, OptionError, Systems, View, view_of
from overtrick.game.reasons import Departs, Ends, Lack, MakesUp, Merit
from overtrick.game.wording import why
from overtrick.systems import UnknownSystem
from overtrick.systems.allowed import allowed
from overtrick.systems.card import Character


def views(engine: Partner, boards: int, seed: int) -> list[tuple[View, str]]:
    """Views of both partners against a learned pair, with the call that the partner made."""
    rng, opponents, seen = np.random.default_rng(seed), bidder("policy(net=sl)"), []
    for number in range(1, boards + 1):
        board = Board.random(number, seed=int(rng.integers(1 << 40)))
        auction = Auction(board.dealer)
        while not auction.is_over:
            mine = auction.turn % 2 == 0
            names = ("two-over-one", "sayc") if mine else ("sayc", "two-over-one")
            view = view_of(board, auction, systems=Systems(*names))
            decision = (engine if mine else opponents).bid(view)
            if mine:
                seen.append((view, decision))
            auction = auction.then(decision.call)
    return seen


def test_conforms() -> None:
    check_bidder(bidder("partner(batches=1, system=sayc)"), boards=2)


def test_every_call_is_within_the_system_and_stretches_are_named(times: int) -> None:
    engine = Partner(batches=1, character="free")
    reading = reading_of("two-over-one", "sayc")
    for view, decision in views(engine, 5 * times, seed=5):
        values = hand_values(view.hand.bits)
        ways = allowed(reading, context_of(reading, view), values, Character.FREE)
        chosen = [way for way in ways if way.call == int(decision.call)]
        if ways:
            assert chosen, f"{view.hand} {decision.call} after {view.auction}"
            told = [r for r in decision.reasons if isinstance(r, Departs)]
            assert told == [r for r in (chosen[0].departs,) if r is not None]
            assert bool(told) == any(isinstance(r, MakesUp | Departs) for r in decision.reasons)


def test_departures_are_named_in_a_players_words_that_are_true_of_the_hand(times: int) -> None:
    """Every departure that a system leaves to a free character in these auctions."""
    reading = reading_of("two-over-one", "sayc")
    seen: Counter[str] = Counter()
    for number in range(1, 200 * times // 10 + 1):
        board = Board.random(number, seed=88_000 + number)
        calls: tuple[int, ...] = ()
        while not (ctx := reading.context(calls)).is_over:
            hand = board.deal.hands[(int(board.dealer) + ctx.me) & 3]
            values = hand_values(hand.bits)
            ways = allowed(reading, ctx, values, Character.FREE)
            for way in ways:
                if way.departs is None:
                    continue
                merit = makes_up(hand, way.call, ctx, way.departs)
                assert_true(hand, way.departs, merit)
                seen[merit.id if merit else way.departs.id] += 1
                told = why(r for r in (way.departs, merit) if r is not None)
                assert not re.search(r"stretch|priority|\.bid", told)
            calls = (*calls, ways[0].call if ways else 0)
    assert len(seen) > 6, seen


@pytest.mark.slow
def test_every_departure_at_the_table_has_its_reason() -> None:
    """Of the searching partner, in 200 deals that are bid."""
    departed = 0
    for view, decision in views(Partner(), 200, seed=31):
        told = [r for r in decision.reasons if isinstance(r, Departs)]
        made_up = [r for r in decision.reasons if isinstance(r, MakesUp)]
        own = next((c for c in decision.candidates if c.action == decision.action), None)
        assert bool(told) == bool(own and own.details["departs"])
        for departs in told:
            departed += 1
            assert_true(view.hand, departs, made_up[0] if made_up else None)
    assert departed


def assert_true(hand: Hand, departs: Departs, merit: MakesUp | None) -> None:
    """Does the hand hold what the sentence says?"""
    if departs.lack in (Lack.FEWER_POINTS, Lack.MORE_POINTS):
        assert departs.holds == hand.hcp != departs.agreed
    if departs.suit is not None:
        assert departs.holds == hand.lengths[departs.suit]
    if merit is None:
        assert departs.lack is Lack.NEAREST
        return
    cards = str(hand)
    length = hand.lengths[merit.suit] if merit.suit is not None else 0
    if merit.merit in (Merit.VOID, Merit.SINGLETON, Merit.LONG_SUIT, Merit.TRUMPS):
        assert merit.suit is not None
        assert length == merit.count
    tops = sum(cards.split(".")[3 - merit.suit].count(r) for r in "AKQ") if merit.suit else 0
    assert merit.merit is not Merit.LONG_SUIT or not merit.suit or (tops >= 2 and length >= 5)
    assert merit.merit is not Merit.HONOUR or not merit.suit or tops
    assert merit.merit is not Merit.SPOTS or merit.count == sum(map(cards.count, "T9")) >= 3
    assert merit.merit is not Merit.ACELESS or "A" not in cards
    assert merit.merit is not Merit.FLAT or sorted(hand.lengths) == [3, 3, 3, 4]


def test_reasons_name_no_files_and_no_priorities() -> None:
    for _, decision in views(Partner(batches=1, disclose=1), 4, seed=6):
        assert decision.why
        assert not re.search(r"priority|\.bid|/|@|:\d", decision.why)


def test_what_partner_is_told_is_what_the_bidder_holds(times: int) -> None:
    """Of bids and doubles two in a hundred may lie outside, three depart."""
    found = listen(Partner(batches=1), bidder("points"), 25 * times, seed=7)
    assert found.bids.calls > 40
    assert found.bids.outside <= 0.02 * found.bids.calls, found.worst[0][1].examples[0]
    assert found.bids.departing <= 0.03 * found.bids.calls
    assert not found.bids.cards


def test_characters_and_the_older_word() -> None:
    assert Partner().manner is Character.DISCIPLINED
    assert bidder("partner(stretch=False)") == Partner()
    assert bidder("partner(stretch=True)").name == "partner(character=free)"
    assert bidder("partner(character=usual)").name == "partner(character=usual)"
    with pytest.raises(OptionError, match="wild"):
        bidder("partner(character=wild)")


def test_who_takes_calls_at_their_word_bids_on_by_the_rules() -> None:
    """Hands are weighed by one caller, the auction is bid out by the other."""
    at = AuctionPosition.of(View("S", "QJ2.J6.T8532.865", "1S P", "None"))
    held = SeatHands(np.array([[0, 0, Hand("QJ2.J6.KT853.865").bits, 0]], np.uint64))
    doubting = Passing()
    believing = RulesCaller(reading_of("two-over-one", ""))
    caller = Believing(doubting, believing)
    assert caller.chances(at, held.deals[:, 2])[0, 0] == 1
    (split,) = caller.choose([(at, held.every)], held)
    assert split == believing.choose([(at, held.every)], held)[0]
    assert list(split) == [int(Call("2S"))]


def test_search_explains_where_the_auction_goes() -> None:
    view = View("S", "QJ2.J6.KT853.865", "1S P", "None", systems=Systems("two-over-one", "sayc"))
    found = Partner(disclose=1, sure=1.0, p_min=0.0, batches=1).bid(view)
    assert any(isinstance(r, Ends) for r in found.reasons)
    assert found.worlds > 0
    assert len(found.candidates) > 1


def test_wrong_options_are_told() -> None:
    with pytest.raises(OptionError):
        Partner(k=0)
    with pytest.raises(UnknownSystem):
        bidder("partner(system=goren)")


@pytest.mark.parametrize("net", ["hello", "junk.bin", "tricks"])
def test_a_network_that_is_none_is_refused_as_everywhere(net: str) -> None:
    for engine in ("policy", "partner"):
        with pytest.raises(OptionError, match=r"no network|not policy"):
            bidder(f"{engine}(net={net})")


def test_the_character_is_that_of_the_card_unless_another_is_asked_for() -> None:
    usual = Partner(system="sayc character=usual")
    assert (usual.manner, usual.system) == (Character.USUAL, "sayc")
    assert bidder(usual.name) == usual
    kept = Partner(system="sayc character=free", character="disciplined")
    assert (kept.manner, kept.name) == (Character.DISCIPLINED, "partner(system=sayc)")
