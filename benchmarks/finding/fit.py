"""Weights of the ranking's features, fitted on the queries of the part "tune", and the recall that they give there.

Run: python benchmarks/finding/fit.py --work WORK --set nation|city|hangzhou [--without near]
A softmax over the candidates of each query, with weights that are not negative and sum to 1; halves of the part take
turns, so that the second figure is of queries that chose nothing. `search.TEXT` and `search.NAMED` are rounded from it.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
from measure import INDEX, is_right, read_queries
from numpy.typing import NDArray

from menpai.library import Library
from menpai.search.gather import gather
from menpai.search.question import read_question
from menpai.search.search import NAMED, POOL, TEXT

Floats = NDArray[np.float64]
Example = tuple[NDArray[np.bool_], Floats]
STEPS, RATE = 400, 0.05


def main() -> None:
    """Fit and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--set", choices=INDEX, required=True)
    parser.add_argument("--without", nargs="*", default=[])
    parser.add_argument("--most", type=int, default=600)
    options = parser.parse_args()
    library = Library.open(options.work / f"{INDEX[options.set]}.menpai")
    names = [name for name in (NAMED if options.set == "hangzhou" else TEXT) if name not in options.without]
    rows = read_queries(options.work, options.set, "tune", options.most)
    found = (read_example(library, options.set, row, names) for row in rows)
    examples = [example for example in found if example is not None]
    if options.set != "hangzhou":
        names = [name for name in names if name != "near"]
    weights = fit(examples)
    halves = examples[::2], examples[1::2]
    crossed = [first(fit(halves[at]), halves[1 - at]) for at in (0, 1)]
    print(f"{options.set}: recall@1 {first(weights, examples):.4f}, halves in turn {np.mean(crossed):.4f}")
    print({name: round(float(value), 3) for name, value in zip(names, weights / weights.sum(), strict=True)})


def read_example(library: Library, name: str, row: dict[str, Any], names: list[str]) -> Example | None:
    """Which candidates of a query are right, and their features; None where none is."""
    pool = gather(library.view, read_question(row["query"]), POOL)
    records = [shard.segment.record(at) for shard, at in zip(pool.shards, pool.rows, strict=True)]
    right = np.array([is_right(name, row, record.id, record.text) for record in records], bool)
    known = [pool.features[feature] for feature in names if feature in pool.features]
    return (right, np.stack(known, 1)) if right.any() else None


def fit(examples: list[Example]) -> Floats:
    """Weights by Adam on the mean log-likelihood of the right candidates."""
    logs = np.ones(examples[0][1].shape[1])
    mean, square = np.zeros_like(logs), np.zeros_like(logs)
    for step in range(1, STEPS + 1):
        weights = np.exp(logs)
        gradient = np.mean([slope(weights, *example) for example in examples], axis=0) * weights
        mean, square = 0.9 * mean + 0.1 * gradient, 0.999 * square + 0.001 * gradient**2
        logs += RATE * mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.999**step)) + 1e-9)
    return np.exp(logs)


def slope(weights: Floats, right: NDArray[np.bool_], features: Floats) -> Floats:
    """How the log-likelihood of the right candidates changes with the weights."""
    scores = features @ weights
    shares = np.exp(scores - scores.max())
    shares /= shares.sum()
    wanted = np.where(right, shares, 0.0) / max(float(shares[right].sum()), 1e-12)
    return features.T @ (wanted - shares)


def first(weights: Floats, examples: list[Example]) -> float:
    """Share of examples whose best candidate is right."""
    return float(np.mean([right[np.argmax(features @ weights)] for right, features in examples]))


if __name__ == "__main__":
    main()
