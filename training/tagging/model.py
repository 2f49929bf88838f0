"""The tagger's network: the blocks of the pair encoder over one text, with a head for every scheme of tags."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from training.model import Block, Shape
from training.model import load as load_pair_encoder

HALO = 1  # characters on each side that the window layer sees


class TagEncoder(nn.Module):
    """ids, positions [batch, length] (0 = padding) → hidden states; `heads` turn them into scores of labels."""

    def __init__(self, shape: Shape, labels: Mapping[str, int], dropout: float = 0.1) -> None:
        super().__init__()
        self.shape, self.labels = shape, dict(labels)
        self.characters = nn.Embedding(shape.vocabulary, shape.width, padding_idx=0)
        self.positions = nn.Embedding(shape.positions, shape.width)
        self.window = nn.Linear((2 * HALO + 1) * shape.width, shape.width)
        self.dropout = nn.Dropout(dropout)
        self.blocks = nn.ModuleList(Block(shape, dropout) for _ in range(shape.layers))
        self.norm = nn.LayerNorm(shape.width)
        self.unmask = nn.Linear(shape.width, shape.width)
        self.heads = nn.ModuleDict({name: nn.Linear(shape.width, size) for name, size in labels.items()})
        for table in (self.characters, self.positions):
            nn.init.normal_(table.weight, std=0.02)
        nn.init.zeros_(self.window.weight)
        nn.init.zeros_(self.window.bias)

    def encode(self, ids: Tensor, positions: Tensor) -> Tensor:
        """Hidden states [batch, length, width]."""
        mask = (ids != 0).to(self.positions.weight.dtype)
        bias = ((1.0 - mask) * -1e4)[:, None, None, :]
        single = self.characters(ids)
        hidden = self.dropout(single + self.positions(positions) + self.window(neighbours(single)))
        for block in self.blocks:
            hidden = block(hidden, bias)
        normed: Tensor = self.norm(hidden)
        return normed

    def forward(self, ids: Tensor, positions: Tensor, scheme: str) -> Tensor:
        """Scores [batch, length, labels] of one scheme."""
        scores: Tensor = self.heads[scheme](self.dropout(self.encode(ids, positions)))
        return scores

    def characters_at(self, hidden: Tensor) -> Tensor:
        """Scores over the vocabulary for hidden states [n, width] (tied to the character embedding)."""
        return nn.functional.gelu(self.unmask(hidden)) @ self.characters.weight.T


def neighbours(single: Tensor) -> Tensor:
    """Each character's embedding between those beside it; [batch, length, (2·HALO+1)·width]."""
    edge = torch.zeros_like(single[:, :HALO])
    wide = torch.cat([edge, single, edge], 1)
    return torch.cat([wide[:, at : at + single.shape[1]] for at in range(2 * HALO + 1)], -1)


def from_pair_encoder(path: Path, vocabulary: int, labels: Mapping[str, int]) -> TagEncoder:
    """A tagger whose blocks and embeddings are those of a pre-trained pair encoder; new characters start small."""
    pair, _ = load_pair_encoder(path)
    model = TagEncoder(replace(pair.shape, vocabulary=vocabulary), labels)
    with torch.no_grad():
        known = pair.characters.weight + pair.types.weight[0]
        model.characters.weight[: len(known)] = known
        model.characters.weight[len(known) :] += known[5:].mean(0)
        model.characters.weight[0] = 0
    for name in ("positions", "blocks", "norm", "unmask"):
        getattr(model, name).load_state_dict(getattr(pair, name).state_dict())
    return model


def save(model: TagEncoder, path: Path, **extra: Any) -> None:
    """Write shape, labels and weights (tensors only) atomically."""
    temporary = path.with_suffix(".part")
    content = {"shape": model.shape.to_dict(), "labels": model.labels, "state": model.state_dict()}
    torch.save({**content, **extra}, temporary)
    temporary.replace(path)


def load(path: Path) -> tuple[TagEncoder, dict[str, Any]]:
    """The tagger of a checkpoint and what was saved beside it; runs no code of the file."""
    stored: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
    model = TagEncoder(Shape(**stored.pop("shape")), stored.pop("labels"))
    model.load_state_dict(stored.pop("state"))
    return model, stored
