"""How much one client may ask: a bucket of tokens that refills, and counts of what it holds.
Clients are told apart by their address."""

from __future__ import annotations

import logging
from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from ipaddress import IPv6Address, ip_address
from time import monotonic

from overtrick.game.errors import printable

LOGGER = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Rates:
    """The limits of a server; `burst` requests at once, then `per_second`.

    They leave room for a club of 64 people behind one address. `bytes_per_client` and
    `bytes_in_all` are of requests that are being answered; `kept_bytes` is what one client may add
    to the disk at once and then again within a day.
    """

    per_second: float = 40.0
    burst: float = 400.0
    tables_per_client: int = 160  # in ten minutes; such a club plays two matches
    evenings_per_client: int = 40  # in a day
    sockets_per_client: int = 160
    sockets_per_table: int = 24
    message_bytes: int = 4096
    body_bytes: int = 4 << 20
    body_seconds: float = 20.0
    tables_in_memory: int = 2000
    bytes_per_client: int = 16 << 20
    bytes_in_all: int = 256 << 20
    unread_bytes: int = 1 << 20  # frames that a browser has not taken
    unread_per_client: int = 8 << 20
    kept_bytes: float = 256e6


@dataclass(slots=True)
class Bucket:
    """A token bucket."""

    rates: Rates
    level: float = 0.0
    at: float = field(default_factory=monotonic)

    def __post_init__(self) -> None:
        self.level = self.rates.burst

    def take(self, cost: float = 1.0) -> bool:
        self._fill()
        if self.level < cost:
            return False
        self.level -= cost
        return True

    def owe(self, cost: float) -> None:
        """Take what has been used already, even if it was not there."""
        self._fill()
        self.level -= cost

    def wait(self) -> float:
        """Seconds until nothing is owed."""
        self._fill()
        return max(0.0, -self.level) / self.rates.per_second if self.level < 0 else 0.0

    def _fill(self) -> None:
        now = monotonic()
        self.level = min(self.rates.burst, self.level + (now - self.at) * self.rates.per_second)
        self.at = now


_NOTES = Rates(per_second=0.5, burst=20)
_DAY = 86_400.0


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


def mark(client: str) -> str:
    """What tells the clients of a file apart, and is too short to tell who they are."""
    return sha256(client.encode()).hexdigest()[:8] if client else ""


class TooMuch(Exception):
    """More bytes at once than this client, or all of them together, may send."""


class Clients:
    """Buckets and counts by client; the ones not seen for longest are forgotten."""

    def __init__(self, rates: Rates, most: int = 10_000) -> None:
        self.rates = rates
        self._most = most
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()
        self._opened: OrderedDict[tuple[str, str], list[float]] = OrderedDict()
        self._kept: OrderedDict[str, Bucket] = OrderedDict()
        self._noted: OrderedDict[str, Bucket] = OrderedDict()
        self._held: Counter[str] = Counter()
        self._unread: Counter[str] = Counter()
        self.sockets: dict[str, int] = {}

    def may_ask(self, client: str, cost: float = 1.0) -> bool:
        return self._bucket(self._buckets, client, self.rates).take(cost)

    def may_keep(self, client: str, size: float) -> bool:
        """May so many bytes more of this client stay on the disk?"""
        most = self.rates.kept_bytes
        return self._bucket(self._kept, client, Rates(most / _DAY, most)).take(size)

    def may_open(self, client: str) -> bool:
        """Is another table allowed within these ten minutes? Counts it when it is."""
        return self._may("table", client, self.rates.tables_per_client, 600.0)

    def may_upload(self, client: str) -> bool:
        """Is another evening allowed today? Counts it when it is."""
        return self._may("evening", client, self.rates.evenings_per_client, _DAY)

    def _may(self, what: str, client: str, most: int, window: float) -> bool:
        now, key = monotonic(), (what, client)
        times = [t for t in self._opened.get(key, []) if now - t < window]
        allowed = len(times) < most
        self._opened[key] = [*times, now] if allowed else times
        self._opened.move_to_end(key)
        while len(self._opened) > self._most:
            self._opened.popitem(last=False)
        return allowed

    def _bucket(self, all_: OrderedDict[str, Bucket], client: str, rates: Rates) -> Bucket:
        bucket = all_.setdefault(client, Bucket(rates))
        all_.move_to_end(client)
        while len(all_) > self._most:
            all_.popitem(last=False)
        return bucket

    @contextmanager
    def holding(self, client: str) -> Iterator[RequestBytes]:
        """What one request of a client keeps in memory until it is answered."""
        held = RequestBytes(self, client)
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
        if self._bucket(self._noted, client, _NOTES).take():
            LOGGER.warning("refused %s: %s", printable(client), printable(what))

    def unread(self, client: str, size: int) -> bool:
        """Count frames that wait for this client to read them (or, less than 0, were read); False
        when they would be too many bytes in all its windows."""
        if size > 0 and self._unread[client] + size > self.rates.unread_per_client:
            return False
        self._unread[client] += size
        if self._unread[client] <= 0:
            del self._unread[client]
        return True

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
class RequestBytes:
    """The bytes of one request, counted as they come."""

    clients: Clients
    client: str
    size: int = 0

    def more(self, size: int) -> None:
        self.clients.hold(self.client, size)
        self.size += size
