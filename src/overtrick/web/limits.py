"""How much one client may ask: a bucket of tokens that refills, and counts of what it holds.
Clients are told apart by their address."""

from __future__ import annotations

import logging
from collections import OrderedDict
from dataclasses import dataclass, field
from time import monotonic

LOGGER = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Rates:
    """The limits of a server; `burst` requests at once, then `per_second`."""

    per_second: float = 20.0
    burst: float = 60.0
    tables_per_client: int = 60
    sockets_per_client: int = 120
    sockets_per_table: int = 24
    message_bytes: int = 4096
    body_bytes: int = 4 << 20
    tables_in_memory: int = 2000


@dataclass(slots=True)
class Bucket:
    """A token bucket."""

    rates: Rates
    level: float = 0.0
    at: float = field(default_factory=monotonic)

    def __post_init__(self) -> None:
        self.level = self.rates.burst

    def take(self, cost: float = 1.0) -> bool:
        now = monotonic()
        self.level = min(self.rates.burst, self.level + (now - self.at) * self.rates.per_second)
        self.at = now
        if self.level < cost:
            return False
        self.level -= cost
        return True


_NOTES = Rates(per_second=0.5, burst=20)


def printable(text: str, most: int = 200) -> str:
    """Foreign text on one line of a log, whatever characters were sent."""
    return "".join(c if c.isprintable() else "?" for c in text[:most])


class Clients:
    """Buckets and counts by client; the ones not seen for longest are forgotten."""

    def __init__(self, rates: Rates, most: int = 10_000) -> None:
        self.rates = rates
        self._most = most
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()
        self._opened: OrderedDict[str, list[float]] = OrderedDict()
        self._noted: OrderedDict[str, Bucket] = OrderedDict()
        self.sockets: dict[str, int] = {}

    def may_ask(self, client: str, cost: float = 1.0) -> bool:
        bucket = self._buckets.setdefault(client, Bucket(self.rates))
        self._buckets.move_to_end(client)
        while len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        return bucket.take(cost)

    def may_open(self, client: str, window: float = 600.0) -> bool:
        """Is another table allowed within these ten minutes? Counts it when it is."""
        now = monotonic()
        times = [t for t in self._opened.get(client, []) if now - t < window]
        allowed = len(times) < self.rates.tables_per_client
        self._opened[client] = [*times, now] if allowed else times
        self._opened.move_to_end(client)
        while len(self._opened) > self._most:
            self._opened.popitem(last=False)
        return allowed

    def note(self, client: str, what: str) -> None:
        """Log what was refused; a few lines a minute, since a flood must not fill a disk."""
        bucket = self._noted.setdefault(client, Bucket(_NOTES))
        self._noted.move_to_end(client)
        while len(self._noted) > self._most:
            self._noted.popitem(last=False)
        if bucket.take():
            LOGGER.warning("refused %s: %s", client, printable(what))

    def socket_opened(self, client: str) -> bool:
        if self.sockets.get(client, 0) >= self.rates.sockets_per_client:
            return False
        self.sockets[client] = self.sockets.get(client, 0) + 1
        return True

    def socket_closed(self, client: str) -> None:
        left = self.sockets.get(client, 1) - 1
        if left > 0:
            self.sockets[client] = left
        else:
            self.sockets.pop(client, None)
