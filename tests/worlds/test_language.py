"""The text of constraints: every phrase of the bidding-language sketch, and precise errors."""

import pytest

from overtrick.worlds import ConstraintError, parse, variables
from overtrick.worlds.shapes import members, parse_shape

SUITS = {"X": 3, "Y": 2, "M": 3, "oM": 2, "m": 0}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("hcp 8+, (hearts 4 or spades 4), not flat", "8+ hcp, (4 hearts or 4 spades), not flat"),
        ("hearts ..3, spades ..3", "at most 3 hearts, at most 3 spades"),
        ("hcp 9+, M 4, oM 5+", "9+ hcp, 4 spades, 5+ hearts"),
        ("losers X ..7", "at most 7 losers with spades as trumps"),
        ("losers ..7", "at most 7 losers"),
        ("stopper Y", "a stopper in hearts"),
        ("no stopper Y", "no stopper in hearts"),
        ("quality X 6+", "quality 6+ in spades"),
        ("controls 4+", "4+ controls"),
        ("points X 10..12", "10–12 points in support of spades"),
        ("aces 2", "2 aces"),
        ("aces 1", "1 ace"),
        ("keycards X 1 or 4", "1 or 4 key cards for spades"),
        ("12-14 hcp, 5+ spades", "12–14 hcp, 5+ spades"),
        ("5 <= HCP <= 10, SUITLEN(♠) = 6", "5+ hcp, at most 10 hcp, 6 spades"),
        ("LOSERS(X,ALL) 4..5", "4–5 losers with spades as trumps"),
        ("X > Y", "more spades than hearts"),
        ("X + Y 9+", "9+ cards in spades and hearts"),
        ("either major 4+", "4+ hearts or 4+ spades"),
        ("2 of AKQ in hearts", "2 of ♥AKQ"),
        ("has SA SK", "♠AK"),
        ("hcp 10 or more", "10+ hcp"),
        ("at most 3 hearts", "at most 3 hearts"),
        ("hcp<5", "at most 4 hcp"),
        ("5332 any", "5-3-3-2"),
        ("5=3=3=2", "5=3=3=2"),
        ("54xx", "5 spades, 4 hearts"),
        ("not hcp 12+", "at most 11 hcp"),
        ("void m", "no clubs"),
        ("any", "any hand"),
        ("hcp 40+", "no hand"),
    ],
)
def test_phrases(text: str, words: str) -> None:
    found = parse(text, SUITS)
    assert found.words() == words
    assert parse(found.text()) == found


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("15-17 balanced", "hcp 15..17, balanced"),
        ("15–17 balanced", "hcp 15..17, balanced"),
        ("balanced 15-17", "balanced, hcp 15..17"),
        ("a balanced hand with 15 to 17 hcp", "balanced, hcp 15..17"),
        ("15-17 or 20-22 balanced", "hcp 15..17 or hcp 20..22, balanced"),
        ("12+, spades 5+", "hcp 12+, spades 5+"),
        ("12-14 not balanced", "hcp 12..14, not balanced"),
        ("hcp 15+, spades 5+ or hearts 5+", "hcp 15+, (spades 5+ or hearts 5+)"),
        ("hcp 15+ and spades 5+ or hearts 5+", "(hcp 15+, spades 5+) or hearts 5+"),
        ("hcp 15+ & (S 5+ | H 5+) & !flat", "hcp 15+, (spades 5+ or hearts 5+), not flat"),
        ("points 13+", "LP 13+"),
        ("semi-balanced", "shape ..1"),
        ("shape any 4333 + any 4432 + any 5332", "balanced"),
        ("♠5+, ♥4-5", "spades 5+, hearts 4..5"),
        ("5-card major", "longer-major 5"),
        ("points < 12", "points ..11.75"),
        ("control H", "ace H or king H or hearts ..1"),
        ("control H 2", "controls H 2"),
        ("not(balanced)", "not balanced"),
    ],
)
def test_ways_to_write_the_same(text: str, same: str) -> None:
    assert parse(text) == parse(same)


def test_names_are_defined_pieces_read_with_the_same_suits() -> None:
    names = {"garbage": "hcp ..7, both majors 4+", "fit": "M 3+", "good": "fit, hcp 10+"}
    assert parse("garbage", names=names).words() == "at most 7 hcp, 4+ hearts, 4+ spades"
    assert parse("good", {"M": 2}, names).words() == "3+ hearts, 10+ hcp"
    with pytest.raises(ConstraintError, match="defined by itself"):
        parse("a", names={"a": "b or hcp 3", "b": "a"})


def test_variables_are_listed_in_order() -> None:
    assert variables("M 4, oM 5+, losers M ..7, LOSERS(X,ALL) 3") == ["M", "oM", "X"]
    assert variables("hcp 12..14, spades 5+") == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hcp", "expected a range for hcp such as 5+, 2..4 or ..3 at position 4"),
        ("", "expected a constraint at position 1"),
        ("hcp 12, ", "expected a constraint at position 9"),
        ("M 5+", "the suit M is not bound here"),
        ("(hcp 12", "expected a closing bracket"),
        ("hcp 12 spades 5", "expected a comma"),
        ("frobs 3", "no such feature 'frobs' (`overtrick deal --words` lists what there is"),
        ("quality 5+", "expected a suit after 'quality'"),
        ("15-17 ballanced", "no such feature 'ballanced' (did you mean balanced?)"),
        ("15-17 or 5+ spades", "a suit has thirteen cards; write hcp before the points"),
        ("combined hcp 25+", "no such feature 'combined'"),
        ("shape 5333", "no thirteen cards have this shape at position 7"),
        ("has XY", "expected cards"),
        ("hcp 3 ; spades", "unexpected ';' at position 7"),
        ("(" * 2000 + "hcp 3", "too many brackets"),
        ("not " * 2000 + "hcp 3", "too many brackets"),
        ("spades > spades", "expected another suit"),
        ("> -", "expected a number"),
    ],
)
def test_errors_say_what_and_where(text: str, message: str) -> None:
    with pytest.raises(ConstraintError) as caught:
        parse(text)
    assert message in str(caught.value)


def test_shapes() -> None:
    assert members(parse_shape("4=3=3=3")) == [(3, 3, 3, 4)]
    assert len(members(parse_shape("any 4432"))) == 12
    assert len(members(parse_shape("(54)31"))) == 2
    assert len(members(parse_shape("10-2-1-0"))) == 24
    assert parse("shape any 4333 + any 4432 + any 5332") == parse("balanced")
    assert parse("shape balanced - 5332").holds(0) is False
