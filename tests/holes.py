"""Holes that were found from inside, and the smallest change that opens each of them again.
`tests/test_holes.py` makes every change in a copy of the source and sees the named test fail."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
_PLACES: Final = ("src/overtrick/**/*.py", "Dockerfile", ".github/workflows/*.yml")


@dataclass(frozen=True, slots=True)
class Hole:
    """`old` stands once in the whole source, `new` in its place is the hole, and `test` sees it."""

    finding: str
    what: str
    test: str
    old: str
    new: str

    @property
    def name(self) -> str:
        return f"{self.finding}-{self.test.rpartition('::')[2].removeprefix('test_')}"

    @property
    def places(self) -> list[Path]:
        """The files that hold what is changed."""
        return [path for path, text in _sources().items() if self.old in text]


@cache
def _sources() -> dict[Path, str]:
    found = (path for pattern in _PLACES for path in sorted(ROOT.glob(pattern)))
    return {path: path.read_text(encoding="utf-8") for path in found}


HOLES: Final = (
    Hole(
        "S1", "seats change at a board that is dealt, before its first call",
        "tests/web/test_sight.py::test_nobody_sees_four_hands_by_changing_seats",
        'if live.table.state.phase != "over":\n'
        '            raise NotAllowed("seats are changed between',
        'if live.table.state.phase != "over" and live.table.state.log:\n'
        '            raise NotAllowed("seats are changed between',
    ),
    Hole(
        "S1", "a robot's answer is entered for a person who has come to the seat",
        "tests/web/test_sight.py::test_a_robots_answer_is_not_entered_for_a_person",
        "return table.state is not state or pilot(table) is not None",
        "return table.state is not state",
    ),
    Hole(
        "S1", "whoever knew another hand is ranked",
        "tests/web/test_sight.py::test_four_seats_of_one_browser_are_noticed_and_not_ranked",
        "if table.sights.knowing:",
        "if False:",
    ),
    Hole(
        "S2", "a board is credited to the side of the entry",
        "tests/web/test_sight.py::test_each_board_is_credited_to_the_side_that_was_played",
        "side = player.side if line.side is None else line.side\n",
        "side = player.side\n",
    ),
    Hole(
        "S3", "partners share one process of an engine that is not ours",
        "tests/arena/test_sealed.py::test_who_remembers_hands_decides_as_without_memory",
        "        if is_foreign(spec):\n            seats.append(robot(spec))",
        "        if False:\n            seats.append(robot(spec))",
    ),
    Hole(
        "S3", "a seat's process has the environment of the match",
        "tests/arena/test_sealed.py::test_a_seat_finds_nothing_of_the_match",
        "if name in _PASSED_ON or name.startswith(",
        "if True or name.startswith(",
    ),
    Hole(
        "S3", "seats speak through a pipe with a name",
        "tests/arena/test_sealed.py::test_seats_cannot_whisper_through_what_they_all_read",
        '_write_only_to([*HIDDEN, *(f"/dev/{name}" for name in _DEVICES)])',
        "pass",
    ),
    Hole(
        "S3", "seats speak through a pipe beside their program",
        "tests/arena/test_sealed.py::test_seats_cannot_whisper_through_what_they_all_read",
        'if os.path.isdir(source) and not path.startswith("/sys/"):',
        "if False:",
    ),
    Hole(
        "S3", "seats speak through locks, notices and sockets",
        "tests/arena/test_sealed.py::test_seats_cannot_whisper_through_what_they_all_read",
        '_done(_libc().prctl(_SECCOMP, 2, ctypes.c_char_p(program), 0, 0), "seccomp")',
        'assert program',
    ),
    Hole(
        "S3", "a transcript counts without the cards that were played",
        "tests/arena/test_sealed.py::test_a_forged_transcript_is_found",
        "if not play.is_over:\n            raise BridgeError(f\"only",
        "if False:\n            raise BridgeError(f\"only",
    ),
    Hole(
        "S3", "a board that went badly is left out of a transcript",
        "tests/arena/test_sealed.py::test_a_forged_transcript_is_found",
        "for n in missing if n < last]",
        "for n in ()]",
    ),
    Hole(
        "S4", "frames of a flood reach the parser",
        "tests/web/test_budgets.py::test_no_frame_of_a_flood_is_parsed",
        "if not self._mine.take(found) or not budgets.hears(self.client_name, found):",
        "if False:",
    ),
    Hole(
        "S4", "bodies come in chunks, as many as somebody likes",
        "tests/web/test_budgets.py::test_what_no_browser_sends_is_refused_before_it_is_parsed",
        "if _CODING.search(head):",
        "if False:",
    ),
    Hole(
        "S4", "the lines of a head end as somebody likes, and hide another head or a coding",
        "tests/web/test_budgets.py::test_the_parser_sees_the_same_end_of_a_request",
        'if head.count(b"\\n") != head.count(b"\\r\\n"):',
        "if False:",
    ),
    Hole(
        "S4", "the parser gets heads of any length and number of lines",
        "tests/web/test_budgets.py::test_what_no_browser_sends_is_refused_before_it_is_parsed",
        'if head.count(b"\\n") > _MOST_LINES:',
        "if False:",
    ),
    Hole(
        "S4", "every piece is read at once, however small",
        "tests/web/test_budgets.py::test_small_pieces_are_read_seldom",
        "if len(data) < _SMALL and (self._body or (self._came and not self._answering)):",
        "if False:",
    ),
    Hole(
        "S4", "who has used his share of the loop does not wait",
        "tests/web/test_budgets.py::test_who_has_used_his_share_waits_and_others_do_not",
        "seconds = self.hall.budgets.wait_of(self.client_name)",
        "seconds = 0.0",
    ),
    Hole(
        "S4", "whoever holds the loop again and again stays",
        "tests/web/test_budgets.py::test_whoever_blocks_the_loop_again_and_again_is_turned_out",
        "if not held.take():",
        "if False:",
    ),
    Hole(
        "S4", "whoever comes or goes makes a whole frame for everybody",
        "tests/web/test_shares.py::test_coming_and_going_shows_nobody_the_whole_table_again",
        "if told != live.told:",
        "if True:",
    ),
    Hole(
        "S4", "processes are ended by the loop, which waits for them",
        "tests/web/test_workers.py::test_no_process_begins_or_ends_on_the_loop",
        "await self._beside(process.end)\n            _settle(job, error=stopped)",
        "process.end()\n            _settle(job, error=stopped)",
    ),
    Hole(
        "S5", "links to look on outlive whoever made them",
        "tests/web/test_sight.py::test_a_handed_over_seat_has_no_eyes_of_others",
        "watchers = {k: s for k, s in table.watchers.items() if s != event.seat}",
        "watchers = table.watchers",
    ),
    Hole(
        "S5", "a line that breaks for a moment gives the seat away",
        "tests/web/test_sight.py::test_a_line_that_breaks_gives_nobody_the_cards",
        "if monotonic() - live.gone.get(letter, -inf) < self.blip:",
        "if False:",
    ),
    Hole(
        "S5", "an absent person's seat is taken while its board is played",
        "tests/web/test_sight.py::test_a_line_that_breaks_gives_nobody_the_cards",
        "if table.makers.get(link) != holder:\n",
        "if False:\n",
    ),
    Hole(
        "S6", "undo asks those who are there now, not those who acted",
        "tests/web/test_sight.py::test_nothing_is_taken_back_behind_somebodys_back",
        "return people(table) == [seat.letter] and table.actors <= {table.holder(seat.letter)}",
        "return people(table) == [seat.letter]",
    ),
    Hole(
        "S7", "cards that somebody chose are ranked",
        "tests/web/test_sight.py::test_cards_that_the_opener_chose_are_marked",
        "if table.chosen or contest.founded.chosen:",
        "if False:",
    ),
    Hole(
        "S7", "the opener is not said to know the cards",
        "tests/web/test_sight.py::test_cards_that_the_opener_chose_are_marked",
        "chosen=table.chosen,",
        "chosen=False,",
    ),
    Hole(
        "S7", "the cards are promised by the hash of something else",
        "tests/web/test_sight.py::test_the_cards_are_promised_and_opened",
        "return Sealed.of([self.state.board], self.salt) if self.salt else None",
        "return Sealed.of([], self.salt) if self.salt else None",
    ),
    Hole(
        "S8", "a board counts that somebody has seen at another table",
        "tests/web/test_sight.py::test_programs_are_known_by_their_address",
        "return any(people & seen for t, seen in self.saw.get(index, {}).items() if t != table)",
        "return False",
    ),
    Hole(
        "S9", "one address fills a match",
        "tests/web/test_shares.py::test_one_address_does_not_fill_a_match",
        "if sum(entered.by == by for entered in self.players.values()) >= MOST_EACH:",
        "if False:",
    ),
    Hole(
        "S9", "nobody takes junk out of a match",
        "tests/web/test_shares.py::test_the_director_takes_junk_out",
        "return self._add(contest, Removed(entry))",
        "return contest",
    ),
    Hole(
        "S9", "the oldest evening goes, whoever sent it",
        "tests/web/test_shares.py::test_nobody_pushes_out_the_evenings_of_others",
        "(SELECT client FROM sent GROUP BY client ORDER BY count(*) DESC, min(at) LIMIT 1)",
        "(SELECT client FROM sent ORDER BY at LIMIT 1)",
    ),
    Hole(
        "S10", "a card is shown as soon as it has been thought of",
        "tests/web/test_tempo.py::test_no_choice_comes_as_late_as_a_choice",
        "await asyncio.sleep(rest(clock() - began, step) + (blur() if step else 0.0))",
        "await asyncio.sleep(0.0)",
    ),
    Hole(
        "S10", "a call is shown as soon as it has been thought of",
        "tests/web/test_tempo.py::test_a_hesitation_over_a_call_is_not_seen",
        "await asyncio.sleep(rest(clock() - began, step) + (blur() if step else 0.0))",
        "await asyncio.sleep(0.0)",
    ),
    Hole(
        "S10", "a hidden hand's single card comes sooner",
        "tests/web/test_tempo.py::test_only_what_all_see_is_settled",
        "single = play.turn == play.dummy and bool(play.cards) and len(view.legal_cards()) == 1",
        "single = len(view.legal_cards()) == 1",
    ),
    Hole(
        "S11", "a long table is read back in one go",
        "tests/web/test_tables.py::test_a_long_table_is_read_back_a_few_events_at_a_time",
        "                break\n            await asyncio.sleep(_TURNS * (perf_counter() - began))",
        "                break\n            began = 0.0",
    ),
    Hole(
        "S12", "a tag in a spelling of its own that comes twice",
        "tests/notation/test_pbn.py::test_a_tag_in_a_spelling_of_its_own_twice",
        "if name in values:  # it is not when the tag comes a second time",
        "if True:",
    ),
    Hole(
        "S13", "an archive unpacks to more than its size explains",
        "tests/disk/test_archives.py::test_what_no_file_of_ours_is",
        "if sum(info.file_size for info in parts) > _ALWAYS + _TIMES * size:",
        "if False:",
    ),
    Hole(
        "S13", "an array has as many rows as it says",
        "tests/disk/test_archives.py::test_no_room_is_made_for_rows_that_are_not_there",
        "or prod(shape) * dtype.itemsize != length:",
        "or prod(shape) < 0:",
    ),
    Hole(
        "S14", "a full disk is told as a failed rollback",
        "tests/disk/test_full.py::test_why_is_told_and_not_the_failed_rollback",
        "        if db.in_transaction:\n            with suppress(sqlite3.Error):\n"
        '                db.execute("ROLLBACK")',
        '        db.execute("ROLLBACK")',
    ),
    Hole(
        "S15", "the chair of somebody who is late is free",
        "tests/protocol/test_manager.py::test_a_late_player_keeps_the_chair_from_strangers",
        "return not self._connected\n",
        "return not self._connected or self._absence is Fault.LATE\n",
    ),
    Hole(
        "S16", "robots at practice draw from the seed of the deal",
        "tests/web/test_sight.py::test_robots_are_told_no_seed_of_the_deal",
        "# Nothing that robots are told leads back to the cards.\n"
        "            secrets.randbits(62),",
        "drawn.seed,",
    ),
    Hole(
        "S17", "later boards of a match come from 48 bits",
        "tests/web/test_sight.py::test_boards_of_a_match_have_seeds_that_nobody_can_try_out",
        'sha256(f"board {index} of {found.secret}".encode()).digest())',
        'sha256(f"board {index} of {found.secret}".encode()).digest()[:6])',
    ),
    Hole(
        "S18", "pages of other sites let their visitors ask",
        "tests/web/test_open_door.py::test_other_sites_ask_nothing_that_costs_work",
        'return headers.get("sec-fetch-site", "none") in ("none", "same-origin")',
        "return True",
    ),
    Hole(
        "S19", "the image takes whatever the registry has",
        "tests/test_packaging.py::test_images_and_servers_use_what_is_locked",
        "--require-hashes --prefix=/install -r requirements.lock",
        "--prefix=/install -r requirements.lock",
    ),
    Hole(
        "S20", "an action is shown before the disk has it",
        "tests/disk/test_faults.py::test_a_power_cut_at_every_step",
        "PRAGMA synchronous={'FULL' if kind.lasting else 'NORMAL'}",
        "PRAGMA synchronous=NORMAL",
    ),
)  # fmt: skip


def table() -> str:
    """The holes as a page shows them."""
    lines = ["| finding | opened again | the test that fails then |", "|---|---|---|"]
    lines += [f"| {h.finding} | {h.what} | `{h.test.rpartition('::')[2]}` |" for h in HOLES]
    return "\n".join(lines) + "\n"
