"""How the answers of a graph differ from the reference: labels, macro-F1, logits, and whether company matters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from menpai.errors import BrokenArtefactError
from menpai.packs.calibrate import Batch, opened
from menpai.packs.onnx_writer import Part

Logits = list[NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Difference:
    """Against the reference: rows, share of labels that changed, largest difference of a logit, macro-F1 in points."""

    rows: int
    labels_changed: float
    largest: float
    f1_before: float | None = None
    f1_after: float | None = None

    @property
    def f1_lost(self) -> float:
        """Points of macro-F1; 0 where no labels are known."""
        return (self.f1_before or 0.0) - (self.f1_after or 0.0)


@dataclass(frozen=True)
class Reference:
    """The answers in float32 on batches, and the right ones where they are known."""

    task: str
    logits: Logits
    batches: Sequence[Batch]
    labels: Sequence[int]

    @classmethod
    def of(cls, task: str, logits: Logits, batches: Sequence[Batch], labels: Sequence[int]) -> Reference:
        """The reference of a task."""
        return cls(task, logits, batches, labels)

    def difference(self, logits: Logits) -> Difference:
        """What changed."""
        before, after = self._labels(self.logits), self._labels(logits)
        parts = zip(self.logits, logits, self.batches, strict=True)
        largest = float(np.max([np.abs(a - b)[self._valid(a, batch)].max() for a, b, batch in parts]))
        scores = (
            [macro_f1(self.labels, found) for found in (before, after)] if len(self.labels) else [None, None]
        )
        rows = sum(len(batch["input_ids"]) for batch in self.batches)
        return Difference(rows, float((before != after).mean()), largest, *scores)

    def _labels(self, logits: Logits) -> NDArray[np.intp]:
        """The label of each row (of each token for a tagger); for a ranking, whether it is relevant; -1 for NaN."""
        return np.concatenate(
            [
                (_relevant(part) if self.task == "ranking" else _best(part))[self._valid(part, batch)]
                for part, batch in zip(logits, self.batches, strict=True)
            ]
        )

    @staticmethod
    def _valid(logits: NDArray[np.float32], batch: Batch) -> NDArray[np.bool_]:
        if logits.ndim == 2:
            return np.ones(len(logits), dtype=bool)
        return batch["attention_mask"] > 0


def _best(logits: NDArray[np.float32]) -> NDArray[np.intp]:
    return np.where(np.isfinite(logits).all(-1), logits.argmax(-1), -1)


def _relevant(logits: NDArray[np.float32]) -> NDArray[np.intp]:
    return np.where(np.isfinite(logits[..., 0]), logits[..., 0] > 0, -1)


def run_graph(graph: Iterator[Part], batches: Sequence[Batch]) -> Logits:
    """The logits of a graph on batches."""
    with opened(graph) as session:
        return [session.run(None, dict(batch))[0] for batch in batches]


def check_finite(arrays: Iterable[NDArray[np.float32]]) -> None:
    """Raise if a number is NaN or infinite: what such a model answers means nothing."""
    if not all(np.isfinite(array).all() for array in arrays):
        raise BrokenArtefactError("logits_not_finite")


def batch_independent(graph: Iterator[Part], batches: Sequence[Batch], rows: int = 16) -> bool:
    """Whether rows alone have the logits, to the bit, that they have among others of their length."""
    with opened(graph) as session:
        for batch in [batch for batch in batches if len(batch["input_ids"]) > 1][:4]:
            together = session.run(None, dict(batch))[0]
            for at in range(min(rows, len(together))):
                (alone,) = session.run(None, {name: array[at : at + 1] for name, array in batch.items()})
                if not (alone[0] == together[at]).all():
                    return False
    return True


def macro_f1(right: Sequence[int], found: NDArray[np.intp]) -> float:
    """Mean F1 over the labels that occur, in points (0 … 100)."""
    truth = np.asarray(right)
    scores = []
    for label in np.unique(truth):
        hits = float(((found == label) & (truth == label)).sum())
        scores.append(2 * hits / float((found == label).sum() + (truth == label).sum()))
    return 100 * float(np.mean(scores))
