"""Answers of the web server as they go over the wire: made from fixed boards and events.
Used by the test beside it and by `make golden`. A difference is one that stored tables, pages in
somebody's cache and other people's programs will see."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import msgspec

from overtrick.arena.match import Chunk, play_chunk
from overtrick.arena.problemsets import shipped
from overtrick.arena.tournament import Tournament, play_tournament
from overtrick.bidding import bidder
from overtrick.game import Auction, Board, Call, Card, Decision, Meaning, Seat, view_of
from overtrick.game.calls import PASS
from overtrick.systems import card as convention
from overtrick.table import Entry
from overtrick.web import (
    cards,
    contests,
    evening,
    frames,
    lessons,
    matches,
    messages,
    possible,
    problems,
    review,
    showing,
    thinking,
    tools,
)
from overtrick.web.evening import Job
from overtrick.web.events import (
    BoardText,
    Claimed,
    Deck,
    Engines,
    Entered,
    Founded,
    Helped,
    Judged,
    Line,
    Opened,
    Opens,
    OtherRoom,
    RobotsBid,
    Scored,
    Settings,
    Table,
    entry_out,
    replayed,
)

_RULES: Final = "rules(system=sayc)"
_QUICK: Final = Engines("points", "highest")
_LIN: Final = (
    "pn|a,b,c,d|st||md|3SAKQ2HAK3DAK2CA32,SJT98HQJTDQJTCQJT,S7654H654D654C654,|sv|o|ah|Board 1|"
    "mb|p|mb|p|mb|3N!|an|to play|mb|p|mb|p|mb|p|pc|SJ|pc|S4|pc|S3|pc|SA|"
)
_DEAL: Final = "N:KQJ52.A4.KQ3.762 T9.KJ82.A742.K43 A843.Q73.865.AQ5 76.T965.JT9.JT98"
_CLOCK: Final = re.compile(r'("milliseconds":)[\d.]+|("ms per [^"]*",)"[^"]*","[^"]*"')


def files() -> dict[str, str]:
    """File name → text, for the folder tests/golden/answers: a line for each answer."""
    rooms: dict[str, Callable[[], Iterator[tuple[str, Any]]]] = {
        "tables": _tables, "contests": _contests, "reviews": _reviews, "tools": _tools,
        "matches": _matches, "evenings": _evenings, "coach": _coach,
    }  # fmt: skip
    return {f"{name}.txt": "".join(map(_line, make())) for name, make in rooms.items()}


def _line(answer: tuple[str, Any]) -> str:
    """Fields in alphabetical order: theirs means nothing in JSON."""
    name, value = answer
    plain = msgspec.json.decode(msgspec.json.encode(value))
    text = _CLOCK.sub(r"\1\g<2>0", msgspec.json.encode(plain, order="sorted").decode())
    return f"{name}\n{text}\n"


def _formed(value: Any) -> Any:
    """The fields of what systems write, without what they say, which is data."""
    if isinstance(value, dict):
        return {key: _formed(row) for key, row in value.items()}
    if isinstance(value, list | tuple):
        return [_formed(row) for row in value]
    return type(value)() if isinstance(value, str | int | float) else value


def _form(answer: Any) -> Any:
    return _formed(msgspec.json.decode(msgspec.json.encode(answer)))


# ---------------------------------------------------------------- tables


def _opened(humans: Any, **more: Any) -> Opened:
    board = BoardText(1, "N", "None", _DEAL)
    settings = Settings(humans, _QUICK, _QUICK, ("", "sayc"), **more.pop("settings", {}))
    tokens = {f"key-{s}": s for s in humans}
    return Opened(
        settings, board, 7, tokens, {}, names={"S": "Ann"}, people={"key-S": "ann"}, salt="5a17",
        **more,
    )  # fmt: skip


def _called(table: Table, words: str, by: str = "") -> Table:
    for word in words.split():
        state = table.state
        told = Meaning("natural", (12, 21), ((0, 13), (0, 13), (0, 13), (5, 13)))
        if word == "X":
            told = Meaning("takeout", (11, 40), alert=True, convention="takeout double")
        decision = Decision(Call.parse(word), told, engine="rules")
        table = replayed(table, entry_out(Entry(state.actor, decision, 1.5), by))
    return table


def _played(table: Table, count: int) -> Table:
    for _ in range(count):
        card = next(iter(table.state.view().legal_cards()))
        decision = Decision(Card(card), Meaning("a card"), engine="highest")
        table = replayed(table, entry_out(Entry(table.state.actor, decision), ""))
    return table


def _shown(table: Table, letter: str, **more: Any) -> Any:
    around = showing.Around(frozenset({"S"}), more.get("match"), more.get("asked"))
    return showing.shown(table, Seat.parse(letter), around)


def _tables() -> Iterator[tuple[str, Any]]:
    table = replayed(None, _opened(("S",)))
    yield "the first call", _shown(table, "S")
    table = replayed(table, Opens("S", "link", watch=True, by="key-S"))
    table = _called(table, "1S X Pass")
    yield "a double has been explained", _shown(table, "S")
    table = _played(_called(table, "Pass Pass"), 0)
    over = _called(replayed(None, _opened(("S",))), "1S Pass 4S Pass Pass Pass")
    yield "before the lead", _shown(over, "S")
    yield "dummy is seen", _shown(_played(over, 3), "S")
    yield "between tricks", _shown(_played(over, 8), "S")
    claimed = replayed(_played(over, 8), Claimed(11, "top tricks"))
    yield "claimed", _shown(claimed, "S")
    people = replayed(None, _opened(("N", "S")))
    asked = frames.Wish(seat="N", what="undo", about=None, agreed=["S"])
    yield "of two people", _shown(_called(people, "Pass"), "N", asked=asked)
    yield "passed out", _shown(_called(people, "Pass Pass Pass Pass"), "S")
    yield from _practised()


def _practised() -> Iterator[tuple[str, Any]]:
    (deck,) = (problems.shipped_deck(found.name) for found in shipped()[:1])
    settings = {"auction_only": True}
    opened = _opened(("N", "S"), settings=settings, deck=Deck("", deck.boards[:3], "a set"))
    opened = msgspec.structs.replace(opened, board=deck.boards[0].board)
    table = replayed(None, opened)
    letter = table.state.actor.letter
    yield "a problem", _shown(table, letter if letter in "NS" else "S")
    table = _called(table, "Pass Pass Pass Pass")
    robots = RobotsBid("1S Pass 4S", "4S N", 420, 10.0)
    judged = Judged(None, 0, 420, ("4S N",), -9, 0.0, 10.0, ("4S",), robots, -9, 0.5)
    yield "a problem that is judged", _shown(replayed(replayed(table, judged), Helped()), "S")


# ---------------------------------------------------------------- matches of people


def _contests() -> Iterator[tuple[str, Any]]:
    line = Line("4S", "N", "=", 10, 420, side=0)
    less = Line("2S", "N", "+2", 10, 170, True, 0)
    events = (
        Founded("Friday", 7, 3, "imps", _QUICK, _QUICK, secret="5ec2e7"),
        Entered("t1", "Ann", 0), Entered("t2", "Bob", 0), Entered("t3", "", 1),
        Scored("t1", 0, line), Scored("t2", 0, less),
        Scored("t3", 0, Line("", "", "", None, 0, unranked="twice")),
        OtherRoom(0, line, 420, ("4S N",), "md|1|"),
        Scored("t1", 1, Line("3NT", "S", "-1", 8, -50, side=0)),
    )  # fmt: skip
    found: Any = None
    for event in events:
        found = contests.replayed("a-match", found, event)
    ordered = contests.standings(found)
    yield "a match", contests.told(found, ordered, "t2", found.promises)
    yield "its entries", contests.entries(found)
    for table, index, over in (("t1", 1, False), ("t1", 0, True), ("t3", 0, True)):
        rows = contests.sheet(found, table, 0, 0)
        match = contests.match_of(found, ordered, table, index, rows, over)
        yield f"at {table}, board {index}", match
        if table == "t1" and over:
            yield "the table's frame", _shown(replayed(None, _opened(("S",))), "S", match=match)


# ---------------------------------------------------------------- review


def _reviews() -> Iterator[tuple[str, Any]]:
    yield "boards", review.boards(_LIN)
    yield "a bare deal, and an unreadable one", review.boards(_DEAL)
    yield "solved", review.solved(_LIN)
    yield "solved without play", review.solved(_DEAL)
    yield "calls", _form(review.called(_LIN, _RULES, "points"))
    yield "cards", review.carded(_LIN, "highest", 0, 2)
    yield "another table", review.other_table(_LIN, ("points", "points"), "highest")
    change = review.Change("call", 2, "1C", ("points", "points"), "highest")
    yield "played on", review.played_on(_LIN, change)
    yield "could be", possible.possible(_DEAL, "call", 0, "points", "points")
    yield "a call", possible.judged_call(_LIN, 0, _RULES, _RULES)
    yield "a forced card", possible.judged_card(_ending(), 50, "", "")
    yield "a card", possible.judged_card(_ending(), 44, "", "")


def _ending() -> str:
    """A board played to its last card."""
    from overtrick import notation

    state = _played(_called(replayed(None, _opened(("S",))), "1S Pass 4S Pass Pass Pass"), 52).state
    return notation.dumps(state.record(), "lin").strip()


# ---------------------------------------------------------------- tools


def _tools() -> Iterator[tuple[str, Any]]:
    yield "a suit", tools.suit(messages.SuitWish("AQ2", "543", 2))
    yield "any number of tricks", tools.suit(messages.SuitWish("AKJ", "5432"))
    wish = messages.DealWish(north="15-17 hcp", count=20, show=1, solve=1)
    yield "deals", tools.deals(wish)
    script = (
        'produce 5\naction average "points" hcp(north), frequency "spades" (spades(north),0,13)'
    )
    yield "deals by script", tools.deals(messages.DealWish(script=script, count=5, show=0))
    page = tools.book(messages.BookWish("sayc", "1NT Pass"))
    plain: Any = msgspec.to_builtins(page)
    plain["next"], plain["legal"] = plain["next"][:2], plain["legal"][:3]
    yield "a page of a book", _form(plain) | {"card": _form(plain["card"][:2]), "rules": 0}
    for spec in (_RULES, "points"):
        found: Any = msgspec.to_builtins(tools.decoded(messages.Decode("1NT P", spec), spec))
        yield f"an auction by {spec}", _form(found | {"next": found["next"][:2]})
    shown: Any = msgspec.to_builtins(cards.shown(messages.CardWish("sayc", "mine")))
    yield "a card", _form(shown | {"switches": shown["switches"][:2]})
    file = convention.dumps(convention.ConventionCard("sayc", {}, "mine"))
    read: Any = msgspec.to_builtins(cards.imported(messages.CardFile(file)))
    yield "a card's file", _form(read | {"switches": []})
    yield "a set of lessons", [msgspec.to_builtins(s) | {"positions": []} for s in _listed()]
    lesson = lessons.shipped()[0]
    yield "a lesson", msgspec.structs.replace(lesson, positions=lesson.positions[:2])
    last = lessons.shipped()[-1]
    yield "a lesson of the exam", msgspec.structs.replace(last, positions=last.positions[:1])


def _listed() -> list[Any]:
    return list(lessons.listed())[:2]


# ---------------------------------------------------------------- matches of engines


def _matches() -> Iterator[tuple[str, Any]]:
    from overtrick.arena.job import Match

    job = Match("points", "pass", 3, seed=1)
    results = list(play_chunk(Chunk(job, (1, 2, 3))))
    yield "a match", matches.summed(job, results)
    yield "a piece", matches.piece(messages.MatchPiece("points", "pass", 1, 1, 1))
    with TemporaryDirectory() as place:
        folder = Path(place)
        play_tournament(
            Tournament("round-robin", ("points", "pass", "points+random"), 2), folder / "cup"
        )
        yield "tournaments", matches.tournaments(place)
        yield "a tournament", matches.tournament(place, "cup")
        yield "one of its matches", matches.report(place, "cup/001-1-3.sqlite")
        yield "matches", matches.listed(place)


# ---------------------------------------------------------------- evenings


def _evenings() -> Iterator[tuple[str, Any]]:
    found = evening.read(_results())
    body = msgspec.json.encode(found)
    yield "what is kept", found
    deal = Job("deal", 0)
    solved = evening.work(body, deal)
    yield "a deal", solved
    done: dict[str, Any] = {deal.key: _kept(deal, solved)}
    yield "begun", evening.report(found, {})
    verdict = {
        "word": "wrong", "done": "S2", "better": "SA", "loss": 4.0, "error": 0.3, "worlds": 128,
        "how": "drawn", "choices": [],
    }  # fmt: skip
    call = verdict | {"index": 0, "seat": "E", "done": "2S"}
    for job in evening.jobs(found, done):
        if job.kind == "card":
            done[job.key] = _kept(job, verdict if len(done) % 3 else {"error": "too slow"})
        elif job.kind == "calls":
            done[job.key] = _kept(job, {"calls": [call]})
    yield "judged", evening.report(found, done)


def _kept(job: Job, result: Any) -> Any:
    """As it is read from the file of evenings."""
    return evening.kept(job.key, msgspec.json.encode(result))


def _results() -> str:
    out = ""
    for names, contract, result in (
        ("Ann Bob Cy Di", "4S", 10), ("Eve Fay Gus Hal", "2S", 10), ("Ivo Jan Kim Leo", "4S", 9),
    ):  # fmt: skip
        north, east, south, west = names.split()
        play = '[Play "E"]\nHK H3 H5 H4\nDA D3 D5 DJ\n' if north == "Ivo" else ""
        out += (
            f'[Event "Tuesday pairs"]\n[Board "1"]\n[West "{west}"]\n[North "{north}"]\n'
            f'[East "{east}"]\n[South "{south}"]\n[Dealer "N"]\n[Vulnerable "All"]\n'
            f'[Deal "{_DEAL}"]\n[Declarer "N"]\n[Contract "{contract}"]\n'
            f'[Result "{result}"]\n{play}\n'
        )
    return out + '[Board "9"]\n[Deal "N:AK... - - -"]\n'


# ---------------------------------------------------------------- the coach


def _coach() -> Iterator[tuple[str, Any]]:
    board = Board.random(1, seed=3)
    view = view_of(board, Auction(board.dealer))
    yield "a hint", _form(thinking.hint(_RULES, view))
    auction = Auction(board.dealer).then(bidder(_RULES).bid(view).call).then(PASS)
    yield "a hint after partner", _form(thinking.hint(_RULES, view_of(board, auction)))
    found = msgspec.to_builtins(thinking.meanings(_RULES, view))
    yield "what calls would say", _form(found[:4])
    table = _called(replayed(None, _opened(("S",))), "1S Pass 4S Pass Pass Pass")
    yield "a card", _form(thinking.hint("pimc(worlds=4)", _played(table, 49).state.view()))
    yield "no choice", thinking.hint("highest", _played(table, 3).state.view())
