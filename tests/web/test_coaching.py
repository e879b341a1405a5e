"""The coach's steps: the nudge does not give the answer away, the reasons are counted facts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from overtrick.cardplay import Player
from overtrick.game import (
    Auction,
    Board,
    Call,
    Card,
    Deal,
    Decision,
    Hand,
    Meaning,
    Play,
    Seat,
    View,
    Vulnerability,
    view_of,
)
from overtrick.game.reasons import Coup, Deed, Does, Fate, Finesse, Reason
from overtrick.table import TableState, play_table
from overtrick.web import asking, coaching, deciding, lessons, thinking
from overtrick.web.sentences import SENTENCES
from tests.web import checked
from tests.web.conftest import plain

TWO_OVER_ONE = "rules(system=two-over-one)"


def _view(hand: str, auction: str = "", dealer: Seat = Seat.NORTH) -> View:
    calls = Auction.parse(auction, dealer) if auction else Auction(dealer)
    return View(calls.turn, Hand.parse(hand), calls, Vulnerability.NONE)


def test_points_of_both_hands_are_added() -> None:
    found = plain(thinking.hint(TWO_OVER_ONE, _view("K84.AQ4.J732.862", "1NT P")))
    assert found["nudge"][0]["id"] == "ask.how-high"
    assert found["reasons"][0] == {
        "id": "together.game",
        "args": {"mine": 10, "shown": "15–17", "both": "25–27"},
        "text": "You have 10 points and partner shows 15–17: 25–27 together, enough for game, "
        "not for a slam.",
    }


def test_a_fit_is_counted() -> None:
    found = plain(thinking.hint(TWO_OVER_ONE, _view("K84.A842.J73.862", "1H P")))
    said = {s["id"]: s for s in found["reasons"]}
    assert said["fit"]["args"] == {"cards": "nine", "suit": "hearts"}
    assert said["fit"]["text"] == "Together you have at least nine hearts."


def test_reasons_never_show_where_a_rule_stands() -> None:
    for seed in range(6):
        board = Board.random(seed + 1, seed)
        found = plain(thinking.hint(TWO_OVER_ONE, view_of(board, Auction(board.dealer))))
        text = " ".join(s["text"] for s in (*found["nudge"], *found["reasons"]))
        assert "priority" not in text
        assert "natural/" not in text


def test_the_nudge_keeps_the_card_to_itself() -> None:
    board = Board.random(1, 5)
    auction = Auction.parse("1NT P 3NT P P P", board.dealer)
    assert auction.contract is not None
    play = Play(auction.contract.strain, auction.contract.leader)
    for _ in range(6):
        view = view_of(board, auction, play)
        found = plain(thinking.hint("pimc(worlds=4)", view))
        card = Card.parse(found["action"])
        assert all(str(card) not in s["text"] for s in found["nudge"])
        assert found["reasons"]
        play = play.then(card)


def test_the_hint_is_the_robots_own_decision_in_both_rooms() -> None:
    """Whoever always takes the hint plays card by card as the robots in the other room."""
    board, robot = Board.random(2, 5), thinking.DisclosingRobot(TWO_OVER_ONE, "highest")
    state = play_table(board, [robot] * 4, seed=9)
    again = TableState.start(board, systems=(robot.system, robot.system), seed=9)
    for entry in state.log[::3]:
        while len(again.log) < state.log.index(entry):
            again = again.after(state.log[len(again.log)].decision)
        view = again.view()
        spec = robot.bidder if view.play is None else robot.player
        assert plain(thinking.hint(spec, view))["action"] == entry.decision.action.ascii


def test_points_are_not_added_beside_a_pre_empt() -> None:
    found = plain(thinking.hint(TWO_OVER_ONE, _view("AK5.K542.3.A5432", "3S P")))
    assert found["action"] == "4S"
    assert found["reasons"][0]["id"] == "pre-empt"
    assert not any(s["id"].startswith("together") for s in found["reasons"])


def test_a_slam_is_not_called_too_much_by_the_one_who_bids_it() -> None:
    partner = coaching.HeardFrom((10, 14), last=Call.parse("2S"))
    said = next(coaching._together(18, partner, Call.parse("6S")))
    assert (said.id, said.args["both"]) == ("together.controls", "28–32")


def test_a_suit_somebody_showed_out_of_is_counted() -> None:
    deal = "N:AK32.A32.A32.432 QJT98.K4.K54.765 7654.QJ5.QJ6.AKQ .T9876.T987.JT98"
    board = Board.numbered(1, Deal.parse(deal))
    auction = Auction.parse("P P 1NT P 3NT P P P", Seat.NORTH)
    assert auction.contract is not None
    play = Play(auction.contract.strain, auction.contract.leader)
    for text in ("HT", "H2", "H4", "HQ", "S7", "H6", "SK", "S8"):
        play = play.then(Card.parse(text))
    facts = list(coaching.counts(view_of(board, auction, play), 3))
    assert [f.text for f in facts] == ["West has no more spades, so East began with five."]


def _first_lead() -> View:
    board = Board.random(1, 5)
    auction = Auction.parse("1NT P 3NT P P P", board.dealer)
    assert auction.contract is not None
    return view_of(board, auction, Play(auction.contract.strain, auction.contract.leader))


@pytest.mark.parametrize(
    ("reason", "question"),
    [
        (Does(Deed.DUCKS), "ask.duck"),
        (Does(Deed.DRAWS_TRUMPS), "ask.trumps"),
        (Finesse(Card("SK"), Seat.WEST, 0.6), "ask.who-has-it"),
        (Coup("uppercut", "ruffs-high-to-promote", (Card("S9"),)), "ask.ruff"),
        (Does(Deed.WINS), "ask.auction"),
    ],
)
def test_a_technique_becomes_a_question(reason: Reason, question: str) -> None:
    view = _first_lead()
    card = view.legal_cards().cards()[0]
    made = Decision(card, Meaning(""), reasons=(reason, Fate(0.6, 9.3)))
    found = coaching.coached(view, made, {})
    assert found.nudge[-1].id == question
    assert [s.id for s in found.reasons] == [reason.id, "fate.declarer.maybe.tricks"]
    assert found.reasons[-1].args == {"chance": 60, "tricks": 9.3}


def test_a_pass_says_why() -> None:
    first = plain(thinking.hint(TWO_OVER_ONE, _view("J84.A42.J732.862")))
    assert [s["id"] for s in first["reasons"]] == ["hand", "no-opening"]
    later = plain(thinking.hint(TWO_OVER_ONE, _view("J84.A42.J732.862", "1H")))
    assert later["action"] == "Pass"
    assert [s["id"] for s in later["reasons"]] == ["hand", "agreed.rule"]


def test_words_of_other_programs_are_shown_as_they_are() -> None:
    view = _first_lead()
    card = view.legal_cards().cards()[0]
    found = coaching.coached(view, Decision(card, Meaning(""), why="ducks; makes 60%"), {})
    assert [s.text for s in found.reasons] == ["Ducks; makes 60%."]
    assert found.nudge[-1].id == "ask.auction"


def test_every_question_and_every_coup_that_is_asked_about_is_there() -> None:
    asked = {*asking._DEEDS.values(), *asking._COUPS.values()}
    assert asked <= set(SENTENCES)


def test_partner_is_heard_by_the_agreement() -> None:
    told = thinking.heard(TWO_OVER_ONE, _view("K84.AQ4.J732.862", "1NT P"))
    assert told[Seat.NORTH].hcp == (15, 17)
    assert told[Seat.NORTH].last == Call.parse("1NT")


# ---------------------------------------------------------------- the rules of every sentence


def test_every_sentence_has_a_rule_or_is_free() -> None:
    assert checked.unchecked() == []


def _scenes(seed: int, player: Player, cards: range) -> Iterator[checked.Scene]:
    board = Board.random(seed % 16 + 1, seed)
    robot = thinking.DisclosingRobot(TWO_OVER_ONE, "highest")
    state = play_table(board, [robot] * 4, seed=seed)
    calls = len(state.auction)
    for at in (*range(calls), *(calls + n for n in cards if calls + n < len(state.log))):
        view = state.back_to(at).view()
        if view.play is None:
            made = thinking.decide(TWO_OVER_ONE, view)
            told = thinking.heard(TWO_OVER_ONE, view)
        else:
            made, told = player.play(view), {}
        advice = coaching.coached(view, made, told)
        yield checked.Scene(board, view, made, told, advice)


def test_no_sentence_contradicts_its_answer_or_the_cards() -> None:
    """Some calls and endings here; `python -m tests.web.voice` looks at whole boards."""
    player = thinking.player_of("pimc(worlds=4)")
    found = [
        fault for seed in range(6) for at in _scenes(seed, player, range(26, 52, 3))
        for fault in checked.faults(at)
    ]  # fmt: skip
    assert found == []


def test_nobody_is_forced_once_they_have_acted() -> None:
    found = plain(thinking.hint(TWO_OVER_ONE, _view("9843.KQ42.76.Q82", "1C P 1H 1S", Seat.EAST)))
    told = [s["id"] for s in (*found["nudge"], *found["reasons"])]
    assert found["action"] == "Pass" or "forced" not in told
    assert "ask.forced" not in told


def test_what_all_imagined_deals_say_is_said_as_that() -> None:
    view = _first_lead()
    card = view.legal_cards().cards()[0]
    drawn = Decision(card, Meaning(""), worlds=20, reasons=(Fate(1.0, 9.0),))
    listed = Decision(
        card, Meaning(""), worlds=20, reasons=(Fate(1.0, 9.0),), details={"complete": True}
    )
    (said,) = coaching.coached(view, drawn, {}).reasons
    assert said.text.startswith("This makes the contract in all 20 deals I imagined")
    (sure,) = coaching.coached(view, listed, {}).reasons
    assert sure.id == "fate.declarer.sure.tricks"


def test_lessons_explain_their_answers() -> None:
    """By more than points, lengths and what everybody sees; and a nudge names no technique."""
    counts = {"hand", "fit", "does.wins", "does.ruffs", "no-difference"}
    for lesson in lessons.shipped():
        for p in lesson.positions:
            told = {r if isinstance(r, str) else r.id for r in p.reasons}
            assert told - counts, p.name
            assert not any(p.reasons[0] in said.text for said in p.nudge if "technique" in p.name)


def test_deciding_layouts_are_possible_and_decide() -> None:
    """Every drawn layout has the cards that are out, and tells the two cards apart."""
    player, found = thinking.player_of("pimc(worlds=6)"), 0
    for seed in (3, 8):
        state = play_table(
            Board.random(seed, seed), [thinking.DisclosingRobot(TWO_OVER_ONE, "highest")] * 4
        )
        for n in (17, 29, 36):
            view = state.back_to(len(state.auction) + n).view()
            told = deciding.deciding(view, player.play(view))
            for layout in told.layouts if told else ():
                held = [Hand(text) for text in layout.hands.values()]
                assert sum(h.bits for h in held) == view.unseen.bits
                assert not {Seat.parse(s) for s in layout.hands} & view.known.keys()
                found += 1
            assert told is None or 0 < told.better + told.worse <= told.worlds
    assert found
