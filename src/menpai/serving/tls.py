"""HTTPS: a certificate from files, taken up anew when they change."""

from __future__ import annotations

import contextlib
import ssl
from pathlib import Path
from time import monotonic

from menpai.errors import UsageError
from menpai.settings import Settings

LOOK_SECONDS = 30.0


class Certificate:
    """A certificate chain with its key, in a context that the listening socket uses."""

    def __init__(self, settings: Settings) -> None:
        """Raises UsageError when the files cannot be read or do not belong together."""
        self._chain = settings.tls_cert
        self._files = [Path(name) for name in (settings.tls_cert, settings.tls_key) if name]
        self._key = settings.tls_key or None
        self.context = self._load()
        self._seen = self._stamps()
        self._next_look = monotonic() + LOOK_SECONDS

    def refresh(self) -> bool:
        """Take up files that have changed; whether it did. Half-written ones are tried again later."""
        if monotonic() < self._next_look:
            return False
        self._next_look = monotonic() + LOOK_SECONDS
        if (stamps := self._stamps()) == self._seen:
            return False
        with contextlib.suppress(UsageError):
            self._load()  # into another context first: a failure must not leave this one without a key
            self.context.load_cert_chain(self._chain, self._key)
            self._seen = stamps
            return True
        return False

    def _load(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.set_alpn_protocols(["http/1.1"])
        try:
            context.load_cert_chain(self._chain, self._key, password=_no_password)
        except (OSError, ValueError) as error:  # ssl.SSLError is an OSError
            reason = getattr(error, "reason", None) or getattr(error, "strerror", None) or str(error)
            raise UsageError("tls_invalid", path=self._chain, reason=reason) from None
        return context

    def _stamps(self) -> list[tuple[int, int]]:
        stamps = []
        with contextlib.suppress(OSError):
            stamps = [(file.stat().st_mtime_ns, file.stat().st_size) for file in self._files]
        return stamps


def _no_password() -> str:
    """OpenSSL would ask on the terminal."""
    raise ValueError("the private key is encrypted")
