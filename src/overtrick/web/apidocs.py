"""The description of the API as a page for people: /docs. Made on the server from the description
itself, so that it needs no script and nothing from elsewhere."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any, Final

STYLE: Final = """\
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 25%, transparent) }
body { margin: 0 auto; max-width: 60rem; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif }
h2 { margin: 2.5rem 0 .5rem; border-bottom: 1px solid var(--line) }
details { border: 1px solid var(--line); border-radius: .4rem; margin: .5rem 0; padding: .4rem }
summary { cursor: pointer; overflow-wrap: anywhere }
code, pre { font: .9em ui-monospace, monospace }
pre { overflow-x: auto; padding: .6rem; border: 1px solid var(--line); border-radius: .3rem }
table { border-collapse: collapse; width: 100% }
td { border-top: 1px solid var(--line); padding: .25rem .5rem .25rem 0; vertical-align: top }
.verb { display: inline-block; min-width: 3.2rem; font-weight: 600; text-transform: uppercase }
"""
_EXAMPLES: Final[Mapping[str, Any]] = {
    "/api/think": {"hand": "AQ954.83.KJ6.952", "auction": "1H X 3H", "vul": "NS"},
    "/api/think/all": {
        "questions": [{"hand": "AQ3.KJ4.QJ52.K82"}, {"hand": "QJT95.82.K73.962",
                                                    "auction": "1NT P 3NT P P P"}],
        "stream": True,
    },
    "/api/board": {
        "deal": "N:AKQ2.K53.A84.752 J6.QJT9.KT6.QJ83 T853.A72.QJ3.AK4 974.864.9752.T96",
        "ns": {"system": "acol"}, "stream": True,
    },
    "/bid": "hand=AQ3.KJ4.QJ52.K82&seat=N&dealer=N&vul=&ctx=",
    "/lead": "hand=QJT95.82.K73.962&seat=E&dealer=N&vul=&ctx=1N--3N------",
    "/explain": "dealer=N&ctx=1N--2H",
}  # fmt: skip


def page(description: Mapping[str, Any]) -> str:
    """The whole page; questions to the robot first."""
    paths = description["paths"]
    robot = [p for p in paths if not p.startswith("/api") or p in _EXAMPLES]
    others = [p for p in paths if p not in robot]
    schemas = description["components"]["schemas"]
    parts = [
        "<!doctype html>", '<html lang="en">', '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width">',
        "<title>Overtrick for programs</title>", '<link rel="stylesheet" href="/docs.css">',
        "<h1>Overtrick for programs</h1>",
        f"<p>Version {escape(description['info']['version'])}. The same as a file for tools that"
        ' make clients: <a href="/api/openapi.json">/api/openapi.json</a>. Programs on this machine'
        " need no key; others send <code>Authorization: Bearer …</code>.</p>",
        "<h2>The robot</h2>", *_operations(paths, robot),
        "<h2>Tables, reviews and tools of the page</h2>", *_operations(paths, others),
        "<h2>Types</h2>", *_types(schemas),
    ]  # fmt: skip
    return "\n".join([*parts, "</html>", ""])


def _operations(paths: Mapping[str, Any], names: list[str]) -> Iterator[str]:
    for name in names:
        for verb, operation in paths[name].items():
            yield f'<details id="{escape(verb + name)}"><summary><span class="verb">'
            yield f"{escape(verb)}</span> <code>{escape(name)}</code> "
            yield f"{_prose(operation['summary'])}</summary>"
            fields = [p for p in operation.get("parameters", ()) if p["in"] == "query"]
            if fields:
                yield "<table>"
                for field in fields:
                    yield f"<tr><td><code>{escape(field['name'])}</code>"
                    yield f"<td>{_prose(field['description'])}"
                yield "</table>"
            asked = operation.get("requestBody", {}).get("content", {})
            for media in asked.values():
                yield f"<p>Asked with {_kind(media['schema'])}</p>"
            good = operation["responses"].get("200") or operation["responses"]["201"]
            for media, content in good["content"].items():
                yield f"<p>Answers {_kind(content['schema'])} as <code>{escape(media)}</code></p>"
            if name in _EXAMPLES:
                yield f"<pre>{escape(_example(name, _EXAMPLES[name]))}</pre>"
            yield "</details>"


def _prose(text: str) -> str:
    """Words in which code stands between backticks."""
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(text))


def _example(path: str, asked: Any) -> str:
    if isinstance(asked, str):
        return f'curl "http://localhost:8000{path}?{asked}"'
    kind = "Content-Type: application/json"
    return f"curl -N http://localhost:8000{path} -H '{kind}' \\\n  -d '{json.dumps(asked)}'"


def _types(schemas: Mapping[str, Any]) -> Iterator[str]:
    for name, schema in sorted(schemas.items()):
        yield f'<details id="{escape(name)}"><summary><code>{escape(name)}</code> '
        yield f"{_prose(schema.get('description', ''))}</summary><table>"
        needed = set(schema.get("required", ()))
        for field, kind in schema.get("properties", {}).items():
            mark = "" if field in needed else " <small>may be left out</small>"
            yield f"<tr><td><code>{escape(field)}</code>{mark}<td>{_kind(kind)}"
        yield "</table></details>"


def _kind(schema: Any) -> str:
    """A schema in a few words, with links to named types."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f'<a href="#{escape(name)}">{escape(name)}</a>'
    if "anyOf" in schema:
        return " or ".join(_kind(one) for one in schema["anyOf"])
    if "enum" in schema:
        return ", ".join(f"<code>{escape(json.dumps(v))}</code>" for v in schema["enum"])
    if schema.get("type") == "array":
        inner = schema.get("items")
        return f"a list of {_kind(inner)}" if isinstance(inner, dict) else "a list"
    if schema.get("type") == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"by name, {_kind(schema['additionalProperties'])}"
    return escape(str(schema.get("type", "anything")))
