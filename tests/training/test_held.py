"""The pairs that the wheel carries for `--use-builtin-calibration` are those of training/labels, with their labels of today."""

from __future__ import annotations

import csv
from importlib import resources
from pathlib import Path

from menpai.cli.grey import BUILTIN

LABELS = Path(__file__).parents[2] / "training" / "labels"


def rows(text: str) -> dict[tuple[str, str], str]:
    found = csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    return {(row["address_a"], row["address_b"]): row["label"] for row in found}


def test_every_held_pair_has_the_label_that_readers_gave_it() -> None:
    held = rows((resources.files("menpai.data") / BUILTIN).read_text("utf-8"))
    ours = {
        pair: label
        for path in LABELS.glob("written_pairs*.tsv")
        for pair, label in rows(path.read_text("utf-8")).items()
    }
    assert len(held) >= 500
    assert {pair for pair, label in held.items() if ours.get(pair) != label} == set(), (
        "run: python -m training.held"
    )
    assert len(held) < len(ours) / 2
