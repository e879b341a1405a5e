"""Is a table open already? Whoever starts a second one is shown the first."""

from __future__ import annotations

import http.client
import json

_SECONDS = 1.0
_MOST_BYTES = 4096


def answering(host: str, port: int) -> bool:
    """Does an Overtrick serve this port of this machine?

    >>> answering("127.0.0.1", 1)
    False
    """
    line = http.client.HTTPConnection(host, port, timeout=_SECONDS)
    try:
        line.request("GET", "/api/health")
        said = json.loads(line.getresponse().read(_MOST_BYTES))
    except (OSError, http.client.HTTPException, ValueError, RecursionError):
        return False
    finally:
        line.close()
    return isinstance(said, dict) and {"ok", "version", "waiting"} <= said.keys()
