"""A fresh process that imports menpai and parses one address: seconds from start to end, memory at most.

Seconds of the clock, and those of the processor, which neighbours on a shared machine do not stretch.

Usage: python benchmarks/parsing/cold.py [--runs 5]
The bare interpreter is measured in the same minute: what is printed as menpai's part is the difference.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time

PARSE = "import menpai; menpai.parse('北京市朝阳区建国路8号SOHO现代城A座1201室')"


def run(code: str, runs: int) -> tuple[float, float, float]:
    """Median seconds of a process by the clock and by the processor, and its largest resident memory in MB."""
    seconds, used, memory = [], [], []
    for _ in range(runs):
        start = time.perf_counter()
        process = subprocess.Popen([sys.executable, "-c", code])
        _, status, usage = os.wait4(process.pid, 0)
        seconds.append(time.perf_counter() - start)
        used.append(usage.ru_utime + usage.ru_stime)
        if status:
            raise SystemExit(f"the process failed: {status}")
        memory.append(usage.ru_maxrss / (1024 if sys.platform != "darwin" else 1024**2))
    return statistics.median(seconds), statistics.median(used), max(memory)


def main() -> None:
    """Print both and the difference."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=5)
    args = parser.parse_args()
    run(PARSE, 1)
    bare, parsed = run("pass", args.runs), run(PARSE, args.runs)
    for name, (clock, used, memory) in (("bare interpreter", bare), ("import + first parse", parsed)):
        print(f"{name:22}{clock:.3f} s by the clock, {used:.3f} s of the processor, {memory:.0f} MB")


if __name__ == "__main__":
    main()
