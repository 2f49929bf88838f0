"""The encoder: texts of a pair → logits, through a pack's vocabulary and graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from functools import partial

import numpy as np
from numpy.typing import NDArray

from menpai.engines import Engine, device_of
from menpai.evidence import Comparison
from menpai.scoring.tokens import BUCKETS, Rows, Vocabulary, encode

# Tokens in one run of the engine: enough to amortise the call, few enough to stay in the cache.
TOKEN_BUDGET = 4096

Waiting = Callable[[], NDArray[np.float32]]


def encoder_texts(c: Comparison) -> tuple[str, str]:
    """What the encoder reads of a pair: the texts behind the divisions, or all of both where divisions differ.

    Divisions are compared by code and speak through the evidence; without them a pair is a third shorter.
    """
    if c.division_conflict:
        return c.a.text, c.b.text
    return c.details


class Encoder:
    """Logits for pairs of normalized texts; a pair's logits never depend on the pairs beside it."""

    def __init__(self, engine: Engine, vocabulary: Vocabulary, labels: Sequence[int]) -> None:
        self._engine = engine
        self._vocabulary = vocabulary
        self._labels = list(labels)

    @property
    def device(self) -> str:
        """Where the graph runs: cpu, cuda, …"""
        return device_of(self._engine)

    @property
    def lanes(self) -> int:
        """One: a run takes less time than reading its rows, and is done beside that."""
        return 1

    def logits(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """[n, 3] in the order of LABELS, the same for (a, b) and (b, a)."""
        return self.start(pairs)()

    def start(self, pairs: Sequence[tuple[str, str]], pool: Executor | None = None) -> Waiting:
        """Begin on the pool's threads (without one: when asked); the call that comes back gives the logits."""
        runs = [
            (rows.pairs[cut], self._begin(rows, cut, pool))
            for rows in encode(pairs, self._vocabulary)
            for cut in _cuts(rows)
        ]

        def wait() -> NDArray[np.float32]:
            out = np.empty((len(pairs), 3), dtype=np.float32)
            for at, logits in runs:
                out[at] = logits()[:, self._labels]
            return out

        return wait

    def _begin(self, rows: Rows, cut: slice, pool: Executor | None) -> Waiting:
        inputs = {"ids": rows.ids[cut], "types": rows.types[cut], "positions": rows.positions[cut]}
        return pool.submit(self._engine.run, inputs).result if pool else partial(self._engine.run, inputs)

    tokens = None  # a character is a token: looking it up is as fast as remembering

    def forget(self) -> None:
        """Nothing is remembered here."""

    def warm(self) -> None:
        """Run every length bucket once; before a GPU also a full batch of the longest, whose memory is then there for all.

        On a CPU that batch is a tenth of a start, and without it the first full batch takes a twentieth longer (measured).
        """
        for bucket in BUCKETS:
            side = "路" * ((bucket - 3) // 2)
            self.logits([(side, side)])
        if self.device != "cpu":
            self.logits([(side, side)] * (TOKEN_BUDGET // BUCKETS[-1]))


def _cuts(rows: Rows) -> list[slice]:
    """The rows of one bucket in runs within the token budget."""
    step = max(1, TOKEN_BUDGET // rows.ids.shape[1])
    return [slice(start, start + step) for start in range(0, len(rows.pairs), step)]
