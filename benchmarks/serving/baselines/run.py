"""The same base-sized INT8 pack behind menpai and behind other ways to serve, in turn, each under 32 closed-loop clients.

    pip install -r benchmarks/serving/requirements.txt
    python -m benchmarks.serving.baselines.run [--work FOLDER] [--seconds 6] [--clients 32] [--only NAME …]

Prints a table: rate, P50, P99, and rates beside ours and beside the bare matcher, which runs before and after. The pack has
random weights (speed does not depend on them); with --work it is written once, into that folder, and found there again.
Clients and services share this machine's cores. No pair comes twice.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.request import Request, urlopen

from benchmarks.serving.client import written

HERE = "benchmarks.serving.baselines"
OURS = "menpai"
# name: (what it is, command behind `python -m`, pack)
SERVICES = {
    OURS: ("menpai serve, caches off", ["menpai", "serve", "--port", "{port}"], "int8"),
    "flask_blocking": ("articles 1: Flask, blocking, PyTorch FP32", [f"{HERE}.flask_blocking", "{port}"], "fp32"),
    "timer_queue": ("articles 2: queue, 50 ms timer, up to 32", [f"{HERE}.timer_queue", "{port}"], "int8"),
    "asyncio_queue": ("articles 3: asyncio queue, wait_for", [f"{HERE}.asyncio_queue", "{port}"], "int8"),
    "length_batches": ("articles 4: batches by length, every 100 ms", [f"{HERE}.length_batches", "{port}"], "int8"),
    "naive_fastapi": ("FastAPI, def, no batches", [f"{HERE}.naive_fastapi", "{port}"], "int8"),
    "mosec": ("mosec, two workers", [f"{HERE}.mosec_service", "{port}"], "int8"),
    "litserve": ("LitServe, two workers", [f"{HERE}.litserve_service", "{port}"], "int8"),
}  # fmt: skip
START_SECONDS = 60
WARM_SECONDS = 1.0


def main() -> None:
    """Print the table, and the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--work", type=Path)
    parser.add_argument("--seconds", type=float, default=6.0)
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--only", nargs="+", choices=SERVICES, default=list(SERVICES))
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        packs = write_packs(args.work or Path(folder))
        pairs = written()
        before = raw_rate(packs["int8"], args.seconds)
        found = {name: measure(name, packs, args, pairs) for name in args.only}
        raw = statistics.mean([before, raw_rate(packs["int8"], args.seconds)])
    show(found, raw, args.clients)
    print(json.dumps({"raw": round(raw, 1), "clients": args.clients, "services": found}))


def write_packs(work: Path) -> dict[str, Path]:
    """The float32 pack and its INT8 form, unless they are there."""
    work = work.resolve()
    packs = {"fp32": work / "base-fp32", "int8": work / "base-int8"}
    menpai = [sys.executable, "-m", "menpai", "model"]
    commands = {
        work / "mgeo": [sys.executable, "-m", "tools.random_mgeo", work / "mgeo", "--size", "base"],
        packs["fp32"]: [*menpai, "import", work / "mgeo", "-o", packs["fp32"]],
        packs["int8"]: [*menpai, "quantize", packs["fp32"], "-o", packs["int8"], "--force"],
    }
    if not all(map(Path.exists, packs.values())):
        work.mkdir(parents=True, exist_ok=True)
        for path, command in commands.items():
            if not path.exists():
                subprocess.run(list(map(str, command)), check=True, stdout=sys.stderr)
    return packs


def raw_rate(pack: Path, seconds: float) -> float:
    """Pairs a second that `match_many` judges, in a process of its own."""
    command = [sys.executable, "-m", f"{HERE}.raw", str(seconds)]
    done = subprocess.run(command, env=environment(pack), check=True, capture_output=True, text=True)
    return float(done.stdout)


def environment(pack: Path) -> dict[str, str]:
    """Every service finds its pack here; none may remember a verdict, none refuses on a slow day."""
    return {
        **os.environ,
        "MENPAI_PACK": str(pack),
        "MENPAI_CACHE": "0",
        "MENPAI_QUEUE_SECONDS": "60",
        "MENPAI_TIMEOUT_MS": "60000",
    }


def measure(
    name: str, packs: dict[str, Path], args: argparse.Namespace, pairs: Iterator[tuple[str, str]]
) -> dict[str, float]:
    """Start a service, load it, stop it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    _, words, kind = SERVICES[name]
    command = [sys.executable, "-m", *(word.format(port=port) for word in words)]
    words_of_it = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the process)
    service = subprocess.Popen(
        command, env=environment(packs[kind]), stdout=words_of_it, stderr=words_of_it, start_new_session=True
    )
    path = "/v1/match" if name == OURS else "/match"
    try:
        if not is_ready(port, path, service):
            words_of_it.seek(0)
            raise SystemExit(f"{name} does not start:\n{words_of_it.read()[-2000:].decode(errors='replace')}")
        asyncio.run(load(port, path, args.clients, WARM_SECONDS, pairs))
        return asyncio.run(load(port, path, args.clients, args.seconds, pairs))
    finally:
        os.killpg(service.pid, signal.SIGTERM)
        try:
            service.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(service.pid, signal.SIGKILL)
            service.wait()


def is_ready(port: int, path: str, service: subprocess.Popen[bytes]) -> bool:
    """True once a pair is judged; False if that does not come about."""
    body = json.dumps({"a": "文三路1号", "b": "文三路2号"}).encode()
    until = time.monotonic() + START_SECONDS
    while service.poll() is None and time.monotonic() < until:
        try:
            with urlopen(
                Request(f"http://127.0.0.1:{port}{path}", body, {"content-type": "application/json"})
            ):
                return True
        except OSError:
            time.sleep(0.1)
    return False


async def load(
    port: int, path: str, clients: int, seconds: float, pairs: Iterator[tuple[str, str]]
) -> dict[str, float]:
    """Rate and latency of so many clients, each with one request at a time."""
    started = time.perf_counter()
    until = started + seconds
    taken = await asyncio.gather(*(client(port, path, until, pairs) for _ in range(clients)))
    spent = time.perf_counter() - started
    times = sorted(itertools.chain.from_iterable(taken))
    return {
        "rate": round(len(times) / spent, 1),
        "p50_ms": round(1000 * times[len(times) // 2], 1),
        "p99_ms": round(1000 * times[int(len(times) * 0.99)], 1),
    }


async def client(port: int, path: str, until: float, pairs: Iterator[tuple[str, str]]) -> list[float]:
    """Seconds of each answer; a service that closes its connections gets a new one each time."""
    times = []
    writer = None
    while time.perf_counter() < until:
        a, b = next(pairs)
        body = json.dumps({"a": a, "b": b}, ensure_ascii=False).encode()
        started = time.perf_counter()
        if writer is None:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(
            f"POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
            f"content-length: {len(body)}\r\n\r\n".encode()
            + body
        )
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        assert b" 200 " in head.split(b"\r\n")[0], head
        await reader.readexactly(int(head.partition(b"content-length: ")[2].split(b"\r\n")[0]))
        times.append(time.perf_counter() - started)
        if b"connection: close" in head or head.startswith(b"http/1.0"):
            writer.close()
            writer = None
    if writer is not None:
        writer.close()
    return times


def show(found: dict[str, dict[str, float]], raw: float, clients: int) -> None:
    """A Markdown table."""
    ours = found.get(OURS, {"rate": float("nan")})["rate"]
    print(
        f"Bare `match_many`: {raw:.1f} pairs/s. {clients} clients: P99 at best about {1000 * clients / raw:.0f} ms.\n"
    )
    print("| Service | requests/s | of raw | ours ÷ it | P50 ms | P99 ms | P99 ÷ (clients ÷ rate) |")
    print("|---|---|---|---|---|---|---|")
    for name, row in found.items():
        tail = row["p99_ms"] / (1000 * clients / row["rate"])
        print(
            f"| {SERVICES[name][0]} | {row['rate']:.1f} | {row['rate'] / raw:.2f} | {ours / row['rate']:.2f} "
            f"| {row['p50_ms']:.0f} | {row['p99_ms']:.0f} | {tail:.2f} |"
        )
    print()


if __name__ == "__main__":
    main()
