"""How fast a pack runs here: batch × length × engine × threads, beside what the machine itself can do."""

from __future__ import annotations

import multiprocessing
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from menpai.engines import open_engine
from menpai.packs.calibrate import Batch, opened
from menpai.packs.onnx_writer import Graph, value
from menpai.packs.pack import Pack, open_pack

# Rows, inner and outer size of the product whose rate is the machine's limit: the widest of a BERT-base.
PRODUCT = (512, 768, 3072)
_MIB = 2**20


@dataclass(frozen=True, slots=True)
class Layout:
    """`workers` runs side by side, each with `threads` threads; written 2x1."""

    workers: int
    threads: int

    @classmethod
    def of(cls, text: str) -> Layout:
        """From "2x1"; raises ValueError for another form."""
        workers, threads = map(int, text.lower().split("x"))
        if workers < 1 or threads < 1:
            raise ValueError(text)
        return cls(workers, threads)

    def __str__(self) -> str:
        return f"{self.workers}x{self.threads}"


@dataclass(frozen=True, slots=True)
class Point:
    """One measurement: rows of `length` tokens, `batch` at a time; the latency is that of a whole batch."""

    pack: str
    precision: str
    engine: str
    layout: str
    batch: int
    length: int
    pairs_per_second: float
    p50_ms: float
    p99_ms: float
    resident_mb: int
    share_of_limit: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def bench(
    pack: Pack, engine: str, layout: Layout, batches: Sequence[int], lengths: Sequence[int], seconds: float,
    device: str = "auto",
) -> list[Point]:  # fmt: skip
    """The points of one engine in one layout, measured in a process of its own, so that its memory is its own."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, context) as pool:
        return pool.submit(
            measure, pack.path, engine, layout, tuple(batches), tuple(lengths), seconds, device
        ).result()


def measure(
    path: Path, engine: str, layout: Layout, batches: Sequence[int], lengths: Sequence[int], seconds: float,
    device: str = "auto",
) -> list[Point]:  # fmt: skip
    """The same in this process."""
    pack = open_pack(path)
    running = open_engine(engine, pack.file("graph"), layout.threads, device)
    found = []
    with ThreadPoolExecutor(layout.workers) as pool:
        for length in lengths:
            for rows in batches:
                batch = arrays(pack, rows, length)
                times, wall = timed(partial(running.run, batch), pool, layout.workers, seconds)
                found.append(
                    Point(
                        pack.id, str(pack.manifest.get("precision", "?")), engine, str(layout), rows, length,
                        round(rows * len(times) / wall, 1), *_percentiles(times), resident_mb(),
                    )
                )  # fmt: skip
    return found


def timed(
    work: Callable[[], object], pool: ThreadPoolExecutor, workers: int, seconds: float
) -> tuple[list[float], float]:
    """Seconds of each call, by so many workers at once for so long (five calls each at least), and of all together."""
    work()
    start = time.perf_counter()
    end = start + seconds

    def loop() -> list[float]:
        times: list[float] = []
        while len(times) < 5 or time.perf_counter() < end:
            begun = time.perf_counter()
            work()
            times.append(time.perf_counter() - begun)
        return times

    times = [one for part in pool.map(lambda _: loop(), range(workers)) for one in part]
    return times, time.perf_counter() - start


def arrays(pack: Pack, rows: int, length: int) -> Batch:
    """Rows of random tokens, as the pack's graph reads them."""
    rng = np.random.default_rng(0)

    def draw(most: int) -> np.ndarray[Any, np.dtype[np.int32]]:
        return rng.integers(0, most, (rows, length), dtype=np.int32)

    if shape := pack.manifest.get("shape"):
        ids = rng.integers(5, int(shape["vocabulary"]), (rows, length), dtype=np.int32)
        return {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": draw(2)}
    words = len(pack.file("vocabulary").read_text(encoding="utf-8").split("\n")) - 1
    positions = np.tile(np.arange(length, dtype=np.int32) // 2, (rows, 1))
    return {
        "ids": rng.integers(5, words, (rows, length), dtype=np.int32),
        "types": draw(12),
        "positions": positions,
    }


def machine_limit(layout: Layout, seconds: float = 1.0) -> dict[str, float]:
    """Billions of operations a second (multiply and add are two) of the bare product in INT8 and in float32, by
    ONNX Runtime, in a layout."""
    return {kind: round(_limit(kind, layout, seconds), 1) for kind in ("int8", "float32")}


def operations(pack: Pack, length: int) -> float | None:
    """Multiplications and additions in the products that one row of a length costs; None if it is no BERT.

    A graph that quantize wrote works out the first token only in its last layer.
    """
    shape = pack.manifest.get("shape")
    if not shape:
        return None
    width, wide, layers = shape["width"], shape["feedforward"], shape["layers"]
    layer = 2.0 * length * (4 * width**2 + 2 * width * wide)
    if not (shape["pooler"] and "quantized" in pack.manifest):
        return float(layers * layer)
    last = 2.0 * (2 * length * width**2 + 2 * width**2 + 2 * width * wide)
    return float((layers - 1) * layer + last)


def resident_mb() -> int:
    """Resident memory of this process in MiB; 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    except (OSError, ValueError):
        return 0
    return pages * 4096 // _MIB


def _percentiles(times: Sequence[float]) -> tuple[float, float]:
    ordered = sorted(times)
    return (
        round(1000 * statistics.median(ordered), 2),
        round(1000 * ordered[min(len(ordered) - 1, round(0.99 * (len(ordered) - 1)))], 2),
    )


def _limit(kind: str, layout: Layout, seconds: float) -> float:
    rows, inner, outer = PRODUCT
    rng = np.random.default_rng(0)
    if kind == "int8":
        given: Any = rng.integers(0, 255, (rows, inner), dtype=np.uint8)
        matrix: Any = rng.integers(-63, 63, (inner, outer), dtype=np.int8)
    else:
        given, matrix = (
            rng.standard_normal(size, dtype=np.float32) for size in ((rows, inner), (inner, outer))
        )
    with (
        opened(product_graph(given, matrix), layout.threads) as session,
        ThreadPoolExecutor(layout.workers) as pool,
    ):
        times, wall = timed(lambda: session.run(None, {"x": given}), pool, layout.workers, seconds)
    return 2 * rows * inner * outer * len(times) / wall / 1e9


def product_graph(given: Any, matrix: Any) -> Iterator[Any]:
    """A graph with nothing but the product of its input with a matrix."""
    graph, whole = Graph(), matrix.dtype == np.int8
    graph.add("MatMulInteger" if whole else "MatMul", "x", graph.constant("w", matrix), name="y")
    kinds = ("uint8", "int32") if whole else ("float32", "float32")
    return graph.model([value("x", kinds[0], *given.shape)], [value("y", kinds[1], "rows", "columns")])
