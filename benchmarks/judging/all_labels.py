"""The competition's open labels, all of them: three folds of round-2 queries, one pre-training.

    python -m benchmarks.judging.all_labels DATA WORK

WORK is the work folder of `python -m training research` (pretrained.pt, vocabulary.txt). For each fold an encoder is fitted
on round 1, the other folds of round 2 and our own pairs; the evidence weights of a fold are fitted on the rows of the other
folds, each with the logits of the encoder that did not see it. Encoders are kept in WORK/all, so a stopped run goes on.
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
from training.research.sets import LEARNED, MEASURED, own_rows, prepared

RECIPE = Path("training/research/recipe.toml")
FOLDS = 3


def main() -> None:
    """One line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("work", type=Path)
    args = parser.parse_args()
    recipe = tomllib.loads(RECIPE.read_text(encoding="utf-8"))
    plan = recipe["fit"]
    own, _ = own_rows(args.data, plan["own_folds"], plan["held_fold"])
    first, second = (prepared(read_labelled(args.data / name)) for name in (LEARNED, MEASURED))
    mine, vocabulary = prepared(own), read_vocabulary(args.work / "vocabulary.txt")
    folds = second.folds(FOLDS)
    left_out = dict(zip(second.groups, folds.tolist(), strict=True))
    earlier = np.array([left_out.get(group, -1) for group in first.groups])
    logits = np.zeros((len(folds), 3), dtype=np.float32)
    (args.work / "all").mkdir(exist_ok=True)
    for fold in range(FOLDS):
        path, left = args.work / "all" / f"without_{fold}.pt", np.flatnonzero(folds == fold)
        if not path.exists():
            parts = (
                (first, earlier != fold),
                (second, folds != fold),
                (mine, np.ones(len(mine.texts), dtype=bool)),
            )
            texts = [part.texts[at] for part, kept in parts for at in np.flatnonzero(kept)]
            labels = np.concatenate([part.labels[kept] for part, kept in parts])
            save(
                fit(plan, args.work / "pretrained.pt", texts, labels, vocabulary, recipe["seed"] + fold), path
            )
        logits[left] = logits_of(load(path)[0], [second.texts[at] for at in left], vocabulary)
    out = np.zeros((len(folds), 3))
    for fold in range(FOLDS):
        rest, left = folds != fold, folds == fold
        fitted = fit_linear(second.features[rest], second.labels[rest], logits[rest])
        model = balanced(fitted, second.labels[rest], plan["balance"])
        out[left] = probabilities(model, second.features[left], logits[left])
    print(json.dumps(judge(out, second.labels)))


if __name__ == "__main__":
    main()
