"""A bidder in a few lines: 3NT with a good hand, otherwise what points say."""

from overtrick import Call, Decision, Meaning, View, bidder

POINTS = bidder("points")


class Hopeful:
    """Leaps to 3NT with `hcp` points or more; everything else is left to `points`."""

    system = "3NT with a good hand"

    def __init__(self, hcp: int = 18) -> None:
        self.hcp = hcp

    def bid(self, view: View) -> Decision:
        """A call and what it means, from what the seat may know."""
        game = Call("3NT")
        first = not any(c.is_bid for c in view.auction.calls_of(view.seat))
        if first and view.hand.hcp >= self.hcp and view.auction.is_legal(game):
            return Decision(game, Meaning(f"to play, {self.hcp} or more"))
        return POINTS.bid(view)
