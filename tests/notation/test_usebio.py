"""A club's evening as USEBIO XML."""

from __future__ import annotations

from dataclasses import replace

import pytest

from overtrick import Board, Record, play_table
from overtrick.notation import dumps, loads
from overtrick.notation.reading import Warnings
from overtrick.notation.usebio import read

SAMPLE = """<?xml version="1.0" encoding="iso-8859-1"?>
<!DOCTYPE USEBIO SYSTEM "usebio_v1_2.dtd">
<USEBIO Version="1.2">
 <CLUB><CLUB_NAME>Test</CLUB_NAME></CLUB>
 <EVENT EVENT_TYPE="PAIRS">
  <EVENT_DESCRIPTION>Monday &amp; friends</EVENT_DESCRIPTION><DATE>18/11/2024</DATE>
  <SESSION><SECTION SECTION_ID="A">
   <PARTICIPANTS>
    <PAIR><PAIR_NUMBER>1</PAIR_NUMBER><DIRECTION>NS</DIRECTION>
     <PLAYER><PLAYER_NAME>Ann</PLAYER_NAME></PLAYER>
     <PLAYER><PLAYER_NAME>Bob</PLAYER_NAME></PLAYER></PAIR>
    <PAIR><PAIR_NUMBER>1</PAIR_NUMBER><DIRECTION>EW</DIRECTION>
     <PLAYER><PLAYER_NAME>Eve</PLAYER_NAME></PLAYER>
     <PLAYER><PLAYER_NAME>Will</PLAYER_NAME></PLAYER></PAIR>
   </PARTICIPANTS>
   <BOARD><BOARD_NUMBER>2</BOARD_NUMBER>
    <TRAVELLER_LINE><NS_PAIR_NUMBER>1</NS_PAIR_NUMBER><EW_PAIR_NUMBER>1</EW_PAIR_NUMBER>
     <CONTRACT>4Sx</CONTRACT><PLAYED_BY>S</PLAYED_BY><LEAD>HK</LEAD><TRICKS>9</TRICKS>
     <SCORE>-200</SCORE><NS_MATCH_POINTS>2</NS_MATCH_POINTS></TRAVELLER_LINE>
    <TRAVELLER_LINE><NS_PAIR_NUMBER>1</NS_PAIR_NUMBER><EW_PAIR_NUMBER>1</EW_PAIR_NUMBER>
     <CONTRACT>PASS</CONTRACT></TRAVELLER_LINE>
    <TRAVELLER_LINE><NS_PAIR_NUMBER>1</NS_PAIR_NUMBER><EW_PAIR_NUMBER>1</EW_PAIR_NUMBER>
     <SCORE>A60</SCORE></TRAVELLER_LINE>
   </BOARD></SECTION></SESSION>
  <HANDSET><BOARD><BOARD_NUMBER>3</BOARD_NUMBER>
   <HAND><DIRECTION>North</DIRECTION><SPADES>AKQJ1098765432</SPADES><HEARTS/><DIAMONDS/>
    <CLUBS/></HAND></BOARD></HANDSET>
 </EVENT>
</USEBIO>"""


def test_results_names_and_hands() -> None:
    found = loads(SAMPLE)
    assert found.warnings == ()
    first, passed, adjusted, unplayed = found
    assert (first.number, str(first.contract), first.tricks, first.ns_score) == (
        2,
        "4♠X South",
        9,
        -200,
    )
    assert first.names == ("Ann", "Eve", "Bob", "Will")
    assert first.tags["Event"] == "Monday & friends"
    assert first.tags["Date"] == "2024.11.18"
    assert (first.tags["Lead"], first.tags["MatchPointsNS"]) == ("HK", "2")
    assert passed.is_passed_out
    assert adjusted.tags["Score"] == "A60"
    assert unplayed.number == 3
    assert unplayed.deal is not None
    assert len(unplayed.deal[0]) == 13


def played(number: int) -> Record:
    record = play_table(Board.random(number, seed=number), ["points+highest"] * 4).record()
    names = ("Ann", f"E{number % 3}", "Bob", f"W{number % 3}")
    return replace(record, number=number, names=names, tags={"Event": "Club", "Date": "2026.01.02"})


def test_an_evening_of_two_hundred_boards_comes_back() -> None:
    asked = [played(number) for number in range(1, 201)]
    found = loads(dumps(asked, "usebio"))
    assert found.warnings == ()
    assert len(found) == 200
    for ours, theirs in zip(asked, found, strict=True):
        for name in ("number", "dealer", "vul", "deal", "auction", "contract", "play", "tricks",
                     "names"):  # fmt: skip
            assert getattr(theirs, name) == getattr(ours, name), (ours.number, name)
        assert theirs.ns_score == ours.ns_score
    again = loads(dumps(found, "usebio"))
    assert again.records == found.records


@pytest.mark.parametrize(
    "text",
    [
        '<!DOCTYPE USEBIO [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><USEBIO>&b;</USEBIO>',
        "<USEBIO><EVENT>",
        "<USEBIO/>",
        "",
    ],
)
def test_what_is_no_evening_is_a_warning(text: str) -> None:
    warnings = Warnings(text)
    assert read(text, warnings) == []
    assert warnings.found


def test_a_section_in_a_section_is_read_once() -> None:
    """However deep somebody puts them into each other: each was read with all inside it once."""
    board = (
        "<BOARD><BOARD_NUMBER>3</BOARD_NUMBER><TRAVELLER_LINE><NS_PAIR_NUMBER>1</NS_PAIR_NUMBER>"
        "<EW_PAIR_NUMBER>2</EW_PAIR_NUMBER><CONTRACT>PASS</CONTRACT></TRAVELLER_LINE></BOARD>"
    )
    deep = f"<USEBIO><EVENT>{'<SECTION>' * 300}{board}{'</SECTION>' * 300}</EVENT></USEBIO>"
    assert len(loads(deep).records) == 1
