"""The review: boards read from text, double dummy, engines' opinions, the bid decoder."""

from __future__ import annotations

import warnings
from urllib.parse import quote

import numpy as np

from overtrick.cardplay.evidence.ranges import auction_likelihood
from overtrick.game import Play, Seat, view_of
from overtrick.service.robot import QUESTIONS
from overtrick.web import possible, review
from tests.web.conftest import plain

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient

LIN = (
    "pn|a,b,c,d|st||md|3SAKQ2HAK3DAK2CA32,SJT98HQJTDQJTCQJT,S7654H654D654C654,|sv|o|ah|Board 1|"
    "mb|p|mb|p|mb|3N|mb|p|mb|p|mb|p|pc|SJ|pc|S4|pc|S3|pc|SA|"
)


def test_a_link_is_read_with_its_auction_and_play(client: TestClient) -> None:
    link = "https://www.bridgebase.com/tools/handviewer.html?lin=" + quote(LIN)
    found = client.post("/api/review/read", json={"text": link}).json()
    (board,) = found["boards"]
    assert board["contract"] == "3NT"
    assert board["declarer"] == "S"
    assert board["cards"] == ["SJ", "S4", "S3", "SA"]
    assert board["lin"].startswith("pn|")
    assert '[Deal "' in board["pbn"]
    assert "handviewer" in board["link"]


def test_double_dummy_par_and_the_cost_of_cards(client: TestClient) -> None:
    solved = client.post("/api/review/solve", json={"text": LIN}).json()
    assert set(solved["table"]) == {"NT", "S", "H", "D", "C"}
    assert solved["table"]["NT"]["S"] == solved["contract"]["tricks"]
    assert [c["card"] for c in solved["cards"]] == ["SJ", "S4", "S3", "SA"]
    for row in solved["cards"]:
        assert row["cost"] >= 0
        assert max(row["worth"].values()) == 0
        assert row["worth"][row["card"]] == -row["cost"]


def test_what_engines_would_have_called(client: TestClient) -> None:
    spec = "rules(system=two-over-one)"
    body = {"text": LIN, "ns": spec, "ew": spec}
    rows = client.post("/api/review/calls", json=body).json()
    assert [r["call"] for r in rows][2] == "3NT"
    south = rows[2]
    assert south["engine"] != "3NT"
    assert south["meaning"]["words"]
    assert south["imps"] is not None
    assert south["instead"]


def test_what_an_engine_would_have_played(client: TestClient) -> None:
    body = {"text": LIN, "player": "pimc", "start": 1, "count": 2}
    rows = client.post("/api/review/cards", json=body).json()
    assert [r["index"] for r in rows] == [1, 2]
    assert all(r["engine"] and r["why"] for r in rows)


def test_a_contract_without_an_auction(client: TestClient) -> None:
    text = """[Board "1"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "N:7654.654.654.654 JT98.QJT.QJT.QJT AKQ2.AK3.AK2.A32 3.9872.9873.K987"]
[Contract "3NT"]
[Declarer "S"]
[Play "W"]
S3 S4 S8 SA
*
"""
    rows = client.post("/api/review/cards", json={"text": text, "player": "pimc", "count": 1})
    assert rows.status_code == 200
    assert rows.json()[0]["card"] == "S3"


def test_many_boards_and_a_bad_one(client: TestClient) -> None:
    bad = "qx|o3|md|3SAK|"
    text = "vg|x,y,I,1,3,a,0,b,0|\n" + "qx|o1|" + LIN + "\n" + bad + "\nqx|o2|" + LIN
    found = client.post("/api/review/read", json={"text": text}).json()
    assert len(found["boards"]) == 2
    assert found["unread"]


def test_four_robots_at_another_table(client: TestClient) -> None:
    body = {"text": LIN, "ns": "points", "ew": "points", "player": "highest"}
    found = client.post("/api/review/table", json=body).json()
    assert len(found["cards"]) in (0, 52)
    assert found["calls"]
    assert found["imps_ns"] is None  # our own board was not played out


def test_the_decoder(client: TestClient) -> None:
    body = {"auction": "1NT Pass 2H Pass", "bidder": "rules(system=sayc)"}
    found = client.post("/api/decode", json=body).json()
    assert "spade" in found["calls"][2]["words"].lower()
    assert {"2S", "3S"} <= {c["call"] for c in found["next"]}
    assert client.post("/api/decode", json={**body, "auction": "1NT 1C"}).status_code == 422


def test_the_description_names_every_path(client: TestClient) -> None:
    found = client.get("/api/openapi.json").json()
    served = {
        r.path.replace(":path}", "}") for r in client.app.routes if r.path.startswith("/api/")
    }
    asked = {f"/{question}" for question in QUESTIONS}
    assert set(found["paths"]) == (served - {"/api/tables/{table}/socket"}) | asked
    for reference in _references(found):
        assert reference.rsplit("/", 1)[1] in found["components"]["schemas"]


def _references(value: object) -> list[str]:
    if isinstance(value, dict):
        own = [value["$ref"]] if "$ref" in value else []
        return own + [r for v in value.values() for r in _references(v)]
    if isinstance(value, list):
        return [r for v in value for r in _references(v)]
    return []


# Without the server: what the worker processes answer.

PBN = """[Board "1"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "N:AQ5.K973.QJ2.A84 KJ2.Q84.K973.652 T983.AT2.A84.KQ3 764.J65.T65.JT97"]
"""
POINTS = ("points", "points")
SAYC = "rules(system=sayc)"


def test_a_call_that_no_rule_makes_is_not_explained_by_another() -> None:
    rows = plain(review.called(PBN + '[Auction "N"]\n7C Pass Pass Pass\n', *POINTS))
    assert rows[0]["engine"] == "1NT"
    assert rows[0]["engine_meaning"] == "15–17 balanced"
    assert rows[0]["meaning"]["words"] == "not explained"


def test_partners_calls_say_what_partner_has() -> None:
    text = PBN + '[Auction "N"]\n1NT Pass 3NT Pass Pass Pass\n'
    north = plain(possible.possible(text, "call", 2, SAYC, SAYC))["hands"]["N"]
    assert [n for n, share in enumerate(north["hcp"]) if share] == [15, 16, 17]


def test_bids_without_an_exact_meaning_are_weighed() -> None:
    text = PBN + '[Auction "N"]\n7C Pass Pass Pass\n'
    assert "weighed" in plain(possible.possible(text, "call", 1, "points", "points"))["how"]


def test_the_picture_knows_the_cards_played() -> None:
    text = PBN + '[Auction "N"]\n1NT Pass 3NT Pass Pass Pass\n[Play "E"]\n'
    lead, later = (
        plain(possible.possible(text + "D3 D4 DT DQ\nC2 CK C7 C4\n", "card", index, SAYC, SAYC))
        for index in (0, 1)
    )
    assert "the cards played" not in lead["how"]
    assert "the cards played" in later["how"]
    east = later["hands"]["E"]
    assert east["cards"]["D3"] == 1
    assert east["cards"]["DK"] > 0.8  # a low card is led from an honour
    assert "DK" not in east["shown"]


def test_the_first_complete_board_is_looked_at() -> None:
    assert review.one('[Deal "N:AQ5.K973.QJ2.A84 - - -"]\n\n' + PBN).board.number == 1


def test_an_auction_cut_short_does_not_change_the_contract() -> None:
    text = PBN + '[Contract "3NT"]\n[Declarer "N"]\n[Auction "N"]\n1NT Pass 2C *\n'
    at = review.one(text + '[Play "E"]\nS2 S3 S4 S5\n')
    auction, meanings = review.heard(at, POINTS)
    assert str(auction.contract) == str(at.contract)
    assert len(meanings) == len(auction)


def test_a_passed_out_board_has_a_score() -> None:
    (board,) = plain(review.boards(PBN + '[Auction "N"]\nPass Pass Pass Pass\n'))["boards"]
    assert board["score_ns"] == 0
    (board,) = plain(review.boards(PBN + '[Result "9"]\n'))["boards"]
    assert board["score_ns"] is None


def test_an_auction_made_up_for_a_contract_tells_nothing_of_declarer() -> None:
    at = review.one(PBN + '[Contract "3NT"]\n[Declarer "N"]\n[Play "E"]\nS2 S3 S4 S5\n')
    auction, meanings = review.heard(at, POINTS)
    assert at.contract is not None
    view = view_of(at.board, auction, Play.of(at.contract), meanings=meanings)
    strong, weak = at.board.deal[Seat.NORTH], at.board.deal[Seat.WEST]
    hands = np.array([strong.bits, weak.bits], np.uint64)
    assert view.seat == Seat.EAST
    assert auction_likelihood(view, Seat.NORTH, hands).tolist() == [0, 0]
