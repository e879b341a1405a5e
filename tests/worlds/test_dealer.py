"""Dealing is exactly uniform, honest about impossible wishes, and fast."""

import time
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import chi2, chi2_contingency

from overtrick.evaluation import HandArray, feature
from overtrick.game import DECK, Deal, Hand, PartialDeal, Seat, Side
from overtrick.game.cards import ALL_CARDS
from overtrick.worlds import Constraint, parse
from overtrick.worlds.counting import HandCounter, suit_table
from overtrick.worlds.dealer import Dealer, DealSample
from overtrick.worlds.pairs import PairCounter, spread
from overtrick.worlds.problem import ImpossibleDeal, TooRare
from overtrick.worlds.regions import region
from overtrick.worlds.splitting import choose, deal_out
from overtrick.worlds.together import Together

N, E, S, W = Seat
Rules = dict[Seat, str]


def dealer(rules: Rules, **more: object) -> Dealer:
    return Dealer({s: parse(c) for s, c in rules.items()}, **more)  # type: ignore[arg-type]


def ending(cards_each: int, seed: int) -> tuple[PartialDeal, list[int]]:
    """A deal of which the last cards of each hand are hidden again."""
    rng = np.random.default_rng(seed)
    hands = Deal.random(seed).hands
    hidden: list[int] = []
    known = []
    for hand in hands:
        gone = rng.choice([int(c) for c in hand], cards_each, replace=False).tolist()
        hidden += gone
        known.append(hand - Hand.of(gone))
    return PartialDeal(tuple(known)), hidden  # type: ignore[arg-type]


def all_completions(known: PartialDeal, hidden: list[int]) -> list[tuple[int, ...]]:
    """Every deal that extends the known cards, by brute force."""
    out = []

    def fill(seat: int, left: frozenset[int], sofar: tuple[int, ...]) -> None:
        if seat == 4:
            out.append(sofar)
            return
        need = 13 - len(known[seat])
        for chosen in combinations(sorted(left), need):
            bits = known[seat].bits | sum(1 << c for c in chosen)
            fill(seat + 1, left - set(chosen), (*sofar, bits))

    fill(0, frozenset(hidden), ())
    return out


def p_uniform(counts: Counter[tuple[int, ...]], support: int, n: int) -> float:
    expected = n / support
    statistic = sum((c - expected) ** 2 for c in counts.values()) / expected
    statistic += (support - len(counts)) * expected
    return float(chi2.sf(statistic, support - 1))


@pytest.mark.parametrize(
    ("seed", "each", "rules", "voids"),
    [
        (1, 2, {}, {}),
        (2, 2, {N: "hcp 8+"}, {}),
        (3, 2, {N: "hcp ..11", E: "hcp 7+", S: "spades 2+"}, {}),
        (4, 2, {E: "not balanced", W: "losers ..8"}, {}),
        (5, 2, {S: "hearts 3+ or hcp 10+", N: "controls 1+"}, {W: [3]}),
        (6, 2, {S: "quality H 1+, hcp 3+"}, {N: [0], E: [1]}),
        (7, 2, {N: "hcp ..14", E: "hcp ..14", S: "hcp ..14", W: "hcp ..14"}, {}),
    ],
)
def test_every_consistent_deal_is_equally_likely(
    seed: int, each: int, rules: Rules, voids: dict[Seat, list[int]]
) -> None:
    known, hidden = ending(each, seed)
    wishes = {s: parse(c) for s, c in rules.items()}

    def fits(deal: tuple[int, ...]) -> bool:
        for seat, suits in voids.items():
            new = deal[seat] & ~known[seat].bits
            if any(new >> 13 * suit & 0x1FFF for suit in suits):
                return False
        return all(c.holds(deal[s]) for s, c in wishes.items())

    possible = {d for d in all_completions(known, hidden) if fits(d)}
    assert 2 < len(possible) <= 2520
    n = 20 * len(possible)
    made = Dealer(wishes, known=known, voids=voids).sample(n, np.random.default_rng(seed))
    counts = Counter(tuple(row) for row in made.hands.tolist())
    assert set(counts) <= possible
    assert p_uniform(counts, len(possible), n) > 1e-4


def test_two_hidden_hands_are_counted_together() -> None:
    known, hidden = ending(5, 9)
    known = PartialDeal(
        tuple(
            Hand.of([*known[s], *[c for c in Deal.random(9)[s] if c in hidden]])
            if s in (N, E)
            else known[s]
            for s in Seat
        )
    )  # type: ignore[arg-type]
    left = [c for c in hidden if c not in known.known_cards]
    wishes = {S: parse("hcp 5..12"), W: parse("hcp 6+")}
    support = {
        d for d in all_completions(known, left) if all(c.holds(d[s]) for s, c in wishes.items())
    }
    made = Dealer(wishes, known=known).sample(20 * len(support), np.random.default_rng(4))
    counts = Counter(tuple(row) for row in made.hands.tolist())
    assert set(counts) <= support
    assert made.acceptance == 1.0  # both constraints are classes of the first hand
    assert p_uniform(counts, len(support), len(made)) > 1e-4


def random_deals(n: int, seed: int) -> np.ndarray:
    order = np.argsort(np.random.default_rng(seed).random((n, 52)), axis=1)
    return np.bitwise_or.reduce(np.uint64(1) << order.astype(np.uint64).reshape(n, 4, 13), axis=2)


BRUTE = random_deals(120_000, 5)


@pytest.mark.parametrize(
    "rules",
    [
        {N: "hcp 15..17, balanced"},
        {N: "hcp 12+, spades 5+", S: "hcp 6..9, spades 3+"},
        {N: "losers ..6", E: "hcp 8+"},
        {N: "hcp 10..15, spades 5+, hearts ..3", S: "hearts 5+, hcp 5+", E: "hcp ..13"},
        {N: "quality S 4+, spades 5+", W: "hearts 5+ or diamonds 5+", E: "hcp ..12"},
        {S: "not (hcp ..10 or balanced)"},
        {},
    ],
)
def test_it_agrees_with_dealing_and_rejecting(rules: Rules) -> None:
    wishes = {s: parse(c) for s, c in rules.items()}
    keep = np.ones(len(BRUTE), bool)
    for seat, c in wishes.items():
        keep &= c.mask(np.ascontiguousarray(BRUTE[:, seat]))
    brute = BRUTE[keep]
    assert len(brute) > 300
    made = Dealer(wishes).sample(20_000, np.random.default_rng(8))
    assert (np.bitwise_or.reduce(made.hands, axis=1) == ALL_CARDS).all()
    assert (np.bitwise_count(made.hands) == 13).all()
    for seat in Seat:
        for name in ("HCP", "SUITLEN(S)", "SUITLEN(C)", "LTC", "BAL", "HCP(H)"):
            one = feature(name)(HandArray(np.ascontiguousarray(brute[:, seat])))
            two = feature(name)(HandArray(np.ascontiguousarray(made.hands[:, seat])))
            assert _same(one, two) > 1e-5, (seat, name)
    assert made.chance == pytest.approx(keep.mean(), rel=0.15)


def _same(a: np.ndarray, b: np.ndarray) -> float:
    """p-value that two samples of small integers come from one distribution."""
    values = np.arange(int(min(a.min(), b.min())), int(max(a.max(), b.max())) + 1)
    counts = np.array([[(x == v).sum() for v in values] for x in (a, b)])
    common = counts.min(axis=0) >= 5
    table = np.column_stack([counts[:, common], counts[:, ~common].sum(axis=1)])
    table = table[:, table.sum(axis=0) > 0]
    return 1.0 if table.shape[1] < 2 else float(chi2_contingency(table).pvalue)


def test_hands_are_numbered_without_gaps_or_repeats() -> None:
    pool = sum(1 << c for c in range(0, 52, 3))
    known = sum(1 << c for c in (1, 14, 28, 40, 50, 49, 47))
    rule = parse("hcp 9..14, not balanced")
    suits = tuple(suit_table(s, pool, known) for s in range(4))
    counter = HandCounter.of(suits, region(rule).outer)  # type: ignore[arg-type]
    cards = [c for c in range(52) if pool >> c & 1]
    wanted = {
        bits
        for chosen in combinations(cards, 13 - known.bit_count())
        if rule.holds(known | (bits := sum(1 << c for c in chosen)))
    }
    made = counter.hands(np.arange(counter.total)).tolist()
    assert len(made) == len(wanted) == counter.total
    assert set(made) == wanted


def test_counts_of_all_hands() -> None:
    suits = tuple(suit_table(s, ALL_CARDS, 0) for s in range(4))
    counted = {
        "any": 635_013_559_600,
        "shape any 4333": 66_905_856_160,
        "hcp 0": 2_310_789_600,
        "hcp 37": 4,
        "balanced, hcp 15..17": None,
    }
    for text, total in counted.items():
        counter = HandCounter.of(suits, region(parse(text)).outer)  # type: ignore[arg-type]
        assert total is None or counter.total == total, text


def test_splits_are_uniform() -> None:
    rng = np.random.default_rng(3)
    pool = np.full(40_000, 0b1011_0110_1001, np.uint64)
    counts = Counter(choose(rng, pool, 3).tolist())
    assert len(counts) == 35
    assert p_uniform(Counter({(k,): v for k, v in counts.items()}), 35, 40_000) > 1e-4
    parts = deal_out(rng, pool, (2, 2, 3))
    assert ((parts[0] | parts[1] | parts[2]) == pool).all()
    assert [np.bitwise_count(p).max() for p in parts] == [2, 2, 3]


@pytest.mark.parametrize(
    ("rules", "known", "voids", "message"),
    [
        ({N: "hcp 12+, hcp ..11"}, None, None, "North: no hand satisfies"),
        ({N: "hcp 20+", S: "hcp 21+"}, None, None, "need 41 hcp together"),
        ({N: "spades 7+", E: "spades 7+"}, None, None, "need 14 cards in ♠"),
        ({N: "spades ..3", E: "spades ..3", S: "spades ..3", W: "spades ..3"}, None, None,
         "at most 12 cards in ♠"),
        (dict.fromkeys(Seat, "hcp ..9"), None, None, "at most 36 hcp"),
        ({E: "has SA"}, "N:A...-...-...-...", None, None),
        ({N: "hcp ..3"}, "N:A.A.. - - -", None, "North cannot have at most 3 hcp"),
        ({}, None, {N: [3], E: [3], S: [3], W: [3]}, "nobody can hold the missing ♠"),
        ({N: "balanced"}, "N:AKQJT98765432... - - -", None, "the known hand does not have"),
    ],
)  # fmt: skip
def test_impossible_wishes(
    rules: Rules, known: str | None, voids: dict[Seat, list[int]] | None, message: str | None
) -> None:
    if message is None:
        partial = PartialDeal.parse("N:A... - - -")
        message = "East cannot have ♠A"
    else:
        partial = PartialDeal.parse(known) if known else None  # type: ignore[assignment]
    with pytest.raises(ImpossibleDeal, match=message.replace("♠A", "♠A")):
        dealer(rules, known=partial, voids=voids)


def test_rare_wishes_end_with_an_estimate() -> None:
    def nobody(hands: np.ndarray) -> np.ndarray:
        return np.zeros(len(hands), bool)

    plan = dealer({N: "losers ..1"}, accept=nobody, budget=50_000)
    with pytest.raises(TooRare, match="no deal fits in") as caught:
        plan.sample(1, np.random.default_rng(1))
    assert 0 < caught.value.chance < 1e-6
    assert caught.value.tried >= 50_000


def test_two_hands_are_drawn_together_uniformly() -> None:
    """Every pair of hands from a small pool, enumerated and counted."""
    pool = sum(1 << c for c in (0, 3, 12, 13, 20, 25, 26, 37, 50))
    left = [c for c in range(52) if not pool >> c & 1]
    mine, his = sum(1 << c for c in left[::4][:10]), sum(1 << c for c in left[1::4][:10])
    rule, other = parse("hcp 4..16"), parse("shape any 4xxx")
    suits = tuple(suit_table(s, pool, mine) for s in range(4))
    first = HandCounter.of(suits, region(rule).outer)  # type: ignore[arg-type]
    shapes = region(other).outer.any(axis=1)
    pair = PairCounter.of(first, pool, mine, his, shapes)
    cards = [c for c in range(52) if pool >> c & 1]
    wanted = set()
    for one in combinations(cards, 3):
        for two in combinations([c for c in cards if c not in one], 3):
            a, b = sum(1 << c for c in one), sum(1 << c for c in two)
            if rule.holds(mine | a) and other.holds(his | b):
                wanted.add((a, b))
    assert pair.total == len(wanted) > 100
    n = 30 * len(wanted)
    made = pair.draw(n, np.random.default_rng(3))
    counts = Counter(zip(*(x.tolist() for x in made), strict=True))
    assert set(counts) <= wanted
    assert p_uniform(counts, len(wanted), n) > 1e-4


def test_a_rare_second_shape_is_not_left_to_luck() -> None:
    made = dealer({N: "hcp 20..21, balanced", S: "spades 5+, hearts 5+"}).sample(
        5000, np.random.default_rng(2)
    )
    assert made.acceptance == 1.0
    assert made.chance == pytest.approx(1 / 22_490, rel=0.01)


def test_what_a_side_has_together_is_counted() -> None:
    slam = Together(hcp=(33, 37), lengths=((0, 13), (0, 13), (0, 13), (9, 13)))
    made = Dealer(together={Side.NS: slam}).sample(3000, np.random.default_rng(5))
    assert made.acceptance == 1.0
    assert slam.mask(made.hands[:, N] | made.hands[:, S]).all()
    other = Dealer(together={Side.EW: slam.mirrored()}).sample(3000, np.random.default_rng(5))
    assert (other.hands == made.hands).all()
    assert slam.words() == "33–37 hcp, 9+ spades together"


@pytest.mark.parametrize(
    ("rules", "pair"),
    [
        ({}, Together(hcp=(27, 32))),
        ({N: "hcp 12..16"}, Together(hcp=(26, 40))),
        (
            {N: "spades 5+", S: "hcp 6..10", E: "hcp 5+"},
            Together(lengths=((0, 13),) * 3 + ((8, 9),)),
        ),
    ],
)
def test_sides_agree_with_dealing_and_rejecting(rules: Rules, pair: Together) -> None:
    wishes = {s: parse(c) for s, c in rules.items()}
    keep = pair.mask(BRUTE[:, N] | BRUTE[:, S])
    for seat, c in wishes.items():
        keep &= c.mask(np.ascontiguousarray(BRUTE[:, seat]))
    brute = BRUTE[keep]
    made = Dealer(wishes, together={Side.NS: pair}).sample(20_000, np.random.default_rng(8))
    assert pair.mask(made.hands[:, N] | made.hands[:, S]).all()
    for seat in Seat:
        for name in ("HCP", "SUITLEN(S)", "SUITLEN(C)", "LTC", "BAL"):
            one = feature(name)(HandArray(np.ascontiguousarray(brute[:, seat])))
            two = feature(name)(HandArray(np.ascontiguousarray(made.hands[:, seat])))
            assert _same(one, two) > 1e-5, (seat, name)
    assert made.chance == pytest.approx(keep.mean(), rel=0.15)


def test_impossible_sides() -> None:
    with pytest.raises(ImpossibleDeal, match="North-South cannot have"):
        Dealer(together={Side.NS: Together(hcp=(20, 40)), Side.EW: Together(hcp=(21, 40))})


def test_spreading_bits() -> None:
    rng = np.random.default_rng(1)
    masks = rng.integers(0, 8192, 500)
    for mask, number in zip(masks.tolist(), rng.integers(0, 8192, 500).tolist(), strict=True):
        places = [b for b in range(13) if mask >> b & 1]
        source = number & (1 << len(places)) - 1
        want = sum(1 << p for i, p in enumerate(places) if source >> i & 1)
        assert spread(np.array([source]), np.array([mask]))[0] == want


def test_known_cards_and_voids_are_kept() -> None:
    known = PartialDeal.parse("N:AK... -  .AK.. -".replace("  ", " "))
    made = dealer({W: "hcp 8+"}, known=known, voids={E: [3]}).sample(2000, np.random.default_rng(2))
    assert ((made.hands[:, N] & np.uint64(known[N].bits)) == known[N].bits).all()
    assert ((made.hands[:, S] & np.uint64(known[S].bits)) == known[S].bits).all()
    assert (made.hands[:, E] >> np.uint64(39) == 0).all()


def test_the_same_seed_deals_the_same() -> None:
    one = dealer({N: "hcp 12+"}).sample(50, np.random.default_rng(6))
    two = dealer({N: "hcp 12+"}).sample(50, np.random.default_rng(6))
    assert (one.hands == two.hands).all()
    assert list(one) == [two[i] for i in range(50)]
    stream = dealer({N: "hcp 12+"}).deals(np.random.default_rng(6))
    assert all(isinstance(next(stream), Deal) for _ in range(40))


def test_a_predicate_over_whole_deals() -> None:
    def slam(hands: np.ndarray) -> np.ndarray:
        pair = feature("HCP")(HandArray(hands[:, 0])) + feature("HCP")(HandArray(hands[:, 2]))
        kept: np.ndarray = pair >= 25
        return kept

    made = dealer({N: "hcp 12+"}, accept=slam).sample(500, np.random.default_rng(1))
    assert slam(made.hands).all()
    assert 0 < made.acceptance < 1


def test_half_a_million_deals_a_second() -> None:
    plan = dealer({N: "hcp 15..17, balanced"})
    plan.sample(1000, np.random.default_rng(1))
    start = time.process_time()
    made: DealSample = plan.sample(100_000, np.random.default_rng(1))
    assert len(made) / (time.process_time() - start) > 500_000


def test_cards_are_spread_evenly() -> None:
    made = dealer({}).sample(20_000, np.random.default_rng(12))
    for card in DECK:
        held = [(made.hands[:, s] >> np.uint64(card) & np.uint64(1)).sum() for s in Seat]
        assert sum(held) == 20_000
        assert max(held) - min(held) < 600


def test_simplified_constraints_are_used(hands: np.ndarray) -> None:
    c: Constraint = parse("hcp 10+ and not hcp 15+")
    made = Dealer({N: c}).sample(100, np.random.default_rng(1))
    assert c.mask(np.ascontiguousarray(made.hands[:, 0])).all()
