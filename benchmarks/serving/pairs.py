"""Single pairs by wrk: the built-in pack in `menpai serve`, beside FastAPI with the same matcher, in turns.

    python benchmarks/serving/pairs.py [--pack PACK] [--connections 32] [--seconds 5] [--rounds 3]

Needs wrk, fastapi and uvicorn. Caches are off, and no pair comes twice. wrk and the services share this machine's cores.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

from client import Service

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "benchmarks/serving/pairs.lua"
NAIVE_PORT = 8698
MILLISECONDS = {"us": 0.001, "ms": 1.0, "s": 1000.0}


def main() -> None:
    """Print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pack", default="menpai-mini")
    parser.add_argument("--connections", type=int, default=32)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    found: dict[str, list[tuple[float, float]]] = {"menpai": [], "naive FastAPI": []}
    with Service(args.pack) as service, naive(args.pack):
        for nth in range(args.rounds + 1):  # the first warms
            for name, port in (("menpai", service.port), ("naive FastAPI", NAIVE_PORT)):
                figures = wrk(port, args.connections, args.seconds if nth else 2)
                found[name] += [figures] if nth else []
    medians = {
        name: {"requests_per_second": round(statistics.median(r for r, _ in rows)),
               "p99_ms": round(statistics.median(p for _, p in rows), 1)}
        for name, rows in found.items()
    }  # fmt: skip
    pairs = zip(found["menpai"], found["naive FastAPI"], strict=True)
    ratio = statistics.median(ours / theirs for (ours, _), (theirs, _) in pairs)
    print(json.dumps({**medians, "menpai_over_naive": round(ratio, 2)}))


@contextlib.contextmanager
def naive(pack: str) -> Iterator[None]:
    """FastAPI with a plain `def` route, as baselines/ has it."""
    command = [sys.executable, "-m", "benchmarks.serving.baselines.naive_fastapi", str(NAIVE_PORT)]
    env = {**os.environ, "MENPAI_PACK": pack}
    with subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.DEVNULL) as process:
        try:
            while True:
                try:
                    urlopen(f"http://127.0.0.1:{NAIVE_PORT}/docs").close()
                    break
                except HTTPError:
                    break
                except OSError:
                    time.sleep(0.1)
            yield
        finally:
            process.terminate()


def wrk(port: int, connections: int, seconds: int) -> tuple[float, float]:
    """Requests a second, and P99 in milliseconds; raises if any was refused."""
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-s", str(SCRIPT)]
    out = subprocess.run(
        [*command, f"http://127.0.0.1:{port}"], check=True, capture_output=True, text=True
    ).stdout
    if "Non-2xx" in out:
        raise RuntimeError(out)
    (rate,) = re.findall(r"Requests/sec:\s+([\d.]+)", out)
    ((value, unit),) = re.findall(r"99%\s+([\d.]+)(us|ms|s)", out)
    return float(rate), float(value) * MILLISECONDS[unit]


if __name__ == "__main__":
    main()
