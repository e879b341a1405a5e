"""The words of the constraint language, and the page that explains them."""

from __future__ import annotations

from typing import Final, NamedTuple

from overtrick.worlds.cursor import BIG, Interval


class Word(NamedTuple):
    """How a word maps to a feature: without a suit, with one, what follows the suit, and the range
    that is meant when none is written."""

    alone: str
    suited: str
    rest: tuple[str, ...] = ()
    default: Interval | None = None


SOME: Final = (1, BIG)
VOCABULARY: Final[dict[str, Word]] = {
    "hcp": Word("HCP", "HCP"),
    "points": Word("LP", "POINTS", ("ALL",)),
    "playing-points": Word("LP", ""),
    "notrump-playing-points": Word("NTLP", ""),
    "total-points": Word("TP", "TP"),
    "losers": Word("LTC", "LOSERS", ("ALL",)),
    "playing-losers": Word("", "UNLOS"),
    "fast-losers": Word("", "FAST", ("ALL",)),
    "cover": Word("", "COVER", ("ALL",)),
    "controls": Word("CONTROLS", "CONTROLS"),
    "aces": Word("ACE", "ACE"),
    "kings": Word("KING", "KING"),
    "queens": Word("QUEEN", "QUEEN"),
    "jacks": Word("JACK", "JACK"),
    "tens": Word("TEN", "TEN"),
    "ace": Word("ACE", "ACE", (), SOME),
    "king": Word("KING", "KING", (), SOME),
    "queen": Word("QUEEN", "QUEEN", (), SOME),
    "jack": Word("JACK", "JACK", (), SOME),
    "ten": Word("TEN", "TEN", (), SOME),
    "keycards": Word("", "RKCB"),
    "quality": Word("", "QLTY"),
    "honours": Word("HONOR", "HONOR"),
    "top": Word("HC", "HC"),
    "intermediates": Word("INTER", "INTER"),
    "quick": Word("QUICK", "QUICK"),
    "stopper": Word("", "STOP-NT", (), (3, BIG)),
    "half-stopper": Word("", "STOP-NT", (), (2, BIG)),
    "double-stopper": Word("", "STOP-NT", (), (4, BIG)),
    "hope": Word("", "STOP-NT", (), (1, BIG)),
    "biddable": Word("", "BIDDBLE"),
    "length": Word("", "SUITLEN"),
    "longest": Word("", "LONGEST", (), (1, 1)),
    "opens": Word("", "FIRSTBID", (), (1, 1)),
    "shape": Word("BAL", ""),
    "longer-major": Word("LMAJ", ""),
    "longer-minor": Word("LMIN", ""),
    "suits": Word("SUITS", ""),
}
# Other ways to write them; words that stand apart are read as if joined: `key cards`.
_SAME: Final = {
    "control": "controls", "tops": "top", "top-honours": "top", "top-honour": "top",
    "top-honors": "top", "honor": "honours", "honors": "honours", "honour": "honours",
    "keycard": "keycards", "key-cards": "keycards", "key-card": "keycards", "rkcb": "keycards",
    "stop": "stopper", "stoppers": "stopper", "loser": "losers", "ltc": "losers",
    "covers": "cover", "cover-cards": "cover", "cover-card": "cover",
    "fast-loser": "fast-losers", "unsupported": "playing-losers", "point": "points",
    "playing-point": "playing-points", "notrump-playing-point": "notrump-playing-points",
    "total-point": "total-points", "intermediate-points": "intermediates",
    "intermediate-point": "intermediates", "quicktricks": "quick", "quick-tricks": "quick",
    "quick-trick": "quick", "qlty": "quality", "balance": "shape", "lp": "playing-points",
    "ntlp": "notrump-playing-points", "tp": "total-points", "major": "longer-major",
    "minor": "longer-minor", "majors": "longer-major", "minors": "longer-minor",
    "four-card-suits": "suits", "four-card-suit": "suits",
}  # fmt: skip
WORDS: Final = {**VOCABULARY, **{word: VOCABULARY[same] for word, same in _SAME.items()}}
# Shapes with a name; balance counts cards away from the nearest balanced shape.
BALANCE: Final[dict[str, Interval]] = {
    "balanced": (0, 0), "semi-balanced": (0, 1), "semibalanced": (0, 1), "unbalanced": (1, BIG),
}  # fmt: skip
SHAPED: Final = frozenset((*BALANCE, "flat"))
SHORT: Final = {"void": 0, "singleton": 1, "doubleton": 2}
PAIRS: Final = {"major": "HS", "minor": "CD", "majors": "HS", "minors": "CD"}

# The reference: what to write and what it means, in docs/systems.md and `overtrick deal --words`.
REFERENCE: Final[tuple[tuple[str, tuple[tuple[str, str], ...]], ...]] = (
    ("Ranges", (
        ("hcp 12..14", "from 12 to 14; `hcp 12-14` and `12–14 hcp` too"),
        ("hcp 15+", "at least; also `hcp >= 15`, `15 or more hcp`, `at least 15 hcp`"),
        ("hcp ..7", "at most; also `hcp <= 7`, `7 or fewer hcp`, `at most 7 hcp`"),
        ("aces 0/4", "one of these values; also `aces 0 or 4`"),
        ("15-17 balanced", "a range alone is one of high-card points; no comma beside a shape"),
    )),
    ("Strength", (
        ("hcp 12+", "high-card points, 4-3-2-1; `hcp S 5+` in one suit"),
        ("points 12+", "playing points: high cards and shape, fitted to tricks"),
        ("points S 10..12", "in support of a suit: high cards and shortness"),
        ("losers ..7", "losing trick count; `losers S ..7` with spades as trumps"),
        ("playing-losers S ..4", "losers opposite nothing in particular, spades as trumps"),
        ("cover S 3+", "cover cards for a contract in spades"),
        ("controls 4+", "ace 2, king 1; `controls S 2+` in one suit"),
        ("control S", "first or second round: ace, king, singleton or void"),
        ("aces 2", "also kings, queens, jacks, tens"),
        ("ace S", "this card; `queen S 0` is without it; also king, jack, ten"),
        ("keycards S 1/4", "four aces and the king of trumps"),
        ("quick 2½+", "quick tricks; `quick S 1+` in one suit"),
        ("honours 6+", "A K Q J T, in the hand or `honours S 3+`"),
        ("top S 2+", "A K Q of a suit"),
        ("quality S 5+", "quality of a suit, 0 to 9"),
        ("biddable S 2+", "cards over four, and one more for good honours"),
        ("stopper H", "A, Kx, Qxx, JTxx; `half-stopper H` is Qx, Jxxx too"),
    )),
    ("Lengths", (
        ("spades 5+", "also `5+ spades`, `S 5+`, `♠5+`, and with `hearts`, `diamonds`, `clubs`"),
        ("spades >= hearts", "also `>`, `<`, `<=`, `=`, `spades longer than hearts`"),
        ("hearts + spades 9+", "both together"),
        ("longest S", "no suit is longer"),
        ("longer-major 5+", "the longer of two; `longer-minor 6+`"),
        ("either major 4+", "one of them at least; `both minors 4+`"),
        ("void S", "also `singleton S`, `doubleton S`; without a suit: in any"),
        ("suits 2", "number of suits with four cards"),
    )),
    ("Shapes", (
        ("balanced", "4333, 4432, 5332"),
        ("semi-balanced", "at most one card from balanced: 5422, 6322, 5431, 4441, 6331 too"),
        ("unbalanced", "not balanced"),
        ("flat", "4333"),
        ("shape ..1", "how many cards the hand is from balanced"),
        ("5=3=3=2", "spades, hearts, diamonds, clubs; `5332` too"),
        ("5-3-3-2", "in any order; `any 5332` too"),
        ("(54)31", "brackets: these suits in any order"),
        ("54xx", "x: any number"),
        ("shape any 4432 + any 5332 - 5=3=3=2", "sets of shapes joined and cut"),
    )),
    ("Cards", (
        ("has SA SK", "these cards; `♠AK` and `SAK` too"),
        ("2 of AKQ in hearts", "so many of these; `2 of AKQ in the long suit`, `none of ♠AK`"),
    )),
    ("Together", (
        ("hcp 12+, spades 5+", "and; `with` and `but` are commas"),
        ("hcp 15+, spades 5+ or hearts 5+", "a comma divides before `or`: a major and 15 points"),
        ("hcp 18+ or (hcp 15+, spades 6+)", "brackets"),
        ("spades 5+ and hearts 5+ or hcp 20+", "`and` binds tighter than `or`"),
        ("not balanced", "not; `no stopper H`, `without SA`"),
        ("hcp 12+ & (spades 5+ | hearts 5+) & !flat", "signs for and, or, not"),
        ("any", "every hand"),
        ("FAST NT H ..2", "any feature by its name (`overtrick eval --list`): `LOSERS(S,H) 0`"),
    )),
)  # fmt: skip
