"""Opening leads ranked: the leader's hand and the auction, nothing else.
The thinking is the card player's own."""

from __future__ import annotations

from overtrick.cardplay import player
from overtrick.game import (
    Auction,
    BridgeError,
    Decision,
    Hand,
    Play,
    Seat,
    Systems,
    View,
    Vulnerability,
)
from overtrick.game.errors import expect


def lead(
    hand: Hand | str,
    auction: Auction | str,
    *,
    dealer: Seat | str = "N",
    vul: Vulnerability | str = "None",
    systems: tuple[str, str] = ("sayc", "sayc"),
    scoring: str = "imps",
    engine: str = "pimc",
    seed: int = 0,
) -> Decision:
    """The opening lead from a hand after an auction, with every card ranked.

    `systems` are what the leader's side and the other side play; the auction is read by them.
    A candidate's `details` have its chance to beat the contract and its tricks on average.

    >>> decision = lead("QJT95.82.K73.962", "1NT P 3NT AP", engine="pimc(lead_worlds=12)")
    >>> decision.card.suit, decision.candidates[0].details["tricks"] > 2
    (Suit.SPADES, True)
    """
    expect(hand, (Hand, str), "a hand", "text like 'AK3.QJ2.T98.7654'")
    expect(auction, (Auction, str), "an auction", "text like '1NT P 3NT'")
    if isinstance(auction, str):
        auction = Auction.parse(auction, dealer)
    auction = auction.closed()
    if auction.contract is None:
        raise BridgeError("nobody bid: there is nothing to lead against")
    if scoring not in ("imps", "matchpoints"):
        raise BridgeError(f"scoring is imps or matchpoints, not {scoring!r}")
    leader = auction.contract.leader
    view = View(
        leader,
        hand if isinstance(hand, Hand) else Hand.parse(hand, size=13),
        auction,
        vul,
        scoring="matchpoints" if scoring == "matchpoints" else "imps",
        systems=Systems(*systems),
        play=Play.of(auction.contract),
        table_seed=seed,
    )
    return player(engine).play(view)
