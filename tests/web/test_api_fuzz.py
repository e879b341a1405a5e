"""The API as schemathesis sees it: what fits its description or breaks it is answered as described.

OVERTRICK_FUZZ=100 asks for so many examples of every operation, and for every boundary case."""

from __future__ import annotations

import logging
import os
import warnings

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)

from overtrick.web.limits import Clients, Rates
from overtrick.web.openapi import description
from tests.web.conftest import Seat

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient

MANY = int(os.environ.get("OVERTRICK_FUZZ", "0"))
SCHEMA = schemathesis.openapi.from_dict(description())
SCHEMA.config.phases.coverage.enabled = bool(MANY)
CHECKS = [
    schemathesis.checks.not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    negative_data_rejection,
]
_TAKEN = ("method", "url", "headers", "params", "json")


@SCHEMA.parametrize()
@settings(
    max_examples=MANY or 6, deadline=None, derandomize=not MANY,
    suppress_health_check=list(HealthCheck),
)  # fmt: skip
def test_as_described(case: schemathesis.Case, client: TestClient, seat: Seat) -> None:
    checks = CHECKS
    if "{table}" in case.path:  # a real table and its owner's token lead deeper than the door
        case.path_parameters = {"table": seat.table}
        checks = [c for c in CHECKS if c is not negative_data_rejection]  # the token is mended
    kwargs = case.as_transport_kwargs(base_url="http://testserver")
    asked = {k: kwargs[k] for k in _TAKEN if kwargs.get(k) is not None}
    if kwargs.get("data") is not None:
        asked["content"] = kwargs["data"]
    asked["headers"] = {**asked.get("headers", {}), **seat.headers}
    response = client.request(**asked)
    case.validate_response(response, checks=checks)


def test_refusals_are_logged_on_one_line(caplog: pytest.LogCaptureFixture) -> None:
    clients = Clients(Rates())
    with caplog.at_level(logging.WARNING, "overtrick.web.limits"):
        clients.note("10.0.0.1", "not understood: \n\x1b[31mfake line")
    (record,) = caplog.records
    assert "refused 10.0.0.1" in record.getMessage()
    assert "\n" not in record.getMessage()
    assert "\x1b" not in record.getMessage()


def test_a_flood_of_refusals_does_not_fill_the_log(caplog: pytest.LogCaptureFixture) -> None:
    clients = Clients(Rates())
    with caplog.at_level(logging.WARNING, "overtrick.web.limits"):
        for _ in range(1000):
            clients.note("10.0.0.1", "rubbish")
        clients.note("10.0.0.2", "somebody else is still heard")
    assert len(caplog.records) < 30
    assert "10.0.0.2" in caplog.records[-1].getMessage()


def test_refused_requests_are_logged(
    client: TestClient, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client.app.state.clients, "_noted", type(client.app.state.clients._noted)())
    with caplog.at_level(logging.WARNING, "overtrick.web.limits"):
        assert client.post("/api/decode", content=b"\x00\xff").status_code == 400
        assert client.post("/api/tables/nowhere/join", json={"invitation": "x" * 20}).is_error
    told = [r.getMessage() for r in caplog.records]
    assert len(told) == 2
    assert "400" in told[0]
    assert "no such table" in told[1]
