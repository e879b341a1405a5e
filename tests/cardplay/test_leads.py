"""Opening leads: rules, worlds dealt hand by hand, what the network sees, the choice itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.cardplay_lead_rules import longest_lead, textbook_lead
from overtrick.bidding import bid_board, bidder
from overtrick.cardplay import player
from overtrick.cardplay.carding import STANDARD
from overtrick.cardplay.evidence.ranges import Hands13, auction_likelihood
from overtrick.cardplay.evidence.rules import agreed_likelihood, book_of
from overtrick.cardplay.knowledge import KINDS
from overtrick.cardplay.lead import Budget, choose_lead, judge, lead_worlds
from overtrick.cardplay.leadfacts import WIDTH, Problems, candidates, facts_of, inputs, mean_facts
from overtrick.cardplay.leadnet import leads_in, leads_on_average, shipped
from overtrick.cardplay.leadrules import rule_lead
from overtrick.cardplay.sampling import deal_layouts
from overtrick.cardplay.situation import situation
from overtrick.cardplay.staged import staged_layouts
from overtrick.engines.clock import counted_by
from overtrick.game import (
    Auction,
    Board,
    Card,
    Deal,
    Hand,
    OptionError,
    Play,
    Seat,
    Systems,
    View,
    view_of,
)
from overtrick.game.cards import ALL_CARDS
from overtrick.game.reasons import Fate, LeadKind, LedFrom, Remark
from tests.cardplay.helpers import ByHand

SAYC = Systems("sayc", "sayc")


def led_against(auction: str, hand: str, dealer: Seat = Seat.SOUTH) -> View:
    """West's view with this hand, others' cards as they come."""
    calls = Auction.parse(auction, dealer)
    assert calls.contract is not None
    assert calls.contract.declarer == Seat.SOUTH
    west = Hand.parse(hand)
    left = [c for c in range(52) if not west.bits >> c & 1]
    others = [Hand(sum(1 << c for c in left[i::3])) for i in range(3)]
    deal = Deal((others[0], others[1], others[2], west))
    return view_of(Board.numbered(3, deal), calls, Play.of(calls.contract), systems=SAYC)


@pytest.mark.parametrize(
    ("auction", "hand", "textbook", "longest"),
    [
        ("1NT Pass 3NT Pass Pass Pass", "KJ852.Q4.983.T62", "S5", "S5"),
        ("1NT Pass 3NT Pass Pass Pass", "QJT2.84.K87532.6", "SQ", "D5"),
        ("1S Pass 2S Pass 4S Pass Pass Pass", "42.KQ5.J98643.T7", "HK", "D6"),
        ("1S Pass 2S Pass 4S Pass Pass Pass", "642.9.Q98643.KT7", "H9", "D6"),
        ("1S Pass 2S 3C 4S Pass Pass Pass", "64.KQ85.98632.T7", "CT", "CT"),
    ],
)
def test_rules_lead_as_they_say(auction: str, hand: str, textbook: str, longest: str) -> None:
    view = led_against(auction, hand)
    assert textbook_lead(view).ascii == textbook
    assert longest_lead(view).ascii == longest
    assert rule_lead(view) in view.hand


def test_partners_suit_comes_first() -> None:
    view = led_against("1C 1D 1H Pass 2H Pass 4H Pass Pass Pass", "64.985.T2.KQJ762", Seat.NORTH)
    for lead in (textbook_lead, longest_lead, rule_lead):
        assert lead(view).ascii == "DT"


def table_view(seed: int, name: str = "rules") -> tuple[Board, View] | None:
    board = Board.random(seed % 16 + 1, seed=seed)
    engine = bidder(name)
    auction, decisions = bid_board(board, [engine] * 4)
    if auction.contract is None:
        return None
    told = tuple(d.meaning for d in decisions)
    systems = Systems(engine.system, engine.system)
    return board, view_of(board, auction, Play.of(auction.contract), meanings=told, systems=systems)


def test_the_declared_system_explains_every_call_of_its_users() -> None:
    seen = 0
    for seed in range(12):
        found = table_view(seed)
        if found is None:
            continue
        board, view = found
        for seat in Seat:
            own = np.array([board.deal[seat].bits], np.uint64)
            assert agreed_likelihood(view, seat, own)[0] == 0.0
            seen += 1
    assert seen >= 32


def test_unknown_systems_are_read_by_what_they_disclose() -> None:
    found = table_view(3, "points")
    assert found is not None
    board, view = found
    assert not any(book_of(view, seat) for seat in Seat)
    bits = np.array([h.bits for h in board.deal.hands], np.uint64)
    same = auction_likelihood(view, Seat.NORTH, bits)
    assert (agreed_likelihood(view, Seat.NORTH, bits) == same).all()


def test_staged_layouts_follow_the_likelihood() -> None:
    """Seats weighed by points: what comes out has the law of weighted uniform deals."""
    view = led_against("1NT Pass 3NT Pass Pass Pass", "KJ852.Q4.983.T62")
    at = situation(view)

    def likely(seat: Seat, bits: np.ndarray) -> np.ndarray:
        hcp = Hands13(bits).hcp
        wanted = 16 if seat == Seat.SOUTH else 9 if seat == Seat.NORTH else 8
        return -0.5 * (hcp - wanted) ** 2.0

    found = staged_layouts(at, (ByHand(likely),), 1e9, np.random.default_rng(1))
    hands, weights = found.deals, found.shares
    assert (np.bitwise_or.reduce(hands, axis=1) == ALL_CARDS).all()
    assert (np.bitwise_count(hands) == 13).all()
    rng = np.random.default_rng(2)
    plain = deal_layouts(at, 200_000, rng)
    even = np.exp(sum(likely(Seat(s), plain[:, s]) for s in at.hidden))
    even /= even.sum()
    for seat in at.hidden:
        mean = float(weights @ Hands13(hands[:, seat]).hcp)
        true = float(even @ Hands13(plain[:, seat]).hcp)
        assert mean == pytest.approx(true, abs=0.12)
        spades = float(weights @ Hands13(hands[:, seat]).lengths[:, 3])
        assert spades == pytest.approx(float(even @ Hands13(plain[:, seat]).lengths[:, 3]), abs=0.1)
    assert found.effective > 300


def test_worlds_of_a_lead_fit_the_auction() -> None:
    view = led_against("1NT Pass 3NT Pass Pass Pass", "KJ852.Q4.983.T62")
    by_rules = replace(KINDS["auction"], networks=False)
    for kind, low, high in ((by_rules, 15, 17), (KINDS["auction"], 14, 18)):  # judgement stretches
        worlds = lead_worlds(situation(view), 40, np.random.default_rng(0), kind)
        declarer = Hands13(worlds.deals[:, Seat.SOUTH])
        assert ((declarer.hcp >= low) & (declarer.hcp <= high)).mean() > 0.95
        assert (declarer.lengths.min(axis=1) >= 2).mean() > 0.95
    plain = lead_worlds(situation(view), 40, np.random.default_rng(0), KINDS["cards"])
    assert (Hands13(plain.deals[:, Seat.SOUTH]).hcp < 15).mean() > 0.5


def test_one_lead_for_each_run_of_touching_cards() -> None:
    bits = Hand.parse("AKQ.T98.32.KJT98").bits
    problem, card = candidates(np.array([bits], np.uint64))
    assert problem.tolist() == [0] * 5
    assert [Card(int(c)).ascii for c in card] == ["CJ", "CK", "D3", "HT", "SA"]


def test_facts_are_means_over_layouts() -> None:
    found = table_view(5)
    assert found is not None
    board, view = found
    at = situation(view)
    deal = np.array([[h.bits for h in board.deal.hands]], np.uint64)
    facts = facts_of(deal, at.leader)
    partner = board.deal[at.turn.partner]
    for suit in range(4):
        assert facts[0, suit, 0, 0] * 13 == pytest.approx(partner.length(suit))
        assert facts[0, suit, 0, 5] == (partner.holding(suit) >> 12 & 1)
    twice = np.concatenate([deal, deal])
    mean = mean_facts(twice, np.array([0.25, 0.75]), at.leader)
    assert np.allclose(mean, facts, atol=1e-6)


def test_inputs_do_not_depend_on_which_suit_is_which() -> None:
    """Clubs and diamonds exchanged everywhere: the same rows for the exchanged cards."""
    found = table_view(8)
    assert found is not None
    board, view = found
    at = situation(view)

    def swapped(bits: int) -> int:
        low, high = bits & 0x1FFF, bits >> 13 & 0x1FFF
        return bits & ~0x3FFFFFF | low << 13 | high

    deal = [h.bits for h in board.deal.hands]
    other = [swapped(b) for b in deal]
    rows = []
    for one, strain in ((deal, 3), (other, 3)):
        layouts = np.array([one], np.uint64)
        some = Problems(
            layouts[:, at.leader], facts_of(layouts, at.leader),
            np.array([strain]), np.array([4]), np.array([0]),
        )  # fmt: skip
        problem, card = candidates(some.hands)
        rows.append(dict(zip(card.tolist(), inputs(some, problem, card), strict=True)))
    assert all(len(r) == WIDTH for r in rows[0].values())
    lengths = [(deal[at.leader] >> 13 * s & 0x1FFF).bit_count() for s in (0, 1)]
    for card, row in rows[0].items():
        turned = card + 13 if card < 13 else card - 13 if card < 26 else card
        if lengths[0] != lengths[1] or card < 26:
            assert np.array_equal(row, rows[1][turned])


def test_the_network_says_differences_for_every_layout() -> None:
    found = table_view(5)
    assert found is not None
    at = situation(found[1])
    worlds = lead_worlds(at, 10, np.random.default_rng(0), KINDS["auction"])
    cards, said = leads_in(at, worlds.deals)
    assert said.shape == (len(worlds), len(cards))
    assert np.allclose(said.mean(axis=1), 0)
    assert 0.02 < said.std() < 2
    average = leads_on_average(at, worlds.deals)
    assert average.mean() == pytest.approx(0, abs=1e-6)
    assert np.corrcoef(average, said.mean(axis=0))[0, 1] > 0.5
    for sees in ("deal", "info"):
        assert sum(w.size + b.size for w, b in shipped(sees)) < 100_000


def test_solved_worlds_correct_the_network() -> None:
    """Few nodes: one step only. As many worlds as asked for: all of them, and smaller errors."""
    found = table_view(26)
    assert found is not None
    at = situation(found[1])
    worlds = lead_worlds(at, 12, np.random.default_rng(0), KINDS["auction"])
    none = dict.fromkeys(range(4), 0.0)
    little = judge(at, worlds, Budget(12, 1.0), "imps", none)
    more = judge(at, worlds, Budget(12, float("inf")), "imps", none)
    assert little.solved < more.solved <= 12
    assert more.tricks is not None
    assert little.tricks is not None
    assert (abs(more.tricks - little.tricks) < 2).all()
    assert Budget.of(500, 0, 1e6).worlds < 100
    assert Budget.of(5, 0, 1e6).worlds == 5
    assert Budget.of(5, 200, 1e6) == Budget(200, float("inf"))


def test_a_lead_explains_itself() -> None:
    view = led_against("1NT Pass 3NT Pass Pass Pass", "KQJT2.84.9753.62")
    with counted_by(lambda: 0.0):  # a busy machine would cut the search short
        decision = player("pimc(lead_worlds=6)").play(view)
    assert decision.card.ascii == "SK"
    assert decision.worlds == 6
    assert LedFrom(LeadKind.SEQUENCE) in decision.reasons
    assert len(decision.candidates) == 13
    assert all(c.error is not None and "tricks" in c.note for c in decision.candidates)
    with pytest.raises(OptionError):
        player("pimc(lead_worlds=-1)")


def test_without_time_for_a_world_the_networks_lead() -> None:
    view = led_against("1NT Pass 3NT Pass Pass Pass", "KQJT2.84.9753.62")
    with counted_by(lambda: 0.0):  # no time passes, and there was none to begin with
        decision = player("pimc(seconds=1e-9)").play(view)
    assert decision.card.ascii == "SK"
    assert decision.cut
    assert decision.worlds == 0
    assert Remark.CUT_SHORT in decision.reasons
    told = [*decision.reasons, *(r for c in decision.candidates for r in c.reasons)]
    assert not any(isinstance(r, Fate) for r in told)  # nothing was solved, nothing is claimed
    assert all(c.details["chance"] is None for c in decision.candidates)
    assert all(c.value is c.error is None for c in decision.candidates)


def test_the_agreed_card_is_led_unless_it_costs() -> None:
    view = led_against("1NT Pass 3NT Pass Pass Pass", "KJ852.Q4.983.T62")
    at = situation(view)
    worlds = lead_worlds(at, 4, np.random.default_rng(0), KINDS["auction"])
    card, found, solved, tells = choose_lead(at, worlds, Budget(4, 1e9), "tricks", STANDARD)
    assert solved == 4
    if card.suit == 3:
        assert (card.ascii, tells) == ("S5", LedFrom(LeadKind.FOURTH))
    assert card in [w.card for w in found]
