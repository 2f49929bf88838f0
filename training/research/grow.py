"""Room for more characters in a trained encoder."""

from __future__ import annotations

import numpy as np
import torch

from menpai.scoring.tokens import UNKNOWN
from training.model import PairEncoder, Shape


def grown(model: PairEncoder, entries: int, seed: int) -> PairEncoder:
    """The same encoder with room for more characters; a new one starts where the unknown character stands."""
    old = model.shape.vocabulary
    larger = PairEncoder(Shape(**model.shape.to_dict() | {"vocabulary": entries}))
    state = model.state_dict()
    noise = np.random.default_rng(seed).normal(0, 0.02, (entries - old, model.shape.width))
    table = state["characters.weight"]
    fresh = table[UNKNOWN] + torch.from_numpy(noise.astype(np.float32))
    larger.load_state_dict(state | {"characters.weight": torch.cat([table, fresh])})
    return larger
