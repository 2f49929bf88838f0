"""A ZIP archive is looked through before a reader sees it: nothing that grows without bound, no external entities.

Every part is unpacked once and thrown away, which also finds damage and sizes that are not what the archive says.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from typing import BinaryIO

from menpai.errors import UsageError

MOST_BYTES = 2 * 10**9  # unpacked, all parts together
MOST_GROWTH = 400  # times the packed size; a sheet of a million equal cells stays below it
FREE_BYTES = 10**7  # that any part may have, however it grows
MOST_PARTS = 10_000
_CHUNK = 1 << 20
_HEAD = 1 << 16
_DECLARATION = re.compile(rb"<!(DOCTYPE|ENTITY)", re.IGNORECASE)


def check_archive(stream: BinaryIO, name: str) -> frozenset[str]:
    """The names of the parts; raises UsageError for a bomb, a document type, or damage. The stream is rewound."""
    try:
        with zipfile.ZipFile(stream) as archive:
            parts = archive.infolist()
            if len(parts) > MOST_PARTS:
                raise _refused(name, f"{len(parts)} parts")
            if any(part.flag_bits & 1 for part in parts):
                raise _refused(name, "a password")
            left = MOST_BYTES
            for part in parts:
                left -= _check_part(archive, part, name, left)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, ValueError) as error:
        raise UsageError("table_broken", path=name, format="ZIP", reason=str(error)) from error
    finally:
        stream.seek(0)
    return frozenset(part.filename for part in parts)


def _check_part(archive: zipfile.ZipFile, part: zipfile.ZipInfo, name: str, left: int) -> int:
    """The unpacked bytes of a part, all of them read."""
    allowed = min(left, max(FREE_BYTES, MOST_GROWTH * part.compress_size))
    if part.file_size > allowed:
        raise _refused(name, f"{part.filename}: {part.compress_size} → {part.file_size} bytes")
    size = 0
    with archive.open(part) as unpacked:
        while chunk := unpacked.read(_CHUNK):
            if not size and _declares(chunk[:_HEAD]):
                raise _refused(name, f"{part.filename}: <!DOCTYPE")
            size += len(chunk)
    return size


def _declares(head: bytes) -> bool:
    """Whether an XML text declares a document type, in whatever encoding."""
    return _DECLARATION.search(head.replace(b"\0", b"")) is not None


def _refused(name: str, reason: str) -> UsageError:
    return UsageError("archive_refused", path=name, reason=reason)
