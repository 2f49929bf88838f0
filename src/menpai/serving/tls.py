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
        self._seen = self._told = self._stamps()
        self._next_look = monotonic() + LOOK_SECONDS

    def refresh(self) -> bool:
        """Take up files that have changed; whether it did. Raises UsageError once for files that are wrong.

        They are tried again later: half of them may not be written yet.
        """
        if monotonic() < self._next_look:
            return False
        self._next_look = monotonic() + LOOK_SECONDS
        if (stamps := self._stamps()) == self._seen:
            return False
        try:
            self._load()  # into another context first: a failure must not leave this one without a key
        except UsageError:
            told, self._told = self._told, stamps
            if told != stamps:
                raise
            return False
        self.context.load_cert_chain(self._chain, self._key)
        self._seen = stamps
        return True

    def _load(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.set_alpn_protocols(["http/1.1"])
        try:
            self._read()
            context.load_cert_chain(self._chain, self._key, password=_no_password)
        except (OSError, ValueError) as error:  # ssl.SSLError is an OSError
            named = f"{error.filename}: " if isinstance(error, OSError) and error.filename else ""
            said = getattr(error, "reason", None) or getattr(error, "strerror", None) or str(error)
            reason = named + str(said)
            raise UsageError("tls_invalid", path=self._chain, reason=reason) from None
        return context

    def _read(self) -> None:
        """Raise what OpenSSL does not say: which file is missing, or lacks what."""
        for name, mark in ((self._chain, b"CERTIFICATE"), (self._key or self._chain, b"PRIVATE KEY")):
            if mark + b"-----" not in Path(name).read_bytes():
                raise ValueError(f"no {mark.decode()} in {name}")

    def _stamps(self) -> list[tuple[int, int]]:
        stamps = []
        with contextlib.suppress(OSError):
            stamps = [(file.stat().st_mtime_ns, file.stat().st_size) for file in self._files]
        return stamps


def _no_password() -> str:
    """OpenSSL would ask on the terminal."""
    raise ValueError("the private key is encrypted")
