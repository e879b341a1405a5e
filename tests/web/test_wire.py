"""What goes over the wire has one description: the types of the page are made from the server's."""

from __future__ import annotations

import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from overtrick.web.application import _routes
from overtrick.web.openapi import OPERATIONS, ROBOT, description

WEB = Path(__file__).parents[2] / "web"
_IN_THE_PAGE = re.compile(r'ask<([^(]+?)>\(\s*[`"](/api/[^`"?]*)')


def test_the_types_of_the_page_are_those_of_the_server() -> None:
    spec = spec_from_file_location("web_wire", WEB / "wire.py")
    assert spec is not None
    assert spec.loader is not None
    wire = module_from_spec(spec)
    spec.loader.exec_module(wire)
    assert wire.TARGET.read_text(encoding="utf-8") == wire.typescript(), "run make wire"


def test_the_page_declares_no_answer_of_its_own() -> None:
    """Whatever a page asks for is a type of wire.ts, perhaps under a shorter name."""
    asked = 0
    for path in sorted((WEB / "src").glob("**/*.ts")):
        text = path.read_text(encoding="utf-8")
        taken = " ".join(re.findall(r'import type \{([^}]*)\} from "\.{1,2}/wire"', text))
        for kind, address in _IN_THE_PAGE.findall(text):
            name = kind.removesuffix("[]")
            assert re.search(rf"\b{name}\b", taken) or name in ("B", "T"), f"{path.name}: {address}"
            asked += 1
    assert asked > 25


def test_every_operation_says_what_it_answers() -> None:
    paths = {p: found for p, found in description()["paths"].items() if p.startswith("/api")}
    answers = [found for path in paths.values() for found in path.values()]
    untyped = [
        found["summary"]
        for found in answers
        for status, answer in found["responses"].items()
        if status.startswith("2")
        for content in answer["content"].values()
        if not content["schema"]
    ]
    assert untyped == [], f"{len(untyped)} of {len(answers)}"


def test_every_route_is_described() -> None:
    routes = {
        (next(iter(r.methods - {"HEAD"})).lower(), r.path.replace(":path", ""))
        for r in _routes()
        if r.path.startswith("/api") and getattr(r, "methods", None)
    }
    assert routes == {(o.verb, o.path) for o in (*OPERATIONS, *ROBOT)}
