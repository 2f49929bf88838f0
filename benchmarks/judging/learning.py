"""What more labels are worth: evidence alone and the encoder alone, fitted on ever larger parts of our judged pairs.

    python -m benchmarks.judging.learning DATA WORK [--sizes 400,1200,3000,6000] [--passes 4]

WORK is the work folder of `python -m training` (pretrained.pt, vocabulary.txt). A part holds whole places; measured on the
held fifth of the places, by file. Needs the extra train.
"""

from __future__ import annotations

import argparse
import tomllib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.judging.sets import Judged, own, together
from menpai.evidence import compare, measure
from menpai.parsing import parse
from menpai.scoring.encoder import encoder_texts
from menpai.scoring.tokens import Vocabulary
from menpai.tables import metrics
from menpai.text import normalize
from training.calibrate import fit_linear, probabilities
from training.data import fold_of
from training.fit import fit, logits_of

RECIPE = Path("training/recipe.toml")
PARTS = 1000


class Seen:
    """A set as the models see it."""

    def __init__(self, judged: Judged) -> None:
        comparisons = [compare(parse(normalize(a)), parse(normalize(b))) for a, b in judged.pairs]
        self.texts = [encoder_texts(c) for c in comparisons]
        self.rows = measure(comparisons)
        self.labels = judged.labels
        self.draw = np.array([fold_of(f"draw {group}", PARTS) for group in judged.groups])

    def first(self, count: int) -> NDArray[np.intp]:
        """About `count` rows: whole places in an order that is the same everywhere."""
        share = np.sort(self.draw)[min(count, len(self.draw)) - 1]
        return np.flatnonzero(self.draw <= share)


def main() -> None:
    """A line for each size, printed when it is done."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--sizes", default="400,1200,3000,6000")
    parser.add_argument("--passes", type=int, default=4)
    args = parser.parse_args()
    recipe = tomllib.loads(RECIPE.read_text(encoding="utf-8"))
    plan = recipe["fit"] | {"passes": args.passes}
    vocabulary = Vocabulary((args.work / "vocabulary.txt").read_text(encoding="utf-8").split("\n")[:-1])
    learned, held = own(args.data)
    seen, measured = Seen(together(learned.values())), {name: Seen(part) for name, part in held.items()}
    print("| labels | " + " | ".join(f"{name}: evidence | encoder" for name in measured) + " |")
    print("|---|" + "---|---|" * len(measured))
    for size in map(int, args.sizes.split(",")):
        at = seen.first(size)
        linear = fit_linear(seen.rows[at], seen.labels[at])
        texts = [seen.texts[i] for i in at]
        encoder = fit(plan, args.work / "pretrained.pt", texts, seen.labels[at], vocabulary, recipe["seed"])
        cells = [
            f"{_f1(part, probabilities(linear, part.rows)):.3f} | {_f1(part, logits_of(encoder, part.texts, vocabulary)):.3f}"
            for part in measured.values()
        ]
        print(f"| {len(at)} | " + " | ".join(cells) + " |", flush=True)


def _f1(part: Seen, scores: NDArray[np.floating]) -> float:
    return metrics.macro_f1(metrics.confusion(part.labels, scores.argmax(1), 3))


if __name__ == "__main__":
    main()
