"""What INT8 changes: verdicts of a pack beside those of the same encoder in full precision, on the same pairs.

    python -m benchmarks.judging.precision DATA FITS [--pack NAME] [--research]

FITS is the folder of fits that `python -m training --until fit` names (with --research: `python -m training research`, one
encoder for each fold). Prints how many labels differ and what that does to macro-F1. Needs the extra train.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.judging.sets import Judged, of_rows, own, together
from menpai import Matcher
from menpai.evidence import compare, measure
from menpai.policy import apply_policies
from menpai.scoring.encoder import encoder_texts
from menpai.scoring.linear import LinearModel
from menpai.scoring.scorer import softmax
from menpai.scoring.tokens import Vocabulary
from menpai.tables import metrics
from menpai.verdict import LABELS
from training.data import read_labelled
from training.fit import logits_of
from training.model import load


def main() -> None:
    """A line for each set."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("fits", type=Path)
    parser.add_argument("--pack", default="menpai-mini")
    parser.add_argument("--research", action="store_true")
    args = parser.parse_args()
    matcher = Matcher.open(args.pack)
    paths = sorted(args.fits.glob("without_*.pt" if args.research else "on all seen rows.pt"))
    if not paths:
        parser.error(f"no fitted encoder in {args.fits}")
    sets = {
        "held own": together(own(args.data)[1].values()),
        "ccks_round2_open": of_rows(read_labelled(args.data / "pairs" / "ccks_round2_open.tsv")),
    }
    print(
        "| set | labels that differ | macro-F1 FP32 | INT8 | largest difference of a logit |\n|---|---|---|---|---|"
    )
    for name, judged in sets.items():
        print(f"| {name} ({len(judged.pairs)}) | {compared(matcher, paths, judged)} |", flush=True)


def compared(matcher: Matcher, paths: list[Path], judged: Judged) -> str:
    """The encoder on every pair, both ways, with evidence and policies."""
    readings = {text: matcher.parse(text) for pair in judged.pairs for text in pair}
    comparisons = [compare(readings[a], readings[b]) for a, b in judged.pairs]
    rows, texts = measure(comparisons), [encoder_texts(c) for c in comparisons]
    vocabulary = Vocabulary(matcher.pack.file("vocabulary").read_text(encoding="utf-8").split("\n")[:-1])
    exact = np.mean([logits_of(load(path)[0], texts, vocabulary) for path in paths], axis=0)
    small = matcher._cascade.encoder.start(texts)()
    blend: LinearModel = matcher._cascade.blend

    def labels(logits: NDArray[np.float32]) -> NDArray[np.int64]:
        given = softmax(blend.logits(rows, logits))
        decided = [apply_policies(c, p, "en")[0].label for c, p in zip(comparisons, given, strict=True)]
        return np.array([LABELS.index(label) for label in decided])

    one, two = labels(exact), labels(small)
    f1 = [metrics.macro_f1(metrics.confusion(judged.labels, found, 3)) for found in (one, two)]
    return f"{(one != two).mean():.2%} | {f1[0]:.4f} | {f1[1]:.4f} | {np.abs(exact - small).max():.3f}"


if __name__ == "__main__":
    main()
