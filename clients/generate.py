"""Clients for programs, made from the description of the API: `python clients/generate.py` writes
clients/python/overtrick_client.py and clients/typescript/overtrick.ts.

They are made from what any tool can read, /api/openapi.json, and need nothing but Python's own
library, or `fetch`. Types and methods bear the names of the description."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from overtrick.web.openapi import description

HERE: Final = Path(__file__).parent
PYTHON: Final = HERE / "python" / "overtrick_client.py"
TYPESCRIPT: Final = HERE / "typescript" / "overtrick.ts"
_PLAIN_PYTHON: Final = {
    "string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None",
}  # fmt: skip
_PLAIN_TYPESCRIPT: Final = {
    "string": "string", "integer": "number", "number": "number", "boolean": "boolean",
    "null": "null",
}  # fmt: skip
Schema = Mapping[str, Any]
Kind = Callable[[Schema], str]


@dataclass(frozen=True, slots=True)
class Field:
    """Something that is asked for by name."""

    name: str
    schema: Schema
    needed: bool


@dataclass(frozen=True, slots=True)
class Asked:
    """One operation, as both languages write it down."""

    name: str
    verb: str
    path: str
    words: str
    places: tuple[str, ...]
    seated: bool
    query: tuple[Field, ...]
    question: Schema | None
    answer: Schema
    text: bool
    lines: Schema | None


def operations(api: Schema) -> Iterator[Asked]:
    """All that the API can be asked, in the order of the description."""
    for path, verbs in api["paths"].items():
        for verb, told in verbs.items():
            given = told.get("parameters", ())
            good = next(r for status, r in told["responses"].items() if status.startswith("2"))
            media = dict(good["content"])
            lines = media.pop("application/x-ndjson", None)
            ((form, answer),) = media.items()
            body = told.get("requestBody", {}).get("content", {}).get("application/json")
            yield Asked(
                told["operationId"], verb.upper(), path, _prose(told["summary"]),
                tuple(p["name"] for p in given if p["in"] == "path"),
                {"seat": []} in told.get("security", ()),
                tuple(Field(p["name"], p["schema"], False) for p in given if p["in"] == "query"),
                None if body is None else body["schema"], answer["schema"],
                form != "application/json", None if lines is None else lines["schema"],
            )  # fmt: skip


def fields_of(schema: Schema, schemas: Schema) -> tuple[Field, ...] | None:
    """What a question consists of; None where it is one of several kinds."""
    if "$ref" in schema:
        schema = schemas[_named(schema)]
    if "properties" not in schema:
        return None
    needed = set(schema.get("required", ()))
    return tuple(Field(n, s, n in needed) for n, s in schema["properties"].items())


# ---------------------------------------------------------------- Python


def python(api: Schema) -> str:
    """The text of the Python client."""
    schemas = api["components"]["schemas"]
    parts = [_PYTHON_HEAD.format(version=api["info"]["version"])]
    for name, schema in sorted(schemas.items(), key=lambda found: "properties" in found[1]):
        parts.append(_python_type(name, schema))
    parts.append(_PYTHON_CLASS)
    for asked in operations(api):
        parts.append(textwrap.indent(_python_method(asked, schemas), "    "))
    return _formatted("\n".join(parts))


def _python_kind(schema: Schema) -> str:
    return _kind(schema, _PLAIN_PYTHON, _python_kind, _in_python)


def _in_python(schema: Schema) -> str:
    if "enum" in schema:
        return f"Literal[{', '.join(json.dumps(v) for v in schema['enum'])}]"
    if schema["type"] == "array":
        inner = schema.get("items") or {"anyOf": schema.get("prefixItems", [{}])}
        return f"list[{_python_kind(inner)}]"
    return f"dict[str, {_python_kind(schema.get('additionalProperties', {}))}]"


def _python_type(name: str, schema: Schema) -> str:
    if "properties" not in schema:
        return f"{name} = {_python_kind(schema)}\n"
    lines = [f"class {name}(TypedDict):", *_python_words(schema.get("description", name))]
    needed = set(schema.get("required", ()))
    for field, kind in schema["properties"].items():
        shown = _python_kind(kind)
        lines.append(f"    {field}: {shown if field in needed else f'NotRequired[{shown}]'}")
    return "\n".join([*lines, "", ""])


def _python_words(text: str, also: str = "") -> list[str]:
    found = _prose(text)
    found += "" if found[-1] in ".?!" else "."
    lines = textwrap.wrap(" ".join([found, also]).strip(), 85)
    end = ['    """'] if len(lines) > 1 else []
    first, *rest = lines
    return [f'    """{first}' + ("" if rest else '"""'), *(f"    {line}" for line in rest), *end]


def _python_method(asked: Asked, schemas: Schema) -> str:
    found = [_python_call(asked, schemas, streamed=False)]
    if asked.lines is not None:
        found.append(_python_call(asked, schemas, streamed=True))
    return "\n".join(found)


def _python_call(asked: Asked, schemas: Schema, streamed: bool) -> str:
    given = [
        "self",
        *(f"{p}: str" for p in asked.places),
        *(["token: str"] if asked.seated else []),
    ]
    keyed, body, query = _python_asked(asked, schemas, given)
    if keyed:
        given += ["*", *keyed]
    sent = [f'"{asked.verb}"', _python_path(asked)]
    sent += [f"query={query}"] if query else []
    if body:
        sent.append(f"body={body[:-1]}, {_STREAMED}" if streamed else f"body={body}")
    sent += ["token=token"] if asked.seated else []
    answer, ask, name, also = _python_kind(asked.answer), "_json", asked.name, ""
    if streamed:
        assert asked.lines is not None
        answer, ask, name = f"Iterator[{_python_kind(asked.lines)}]", "_lines", f"{name}_lines"
        also = "Each line as it comes; the last one is of type `end`."
    elif asked.text:
        ask = "_text"
    made = f"self.{ask}({', '.join(sent)})"
    head = [f"def {name}({', '.join(given)}) -> {answer}:", *_python_words(asked.words, also)]
    if ask == "_json":
        return "\n".join([*head, f"    found: {answer} = {made}", "    return found", ""])
    return "\n".join([*head, f"    return {made}", ""])


_STREAMED: Final = '"stream": True}'


def _python_asked(asked: Asked, schemas: Schema, given: list[str]) -> tuple[list[str], str, str]:
    """Keywords, the body and the query of a method."""
    query = ", ".join(f'"{f.name}": {f.name}' for f in asked.query)
    keyed = [f"{f.name}: str | None = None" for f in asked.query]
    if asked.question is None:
        return keyed, "", f"{{{query}}}" if query else ""
    fields = fields_of(asked.question, schemas)
    if fields is None:
        given.append(f"asked: ({_python_kind(asked.question)})")
        return keyed, "dict(asked)", ""
    if asked.lines is not None:
        fields = tuple(f for f in fields if f.name != "stream")
    for field in sorted(fields, key=lambda f: not f.needed):
        kind = _python_kind(field.schema)
        if field.needed:
            keyed.append(f"{field.name}: {kind}")
        else:
            keyed.append(f"{field.name}: {kind.removesuffix(' | None')} | None = None")
    return keyed, "{" + ", ".join(f'"{f.name}": {f.name}' for f in fields) + "}", ""


def _python_path(asked: Asked) -> str:
    if not asked.places:
        return json.dumps(asked.path)
    return "f" + json.dumps(re.sub(r"{(\w+)}", r"{_quoted(\1)}", asked.path))


def _formatted(text: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(PYTHON), "-"],
        input=text, capture_output=True, text=True, check=True, encoding="utf-8",
    )  # fmt: skip
    return done.stdout


# ---------------------------------------------------------------- TypeScript


def typescript(api: Schema) -> str:
    """The text of the TypeScript client."""
    schemas = api["components"]["schemas"]
    parts = [_TYPESCRIPT_HEAD.format(version=api["info"]["version"])]
    parts += [_typescript_type(name, schema) for name, schema in sorted(schemas.items())]
    parts.append(_TYPESCRIPT_CLASS)
    parts += [_typescript_method(asked, schemas) for asked in operations(api)]
    return "\n".join([*parts, "}", ""])


def _typescript_kind(schema: Schema) -> str:
    return _kind(schema, _PLAIN_TYPESCRIPT, _typescript_kind, _in_typescript)


def _in_typescript(schema: Schema) -> str:
    if "enum" in schema:
        return " | ".join(json.dumps(v) for v in schema["enum"])
    if schema["type"] == "array":
        if "prefixItems" in schema:
            return f"[{', '.join(map(_typescript_kind, schema['prefixItems']))}]"
        inner = _typescript_kind(schema.get("items", {}))
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    return f"Record<string, {_typescript_kind(schema.get('additionalProperties', {}))}>"


def _typescript_type(name: str, schema: Schema) -> str:
    if "properties" not in schema:
        return f"export type {name} = {_typescript_kind(schema)};\n"
    lines = [*_typescript_words(schema.get("description", name)), f"export interface {name} {{"]
    needed = set(schema.get("required", ()))
    for field, kind in schema["properties"].items():
        mark = "" if field in needed else "?"
        lines.append(f"  {field}{mark}: {_typescript_kind(kind)};")
    return "\n".join([*lines, "}", ""])


def _typescript_words(text: str, indent: str = "") -> list[str]:
    lines = textwrap.wrap(_prose(text), 94 - len(indent))
    if len(lines) == 1:
        return [f"{indent}/** {lines[0]} */"]
    return [f"{indent}/**", *(f"{indent} * {line}" for line in lines), f"{indent} */"]


def _typescript_method(asked: Asked, schemas: Schema) -> str:
    given = [*(f"{p}: string" for p in asked.places), *(["token: string"] if asked.seated else [])]
    sent = [f'"{asked.verb}"', _typescript_path(asked)]
    beside = []
    if asked.query:
        fields = " ".join(f"{f.name}?: string;" for f in asked.query)
        given.append(f"query: {{ {fields} }} = {{}}")
        beside.append("query")
    kind = ""
    if asked.question is not None:
        kind = _typescript_kind(asked.question)
        beside.append("body: asked")
    beside += ["token"] if asked.seated else []
    name = re.sub(r"_(\w)", lambda m: m[1].upper(), asked.name)
    answer = _typescript_kind(asked.answer)
    wanted = f'Omit<{kind}, "stream">' if asked.lines is not None else kind
    asking = [*given, f"asked: {wanted}"] if kind else given
    ask = "text" if asked.text else "json"
    told = [*sent, f"{{ {', '.join(beside)} }}"] if beside else sent
    lines = [*_typescript_words(asked.words, "  "),
             f"  {name}({', '.join(asking)}): Promise<{answer}> {{",
             f"    return this.{ask}({', '.join(told)});", "  }", ""]  # fmt: skip
    if asked.lines is not None:
        told = [*sent, "{ body: { ...asked, stream: true } }"]
        words = f"{asked.words}. Each line as it comes; the last one is of type `end`."
        lines += [*_typescript_words(words, "  "),
                  f"  {name}Lines({', '.join(asking)}): AsyncGenerator<",
                  f"    {_typescript_kind(asked.lines)}", "  > {",
                  f"    return this.lines({', '.join(told)});", "  }", ""]  # fmt: skip
    return "\n".join(lines)


def _typescript_path(asked: Asked) -> str:
    if not asked.places:
        return json.dumps(asked.path)
    return "`" + re.sub(r"{(\w+)}", r"${quoted(\1)}", asked.path) + "`"


# ---------------------------------------------------------------- both


def _kind(schema: Schema, plain: Schema, again: Kind, other: Kind) -> str:
    if "$ref" in schema:
        return _named(schema)
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(again(one) for one in schema["anyOf"]))
    if "enum" in schema:
        return other(schema)
    kind = schema.get("type")
    if kind is None:
        return "Any" if plain is _PLAIN_PYTHON else "unknown"
    return plain[kind] if kind in plain else other(schema)


def _named(schema: Schema) -> str:
    return str(schema["$ref"]).rpartition("/")[2]


def _prose(text: str) -> str:
    return " ".join(text.split())


_PYTHON_HEAD: Final = '''\
"""A client of Overtrick {version} over HTTP, which needs nothing but Python 3.11.

Made by clients/generate.py from the server's description of itself; do not edit. Answers are
dictionaries with the types below. What the server refuses is raised as `Refused`.

    robot = Overtrick("http://127.0.0.1:8000")
    robot.think(hand="AQ3.KJ4.QJ52.K82")["action"]
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NotRequired, TypedDict
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen


class Refused(Exception):
    """The server did not do it: the status, and why in words."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(f"{{status}}: {{words}}")
        self.status, self.words = status, words

'''
_PYTHON_CLASS: Final = '''\
def _said(answer: bytes) -> str:
    try:
        return str(json.loads(answer)["error"])
    except (ValueError, KeyError, TypeError):
        return str(answer[:300], "utf-8", "replace")


def _quoted(place: str) -> str:
    return quote(place, safe="/")


class Overtrick:
    """A server. `key` is what programs on other machines need; `token`, which some methods take, is
    the seat's or the director's, as the answer to opening or joining has it."""

    def __init__(
        self, address: str = "http://127.0.0.1:8000", key: str = "", seconds: float = 120.0
    ) -> None:
        self.address, self.key, self.seconds = address.rstrip("/"), key, seconds

    def _open(
        self, verb: str, path: str, query: Mapping[str, Any] | None,
        body: Mapping[str, Any] | None, token: str,
    ) -> Any:
        given = {k: v for k, v in (query or {}).items() if v is not None}
        headers = {"Accept": "*/*"}
        data = None
        if body is not None:
            data = json.dumps({k: v for k, v in body.items() if v is not None}).encode()
            headers["Content-Type"] = "application/json"
        if token or self.key:
            headers["Authorization"] = f"Bearer {token or self.key}"
        address = self.address + path + ("?" + urlencode(given) if given else "")
        try:
            return urlopen(Request(address, data, headers, method=verb), timeout=self.seconds)
        except HTTPError as error:
            with error:
                raise Refused(error.code, _said(error.read())) from None

    def _text(
        self, verb: str, path: str, *, query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None, token: str = "",
    ) -> str:
        with self._open(verb, path, query, body, token) as answer:
            return str(answer.read(), "utf-8")

    def _json(
        self, verb: str, path: str, *, query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None, token: str = "",
    ) -> Any:
        return json.loads(self._text(verb, path, query=query, body=body, token=token))

    def _lines(self, verb: str, path: str, *, body: Mapping[str, Any]) -> Iterator[Any]:
        with self._open(verb, path, None, body, "") as answer:
            for line in answer:
                yield json.loads(line)


'''
_TYPESCRIPT_HEAD: Final = """\
/**
 * A client of Overtrick {version} over HTTP, for browsers, Node, Deno and Bun; it needs `fetch`.
 * Made by clients/generate.py from the server's description of itself; do not edit.
 *
 *     const robot = new Overtrick("http://127.0.0.1:8000");
 *     const {{ action }} = await robot.think({{ hand: "AQ3.KJ4.QJ52.K82" }});
 */

/** The server did not do it: the status, and why in words. */
export class Refused extends Error {{
  readonly status: number;

  constructor(status: number, words: string) {{
    super(words);
    this.status = status;
  }}
}}
"""
_TYPESCRIPT_CLASS: Final = """\
interface Sent {
  query?: Record<string, string | undefined>;
  body?: unknown;
  token?: string;
}

function quoted(place: string): string {
  return place.split("/").map(encodeURIComponent).join("/");
}

/**
 * A server. `key` is what programs on other machines need; `token`, which some methods take, is the
 * seat's or the director's, as the answer to opening or joining has it.
 */
export class Overtrick {
  readonly address: string;
  private readonly key: string;

  constructor(address = "http://127.0.0.1:8000", key = "") {
    this.address = address.replace(/\\/+$/, "");
    this.key = key;
  }

  private async open(verb: string, path: string, sent: Sent): Promise<Response> {
    const given = Object.entries(sent.query ?? {}).filter((pair) => pair[1] !== undefined);
    const asked = new URLSearchParams(given as [string, string][]).toString();
    const headers: Record<string, string> = {};
    if (sent.body !== undefined) headers["Content-Type"] = "application/json";
    const who = sent.token ?? this.key;
    if (who !== "") headers["Authorization"] = `Bearer ${who}`;
    const answer = await fetch(this.address + path + (asked ? `?${asked}` : ""), {
      method: verb,
      headers,
      body: sent.body === undefined ? null : JSON.stringify(sent.body),
    });
    if (answer.ok) return answer;
    const text = await answer.text();
    let words = text.slice(0, 300);
    try {
      words = String(JSON.parse(text).error);
    } catch {
      // A proxy between here and there may say it in its own way.
    }
    throw new Refused(answer.status, words);
  }

  private async text(verb: string, path: string, sent: Sent = {}): Promise<string> {
    return (await this.open(verb, path, sent)).text();
  }

  private async json<T>(verb: string, path: string, sent: Sent = {}): Promise<T> {
    return (await (await this.open(verb, path, sent)).json()) as T;
  }

  private async *lines<T>(verb: string, path: string, sent: Sent): AsyncGenerator<T> {
    const body = (await this.open(verb, path, sent)).body;
    if (body === null) return;
    const reader = body.getReader();
    const decoder = new TextDecoder();
    let rest = "";
    try {
      for (;;) {
        const { done, value } = await reader.read();
        rest += decoder.decode(value, { stream: !done });
        const whole = rest.split("\\n");
        rest = whole.pop() ?? "";
        for (const line of whole) if (line !== "") yield JSON.parse(line) as T;
        if (done) return;
      }
    } finally {
      await reader.cancel();
    }
  }
"""


def files() -> dict[Path, str]:
    """What belongs into which file."""
    api = description()
    return {PYTHON: python(api), TYPESCRIPT: typescript(api)}


if __name__ == "__main__":
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")
