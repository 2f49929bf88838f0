"""A fresh process that imports menpai and parses one address: seconds from start to end, memory at most.

Seconds of the clock, and those of the processor, which neighbours on a shared machine do not stretch.

Usage: python benchmarks/parsing/cold.py [--runs 5]
Linux only (/proc). The bare interpreter is measured in the same minute: what is printed as menpai's part is the difference.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time

PARSE = "import menpai\nmenpai.parse('北京市朝阳区建国路8号SOHO现代城A座1201室')"

# The peak of its own memory: what a parent used before does not count.
PEAK = """
import re
print(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
"""


def run(code: str, runs: int) -> tuple[float, float, float]:
    """Median seconds of a process by the clock and by the processor, and its largest resident memory in MB."""
    seconds, used, memory = [], [], []
    for _ in range(runs):
        start, before = time.perf_counter(), os.times()
        said = subprocess.run([sys.executable, "-c", code + PEAK], check=True, capture_output=True, text=True)
        after = os.times()
        seconds.append(time.perf_counter() - start)
        used.append(
            after.children_user + after.children_system - before.children_user - before.children_system
        )
        memory.append(int(said.stdout) / 1024)
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
