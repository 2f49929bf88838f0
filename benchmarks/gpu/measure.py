"""An imported BERT-base in half precision on a GPU: pairs a second of each engine, and the share that texts keep.

    python -m benchmarks.gpu.measure [FOLDER] [--device cuda] [--size base] [--tokens 64] [--rows 256] [--seconds 5]

Prepared to run once, in two minutes, where there is a GPU (torch with CUDA; onnxruntime-gpu and TensorRT are measured
if they are installed). FOLDER is a model folder; without one, a random one of the official layout is written, which
times alike. `--device cpu --size tiny` runs the same path on any machine.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from menpai import Matcher
from menpai.engines import Engine, open_engine
from menpai.errors import MenpaiError
from menpai.packs import Pack
from menpai.packs.batches import batches_of
from menpai.packs.bench import arrays
from menpai.packs.fused_graph import Plan, fused_graph
from menpai.packs.importing import import_folder
from menpai.packs.quantize import read_float_pack
from menpai.packs.sample import written_pairs
from menpai.packs.write import write_pack
from tools.random_mgeo import random_folder

# Engine and device to try on CUDA, and on the CPU.
TRIED = {
    "cuda": (("torch", "cuda"), ("torch-compiled", "cuda"), ("onnx", "cuda"), ("onnx", "tensorrt")),
    "cpu": (("torch", "cpu"), ("onnx", "cpu")),
}


def main() -> None:
    """Print one JSON object with all figures; an engine that is not there is named with the reason."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--device", choices=TRIED, default="cuda")
    parser.add_argument("--size", default="base")
    parser.add_argument("--tokens", type=int, default=64)
    parser.add_argument("--rows", type=int, default=256)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--pairs", type=int, default=20_000)
    args = parser.parse_args()
    with TemporaryDirectory() as work:
        folder = args.folder or random_folder(Path(work, "folder"), "pair", args.size)
        pack = half_pack(folder, Path(work))
        raw = dict(rates(pack, args))
        best = max(
            (name for name in raw if "pairs_per_second" in raw[name]),
            key=lambda n: raw[n]["pairs_per_second"],
        )
        print(
            json.dumps(
                {
                    **vars(args),
                    "folder": str(args.folder),
                    "raw": raw,
                    "best": best,
                    **texts(pack, best, args),
                }
            )
        )


def half_pack(folder: Path, work: Path) -> Pack:
    """The folder as a pack in FP16."""
    pack, _ = import_folder(folder, work / "float32")
    graph = fused_graph(*read_float_pack(pack), Plan("float16"))
    manifest = {k: v for k, v in pack.manifest.items() if k != "format"} | {"precision": "float16"}
    files = {"model.onnx": graph, "vocab.txt": pack.file("vocabulary").read_bytes(), "card.md": b"# FP16\n"}
    return write_pack(work / "float16", manifest, files)


def rates(pack: Pack, args: argparse.Namespace) -> Iterator[tuple[str, dict[str, Any]]]:
    """What each engine does with ready-made arrays of the length asked for."""
    batch = arrays(pack, args.rows, args.tokens)
    for name, device in TRIED[args.device]:
        try:
            engine = open_engine(name, pack.file("graph"), 0, device)
            yield (
                f"{name}:{device}",
                {
                    "pairs_per_second": round(
                        args.rows / median(lambda e=engine: e.run(batch), args.seconds), 1
                    )
                },
            )
        except (MenpaiError, RuntimeError) as error:
            yield f"{name}:{device}", {"problem": str(error).splitlines()[0]}


def texts(pack: Pack, best: str, args: argparse.Namespace) -> dict[str, Any]:
    """Pairs of texts a second through a matcher in faithful mode, and the share of the rate that the bare engine has on
    the same pairs' arrays."""
    name, device = best.split(":")
    pairs = written_pairs(args.pairs)
    engine: Engine = open_engine(name, pack.file("graph"), 0, device)
    batches = [batch for _, batch in batches_of(pack, pairs)]
    bare = len(pairs) / median(lambda: [engine.run(batch) for batch in batches], 0)
    matcher = Matcher.open(pack.path, engine=name, mode="faithful")
    served = len(pairs) / median(lambda: matcher.match_many(pairs, evidence=False), 0)
    return {
        "bare_on_texts": round(bare, 1),
        "texts_pairs_per_second": round(served, 1),
        "share": round(served / bare, 3),
    }


def median(work: Callable[[], object], seconds: float) -> float:
    """The median seconds of a call: two calls to warm up, then three, or as many as the time allows."""
    for _ in range(2):
        work()
    times: list[float] = []
    end = time.perf_counter() + seconds
    while len(times) < 3 or time.perf_counter() < end:
        begun = time.perf_counter()
        work()
        times.append(time.perf_counter() - begun)
    return statistics.median(times)


if __name__ == "__main__":
    main()
