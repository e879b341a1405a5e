"""Tables one by one and in batches, par against DDS's own, the cache and the process pool."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from overtrick import dd
from overtrick.doubledummy import Table, TableCache
from overtrick.doubledummy.cache import CacheError, cache_folder
from overtrick.doubledummy.dds import MAX_TABLES, Solver
from overtrick.doubledummy.library import SolverError, library_paths
from overtrick.game import BridgeError, Deal, Seat, Strain, Vulnerability


@pytest.fixture(scope="module")
def deals() -> list[Deal]:
    return [Deal.random(seed) for seed in range(2)]


@pytest.fixture(scope="module")
def solved(deals: list[Deal]) -> list[Table]:
    return dd.tables(deals)


def endings(count: int, cards: int) -> list[Deal]:
    """Deals of few cards each: full tables of them cost almost nothing."""
    rng = np.random.default_rng(count)
    out = []
    for _ in range(count):
        order = rng.permutation(52)[: 4 * cards].reshape(4, cards)
        bits = [sum(1 << int(c) for c in row) for row in order]
        out.append(Deal.parse("N:" + " ".join(_dotted(b) for b in bits)))
    return out


def _dotted(bits: int) -> str:
    from overtrick.game import Hand

    return str(Hand(bits))


def test_a_table_is_its_single_contracts(deals: list[Deal], solved: list[Table]) -> None:
    (small,) = endings(1, 9)
    table = dd.table(small)
    for strain, declarer in [(s, d) for s in Strain for d in (Seat.NORTH, Seat.EAST)]:
        assert dd.tricks(small, strain, declarer) == table[strain, declarer]
    assert dd.tricks(deals[0], Strain.NT, Seat.EAST) == solved[0][Strain.NT, Seat.EAST]


def test_a_known_deal() -> None:
    """Declarer's side has thirteen spade tricks, or the top of everything."""
    deal = Deal.parse("N:AKQJ.AKQ.AKQ.AKQ T987.JT9.JT9.JT9 6543.876.876.876 2.5432.5432.5432")
    found = dd.table(deal)
    assert found[Strain.NT, Seat.NORTH] == 13
    assert found[Strain.SPADES, Seat.EAST] == 0


def test_more_deals_than_one_call_takes() -> None:
    many = endings(3 * MAX_TABLES + 7, 3)
    together = dd.tables(many)
    assert together[::25] == [dd.table(d) for d in many[::25]]
    array = dd.table_array(dd.bits_of(many))
    assert array.tolist() == [[list(r) for r in t.tricks] for t in together]


def test_only_some_strains() -> None:
    many = dd.bits_of(endings(250, 2))
    full = dd.table_array(many)
    spades = dd.table_array(many, strains=(Strain.SPADES,))
    assert (spades[:, 3] == full[:, 3]).all()
    assert (spades[:, [0, 1, 2, 4]] == -1).all()


def test_the_limit_of_one_call_is_forty_deals() -> None:
    hands = dd.bits_of(endings(MAX_TABLES + 1, 1))
    with pytest.raises(SolverError, match="at most 40 deals"):
        dd.solver().tables(hands)
    assert dd.solver().tables(hands[:MAX_TABLES]).shape == (40, 5, 4)


def test_tables_print_compare_and_travel(solved: list[Table]) -> None:
    one = solved[0]
    assert Table.from_bytes(bytes(one)) == one == Table.of(one.array)
    assert hash(one) == hash(Table.of(one.array))
    assert one.array[Strain.NT, Seat.WEST] == one[Strain.NT, Seat.WEST]
    assert one.to_dict()["NT"]["W"] == one[Strain.NT, Seat.WEST]
    lines = str(one).splitlines()
    assert lines[0].split() == ["NT", "♠", "♥", "♦", "♣"]
    assert lines[1].split() == ["North", *(str(one[s, 0]) for s in reversed(Strain))]
    with pytest.raises(BridgeError, match="0 to 13"):
        Table.of(np.full((5, 4), 14))


def test_bad_hands_are_refused() -> None:
    with pytest.raises(BridgeError, match="row 1 is no deal"):
        dd.table_array(np.array([[1, 2, 4, 8], [1, 2, 4, 4]], dtype=np.uint64))
    with pytest.raises(BridgeError, match=r"array \(n, 4\)"):
        dd.table_array(np.array([1, 2, 4, 8], dtype=np.uint64))
    assert dd.table_array(np.zeros((0, 4), dtype=np.uint64)).shape == (0, 5, 4)
    assert dd.tables([]) == []


def _random_tables(count: int) -> list[Table]:
    """Wilder than real ones: partners differ by up to four tricks, both sides make the same."""
    rng = np.random.default_rng(3)
    out = []
    for _ in range(count):
        base = rng.normal(6.5, 2.5, 5).round()
        sides = np.stack([base, 13 - base, base, 13 - base], axis=1)
        out.append(Table.of(np.clip(sides + rng.integers(-2, 3, (5, 4)), 0, 13).astype(int)))
    return out


def test_par_agrees_with_dds(solved: list[Table]) -> None:
    """The score always; of contracts DDS also names some that the opponents would bid first."""
    for one in [*solved, *_random_tables(40)]:
        for vul in Vulnerability:
            for dealer in Seat:
                ours = dd.par(one, vul, dealer)
                score, texts = dd.solver().dealer_par(one.array, dealer, vul)
                assert ours.score == score
                named = {
                    (c.contract.ascii.replace("NT", "N"), c.contract.declarer.letter)
                    for c in ours.contracts
                }
                theirs = _dds_contracts(texts)
                assert named <= theirs
                assert bool(named) == bool(theirs)
                assert named == theirs or one not in solved


def _dds_contracts(texts: list[str]) -> set[tuple[str, str]]:
    found = set()
    for text in texts:
        match = re.match(r"(\d[CDHSN])\*?-([NESW]+)(-?)", text)
        if match is not None:  # "pass" when nobody can make anything
            bid, seats, down = match.groups()  # its star for a double is sometimes missing
            found |= {(bid + ("X" if down else ""), seat) for seat in seats}
    return found


def test_par_in_words(deals: list[Deal], solved: list[Table]) -> None:
    deal = Deal.parse("N:AKQJ.AKQ.AKQ.AKQ T987.JT9.JT9.JT9 6543.876.876.876 2.5432.5432.5432")
    best = dd.par(deal, Vulnerability.NONE, Seat.NORTH)
    assert best.score == 1520
    assert "7NT North=" in str(best)
    none = dd.par(Table.of(np.full((5, 4), 6)), Vulnerability.ALL, Seat.WEST)
    assert (none.score, none.contracts, str(none)) == (0, (), "Par 0, passed out")
    both = Table.of([[6] * 4] * 4 + [[7] * 4])  # both sides make 1NT: the dealer gets it
    assert dd.par(both, Vulnerability.NONE, Seat.NORTH).score == 90
    assert dd.par(both, Vulnerability.NONE, Seat.EAST).score == -90
    split = Table.of([[6] * 4] * 4 + [[6, 7, 7, 6]])  # East and South make it: North cannot say so
    assert dd.par(split, Vulnerability.NONE, Seat.NORTH).score == -90
    assert dd.par(split, Vulnerability.NONE, Seat.SOUTH).score == 90


def test_cache_keeps_tables_and_its_limit(tmp_path: Path) -> None:
    many = endings(12, 2)
    path = tmp_path / "deep" / "tables.sqlite"
    with TableCache(path, limit=10) as cache:
        first = dd.tables(many[:8], cache)
        assert cache.get(many[:8]) == first
        assert cache.get(many[8:]) == [None] * 4
        assert dd.tables(many, cache)[:8] == first
        assert len(cache) == 10
        assert cache.get(many)[:2] == [None, None]  # the oldest went first
    with TableCache(path, limit=10) as again:
        assert len(again) == 10
        dd.tables(many[5:], again)  # nothing new, nothing lost
        assert len(again) == 10


def test_cache_survives_a_kill_in_the_middle_of_a_write(tmp_path: Path) -> None:
    path = tmp_path / "tables.sqlite"
    kill = (
        "import os, sys\n"
        "from overtrick import dd\n"
        "from overtrick.game import Deal\n"
        "deal = Deal.parse('N:A... K... Q... J...')\n"
        "cache = dd.TableCache(sys.argv[1])\n"
        "dd.tables([deal], cache)\n"
        "cache._db.execute('BEGIN IMMEDIATE')\n"
        "cache._db.execute(\"INSERT INTO tables (deal, tricks) VALUES (x'00', x'00')\")\n"
        "os._exit(9)\n"
    )
    done = subprocess.run([sys.executable, "-c", kill, str(path)], check=False)
    assert done.returncode == 9
    with TableCache(path) as cache:
        assert len(cache) == 1
        assert cache.get([Deal.parse("N:A... K... Q... J...")])[0] is not None


def test_cache_refuses_other_files(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("not a database, but quite long enough to be looked at as one\n" * 20)
    with pytest.raises(CacheError, match="no table cache"):
        TableCache(text)
    newer = tmp_path / "newer.sqlite"
    with sqlite3.connect(newer) as db:
        db.execute("PRAGMA user_version=99")
    with pytest.raises(CacheError, match="version 99"):
        TableCache(newer)
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as db:
        db.execute("CREATE TABLE boards (number INTEGER)")
    before = other.read_bytes()
    with pytest.raises(CacheError, match="another database"):
        TableCache(other)
    assert other.read_bytes() == before
    with pytest.raises(CacheError, match="at least one"):
        TableCache(tmp_path / "x.sqlite", limit=0)


def test_cache_folder_follows_the_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("OVERTRICK_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path
    monkeypatch.delenv("OVERTRICK_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "overtrick"


def test_pool_gives_the_same_tables_in_order() -> None:
    many = endings(35, 3)
    seen: list[tuple[int, int]] = []
    assert dd.label(many, workers=2, progress=lambda a, b: seen.append((a, b))) == dd.tables(many)
    assert seen == [(10, 35), (20, 35), (30, 35), (35, 35)]
    assert dd.label(many[:5], workers=1) == dd.tables(many[:5])
    assert dd.label([], workers=2) == []
    with pytest.raises(BridgeError, match="at least one worker"):
        dd.label(many, workers=0)


def test_where_the_library_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    assert next(iter(library_paths())).endswith(("libdds.so", "libdds.dylib", "dds.dll"))
    monkeypatch.setenv("OVERTRICK_DDS", "/no/such/libdds.so")
    assert list(library_paths()) == ["/no/such/libdds.so"]
    with pytest.raises(SolverError, match="no double-dummy library"):
        Solver()


def test_endplay_is_never_imported_and_info_is_whole() -> None:
    code = (
        "import sys; from overtrick import dd; info = dd.solver().info;"
        "assert info.version.startswith('2.9'), info; assert 'endplay' not in sys.modules;"
        "assert 'matplotlib' not in sys.modules; assert dd.solver().set_threads(1).threads == 1"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_threads_by_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    from overtrick.doubledummy.library import default_threads

    monkeypatch.setenv("OVERTRICK_DDS_THREADS", "3")
    assert default_threads() == 3
    monkeypatch.setenv("OVERTRICK_DDS_THREADS", "many")
    with pytest.raises(SolverError, match="number of threads"):
        default_threads()
