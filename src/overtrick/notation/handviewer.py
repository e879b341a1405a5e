"""Links to Bridge Base Online's hand viewer, both ways."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import parse_qs, quote, urlsplit

from overtrick.game import Record
from overtrick.notation import lin
from overtrick.notation.reading import DEFAULT_LIMIT, Loaded, Warnings, plain_text

ADDRESS: Final = "https://www.bridgebase.com/tools/handviewer.html?lin="
_BID: Final = re.compile(r"([1-7][cdhsn]|p|d|r|x|-)(!?)(?:\(([^()]*)\))?", re.IGNORECASE)
_FIRST: Final = {"s": "1", "w": "2", "n": "3", "e": "4"}


def is_url(text: str) -> bool:
    """Does this look like a web address?"""
    return bool(re.match(r"\s*https?://", text[:64], re.IGNORECASE))


def to_url(record: Record) -> str:
    """A link that shows the board in the hand viewer.

    >>> from overtrick.game import Deal
    >>> to_url(Record(number=7, deal=Deal.random(1))).startswith(ADDRESS)
    True
    """
    return ADDRESS + quote(lin.board_text(record), safe="")


def from_url(url: str, limit: int = DEFAULT_LIMIT) -> Loaded:
    """The board behind a link: `lin=…`, or the viewer's own parameters n, e, s, w, d, v, b, a, p.

    The address is decoded once, here: a plus is a space in it, and nowhere else.

    >>> link = "https://www.bridgebase.com/tools/handviewer.html?n=sakq2hk53da84c752&d=n&v=o&b=1"
    >>> found = from_url(link)
    >>> found[0].number, str(found[0].deal.hands[0])
    (1, 'AKQ2.K53.A84.752')
    """
    warnings = Warnings()
    text = plain_text(url.strip(), limit, warnings)
    try:
        query = parse_qs(urlsplit(text).query, max_num_fields=200)
    except ValueError as error:
        warnings.on(0, f"not a web address: {error}")
        return Loaded((), tuple(warnings.found))
    fields = {name.lower(): values[0] for name, values in query.items()}
    source = fields.get("lin") or _as_lin(fields)
    if not source:
        warnings.on(0, "the address holds no board (no lin= and no hands)")
        return Loaded((), tuple(warnings.found))
    warnings.text = source
    return Loaded(tuple(lin.read(source, warnings)), tuple(warnings.found))


def _as_lin(fields: dict[str, str]) -> str:
    """The parameter form of an address rewritten as LIN."""
    if not any(k in fields for k in ("n", "e", "s", "w", "a")):
        return ""
    names = ",".join(fields.get(k + "n", "").replace("|", "/") for k in "swne")
    hands = ",".join(re.sub(r"[^\w]", "", fields.get(k, "")) for k in "swne")
    number = fields.get("b", "")
    out = [f"pn|{names}|md|{_FIRST.get(fields.get('d', '')[:1].lower(), '0')}{hands}|"]
    if number.isdecimal():
        out.append(f"ah|Board {number}|")
    if fields.get("v"):
        out.append(f"sv|{fields['v'][:1].lower()}|")
    for bid, alert, text in _BID.findall(fields.get("a", "")):
        if bid != "-":
            out.append(f"mb|{bid}{alert}|" + (f"an|{text.replace('|', '/')}|" if text else ""))
    out.append(f"pc|{re.sub(r'[^0-9A-Za-z]', '', fields.get('p', ''))}|")
    if fields.get("c", "").isdecimal():
        out.append(f"mc|{fields['c']}|")
    return "".join(out)
