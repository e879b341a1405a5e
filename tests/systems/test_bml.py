"""Texts of systems in BML. The samples are our own, in the styles that are seen in public."""

from pathlib import Path

import pytest

from overtrick.game.errors import ParseError
from overtrick.systems import bml, load
from overtrick.systems.bml import steps_of
from overtrick.systems.book import to_bml, walk

TABLES = """#+TITLE: Small club
#+AUTHOR: Somebody
// a remark

* Openings

A paragraph that speaks of 1!c and of
2NT rebids is no table.

1C  Strong, 16+
  1D   Negative
    1HS  Natural
  2m   Positive, 5+
  2steps  Both majors
1D  2+!d, 11--15
    a) balanced
    b) diamonds
1M = 5+ major
2X  Weak
2N/3N  Gambling

** After one notrump

1N-2C;
2D No major
  3HS Smolen
2M Four cards
2oM ?

(1N)-
D  = Strong
  (2X)
    D = Penalty
2C = Majors

1D-(D)-
R  = 10+

- a list
- of things

N: Kxx    T9     xxx  Q987x
S: A987xx -      Q9xx Axx
"""
PIECES = """#CUT answers
2\\R Transfer
  2\\M Taken
#ENDCUT

#VUL N0
#SEAT 12

#HIDE
1N 12--14
  #PASTE answers \\R=D \\M=H
  #PASTE answers \\R=H \\M=S

#SEAT 0
#VUL Y0

1N 15--17
"""


def test_tables_are_auctions() -> None:
    book = bml.loads(TABLES)
    assert (book.title, book.author) == ("Small club", "Somebody")
    assert book.says(steps_of("1C-1D-1S")) == "Natural"
    assert book.says(steps_of("1C-2D")) == "Positive, 5+"  # m: the minor nobody has bid
    assert book.says(steps_of("1C-2C")) is None
    assert book.says(steps_of("1C-1H")) == "Both majors"
    assert book.says(steps_of("1D")) == "2+♦, 11–15 a) balanced b) diamonds"
    assert book.says(steps_of("1S")) == "5+ major"
    assert book.says(steps_of("2H")) == "Weak"
    assert book.says(steps_of("3N")) == "Gambling"
    assert book.says(steps_of("1N-2C-2D-3S")) == "Smolen"
    assert book.says(steps_of("(1N)-D-(2H)-D")) == "Penalty"
    assert book.says(steps_of("1D-(D)-R")) == "10+"
    assert [c for c, _ in book.calls_after(steps_of("(1N)"))] == [1, 8]
    assert book.lines["list"] == 2
    assert book.lines["deal"] == 2
    assert "no table" in book.prose[0]


def test_what_has_no_place_is_listed_with_its_line() -> None:
    book = bml.loads(TABLES)
    assert [(u.place.line, u.why) for u in book.unmapped] == [(28, "no legal auction")]
    odd = bml.loads("1N-\n2C Stayman\nv2D  ?\n\n#PASTE nothing\n\n#ODD\n\n#INCLUDE x.bml\n")
    assert [u.why for u in odd.unmapped] == [
        "not a call", "nothing was copied under this name", "not an instruction of BML",
        "a file that is not here",
    ]  # fmt: skip
    lost = bml.loads("#CUT a\n1C Club\n#ENDCUT\n")
    assert "never pasted" in str(lost.unmapped[0])


def test_pieces_seats_and_vulnerability() -> None:
    book = bml.loads(PIECES)
    assert not book.unmapped
    one = steps_of("1N")
    assert book.says(one, seat=2) == "12–14"
    assert book.says(one, seat=3) is None
    assert book.says(one, seat=3, we_vul=True) == "15–17"
    assert book.says(steps_of("1N-2H-2S")) == "Taken"


def test_files_include_files_of_their_folder(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "nt.bml").write_text("1N  15--17\n")
    (tmp_path / "all.bml").write_text("#INCLUDE sub/nt.bml\n\n#INCLUDE ../secret.txt\n")
    book = bml.load(tmp_path / "all.bml")
    assert book.says(steps_of("1N")) == "15–17"
    assert [u.why for u in book.unmapped] == ["a file that is not here"]
    (tmp_path / "a.bml").write_text("#INCLUDE b.bml\n")
    (tmp_path / "b.bml").write_text("#INCLUDE a.bml\n")
    with pytest.raises(ParseError, match=r"a\.bml includes itself"):
        bml.load(tmp_path / "a.bml")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1C Club\n" * 200_000, "at most 1 MB"),
        ("#CUT a\n#PASTE a\n#ENDCUT\n#PASTE a\n", "pastes itself"),
        ("#COPY a\n" + "x y\n" * 300 + "#ENDCOPY\n" + "#PASTE a\n" * 200, "lines with everything"),
    ],
)  # fmt: skip
def test_texts_that_would_never_end(text: str, words: str) -> None:
    with pytest.raises(ParseError, match=words):
        bml.loads(text)


def test_a_row_stands_for_a_bounded_number_of_auctions() -> None:
    row = "1X-(1Y)-2Z-(2N)-3CDHS-(3N)-4CDHS-(4N)-5CDHS-(5N)-6CDHS"
    book = bml.loads(f"{row} Odd\n")
    assert "more than" in book.unmapped[0].why


def test_our_systems_are_written_and_read_back() -> None:
    system = load("sayc")
    book = bml.loads(to_bml(system, 1))
    assert not book.unmapped
    for auction, found in walk(system, 1):
        ours = "-".join(_short(c) for c in auction[::2])
        for entry in found:
            steps = steps_of(f"{ours}-{_short(entry.call)}" if ours else _short(entry.call))
            assert (book.says(steps) or "").startswith(entry.words.split(" [")[0][:20])


def _short(call: int) -> str:
    from overtrick.game import CALLS

    return {0: "P", 1: "D", 2: "R"}.get(call, CALLS[call].ascii.replace("NT", "N"))
