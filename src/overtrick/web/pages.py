"""The page's own files: read once, kept compressed, known by their content.
Used by the application; a name is looked up in the folder's list, so that no path can leave it."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from hashlib import sha256
from mimetypes import guess_type
from pathlib import Path
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

_KINDS: Final = {
    ".js": "text/javascript", ".woff2": "font/woff2", ".webmanifest": "application/manifest+json",
}  # fmt: skip
_WORTH_PACKING: Final = 600  # bytes


@dataclass(frozen=True, slots=True)
class File:
    """One file as it is sent."""

    body: bytes
    packed: bytes  # empty when that would not be shorter
    kind: str
    tag: str

    @classmethod
    def read(cls, path: Path) -> File:
        body = path.read_bytes()
        packed = gzip.compress(body, 9, mtime=0) if len(body) > _WORTH_PACKING else b""
        kind = _KINDS.get(path.suffix) or guess_type(path.name)[0] or "application/octet-stream"
        short = packed if len(packed) < 0.95 * len(body) else b""
        return cls(body, short, kind, f'"{sha256(body).hexdigest()[:24]}"')


class Files:
    """The files of a folder; one that was built anew is read again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._kept: dict[str, tuple[int, File]] = {}

    def find(self, name: str) -> File | None:
        path = self._folder / name
        if not self._folder.is_dir() or name not in {p.name for p in self._folder.iterdir()}:
            return None
        built = path.stat().st_mtime_ns
        if name not in self._kept or self._kept[name][0] != built:
            self._kept[name] = (built, File.read(path))
        return self._kept[name][1]

    def answer(self, request: Request, name: str, status: int = 200) -> Response:
        """The file for a browser: nothing when it has it already, else as short as it takes it."""
        found = self.find(name)
        if found is None:
            raise HTTPException(404)
        headers = {"cache-control": "no-cache", "etag": found.tag, "vary": "Accept-Encoding"}
        if status == 200 and found.tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        if found.packed and "gzip" in request.headers.get("accept-encoding", ""):
            headers["content-encoding"] = "gzip"
            return Response(found.packed, status, headers, media_type=found.kind)
        return Response(found.body, status, headers, media_type=found.kind)
