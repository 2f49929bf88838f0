"""A thousand callers ask and leave: how many of their pairs the engine still ran, and whether the counts add up.

    python benchmarks/serving/abandoned.py --pack PACK [--callers 1000] [--beside 16]

With a pack whose pairs take milliseconds, while patient clients keep the service busy: an idle one begins at once, before
anybody can have left. The queue's bound is lifted, so that all are let in; each connection is closed right after its
request was sent.
"""

from __future__ import annotations

import argparse
import asyncio
import json

from client import Client, Service, load, request_of, take, written

SHED = 'menpai_shed_items_total{reason="gone"}'
CANCELLED = 'menpai_outcomes_total{outcome="cancelled"}'


def main() -> None:
    """Print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pack", required=True)
    parser.add_argument("--callers", type=int, default=1000)
    parser.add_argument("--beside", type=int, default=16)
    args = parser.parse_args()
    with Service(args.pack, "--queue-seconds", "3600", "--timeout-ms", "600000") as service:
        asyncio.run(load(service.port, 8, 1.0, written()))
        before = service.metrics()
        asyncio.run(crowd(service.port, args.callers, args.beside))
        after = service.metrics()
    changed = {name: after.get(name, 0) - before.get(name, 0) for name in after}
    run = args.callers - changed.get(SHED, 0)
    print(json.dumps({
        "callers": args.callers, "never_run": int(changed.get(SHED, 0)), "run": int(run),
        "share_never_run": round(1 - run / args.callers, 4), "counted_as_cancelled": int(changed.get(CANCELLED, 0)),
    }))  # fmt: skip


async def crowd(port: int, callers: int, beside: int) -> None:
    """Patient clients, and those who leave."""
    patient = asyncio.create_task(load(port, beside, 2.0 + callers / 100, written(10**7)))
    await asyncio.sleep(1.0)
    await leave(port, callers)
    await patient


async def leave(port: int, callers: int) -> None:
    """Send and close, one after the other; then wait until the service is through with them."""
    pairs = written(10**6)
    for pair in take(pairs, callers):
        client = await Client.open(port)
        client.transport.write(request_of([pair]))
        client.transport.close()


if __name__ == "__main__":
    main()
