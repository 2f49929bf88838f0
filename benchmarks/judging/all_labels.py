"""The competition's open labels, all of them: three folds of round-2 queries, one pre-training.

    python -m benchmarks.judging.all_labels DATA WORK FITS

WORK is the work folder of `python -m training research`, FITS the folder of fits in it that `--until fit` names. For each
fold, one of its encoders (fitted on round 1 and our own pairs) is fitted on to the other folds of round 2; the evidence
weights of a fold are fitted on the rows of the other folds, each with the logits of the encoder that did not see it.
Queries of round 1 are left out. Encoders are kept in FITS/all, so a stopped run goes on.
"""

from __future__ import annotations

import argparse
import json
import tomllib
from pathlib import Path

import numpy as np

from training.calibrate import fit_linear, probabilities
from training.data import read_labelled
from training.fit import fit, logits_of
from training.judge import judge
from training.model import load, save
from training.research.balance import balanced
from training.research.release import read_vocabulary
from training.research.sets import LEARNED, MEASURED, prepared

RECIPE = Path("training/research/recipe.toml")


def main() -> None:
    """One line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("fits", type=Path)
    args = parser.parse_args()
    recipe = tomllib.loads(RECIPE.read_text(encoding="utf-8"))
    plan = recipe["fit"]
    earlier = {row.a for row in read_labelled(args.data / LEARNED)}
    second = prepared([row for row in read_labelled(args.data / MEASURED) if row.a not in earlier])
    vocabulary, folds = read_vocabulary(args.work / "vocabulary.txt"), second.folds(plan["folds"])
    logits = np.zeros((len(folds), 3), dtype=np.float32)
    (args.fits / "all").mkdir(exist_ok=True)
    for fold in range(plan["folds"]):
        path, start = (args.fits / folder / f"without_{fold}.pt" for folder in ("all", ""))
        left, rest = np.flatnonzero(folds == fold), np.flatnonzero(folds != fold)
        if not path.exists():
            texts = [second.texts[at] for at in rest]
            save(fit(plan, start, texts, second.labels[rest], vocabulary, recipe["seed"] + fold), path)
        logits[left] = logits_of(load(path)[0], [second.texts[at] for at in left], vocabulary)
    out = np.zeros((len(folds), 3))
    for fold in range(plan["folds"]):
        rest, left = folds != fold, folds == fold
        fitted = fit_linear(second.features[rest], second.labels[rest], logits[rest])
        model = balanced(fitted, second.labels[rest], plan["balance"])
        out[left] = probabilities(model, second.features[left], logits[left])
    print(json.dumps(judge(out, second.labels)))


if __name__ == "__main__":
    main()
