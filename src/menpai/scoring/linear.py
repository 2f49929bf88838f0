"""A linear model over the evidence, whose weights are the weights that the verdict shows.

For features x: score(exact) = e·x, score(partial) = +½ l·x, score(not) = -½ l·x. So a feature's `e` is its weight
for "the same place" against the mean of the other two, and its sign can be held to what the feature means. A model may
also hold how sure it is where a feature holds: all scores are multiplied by exp(s·x), which moves no label.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from menpai.errors import BrokenArtefactError
from menpai.evidence import FEATURES
from menpai.scoring.scorer import Logits

# No evidence makes the scores more than e times as sharp, or as dull.
_SHARPEST = 1.0


class LinearModel:
    """Weights `exact` and `lean` [features + 1] (the last is the bias), the scale of the encoder's logits, and `sure`
    [features + 1], by which all is sharpened (None: by nothing)."""

    def __init__(
        self,
        exact: Sequence[float],
        lean: Sequence[float],
        encoder: float = 0.0,
        sure: Sequence[float] | None = None,
    ) -> None:
        self.exact = np.asarray(exact, dtype=np.float64)
        self.lean = np.asarray(lean, dtype=np.float64)
        self.encoder = float(encoder)
        self.sure = None if sure is None else np.asarray(sure, dtype=np.float64)

    def logits(self, features: NDArray[np.float32], encoder: NDArray[np.float32] | None = None) -> Logits:
        """Logits [n, 3]; summed feature by feature, so that a row never depends on the other rows."""
        same, lean = _sums(features, self.exact), _sums(features, self.lean)
        logits = np.stack([same, lean / 2, -lean / 2], axis=1)
        if encoder is not None:
            logits += self.encoder * encoder.astype(np.float64)
        if self.sure is not None:
            logits *= np.exp(np.clip(_sums(features, self.sure), -_SHARPEST, _SHARPEST))[:, None]
        return logits

    def reading(self, encoder: NDArray[np.float32]) -> list[float]:
        """What the encoder's logits weigh for the same place: its scale times exact minus the mean of the others."""
        exact, partial, other = encoder.astype(np.float64).T
        weights: list[float] = (self.encoder * (exact - (partial + other) / 2)).tolist()
        return weights

    @classmethod
    def from_json(cls, value: Mapping[str, Any], names: Sequence[str], source: str) -> LinearModel:
        """The model of a pack's weights file; refuses weights for other features than this version computes."""
        if list(names) != [f.name for f in FEATURES]:
            reason = "its weights belong to other evidence than this version of menpai computes"
            raise BrokenArtefactError("pack_invalid", pack=source, reason=reason)
        model = cls(value["exact"], value["lean"], value.get("encoder", 0.0), value.get("sure"))
        kept = [model.exact, model.lean, *([] if model.sure is None else [model.sure])]
        weights = np.array(kept)  # refuses two lengths
        if weights.shape[1] != len(FEATURES) + 1 or not np.isfinite([*weights.flat, model.encoder]).all():
            reason = f"not {len(FEATURES) + 1} finite weights"
            raise BrokenArtefactError("pack_invalid", pack=source, reason=reason)
        return model

    def to_json(self) -> dict[str, Any]:
        """The shape that `from_json` reads."""
        sure = {} if self.sure is None else {"sure": self.sure.tolist()}
        return {"exact": self.exact.tolist(), "lean": self.lean.tolist(), "encoder": self.encoder, **sure}


def _sums(features: NDArray[np.float32], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each row's weighted sum with the bias, [n], added in one order whatever stands beside it."""
    terms = np.empty((len(features), features.shape[1] + 1))
    terms[:, 0] = weights[-1]
    np.multiply(features, weights[:-1], out=terms[:, 1:])
    sums: NDArray[np.float64] = np.add.accumulate(terms, axis=1)[:, -1]
    return sums
