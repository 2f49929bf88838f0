"""Names of uploaded files, which become names of files here: no path, nothing hidden, no option of a command."""

from __future__ import annotations

import re
import unicodedata
from pathlib import PurePath

from menpai.errors import UsageError

LONGEST = 120
"Bytes of a name; what is cut off stands before its ending."
_BAD = re.compile(r'[\x00-\x1f\x7f-\x9f<>:"/\\|?*#‎‏\u202a-\u202e\u2066-\u2069\ud800-\udfff]')
# What a format that can only be read is written as.
_WRITTEN = {".xlsm": ".xlsx", ".xlsb": ".xlsx", ".xls": ".xlsx", ".ods": ".xlsx", ".pq": ".parquet"}


def clean_name(given: str) -> str:
    """The name as a file here may have it; UsageError for one that does not end like a table."""
    from menpai.tables.readers import READERS  # noqa: PLC0415 (of all formats: 40 ms of a start)

    base = re.split(r"[/\\]", unicodedata.normalize("NFC", given))[-1]
    base = _BAD.sub("_", base).strip(" .")
    stem, _, ending = base.rpartition(".")
    ending = f".{ending.lower()}"
    if not stem or ending not in READERS:
        raise UsageError(
            "table_format_unknown", path=base[:60] or "?", format=ending[:12], known=" ".join(READERS)
        )
    stem = re.sub(r"^[-.~$ ]+", "_", stem)
    while len((stem + ending).encode()) > LONGEST:
        stem = stem[:-1]
    return stem + ending


def result_name(name: str) -> str:
    """What the result of a table is called: the same format, where it can be written."""
    path = PurePath(name)
    return f"{path.stem}.menpai{_WRITTEN.get(path.suffix, path.suffix)}"
