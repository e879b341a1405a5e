"""The REST handlers of events of pairs: entering, directing, results as page and as files."""

from __future__ import annotations

import secrets
from time import time
from typing import Any

from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from overtrick.duplicate import sheets, written
from overtrick.web import deskpages, messages
from overtrick.web.api import (
    Refused,
    _keep,
    bearer,
    body,
    browser_of,
    chosen,
    client_of,
    offers_of,
    person,
    reply,
)
from overtrick.web.contests import ROBOT
from overtrick.web.desk import Desk, EventEntry
from overtrick.web.limits import Clients
from overtrick.web.pairs import Adjusted, Arranged, PairsEvent
from overtrick.web.rated import Ratings
from overtrick.web.seated import NotAllowed, hashed
from overtrick.web.sight import person_of
from overtrick.web.workers import CLIENT

_KEPT_EVENT = 4000.0  # bytes in the log for an event or an entry, about
_FILES = {"csv": "text/csv", "pbn": "application/x-pbn", "xml": "application/xml"}


def desk_of(request: Request) -> Desk:
    found: Desk = request.app.state.desk
    return found


async def arrange_event(request: Request) -> Response:
    wanted = await body(request, messages.Arrange)
    clients: Clients = request.app.state.clients
    if not clients.may_open(client_of(request)):
        raise Refused(429, "you opened many tables lately; play one of them")
    _keep(request, _KEPT_EVENT)
    offers, token = await offers_of(request), secrets.token_urlsafe(24)
    engines, system = chosen(offers, None), offers.bidders[0].system
    found = desk_of(request).arrange(
        Arranged(
            person(wanted.title), wanted.movement, wanted.each, wanted.rounds, wanted.method,
            wanted.minutes, hashed(token), engines, engines, (system, system), time(),
        )
    )  # fmt: skip
    return reply(deskpages.NewEvent(event=found.name, director=token), 201)


def _event(request: Request) -> str:
    name: str = request.path_params["event"]
    return name


async def see_event(request: Request) -> Response:
    """The event, and with a token my own place in it."""
    desk = desk_of(request)
    found = desk.find(_event(request))
    key = hashed(bearer(request)) if "authorization" in request.headers else ""
    return reply(deskpages.shown(found, desk.contest(found), key))


async def enter_event(request: Request) -> Response:
    wanted = await body(request, messages.EnterPair)
    if not (name := person(wanted.name)):
        raise Refused(422, "under which name do you play?")
    _keep(request, _KEPT_EVENT)
    entry = desk_of(request).enter(_event(request), name, browser_of(request), wanted.robot)
    return _ticket(request, entry)


async def join_event(request: Request) -> Response:
    wanted = await body(request, messages.JoinPair)
    if not (name := person(wanted.name)):
        raise Refused(422, "under which name do you play?")
    desk, browser = desk_of(request), browser_of(request)
    entry = await desk.join(_event(request), wanted.invitation, name, browser)
    return _ticket(request, entry)


def _ticket(request: Request, entry: EventEntry) -> Response:
    return reply(deskpages.EventTicket(event=_event(request), **_told(entry)), 201)


def _told(entry: EventEntry) -> dict[str, Any]:
    return {"entry": entry.entry, "token": entry.token, "invitation": entry.invitation}


async def call_director(request: Request) -> Response:
    token, wanted = bearer(request), await body(request, messages.CallDirector)
    desk = desk_of(request)
    found = desk.summon(desk.find(_event(request)), token, person(wanted.words))
    return reply(deskpages.shown(found, desk.contest(found), hashed(token)))


async def see_desk(request: Request) -> Response:
    desk = desk_of(request)
    return reply(await _page(desk, desk.direct(_event(request), bearer(request))))


async def _page(desk: Desk, found: PairsEvent) -> deskpages.DeskPage:
    return deskpages.desk(found, desk.contest(found), dict(await desk.tables(found)))


async def direct_event(request: Request) -> Response:
    """What the director does; answers with the desk as it is then."""
    token = bearer(request)
    word: messages.DirectorsWord = await body(request, messages.DirectorsWord)  # type: ignore[arg-type]
    _keep(request, _KEPT_EVENT)
    desk = desk_of(request)
    found = desk.direct(_event(request), token)
    link = look = ""
    match word:
        case messages.BeginEvent():
            found = desk.next_round(desk.begin(found))
        case messages.NextRound(unplayed=unplayed):
            found = desk.next_round(found, unplayed)
        case messages.AdjustScore():
            found = desk.adjust(found, _ruling(word))
        case messages.PenalisePair(pair=pair, points=points, reason=reason):
            found = desk.penalise(found, pair, points, _reason(reason))
        case messages.Announce(text=text):
            found = desk.announce(found, person(text))
        case messages.OfferPlace(entry=entry, member=member):
            found, link = desk.offer(found, entry, member)
        case messages.StandIn(entry=entry, member=member):
            found = await desk.stand_in(found, entry, member)
        case messages.WithdrawPair(entry=entry):
            found = desk.withdraw(found, entry)
        case messages.AddRobots():
            found = desk.add_robots(found)
        case messages.Attended(table=table):
            found = desk.attended(found, table)
        case messages.LookAtTable(table=table):
            look = await desk.look(found, table)
        case messages.CloseEvent():
            found = desk.close(found)
    return reply(replace(await _page(desk, found), invitation=link, look=look))


def _reason(text: str) -> str:
    if not (found := person(text)):
        raise Refused(422, "say why; it is written into the log")
    return found


def _ruling(word: messages.AdjustScore) -> Adjusted:
    if (word.ns is None) != (word.ew is None):
        raise Refused(422, "award per cent to both sides")
    awarded = None if word.ns is None or word.ew is None else (word.ns, word.ew)
    if awarded is not None and (word.contract or word.tricks is not None):
        raise Refused(422, "award per cent, or a contract with its tricks, not both")
    return Adjusted(
        word.number, word.table, word.board, _reason(word.reason), awarded, word.contract,
        word.tricks, time(),
    )  # fmt: skip


async def event_file(request: Request) -> Response:
    """The results once the event is over, by `?form=`: pages to print, PBN, USEBIO (`xml`), `csv`
    of the ranking, or with `?what=` of the recap or the travellers."""
    desk, kind = desk_of(request), request.query_params.get("form", "print")
    found = desk.find(_event(request))
    contest = desk.contest(found)
    if contest is None or not found.over:
        raise NotAllowed("results are published when the event is over")
    event = found.club_event(contest)
    boards = {number: contest.board(number - 1) for number in event.travellers()}
    deals = {number: board.deal for number, board in boards.items()}
    if kind == "print":
        rulings = [f"{line.words}: {line.reason}" if line.reason else line.words
                   for line in found.log]  # fmt: skip
        page = sheets.page(event, boards, rulings)
        policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
        headers = {"content-security-policy": policy}
        return Response(page, media_type="text/html", headers=headers)
    if kind not in _FILES:
        raise Refused(404, "results are there as csv, pbn, xml and print")
    tables = {
        "ranking": written.ranking_table, "recap": written.recap_table,
        "travellers": written.traveller_table,
    }  # fmt: skip
    what = request.query_params.get("what", "ranking")
    if kind == "csv":
        text = tables.get(what, written.ranking_table)(event)
    else:
        text = written.pbn(event, deals) if kind == "pbn" else written.usebio(event, deals)
    headers = {"content-disposition": f'attachment; filename="results.{kind}"'}
    return Response(text, media_type=_FILES[kind], headers=headers)


async def see_ratings(request: Request) -> Response:
    """Everybody's strength with its error, from all boards of this server that count."""
    ratings: Ratings = request.app.state.ratings
    usual = chosen(await offers_of(request), None)
    who = person_of(browser_of(request), CLIENT.get())
    return reply(await ratings.page(who, f"{ROBOT}{usual.bidder} {usual.player}"))
