"""Whatever is written, reading a constraint gives one or a precise error, never anything else."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from overtrick.evaluation import HandArray
from overtrick.worlds import ConstraintError, parse
from tests.worlds.conftest import random_hands

HANDS = HandArray(random_hands(50, 4))
WORDS = """
hcp spades ♥ M X oM 4 12 14 5+ ..3 12..14 .. + - – , or and not ( ) balanced flat any shape 5332
5=4=3=1 (54)xx 54xx has SA ♠AK of AKQ in hearts losers ..7 quality stopper keycards 1 either
major both minors > >= < longer than points controls LOSERS(S,ALL) HCP(♠) FAST(NT,H) at most
least from to void singleton 2½ half longest opens never always 7.5 x xx 99999999999 -3
& | ! / 15-17 15–17 a the even more fewer as many none suit shorter card cards key top honours with
trumps at notrump support T control semi-balanced up line over open no without balanced hand long
"""


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(WORDS.split()), max_size=10).map(" ".join))
def test_words_in_any_order(text: str) -> None:
    check(text)


@settings(max_examples=80, deadline=None)
@given(st.text(max_size=30))
def test_any_text(text: str) -> None:
    check(text)


def check(text: str) -> None:
    try:
        found = parse(text, {"M": 3, "oM": 2})
    except ConstraintError as error:
        found = None
        where = error.position
    if found is None:
        assert where is not None
        return
    mask = found.mask(HANDS)
    assert (parse(found.text()).mask(HANDS) == mask).all()
    assert np.array_equal(found.simplify().mask(HANDS), mask)
    assert found.words()
