"""Fit the linear models over the evidence (with and without the encoder) and the cascade's threshold."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray

from menpai.evidence import FEATURES
from menpai.scoring.linear import LinearModel
from menpai.scoring.scorer import softmax

FloatArray = NDArray[np.float32]
SHARP_DECAY = 2e-3


def fit_linear(
    features: FloatArray,
    labels: NDArray[np.int64],
    encoder: FloatArray | None = None,
    decay: float = 2e-3,
    steps: int = 1500,
    sure: bool = False,
) -> LinearModel:
    """The weights that make the labels likeliest, each held to the sign of its feature.

    Cross-entropy with squared weights times `decay`, Adam on all rows at once, so the result is calibrated on
    rows that it (and the encoder whose logits it is given) did not see. With `sure`, how sharp the scores are follows
    the evidence too, but for that which may only speak against the same place.
    """
    signs = torch.tensor([float(f.sign) for f in FEATURES])
    x = torch.from_numpy(np.hstack([features, np.ones((len(features), 1), dtype=np.float32)]))
    y = torch.from_numpy(labels)
    extra = None if encoder is None else torch.from_numpy(encoder)
    exact, lean, sharp = (torch.zeros(x.shape[1], requires_grad=True) for _ in range(3))
    mild = torch.cat([(signs >= 0).float() * float(sure), torch.zeros(1)])
    scale = torch.ones(1, requires_grad=True)
    optimizer = torch.optim.Adam([exact, lean, sharp, scale], lr=0.05)
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = 0.05 * (1 - step / steps) + 1e-4
        same, side = x @ exact, x @ lean / 2
        logits = torch.stack([same, side, -side], 1)
        if extra is not None:
            logits = logits + scale * extra
        logits = logits * torch.exp((x @ (sharp * mild)).clamp(-1, 1))[:, None]
        penalty = decay * (exact[:-1].square().sum() + lean[:-1].square().sum())
        penalty = penalty + SHARP_DECAY * sharp.square().sum()
        loss = torch.nn.functional.cross_entropy(logits, y) + penalty
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            weights = exact[:-1]
            weights[(signs > 0) & (weights < 0)] = 0.0
            weights[(signs < 0) & (weights > 0)] = 0.0
    kept = float(scale.detach()) if encoder is not None else 0.0
    shape = (sharp.detach() * mild).tolist() if sure else None
    return LinearModel(exact.detach().tolist(), lean.detach().tolist(), kept, shape)


def probabilities(
    model: LinearModel, features: FloatArray, encoder: FloatArray | None = None
) -> NDArray[np.float64]:
    """Probabilities [n, 3]."""
    return np.array(softmax(model.logits(features, encoder))).reshape(-1, 3)


def sharpness(probabilities: NDArray[np.float64], labels: NDArray[np.int64]) -> float:
    """The factor on all scores that makes the labels of these rows likeliest; it moves no argmax."""
    scores = np.log(np.maximum(probabilities, 1e-12))
    factors = np.arange(0.5, 4.0, 0.05)
    return float(
        min(factors, key=lambda f: -np.log(sharpened(scores, f)[np.arange(len(labels)), labels]).mean())
    )


def sharpened(scores: NDArray[np.float64], factor: float) -> NDArray[np.float64]:
    """Probabilities [n, 3] of scores times a factor."""
    return np.array(softmax(scores * factor)).reshape(-1, 3)


def clear_threshold(
    fast: NDArray[np.float64], full: NDArray[np.float64], labels: NDArray[np.int64], allowed: float
) -> float:
    """The least probability at which the fast scorer may decide: above it, the share of pairs on which it errs is at
    most `allowed` above the full model's share. Infinity is given as 1.1 (never)."""
    sure = fast.max(1)
    excess = (fast.argmax(1) != labels).astype(int) - (full.argmax(1) != labels)
    order = np.argsort(-sure)
    share = np.cumsum(excess[order]) / (np.arange(len(order)) + 1)
    within = np.flatnonzero(share <= allowed)
    return float(np.round(sure[order[within[-1]]] + 5e-4, 3)) if len(within) else 1.1


def identical_probabilities(labels: NDArray[np.int64]) -> list[float]:
    """How often pairs with one normal form carry each label, with a prior of 200 exact in 201."""
    counts = np.bincount(labels, minlength=3) + np.array([200.0, 0.9, 0.1])
    return [float(x) for x in counts / counts.sum()]
