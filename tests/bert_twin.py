"""BERT by the book in numpy: the slow and plain twin of the exported graph."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from menpai.packs.bert import BertShape

Floats = NDArray[np.float64]
_ERF = np.vectorize(math.erf)


def logits(
    shape: BertShape, tensors: Mapping[str, NDArray[np.generic]], inputs: Mapping[str, NDArray[np.int32]]
) -> Floats:
    """[n, labels], of a tagger [n, length, labels]."""
    ids, mask, types = (inputs[name] for name in ("input_ids", "attention_mask", "token_type_ids"))
    count, length = ids.shape

    def tensor(name: str) -> Floats:
        return np.asarray(tensors[name], dtype=np.float64)

    def dense(x: Floats, at: str) -> Floats:
        return x @ tensor(f"{at}.weight").T + tensor(f"{at}.bias")

    def norm(x: Floats, at: str) -> Floats:
        spread = np.sqrt(x.var(-1, keepdims=True) + shape.epsilon)
        return (x - x.mean(-1, keepdims=True)) / spread * tensor(f"{at}.weight") + tensor(f"{at}.bias")

    def heads(x: Floats) -> Floats:
        return x.reshape(count, length, shape.heads, -1).transpose(0, 2, 1, 3)

    table = "bert.embeddings.{}_embeddings.weight"
    hidden = tensor(table.format("word"))[ids] + tensor(table.format("token_type"))[types]
    hidden = norm(hidden + tensor(table.format("position"))[:length], "bert.embeddings.LayerNorm")
    for layer in range(shape.layers):
        at = f"bert.encoder.layer.{layer}"
        query, key, value = (
            heads(dense(hidden, f"{at}.attention.self.{part}")) for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 1, 3, 2) / math.sqrt(shape.width // shape.heads)
        scores = np.where(mask[:, None, None, :] == 1, scores, -np.inf)
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = (weights / weights.sum(-1, keepdims=True) @ value).transpose(0, 2, 1, 3).reshape(hidden.shape)
        hidden = norm(
            dense(mixed, f"{at}.attention.output.dense") + hidden, f"{at}.attention.output.LayerNorm"
        )
        wide = dense(hidden, f"{at}.intermediate.dense")
        wide = wide * (1 + _ERF(wide / math.sqrt(2))) / 2
        hidden = norm(dense(wide, f"{at}.output.dense") + hidden, f"{at}.output.LayerNorm")
    if shape.pooler:
        hidden = np.tanh(dense(hidden[:, 0], "bert.pooler.dense"))
    return dense(hidden, "classifier")
