"""What a BERT consists of: its sizes and their bounds, and the name and shape of each of its tensors."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from menpai.errors import BrokenArtefactError

Expected = tuple[str, tuple[int, ...]]


# In which order the model reads a pair: as given; the shorter text first; both ways, and the mean of the two.
ORDERS = ("given", "sorted", "mean")
# Size: from, to. Rows of pairs need some positions; far above the largest BERT, a file only claims its sizes.
SIZES = {
    "vocabulary": (5, 10_000_000), "width": (1, 65_536), "layers": (1, 1_000), "heads": (1, 1_024),
    "feedforward": (1, 1_000_000), "positions": (16, 1_000_000), "types": (1, 1_000), "labels": (1, 100_000),
}  # fmt: skip


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


def whole(value: object, file: str, name: str, low: int, high: int) -> int:
    """The value, if it is a whole number within the bounds; otherwise an error that names it."""
    if type(value) is not int or not low <= value <= high:
        raise BrokenArtefactError(
            "config_number", file=file, name=name, value=shown(value), low=f"{low:,}", high=f"{high:,}"
        )
    return value


def shown(value: object) -> str:
    """A value from a JSON file, as it stands there, short."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else text[:40] + "…"
