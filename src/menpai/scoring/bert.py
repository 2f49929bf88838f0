"""Imported models: texts → logits through a pack's word pieces and BERT graph. One class a task; tagging is in parsing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from menpai.engines import Engine, device_of, open_engine
from menpai.engines.gears import lanes_of
from menpai.errors import BrokenArtefactError, UsageError
from menpai.evidence import Comparison
from menpai.lru import LRU
from menpai.packs import Pack
from menpai.packs.bert_rows import Rows, pair_rows
from menpai.packs.wordpiece import open_wordpiece
from menpai.verdict import LABELS

Floats = NDArray[np.float32]
Waiting = Callable[[], Floats]
Texts = Sequence[tuple[str, str]]

# Token counts of the runs that warm an engine.
_WARM = (16, 32, 64)


def normalized_texts(c: Comparison) -> tuple[str, str]:
    """What an imported model reads in the default mode: both texts whole, normalized."""
    return c.a.text, c.b.text


def raw_texts(c: Comparison) -> tuple[str, str]:
    """What it reads in the faithful mode: both texts as they were given."""
    return c.a.normalized.raw, c.b.normalized.raw


class BertPairs:
    """Logits for pairs of texts, in the order of LABELS; rows of about one length run together."""

    def __init__(self, pack: Pack, engine: Engine, order: str) -> None:
        self._engine = engine
        self._words = open_wordpiece(pack)
        self._labels = [list(pack.manifest["labels"]).index(label) for label in LABELS]
        self._order = order
        self._limit = int(pack.manifest["max_length"])
        self._slow = pack.manifest.get("truncation") == "slow"

    @property
    def device(self) -> str:
        """Where the graph runs: cpu, cuda, …"""
        return device_of(self._engine)

    @property
    def lanes(self) -> int:
        """How many runs go side by side."""
        return lanes_of(self._engine)

    def logits(self, pairs: Texts) -> Floats:
        """[n, 3]; with the order "mean" the mean of both ways round."""
        return self.start(pairs)()

    def start(self, pairs: Texts, pool: Executor | None = None) -> Waiting:
        """Begin on the pool's threads (without one: when asked); the call that comes back gives the logits."""
        texts = ordered(pairs, self._order)
        rows = list(self._rows(texts))
        beside = pool if len(rows) > 1 else None  # a lone run needs no other thread
        runs = [(each.at, begin(self._engine, each, beside)) for each in rows]

        def wait() -> Floats:
            out = gather(runs, len(texts), len(self._labels))[:, self._labels]
            return (
                out if len(texts) == len(pairs) else (out[: len(pairs)] + out[len(pairs) :]) * np.float32(0.5)
            )

        return wait

    @property
    def tokens(self) -> LRU[str, Any]:
        """The texts that are remembered with their tokens."""
        return self._words.texts

    def warm(self) -> None:
        """Run a few lengths once, alone and together."""
        for tokens in _WARM:
            side = "路" * ((tokens - 3) // 2)
            for count in (1, 16):
                self.logits([(side, side)] * count)

    def forget(self) -> None:
        """Drop the texts that were remembered with their tokens."""
        self._words.forget()

    def _rows(self, texts: Texts) -> Iterator[Rows]:
        a, b = (self._words.encode([pair[side] for pair in texts]) for side in (0, 1))
        return pair_rows(a, b, self._words, self._limit, slow=self._slow, near=True)


class Ranker:
    """How relevant candidates are to a query, by an imported ranking pack: raw texts, segment ids all 0."""

    def __init__(self, pack: Pack, engine: Engine) -> None:
        if pack.task != "ranking" or pack.manifest.get("tokenizer") != "wordpiece":
            raise UsageError("pack_of_other_task", pack=pack.name, task=pack.task, wanted="ranking")
        self.pack = pack
        self._engine = engine
        self._words = open_wordpiece(pack)
        self._limit = int(pack.manifest["max_length"])
        self._slow = pack.manifest.get("truncation") == "slow"

    @classmethod
    def open(cls, pack: Pack, *, engine: str = "onnx", threads: int = 1, device: str = "auto") -> Ranker:
        """The ranker of a pack on this engine."""
        return cls(pack, open_engine(engine, pack.file("graph"), threads, device))

    def score(self, query: str, candidates: Sequence[str]) -> list[float]:
        """0..1 for each candidate, in order."""
        scores: list[float] = sigmoid(self.logits(query, candidates)).tolist()
        return scores

    def logits(self, query: str, candidates: Sequence[str]) -> Floats:
        """[n], before the sigmoid."""
        first, *others = self._words.encode([query, *candidates])
        rows = pair_rows(
            [first] * len(others), others, self._words, self._limit, segments=False, slow=self._slow
        )
        return gather([(r.at, begin(self._engine, r)) for r in rows], len(candidates), 1)[:, 0]


def sigmoid(logits: Floats) -> Floats:
    """1 / (1 + e^-x) without overflow."""
    return (0.5 * (1 + np.tanh(logits / 2))).astype(np.float32)


def ordered(pairs: Texts, order: str) -> list[tuple[str, str]]:
    """The pairs as the model reads them: as given, the shorter text first, or (mean) all of them both ways."""
    if order == "sorted":
        return [(a, b) if (len(a), a) <= (len(b), b) else (b, a) for a, b in pairs]
    return [*pairs, *((b, a) for a, b in pairs)] if order == "mean" else list(pairs)


def begin(engine: Engine, rows: Rows, pool: Executor | None = None) -> Waiting:
    """Begin a run on the pool, or leave it for when it is asked for."""
    return pool.submit(engine.run, rows.inputs).result if pool else partial(engine.run, rows.inputs)


def gather(runs: Iterable[tuple[NDArray[np.intp], Waiting]], count: int, labels: int) -> Floats:
    """The logits of all runs in the order of the rows."""
    out = np.empty((count, labels), dtype=np.float32)
    for at, logits in runs:
        out[at] = logits()
    if not np.isfinite(out).all():
        raise BrokenArtefactError("logits_not_finite")
    return out
