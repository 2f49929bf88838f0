"""Resident memory of a served pack in both gears, when opened and after many pairs.

python benchmarks/engines/memory.py PACK [--pairs 2000]
"""

from __future__ import annotations

import argparse
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from menpai.engines.gears import open_gears
from menpai.packs import open_pack
from menpai.packs.batches import batches_of
from menpai.packs.bench import resident_mb
from menpai.packs.sample import written_pairs
from menpai.settings import available_cores

CHUNK = 100


def main() -> None:
    """Print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pack", type=Path)
    parser.add_argument("--pairs", type=int, default=2000)
    args = parser.parse_args()
    pack, cores = open_pack(args.pack), available_cores()
    engine = open_gears("onnx", pack.file("graph"), cores)
    opened = resident_mb()
    grown = []
    with ThreadPoolExecutor(cores) as pool:
        for _ in range(0, args.pairs, CHUNK):
            batches = [batch for _, batch in batches_of(pack, written_pairs(CHUNK))]
            list(pool.map(engine.run, batches))
            engine.run({name: array[:1] for name, array in batches[0].items()})
            grown.append(resident_mb())
    half = len(grown) // 2
    print(
        json.dumps(
            {"pack": pack.id, "cores": cores, "pairs": args.pairs, "opened_mb": opened, "after_mb": grown[-1],
             "growth_in_second_half_mb": grown[-1] - grown[half]}
        )
    )  # fmt: skip


if __name__ == "__main__":
    main()
