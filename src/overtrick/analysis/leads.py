"""Opening leads ranked: the leader's hand and the auction, nothing else.
The thinking is the card player's own."""

from __future__ import annotations

from overtrick.analysis.asking import Inquiry, decided
from overtrick.game import Auction, BridgeError, Decision, Hand, Seat, Vulnerability
from overtrick.game.errors import expect


def lead(
    hand: Hand | str,
    auction: Auction | str,
    *,
    dealer: Seat | str = "N",
    vul: Vulnerability | str = "None",
    systems: tuple[str, str] = ("", ""),
    scoring: str = "imps",
    engine: str = "",
    seed: int = 0,
) -> Decision:
    """The opening lead from a hand after an auction, with every card ranked: `think` for the
    moment after the auction, whose last passes may be left out.

    `systems` are what the leader's side and the other side play; the auction is read by them.
    A candidate's `details` have its chance to beat the contract and its tricks on average.

    >>> quick = "pimc(lead_worlds=12, seconds=60)"
    >>> decision = lead("QJT95.82.K73.962", "1NT P 3NT AP", engine=quick)
    >>> decision.card.suit, decision.candidates[0].details["tricks"] > 2
    (Suit.SPADES, True)
    """
    expect(auction, (Auction, str), "an auction", "text like '1NT P 3NT'")
    made = Auction.parse(auction, dealer) if isinstance(auction, str) else auction
    made = made.closed()
    if made.contract is None:
        raise BridgeError("nobody bid: there is nothing to lead against")
    ours, theirs = systems
    asked = Inquiry(hand=hand, auction=made, vul=vul, engine=engine, system=ours, theirs=theirs,
                    scoring=scoring, seed=seed)  # fmt: skip
    return decided(asked, trusted=True)
