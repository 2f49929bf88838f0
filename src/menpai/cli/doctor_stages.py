"""A short measured run: what a pair costs here, stage by stage."""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import asdict, dataclass
from itertools import islice
from time import perf_counter
from typing import Any, TypeVar

from menpai.evidence import compare_sides, measure, side_of
from menpai.load.pairs import generated
from menpai.matcher import Matcher
from menpai.packs import Pack
from menpai.parsing import parse
from menpai.parsing.dated import gazetteer_as_of
from menpai.scoring import open_cascade
from menpai.settings import Settings
from menpai.text import normalize

PAIRS = 200
SECONDS = 1.5  # for the whole; the best of the rounds that fit is taken
SEED = 20261130
Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Stage:
    """Microseconds that a stage costs a pair on average, on one thread, and its share of them all."""

    name: str
    microseconds: float
    share: float


@dataclass(frozen=True, slots=True)
class Run:
    """What was measured on generated pairs, none of them seen before by any cache."""

    stages: tuple[Stage, ...]
    pairs_per_second: float
    lone_ms: float
    encoder_ms: float
    decided_by_encoder: float

    @property
    def slowest(self) -> Stage:
        """The stage that most time goes to."""
        return max(self.stages, key=lambda stage: stage.share)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def run_stages(pack: Pack, settings: Settings) -> Run:
    """Measure; takes a few seconds. Raises what opening the pack raises."""
    pairs = [(a, b) for a, b in islice(generated(SEED), PAIRS)]
    matcher = Matcher(pack, settings)
    matcher.warm()
    rounds: list[tuple[dict[str, float], float, float]] = []
    end = perf_counter() + SECONDS
    while not rounds or perf_counter() < end:
        rounds.append(_round(pack, settings, pairs))
    spent = {name: min(each[0][name] for each in rounds) for name in rounds[0][0]}
    total = sum(spent.values())
    return Run(
        tuple(Stage(name, took / PAIRS * 1e6, took / total) for name, took in spent.items()),
        PAIRS / min(_timed(lambda: _forgotten(matcher).match_many(pairs))[1] for _ in range(3)),
        min(_timed(lambda: _forgotten(matcher).match(*pairs[0]))[1] for _ in range(5)) * 1000,
        rounds[0][1] * 1000,
        rounds[0][2],
    )


def _round(
    pack: Pack, settings: Settings, pairs: list[tuple[Any, Any]]
) -> tuple[dict[str, float], float, float]:
    """Seconds by stage; those of one row alone in the encoder; and the share of pairs that come to it."""
    cascade = open_cascade(
        pack, settings.engine, early=settings.cascade, device=settings.device,
        faithful=settings.mode == "faithful", threads=settings.cores,
    )  # fmt: skip
    gazetteer = gazetteer_as_of(None, settings.overrides)
    spent: dict[str, float] = {}

    def stage(name: str, work: Callable[[], Made]) -> Made:
        made, spent[name] = _timed(work)
        return made

    texts = [text for pair in pairs for text in pair]
    cleaned = stage("normalize", lambda: [normalize(text) for text in texts])
    parse(cleaned[0], gazetteer)  # the tables are read now
    read = stage("parse", lambda: [parse(each, gazetteer) for each in cleaned])

    def compared() -> Any:
        sides = [side_of(each) for each in read]
        found = [compare_sides(*two) for two in zip(sides[::2], sides[1::2], strict=True)]
        return found, measure(found)

    comparisons, features = stage("compare", compared)
    early = stage("fast", lambda: cascade.early(comparisons, features))
    left = [at for at, score in enumerate(early) if score is None]
    cascade.encoder.warm()
    stage("encoder", lambda: cascade.read([comparisons[at] for at in left], features[left])() if left else [])
    one = min(_timed(lambda: cascade.read(comparisons[:1], features[:1])())[1] for _ in range(3))
    return spent, one, len(left) / len(pairs)


def _forgotten(matcher: Matcher) -> Matcher:
    matcher.forget()
    return matcher


def _timed(work: Callable[[], Made]) -> tuple[Made, float]:
    """What it gives and the seconds it took; the collector of garbage does not step in between."""
    gc.disable()
    try:
        started = perf_counter()
        return work(), perf_counter() - started
    finally:
        gc.enable()
