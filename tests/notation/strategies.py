"""Random records for round trips: lawful auctions and plays, notes, names, tags."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from overtrick.game import Auction, Deal, Note, PartialDeal, Play, Record, Seat, Vulnerability

WORDS = st.text(
    st.characters(codec="latin-1", exclude_categories=("Cc", "Cs")), min_size=1, max_size=30
).map(str.strip).filter(bool)  # fmt: skip
PLAIN = st.text(st.sampled_from("abcXYZ 0123+-!.'éß"), min_size=1, max_size=20).map(
    lambda s: s.strip() or "x"
)


def auction(rng: random.Random, dealer: Seat, stop: bool) -> Auction:
    out = Auction(dealer)
    while not out.is_over:
        if stop and rng.random() < 0.1:
            break
        legal = out.legal_calls()
        out = out.then(rng.choices(legal, [6.0] + [0.8**i for i in range(1, len(legal))])[0])
    return out


def play(rng: random.Random, out: Play, deal: Deal, cards: int) -> Play:
    while len(out) < cards:
        hand = deal[out.turn]
        out = out.then(rng.choice(out.legal_cards(hand).cards()), hand)
    return out


@st.composite
def records(draw: st.DrawFn, *, lin: bool = False) -> Record:
    """A record that PBN can hold; with `lin` one that LIN can hold as well."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    words = PLAIN if lin else WORDS
    dealer, deal = Seat(rng.randrange(4)), Deal.random(rng)
    calls = auction(rng, dealer, draw(st.booleans()))
    contract = calls.contract if calls.is_over else None
    cards: Play | None = None
    tricks, claimed = None, False
    if contract is not None and draw(st.booleans()):
        cards = play(rng, Play.of(contract), deal, draw(st.sampled_from([1, 4, 27, 51, 52])))
        claimed = not cards.is_over and draw(st.booleans())
        sure = cards.declarer_tricks
        claim = sure + rng.randrange(14 - cards.tricks_played)
        tricks = sure if cards.is_over else claim if claimed else None
    shown: PartialDeal = deal
    if draw(st.booleans()):
        kept = rng.sample(list(Seat), 2)
        shown = PartialDeal.of({s: deal[s] for s in kept})
    call_notes = {
        rng.randrange(len(calls)): Note(draw(words), True)
        for _ in range(draw(st.integers(0, 3)))
        if len(calls)
    }
    card_notes = {}
    tags = {}
    comment = ""
    if not lin:
        keys = st.sampled_from(["Event", "Site", "Zebra", "Annotator"])
        tags = draw(st.dictionaries(keys, WORDS))
        tags = {k: v for k, v in tags.items() if not v.startswith("#") and v.strip("?.")}
        comment = draw(st.sampled_from(["", " a remark\nover two lines ", "closing } brace"]))
        if cards is not None and draw(st.booleans()):
            i = rng.randrange(len(cards))
            card_notes[i] = Note(draw(words), nags=draw(st.sampled_from([(), (7,), (8, 13)])))
            card_notes[0] = Note(comment="opening lead")
    name = words.map(lambda s: s.replace(",", "").strip("?# ") or "x")
    names = (draw(name), draw(name), draw(name), draw(name))
    return Record(
        draw(st.integers(1, 99)), dealer, Vulnerability(rng.randrange(4)), shown, calls, contract,
        cards, tricks, claimed, names, call_notes, card_notes, tags, {}, comment,
    )  # fmt: skip
