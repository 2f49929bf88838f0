"""Who may come in: the name the service is called by, web pages of others, keys, and what a client may ask for.

All of it before a byte of the body is read. Each is a call on a request's scope; errors are raised, and the envelope
answers them.
"""

from __future__ import annotations

import ipaddress
import re
from functools import lru_cache

from starlette.types import Scope

from menpai.errors import UsageError
from menpai.serving.keys import Keys
from menpai.serving.logs import trace_of
from menpai.serving.quota import Client, Quotas
from menpai.settings import Settings

OPEN_ROUTES = frozenset({"/", "/livez", "/readyz", "/openapi.json"})
OPEN_FOLDERS = ("/docs/", "/page/")
LOCAL_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
CLIENT = "menpai.client"
QUOTAS = "menpai.quotas"
PREFLIGHT = {
    "access-control-allow-methods": "GET, POST, DELETE",
    "access-control-allow-headers": "authorization, content-type, x-request-id, x-request-timeout-ms",
    "access-control-max-age": "600",
}
UNKNOWN = "unknown"  # a client without an address: a Unix socket
_HOST = re.compile(r"(?:\[(?P<six>[^]]*)\]|(?P<name>[^:,@/]*))(?::\d*)?")
NETWORK_BITS = 64  # one household or machine has a whole IPv6 network of this size


class HostCheck:
    """A service for this machine answers under this machine's names only.

    Else a web page could give its own name this machine's address and read the answers (DNS rebinding).
    """

    def __init__(self, *, settings: Settings, keyed: bool) -> None:
        given = names_in(settings.allowed_hosts)
        local = is_loopback(settings.host) and not keyed and not settings.insecure
        self._names = frozenset(given) | LOCAL_NAMES if given or local else None

    def __call__(self, scope: Scope) -> None:
        """Let the request in, or raise `host_refused`; who sends no name is no browser."""
        if self._names is not None:
            hosts = [value for known, value in scope["headers"] if known == b"host"]
            host = b", ".join(hosts).decode("latin-1")  # two are none of ours (RFC 9112, 3.2)
            name = host_name(host)
            if name and name not in self._names and not is_loopback(name):
                raise UsageError("host_refused", host=host[:100])


class OriginCheck:
    """A browser may send work only from our own pages and those of `cors_origins`.

    As Go 1.25 does it (net/http, CrossOriginProtection): by Sec-Fetch-Site, else by Origin against Host.
    """

    def __init__(self, *, origins: frozenset[str]) -> None:
        self._origins = origins

    def __call__(self, scope: Scope) -> None:
        """Let the request in, or raise `origin_refused`."""
        if scope["method"] not in SAFE_METHODS:
            origin = field(scope, b"origin")
            if not (origin in self._origins or _from_here(scope, origin)):
                raise UsageError("origin_refused", origin=origin[:100])


class KeyCheck:
    """With keys, every route but health and pages asks for one. Notes who asks in the scope and the trace."""

    def __init__(self, *, keys: Keys, settings: Settings) -> None:
        self._keys = keys
        self._quota, self._burst = settings.quota, settings.quota_burst

    def __call__(self, scope: Scope) -> None:
        """Let the request in, or raise `key_wrong`."""
        client = scope[CLIENT] = self._client(scope)
        trace_of(scope).client = client.name

    def _client(self, scope: Scope) -> Client:
        if not self._keys.wanted or is_open(scope["path"]):
            return Client(address_of(scope), self._quota, self._burst)
        scheme, _, secret = field(scope, b"authorization").encode("latin-1").partition(b" ")
        # RFC 7235: the scheme's case says nothing, and several spaces may follow it.
        key = self._keys.find(secret.lstrip(b" ")) if scheme.lower() == b"bearer" else None
        if key is None:
            raise UsageError("key_wrong")
        quota, burst = (self._quota, self._burst) if key.quota is None else (key.quota, 0)
        return Client(f"key:{key.name}", quota, burst if key.burst is None else key.burst)


class QuotaCheck:
    """A client that has spent its quota is told so before its body is read; see `charge` for its rows."""

    def __init__(self, *, quotas: Quotas) -> None:
        self._quotas = quotas

    def __call__(self, scope: Scope) -> None:
        """Let the request in, or raise `quota_spent`."""
        if not (is_open(scope["path"]) or scope["path"] == "/metrics"):
            self._quotas.admit(scope[CLIENT])
            scope[QUOTAS] = self._quotas


def field(scope: Scope, name: bytes, otherwise: str = "") -> str:
    """The first field of this name (lower case) in the head."""
    for known, value in scope["headers"]:
        if known == name:
            text: str = value.decode("latin-1")
            return text
    return otherwise


def names_in(listed: str) -> list[str]:
    """What stands between the commas, in lower case."""
    return [name.strip().lower() for name in listed.split(",") if name.strip()]


def is_open(path: str) -> bool:
    """Whether a route needs no key: health, and pages that hold nothing secret."""
    return path in OPEN_ROUTES or path == "/docs" or path.startswith(OPEN_FOLDERS)


@lru_cache(1024)
def is_loopback(host: str) -> bool:
    """Whether a name or an address means this machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@lru_cache(1024)
def host_name(host: str) -> str:
    """The name in a Host field, without its port and the brackets of IPv6; the whole where it has another shape."""
    host = host.strip().lower()
    found = _HOST.fullmatch(host)
    return (found["six"] or found["name"].rstrip(".")) if found else host


def address_of(scope: Scope) -> str:
    """The caller's address; of IPv6 its network, since one caller has all addresses of it."""
    client = scope.get("client")
    return _client_of(client[0] if client else "")


@lru_cache(4096)
def _client_of(host: str) -> str:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return UNKNOWN
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, NETWORK_BITS), strict=False))
    return str(address)


def charge(scope: Scope, rows: int) -> None:
    """Let a request pay for its rows; the first was paid at the door."""
    if quotas := scope.get(QUOTAS):
        quotas.charge(scope[CLIENT], rows - 1)


def _from_here(scope: Scope, origin: str) -> bool:
    if site := field(scope, b"sec-fetch-site"):
        return site in ("same-origin", "none")
    return not origin or origin.partition("://")[2].lower() == field(scope, b"host").lower()


def cors_headers(origins: frozenset[str], scope: Scope) -> dict[str, str]:
    """What a browser must read to give a page of an allowed origin the answer; nothing for any other."""
    origin = field(scope, b"origin")
    if origin not in origins:
        return {}
    exposed = "x-request-id, server-timing, retry-after"
    return {"access-control-allow-origin": origin, "access-control-expose-headers": exposed, "vary": "Origin"}


def is_preflight(scope: Scope, origins: frozenset[str]) -> bool:
    """Whether a browser only asks if a page of an allowed origin may send a request."""
    asks = scope["method"] == "OPTIONS" and field(scope, b"access-control-request-method")
    return bool(asks) and field(scope, b"origin") in origins
