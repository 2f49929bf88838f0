"""The encoder of menpai-mini: a small transformer over the characters of a pair, three classes.

Layout: pre-norm blocks, learned positions that restart at the second address, and a `type` embedding that
joins segment and agreement flag (see menpai.scoring.tokens). Batch-independent: no batch statistics.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class Shape:
    """Sizes of the encoder."""

    vocabulary: int
    types: int
    positions: int
    width: int = 192
    layers: int = 4
    heads: int = 6
    feedforward: int = 384
    labels: int = 3

    def to_dict(self) -> dict[str, int]:
        """The sizes by name."""
        return asdict(self)


class Block(nn.Module):
    """One pre-norm transformer block: attention over unmasked characters, then a feed-forward layer."""

    def __init__(self, shape: Shape, dropout: float) -> None:
        super().__init__()
        self.heads = shape.heads
        self.norm_attention = nn.LayerNorm(shape.width)
        self.query_key_value = nn.Linear(shape.width, 3 * shape.width)
        self.attended = nn.Linear(shape.width, shape.width)
        self.norm_feedforward = nn.LayerNorm(shape.width)
        self.widen = nn.Linear(shape.width, shape.feedforward)
        self.narrow = nn.Linear(shape.feedforward, shape.width)
        self.dropout = nn.Dropout(dropout)

    def forward(self, hidden: Tensor, bias: Tensor) -> Tensor:
        """Hidden [batch, length, width] and additive attention bias [batch, 1, 1, length] → hidden."""
        hidden = hidden + self.dropout(self._attend(self.norm_attention(hidden), bias))
        wide = nn.functional.relu(self.widen(self.norm_feedforward(hidden)))
        return hidden + self.dropout(self.narrow(wide))

    def _attend(self, hidden: Tensor, bias: Tensor) -> Tensor:
        batch, length, width = hidden.shape
        parts = self.query_key_value(hidden).reshape(batch, length, 3, self.heads, width // self.heads)
        query, key, value = parts.permute(2, 0, 3, 1, 4).unbind(0)
        scores = query @ key.transpose(-1, -2) * (width // self.heads) ** -0.5 + bias
        mixed = torch.softmax(scores, -1) @ value
        return self.attended(mixed.transpose(1, 2).reshape(batch, length, width))


class PairEncoder(nn.Module):
    """ids, types, positions [batch, length] (0 = padding) → logits [batch, labels]."""

    def __init__(self, shape: Shape, dropout: float = 0.1) -> None:
        super().__init__()
        self.shape = shape
        self.characters = nn.Embedding(shape.vocabulary, shape.width, padding_idx=0)
        self.types = nn.Embedding(shape.types, shape.width)
        self.positions = nn.Embedding(shape.positions, shape.width)
        self.dropout = nn.Dropout(dropout)
        self.blocks = nn.ModuleList(Block(shape, dropout) for _ in range(shape.layers))
        self.norm = nn.LayerNorm(shape.width)
        self.pool = nn.Linear(2 * shape.width, shape.width)
        self.classify = nn.Linear(shape.width, shape.labels)
        self.unmask = nn.Linear(shape.width, shape.width)
        for table in (self.characters, self.types, self.positions):
            nn.init.normal_(table.weight, std=0.02)

    def encode(self, ids: Tensor, types: Tensor, positions: Tensor) -> tuple[Tensor, Tensor]:
        """Hidden states [batch, length, width] and the mask [batch, length] of real characters."""
        mask = (ids != 0).to(self.types.weight.dtype)
        bias = ((1.0 - mask) * -1e4)[:, None, None, :]
        hidden = self.dropout(self.characters(ids) + self.types(types) + self.positions(positions))
        for block in self.blocks:
            hidden = block(hidden, bias)
        return self.norm(hidden), mask

    def head(self, hidden: Tensor, mask: Tensor) -> Tensor:
        """Logits from the first token and the mean over real characters."""
        return self.classify(self.pooled(hidden, mask))

    def pooled(self, hidden: Tensor, mask: Tensor) -> Tensor:
        """What the head sees of a pair, [batch, width]."""
        weights = mask / mask.sum(1, keepdim=True)
        mean = (hidden * weights[:, :, None]).sum(1)
        return self.dropout(torch.tanh(self.pool(torch.cat([hidden[:, 0], mean], -1))))

    def forward(self, ids: Tensor, types: Tensor, positions: Tensor) -> Tensor:
        """Logits [batch, labels]."""
        return self.head(*self.encode(ids, types, positions))

    def characters_at(self, hidden: Tensor) -> Tensor:
        """Scores over the vocabulary for hidden states [n, width] (tied to the character embedding)."""
        return nn.functional.gelu(self.unmask(hidden)) @ self.characters.weight.T


def save(model: PairEncoder, path: Any, **extra: Any) -> None:
    """Write shape and weights (tensors only) atomically."""
    temporary = path.with_suffix(".part")
    torch.save({"shape": model.shape.to_dict(), "state": model.state_dict(), **extra}, temporary)
    temporary.replace(path)


def load(path: Any) -> tuple[PairEncoder, dict[str, Any]]:
    """The encoder of a checkpoint and what was saved beside it; runs no code of the file."""
    stored: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
    model = PairEncoder(Shape(**stored.pop("shape")))
    model.load_state_dict(stored.pop("state"))
    return model, stored
