"""Single-pair requests a second through `menpai serve` on loopback, beside the bare `match_many` in the same run.

    python benchmarks/serving/speed.py [--seconds 4] [--clients 1 8 32]

A closed loop: each client keeps one connection and sends the next pair when the last is answered. No pair comes
twice, so nothing is remembered. Client and service share this machine's cores.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from urllib.request import urlopen

from menpai import Matcher

BARE_PAIRS = 2000
ROADS = ("文三路", "建设北大街", "中山东路", "青年路", "科技三路", "解放大道", "人民南路")
ESTATES = ("阳光花园", "东泰花园", "海月小区", "锦绣家园", "翠湖天地")


def main() -> None:
    """Print one JSON object with all figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 8, 32])
    args = parser.parse_args()
    matcher = Matcher.open()
    matcher.warm()
    pairs = written()
    bare = [bare_rate(matcher, pairs)]
    command = [sys.executable, "-m", "menpai", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as service:
        try:
            assert service.stdout is not None
            port = int(json.loads(service.stdout.readline())["url"].rsplit(":", 1)[1])
            threading.Thread(target=service.stdout.read, daemon=True).start()  # its log, read away
            wait_ready(port)
            served = [asyncio.run(load(port, count, args.seconds, pairs)) for count in args.clients]
        finally:
            service.terminate()
    bare.append(bare_rate(matcher, pairs))
    print(json.dumps({"match_many_pairs_per_second": round(statistics.mean(bare)), "served": served}))


def written() -> Iterator[tuple[str, str]]:
    """Pairs without end, none twice: same place in other words, other number, other building."""
    for i in itertools.count():
        road, estate = ROADS[i % 7], ESTATES[i % 5]
        a = f"浙江省杭州市西湖区{road}{i + 1}号{estate}{i % 31 + 1}号楼{i % 4 + 1}单元{i % 20 + 101}室"
        yield a, f"杭州西湖{road}{i + 1 + (i % 3 == 0)}号{estate}{i % 31 + 1 + i % 2}栋"


def bare_rate(matcher: Matcher, pairs: Iterator[tuple[str, str]]) -> float:
    """Pairs a second through match_many."""
    some = list(itertools.islice(pairs, BARE_PAIRS))
    started = time.perf_counter()
    matcher.match_many(some)
    return len(some) / (time.perf_counter() - started)


async def load(port: int, clients: int, seconds: float, pairs: Iterator[tuple[str, str]]) -> dict[str, float]:
    """Rate and latency of so many clients for so long."""
    until = time.perf_counter() + seconds
    started = time.perf_counter()
    taken = await asyncio.gather(*(client(port, until, pairs) for _ in range(clients)))
    spent = time.perf_counter() - started
    times = sorted(itertools.chain.from_iterable(taken))
    return {
        "clients": clients,
        "requests_per_second": round(len(times) / spent),
        "p50_ms": round(1000 * times[len(times) // 2], 2),
        "p99_ms": round(1000 * times[int(len(times) * 0.99)], 2),
    }


async def client(port: int, until: float, pairs: Iterator[tuple[str, str]]) -> list[float]:
    """Seconds of each answer on one connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    times = []
    while time.perf_counter() < until:
        a, b = next(pairs)
        body = json.dumps({"a": a, "b": b}, ensure_ascii=False).encode()
        started = time.perf_counter()
        writer.write(b"POST /v1/match HTTP/1.1\r\nhost: x\r\ncontent-length: %d\r\n\r\n" % len(body) + body)
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200"), head
        await reader.readexactly(int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0]))
        times.append(time.perf_counter() - started)
    writer.close()
    return times


def wait_ready(port: int) -> None:
    """Returns once /readyz says so."""
    while True:
        try:
            with urlopen(f"http://127.0.0.1:{port}/readyz"):
                return
        except OSError:
            time.sleep(0.1)


if __name__ == "__main__":
    main()
