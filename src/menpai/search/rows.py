"""Rows on their way into a segment: entries read (normalized, cut, sorted) and written as columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from menpai.address import Address
from menpai.parsing import parse
from menpai.search.columns import save_numbers, save_texts
from menpai.search.segment import DEGREE, KINDS, UNKNOWN, Segment, open_segment
from menpai.search.values import Entry
from menpai.text import normalize

_KIND = {kind: number for number, kind in enumerate(KINDS)}
LONGEST_KEY = 65_535
"In bytes: cuts are 16 bits."


class Row(NamedTuple):
    """An entry with what was read in it."""

    key: bytes
    name_key: bytes
    entry: Entry
    division: int
    cuts: tuple[tuple[int, int], ...]


def read_rows(entries: Iterable[Entry]) -> list[Row]:
    """The entries with their keys, cuts and divisions, sorted by key, name and id."""
    return sorted(map(_read, entries), key=lambda row: (row.key, row.name_key, row.entry.id))


def write_segment(path: Path, rows: Sequence[Row]) -> Segment:
    """The segment of sorted rows in a new folder."""
    path.mkdir(parents=True)
    entries = [row.entry for row in rows]
    save_texts(path, "keys", (row.key for row in rows))
    save_texts(path, "name_keys", (row.name_key for row in rows))
    save_texts(path, "ids", (entry.id.encode() for entry in entries))
    save_texts(path, "raw_texts", (_unless(row.entry.text, row.key) for row in rows))
    save_texts(path, "raw_names", (_unless(row.entry.name, row.name_key) for row in rows))
    save_texts(path, "payloads", (entry.payload.encode() for entry in entries))
    save_numbers(path, "lat", np.array([_whole(entry.lat) for entry in entries], np.int32))
    save_numbers(path, "lon", np.array([_whole(entry.lon) for entry in entries], np.int32))
    save_numbers(path, "weights", np.array([entry.weight for entry in entries], np.float32))
    save_numbers(path, "divisions", np.array([row.division for row in rows], np.uint32))
    save_numbers(path, "cut_at", np.cumsum([0, *(len(row.cuts) for row in rows)], dtype=np.uint32))
    save_numbers(path, "cut_ends", np.array([end for row in rows for end, _ in row.cuts], np.uint16))
    save_numbers(path, "cut_kinds", np.array([kind for row in rows for _, kind in row.cuts], np.uint8))
    return open_segment(path, len(rows))


def cuts_of(address: Address) -> tuple[tuple[int, int], ...]:
    """(end in bytes of the UTF-8 text, number of the kind) of stretches that cover the text."""
    text, cuts, at = address.text, list[tuple[int, int]](), 0
    for element in address.elements:
        if element.end > at:
            at = element.end
            cuts.append((len(text[:at].encode()), _KIND[element.kind]))
    if at < len(text):
        cuts.append((len(text.encode()), 0))
    return tuple(cuts)


def _read(entry: Entry) -> Row:
    address = parse(normalize(entry.text))
    name = normalize(entry.name).text if entry.name else ""
    division = int(address.divisions[0].code) if address.divisions else 0
    return Row(address.text.encode(), name.encode(), entry, division, cuts_of(address))


def _unless(raw: str, key: bytes) -> bytes:
    """The raw text, or nothing where the key says the same."""
    text = raw.encode()
    return b"" if text == key else text


def _whole(degrees: float | None) -> int:
    return UNKNOWN if degrees is None else round(degrees * DEGREE)
