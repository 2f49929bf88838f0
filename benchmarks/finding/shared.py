"""Memory of eight processes that ask one library, while rows are added to it: proportional share and whole (Linux).

Run: python benchmarks/finding/shared.py --work WORK --index nation|city [--processes 8]
Adds 50 times 20 rows meanwhile and removes them again; each process steps to every version and counts what it saw.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

from menpai.library import Library

ASKED = ("文三路", "北京海淀", "上海市浦东新区", "zgcdj", "西湖区")


def main() -> None:
    """Start the readers, change the library beside them, print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--index", choices=("nation", "city"), required=True)
    parser.add_argument("--processes", type=int, default=8)
    parser.add_argument("--read", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.read:
        read(options.read)
        return
    path = options.work / f"{options.index}.menpai"
    command = [sys.executable, __file__, "--work", "-", "--index", options.index, "--read", str(path)]
    readers = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True)
        for _ in range(options.processes)
    ]
    for reader in readers:
        assert reader.stdout is not None
        reader.stdout.readline()
    took = change(path)
    found = [json.loads(reader.communicate("stop\n")[0]) for reader in readers]
    share, whole = (sum(one[kind] for one in found) for kind in ("pss", "rss"))
    size = Library.open(path).info()["bytes"] / 2**20
    print(f"{options.index}: library of {size:,.0f} MB, {len(found)} processes")
    print(f"  {share:,.0f} MB in all (proportional), {whole:,.0f} MB if nothing were shared")
    versions, torn = sorted(one["versions"] for one in found), sum(one["torn"] for one in found)
    print(f"  an addition of 20 rows takes {took * 1000:.0f} ms; versions seen {versions}, torn {torn}")
    print(f"  slowest answer meanwhile {max(one['slowest'] for one in found) * 1000:.0f} ms")


def change(path: Path, times: int = 50) -> float:
    """Seconds of an addition, on average; the library ends as it began."""
    spent = 0.0
    for n in range(times):
        rows = [{"id": f"+{n}-{m}", "address": f"杭州市西湖区文三路{n}号{m}幢"} for m in range(20)]
        start = time.perf_counter()
        with Library.open(path) as library:
            library.add(rows)
            spent += time.perf_counter() - start
            library.remove(row["id"] for row in rows)
    return spent / times


def read(path: Path) -> None:
    """Ask and step on until told to stop; a version with part of twenty rows would be torn."""
    import select  # noqa: PLC0415 (for this one function)

    library = Library.open(path)
    base, versions, torn, slowest = len(library), 0, 0, 0.0
    print("ready", flush=True)
    while not select.select([sys.stdin], [], [], 0.0)[0]:
        versions += library.refresh()
        torn += (len(library) - base) % 20 != 0
        for text in ASKED:
            start = time.perf_counter()
            library.suggest(text)
            slowest = max(slowest, time.perf_counter() - start)
        time.sleep(0.02)
    pages = Path("/proc/self/smaps_rollup").read_text("ascii").split("\n")
    sizes = {
        line.split(":")[0].lower(): int(line.split()[1]) / 1024
        for line in pages
        if line.startswith(("Pss:", "Rss:"))
    }
    print(json.dumps({**sizes, "versions": versions, "torn": torn, "slowest": slowest}), flush=True)


if __name__ == "__main__":
    main()
