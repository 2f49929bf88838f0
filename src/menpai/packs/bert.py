"""What a BERT consists of: its sizes, and the name and shape of each of its tensors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass

Expected = tuple[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class BertShape:
    """Sizes of a BERT with a linear head; `pooler`: the head reads the pooled first token, not every token."""

    vocabulary: int
    width: int
    layers: int
    heads: int
    feedforward: int
    positions: int
    types: int
    labels: int
    pooler: bool
    epsilon: float = 1e-12

    def to_dict(self) -> dict[str, int | float | bool]:
        """The sizes by name, as a manifest carries them."""
        return asdict(self)


def expected_tensors(shape: BertShape) -> Iterator[Expected]:
    """Name (that of transformers) and shape of each tensor, in the order of a state dict."""
    width, wide = shape.width, shape.feedforward
    for name, rows in (
        ("word", shape.vocabulary),
        ("position", shape.positions),
        ("token_type", shape.types),
    ):
        yield f"bert.embeddings.{name}_embeddings.weight", (rows, width)
    yield from _norm("bert.embeddings.LayerNorm", width)
    for layer in range(shape.layers):
        at = f"bert.encoder.layer.{layer}"
        for part in (
            "attention.self.query",
            "attention.self.key",
            "attention.self.value",
            "attention.output.dense",
        ):
            yield from _dense(f"{at}.{part}", width, width)
        yield from _norm(f"{at}.attention.output.LayerNorm", width)
        yield from _dense(f"{at}.intermediate.dense", wide, width)
        yield from _dense(f"{at}.output.dense", width, wide)
        yield from _norm(f"{at}.output.LayerNorm", width)
    if shape.pooler:
        yield from _dense("bert.pooler.dense", width, width)
    yield from _dense("classifier", shape.labels, width)


def _dense(name: str, rows: int, columns: int) -> Iterator[Expected]:
    yield f"{name}.weight", (rows, columns)
    yield f"{name}.bias", (rows,)


def _norm(name: str, width: int) -> Iterator[Expected]:
    yield f"{name}.weight", (width,)
    yield f"{name}.bias", (width,)
