"""LIN: single boards, vugraph files, hand viewer links, and round trips."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from overtrick.game import Contract, Hand, Note, Record, Seat, Vulnerability
from overtrick.notation import dumps, from_url, load, loads, to_url
from tests.notation.strategies import records

GOLDEN = Path(__file__).parent.parent / "golden" / "notation"
BOARD = (
    "pn|sue,will,nora,ed|st||md|1S2358QHAD3569C49T,S7TH456JKD47TC28A,S4KH379QDJQCJQK76,|rh||"
    "ah|Board 3|sv|e|mb|p|mb|1n!|an|12-14, 5+ hearts possible|mb|D|mb|R|mb|2c|mb|p|mb|p|mb|p|pg||"
    "pc|h5|pc|h3|pc|h2|pc|ha|mc|8|"
)


def test_a_single_board() -> None:
    loaded = loads(BOARD)
    assert loaded.warnings == ()
    (record,) = loaded.records
    assert (record.number, record.dealer, record.vul) == (3, Seat.SOUTH, Vulnerability.EW)
    assert record.names == ("nora", "ed", "sue", "will")
    assert record.deal is not None
    assert record.deal[Seat.SOUTH] == Hand.parse("Q8532.A.9653.T94")
    assert len(record.deal[Seat.EAST]) == 13  # given as the rest
    assert record.auction is not None
    assert record.auction.ascii == "Pass 1NT X XX 2C Pass Pass Pass"
    assert record.call_notes == {1: Note("12-14, 5+ hearts possible", True)}
    assert record.contract == Contract.parse("2C S")
    assert (record.tricks, record.claimed) == (8, True)
    assert dumps(record, "lin") == BOARD


def test_claims_that_cannot_be_are_noticed() -> None:
    loaded = loads(BOARD.replace("mc|8|", "mc|0|"))
    assert [w.text for w in loaded.warnings] == [
        "a result of 0 tricks, but declarer has 1 with 12 to come"
    ]
    assert loaded[0].tricks == 0  # as the file says


def test_vugraph() -> None:
    loaded = load(GOLDEN / "vugraph.lin")
    assert loaded.warnings == ()
    open_room, closed_room, passed = loaded
    told = {k: v for k, v in open_room.tags.items() if not k.startswith("LIN_")}
    assert told == {
        "Event": "Autumn Trophy, Segment 2", "Room": "Open", "Scoring": "IMP",
        "HomeTeam": "Reds", "VisitTeam": "Blues",
    }  # fmt: skip
    through_pbn = loads(dumps(loaded.records, "pbn", layout="export"))
    head = (GOLDEN / "vugraph.lin").read_text(encoding="utf-8").splitlines()[0]
    assert dumps(through_pbn.records, "lin", layout="export").startswith(head)
    assert open_room.names == ("N1", "E1", "S1", "W1")
    assert closed_room.names == ("N2", "E2", "S2", "W2")
    assert (open_room.number, closed_room.number, passed.number) == (9, 9, 10)
    assert open_room.tricks == 9
    assert closed_room.tricks == 8  # from the header's list of results
    assert open_room.call_notes[4].text == "take-out, 4+!s"
    assert open_room.call_notes[9].comment == "A quiet lead works best."
    assert passed.is_passed_out
    assert dumps(loaded, "lin") == (GOLDEN / "vugraph.lin").read_text()


def test_links_both_ways() -> None:
    (record,) = loads(BOARD)
    url = to_url(record)
    assert url.startswith("https://www.bridgebase.com/tools/handviewer.html?lin=pn%7C")
    assert from_url(url)[0] == record  # "5+ hearts" is still 5+
    assert loads(url)[0] == record


def test_the_viewers_own_parameters() -> None:
    url = (
        "https://www.bridgebase.com/tools/handviewer.html?n=sakqh765d432c5432&s=sjt9hakqd765cakqj"
        "&d=s&v=b&b=12&a=1n!(15-17)p3npp-p&p=s2h3&nn=North+Star"
    )
    (record,) = from_url(url)
    assert record.names[0] == "North Star"
    assert record.number == 12
    assert record.vul == Vulnerability.ALL
    assert record.contract == Contract.parse("3NT S")
    assert record.call_notes[0] == Note("15-17", True)
    assert record.play is not None
    assert len(record.play) == 2


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        ("md|1SAA,,,|", "line 1: South: the hand holds SA twice"),
        ("md|1,,,|\nmb|1C|mb|9Z|", "line 2: not a call: 9Z"),
        ("md|1,,,|mb|1S|\nmb|1H|", "call 2, 1H: insufficient"),
        ("md|1,,,|mb|1S|\nmb|p|mb|p|mb|p|pc|SA|pc|SA|", "card 2, SA: it has been played already"),
        ("md|1,,,|sv|q|mb|p|", "line 1: no such vulnerability: q"),
        ("md|1,,,|mb|1C|mb|p|mb|p|mb|p|mc|99|", "a claim is a number of tricks, not 99"),
        ("st||rh||", "no board found"),
    ],
)
def test_warnings(text: str, warning: str) -> None:
    assert any(warning in str(w) for w in loads(text, "lin").warnings)


def test_free_headings_and_several_boards() -> None:
    loaded = loads("md|1,,,|ah|Final table|mb|1C|\nmd|2,,,|ah|board7|mb|p|\n")
    assert loaded[0].tags["Title"] == "Final table"
    assert [r.dealer for r in loaded] == [Seat.SOUTH, Seat.WEST]
    assert loaded[1].number == 7


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(records(lin=True), min_size=1, max_size=3))
def test_round_trip(made: list[Record]) -> None:
    text = dumps(made, "lin")
    again = loads(text, "lin")
    assert again.warnings == ()
    for record, read in zip(made, again, strict=True):
        if not read.auction:  # a board without calls has none in LIN
            assert not record.auction
            continue
        assert read == record
    assert dumps(again, "lin") == text
    assert from_url(to_url(made[0]))[0] == again[0]


def test_a_vugraph_keeps_its_teams_and_results_in_pbn() -> None:
    """Also of boards whose auction nobody typed in: the result names the contract."""
    hands = "3SAKQ2HAK3DAK2CA32,SJT98HQJTDQJTCQJT,S7654H654D654C654,"
    text = (
        "vg|Final,S1,I,1,2,Italy,10,USA,5|rs|4SXN=,3NW-1|pn|a,b,c,d,e,f,g,h|"
        f"qx|o1|md|{hands}|sv|o|qx|c1|md|{hands}|sv|o|"
    )
    again = loads(dumps(loads(text), "pbn", layout="export"))
    assert again.warnings == ()
    assert [r.contract for r in again] == [Contract.parse("4SX N"), Contract.parse("3NT W")]
    assert [r.tricks for r in again] == [10, 8]
    assert {(r.tags["HomeTeam"], r.tags["VisitTeam"]) for r in again} == {("Italy", "USA")}
    assert again[0].tags["CarryOver"] == "10-5"
    assert again[1].names == ("g", "h", "e", "f")


def test_commentary_of_any_length() -> None:
    """Written to one call in a hundred thousand pieces; read in one go."""
    text = "md|3SAKQ2HAK3DAK2CA32,SJT98HQJTDQJTCQJT,S7654H654D654C654,|mb|p|" + "nt|aa|" * 100_000
    (record,) = loads(text, "lin")
    assert record.call_notes[0].comment == "\n".join(["aa"] * 100_000)


def test_rooms_of_a_vugraph_file_are_written_again() -> None:
    asked = load(GOLDEN / "vugraph.lin").records
    again = loads(dumps(asked, "lin", layout="export"))
    assert again.warnings == ()
    places = [(record.number, record.tags.get("Room")) for record in asked]
    assert [(record.number, record.tags.get("Room")) for record in again] == places
    assert {room for _, room in places} == {"Open", "Closed"}
    assert [record.names for record in again] == [record.names for record in asked]


def test_an_explained_call_is_not_an_alerted_one() -> None:
    (found,) = loads("pn|a,b,c,d|st||md|1,,,|mb|1S|an|natural|mb|2C!|an|Drury|mb|p|")
    assert [(n.text, n.alert) for n in found.call_notes.values()] == [
        ("natural", False), ("Drury", True),
    ]  # fmt: skip
    text = dumps(found, "lin", layout="export")
    assert "mb|1S|an|natural|" in text
    assert "mb|2C!|an|Drury|" in text
