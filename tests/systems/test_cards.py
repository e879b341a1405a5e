"""Cards: one line, a file of ours, BBA's, a page to print; a card will do where a system does."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick.bidding import BIDDERS, bidder
from overtrick.engines import Untrusted
from overtrick.game import (
    Auction,
    BridgeError,
    Hand,
    ParseError,
    Seat,
    Systems,
    View,
    Vulnerability,
)
from overtrick.systems import agreed, bbsa, card, declared, library_names, load
from overtrick.systems.card import Character, ConventionCard, Imported, dumps, loads, parse_line
from overtrick.systems.cardpage import FORMS, facts_of, page

NAMES = sorted(load("two-over-one").titles)


@given(st.dictionaries(st.sampled_from(NAMES), st.booleans()), st.text(max_size=60),
       st.dictionaries(st.text(max_size=20), st.text(max_size=99), max_size=3))  # fmt: skip
def test_files_and_lines_are_read_back(
    switches: dict[str, bool], name: str, notes: dict[str, str]
) -> None:
    made = ConventionCard("sayc", switches, name, notes)
    assert card.parse_line(made.line) == ConventionCard("sayc", switches)
    again = card.loads(card.dumps(made))
    assert (again.system, again.switches) == ("sayc", switches)
    assert len(again.notes) == len({card._key(k) for k in notes})


@pytest.mark.parametrize("name", [n for n in library_names() if n != "natural"])
def test_our_cards_survive_bba(name: str) -> None:
    standard = load(name)
    changed = [c for c in standard.conventions if not c.fixed and not c.needs][::5]
    systems = [standard, load(name, (), tuple(c.name for c in changed if c.on))]
    for system in systems:
        back = card.fitted(bbsa.loads(bbsa.dumps(system)))
        assert not back.unmapped
        assert load(back.card.line).switches == system.switches


def test_every_line_of_a_bba_card_is_accounted_for() -> None:
    read = bbsa.loads(
        "System type = 0\nBergen = 0\nFourth suit = 1\nFourth suit game force = 0\n"
        "Two Way New Minor Forcing = 1\nMulti = 1\nLandy = 0\n1NT opening range 12-14 = 1\n"
        "Not defined = 0\nOpponent type = 0\n", "x.bbsa",
    )  # fmt: skip
    assert read.card.system == "two-over-one"
    assert read.card.switches == {
        "bergen": False, "fourth-suit-forcing": True, "two-way-checkback": True,
    }  # fmt: skip
    assert read.unmapped == (
        "x.bbsa:6: Multi = 1: no switch here",
        "x.bbsa:8: 1NT opening range 12-14 = 1: 1NT is 15–17 in two-over-one",
    )
    written = bbsa.dumps(load("sayc")).splitlines()
    assert written[0] == "System type = 1"
    assert written[-1] == "Opponent type = 0"
    assert all(" = " in line for line in written)
    assert set(bbsa.BBSA_NAMES.values()) <= set(load("sayc").titles)


def test_a_card_is_a_system(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(card.dumps(ConventionCard("two-over-one", {"bergen": False}, "Anna")))
    over = tmp_path / "ours.toml"
    over.write_text('card = 1\nsystem = "mine.toml"\n[switches]\ndont = true\n')
    line = "two-over-one -bergen -cappelletti +dont"
    assert agreed(str(over)) == line
    for spec in (f"rules(system='{over}')", "rules(system=two-over-one, on=dont, off=bergen)",
                 f"partner(system='{line}', batches=0)", f"pidm(system='{over}')"):  # fmt: skip
        engine = bidder(spec)
        assert engine.system == line  # what it declares
        assert bidder(BIDDERS.as_data(engine.name)).system == line  # and what is kept of it
    assert not load(str(over)).switches["bergen"]


def test_opponents_read_the_card_that_was_declared() -> None:
    ours = bidder("rules(system=sayc)")
    hand = Hand.parse("A32.K32.Q432.J32")
    auction = Auction.parse("1NT X", Seat.NORTH)
    meanings = []
    for theirs in ("two-over-one", "two-over-one +dont"):
        systems = Systems("sayc", theirs)
        view = View(Seat.SOUTH, hand, auction, Vulnerability.NONE, systems=systems)
        meanings.append(ours.reading(view).systems[1].switches["dont"])  # type: ignore[attr-defined]
    assert meanings == [False, True]
    assert declared("two-over-one +dont") == "two-over-one -cappelletti +dont"


def test_what_others_say_reads_no_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(card.dumps(ConventionCard("sayc")))
    assert declared(str(file)) == ""
    assert declared(str(tmp_path)) == ""
    assert declared("sayc +" + "x" * 9999) == ""
    for text in (str(file), str(tmp_path), "mine.toml", "..", "sayc/../x", "sayc\n"):
        for spec in (f"rules(system={text!r})", f"pidm(theirs={text!r})",
                     f"bandit(fallback={f'rules(system={text!r})'!r})"):  # fmt: skip
            with pytest.raises(Untrusted):
                BIDDERS.as_data(spec)
    assert BIDDERS.as_data("rules(system='sayc +dont -bergen')")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('card = 1\nsystem = "sayc"\n[switches]\ndont = true\ncappelletti = true\n',
         "cappelletti and dont cannot be played together"),
        ('card = 1\nsystem = "sayc"\n[switches]\nsmolen = true\nstayman = false\n',
         "smolen needs stayman"),
        ('card = 1\nsystem = "sayc"\n[switches]\nbregen = true\n', "bergen"),
        ('card = 1\nsystem = "acolade"\n', "no bidding system called 'acolade'"),
        ('card = 9\nsystem = "sayc"\n', "not a card of this program, or of a newer one"),
        ("[Options]\nSystem=Precision\n", "not a card"),
        ('title = "x"\n', "has no line `card = 1`"),
        ('card = 1\nsystem = "sayc"\n[switches]\ndont = "yes"\n', "true or false"),
        ('card = 1\nsystem = "card.toml"\n', "in a circle: card.toml → card.toml"),
        ("card = 1\n" + "#" * 10_000_000, "at most 64 kB; card.toml has 10.0 MB"),
        ("a = " + "[" * 5000, "not a card"),
        ("card = 1\n", "names no system"),
    ],
)  # fmt: skip
def test_each_wrong_card_is_one_clear_line(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "card.toml"
    file.write_text(text)
    with pytest.raises(BridgeError) as error:
        load(str(file))
    assert words in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("x.bbsa", b"Bidding system: Precision\n", "reads `Name = 0 or 1`"),
        ("x.bbsa", b"Bergen = 1\n" * 3000, "at most 2000 lines"),
        ("x.bbsa", b"\xff\xfe\x00\x80", "is no text"),
        ("x.ini", b"Port=2000\n", "is no card that can be read here"),
        ("x.toml", b"\x80\x81", "is no text"),
    ],
)  # fmt: skip
def test_cards_of_unknown_programs(tmp_path: Path, name: str, data: bytes, words: str) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(BridgeError, match=words):
        card.read(tmp_path / name)
    with pytest.raises(BridgeError):
        card.read(tmp_path / "missing.toml")


def test_what_another_system_lacks_is_listed() -> None:
    read = card.fitted(
        Imported(ConventionCard("sayc", {"multi-9": True, "strong-2c": False, "x": False}))
    )
    assert read.unmapped == (
        "multi-9: sayc has no such convention", "strong-2c off: it is part of sayc",
    )  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_the_printed_card_tells_every_convention(form: str) -> None:
    system = load("two-over-one +dont")
    made = ConventionCard("two-over-one", {"dont": True}, "Anna <b>", {"leads": "third"})
    text = page(system, made, form)  # type: ignore[arg-type]
    assert "Anna &lt;b&gt;" in text
    assert "leads: third" in text
    for convention in facts_of(system).conventions:
        assert f"✓ {convention.title}" in text.replace("<b>", "").replace("</b>", "")


def test_a_match_keeps_the_card_and_not_its_file(tmp_path: Path) -> None:
    from overtrick.arena.job import Match

    file = tmp_path / "mine.toml"
    file.write_text(card.dumps(ConventionCard("sayc", {"bergen": False})))
    job = Match(f"rules(system='{file}')+highest", "rules(system=sayc)", 1)
    assert job.a == "rules(system=sayc)+highest"  # sayc has no Bergen anyway
    file.write_text(card.dumps(ConventionCard("two-over-one", {"bergen": False})))
    assert Match(f"rules(system='{file}')", "pass", 1).a == "rules(system='two-over-one -bergen')"


def test_a_character_stands_on_the_card() -> None:
    """In the line, in the file, and on a card that is built on another; a partner takes it up."""
    card = parse_line("sayc +dont character=usual")
    assert card.character is Character.USUAL
    assert card.line == "sayc +dont character=usual"
    assert loads(dumps(card)).character is Character.USUAL
    assert load(card.line).source == "sayc"
    assert parse_line("sayc").character is None
    with pytest.raises(ParseError, match="a character is disciplined, usual, free, not wild"):
        parse_line("sayc character=wild")
    with pytest.raises(ParseError, match="not 3"):
        loads('card = 1\nsystem = "sayc"\ncharacter = 3\n')
