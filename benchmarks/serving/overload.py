"""Overload in an open loop: goodput at multiples of capacity, how soon a refusal is told, how soon all is well again.

    python benchmarks/serving/overload.py [--pack PACK] [--at 0.5 0.8 0.95 1.2 2 5] [--seconds 8] [--queue-seconds S]

Capacity: what a closed loop of 32 clients is served just before, and once more at the end. Requests are sent when their
time has come, answered or not, on a connection of their own if need be; latency counts from that time. After the last
rate single requests are sent until one is answered in twice the time it took before. Caches are off; client and
service share this machine's cores.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from collections import Counter
from typing import Any

from client import Client, Pairs, Service, load, request_of, take, written

CALM_SECONDS = 10


def main() -> None:
    """Print one JSON object for each rate."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pack")
    parser.add_argument("--at", type=float, nargs="+", default=[0.5, 0.8, 0.95, 1.2, 2, 5])
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--queue-seconds", default="")
    args = parser.parse_args()
    flags = ["--queue-seconds", args.queue_seconds] if args.queue_seconds else []
    with Service(args.pack, *flags) as service:
        for found in asyncio.run(measured(service, args.at, args.seconds)):
            print(json.dumps(found), flush=True)


async def measured(service: Service, rates: list[float], seconds: float) -> list[dict[str, Any]]:
    """Each rate after the other."""
    pairs = written()
    await load(service.port, 32, 2.0, pairs)
    found = []
    capacity = (await load(service.port, 32, seconds / 2, pairs))["requests_per_second"]
    alone = await load(service.port, 1, 1.0, pairs)
    for share in rates:
        usual = 2 * alone["p99_ms"] / 1000
        each = await open_loop(service.port, share * capacity, seconds, pairs, usual)
        after = (await load(service.port, 32, seconds / 2, pairs))["requests_per_second"]
        each["goodput_over_capacity"] = round(each.pop("good") / seconds / ((capacity + after) / 2), 3)
        found.append({"at": share, "capacity": round((capacity + after) / 2, 1), **each})
        capacity = after
    return found


async def open_loop(port: int, rate: float, seconds: float, pairs: Pairs, usual: float) -> dict[str, Any]:
    """What became of requests that came at this rate."""
    idle: list[Client] = [await Client.open(port) for _ in range(16)]
    statuses: Counter[int] = Counter()
    served: list[float] = []
    refused: list[float] = []
    requests = [request_of([pair]) for pair in take(pairs, int(rate * seconds))]
    begun = time.perf_counter()

    async def send(request: bytes, due: float) -> None:
        client = idle.pop() if idle else await Client.open(port)
        status = await client.ask(request)
        spent = time.perf_counter() - due
        idle.append(client)
        statuses[status] += 1
        (served if status == 200 else refused).append(spent)

    tasks = []
    for nth, request in enumerate(requests):
        due = begun + nth / rate
        if (wait := due - time.perf_counter()) > 0:
            await asyncio.sleep(wait)
        tasks.append(asyncio.create_task(send(request, due)))
    during = sum(1 for task in tasks if task.done())
    good = len(served)
    calm = await calm_again(port, usual, pairs)
    await asyncio.gather(*tasks)
    for client in idle:
        client.transport.close()
    return {
        "sent": len(requests),
        "statuses": dict(statuses),
        "good": good,
        "answered_in_time": during,
        "served_p50_ms": quantile(served, 0.5),
        "served_p99_ms": quantile(served, 0.99),
        "refused_p50_ms": quantile(refused, 0.5),
        "refused_p99_ms": quantile(refused, 0.99),
        "calm_after_s": calm,
    }


async def calm_again(port: int, usual: float, pairs: Pairs) -> float | None:
    """Seconds until a lone request is answered as fast as usual."""
    client = await Client.open(port)
    begun = time.perf_counter()
    while (since := time.perf_counter() - begun) < CALM_SECONDS:
        asked = time.perf_counter()
        status = await client.ask(request_of(take(pairs, 1)))
        if status == 200 and time.perf_counter() - asked <= usual:
            client.transport.close()
            return round(since, 2)
        await asyncio.sleep(0.02)
    return None


def quantile(times: list[float], share: float) -> float | None:
    """Milliseconds; None of nothing."""
    return round(1000 * sorted(times)[int(share * (len(times) - 1))], 1) if times else None


if __name__ == "__main__":
    main()
