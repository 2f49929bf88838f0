"""What the load tester itself can do: requests a second and CPU a request on one core, against a server that does nothing.

    python benchmarks/serving/tester.py [--seconds 3]

Beside it, in the same run, other clients: asyncio streams, httpx, and Locust where it is installed. The server is a
bare protocol that answers every request with the same verdict; it has a process of its own. CPU is the client's.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from importlib.util import find_spec
from itertools import repeat
from pathlib import Path
from typing import Any

from menpai.load.pairs import generated
from menpai.load.plan import Plan, Rate, begin, steps
from menpai.load.target import Target

CLIENTS = 32
LOCUSTFILE = Path(__file__).parents[2] / "deploy" / "locustfile.py"
SERVER = """
import asyncio, sys
body = b'{"label":"exact_match","similarity":0.9,"probabilities":{"exact_match":0.9},"level":"road","evidence":[]}'
answer = b"HTTP/1.1 200 OK\\r\\ncontent-type: application/json\\r\\nx-request-id: 4e02551073568e13\\r\\n"
answer += b"content-length: %d\\r\\n\\r\\n" % len(body) + body

class Talk(asyncio.Protocol):
    def connection_made(self, transport):
        self.transport, self.rest = transport, b""
    def data_received(self, data):
        data = self.rest + data
        while (end := data.find(b"\\r\\n\\r\\n")) >= 0:
            at = data.lower().find(b"content-length: ", 0, end)
            length = int(data[at + 16 : data.find(b"\\r\\n", at)]) if at >= 0 else 0
            if len(data) < end + 4 + length:
                break
            data = data[end + 4 + length :]
            self.transport.write(answer)
        self.rest = data

async def main():
    server = await asyncio.get_running_loop().create_server(Talk, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()

try:
    import uvloop
    uvloop.run(main())
except ImportError:
    asyncio.run(main())
"""


def main() -> None:
    """Print one JSON object with all figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=3.0)
    seconds = parser.parse_args().seconds
    with subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            port = int(server.stdout.readline())
            print(json.dumps({"menpai": ours(port, seconds), **others(port, seconds)}, indent=1))
        finally:
            server.terminate()


def ours(port: int, seconds: float) -> list[dict[str, Any]]:
    """The tester: pairs made up as it goes, closed loop at 1, 32 and 128 clients, open loop at half the best rate."""
    target = Target.of(f"127.0.0.1:{port}")
    plan = Plan(clients=(1, CLIENTS, 128), rates=(Rate(0.5, times=True),), seconds=seconds, warm_up=0.3)
    run = begin(target, plan)
    return [
        figures(
            step.loop, step.requests_per_second, step.tester["cpu_share"] / max(step.requests_per_second, 1)
        )
        | {"load": step.load, "p99_ms": step.latency.p99 if step.latency else None}
        for step in steps(run, target, generated(1), lambda load: None)
    ]


def others(port: int, seconds: float) -> dict[str, Any]:
    """Other clients at 32 connections, always with the same pair."""
    request = next(
        Target.of(f"127.0.0.1:{port}").requests("/v1/match", repeat(("文三路123号", "文三路125号")), 1)
    )
    found = {"streams": asyncio.run(timed(lambda until: streams(port, request, until), seconds))}
    if find_spec("httpx"):
        found["httpx"] = asyncio.run(timed(lambda until: httpx_client(port, until), seconds))
    if find_spec("locust"):
        found["locust"] = locust(port, seconds)
    return found


async def timed(work: Callable[[float], Awaitable[int]], seconds: float) -> dict[str, Any]:
    """Rate and CPU of a client on this loop."""
    cpu, started = time.process_time(), time.perf_counter()
    count = await work(started + seconds)
    return figures(
        "closed", count / (time.perf_counter() - started), (time.process_time() - cpu) / max(count, 1)
    )


async def streams(port: int, request: bytes, until: float) -> int:
    """asyncio's own streams."""

    async def client() -> int:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        count = 0
        while time.perf_counter() < until:
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            await reader.readexactly(int(head.partition(b"content-length: ")[2].split(b"\r\n")[0]))
            count += 1
        writer.close()
        return count

    return sum(await asyncio.gather(*(client() for _ in range(CLIENTS))))


async def httpx_client(port: int, until: float) -> int:
    """httpx, one client with its pool."""
    import httpx  # noqa: PLC0415 (compared where it is installed)

    count = 0
    async with httpx.AsyncClient() as client:

        async def caller() -> None:
            nonlocal count
            while time.perf_counter() < until:
                await client.post(
                    f"http://127.0.0.1:{port}/v1/match", json={"a": "文三路123号", "b": "文三路125号"}
                )
                count += 1

        await asyncio.gather(*(caller() for _ in range(CLIENTS)))
    return count


def locust(port: int, seconds: float) -> dict[str, Any]:
    """Locust with our locustfile, in a process of its own (its start counts in the CPU)."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "locust", "-f", str(LOCUSTFILE), "--host", f"http://127.0.0.1:{port}",
                   "--headless", "--users", str(CLIENTS), "--spawn-rate", "1000", "--run-time", f"{seconds + 5:.0f}s",
                   "--csv", f"{folder}/run"]  # fmt: skip
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        with Path(f"{folder}/run_stats.csv").open(encoding="utf-8", newline="") as file:
            row = next(row for row in csv.DictReader(file) if row["Name"] == "/v1/match")
    cpu = (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)
    return figures("closed", float(row["Requests/s"]), cpu / int(row["Request Count"]))


def figures(loop: str, rate: float, cpu: float) -> dict[str, Any]:
    """One line."""
    return {"loop": loop, "requests_per_second": round(rate), "cpu_us_per_request": round(cpu * 1e6, 1)}


if __name__ == "__main__":
    main()
