"""How much one client may ask: a bucket of tokens that refills, and counts of what it holds.
Clients are told apart by their address."""

from __future__ import annotations

import logging
from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address
from time import monotonic

from overtrick.game.errors import printable

LOGGER = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Rates:
    """The limits of a server; `burst` requests at once, then `per_second`.

    `bytes_per_client` and `bytes_in_all` are of requests that are being answered.
    """

    per_second: float = 20.0
    burst: float = 60.0
    tables_per_client: int = 160  # a club of 64 shares one address, and plays two matches
    sockets_per_client: int = 120
    sockets_per_table: int = 24
    message_bytes: int = 4096
    body_bytes: int = 4 << 20
    body_seconds: float = 20.0
    tables_in_memory: int = 2000
    bytes_per_client: int = 16 << 20
    bytes_in_all: int = 256 << 20
    unread_bytes: int = 1 << 20  # frames that a browser has not taken


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


def client_name(host: str) -> str:
    """The client behind an address: the address itself, or the network of an IPv6 one, since
    every customer has 2⁶⁴ of those. What is no address has one name for all.

    >>> client_name("192.0.2.7"), client_name("2001:db8::17"), client_name("x\\x1b[2J")
    ('192.0.2.7', '2001:db8::/64', 'somewhere')
    """
    try:
        found = ip_address(host.partition("%")[0])
    except ValueError:
        return "somewhere"
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return f"{IPv6Address(int(found) >> 64 << 64)}/64" if not found.is_loopback else str(found)


class TooMuch(Exception):
    """More bytes at once than this client, or all of them together, may send."""


class Clients:
    """Buckets and counts by client; the ones not seen for longest are forgotten."""

    def __init__(self, rates: Rates, most: int = 10_000) -> None:
        self.rates = rates
        self._most = most
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()
        self._opened: OrderedDict[str, list[float]] = OrderedDict()
        self._noted: OrderedDict[str, Bucket] = OrderedDict()
        self._held: Counter[str] = Counter()
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

    @contextmanager
    def holding(self, client: str) -> Iterator[Holding]:
        """What one request of a client keeps in memory until it is answered."""
        held = Holding(self, client)
        try:
            yield held
        finally:
            self._held[client] -= held.size
            if self._held[client] <= 0:
                del self._held[client]

    def hold(self, client: str, size: int) -> None:
        if self._held[client] + size > self.rates.bytes_per_client:
            raise TooMuch("you are sending too much at once; wait for the answers")
        if self._held.total() + size > self.rates.bytes_in_all:
            raise TooMuch("too much is being sent to this server; try again in a moment")
        self._held[client] += size

    def note(self, client: str, what: str) -> None:
        """Log what was refused; a few lines a minute, since a flood must not fill a disk."""
        bucket = self._noted.setdefault(client, Bucket(_NOTES))
        self._noted.move_to_end(client)
        while len(self._noted) > self._most:
            self._noted.popitem(last=False)
        if bucket.take():
            LOGGER.warning("refused %s: %s", printable(client), printable(what))

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


@dataclass(slots=True)
class Holding:
    """The bytes of one request, counted as they come."""

    clients: Clients
    client: str
    size: int = 0

    def more(self, size: int) -> None:
        self.clients.hold(self.client, size)
        self.size += size
