"""Where requests go and what they are: a URL, a route, and the bytes of one request."""

from __future__ import annotations

import json
import ssl
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any
from urllib.parse import quote, urlsplit

from menpai.errors import UsageError
from menpai.load.pairs import Pair

# Route: the body that asks about these pairs; a text is what stands behind the path of a GET.
ROUTES: dict[str, Callable[[list[Pair]], Any]] = {
    "/v1/match": lambda pairs: _match(pairs),
    "/infer": lambda pairs: {"addr1": pairs[0][0], "addr2": pairs[0][1]},
    "/match": lambda pairs: {"a": pairs[0][0], "b": pairs[0][1]},
    "/v1/parse": lambda pairs: {"texts": [text for pair in pairs for text in pair]},
    "/v1/normalize": lambda pairs: {"texts": [text for pair in pairs for text in pair]},
    "/v1/search": lambda pairs: (
        {"query": pairs[0][1]} if len(pairs) == 1 else {"queries": [b for _, b in pairs]}
    ),
    "/v1/suggest": lambda pairs: "?q=" + quote(_typed(pairs[0][1])),
}
SINGLE = frozenset({"/infer", "/match", "/v1/suggest"})


@dataclass(frozen=True, slots=True)
class Target:
    """A service: where it listens, how it is spoken to, and the key that it asks for."""

    host: str
    port: int
    tls: ssl.SSLContext | None
    prefix: str
    key: str

    @classmethod
    def of(cls, url: str, key: str = "", ca: str = "") -> Target:
        """From an http(s) URL; `ca` is a file with the certificate to trust. Raises UsageError for what is none."""
        try:
            parts = urlsplit(url if "//" in url else f"http://{url}")
            host, port = parts.hostname, parts.port
        except ValueError as error:
            raise UsageError("load_url", url=url[:80], reason=str(error)) from None
        if (
            parts.scheme not in ("http", "https")
            or not host
            or parts.query
            or parts.fragment
            or parts.username
        ):
            raise UsageError("load_url", url=url[:80], reason="http://HOST:PORT")
        tls = _trusting(ca) if parts.scheme == "https" else None
        return cls(host, port or (443 if tls else 80), tls, parts.path.rstrip("/"), key)

    @property
    def url(self) -> str:
        """As a person writes it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'https' if self.tls else 'http'}://{host}:{self.port}{self.prefix}"

    def head(self, method: str, path: str, length: int | None = None) -> bytes:
        """The head of a request, up to and with the empty line."""
        lines = [f"{method} {self.prefix}{path} HTTP/1.1", f"host: {self.url.split('//')[1].split('/')[0]}"]
        if self.key:
            lines.append(f"authorization: Bearer {self.key}")
        if length is not None:
            lines += ["content-type: application/json", f"content-length: {length}"]
        return "\r\n".join([*lines, "", ""]).encode("utf-8")

    def requests(self, route: str, pairs: Iterator[Pair], count: int) -> Iterator[bytes]:
        """Requests without end, each about the next `count` pairs."""
        make = ROUTES[route]
        if isinstance(make([("甲", "乙")]), str):
            while True:
                yield self.head("GET", route + make(list(islice(pairs, count))))
        marker = 7_777_777  # a length that stands nowhere else in the head
        before, after = self.head("POST", route, marker).split(str(marker).encode())
        while True:
            body = json.dumps(make(list(islice(pairs, count))), ensure_ascii=False).encode()
            yield b"%b%d%b%b" % (before, len(body), after, body)


def _match(pairs: list[Pair]) -> Any:
    rows = [{"a": a, "b": b} for a, b in pairs]
    return rows[0] if len(rows) == 1 else {"pairs": rows}


def _typed(text: str) -> str:
    """The beginning of an address, as far as somebody may have typed it: two to nine characters."""
    return text[: 2 + len(text) % 8]


def _trusting(ca: str) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=ca or None)
    except (OSError, ssl.SSLError) as error:
        raise UsageError("file_failed", path=ca, reason=str(error)) from None
