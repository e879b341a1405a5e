"""The table in the browser: live tables, their log, engines in worker processes, the pages.
`app(config)` is an ASGI application for any server. It is loaded when it is asked for: processes
that only think do without it, and so does the command line where the web extra is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overtrick.lazily import lazily

__all__ = ["Config", "app"]

if TYPE_CHECKING:
    from overtrick.web.application import Config, app
else:
    __getattr__ = lazily(__name__, {"overtrick.web.application": ("Config", "app")})
