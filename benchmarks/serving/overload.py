"""Overload in an open loop: goodput at multiples of capacity, how soon a refusal is told, how soon all is well again.

    python benchmarks/serving/overload.py [--pack PACK] [--at 0.5 0.8 0.95 1.2 2 5] [--seconds 30] [--queue-seconds S]

Capacity: what a closed loop of 32 clients is served just before and just after. Goodput: answers that came while requests
were sent. Requests leave at their time, answered or not, and latency counts from it. When the last has left, single
pairs are asked, until one is answered in twice the time that it took before. Caches are off; client (the load tester's
parts, which cost least) and service share this machine's cores.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import time
from collections.abc import Iterator
from typing import Any

from client import Client, Pairs, Service, load, request_of, take, written

from menpai.load.arrivals import Arrivals, arrivals
from menpai.load.clients import Clients
from menpai.load.plan import _run as run
from menpai.load.tally import Latency, Tally
from menpai.load.target import Target

CALM_SECONDS = 10
CLIENTS, CONNECTIONS, TIMEOUT = 32, 4000, 20.0


def main() -> None:
    """Print one JSON object for each rate."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pack")
    parser.add_argument("--at", type=float, nargs="+", default=[0.5, 0.8, 0.95, 1.2, 2, 5])
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--capacity-seconds", type=float, default=4.0)
    parser.add_argument("--queue-seconds", default="")
    args = parser.parse_args()
    flags = ["--queue-seconds", args.queue_seconds] if args.queue_seconds else []
    with Service(args.pack, *flags) as service:
        run(measured(service, args.at, args.seconds, args.capacity_seconds))


async def measured(service: Service, shares: list[float], seconds: float, brief: float) -> None:
    """Each rate after the other, told as it ends."""
    pairs, target = written(), Target.of(f"127.0.0.1:{service.port}")
    await capacity(target, pairs, brief / 2)
    before = await capacity(target, pairs, brief)
    for share in shares:
        usual = 2 * (await load(service.port, 1, 1.0, pairs))["p99_ms"] / 1000
        spent = time.process_time()
        load_of = Arrivals(target, requests(pairs), TIMEOUT, CONNECTIONS)
        tally, calm = await asyncio.gather(
            load_of.run(arrivals(share * before, "constant", 1), seconds, 0.0),
            calm_again(service.port, usual, pairs, seconds),
        )
        own = (time.process_time() - spent) / tally.sent
        after = await capacity(target, pairs, brief)
        middle = statistics.mean((before, after))
        found = {"at": share, "capacity": round(middle, 1), **shown(tally), "calm_after_s": calm}
        found["goodput_over_capacity"] = round(tally.in_time / seconds / middle, 3)
        print(json.dumps(found | {"client_us_a_request": round(1e6 * own)}), flush=True)
        before = after


async def capacity(target: Target, pairs: Pairs, seconds: float) -> float:
    """What a closed loop is served in a second."""
    tally = await Clients(target, requests(pairs), TIMEOUT).run(CLIENTS, seconds, 0.5)
    return tally.in_time / seconds


def requests(pairs: Pairs) -> Iterator[bytes]:
    """One pair each."""
    for pair in pairs:
        yield request_of([pair])


def shown(tally: Tally) -> dict[str, Any]:
    """Counts, and times in milliseconds."""
    served, refused = Latency.of(tally.answered), Latency.of(tally.refused)
    return {
        "sent": tally.sent,
        "outcomes": dict(tally.outcomes),
        "answered_in_time": tally.in_time,
        "served_p50_ms": served and served.p50,
        "served_p99_ms": served and served.p99,
        "refused_p50_ms": refused and refused.p50,
        "refused_p99_ms": refused and refused.p99,
    }


async def calm_again(port: int, usual: float, pairs: Pairs, after: float) -> float | None:
    """Seconds until a lone request is answered as fast as usual, from so many seconds after now."""
    await asyncio.sleep(after)
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


if __name__ == "__main__":
    main()
