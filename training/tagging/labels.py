"""The labels given by reading: what each part of some official addresses is, marked one by one for this project.

The file holds labels only: the digest of a text, where the reading begins, and for each part a letter and a length.
The texts stand in the data folder, in rows open to the built-in pack.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

from training.tagging.conll import Tagged

LABELS = Path(__file__).parents[1] / "labels" / "tags.tsv"
LETTERS = {
    "p": "province", "c": "city", "d": "district", "t": "town", "m": "community", "g": "village_group",
    "z": "devzone", "r": "road", "n": "roadno", "x": "intersection", "o": "poi", "s": "subpoi", "b": "building",
    "u": "unit", "f": "floor", "h": "room", "k": "distance", "a": "assist", "-": "",
}  # fmt: skip
_PART = re.compile(r"([a-z-])(\d+)")


def read_labels(data: Path, path: Path = LABELS) -> dict[str, Tagged]:
    """Digest → text and spans, for every label whose text the data folder has."""
    wanted = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            digest, start, parts = line.split("\t")
            wanted[digest] = (int(start), parts)
    found = {}
    for text in open_texts(data):
        if (digest := digest_of(text)) in wanted and digest not in found:
            found[digest] = _spans(text, *wanted[digest])
    return found


def digest_of(text: str) -> str:
    """The name of a text in the file of labels."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def open_texts(data: Path) -> Iterator[str]:
    """The addresses that the built-in pack may learn from."""
    for name in ("pairs", "written"):
        for row in _table(data / "gold" / f"{name}.tsv"):
            yield row["address_a"]
            yield row["address_b"]
    with gzip.open(data / "addresses" / "national_places.tsv.gz", "rt", encoding="utf-8") as file:
        next(file)
        for line in file:
            yield "".join(line.rstrip("\n").split("\t"))
    for row in _table(data / "addresses" / "shanghai_geo.tsv"):
        yield row["district"] + row["town"] + row["address"]


def _spans(text: str, start: int, parts: str) -> Tagged:
    """The part of the text that was read, with its spans."""
    at, spans = 0, []
    for letter, length in _PART.findall(parts):
        if LETTERS[letter]:
            spans.append((LETTERS[letter], at, at + int(length)))
        at += int(length)
    return Tagged(text[start : start + at], tuple(spans))


def _table(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
