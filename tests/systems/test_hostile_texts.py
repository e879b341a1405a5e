"""Texts of systems that mean harm: read in a time that their size explains, or refused."""

from __future__ import annotations

import random

import pytest

from overtrick.game import BridgeError
from overtrick.systems import bbsa, bml, card, library_names
from overtrick.systems.system import _Loader, system_of_text
from overtrick.web import thinking
from tests.notation.test_fuzz import mutated

HEAD = 'card = 1\nsystem = "sayc"\n'
ALL_BIDS = "/".join(f"{level}CDHSN" for level in range(1, 8))
PASTED = "".join(
    f"#COPY p{i}\n#PASTE p{i - 1} {a}={b * 1000}\n#ENDCOPY\n"
    for i, (a, b) in enumerate(("ab", "bc", "cd"), 1)
)
LAUGHS = "define a0 = hcp 1..2\n" + "".join(
    f"define a{i} = (a{i - 1} or a{i - 1})\n" for i in range(1, 17)
)


@pytest.mark.parametrize(
    "text",
    [
        "P-" * 400_000 + "P  x\n",  # longer than any auction
        "-".join([ALL_BIDS] * 30) + "  x\n",  # every auction there is
        "1X  a\n  2Y  b\n" + "    3Z  c\n" * 300,
        "1C  x\n" + "     and so on\n" * 39_000,
        "#COPY p0\n" + "a" * 1000 + "\n#ENDCOPY\n" + PASTED + "#PASTE p3 d=" + "e" * 1000,
        "#COPY a\n#PASTE a\n#ENDCOPY\n#PASTE a\n",
        "#INCLUDE ../../../etc/passwd\n",
    ],
    ids=["passes", "all bids", "variables", "words", "pasted", "itself", "included"],
)
def test_bml_does_not_grow_beyond_its_text(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bml, "_MOST_IN_ALL", 2000)
    try:
        book = bml.loads(text)
    except BridgeError:
        return
    assert sum(len(row.auctions) for row in book.rows) <= 2000


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "[switches]\na" + ".a" * 30_000 + " = true\n",
        HEAD + "[switches]\na" + ".a" * 1900 + " = true\n",
        HEAD + "x = " + "9" * 3000 + "\n",
        HEAD + "x = " + "9" * 5000 + "\n",
        HEAD + "x = " + "[" * 3000 + "\n",
        "card" + ".a" * 1500 + " = 1\n",
        HEAD + "[switches]\n" + "".join(f"s{i} = true\n" for i in range(500)),
    ],
)
def test_a_card_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(BridgeError):
        card.loads(text)


def test_pieces_of_pieces_have_an_end() -> None:
    with pytest.raises(BridgeError, match="too many defined pieces"):
        system_of_text(LAUGHS + 'after 1NT\n  2C "x" : a16 @50\n')


def test_somebody_s_cards_do_not_drive_out_everybody_s_engines() -> None:
    thinking.bidder_of("rules(system=sayc)")
    before = thinking._usual_bidder.cache_info()
    own = thinking.bidder_of("rules(system='sayc +dont')")
    assert thinking.bidder_of("rules(system='sayc +dont')") is own
    assert thinking._usual_bidder.cache_info() == before


def mutated_systems(number: int, seed: int) -> int:
    """Mutated cards, texts and rule files: read, or refused in one line. How many were refused."""
    rng, refused = random.Random(seed), 0
    root = _Loader().root
    rules = [p.read_bytes() for n in library_names() for p in sorted((root / n).glob("*.bid"))]
    own = card.ConventionCard("sayc", {"dont": True}, "Ann", {"leads": "fourth best"})
    cards = [card.dumps(own).encode(), b"System type = 1\nDrury = 1\n1NT opening range 15-17 = 1\n"]
    text = b"* Openings\n\n1C  Strong\n  1D  Negative\n    1HS  Natural\n1M = 5+\n#COPY a\n2X  w\n"
    readers = (
        (card.loads, cards), (bbsa.loads, cards), (bml.loads, [text + b"#ENDCOPY\n#PASTE a X=M"]),
        (system_of_text, rules),
    )  # fmt: skip
    for _ in range(number):
        read, texts = rng.choice(readers)
        try:
            read(mutated(rng, rng.choice(texts)).decode("utf-8", "replace"))
        except BridgeError:
            refused += 1
    return refused


def test_mutated_systems_are_read_or_refused() -> None:
    assert mutated_systems(400, 5) > 100


@pytest.mark.fuzz
def test_many_mutated_systems_are_read_or_refused() -> None:
    assert mutated_systems(4000, 6) > 1000
