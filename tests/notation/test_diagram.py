"""Diagrams: plain text, SVG that is well formed, HTML that lets nothing through."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

from overtrick.game import Auction, Board, Deal, Hand, Note, PartialDeal, Record, Seat
from overtrick.notation import load
from overtrick.notation.diagram import (
    html_board,
    html_deal,
    html_record,
    side_by_side,
    svg_deal,
    text_auction,
    text_board,
    text_record,
)

SPEC = Path(__file__).parent.parent / "golden" / "notation" / "spec_example.pbn"


def test_text_board() -> None:
    deal = Deal.parse("N:.63.AKQ987.A9732 A8654.KQ5.T.QJT6 J973.J98742.3.K4 KQT2.AT.J6542.85")
    assert text_board(Board.numbered(1, deal)).splitlines() == [
        "Board 1           ♠ –",
        "Dealer North      ♥ 63",
        "None vulnerable   ♦ AKQ987",
        "                  ♣ A9732",
        "♠ KQT2            ┌───N───┐       ♠ A8654",
        "♥ AT              │       │       ♥ KQ5",
        "♦ J6542           W       E       ♦ T",
        "♣ 85              │       │       ♣ QJT6",
        "                  └───S───┘",
        "                  ♠ J973",
        "                  ♥ J98742",
        "                  ♦ 3",
        "                  ♣ K4",
    ]


def test_text_auction() -> None:
    auction = Auction.parse("1NT P 2C", Seat.SOUTH)
    assert text_auction(auction, {2: Note("Stayman", True)}).splitlines() == [
        "West    North   East    South",
        "                        1NT",
        "Pass    2♣(1)   ?",
        "1. 2♣: Stayman",
    ]


def test_side_by_side() -> None:
    lines = side_by_side(PartialDeal.of({Seat.EAST: Hand.parse("AK.QJ.T98.765432")}), [Seat.EAST])
    assert lines == ["East", "♠ AK", "♥ QJ", "♦ T98", "♣ 765432", ""]


def test_svg_is_well_formed() -> None:
    for deal in (Deal.random(1), PartialDeal.parse("N:AK... - - -")):
        tree = ElementTree.fromstring(svg_deal(deal))
        assert tree.tag.endswith("svg")
        assert tree.attrib["role"] == "img"
    assert "spades A K" in svg_deal(PartialDeal.parse("N:AK... - - -"))


def test_notebooks() -> None:
    deal = Deal.random(1)
    assert deal._repr_html_() == html_deal(deal)
    board = Board.random(3, seed=1)
    assert board._repr_html_() == html_board(board)
    assert "Board 3" in html_board(board)


def test_record_page() -> None:
    record = load(SPEC)[0]
    page = html_record(record)
    ElementTree.fromstring(page)
    assert "non-forcing 6-9 points, 6-card" in page
    assert "N-S -300" in page
    assert "5♥X South -2, N-S -300" in text_record(record)


def test_nothing_is_let_through() -> None:
    evil = "<script>alert('x')</script>"
    record = Record(
        1, Seat.NORTH, None, Deal.random(1), Auction.parse("1S"), names=(evil,) * 4,
        call_notes={0: Note(evil, True)}, tags={"Event": evil}, comment=evil + r" \S and !h",
    )  # fmt: skip
    page = html_record(record)
    assert "<script" not in page
    ElementTree.fromstring(page)
    assert "♥" in page


def test_a_name_cannot_move_the_cursor() -> None:
    text = text_record(Record(1, names=("\x1b[2Jevil\x07", "", "", "")))
    assert "evil" in text
    assert all(c.isprintable() or c == "\n" for c in text)
