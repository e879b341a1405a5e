"""Double-dummy tables and par in a record's tags."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from click.testing import CliRunner

from overtrick import Board, Record, dd, load
from overtrick.analysis import analysed, par_of, table_of
from overtrick.cli import main
from overtrick.notation import dumps, loads

# The example that BridgeWebs prints for those who send it hand records.
PUBLISHED = Record(
    tags={"DoubleDummyTricks": "89967899674347643476", "OptimumScore": "NS 140"},
    deal="N:A764.AK4.A8.J832 85.Q62.KT954.T75 KQJ92.9873.Q3.Q6 T3.JT5.J762.AK94",
    number=1,
)


def records(count: int) -> list[Record]:
    boards = [Board.random(number, seed=number) for number in range(1, count + 1)]
    return [Record(b.number, b.dealer, b.vul, b.deal) for b in boards]


def test_a_published_table_is_read_and_made() -> None:
    table = table_of(PUBLISHED)
    assert table == dd.table(PUBLISHED.deal)  # type: ignore[arg-type]
    found, remarks = analysed([replace(PUBLISHED, tags={})])
    assert remarks == []
    assert found[0].tags["DoubleDummyTricks"] == PUBLISHED.tags["DoubleDummyTricks"]
    assert par_of(found[0]) == par_of(PUBLISHED) == 140


def test_tables_travel_with_a_file() -> None:
    found, _ = analysed(records(2))
    solved = [dd.table(record.deal) for record in found]  # type: ignore[arg-type]
    for form in ("pbn", "json"):
        read = loads(dumps(found, form))
        assert read.warnings == ()
        for record, table in zip(read, solved, strict=True):
            assert table_of(record) == table
            best = dd.par(table, record.vul, record.dealer)  # type: ignore[arg-type]
            assert par_of(record) == best.score
            rows_only = {k: v for k, v in record.tags.items() if k != "DoubleDummyTricks"}
            assert table_of(replace(record, tags=rows_only)) == table_of(record)


def test_a_wrong_table_is_trusted_or_found() -> None:
    wrong = replace(PUBLISHED, tags={"DoubleDummyTricks": "7" * 20})
    trusted, remarks = analysed([wrong])
    assert table_of(trusted[0]) == table_of(wrong)
    assert remarks == []
    checked, remarks = analysed([wrong], check=True)
    assert table_of(checked[0]) == table_of(PUBLISHED)
    assert remarks == ["board 1: its double-dummy table was wrong"]


def test_no_deal_no_table() -> None:
    assert analysed([Record(3)]) == ([Record(3)], [])
    assert table_of(Record(tags={"DoubleDummyTricks": "89967"})) is None
    assert table_of(Record(tables={"OptimumResultTable": (("N", "NT", "x"),)})) is None
    assert par_of(Record(tags={"OptimumScore": "much"})) is None


def test_the_command(tmp_path: Path) -> None:
    (tmp_path / "in.lin").write_text(dumps(records(2), "lin"))
    asked = ["convert", str(tmp_path / "in.lin"), str(tmp_path / "out.pbn"), "--par"]
    assert CliRunner().invoke(main, asked).exit_code == 0
    for record in load(tmp_path / "out.pbn"):
        assert table_of(record) is not None
        assert par_of(record) is not None
        assert "ParContract" in record.tags
