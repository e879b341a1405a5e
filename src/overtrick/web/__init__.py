"""The table in the browser: live tables, their log, engines in worker processes, the pages.
Used by `overtrick serve`; `app(config)` is an ASGI application for any server."""

from overtrick.web.app import Config, app

__all__ = ["Config", "app"]
