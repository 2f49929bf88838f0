"""How long `menpai serve` takes from the start of its process until it is ready, and whether the first caller waits.

    python benchmarks/serving/cold.py [--pack PACK] [--starts 5]

Prints for each start: seconds until it listens and until /readyz says 200, processor seconds until then, and the first
request beside the median of the next hundred (milliseconds); then the medians. Files are in the system's cache after the
first start. Each start begins with another pair, since one that the encoder judges takes twice as long as one that it need not.
"""

from __future__ import annotations

import argparse
import http.client
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.serving.client import written

NEXT = 100
TICKS = os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Print one line of JSON a start, and the medians."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pack", default="menpai-mini")
    parser.add_argument("--starts", type=int, default=5)
    args = parser.parse_args()
    found = []
    for nth in range(args.starts):
        found.append(start(args.pack, nth))
        print(json.dumps(found[-1]))
    print(
        json.dumps({"median": {name: statistics.median(each[name] for each in found) for name in found[0]}})
    )


def start(pack: str, first: int) -> dict[str, float]:
    """Start, ask from this pair on, stop."""
    command = [sys.executable, "-m", "menpai", "serve", "--port", "0", "--pack", pack]
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "MENPAI_CACHE_FILE": str(Path(folder) / "cold.sqlite")}
        began = time.perf_counter()
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as service:
            try:
                assert service.stdout is not None
                url = next(json.loads(line)["url"] for line in service.stdout if '"listening"' in line)
                listening = time.perf_counter() - began
                threading.Thread(target=service.stdout.read, daemon=True).start()  # its log, read away
                connection = http.client.HTTPConnection(url.removeprefix("http://"))
                while status(connection) != 200:
                    time.sleep(0.01)
                ready = time.perf_counter() - began
                spent = processor_seconds(service.pid)
                times = [seconds(connection, *pair) for pair in itertools.islice(written(first), NEXT + 1)]
            finally:
                service.terminate()
    usual = 1000 * statistics.median(times[1:])
    first = 1000 * times[0]
    return {
        "listening_s": round(listening, 3), "ready_s": round(ready, 3), "processor_s": round(spent, 3),
        "first_ms": round(first, 2), "next_ms": round(usual, 2), "first_over_next": round(first / usual, 2),
    }  # fmt: skip


def status(connection: http.client.HTTPConnection) -> int:
    """What /readyz answers."""
    connection.request("GET", "/readyz")
    answer = connection.getresponse()
    answer.read()
    return answer.status


def seconds(connection: http.client.HTTPConnection, a: str, b: str) -> float:
    """How long one pair takes."""
    began = time.perf_counter()
    connection.request("POST", "/v1/match", json.dumps({"a": a, "b": b}))
    answer = connection.getresponse()
    answer.read()
    assert answer.status == 200
    return time.perf_counter() - began


def processor_seconds(pid: int) -> float:
    """What a process has used of processors so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


if __name__ == "__main__":
    main()
