"""The evidence weights of a pack moved to the user's pairs: likelihood, held to the weights that the pack has."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray

from menpai.evidence import FEATURES
from menpai.scoring.linear import LinearModel
from menpai.scoring.scorer import softmax

Floats = NDArray[np.float32]

_STEPS, _RATE = 600, 0.02
_HOLD = 3.0
"Pairs' worth of loss for each unit by which a weight moves, squared."


def refit(
    start: LinearModel, features: Floats, targets: Floats, encoder: Floats | None = None
) -> LinearModel:
    """The weights that make the targets likeliest, each held to its old value and to the sign of its feature.

    `encoder` are logits of pairs that the encoder was not trained on; its scale is fitted too.
    """
    signs = torch.tensor([float(f.sign) for f in FEATURES])
    x = torch.from_numpy(np.hstack([features, np.ones((len(features), 1), np.float32)]))
    y = torch.from_numpy(targets)
    begin = [torch.tensor(weights, dtype=torch.float32) for weights in (start.exact, start.lean)]
    exact, lean = (weights.clone().requires_grad_() for weights in begin)
    scale = torch.tensor([start.encoder], requires_grad=True)
    optimizer = torch.optim.Adam([exact, lean, scale], lr=_RATE)
    for step in range(_STEPS):
        for group in optimizer.param_groups:
            group["lr"] = _RATE * (1 - step / _STEPS) + 1e-4
        same, side = x @ exact, x @ lean / 2
        logits = torch.stack([same, side, -side], 1)
        if encoder is not None:
            logits = logits + scale * torch.from_numpy(encoder)
        if start.sure is not None:
            logits = (
                logits * torch.exp((x @ torch.tensor(start.sure, dtype=torch.float32)).clamp(-1, 1))[:, None]
            )
        moved = (exact - begin[0]).square().sum() + (lean - begin[1]).square().sum()
        loss = torch.nn.functional.cross_entropy(logits, y) + _HOLD * moved / len(features)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            weights = exact[:-1]
            weights[(signs > 0) & (weights < 0)] = 0.0
            weights[(signs < 0) & (weights > 0)] = 0.0
    kept = float(scale.detach()) if encoder is not None else start.encoder
    sure = None if start.sure is None else start.sure.tolist()
    return LinearModel(exact.detach().tolist(), lean.detach().tolist(), kept, sure)


def clear_from(
    fast: LinearModel, blend: LinearModel, features: Floats, targets: Floats, encoder: Floats
) -> float:
    """The least probability from which the fast scorer errs no more often than the whole; 1.1 (never) if there is none."""
    quick = np.array(softmax(fast.logits(features)))
    whole = np.array(softmax(blend.logits(features, encoder)))
    truth = targets.argmax(1)
    order = np.argsort(-quick.max(1))
    excess = ((quick.argmax(1) != truth).astype(int) - (whole.argmax(1) != truth))[order]
    within = np.flatnonzero(np.cumsum(excess) <= 0)
    return float(np.round(quick.max(1)[order[within[-1]]] + 5e-4, 3)) if len(within) else 1.1
