"""PBN: the specification's own example, every oddity of the format, and round trips."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from overtrick.game import Board, Contract, Deal, Note, Play, Record, Seat, Strain, Vulnerability
from overtrick.notation import NotationError, dump, dumps, load, loads
from overtrick.notation.files import encoded
from overtrick.notation.pbn import PbnGame
from tests.notation.strategies import records

GOLDEN = Path(__file__).parent.parent / "golden" / "notation"
SPEC = GOLDEN / "spec_example.pbn"
FEATURES = GOLDEN / "features.pbn"


def test_specification_example_is_read() -> None:
    loaded = load(SPEC)
    assert loaded.warnings == ()
    (game,) = loaded.records
    assert game.number == 1
    assert game.contract == Contract.parse("5HX S")
    assert game.tricks == 9
    assert game.claimed
    assert game.names == ("Westra", "Kalish", "Leufkens", "Podgor")
    assert game.auction is not None
    assert game.auction.contract == game.contract
    # The auction and the play number their notes separately.
    assert game.call_notes[2].text == "non-forcing 6-9 points, 6-card"
    assert game.call_notes[4].text == "two colors: clubs and diamonds"
    assert game.card_notes == {0: Note("highest of series")}
    # Columns are seats: North ruffed the first trick, so the second begins with the club two.
    assert game.play is not None
    assert [c.ascii for c in game.play.cards[4:8]] == ["C2", "C6", "CK", "C5"]
    assert len(game.play) == 25
    assert game.comment.startswith("\n                S\n")


@pytest.mark.parametrize("layout", ["keep", "export"])
def test_specification_example_survives_unchanged(layout: str) -> None:
    text = SPEC.read_text()
    once = loads(text)
    written = dumps(once, layout=layout)  # type: ignore[arg-type]
    assert written == text
    again = loads(written)
    assert again == once
    assert again[0].source == once[0].source


def test_every_feature_is_kept() -> None:
    text = FEATURES.read_text()
    loaded = loads(text)
    assert dumps(loaded) == text
    exported = loads(dumps(loaded, layout="export"))
    assert exported.records == loaded.records
    assert [str(w) for w in loaded.warnings] == [
        "line 5: no earlier Site to repeat",
        "line 59: board numbers are whole numbers, not 3a",
        "line 72: a deal has four hands, found 1 in 'N:?'",
    ]
    first, irregular, ending, passed, open_room, closed_room = loaded
    assert first.tags["Event"] == "Club night"
    assert first.tags["MyOwnTag"] == 'kept "as it is"'
    assert first.tables["OptimumResultTable"] == (("N", "NT", "9"), ("N", "S", "10"))
    assert first.call_notes[2] == Note("non-forcing", True, (1, 13), "A1\nB1\nC1")
    assert first.card_notes[0] == Note("highest of series", False, (7,), "lead")
    assert first.deal is not None
    assert not first.deal[Seat.EAST]
    assert irregular.tags["Declarer"] == "^E"
    assert irregular.tricks == 8
    assert ending.deal is not None
    assert len(ending.deal[Seat.NORTH]) == 2
    assert ending.play is not None
    assert ending.play.strain == Strain.NT
    assert ending.tags["Event"] == "Irregularities"
    assert passed.is_passed_out
    assert (open_room.tags["Room"], closed_room.tags["Room"]) == ("Open", "Closed")
    assert closed_room.auction is not None
    assert not closed_room.auction.is_over


def test_export_format() -> None:
    out = dumps(load(FEATURES), layout="export")
    assert out.startswith("% PBN 2.1\n% EXPORT\n%BoardsPerPage 2\n")
    assert "3H =1= $1 $13 {A1" in out  # suffixes became glyphs, below 7 in the auction
    assert "SK =1= $7 {lead}" in out  # and from 7 in the play
    assert "1S ^I 1H Pass Pass\n^S 2C *" in out
    assert '[Vulnerable "None"]' in out
    assert "%an escape line between games\n" in out


def test_one_tag_changes_and_every_other_byte_stays() -> None:
    loaded = load(SPEC)
    changed = replace(loaded[0], tricks=10, tags={**loaded[0].tags, "Room": "Open"})
    expected = SPEC.read_text().replace('[Result "9"]', '[Result "10"]\n[Room "Open"]')
    assert dumps(changed) == expected
    game = loaded[0].source
    assert isinstance(game, PbnGame)
    assert game.with_tag("Board", 'x"y').text == game.text.replace('"1"]', '"x\\"y"]', 1)


def test_inherited_values_are_written_out_when_games_part() -> None:
    text = '[Event "##A"]\n[Board "1"]\n\n[Board "2"]\n[Site "s"]\n\n[Site "#"]\n[Board "3"]\n'
    loaded = loads(text)
    assert [r.tags for r in loaded] == [
        {"Event": "A"}, {"Event": "A", "Site": "s"}, {"Event": "A", "Site": "s"},
    ]  # fmt: skip
    assert dumps(loaded) == text
    alone = loads(dumps(loaded[2]))
    assert alone[0] == loaded[2]
    assert '[Site "s"]' in dumps(loaded[2])


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "utf-16", "utf-16-le", "utf-8-sig"])
def test_encodings(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "x.pbn"
    path.write_bytes('[Event "Müller"]\r\n[Board "1"]\r\n'.encode(encoding))
    assert load(path)[0].tags["Event"] == "Müller"


def test_dump_writes_latin_1_or_says_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "x.pbn"
    dump(Record(number=1, names=("Müller", "", "", "")), path)
    assert "M\xfcller".encode("latin-1") in path.read_bytes()
    assert b"\r\n" in path.read_bytes()
    dump(Record(number=1, names=("Łukasz", "", "", "")), path)
    assert b"charset=UTF-8" in path.read_bytes()
    assert load(path)[0].names[0] == "Łukasz"


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        ('[Deal "N:AK.. - -"]', "line 1: a deal has four hands, found 3 in 'N:AK.. - -'"),
        ('[Board "1"]\n[Board "2"]', "line 2: Board again; the first value counts"),
        ('[Board "1"]\n[Dealer "X"]', "line 2: no such seat: X"),
        ('[Dealer "N"]\n[Auction "N"]\n1S 1H',
         "line 2: call 2, 1H: insufficient, the last bid is 1S"),
        ('[Dealer "N"]\n[Auction "N"]\n1S 9Z', "line 2: not a call: 9Z"),
        ('[Contract "3N"]\n[Declarer "N"]\n[Play "E"]\nSA SK SA',
         "line 3: card 3, SA: it has been played already"),
        ('[Board "1"]\n{never closed', "line 2: a comment in braces is never closed"),
        ('[Board "1"]\nwild words', "line 1: stray text: wild"),
        ("[Board 1]\n[Dealer \"N\"]", 'line 1: tag Board is not written as [Board "value"]'),
        ('[Contract "4S"]\n[Declarer "N"]\n[Dealer "N"]\n[Auction "N"]\n1S AP',
         "line 1: the auction ends in 1♠ North"),
        ('[Deal "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"]\n'
         '[Contract "7S"]\n[Declarer "N"]\n[Play "E"]\nSA',
         "line 4: card 1: East does not hold SA"),
    ],
)  # fmt: skip
def test_warnings_say_what_and_where(text: str, warning: str) -> None:
    assert warning in [str(w) for w in loads(text + "\n", "pbn").warnings]


def test_results_agree_with_the_play() -> None:
    deal = Deal.random(3)
    contract = Contract.parse("3NT S")
    play = Play.of(contract)
    while not play.is_over:
        play = play.then(play.legal_cards(deal[play.turn]).cards()[0])
    record = Record(1, Seat.NORTH, Vulnerability.NONE, deal, contract=contract, play=play)
    told = dumps(replace(record, tricks=play.declarer_tricks))
    assert loads(told).warnings == ()
    untold = loads(told.replace(f'[Result "{play.declarer_tricks}"]', '[Result "?"]'))
    assert untold[0].tricks == play.declarer_tricks
    wrong = loads(told.replace(f'[Result "{play.declarer_tricks}"]', '[Result "13"]'))
    assert "but declarer took" in wrong.warnings[0].text
    assert wrong[0].tricks == 13
    adjusted = loads(told.replace(f'[Result "{play.declarer_tricks}"]', '[Result "^13"]'))
    assert adjusted.warnings == ()  # the director's result is no mistake


def test_a_revoke_is_noticed_unless_marked() -> None:
    text = (
        '[Deal "N:AK65.K765.K65.K6 432.432.432.5432 QJT9.QJT9.QJT9.7 87.A8.A87.AQJT98"]\n'
        '[Contract "3NT"]\n[Declarer "W"]\n[Play "N"]\nSA S2 {} S7\n*\n'
    )
    assert loads(text.format("S9")).warnings == ()
    assert loads(text.format("^R C7")).warnings == ()
    (warning,) = loads(text.format("C7")).warnings
    assert str(warning) == "line 4: card 3, C7: South could follow suit"


def test_blank_line_before_the_auction() -> None:
    loaded = loads('[Board "1"]\n[Dealer "N"]\n\n[Auction "N"]\n1S AP\n\n[Board "2"]\n')
    assert [r.number for r in loaded] == [1, 2]
    assert loaded[0].contract == Contract.parse("1S N")


def test_output_of_the_dealer_program() -> None:
    text = (
        '[Event "Hand simulated by dealer with file x, seed 1"]\n[Site "-"]\n[Board "1"]\n'
        '[Dealer "W"]\n[Vulnerable "NS"]\n'
        '[Deal "N:2.T98.K752.KJT84 5.J7642.986.9763 AQ8.AQ5.QJT.AQ52 KJT97643.K3.A43."]\n'
        '[Declarer "?"]\n[Contract "?"]\n[Result "?"]\n\n'
    )
    (record,) = loads(text)
    assert record.deal is not None
    assert record.deal.is_complete
    assert record.contract is None
    assert record.vul == Vulnerability.NS


def test_strict_writer_refuses() -> None:
    with pytest.raises(NotationError, match="Latin-1"):
        dumps(Record(names=("Ł", "", "", "")), strict=True)
    with pytest.raises(NotationError, match="253"):
        dumps(Record(tags={"Event": "x" * 300}), strict=True)
    with pytest.raises(NotationError, match="no such format"):
        dumps(Record(), "doc")


def test_a_table_without_a_head_keeps_its_columns() -> None:
    rows = (("N", "NT", "9"), ("S", "NT", "10"))
    record = Record(number=1, tables={"OptimumResultTable": rows})
    (again,) = loads(dumps(record)).records
    assert again.tables["OptimumResultTable"] == rows


def test_comments_in_a_table_survive() -> None:
    text = '[Board "1"]\n[ScoreTable "A;B"]\n1 2 {over\n\ntwo lines}\n3 4\n'
    loaded = loads(text)
    assert dumps(loaded) == text
    again = loads(dumps(loaded, layout="export"))
    assert again.records == loaded.records
    assert again[0].tables["ScoreTable"] == (("1", "2"), ("3", "4"))


def test_a_name_like_an_inherited_value_stays_a_name() -> None:
    first, second = Record(1, names=("Ann",) * 4), Record(2, names=("#", "##x", "#1", "Bo"))
    again = loads(dumps([first, second]))
    assert again.warnings == ()
    assert [n.strip() for n in again[1].names] == ["#", "##x", "#1", "Bo"]


def test_input_is_bounded() -> None:
    text = '[Board "1"]\n\n' * 1000
    loaded = loads(text, limit=130)
    assert len(loaded) == 10
    assert "only the first 130" in loaded.warnings[0].text
    many = loads('[Dealer "X"]\n\n' * 3000)
    assert len(many.warnings) == 1001


@pytest.mark.parametrize(
    "unit", ["[", "{", '[A "', "\n \n", "a\n \n", "%\n", "[A b]\n", "(", "[[\n"]
)
def test_large_nonsense_takes_linear_time(unit: str) -> None:
    loads('[Board "1"]\n' + unit * (50_000 // len(unit)), "pbn")


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(records(), min_size=1, max_size=3))
def test_round_trip(made: list[Record]) -> None:
    text = dumps(made, "pbn")
    again = loads(text, "pbn")
    assert again.warnings == ()
    assert list(again.records) == made
    assert dumps(again) == text
    assert dumps(again, layout="export") == text


def test_notes_apart_from_each_other_are_read_in_one_go() -> None:
    text = '[Board "1"]\n[Auction "N"]\n1C =1= Pass Pass Pass\n' + '[Note "1:a"]\n\n' * 5000
    (record,) = loads(text, "pbn")
    assert record.call_notes[0].text == "a"
    assert dumps(record, "pbn") == "".join(text)


def test_what_games_repeat_has_an_end() -> None:
    """A few letters that stand for a long text of an earlier game do not multiply it."""
    long = '[Event "##' + "x" * 50_000 + '"]\n[Site "##' + "y" * 300 + '"]\n'
    text = '[Board "1"]\n' + long + "\n" + '[Board "2"]\n\n' * 3000
    loaded = loads(text, "pbn")
    assert len(loaded) == 3001
    assert "repeats too much" in str(loaded.warnings[0])
    assert len(dumps(loaded, "pbn", layout="export")) < 20 * len(text)
    many = "".join(f'[T{i} "##{"z" * 90}"]\n' for i in range(500))
    text = '[Board "1"]\n' + many + "\n" + '[Board "2"]\n\n' * 300
    assert len(dumps(loads(text, "pbn"), "pbn", layout="export")) < 60 * len(text)
    usual = '[Event "##Club night"]\n[Board "1"]\n\n[Board "2"]\n\n[Event "#"]\n[Board "3"]\n'
    assert [r.tags["Event"] for r in loads(usual, "pbn")] == ["Club night"] * 3


@pytest.mark.parametrize(
    ("text", "warned"),
    [
        ('[Board "1"]\n[PlAy "N"]\n[PlAy "N"]\n', "PlAy again; the first value counts"),
        ('[Board "1"]\n[AUCTION "N"]\n1NT\n[AUCTION "N"]\n1C\n', "AUCTION again"),
        ('[Board "1"]\n[bOARD "2"]\n[bOARD "3"]\n', "bOARD again"),
    ],
)
def test_a_tag_in_a_spelling_of_its_own_twice(text: str, warned: str) -> None:
    loaded = loads(text, "pbn")
    assert any(warned in str(w) for w in loaded.warnings)
    assert loaded[0].number == 1
    assert dumps(loaded, "pbn", layout="keep") == text
    assert loads(dumps(loaded, "pbn", layout="export"), "pbn")[0].number == 1


def test_notes_are_numbered_however_they_are_spelled() -> None:
    text = '[Auction "N"]\n1NT =1= Pass Pass =2= Pass\n[NOTE "1:15-17"]\n[NOTE "2:weak"]\n'
    (record,) = loads(text, "pbn")
    assert {i: note.text for i, note in record.call_notes.items()} == {0: "15-17", 2: "weak"}


def test_names_typed_on_windows() -> None:
    (record,) = loads('[North "Zoë O’Brien – “Ž”"]'.encode("cp1252"), "pbn")
    assert record.names[0] == "Zoë O’Brien – “Ž”"
    assert loads(encoded(dumps(record, "pbn"), "pbn"), "pbn")[0].names == record.names
    (record,) = loads(b'[North "\x81 \xe9"]', "pbn")  # no Windows text either
    assert record.names[0] == "\x81 é"


def test_games_without_empty_lines_between_them() -> None:
    boards = [Board.random(number, seed=number) for number in range(1, 5)]
    text = dumps([Record(b.number, b.dealer, b.vul, b.deal) for b in boards])
    joined = text.replace("\n\n", "\n")
    found = loads(joined)
    assert [record.deal for record in found] == [board.deal for board in boards]
    assert len(found.warnings) == 3
    assert all("without an empty line" in str(warning) for warning in found.warnings)
    assert dumps(found, layout="keep") == text  # parted again, and nothing else changed


def test_tags_in_another_order_are_one_game() -> None:
    (found,) = loads('[Deal "N:AKQJT98765432 - - -"]\n[Board "3"]\n[Event "A"]\n')
    assert (found.number, found.tags["Event"]) == (3, "A")


def test_own_words_beyond_latin_1_do_not_spoil_the_first_line() -> None:
    """Other readers take a byte order mark for a part of the first line."""
    board = Board.random(7, seed=1)
    record = Record(7, "S", "All", board.deal, "2C P P P", call_notes={0: Note("0–7", alert=True)})
    data = encoded(dumps(record), "pbn")
    assert data.startswith(b"% PBN 2.1\r\n")
    assert loads(data)[0].call_notes[0].text == "0–7"
    endplay_pbn = pytest.importorskip("endplay.parsers.pbn", reason="endplay comes with dev")
    parsed = endplay_pbn.loads(data.decode("utf-8").replace("\r\n", "\n"))
    assert parsed[0].board_num == 7


def test_quotes_inside_the_cells_of_a_table() -> None:
    text = '[Board "1"]\n[ScoreTable "PairId\\2R;Names"]\n 1 "Ann \\"A\\" B"\n 2 "C:\\\\"\n'
    (found,) = loads(text)
    rows = (("1", '"Ann \\"A\\" B"'), ("2", '"C:\\\\"'))
    assert found.tables["ScoreTable"] == rows
    assert loads(dumps(found, layout="export"))[0].tables["ScoreTable"] == rows
