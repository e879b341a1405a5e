"""What a card player is, how to get one by name, and the check every player must pass.
Each player is a file of its own beside this one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Protocol, runtime_checkable

from overtrick.engines import ConformanceError, Registry, Spec, seated
from overtrick.engines.clock import counting_looks
from overtrick.engines.loading import completed
from overtrick.engines.terms import Cost, cost_of, hurried
from overtrick.game import (
    Auction,
    Board,
    BridgeError,
    Call,
    Card,
    Decision,
    Play,
    Strain,
    View,
    view_of,
)
from overtrick.game.errors import expect


@runtime_checkable
class Player(Protocol):
    """Anything that turns what a seat sees into a card and its explanation.

    When it is dummy's turn the view is declarer's and `view.play.turn` is dummy's seat.
    Players keep no memory between cards unless they say so; the same view gives the same card.
    """

    @property
    def name(self) -> str: ...

    def play(self, view: View) -> Decision: ...


_BUILTIN: Final = {
    "pimc": "overtrick.cardplay.pimc:Pimc",
    "alphamu": "overtrick.cardplay.alphamu:AlphaMu",
    "highest": "overtrick.cardplay.simple:Highest",
    "random": "overtrick.cardplay.simple:RandomPlayer",
    "external": "overtrick.cardplay.external:ExternalPlayer",
    "inside": "overtrick.cardplay.external:inside",
    "ben": "overtrick.cardplay.ben:BenPlayer",
}
_LABORATORY: Final = {
    "exact": "overtrick_lab.engines.exact:Exact",
    "planner": "overtrick_lab.engines.planner:Planner",
    "parts": "overtrick.cardplay.parts:Parts",
}
USUAL: Final = "pimc(worlds=20)"
"""Who plays at a table unless somebody chose otherwise. Opening leads are the slow part; with so
few worlds they take half a second."""
PLAYERS: Final[Registry[Player]] = Registry("player", _BUILTIN, "overtrick.players", _LABORATORY)


def player(spec: str | Spec) -> Player:
    """A player by name, e.g. `player("random")` or `player("pimc(worlds=60)")`.

    >>> player("highest").name
    'highest'
    """
    return PLAYERS.make(spec)


def play_board(
    board: Board, auction: Auction, players: Iterable[Player | str]
) -> tuple[Play, list[Decision]]:
    """Play one board out with four players (N, E, S, W): the play and every decision.

    >>> auction = Auction.parse("3NT AP")
    >>> play, decisions = play_board(Board.random(1, seed=1), auction, [player("highest")] * 4)
    >>> play.is_over, len(decisions)
    (True, 52)
    """
    expect(board, Board, "a board", "a Board, as Board.random(1) makes one")
    expect(auction, Auction, "an auction", "an Auction that is over")
    seats = seated(players, player, "play")
    contract = auction.contract
    if contract is None or not auction.is_over:
        raise BridgeError("there is no contract to play")
    play = Play.of(contract)
    decisions: list[Decision] = []
    while not play.is_over:
        decision = seats[play.controller].play(view_of(board, auction, play))
        decisions.append(decision)
        play = play.then(decision.card, board.deal[play.turn])
    return play, decisions


def check_player(engine: Player, boards: int = 10, seed: int = 0) -> None:
    """Play the contract of a player through on random boards and contracts.

    Checked: a known cost, legal cards always (declarer's, dummy's and the defenders'), a
    meaning in words, and the same card for the same view, unless a clock ended the thinking.
    Seconds do not pass meanwhile: engines count how often they look at the clock.

    >>> check_player(player("random"), boards=1)
    """
    import random

    engine = completed(engine, "play")
    if not isinstance(engine, Player) or not engine.name:
        raise ConformanceError(f"{engine!r} is no player: it needs play(view)")
    if not isinstance(cost_of(engine), Cost):
        raise ConformanceError(f"{engine.name}: its cost is no Cost")
    if not isinstance(hurried(engine, 1.0), Player):
        raise ConformanceError(f"{engine.name}: within(seconds) returns a player")
    rng = random.Random(seed)
    for number in range(1, boards + 1):
        board = Board.random(number, seed=rng.getrandbits(32))
        auction = Auction(board.dealer).then(Call.bid(rng.randint(1, 7), rng.choice(list(Strain))))
        auction = auction.closed()
        contract = auction.contract
        assert contract is not None
        play = Play.of(contract)
        while not play.is_over:
            where = f"{engine.name}, board {number}, card {len(play) + 1}"
            decision = _checked(engine, view_of(board, auction, play), where)
            play = play.then(decision.card)


def _checked(engine: Player, view: View, where: str) -> Decision:
    with counting_looks():
        decision, again = engine.play(view), engine.play(view)
    if not isinstance(decision, Decision) or not isinstance(decision.action, Card):
        raise ConformanceError(f"{where}: a player returns a Decision with a Card")
    assert view.play is not None
    held = view.hand if view.play.turn == view.seat else view.dummy
    assert held is not None
    why = view.play.why_illegal(decision.action, held)
    if why:
        raise ConformanceError(f"{where}: {decision.action} is illegal: {why}")
    if not decision.meaning.words:
        raise ConformanceError(f"{where}: {decision.action} has no meaning in words")
    if again.action != decision.action and not (decision.cut or again.cut):
        raise ConformanceError(f"{where}: another card for the same view")
    return decision
