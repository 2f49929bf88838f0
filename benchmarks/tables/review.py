"""What a review says of an output, beside the truth: 100 reviews by people who never err, each with another sample.

    menpai link DIANPING GAODE --id shop_id --right-id id -o linked.csv --pairs-out compared.csv
    python -m benchmarks.tables.review compared.csv MATCHES

MATCHES is derived_hz_matches_808.tsv of GER-LLM, DIANPING and GAODE are its two tables.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import numpy as np

from menpai.tables.review import Asked, draw, make_plan, read_output
from menpai.tables.review.estimate import Counts, Quality, estimate
from menpai.tables.review.pair import Pair

REVIEWS = 100
TRUTH = set[tuple[str, str]]


def reviewed(pairs: list[Pair], truth: TRUTH, most: int, salt: int) -> Quality:
    """The estimates of one review; the salt gives its pairs other keys, and so another sample."""
    salted = [pair._replace(id_a=f"{salt}:{pair.id_a}") for pair in pairs]
    plan = make_plan(draw(salted, most), most)
    sample: dict[object, list[bool]] = {name: [] for name in plan.sizes}
    for pair, control in plan.turns:
        if control is not None:
            sample[control].append((pair.id_a.partition(":")[2], pair.id_b) in truth)
    return estimate(
        {name: Counts(plan.sizes[name], len(same), sum(same)) for name, same in sample.items()}, salt
    )


def main() -> None:
    """Print the truth, and what reviews of three lengths say."""
    with Path(sys.argv[2]).open(encoding="utf-8") as stream:
        truth = {(row["dianping_id"], row["gaode_id"]) for row in csv.DictReader(stream, delimiter="\t")}
    pairs = list(read_output(sys.argv[1], Asked()))
    right = sum((pair.id_a, pair.id_b) in truth for pair in pairs if pair.joined)
    every = sum((pair.id_a, pair.id_b) in truth for pair in pairs)
    known = {"precision": right / sum(pair.joined for pair in pairs), "recall": right / every}
    print(f"{len(pairs)} pairs, truth: " + ", ".join(f"{name} {value:.3f}" for name, value in known.items()))
    for most in (100, 200, 400):
        found = [reviewed(pairs, truth, most, salt) for salt in range(REVIEWS)]
        for name, value in known.items():
            each = [getattr(quality, name) for quality in found]
            values = [estimated.value for estimated in each if estimated.value is not None]
            held = np.mean([estimated.low <= value <= estimated.high for estimated in each])
            low, high = (np.mean([estimated[at] for estimated in each]) for at in (1, 2))
            print(
                f"{most} pairs  {name:<9}  mean {np.mean(values):.3f}  deviation {np.std(values):.3f}  "
                f"interval {low:.2f} to {high:.2f}, holds the truth in {held:.0%}"
            )


if __name__ == "__main__":
    main()
