"""The cascade: identical texts, then plain rules, then the fast scorer where it is sure, then the encoder."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from menpai.engines import open_engine
from menpai.evidence import FEATURES, Comparison, measure
from menpai.packs import Pack
from menpai.scoring.encoder import Encoder
from menpai.scoring.linear import LinearModel
from menpai.scoring.scorer import Score, softmax
from menpai.scoring.tokens import Vocabulary
from menpai.verdict import LABELS, Probabilities


class Cascade:
    """Scores comparisons with the cheapest stage that is sure of them."""

    def __init__(
        self,
        encoder: Encoder,
        fast: LinearModel,
        blend: LinearModel,
        rules: dict[str, Probabilities],
        clear: float,
    ) -> None:
        self.encoder = encoder
        self.fast = fast
        self.blend = blend
        self._rules = rules
        self._clear = clear

    def score(self, comparisons: Sequence[Comparison]) -> list[Score]:
        """One score for each comparison, in order; none depends on the comparisons beside it."""
        scores: list[Score | None] = [self._by_rule(c) for c in comparisons]
        open_ = [i for i, score in enumerate(scores) if score is None]
        features = measure([comparisons[i] for i in open_])
        left = []
        for row, (i, quick) in enumerate(zip(open_, softmax(self.fast.logits(features)), strict=True)):
            if max(quick) >= self._clear:
                scores[i] = Score(quick, "fast")
            else:
                left.append(row)
        rest = [open_[row] for row in left]
        logits = self.encoder.logits([(comparisons[i].a.text, comparisons[i].b.text) for i in rest])
        blended = softmax(self.blend.logits(features[left], logits))
        for i, probabilities in zip(rest, blended, strict=True):
            scores[i] = Score(probabilities, "encoder")
        return [score for score in scores if score is not None]

    def _by_rule(self, comparison: Comparison) -> Score | None:
        """Identical normal forms are the same place, as surely as the pack's calibration says."""
        if comparison.identical:
            return Score(self._rules["identical"], "exact")
        return None


def open_cascade(pack: Pack, engine: str, *, early: bool = True) -> Cascade:
    """The cascade of a pack; with `early` off, every pair that is not identical goes to the encoder."""
    weights = pack.read_json("weights")
    vocabulary = Vocabulary(pack.file("vocabulary").read_text(encoding="utf-8").split("\n")[:-1])
    order = [list(pack.manifest["labels"]).index(label) for label in LABELS]
    # One thread inside an operator: the graph is small, and the matcher's threads run it side by side.
    encoder = Encoder(open_engine(engine, pack.file("graph"), threads=1), vocabulary, order)
    read: Callable[[str], LinearModel] = lambda key: LinearModel.from_json(  # noqa: E731 (one expression, used twice)
        weights[key], weights["features"], str(pack.path)
    )
    rules = {name: Probabilities(*row) for name, row in weights["rules"].items()}
    return Cascade(encoder, read("fast"), read("blend"), rules, weights["clear"] if early else np.inf)


__all__ = ["FEATURES", "Cascade", "open_cascade"]
