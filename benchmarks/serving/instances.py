"""Instances compared: threads, processes behind one queue, and whole services that share a port, in turn; wrk as client.

    python -m benchmarks.serving.instances [--pack PACK] [--instances 2] [--seconds 4] [--clients 32]

Single pairs, none twice, caches off. "one socket": services that accept from one listening socket; "reuseport": the
kernel deals connections out by their hash. Rates, P50 and P99, and P99 ÷ (clients ÷ rate), which is 1 at best. Beside them
the bare matcher, the processor time of a request in all processes, and their memory (PSS). Client and service share
this machine's cores.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import socket
import subprocess
import sys
import time
from pathlib import Path

import uvicorn

from benchmarks.serving.frameworks.run import loaded, processor_seconds, wait_ready
from menpai.serving.app import create_app
from menpai.settings import Settings

SHARED = ("one socket", "reuseport")


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pack", default="menpai-mini")
    parser.add_argument("--instances", type=int, default=2)
    parser.add_argument("--seconds", type=int, default=4)
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--serve", nargs=2, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.serve:
        serve(args.serve[0], int(args.serve[1]))
        return
    count = str(args.instances)
    layouts = {
        "threads, 1": ["--instances", "1", "--threads", "1"],
        f"threads, {count}": ["--instances", count],
        f"processes, {count}": ["--instances", count, "--instance-kind", "processes"],
    }
    environment = {
        **os.environ,
        "MENPAI_PACK": str(args.pack),
        "MENPAI_CACHE": "0",
        "MENPAI_QUEUE_SECONDS": "60",
        "MENPAI_TIMEOUT_MS": "60000",
    }
    print(f"bare: {raw(environment, args.seconds):.0f} pairs/s\n")
    print("| | requests/s | P50 ms | P99 ms | P99 ÷ (clients ÷ rate) | CPU µs | MB |\n" + "|---" * 7 + "|")
    for name, flags in layouts.items():
        port = free_port()
        show(name, args, port, environment, [["menpai", "serve", "--port", str(port), *flags]])
    for name in SHARED:
        port = free_port()
        command = ["benchmarks.serving.instances", "--serve", name, str(port)]
        one = {**environment, "MENPAI_THREADS": "1"}
        if name == "reuseport":
            show(f"{name}, {count}", args, port, one, [command] * args.instances)
            continue
        with listening(port) as listener:
            os.set_inheritable(listener.fileno(), True)
            command[-1] = str(listener.fileno())
            show(f"{name}, {count}", args, port, one, [command] * args.instances, (listener.fileno(),))


def show(
    name: str, args: argparse.Namespace, port: int, environment: dict[str, str], commands: list[list[str]],
    fds: tuple[int, ...] = (),
) -> None:  # fmt: skip
    """Start the processes of a layout, load them, print a row."""
    running = [
        subprocess.Popen(
            [sys.executable, "-m", *words], env=environment, stdout=subprocess.DEVNULL, pass_fds=fds
        )
        for words in commands
    ]
    try:
        wait_ready(port, running[0])
        time.sleep(2 if len(running) > 1 else 0)  # the others of a shared port
        before, started = processor_time(running), time.perf_counter()
        found = loaded(port, "distinct", args.clients, args.seconds)
        share = (processor_time(running) - before) / (time.perf_counter() - started)
        memory = sum(proportional_memory(process.pid) for process in running)
    finally:
        for process in running:
            process.kill()
            process.wait()
    tail = found["p99_ms"] / (1000 * args.clients / found["rate"])
    figures = (found["rate"], found["p50_ms"], found["p99_ms"])
    cells = [*(f"{figure:.0f}" for figure in figures), f"{tail:.2f}", f"{share / found['rate'] * 1e6:.0f}"]
    print(f"| {name} | {' | '.join(cells)} | {memory:.0f} |", flush=True)


def serve(kind: str, where: int) -> None:
    """One whole service of several: on an inherited socket (`where` is its number), or on a port of all."""
    listener = socket.socket(fileno=where) if kind == "one socket" else listening(where, reuse=True)
    app = create_app(Settings.load({}))
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical", access_log=False))
    asyncio.run(server.serve(sockets=[listener]))


def listening(port: int, *, reuse: bool = False) -> socket.socket:
    """A socket that listens."""
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT if reuse else socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    listener.listen(2048)
    return listener


def free_port() -> int:
    """A port that nobody has."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def raw(environment: dict[str, str], seconds: int) -> float:
    """Pairs a second of the bare matcher."""
    command = [sys.executable, "-m", "benchmarks.serving.baselines.raw", str(seconds)]
    return float(subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout)


def processor_time(running: list[subprocess.Popen[bytes]]) -> float:
    """Seconds that the processes and their children have used of processors."""
    return sum(processor_seconds(pid) for it in running for pid in (it.pid, *children_of(it.pid)))


def proportional_memory(pid: int) -> float:
    """Megabytes of a process and its children, what they share counted once."""
    pss = re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.M)
    return int(pss[1]) / 1000 + sum(map(proportional_memory, children_of(pid))) if pss else 0.0


def children_of(pid: int) -> list[int]:
    """The processes that any thread of a process has started."""
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


if __name__ == "__main__":
    main()
