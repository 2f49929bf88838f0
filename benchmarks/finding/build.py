"""Builds a library from what make.py wrote: rows a second, peak memory, bytes a row, seconds to the first answer.

Run: python benchmarks/finding/build.py --work WORK --index nation|city|five
"""

from __future__ import annotations

import argparse
import resource
import shutil
import time
from pathlib import Path

from menpai.library import Library


def main() -> None:
    """Build and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--index", choices=("nation", "city", "five"), required=True)
    options = parser.parse_args()
    target = options.work / f"{options.index}.menpai"
    shutil.rmtree(target, ignore_errors=True)
    start = time.perf_counter()
    Library.build(options.work / f"{options.index}.tsv", target, crs="wgs84")
    seconds = time.perf_counter() - start
    peak = (
        max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        / 1024
    )
    start = time.perf_counter()
    library = Library.open(target)
    library.search("上海市浦东新区张江镇", verdicts=False)
    opened = time.perf_counter() - start
    rows, sizes = len(library), library.info()["sizes"]
    print(f"{options.index}: {rows:,} rows in {seconds:.1f} s, {rows / seconds:,.0f} rows/s")
    print(f"  largest process {peak:,.0f} MB; first answer {opened:.3f} s after open")
    print("  bytes a row: " + ", ".join(f"{name} {size / rows:.1f}" for name, size in sizes.items()))


if __name__ == "__main__":
    main()
