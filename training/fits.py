"""The fits of one recipe on one set of rows: cross-fitted by place for calibration, and the one that is shipped.

They stand in a folder named by a digest of everything that goes into them, so that a stopped run goes on and a change
of labels, recipe or pre-training fits anew.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from menpai.scoring.tokens import Vocabulary
from training.data import with_hints
from training.fit import fit, logits_of
from training.judged import Judged
from training.model import PairEncoder, load, save


def fits_folder(work: Path, pretrained: Path, told: Any) -> Path:
    """The folder in `work` of the fits that start from a checkpoint and are told this (recipe, texts, labels)."""
    digest = hashlib.sha256(pretrained.read_bytes() + json.dumps(told).encode()).hexdigest()
    folder = work / f"fits-{digest[:12]}"
    folder.mkdir(exist_ok=True)
    return folder


class Fits:
    """Encoders fitted from the checkpoint `pretrained` on `seen`, kept in a folder of `work`."""

    def __init__(
        self, recipe: dict[str, Any], pretrained: Path, seen: Judged, vocabulary: Vocabulary, work: Path
    ) -> None:
        self.recipe, self.pretrained, self.seen, self.vocabulary = recipe, pretrained, seen, vocabulary
        told = [recipe, seen.texts, with_hints(seen.rows).tolist(), seen.folds.tolist()]
        self.folder = fits_folder(work, pretrained, told)

    def crossed(self) -> NDArray[np.float32]:
        """Logits [n, 3] of each row from an encoder that was not fitted on the row's place."""
        out = np.zeros((len(self.seen.rows), 3), dtype=np.float32)
        for fold in np.unique(self.seen.folds):
            left = self.seen.folds == fold
            model = self._fitted(self.seen.take(~left), f"without fold {fold}")
            out[left] = logits_of(model, self.seen.take(left).texts, self.vocabulary)
        return out

    def encoder(self) -> PairEncoder:
        """The encoder fitted on all rows."""
        return self._fitted(self.seen, "on all seen rows")

    def _fitted(self, rows: Judged, what: str) -> PairEncoder:
        """The fit on these rows, kept in a file."""
        path = self.folder / f"{what}.pt"
        if not path.exists():
            print(f"fitting {what}: {len(rows.rows)} pairs", file=sys.stderr, flush=True)
            plan, seed, hints = self.recipe["fit"], self.recipe["seed"], with_hints(rows.rows)
            log = path.with_suffix(".jsonl")
            save(fit(plan, self.pretrained, rows.texts, hints, self.vocabulary, seed, log), path)
        return load(path)[0]
