"""The sets with tags, split so that no twin of a measured sentence is in anything that is learned from."""

from __future__ import annotations

import csv
import gzip
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from training.data import fold_of
from training.tagging.conll import Tagged, read_conll, twin_key

HELD_FOLDS = 10


@dataclass(frozen=True)
class Sets:
    """Rows to learn from and rows to measure on, by scheme, and the twin keys of the latter."""

    learn: dict[str, list[Tagged]]
    held: dict[str, list[Tagged]]
    kinds: dict[str, tuple[str, ...]]
    keys: frozenset[str]

    def is_free(self, text: str) -> bool:
        """Whether a text is no twin of a measured one."""
        return twin_key(text) not in self.keys


def read_sets(data: Path) -> Sets:
    """ccks_train split by sentence (a tenth is held), leodotnet and swei412 as published."""
    ner = data / "ner"
    ccks = read_conll(ner / "ccks_train.conll", "ccks")
    is_held = [fold_of(twin_key(row.text), HELD_FOLDS) == 0 for row in ccks]
    held = {
        "ccks": [row for row, out in zip(ccks, is_held, strict=True) if out],
        "leodotnet": read_conll(ner / "leodotnet_dev.conll", "leodotnet"),
        "swei412": read_conll(ner / "swei412_dev.conll", "swei412"),
    }
    learn = {
        "ccks": ccks,
        "leodotnet": read_conll(ner / "leodotnet_train.conll", "leodotnet"),
        "swei412": read_conll(ner / "swei412_train.conll", "swei412"),
    }
    kinds = {name: _kinds(rows) for name, rows in learn.items()}
    keys = frozenset(twin_key(row.text) for rows in held.values() for row in rows)
    free = {name: [row for row in rows if twin_key(row.text) not in keys] for name, rows in learn.items()}
    return Sets(free, held, kinds, keys)


def _kinds(rows: Iterable[Tagged]) -> tuple[str, ...]:
    """The kinds of a set, the most frequent first."""
    return tuple(kind for kind, _ in Counter(kind for row in rows for kind, _, _ in row.spans).most_common())


def research_texts(data: Path, sets: Sets) -> list[str]:
    """Different texts for guessing hidden characters, without twins of measured ones, in a fixed order."""
    found = dict.fromkeys(text for text in _texts(data) if len(text) > 4 and sets.is_free(text))
    for rows in sets.learn.values():
        found.update(dict.fromkeys(row.text for row in rows))
    return list(found)


def _texts(data: Path) -> Iterator[str]:
    for name in ("ccks_round1", "shenzhen_val"):
        for row in _table(data / "pairs" / f"{name}.tsv"):
            yield row["address_a"]
            yield row["address_b"]
    for path in sorted((data / "entities").glob("hz_*.tsv")):
        for row in _table(path):
            yield row["address"] + row["name"]
    for name in ("companies", "universities", "messy_orders", "shanghai_geo"):
        for row in _table(data / "addresses" / f"{name}.tsv"):
            yield row["address"]
    with gzip.open(data / "addresses" / "national_places.tsv.gz", "rt", encoding="utf-8") as file:
        for number, line in enumerate(file):
            if number % 2:
                yield "".join(line.rstrip("\n").split("\t"))


def _table(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
