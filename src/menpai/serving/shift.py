"""A shift: what judges together between two reloads. A matcher, its instances, and the queues before them."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from menpai.matcher import Doubt, Matcher
from menpai.serving.admission import Costs, measure_costs
from menpai.serving.batching import Batcher
from menpai.serving.cache.written import write_answers
from menpai.serving.drift import FIRST, Shapes, written
from menpai.serving.instances import Instances, Tell, open_instances
from menpai.serving.metrics import Metrics
from menpai.serving.prices import Asked
from menpai.settings import Settings

FAILURES = 5  # batches in a row that failed, until the shift counts as failing
IDLE_SECONDS = 1.0  # for which nothing has come, until a shift that was relieved is closed
LOOK_SECONDS = 0.05


class Loaded(NamedTuple):
    """A matcher and its instances, warmed, and what pairs cost them."""

    matcher: Matcher
    instances: Instances
    costs: Costs


def load(open_matcher: Callable[[], Matcher], tell: Tell) -> Loaded:
    """Open, warm and measure; takes seconds, so not on the loop."""
    matcher = open_matcher()
    matcher.warm()
    matcher.match_many(FIRST)
    instances = open_instances(matcher, open_matcher, tell)
    costs = measure_costs(instances.match_many)
    _settle()
    return Loaded(matcher, instances, costs)


class Shift:
    """Made on the loop; `failing` when batch after batch failed and none went well since."""

    def __init__(self, loaded: Loaded, settings: Settings, metrics: Metrics, shapes: Shapes) -> None:
        self.matcher, self.instances, costs = loaded
        self.on_failing: Callable[[], object] = lambda: None
        self._shapes = shapes
        self._failures = 0
        open_batcher = partial(Batcher, queue_seconds=settings.queue_seconds, metrics=metrics)
        self.pairs: Batcher[tuple[Any, Any]] = open_batcher(
            self._begin,
            _pair_size,
            workers=self.instances.readers,
            finish=self._finish,
            runs=self.instances.runs,
            device=self.matcher.device,
            costs=costs,
            ended=self._ended,
        )
        # Their size is their price, so that a batch, too, is bounded in microseconds.
        self.texts: Batcher[Asked] = open_batcher(_do, _micros, costs=Costs(character=1e-6))

    @property
    def failing(self) -> bool:
        """Whether the last batches all failed, or nobody is there to take one."""
        return self._failures >= FAILURES or not self.instances.alive

    def probe(self) -> bool:
        """Whether a batch goes well now; waits for it."""
        try:
            well = bool(self.instances.alive and self.instances.match_many(written([(12, 12)])))
        except Exception:
            well = False
        self._failures = 0 if well else self._failures
        return well

    async def retire(self) -> None:
        """Close once all that was accepted is answered and nothing has come for a while."""
        quiet = 0.0
        while quiet < IDLE_SECONDS:
            await asyncio.sleep(LOOK_SECONDS)
            quiet = quiet + LOOK_SECONDS if self.pairs.idle and self.texts.idle else 0.0
        await asyncio.to_thread(self.close)
        await asyncio.to_thread(_settle)

    def close(self) -> None:
        """Let the workers end after the batch in their hands."""
        for batcher in (self.pairs, self.texts):
            batcher.close()
        self.instances.close()

    def _begin(self, pairs: Sequence[Any]) -> Sequence[Any]:
        """On a worker's thread: answers, written, and doubts; lengths and labels are remembered."""
        answers = self.instances.begin(pairs)
        self._shapes.note(pairs, answers)
        return write_answers(answers)

    def _finish(self, doubts: Sequence[Doubt]) -> Sequence[Any]:
        """The same for what was left open."""
        answers = self.instances.finish(doubts)
        sides = [(doubt.comparison.a, doubt.comparison.b) for doubt in doubts]
        self._shapes.note([(a.normalized.raw, b.normalized.raw) for a, b in sides], answers)
        return write_answers(answers)

    def _ended(self, well: bool) -> None:
        """A batch has ended, well if any of its rows did; failures in a row are counted."""
        self._failures = 0 if well else self._failures + 1
        if self._failures == FAILURES:
            self.on_failing()


def _settle() -> None:
    """Tables and code live as long as the process: from here on no collection looks at them (26 ms each, measured)."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def _do(tasks: Sequence[Asked]) -> list[Any]:
    return [task.done() for task in tasks]


def _micros(task: Asked) -> int:
    return max(1, round(task.micros))


def _size(address: Any) -> int:
    text = address.get("text") if isinstance(address, dict) else address
    return len(text) if isinstance(text, str) else 1


def _pair_size(pair: tuple[Any, Any]) -> int:
    return _size(pair[0]) + _size(pair[1])
