"""The real handler of a single pair in FastAPI, Litestar and Starlette, behind Uvicorn and Granian, in turn; wrk as client.

    pip install -r benchmarks/serving/requirements.txt          # and wrk
    python -m benchmarks.serving.frameworks.run [--seconds 2] [--clients 32] [--rounds 2]

Twice each: pairs of which none comes twice (judged, built-in pack), and one pair over and over (answered from memory).
Medians of the rounds; the processor time of a request is the service's. Client and service share this machine's cores.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import statistics
import subprocess
import sys
import time
from pathlib import Path
from urllib.request import Request, urlopen

SCRIPT = Path(__file__).with_name("pairs.lua")
APPS = "benchmarks.serving.frameworks.apps"
SERVICES = {
    "Starlette + msgspec, Uvicorn": [APPS, "starlette", "uvicorn"],
    "FastAPI + pydantic, Uvicorn": [APPS, "fastapi", "uvicorn"],
    "Litestar + msgspec, Uvicorn": [APPS, "litestar", "uvicorn"],
    "Starlette + msgspec, Granian": [APPS, "starlette", "granian"],
    "menpai serve (all middleware, own protocol)": ["menpai", "serve", "--port"],
}
MODES = ("distinct", "same")
Figures = dict[str, float]


def main() -> None:
    """Print a table, and all figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--rounds", type=int, default=2)
    args = parser.parse_args()
    found: dict[str, list[dict[str, Figures]]] = {name: [] for name in SERVICES}
    for _ in range(args.rounds):
        for name, words in SERVICES.items():
            found[name].append(measure(words, args.clients, args.seconds))
    print(
        "| | judged/s | P50 ms | P99 ms | CPU µs | from memory/s | P50 ms | P99 ms | CPU µs |\n"
        + "|---" * 9
        + "|"
    )
    for name, rounds in found.items():
        cells = [
            f"{statistics.median(each[mode][figure] for each in rounds):{form}}"
            for mode in MODES
            for figure, form in (("rate", ".0f"), ("p50_ms", ".1f"), ("p99_ms", ".1f"), ("cpu_us", ".0f"))
        ]
        print(f"| {name} | {' | '.join(cells)} |")
    print("\n" + json.dumps(found))


def measure(words: list[str], clients: int, seconds: float) -> dict[str, Figures]:
    """Start a service, load it in both modes, stop it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", *words, str(port)]
    environment = {**os.environ, "MENPAI_CACHE_FILE": ""}
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as service:
        try:
            wait_ready(port, service)
            return {mode: with_cpu(service.pid, port, mode, clients, seconds) for mode in MODES}
        finally:
            service.kill()


def with_cpu(pid: int, port: int, mode: str, clients: int, seconds: float) -> Figures:
    """The same, and the service's processor time for a request, which others on the machine blur least."""
    before, started = processor_seconds(pid), time.perf_counter()
    figures = loaded(port, mode, clients, seconds)
    share = (processor_seconds(pid) - before) / (time.perf_counter() - started)
    return {**figures, "cpu_us": share / figures["rate"] * 1e6}


def processor_seconds(pid: int) -> float:
    """What a process has used of processors so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def loaded(port: int, mode: str, clients: int, seconds: float) -> Figures:
    """What wrk says, after a second that is not counted; raises if a request failed."""
    command = ["wrk", "-t1", f"-c{clients}", "-s", str(SCRIPT), f"http://127.0.0.1:{port}"]
    subprocess.run([*command, "-d1s", "--", mode], check=True, capture_output=True)
    done = subprocess.run(
        [*command, f"-d{seconds:g}s", "--", mode], check=True, capture_output=True, text=True
    )
    figures: Figures = json.loads(done.stdout.splitlines()[-1])
    if figures["failed"]:
        raise SystemExit(f"{figures['failed']:.0f} requests failed")
    return figures


def wait_ready(port: int, service: subprocess.Popen[bytes]) -> None:
    """Returns once a pair is judged."""
    body = json.dumps({"a": "文三路1号", "b": "文三路2号"}).encode()
    while True:
        try:
            with urlopen(
                Request(f"http://127.0.0.1:{port}/v1/match", body, {"content-type": "application/json"})
            ):
                return
        except OSError:
            if service.poll() is not None:
                raise
            time.sleep(0.1)


if __name__ == "__main__":
    main()
