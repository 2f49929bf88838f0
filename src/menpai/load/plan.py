"""The steps of a load test, one after the other, and the run that they make up."""

from __future__ import annotations

import asyncio
import platform
from collections.abc import Callable, Coroutine, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, TypeVar

from menpai._version import __version__
from menpai.load.arrivals import Arrivals, arrivals
from menpai.load.ask import readiness
from menpai.load.clients import Clients
from menpai.load.pairs import Pair
from menpai.load.tally import Latency, Step, Tally
from menpai.load.target import Target
from menpai.load.watch import Watch, warnings_of
from menpai.settings import available_cores

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Rate:
    """An open-loop rate: requests a second, or so many times the highest rate of the closed loop before."""

    value: float
    times: bool = False

    @classmethod
    def of(cls, text: str) -> Rate:
        """From "500" or "0.8x"; raises ValueError for anything else, zero and below included."""
        times = text.endswith(("x", "×"))
        value = float(text[:-1] if times else text)
        if not 0 < value < 1e7:
            raise ValueError(text)
        return cls(value, times)


@dataclass(frozen=True, slots=True)
class Plan:
    """What is asked for: loads, seconds each, the route, pairs in a request."""

    clients: tuple[int, ...] = (1, 4, 8, 16, 32, 128)
    rates: tuple[Rate, ...] = ()
    seconds: float = 10.0
    warm_up: float = 1.0
    arrivals: str = "poisson"
    route: str = "/v1/match"
    rows: int = 1
    timeout: float = 10.0
    connections: int = 1000
    seed: int = 1
    workload: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Run:
    """A load test and what it measured so far."""

    url: str
    plan: Plan
    service: dict[str, Any]
    started: str
    steps: list[Step] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """The JSON shape."""
        plan = self.plan
        return {
            "menpai": __version__, "started": self.started, "url": self.url, "service": self.service,
            "machine": {"cores": available_cores(), "system": platform.system(), "python": platform.python_version()},
            "workload": {"route": plan.route, "rows": plan.rows, "seconds": plan.seconds, "timeout": plan.timeout,
                         **plan.workload},
            "steps": [step.to_dict() for step in self.steps],
        }  # fmt: skip


def begin(target: Target, plan: Plan) -> Run:
    """A run without steps, with what the service says of itself."""
    _, told = readiness(target)
    kept = {name: told[name] for name in ("pack", "behaviour") if isinstance(told.get(name), str)}
    return Run(target.url, plan, kept, datetime.now(UTC).isoformat(timespec="seconds"))


def steps(run: Run, target: Target, pairs: Iterator[Pair], tell: Callable[[str], None]) -> Iterator[Step]:
    """Measure step by step, and keep each in the run. `tell` hears of each load before it begins."""
    plan, requests = run.plan, target.requests(run.plan.route, pairs, run.plan.rows)
    for count in plan.clients:
        tell(str(count))
        yield _kept(run, _run(_closed(target, plan, requests, count)))
    for rate in plan.rates:
        wanted = rate.value * (capacity(run.steps) if rate.times else 1.0)
        tell(f"{wanted:g}/s")
        yield _kept(run, _run(_open(target, plan, requests, wanted)))


def capacity(measured: Sequence[Step]) -> float:
    """The highest rate of the closed loop; at least one request a second."""
    return max([step.requests_per_second for step in measured if step.loop == "closed"], default=1.0) or 1.0


async def _closed(target: Target, plan: Plan, requests: Iterator[bytes], count: int) -> Step:
    clients = Clients(target, requests, plan.timeout)
    tally, tester = await _watched(clients.run(count, plan.seconds, plan.warm_up))
    return _step(plan, tally, tester, count, 0.0)


async def _open(target: Target, plan: Plan, requests: Iterator[bytes], rate: float) -> Step:
    load = Arrivals(target, requests, plan.timeout, plan.connections)
    times = arrivals(rate, plan.arrivals, plan.seed)
    tally, tester = await _watched(load.run(times, plan.seconds, plan.warm_up))
    return _step(plan, tally, tester, 0, rate)


async def _watched(work: Coroutine[Any, Any, Tally]) -> tuple[Tally, dict[str, float]]:
    watch = Watch()
    watch.start()
    tally = await work
    return tally, watch.stop()


def _step(plan: Plan, tally: Tally, tester: dict[str, float], clients: int, rate: float) -> Step:
    per_second = tally.in_time / plan.seconds
    return Step(
        loop="closed" if clients else "open", clients=clients, rate=round(rate, 3),
        arrivals="" if clients else plan.arrivals, seconds=plan.seconds, sent=tally.sent,
        outcomes=dict(sorted(tally.outcomes.items())), requests_per_second=round(per_second, 2),
        pairs_per_second=round(per_second * plan.rows, 2), latency=Latency.of(tally.answered),
        refusals=Latency.of(tally.refused), tester=tester, warnings=warnings_of(tester),
    )  # fmt: skip


def _kept(run: Run, step: Step) -> Step:
    run.steps.append(step)
    return step


def _run(work: Coroutine[Any, Any, T]) -> T:
    """On uvloop where it is installed: a third of the CPU a request."""
    try:
        import uvloop  # noqa: PLC0415 (there is none on Windows)
    except ModuleNotFoundError:
        return asyncio.run(work)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)
