"""Random values of the game for hypothesis.
Used by the property tests of this and other rooms."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from overtrick.game import (
    CALLS,
    DECK,
    Auction,
    Contract,
    Deal,
    Hand,
    Play,
    Seat,
    Strain,
    Vulnerability,
)

seats = st.sampled_from(list(Seat))
strains = st.sampled_from(list(Strain))
vulnerabilities = st.sampled_from(list(Vulnerability))
cards = st.sampled_from(DECK)
calls = st.sampled_from(CALLS)
hands = st.sets(st.integers(0, 51), max_size=13).map(Hand.of)
deals = st.integers(0, 2**48).map(Deal.random)
contracts = st.builds(Contract, st.integers(1, 7), strains, seats, st.integers(0, 2))


@st.composite
def auctions(draw: st.DrawFn, most: int = 60) -> Auction:
    """Any legal auction, finished or not; passes are common, so many are finished."""
    auction = Auction(draw(seats))
    for _ in range(draw(st.integers(0, most))):
        if auction.is_over:
            break
        legal = auction.legal_calls()
        near = st.integers(0, min(len(legal) - 1, 6))
        auction = auction.then(legal[draw(near)])
    return auction


@st.composite
def plays(draw: st.DrawFn) -> tuple[Deal, Play]:
    """A deal and any number of legal cards of it."""
    deal, rng = draw(deals), random.Random(draw(st.integers(0, 2**32)))
    play = Play(draw(strains), draw(seats))
    for _ in range(draw(st.integers(0, 52))):
        play = play.then(rng.choice(play.legal_cards(deal[play.turn]).cards()), deal[play.turn])
    return deal, play
