"""The table in the browser: live tables, their log, engines in worker processes, the pages.
`app(config)` is an ASGI application for any server."""

# Without the web extra everything that only thinks (problems, reviews) is there all the same, for
# the command line; asking for the application then says which extra it needs.
try:
    from overtrick.web.app import Config, app
except ImportError as error:
    if "overtrick[web]" not in str(error):
        raise

__all__ = ["Config", "app"]
