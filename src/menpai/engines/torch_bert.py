"""A BERT in PyTorch from the constants of a pack's graph: FP32, BF16, FP16, or INT8 through oneDNN's kernels.

`Bert` is told how tokens attend, so that the same layers run padded rows [n, length, width] and, without any padding,
the tokens of all rows in one list [tokens, width].
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from menpai.engines.constants import Constants, widened

# Query, key, value → what each token gathers; hidden → hidden of the first tokens.
Attend = Callable[[Tensor, Tensor, Tensor], Tensor]
Take = Callable[[Tensor], Tensor]


class Product(nn.Module):
    """A product with a matrix in floats, and its bias."""

    def __init__(self, constants: Constants, name: str, kind: torch.dtype) -> None:
        super().__init__()
        self.weight = _parameter(torch.from_numpy(_matrix(constants, name)).to(kind))
        self.bias = _parameter(_floats(constants, f"{name}.bias").to(kind))

    def forward(self, source: Tensor) -> Tensor:
        """[…, in] → […, out]."""
        return functional.linear(source, self.weight, self.bias)


class Quantizer(nn.Module):
    """A quantized input: its scale and zero point, and the factor of each of its channels."""

    def __init__(self, constants: Constants, name: str) -> None:
        super().__init__()
        self.scale = float(constants[f"{name}.input_scale"])
        self.zero = int(constants[f"{name}.input_zero"])
        factor = constants.get(f"{name}.input_factor")
        self.plain = factor is None
        self.inverse = torch.tensor(1.0 if factor is None else factor) / self.scale

    def forward(self, source: Tensor) -> Tensor:
        """float32 → uint8."""
        return (source * self.inverse).round_().add_(self.zero).clamp_(0, 255).to(torch.uint8)


class WholeProduct(nn.Module):
    """A product in INT8; oneDNN scales, adds the bias and, on request, does the GELU in the same pass."""

    def __init__(self, constants: Constants, name: str, source: Quantizer) -> None:
        super().__init__()
        whole = torch.from_numpy(np.ascontiguousarray(constants[f"{name}.weight_q"].T))
        self.packed = torch.ops.onednn.qlinear_prepack(whole, None)
        self.scales = torch.from_numpy(constants[f"{name}.weight_scale"].copy())
        self.zeros = torch.zeros(len(self.scales), dtype=torch.int32)
        self.bias = _floats(constants, f"{name}.bias")
        self.source = source

    def forward(self, numbers: Tensor, gelu_as: Quantizer | None = None) -> Tensor:
        """uint8 […, in] → float32 […, out]; with `gelu_as` its GELU as that quantizer's uint8."""
        ends: tuple[Any, ...] = (1.0, 0, torch.float32, "none", [], "")
        if gelu_as is not None:
            ends = (gelu_as.scale, gelu_as.zero, torch.uint8, "gelu", [], "none")
        found: Tensor = torch.ops.onednn.qlinear_pointwise(
            numbers,
            self.source.scale,
            self.source.zero,
            self.packed,
            self.scales,
            self.zeros,
            self.bias,
            *ends,
        )
        return found


class Layer(nn.Module):
    """One post-norm layer; each product in floats or in INT8, as the graph has it."""

    def __init__(self, constants: Constants, at: str, kind: torch.dtype, epsilon: float, whole: bool) -> None:
        super().__init__()

        def quantizer(name: str) -> nn.Module:
            return (
                Quantizer(constants, name) if whole and f"{name}.input_scale" in constants else nn.Identity()
            )

        def product(name: str, source: nn.Module) -> nn.Module:
            if isinstance(source, Quantizer):
                return WholeProduct(constants, name, source)
            return Product(constants, name, kind)

        inputs = (
            f"{at}.attention.self",
            f"{at}.attention.output.dense",
            f"{at}.intermediate.dense",
            f"{at}.output.dense",
        )
        self.asked, self.mixed, self.lean, self.fat = map(quantizer, inputs)
        self.query, self.key, self.value = (
            product(f"{inputs[0]}.{n}", self.asked) for n in ("query", "key", "value")
        )
        self.attended = product(inputs[1], self.mixed)
        self.widen = product(inputs[2], self.lean)
        self.narrow = product(inputs[3], self.fat)
        self.norms = nn.ModuleList(
            _norm(constants, f"{at}.{n}.LayerNorm", kind, epsilon) for n in ("attention.output", "output")
        )

    def forward(self, hidden: Tensor, attend: Attend, take: Take) -> Tensor:
        """Hidden → hidden of the tokens that `take` keeps."""
        source = self.asked(hidden)
        mixed = attend(self.query(take(source)), self.key(source), self.value(source))
        hidden = self.norms[0](self.attended(self.mixed(mixed)) + take(hidden))
        return self.norms[1](self.narrow(self._wide(hidden)) + hidden)

    def _wide(self, hidden: Tensor) -> Tensor:
        """The feed-forward's inner values as its second product reads them."""
        source = self.lean(hidden)
        if isinstance(self.widen, WholeProduct) and isinstance(self.fat, Quantizer) and self.fat.plain:
            return self.widen(source, self.fat)
        return self.fat(functional.gelu(self.widen(source)))


class Bert(nn.Module):
    """Embeddings, layers, head; `whole`: use the INT8 of the graph instead of widening it to `kind`."""

    def __init__(
        self, shape: Mapping[str, Any], constants: Constants, kind: torch.dtype, whole: bool
    ) -> None:
        super().__init__()
        epsilon = float(shape["epsilon"])
        self.heads, self.pooled = int(shape["heads"]), bool(shape["pooler"])
        names = ("word", "position", "token_type")
        self.words, self.positions, self.types = (
            _parameter(_table(constants, f"bert.embeddings.{name}_embeddings.weight").to(kind))
            for name in names
        )
        self.norm = _norm(constants, "bert.embeddings.LayerNorm", kind, epsilon)
        self.layers = nn.ModuleList(
            Layer(constants, f"bert.encoder.layer.{at}", kind, epsilon, whole)
            for at in range(shape["layers"])
        )
        self.pooler = Product(constants, "bert.pooler.dense", kind) if self.pooled else None
        self.classifier = Product(constants, "classifier", kind)

    def forward(self, ids: Tensor, types: Tensor, places: Tensor, attend: Attend, first: Take) -> Tensor:
        """Logits of each row (or each token); `first` takes the first tokens of rows, [rows, 1, width] or [rows, width]."""
        hidden = self.norm(self.words[ids] + self.types[types] + self.positions[places])
        for at, layer in enumerate(self.layers, 1):
            last = self.pooled and at == len(self.layers)
            hidden = layer(hidden, attend, first if last else _all)
        if self.pooler is not None:
            hidden = torch.tanh(self.pooler(hidden))
        return self.classifier(hidden).float()


def padded(bert: Bert, ids: Tensor, mask: Tensor, types: Tensor) -> Tensor:
    """Logits of padded rows [n, length]."""
    count, length = ids.shape
    keep = mask[:, None, None, :] > 0

    def heads(part: Tensor) -> Tensor:
        return part.view(count, part.shape[1], bert.heads, -1).transpose(1, 2)

    def attend(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        mixed = functional.scaled_dot_product_attention(
            heads(query), heads(key), heads(value), attn_mask=keep
        )
        return mixed.transpose(1, 2).flatten(2)

    places = torch.arange(length, device=ids.device)
    found = bert(ids, types, places, attend, lambda hidden: hidden[:, :1])
    return found[:, 0] if bert.pooled else found


def unpadded(bert: Bert, ids: Tensor, mask: Tensor, types: Tensor) -> Tensor:
    """The same without a single token of padding: rows in order of length, those of one length attend together."""
    lengths = mask.sum(1)
    order = torch.argsort(lengths, stable=True)
    keep = mask[order] > 0
    sizes, counts = torch.unique_consecutive(lengths[order], return_counts=True)
    groups = list(zip(sizes.tolist(), counts.tolist(), strict=True))
    starts = torch.cumsum(lengths[order], 0) - lengths[order]

    def attend(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        out, at, row = [], 0, 0
        for size, count in groups:
            end = at + size * count
            asked = query[at:end] if len(query) == len(key) else query[row : row + count]
            parts = (
                p.view(count, -1, bert.heads, p.shape[-1] // bert.heads).transpose(1, 2)
                for p in (asked, key[at:end], value[at:end])
            )
            out.append(
                functional.scaled_dot_product_attention(*parts).transpose(1, 2).reshape(len(asked), -1)
            )
            at, row = end, row + count
        return torch.cat(out)

    places = torch.arange(ids.shape[1]).expand_as(ids)[keep]
    found = bert(ids[order][keep], types[order][keep], places, attend, lambda hidden: hidden[starts])
    if bert.pooled:
        return torch.empty_like(found).index_copy_(0, order, found)
    full = found.new_zeros(*ids.shape, found.shape[-1])
    full[order[:, None].expand_as(ids)[keep], places] = found
    return full


def _all(hidden: Tensor) -> Tensor:
    return hidden


def _parameter(tensor: Tensor) -> nn.Parameter:
    return nn.Parameter(tensor, requires_grad=False)


def _floats(constants: Constants, name: str) -> Tensor:
    return torch.from_numpy(np.array(widened(constants[name])))


def _table(constants: Constants, name: str) -> Tensor:
    """A table of embeddings, widened where it is stored in INT8."""
    if f"{name}_q" not in constants:
        return _floats(constants, name)
    return torch.from_numpy(constants[f"{name}_q"] * constants[f"{name}_scale"])


def _matrix(constants: Constants, name: str) -> np.ndarray[Any, np.dtype[np.float32]]:
    """[out, in], widened where it is stored in INT8."""
    if f"{name}.weight_q" not in constants:
        return np.ascontiguousarray(widened(constants[f"{name}.weight_t"]).T)
    matrix = constants[f"{name}.weight_q"] * constants[f"{name}.weight_scale"]
    source = name.rsplit(".", 1)[0] if ".attention.self." in name else name
    if (factor := constants.get(f"{source}.input_factor")) is not None:
        matrix = matrix * factor[:, None]
    return np.ascontiguousarray(matrix.T)


def _norm(constants: Constants, at: str, kind: torch.dtype, epsilon: float) -> nn.LayerNorm:
    norm = nn.LayerNorm(len(constants[f"{at}.weight"]), eps=epsilon)
    norm.weight, norm.bias = (
        _parameter(_floats(constants, f"{at}.{n}").to(kind)) for n in ("weight", "bias")
    )
    return norm
