"""Record the dialogues in tests/transcripts: `python -m tests.protocol.record`.
Each one is a trap of the protocol as some program springs it."""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import asdict, replace

from tests.protocol.harness import TRANSCRIPTS, Dialect, Scene, record

# North has a notrump opening, East-West are quiet; South has a raise. Board 2 is flat.
_DEAL = "N:AKJ6.AKJ.862.A76 Q952.T872.KQ.985 T84.Q95.AJT9.QJ4 73.643.7543.KT32"
_VOID = "N:AKQJT987..AK2.A2 6543.AKQJ.QJ.KQJ 2.T98765.T987.T9 .432.6543.876543"
_ONE = [[1, "N", "None", _DEAL]]
_TWO = [[1, "N", "None", _DEAL], [2, "E", "NS", _VOID]]


def _others(seat: str, **calls: str) -> dict[str, str]:
    """Engines for the other three seats, with their calls."""
    return {f"open:{s}": f"script(calls='{calls.get(s, '')}')" for s in "NESW" if s != seat}


def _each(*changes: tuple[str, str]) -> Dialect:
    """A dialect by substitutions in every line."""

    def speak(line: str) -> list[str]:
        for pattern, by in changes:
            line = re.sub(pattern, by, line)
        return [line]

    return speak


def _plain(line: str) -> list[str]:
    return [line]


def _shout(line: str) -> list[str]:
    return [line.replace(" ready for ", " ready for  ")]


def _sloppy(line: str) -> list[str]:
    return [line.lower().replace("'s", "s") + ("" if line.startswith("Conn") else ".")]


def _gib(line: str) -> list[str]:
    seat = line.split()[0]
    extra = [f"{seat} received dummy"] if "card to trick 1" in line and "dummy" in line else []
    return [*extra, line]


def _noisy(line: str) -> list[str]:
    if " bids " in line or line.endswith("ready for dummy"):
        return ["what is this?", "North bids 9C", line]
    return [line]


def _impatient(line: str) -> list[str]:
    """Repeats its readiness and bids an insufficient 1C over everything."""
    return [re.sub(r"bids 3NT", "bids 1C", line)]


def _silent_on_lead(line: str) -> list[str]:
    return [] if re.search(r"plays|bids 1NT", line) else [line]


def _restarting() -> Dialect:
    told = {"n": 0}

    def speak(line: str) -> list[str]:
        if line.startswith("South passes") and not told["n"]:
            told["n"] = 1
            return ["Start of board"]
        return [line]

    return speak


_MONITEUR = _each(
    (r'(\w+) \("(.*)"\) seated', r"\1 \2 seated"),
    (r'Teams : N/S : "(.*)" E/W : "(.*)"', r'Teams: N/S "\1" . E/W "\2"'),
    (r"cards : ", "cards: "),
    (r"\.$", ""),
    (r"End of session", "NS: 3 EW: 1"),
)
_OPENSPIEL = _each(
    (r"Start of board", "start of board"),
    (r"(\d+:\d\d(?::\d\d)?)", r"[\1]"),
    (r"plays (\w)(\w)", lambda m: f"plays {m[1].lower()}{m[2].lower()}"),  # type: ignore[arg-type]
)
_CROWDED = _each((r"(?<=[2-9TJQKA]) (?=[2-9TJQKA](?:[ .]|$))", ""), (r"\. (?=[HDC] )", "."))


def _no_lead(line: str) -> list[str]:
    return [] if line.endswith("to lead") else [line]


SCENES: dict[str, tuple[Scene, Dialect]] = {
    "plain_declarer": (
        Scene("A notrump declarer, version 18, word for word", "manager", _ONE,
              _others("N", S="3NT"), "script(calls='1NT')", "N"), _plain),
    "wbridge5_anypl": (
        Scene("WBridge5: ANYPL, capitals, double spaces, cards in small letters", "manager", _ONE,
              _others("N", S="3NT"), "script(calls='1NT')", "", client_quirks="wbridge5"), _shout),
    "passed_out": (
        Scene("A passed-out board goes straight to the timing line", "manager", _TWO,
              _others("S"), "script", "S"), _plain),
    "sloppy_spelling": (
        Scene("Small letters, no apostrophes, a dot at the end of every line", "manager", _ONE,
              _others("N", S="3NT"), "script(calls='1NT')", "N"), _sloppy),
    "gib_received_dummy": (
        Scene("GIB says that it has received dummy", "manager", _ONE,
              _others("S", N="1NT"), "script(calls='3NT')", "S"), _gib),
    "dummy_asks_for_its_own_cards": (
        Scene("Dummy asks for every card, its own as dummy's, and sees no dummy", "manager", _ONE,
              _others("S", N="1NT"), "script(calls='3NT')", "S"), _plain),
    "dummy_by_seat_name": (
        Scene("A client asks for dummy's cards by the seat", "manager", _ONE,
              _others("S", N="1NT"), "script(calls='3NT')", "S", client_quirks="openspiel"),
        _plain),
    "declarer_says_dummy_plays": (
        Scene("Declarer says 'Dummy plays' instead of naming the seat", "manager", _ONE,
              _others("N", S="3NT"), "script(calls='1NT')", "N"),
        _each((r"^South plays", "Dummy plays"))),
    "suit_before_rank": (
        Scene("Cards with the suit first, tens as 10", "manager", _ONE,
              _others("N", S="3NT"), "script(calls='1NT')", "N"),
        _each((r"plays (\w)(\w)", r"plays \2\1"), (r"plays (\w)T", r"plays \g<1>10"))),
    "garbage_between": (
        Scene("Nonsense between the lines is ignored and ruled on", "manager", _ONE,
              _others("N", S="3NT"), "script(calls='1NT')", "N"), _noisy),
    "illegal_bid": (
        Scene("An insufficient bid becomes Pass; the next board finds the client in step",
              "manager", _TWO, _others("S", N="1NT"), "script(calls='3NT')", "S",
              patience=0.4), _impatient),
    "alert_with_words": (
        Scene("An alert with its words, and a bare one", "manager", _ONE,
              _others("N", E="2D", S="3NT"), "script(calls='1NT! 4C')", "N"),
        _each((r"bids 4C", "bids 4C Alert."))),
    "version_19": (
        Scene("Version 19: scoring with the teams, the room, alerts of the opponents", "manager",
              _ONE, _others("E", N="1C!", S="1D! 3NT"), "script", "E", 19), _plain),
    "silent_client": (
        Scene("A client that never plays a card: the director plays, the next board is in step",
              "manager", _TWO, _others("E", N="1NT"), "script", "E", patience=0.3),
        _silent_on_lead),
    "moniteur": (
        Scene("Bridge Moniteur: unquoted names, no last dots, ends with NS:", "client", _ONE,
              _others("S", N="1NT"), "script(calls='3NT')", "S"), _MONITEUR),
    "openspiel_lines": (
        Scene("Cards in small letters, times in brackets, no capital at the start", "client",
              _ONE, _others("N", S="3NT"), "script(calls='1NT')", "N",
              manager_quirks="openspiel"), _OPENSPIEL),
    "crowded_hands": (
        Scene("Hands without spaces, a void as a dash", "client", _TWO,
              _others("N", S="3NT"), "script(calls='1NT')", "N"), _CROWDED),
    "board_begins_again": (
        Scene("Start of board in the middle of an auction", "client", _TWO,
              _others("N"), "script(calls='1NT')", "N", patience=1.0), _restarting()),
    "nobody_says_to_lead": (
        Scene("A manager that never says who is to lead", "client", _ONE,
              _others("N", S="3NT"), "script(calls='1NT')", "N"), _no_lead),
    "robobridge_19": (
        Scene("RoboBridge 19: explanations behind bids and cards", "client", _ONE,
              _others("E", N="1C!", S="1D! 3NT"), "script", "E", 19),
        _each((r"(South plays \w\w)$", r"\1. encouraging"), (r"North bids 1C.*", "North bids 1C"
               " Infos. strong and artificial"))),
}  # fmt: skip


async def _record_all() -> None:
    TRANSCRIPTS.mkdir(exist_ok=True)
    for name, (scene, dialect) in SCENES.items():
        lines, journal = await record(scene, dialect)
        faults = dict(journal.faults) if scene.side == "manager" else {}
        head = json.dumps(asdict(replace(scene, faults=faults)))
        text = "\n".join([f"# {head}", *lines]) + "\n"
        (TRANSCRIPTS / f"{name}.txt").write_text(text, encoding="ascii")


if __name__ == "__main__":
    asyncio.run(_record_all())
