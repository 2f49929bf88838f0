"""A BERT-base pair model on the CPU: ours beside what a user would run today, in turns, in one process.

    python benchmarks/engines/compare.py FOLDER PAIRS.tsv --int8 PACK --work WORK [--pairs 256] [--rounds 5] [--threads 2]

FOLDER: a model folder in transformers' names (`safetensors` or `.bin`, as `from_pretrained` reads it). Every
round runs each competitor once on the same pairs; figures are medians over the rounds. Texts in, logits out:
tokenization is part of every figure. The 512-token baseline runs on two pairs. Beside the pairs a second stand those of
a second of processor time: with one thread, which never waits for another, they hold on a busy machine too.
"""

from __future__ import annotations

import argparse
import csv
import json
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import torch
from competitors import Competitor, Pairs, open_competitors

from menpai.engines import Engine, open_engine
from menpai.packs import Pack, open_pack
from menpai.packs.batches import batches_of
from menpai.packs.bench import PRODUCT, operations, product_graph, resident_mb
from menpai.packs.calibrate import opened

SLOW_PAIRS = 2


class Ours:
    """A pack on one of our engines: rows of one length together, `workers` runs side by side."""

    def __init__(self, pack: Pack, engine: str, threads: int) -> None:
        self.pack = pack
        together = engine == "torch"
        self.pool = ThreadPoolExecutor(1 if together else threads)
        self.engine: Engine = open_engine(engine, pack.file("graph"), threads if together else 1, "cpu")
        self.mixed = together

    def run(self, pairs: Pairs) -> None:
        """Judge all pairs."""
        batches = [batch for _, batch in batches_of(self.pack, pairs)]
        list(self.pool.map(self.engine.run, batches))


def main() -> None:
    """Print one JSON object with all figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("file", type=Path)
    parser.add_argument(
        "--int8", type=Path, required=True, help="the same weights as a pack of menpai model quantize"
    )
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--pairs", type=int, default=256)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", default="", help="names of those that take part, with commas between")
    args = parser.parse_args()
    pairs = read_pairs(args.file)[: args.pairs + 64]
    calibration, pairs = pairs[args.pairs :], pairs[: args.pairs]
    pack = open_pack(args.int8)
    args.work.mkdir(parents=True, exist_ok=True)
    runners: dict[str, Any] = {**open_competitors(args.folder, args.work, args.threads, calibration)}
    for engine in ("onnx", "openvino", "torch"):
        runners[f"menpai_{engine}_int8"] = Ours(pack, engine, args.threads)
    forward = runners["torch_fp32_dynamic"].forward
    if args.only:
        runners = {name: runners[name] for name in args.only.split(",")}
    rates, limits, lone = rounds(runners, forward, pack, pairs, args)
    lengths = [
        batch["input_ids"].shape[1] for _, batch in batches_of(pack, pairs) for _ in batch["input_ids"]
    ]
    print(json.dumps(summary(rates, limits, lone, pack, lengths, runners, pairs, args), indent=2))


def rounds(
    runners: dict[str, Any], forward: Any, pack: Pack, pairs: Pairs, args: argparse.Namespace
) -> tuple[dict[str, list[float]], dict[str, list[float]], dict[str, list[float]]]:
    """Pairs a second of each runner (and, as `NAME/cpu`, of processor time), the machine's INT8 limit, and the seconds
    of a lone pair, round by round."""
    rates: dict[str, list[float]] = {name + end: [] for end in ("", "/cpu") for name in runners}
    limits: dict[str, list[float]] = {"": [], "/cpu": []}
    lone: dict[str, list[float]] = {
        "torch_fp32": [],
        "menpai_onnx_int8": [],
        "menpai_openvino_int8": [],
        "menpai_torch_int8": [],
    }
    one = lone_runners(forward, pack, args.threads)
    for at in range(args.rounds):
        for name, runner in runners.items():
            given = pairs[:SLOW_PAIRS] if name.endswith("512") else pairs
            if at == 0:
                runner.run(given[: 2 * args.threads])
            cpu = time.process_time()
            rates[name].append(len(given) / seconds(lambda runner=runner, given=given: runner.run(given)))
            rates[f"{name}/cpu"].append(len(given) / (time.process_time() - cpu))
            print(
                f"# round {at + 1}: {name} {rates[name][-1]:.2f} {rates[f'{name}/cpu'][-1]:.2f}", flush=True
            )
        for end, limit in zip(("", "/cpu"), best_limits(args.threads), strict=True):
            limits[end].append(limit)
            print(f"# round {at + 1}: limit{end} {limit:.0f}", flush=True)
        for name, work in one.items():
            lone[name].append(statistics.median(seconds(work) for _ in range(15)))
            print(f"# round {at + 1}: lone {name} {1000 * lone[name][-1]:.1f} ms", flush=True)
    return rates, limits, lone


def lone_runners(forward: Any, pack: Pack, threads: int) -> dict[str, Callable[[], object]]:
    """One pair of 37 tokens on all threads, as arrays."""
    most = int(pack.manifest["shape"]["vocabulary"])
    ids = np.random.default_rng(0).integers(5, most, (1, 37), dtype=np.int32)
    batch = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
    wide = {name: array.astype(np.int64) for name, array in batch.items()}
    found: dict[str, Callable[[], object]] = {"torch_fp32": lambda: forward(wide)}
    for name in ("onnx", "openvino", "torch"):
        engine = open_engine(name, pack.file("graph"), threads, "cpu")
        found[f"menpai_{name}_int8"] = lambda engine=engine: engine.run(batch)
    return found


def best_limits(threads: int) -> tuple[float, float]:
    """Billions of INT8 operations a second, and a second of processor time, of the bare product (512 × 768 × 3,072): the
    better of ONNX Runtime and of oneDNN through PyTorch."""
    weight = torch.ops.onednn.qlinear_prepack(torch.randint(-63, 63, (3072, 768), dtype=torch.int8), None)
    rows = torch.randint(0, 255, PRODUCT[:2], dtype=torch.uint8)
    scales, zeros = torch.full((3072,), 0.01), torch.zeros(3072, dtype=torch.int32)

    def onednn() -> None:
        torch.ops.onednn.qlinear_pointwise(
            rows, 0.01, 128, weight, scales, zeros, None, 1.0, 0, torch.float32, "none", [], ""
        )

    given = rows.numpy()
    matrix = np.random.default_rng(0).integers(-63, 63, PRODUCT[1:], dtype=np.int8)
    with opened(product_graph(given, matrix), threads) as session:
        found = [_both(onednn), _both(lambda: session.run(None, {"x": given}))]
    cost = 2 * float(np.prod(PRODUCT)) / 1e9
    return cost / min(wall for wall, _ in found), cost / min(cpu for _, cpu in found)


def _both(work: Callable[[], object], calls: int = 25) -> tuple[float, float]:
    """The median seconds, and seconds of processor time, of a call."""
    work()
    walls, cpus = [], []
    for _ in range(calls):
        cpu = time.process_time()
        walls.append(seconds(work))
        cpus.append(time.process_time() - cpu)
    return statistics.median(walls), statistics.median(cpus)


def summary(
    rates: dict[str, list[float]], limits: dict[str, list[float]], lone: dict[str, list[float]], pack: Pack, lengths: list[int],
    runners: dict[str, Any], pairs: Pairs, args: argparse.Namespace,
) -> dict[str, Any]:  # fmt: skip
    """Medians, ratios (the median of the ratios of each round), shares."""
    cost = float(np.mean([operations(pack, length) or 0 for length in lengths])) / 1e9

    def ratios(end: str) -> dict[str, float]:
        """How many times each the best of ours is: the median of the ratios of each round."""
        names = [name for name in rates if name.endswith("/cpu") == bool(end)]
        best = max(
            (n for n in names if n.startswith("menpai")), key=lambda name: statistics.median(rates[name])
        )
        pairs_ = {name: zip(rates[best], rates[name], strict=True) for name in names}
        return {name: round(statistics.median(a / b for a, b in both), 2) for name, both in pairs_.items()}

    def share(name: str) -> float:
        """The products' part of the machine's limit: the median over the rounds."""
        most = limits["/cpu" if name.endswith("/cpu") else ""]
        return round(
            statistics.median(r * cost / limit for r, limit in zip(rates[name], most, strict=True)), 3
        )

    return {
        "pairs": len(pairs), "rounds": args.rounds, "threads": args.threads, "every_round": rates,
        "tokens_median": int(np.median(lengths)), "gop_per_pair": round(cost, 2),
        "pairs_per_second": {name: round(statistics.median(values), 2) for name, values in rates.items()},
        "best_is_times": ratios(""), "best_is_times_by_cpu": ratios("/cpu"),
        "int8_limit_gops": {end: round(statistics.median(values), 1) for end, values in limits.items()},
        "share_of_limit": {name: share(name) for name in rates if name.startswith("menpai")},
        "lone_37_tokens_ms": {name: round(1000 * statistics.median(values), 2) for name, values in lone.items()},
        "padding_share": {
            name: round(runner.padding(pairs), 3) for name, runner in runners.items() if isinstance(runner, Competitor)
        } | {"menpai": 0.0},
        "resident_mb_of_all_together": resident_mb(),
    }  # fmt: skip


def read_pairs(path: Path) -> Pairs:
    """The columns address_a and address_b of a TSV file."""
    with path.open(encoding="utf-8", newline="") as file:
        return [(row["address_a"], row["address_b"]) for row in csv.DictReader(file, delimiter="\t")]


def seconds(work: Callable[[], object]) -> float:
    """How long a call takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
