"""BEN over HTTP: what it is asked, what its answers mean, and what happens when there is none.

BEN itself is a program of its own, so a stand-in answers here as it does; and our own service,
which has the same questions.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from overtrick import Auction, Board, View, bidder, play_board, player, view_of
from overtrick.analysis import asking
from overtrick.bidding.base import BIDDERS
from overtrick.bidding.ben import Ben
from overtrick.cardplay.base import PLAYERS
from overtrick.cardplay.ben import BenPlayer
from overtrick.engines import Untrusted
from overtrick.game import BridgeError, Card, OptionError, Play
from overtrick.service.robot import answer

VIEW = View("E", "AKJ752.84.Q92.63", "1C", "NS")
SAID: dict[str, Any] = {
    "bid": "1S", "who": "NN", "quality": "Good", "explanation": "5+ spades", "alert": "True",
}  # fmt: skip


class StandIn(HTTPServer):
    """Answers every question with `said` and keeps what it was asked."""

    said: bytes
    status: int
    asked: list[tuple[str, dict[str, str]]]


class _Answering(BaseHTTPRequestHandler):
    server: StandIn

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        query = dict(parse_qsl(parts.query, keep_blank_values=True))
        self.server.asked.append((parts.path, query))
        said = self.server.said
        if said == b"ours":
            said = json.dumps(answer(parts.path.strip("/"), query)).encode()
        self.send_response(self.server.status)
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def there() -> Iterator[StandIn]:
    with StandIn(("127.0.0.1", 0), _Answering) as server:
        server.said, server.status, server.asked = json.dumps(SAID).encode(), 200, []
        serve = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        serve.start()
        yield server
        server.shutdown()


def _ben(there: StandIn, **options: Any) -> Ben:
    return Ben(f"http://127.0.0.1:{there.server_port}", **options)


def test_it_is_asked_for_one_seat_and_its_words_are_the_meaning(there: StandIn) -> None:
    decision = _ben(there).bid(VIEW)
    assert (str(decision.call), decision.meaning.words) == ("1♠", "5+ spades")
    assert decision.meaning.alert
    assert there.asked == [("/bid", {
        "hand": "AKJ752.84.Q92.63", "seat": "E", "dealer": "N", "vul": "NS", "ctx": "1C",
        "tournament": "imps",
    })]  # fmt: skip


@pytest.mark.parametrize(
    ("said", "call"), [("PASS", "Pass"), ("X", "X"), ("3N", "3NT"), ("4H", "4♥")]
)
def test_its_calls(there: StandIn, said: str, call: str) -> None:
    there.said = json.dumps({"bid": said}).encode()
    decision = _ben(there).bid(VIEW)
    assert (str(decision.call), decision.meaning.words) == (call, "natural")


def test_calls_are_told_in_two_letters_each(there: StandIn) -> None:
    _ben(there).bid(View("N", "AKJ752.84.Q92.63", "1C P 1NT X XX P P 2H", "None"))
    assert there.asked[0][1]["ctx"] == "1C--1NDbRd----2H"


def test_our_own_service_is_asked_alike(there: StandIn) -> None:
    there.said = b"ours"
    assert str(_ben(there).bid(VIEW).call) == str(bidder("rules").bid(VIEW).call)


@pytest.mark.parametrize(
    ("said", "status", "told"),
    [
        (b"no json", 200, "no call"),
        (b"[]", 200, "no call"),
        (b'{"error": "Invalid hand\\u0007"}', 400, r"no call in its answer \(400\) Invalid hand\?"),
        (b'{"bid": "8S"}', 200, "'8S' is no call"),
        (b" " * ((1 << 20) + 1), 200, "bytes"),
        (b"[" * 100_000, 200, "no call"),
    ],
)
def test_a_wrong_answer_is_one_line(there: StandIn, said: bytes, status: int, told: str) -> None:
    there.said, there.status = said, status
    with pytest.raises(BridgeError, match=told):
        _ben(there).bid(VIEW)


def test_where_it_takes_no_more_questions_we_wait_our_turn(
    there: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []
    there.status = 429

    def later(seconds: float) -> None:
        waited.append(seconds)
        there.status = 200

    monkeypatch.setattr("overtrick.engines.ben.sleep", later)
    assert str(_ben(there).bid(VIEW).call) == "1♠"
    assert len(waited) == 1
    there.status = 429
    with pytest.raises(BridgeError, match=r"no more questions for 0\.5 seconds"):
        _ben(there, seconds=0.5).bid(VIEW)


def test_nobody_there(there: StandIn) -> None:
    there.shutdown()
    there.server_close()
    with pytest.raises(BridgeError, match="is it started"):
        _ben(there, seconds=1).bid(VIEW)


@pytest.mark.parametrize("url", ["127.0.0.1:8085", "ftp://127.0.0.1", "http://", "http://[", "x"])
def test_an_address_that_is_none(url: str) -> None:
    with pytest.raises(OptionError, match="no address like"):
        Ben(url)


def test_another_machine_is_asked_only_when_that_is_meant() -> None:
    with pytest.raises(OptionError, match="anywhere=True"):
        bidder("ben(url='http://192.0.2.1:8085')")
    assert bidder("ben(url='http://192.0.2.1:8085', anywhere=True)").system == "two-over-one"
    assert bidder("ben(plays='sayc +bergen')").system == "sayc +bergen"


def test_no_file_may_name_it() -> None:
    with pytest.raises(Untrusted):
        BIDDERS.as_data("ben")
    with pytest.raises(Untrusted):
        PLAYERS.as_data("ben")


BOARD = Board.random(2, seed=1)
AUCTION = Auction.parse("P 1NT P 3NT AP", BOARD.dealer)


def _player(there: StandIn) -> BenPlayer:
    return BenPlayer(f"http://127.0.0.1:{there.server_port}")


def _after(cards: str) -> View:
    contract = AUCTION.contract
    assert contract is not None
    play = Play.of(contract)
    for text in cards.split():
        play = play.then(Card.parse(text), BOARD.deal[play.turn])
    return view_of(BOARD, AUCTION, play)


def test_the_lead_is_a_question_of_its_own(there: StandIn) -> None:
    there.said = json.dumps({"card": "DT", "who": "NN"}).encode()
    decision = _player(there).play(_after(""))
    assert (decision.card.ascii, decision.why) == ("DT", "BEN: NN")
    assert [path for path, _ in there.asked] == ["/lead"]
    assert "dummy" not in there.asked[0][1]


def test_a_card_from_dummy_is_asked_of_declarer(there: StandIn) -> None:
    view = _after("")
    lead = view.legal_cards().cards()[0]
    view = _after(lead.ascii)
    there.said = json.dumps({"card": "S2"}).encode()
    assert _player(there).play(view).card.ascii == "S2"
    path, query = there.asked[0]
    assert (path, query["played"]) == ("/play", lead.ascii)
    assert view.play is not None
    assert query["seat"] == view.play.declarer.letter != view.play.turn.letter
    assert query["hand"] == str(BOARD.deal[view.play.declarer])
    assert query["dummy"] == str(BOARD.deal[view.play.turn])


def test_our_own_service_plays_a_board_through_its_questions(
    there: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "USUAL_PLAYER", "highest")
    there.said = b"ours"
    asked = play_board(BOARD, AUCTION, [_player(there)] * 4)[0]
    assert len(asked.cards) == 52
    assert {path for path, _ in there.asked} == {"/lead", "/play"}
    assert len(there.asked) < 52  # where only one card is allowed nothing is asked


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (b'{"message": "Not this player to lead"}', r"no card in its answer \(200\) Not this"),
        (b'{"card": "ZZ"}', "'ZZ' is no card"),
        (b'{"bid": "1S"}', "no card"),
        (b"[]", "no card"),
    ],
)
def test_a_wrong_card_is_one_line(there: StandIn, said: bytes, told: str) -> None:
    there.said = said
    with pytest.raises(BridgeError, match=told):
        _player(there).play(_after(""))


def test_a_player_has_the_string_that_makes_it() -> None:
    assert player("ben").name == "ben"
    assert player("ben(seconds=300)").name == "ben(seconds=300)"
    with pytest.raises(OptionError, match="anywhere=True"):
        player("ben(url='http://192.0.2.1:8085')")
