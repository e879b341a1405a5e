"""Records as JSON, both ways."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given

from overtrick import Record
from overtrick.notation import dumps, load, loads
from overtrick.notation.plain import schema
from tests.notation.strategies import records

GOLDEN = Path(__file__).parent.parent / "golden" / "notation"


@given(records())
def test_records_come_back(record: Record) -> None:
    text = dumps(record, "json")
    jsonschema.validate(json.loads(text), schema())
    found = loads(text)
    assert found.warnings == ()
    assert list(found) == [record]


def test_files_of_other_notations_come_back_whole() -> None:
    for name in ("features.pbn", "spec_example.pbn", "vugraph.lin", "sample.rbn"):
        asked = load(GOLDEN / name).records
        assert loads(dumps(asked, "json")).records == asked


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"records": [{"deal": "N:AK"}]}', "record 1"),
        ('[{"auction": ["1N", "7S", "1C"]}]', "record 1"),
        ('[{"play": ["SA"]}]', "cards need a contract"),
        ('[{"tricks": 14}]', "14 is no number of tricks"),
        ('[{"dealer": "X"}]', "record 1"),
        ('{"records": 3}', "no boards in JSON"),
        ('{"records": [', "no boards in JSON"),
        ("[" * 5000 + '"', "no boards in JSON"),
    ],
)
def test_what_is_wrong_is_said(text: str, said: str) -> None:
    found = loads(text, "json")
    assert found.records == ()
    assert said in str(found.warnings[0])
