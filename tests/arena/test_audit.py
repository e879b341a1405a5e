"""The audit: other calls bid out as at the table, planted faults found, work that goes on."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from overtrick import bidder
from overtrick.arena import audit as auditing
from overtrick.arena.audit import (
    AuditError,
    AuditFile,
    AuditJob,
    bid_deals,
    findings_in,
    imagine_worst,
)
from overtrick.arena.findings import Findings, _wants
from overtrick.bidding.audit import (
    AuditDeals,
    AuditedCall,
    AuditSettings,
    Doubler,
    Other,
    _scores,
    auction_words,
    audit,
    compared,
    imagine,
)
from overtrick.bidding.kernel import AuctionPosition
from overtrick.cli import main
from overtrick.game import (
    Auction,
    Hand,
    OptionError,
    Seat,
    View,
    Vulnerability,
    imps,
    points,
)
from overtrick.nets.contract import imps_of
from overtrick.notation.solved import SolvedDeals, hands_of

PLANTED = """
opening
  3NT "hopeless" forcing asks : hcp 12+ @100
  1C "sane" : hcp 12+ @90
  Pass "nothing" : hcp ..11 @10
after 3NT
  Pass "never heard of it" : any @10
after 1C
  Pass "enough" : any @10
convention luck "Luck"
after 1C
  7NT "it may make" : hcp 38+ @50
"""


@pytest.fixture(scope="module")
def deals() -> SolvedDeals:
    """Random deals with made-up tables in which every contract takes six to eight tricks."""
    rng = np.random.default_rng(5)
    owners = np.stack([rng.permutation(np.repeat(np.arange(4), 13)) for _ in range(40)])
    return SolvedDeals(owners.astype(np.uint8), rng.integers(6, 9, (40, 5, 4)).astype(np.uint8))


@pytest.fixture
def planted(tmp_path: Path, deals: SolvedDeals) -> tuple[AuditSettings, str]:
    deals.save(tmp_path / "deals.npz")
    return AuditSettings(_system(tmp_path, PLANTED), "silent"), str(tmp_path / "deals.npz")


def _system(folder: Path, rules: str) -> str:
    """A system of one file; its folder."""
    (folder / "system.bid").write_text(
        'system planted "Planted"\ninclude rules\non luck\n', encoding="utf-8"
    )
    (folder / "rules.bid").write_text(rules, encoding="utf-8")
    return str(folder)


def _at_the_table(calls: tuple[int, ...], hands: np.ndarray, tricks: np.ndarray, side: int) -> int:
    """Points of `side` when four engines bid the auction to its end."""
    auction, engine = Auction(Seat.NORTH, calls), bidder("rules(system=sayc)")
    while not auction.is_over:
        hand = Hand(int(hands[auction.turn]))
        view = View(auction.turn, hand, auction, Vulnerability.NS)
        auction = auction.then(engine.bid(view).action)
    found = auction.contract
    if found is None:
        return 0
    made = int(tricks[int(found.strain), int(found.declarer)])
    vul = int(found.declarer) & 1 == 0
    score = points(found.level, int(found.strain), int(found.doubled), vul, made)
    return score if int(found.declarer) & 1 == side else -score


def test_other_calls_are_bid_out_as_at_the_table(deals: SolvedDeals) -> None:
    hands, tricks = hands_of(deals.owners[:6]), deals.tricks[:6]
    found = audit(AuditDeals(hands, 1, tricks), AuditSettings("sayc", "self"))
    for row, score in enumerate(found.scores):
        assert score == tuple(_at_the_table((), hands[row], tricks[row], side) for side in (0, 1))
    assert sum(len(j.others) for j in found.judged) > 10
    for j in found.judged[::3]:
        assert int(hands[j.deal, len(j.calls) & 3]) == j.hand
        for other in j.others:
            calls = (*j.calls, other.call)
            score = _at_the_table(calls, hands[j.deal], tricks[j.deal], j.side)
            assert other.gain == imps(score - int(found.scores[j.deal][j.side]))


@pytest.mark.parametrize(("on", "off"), [((), ("weak-twos",)), (("dont",), ())])
def test_a_card_bids_again_only_where_it_can_differ(
    on: tuple[str, ...], off: tuple[str, ...], deals: SolvedDeals
) -> None:
    """The same gains as when every deal is bid by both cards."""
    table = AuditDeals(hands_of(deals.owners), 0, deals.tricks)
    usual = AuditSettings("two-over-one", "self")
    mine = replace(usual, on=on, off=off)
    first, second = (np.array(_scores(table, card, "", usual)) for card in (mine, usual))
    gains = compared(table, mine, usual)
    assert gains.tolist() == imps_of(first - second).sum(axis=1).tolist()
    assert off == () or gains.any()


def _run(job: AuditJob, path: Path | str = ":memory:") -> Findings:
    with AuditFile(path, job) as file:
        bid_deals(job, file)
        imagine_worst(job, file)
        return findings_in(job, file)


def test_a_planted_loss_is_found(planted: tuple[AuditSettings, str]) -> None:
    settings, deals = planted
    found = _run(AuditJob(settings, 40, deals=deals, imagine=0, without=("luck",)))
    worst = found.rules[0]
    assert (worst.words, worst.other_words) == ("hopeless", "sane")
    assert worst.calls == "1♣, not 3NT"
    assert worst.gain > 2 * worst.gain_error > 0
    assert worst.lost == pytest.approx(worst.gain * worst.times / 40)
    assert worst.cases[0].auction == "opening"
    assert found.auctions[0].what == "opening"
    assert [(c.name, c.changed) for c in found.conventions] == [("luck", 0)]


def test_asks_that_are_passed_are_listed(
    planted: tuple[AuditSettings, str], deals: SolvedDeals
) -> None:
    found = audit(AuditDeals(hands_of(deals.owners), 0), planted[0])
    kinds = {f.kind for f in found.faults}
    assert {"passes of forcing calls", "passes of asking bids"} <= kinds


def test_a_killed_audit_goes_on(
    planted: tuple[AuditSettings, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(auditing, "CHUNK", 16)
    settings, deals = planted
    job, path = AuditJob(settings, 40, deals=deals, imagine=0), tmp_path / "audit.sqlite"
    _run(replace(job, boards=20), path)
    with AuditFile(path, job) as file:
        assert file.chunks(job) == {0}  # the second had four deals only
    assert _run(job, path) == _run(job)
    with pytest.raises(AuditError, match="another audit"):
        AuditFile(path, replace(job, seed=1))
    with pytest.raises(OptionError, match="too few"):
        replace(job, boards=41)
    with pytest.raises(OptionError, match="no network"):
        AuditSettings("sayc", "nobody")


def test_imagined_worlds_are_the_same_each_time() -> None:
    hand = Hand.parse("KJ976.KQ2.J65.85", size=13)
    other = Other(6, "natural/openings:67.1", "five or more spades", "", 0.0)
    weak = AuditedCall(7, (), 0, hand.bits, "natural/openings:75", "not enough", 0, (other,))
    found = imagine(weak, AuditSettings("sayc", "silent"), worlds=8)
    assert found == imagine(weak, AuditSettings("sayc", "silent"), worlds=8)
    assert (found.deal, found.turn) == (7, 0)
    assert np.isfinite(found.gains + found.errors).all()


def test_which_hands_want_the_other_call() -> None:
    """Only strong hands gain, and that is said."""
    rng = np.random.default_rng(0)
    pairs = []
    for deal in range(200):
        hand = Hand(int(hands_of(rng.permutation(np.repeat(np.arange(4), 13))[None])[0, 0]))
        gain = 5.0 if hand.hcp >= 11 else -4.0
        other = Other(3, "b", "", "", gain)
        pairs.append((AuditedCall(deal, (), 0, hand.bits, "a", "", 0, (other,)), other))
    assert _wants(pairs).startswith("hcp 11+")
    assert "+5.0 ± 0.0 each time, others -4.0 ± 0.0" in _wants(pairs)
    assert _wants(pairs[:10]) == ""


def test_the_doubler_only_doubles_what_it_may() -> None:
    rng = np.random.default_rng(1)
    hands = hands_of(np.stack([rng.permutation(np.repeat(np.arange(4), 13)) for _ in range(300)]))
    for calls, often in (((), False), ((3,), True), ((3, 0), False), ((3, 1, 0), False)):
        chances = Doubler().chances(AuctionPosition(calls, 0, 0), hands[:, 0])
        assert (60 < chances[:, 1].sum() < 140) if often else not chances[:, 1].any()
        assert (chances[:, :2].sum(axis=1) == 1).all()


def test_a_judge_proposes_calls_of_its_own(deals: SolvedDeals) -> None:
    table = AuditDeals(hands_of(deals.owners[:8]), 0)
    found = audit(table, AuditSettings("sayc", "silent", judge="sl"))
    names = {o.rule for j in found.judged for o in j.others}
    assert names & {"sl: a bid", "sl: Pass"}


def test_auctions_in_words() -> None:
    assert auction_words((), 0) == "opening"
    assert auction_words((0, 0), 0) == "opening"
    assert auction_words((3, 1, 0), 1) == "(1C) X (P)"


def test_the_verb(planted: tuple[AuditSettings, str], tmp_path: Path) -> None:
    settings, deals = planted
    page = tmp_path / "page.html"
    given = ["audit", settings.system, "--against", "silent", "-n", "40", "--deals", deals]
    given += ["--imagine", "0", "--without", "luck", "--no-lint"]
    shown = CliRunner().invoke(main, ["system", *given, "--report", str(page)])
    assert shown.exit_code == 0, shown.output
    assert "1♣, not 3NT" in shown.output
    assert "hopeless" in page.read_text(encoding="utf-8")
    told = json.loads(CliRunner().invoke(main, ["system", *given, "--json"]).stdout)
    assert told["rules"][0]["words"] == "hopeless"
    assert told["boards"] == 40
