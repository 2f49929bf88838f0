"""The judged pairs of our own that nothing is trained on, as the table that the wheel carries for `--use-builtin-calibration`.

    python -m training.held --data DIR

Kept up with `training/labels`: run it again when they grow. Texts of other makers stay out of it.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

from menpai.verdict import LABELS
from training.data import LABELS_FOLDER, OURS, folds_of_ours, read_labelled
from training.judged import GOLD

OUT = Path(__file__).parents[1] / "src/menpai/data/labels/held_pairs.tsv"


def write_held_pairs(data: Path, out: Path, folds: int = 5, held: int = 0) -> int:
    """Write the table, return its rows; pairs drawn because a model was in doubt are like no table, so they stay out."""
    gold = [row for name in GOLD for row in read_labelled(data / name)]
    ours = [row for name in OURS for row in read_labelled(LABELS_FOLDER / name)]
    at = folds_of_ours(gold, ours, folds, held)
    rows = [row for row, fold in zip(ours, at, strict=True) if fold == held and row.source != "drawn_pairs"]
    out.parent.mkdir(parents=True, exist_ok=True)
    with out.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(("address_a", "address_b", "label", "place"))
        writer.writerows((row.a, row.b, LABELS[row.label], row.place) for row in rows)
    return len(rows)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder with gold/")
    print(write_held_pairs(parser.parse_args().data, OUT))
