"""What the robot would do: what one seat sees goes in, its Decision comes out. Python, the command
line, HTTP and language models all ask here, so that one question has one answer at every door."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from overtrick.bidding import BIDDERS, Bidder, bidder, usual_bidder
from overtrick.bidding.base import standing_in
from overtrick.bidding.explained import explaining
from overtrick.cardplay import PLAYERS, Player, player
from overtrick.engines import Spec, parse_spec
from overtrick.engines.terms import hurried
from overtrick.game import (
    Auction,
    BridgeError,
    Card,
    Decision,
    Hand,
    OptionError,
    Play,
    Seat,
    Systems,
    View,
    Vulnerability,
)
from overtrick.game.errors import expect
from overtrick.systems import declared, library_names

USUAL_PLAYER: Final = "alphamu(seconds=20)"
"""Who plays cards for whoever asks and named nobody. Its work is that of a second; the clock is far
away, so that a busy machine gives the same answer later."""
_PATIENCE: Final = (0.1, 600.0)  # seconds
_SPOKEN: Final = {
    "2/1": "two-over-one", "2/1 gf": "two-over-one", "two over one": "two-over-one",
    "standard american": "sayc", "yellow card": "sayc",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Inquiry:
    """What a seat sees, whom to ask, and what counts.

    `system` is what our side plays (a system of the library, or a card in one line) and `theirs`
    what the other side declared; where nothing is said our side plays what the engine plays, and
    nothing is known of the others. `character` is how freely calls depart from what they show.
    Work is fixed, whatever the machine; `seconds` is for somebody who can wait only so long.

    >>> Inquiry(hand="QJT95.82.K73.962", auction="1NT P 3NT P P P").view().turn
    Seat.EAST
    """

    hand: Hand | str
    auction: Auction | str = ""
    dealer: Seat | str = "N"
    vul: Vulnerability | str = "None"
    dummy: Hand | str | None = None
    played: str | Iterable[Card | str] = ()
    engine: str = ""
    system: str = ""
    theirs: str = ""
    character: str = ""
    scoring: str = "imps"
    seconds: float | None = None
    seed: int = 0

    def view(self) -> View:
        """What the seat sees whose call or card is asked for."""
        expect(self.hand, (Hand, str), "a hand", "text like 'AK3.QJ2.T98.7654'")
        auction = _auction(self.auction, self.dealer)
        if self.scoring not in ("imps", "matchpoints"):
            raise BridgeError(f"scoring is imps or matchpoints, not {self.scoring!r}")
        play = _play(auction, self.played)
        view = View(
            auction.turn if play is None else play.controller,
            _hand(self.hand),
            auction,
            Vulnerability(self.vul),
            scoring="matchpoints" if self.scoring == "matchpoints" else "imps",
            systems=Systems(self._ours(play is None), named(self.theirs)),
            play=play,
            dummy=_dummy(self.dummy, play),
            table_seed=self.seed,
        )
        _check_cards(view)
        return view

    @property
    def spec(self) -> str:
        """The engine's string, with the card and the character that were asked for in it."""
        if self._is_play:
            if self.character:
                raise OptionError("character is for calls; cards are played as they are best")
            return self.engine or USUAL_PLAYER
        return bidder_spec(self.engine, self.system, self.character)

    @property
    def note(self) -> str:
        """What is missing here, in one line; '' where the usual engine answers."""
        return "" if self.engine or self._is_play else standing_in()

    @property
    def _is_play(self) -> bool:
        return _auction(self.auction, self.dealer).is_over

    def _ours(self, bidding: bool) -> str:
        """What our side has agreed to play."""
        if bidding:
            return _bidder(self.spec).system
        return named(self.system) or usual_system()


def decided(inquiry: Inquiry, trusted: bool = False) -> Decision:
    """The engine's decision. What came from elsewhere is not `trusted`: an engine named by it may
    think, and neither start a program nor read a file.

    >>> decided(Inquiry(hand="AQ3.KJ4.QJ52.K82", engine="rules", system="acol")).action.ascii
    '1D'
    """
    spec = inquiry.spec
    card = inquiry._is_play
    if not trusted:
        (PLAYERS if card else BIDDERS).as_data(spec)
        for name, system in (("system", inquiry.system), ("theirs", inquiry.theirs)):
            if system and not declared(named(system)):
                known = ", ".join(library_names())
                raise BridgeError(f"{name}: no system {system!r}; there are {known}")
    view = inquiry.view()
    least, most = _PATIENCE
    if inquiry.seconds is not None and not least <= inquiry.seconds <= most:
        raise BridgeError(f"seconds lie between {least:g} and {most:g}, not {inquiry.seconds:g}")
    if card:
        plays = _player(spec)
        return (plays if inquiry.seconds is None else hurried(plays, inquiry.seconds)).play(view)
    bids = _bidder(spec)
    return (bids if inquiry.seconds is None else hurried(bids, inquiry.seconds)).bid(view)


def think(
    hand: Hand | str,
    auction: Auction | str = "",
    *,
    dealer: Seat | str = "N",
    vul: Vulnerability | str = "None",
    dummy: Hand | str | None = None,
    played: str | Iterable[Card | str] = (),
    engine: str = "",
    system: str = "",
    theirs: str = "",
    character: str = "",
    scoring: str = "imps",
    seconds: float | None = None,
    seed: int = 0,
) -> Decision:
    """What the robot calls with a hand after an auction, or plays when the auction is over.

    `partner` calls and `alphamu` plays unless `engine` names another; `system`, `theirs`,
    `character`, `scoring` and `seconds` mean the same here, on the command line, over HTTP
    (`/api/think`) and for language models. For a card, `hand` is the hand of the seat whose turn
    it is, declarer's for dummy's card; `played` are the cards so far, in order.

    >>> decision = think("AQ3.KJ4.QJ52.K82", engine="rules", system="sayc", vul="NS")
    >>> decision.call, decision.meaning.ranges()[:6]
    (Call('1NT'), '15–17 ')
    >>> quick = "pimc(lead_worlds=12, seconds=60)"
    >>> think("QJT95.82.K73.962", "1NT P 3NT P P P", engine=quick).card.suit
    Suit.SPADES
    """
    asked = Inquiry(
        hand=hand, auction=auction, dealer=dealer, vul=vul, dummy=dummy, played=played,
        engine=engine, system=system, theirs=theirs, character=character, scoring=scoring,
        seconds=seconds, seed=seed,
    )  # fmt: skip
    return decided(asked, trusted=True)


def named(system: str) -> str:
    """A system by the name that players give it.

    >>> named("2/1"), named("acol +dont"), named("")
    ('two-over-one', 'acol +dont', '')
    """
    text = system.strip()
    return _SPOKEN.get(text.lower(), text)


def usual_system() -> str:
    """What the usual bidder plays."""
    return _bidder(usual_bidder()).system


def bidder_spec(engine: str, system: str = "", character: str = "") -> str:
    """A bidder's string with the card and the character in it; said twice, they have to agree.

    >>> bidder_spec("rules", "2/1")
    'rules(system=two-over-one)'
    """
    parsed = parse_spec(engine or usual_bidder())
    asked = {k: v for k, v in (("system", named(system)), ("character", character)) if v}
    options = dict(parsed.options)
    usual = not engine
    for name, value in asked.items():
        if not usual and str(options.get(name, value)) != value:
            raise OptionError(f"{name} is {options[name]} in {engine} and {value} beside it")
        options[name] = value
    return str(Spec(parsed.name, options))


@lru_cache(maxsize=32)
def _bidder(spec: str) -> Bidder:
    return explaining(bidder(spec))


@lru_cache(maxsize=32)
def _player(spec: str) -> Player:
    return player(spec)


def _auction(auction: Auction | str, dealer: Seat | str) -> Auction:
    expect(auction, (Auction, str), "an auction", "text like '1NT P 3NT'")
    return Auction.parse(auction, dealer) if isinstance(auction, str) else auction


def _hand(hand: Hand | str) -> Hand:
    return hand if isinstance(hand, Hand) else Hand.parse(hand, size=13)


def _play(auction: Auction, played: str | Iterable[Card | str]) -> Play | None:
    """The play as far as it has come; None while there is an auction."""
    cards = _cards(played)
    if not auction.is_over:
        if cards:
            raise BridgeError("no card is played before three passes end the auction")
        return None
    contract = auction.contract
    if contract is None:
        raise BridgeError("everybody passed: the auction is over and nothing is played")
    play = Play.of(contract, cards)
    if play.is_over:
        raise BridgeError("all fifty-two cards are played")
    return play


def _cards(played: str | Iterable[Card | str]) -> list[Card]:
    words = played.replace(",", " ").split() if isinstance(played, str) else played
    return [Card.parse(word) if isinstance(word, str) else word for word in words]


def _dummy(dummy: Hand | str | None, play: Play | None) -> Hand | None:
    """Dummy's hand, which lies on the table from the lead on and is then known to everybody."""
    seen = play is not None and bool(play.cards)
    if dummy is None or dummy == "":
        if seen:
            raise BridgeError("dummy is on the table: say which thirteen cards it has")
        return None
    if not seen:
        raise BridgeError("dummy comes down after the opening lead")
    return _hand(dummy)


def _check_cards(view: View) -> None:
    """Are the hands in sight those that the cards were played from?"""
    if view.play is None or view.dummy is None:
        return
    both = view.hand & view.dummy
    if both:
        raise BridgeError(f"hand and dummy both have {min(both).ascii}")
    for trick in view.play.tricks():
        for place, card in enumerate(trick.cards):
            seat = Seat((trick.leader + place) % 4)
            for owner, hand in view.known.items():
                if (card in hand) != (owner == seat):
                    has = "has" if card in hand else "does not have"
                    raise BridgeError(f"{seat} played {card.ascii}, which {owner} {has}")
