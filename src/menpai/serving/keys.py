"""Keys of callers: made at random, kept as hashes, compared in constant time, exchanged without a restart.

A key has 256 random bits, so one round of SHA-256 hides it: there is no dictionary to try.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from menpai.errors import UsageError

PREFIX = "menpai_"  # so that scanners for leaked secrets can know one
LOOK_SECONDS = 1.0  # how often the file is looked at
_LINE = re.compile(
    r"(?P<name>[A-Za-z0-9._-]{1,64})\s+sha256:(?P<digest>[0-9a-f]{64})"
    r"(?:\s+quota=(?P<quota>\d{1,9}(?:\.\d{1,3})?))?(?:\s+burst=(?P<burst>\d{1,9}))?\s*"
)


@dataclass(frozen=True, slots=True)
class Key:
    """A key's holder, its hash, and the quota that replaces that of the settings (None: it does not)."""

    name: str
    digest: bytes
    quota: float | None = None
    burst: int | None = None

    @property
    def line(self) -> str:
        """As it stands in a file of keys."""
        more = [
            f"{name}={value:g}" for name in ("quota", "burst") if (value := getattr(self, name)) is not None
        ]
        return " ".join([self.name, f"sha256:{self.digest.hex()}", *more])


def make_key(name: str, quota: float | None = None, burst: int | None = None) -> tuple[str, Key]:
    """A new secret, and what is kept of it; raises UsageError for a name that no line could hold."""
    secret = PREFIX + secrets.token_urlsafe(32)
    key = Key(name, digest_of(secret.encode()), quota, burst)
    if not _LINE.fullmatch(key.line):
        raise UsageError("key_name_invalid", name=name[:64])
    return secret, key


def digest_of(secret: bytes) -> bytes:
    """What is kept of a secret."""
    return hashlib.sha256(secret).digest()


def read_keys(path: Path) -> tuple[Key, ...]:
    """The keys in a file, one a line, `#` before a remark; raises UsageError, which never quotes a line."""
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8"
        raise UsageError("key_file_unreadable", path=str(path), reason=reason) from None
    keys = []
    for number, line in enumerate(lines, 1):
        if not (text := line.partition("#")[0].strip()):
            continue
        if not (found := _LINE.fullmatch(text)):
            raise UsageError("key_file_invalid", path=str(path), line=number)
        quota, burst = found["quota"], found["burst"]
        keys.append(
            Key(
                found["name"],
                bytes.fromhex(found["digest"]),
                float(quota) if quota else None,
                int(burst) if burst else None,
            )
        )
    if not keys:
        raise UsageError("key_file_empty", path=str(path))
    return tuple(keys)


class Keys:
    """The keys in force: that of the settings, and those of a file that is read again when it has changed.

    A file that has become unreadable or wrong changes nothing: `tell` hears of it, and the old keys stay.
    """

    def __init__(self, api_key: str, file: str, tell: Callable[[str, UsageError | None], None]) -> None:
        self._fixed = (Key("api_key", digest_of(api_key.encode())),) if api_key else ()
        self._file = Path(file) if file else None
        self._tell = tell
        self._seen = _stamp(self._file)
        self._listed = read_keys(self._file) if self._file else ()
        self._next_look = monotonic() + LOOK_SECONDS

    @property
    def wanted(self) -> bool:
        """Whether callers need one."""
        return bool(self._fixed or self._file)

    def find(self, secret: bytes) -> Key | None:
        """The key that this is the secret of; every key is compared, whichever fits."""
        self._look()
        digest, found = digest_of(secret), None
        for key in self._fixed + self._listed:
            if hmac.compare_digest(key.digest, digest):
                found = key
        return found

    def _look(self) -> None:
        if self._file is None or monotonic() < self._next_look:
            return
        self._next_look = monotonic() + LOOK_SECONDS
        if (stamp := _stamp(self._file)) == self._seen:
            return
        self._seen = stamp
        try:
            self._listed = read_keys(self._file)
        except UsageError as error:
            self._tell("keys_refused", error)
        else:
            self._tell("keys_reloaded", None)


def _stamp(path: Path | None) -> tuple[int, ...]:
    """What changes when a file is written or exchanged; empty when it is not there."""
    try:
        status = path.stat() if path else None
    except OSError:
        return ()
    return (status.st_mtime_ns, status.st_size, status.st_ino) if status else ()
