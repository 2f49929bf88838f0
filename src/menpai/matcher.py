"""The matcher opens a pack, wires the rooms, and says the sentence: normalize, parse, compare, score, decide.

Long because: it is the one place where the rooms are wired.
"""

from __future__ import annotations

import hashlib
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from importlib import resources
from itertools import islice, repeat
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from menpai._version import __version__
from menpai.address import Address, Normalized, Place
from menpai.columnar import judged
from menpai.decide import Manner, decide
from menpai.errors import Problem, UsageError
from menpai.evidence import Comparison, Side, compare_sides, measure, side_of
from menpai.evidence.coordinates import find_coordinate_problem, point_of
from menpai.lru import LRU
from menpai.packs import Pack, open_pack
from menpai.parsing import parse
from menpai.parsing.dated import AsOf, gazetteer_as_of
from menpai.parsing.hints import NO_HINTS, make_hints
from menpai.parsing.overrides import overrides_digest
from menpai.parsing.settle import settler
from menpai.scoring import Score, open_cascade
from menpai.scoring.cascade import Cascade
from menpai.settings import Settings
from menpai.text import normalize
from menpai.text.readable import find_problem
from menpai.verdict import Verdict

AddressLike = str | Place
Pair = tuple[AddressLike, AddressLike]
Answer = Verdict | Problem

# Pairs read at a time: large enough for full engine batches, small enough to stream.
CHUNK = 256
# Chunks that the encoder may be behind.
AHEAD = 2
# What a reading takes in memory, in bytes: at all, for each character, for each element (measured with tracemalloc).
_READING_BYTES, _CHARACTER_BYTES, _ELEMENT_BYTES = 1200, 290, 300


class Doubt(NamedTuple):
    """A pair that only the encoder can judge: compared and measured; `tokens` is about what it will read."""

    comparison: Comparison
    row: NDArray[np.float32]
    tokens: int


class Matcher:
    """Judges pairs of addresses. Open once and share: all methods may be called from several threads."""

    def __init__(self, pack: Pack, settings: Settings) -> None:
        self.pack = pack
        self.settings = settings
        self._gazetteer = gazetteer_as_of(None, settings.overrides)
        self._faithful = settings.mode == "faithful"
        self._cascade = open_cascade(
            pack,
            settings.engine,
            early=settings.cascade,
            device=settings.device,
            faithful=self._faithful,
            threads=settings.cores,
        )
        self._manner = Manner(
            pack.id,
            behaviour_digest(pack, settings),
            settings.lang,
            (self._cascade.blend.exact, self._cascade.fast.exact),
            imported=pack.manifest.get("tokenizer") == "wordpiece",
            faithful=self._faithful,
        )
        self._settle = settler(settings)
        self.readings: LRU[str, Side | Problem] = LRU(
            settings.readings, settings.readings_mb * 1e6, _reading_bytes
        )
        self._pool: tuple[int, Executor] | None = None

    @classmethod
    def open(
        cls,
        pack: str | Path | None = None,
        engine: str | None = None,
        threads: int | None = None,
        settings: Settings | None = None,
        mode: str | None = None,
    ) -> Matcher:
        """A matcher on a built-in pack (by name) or a pack's folder; settings fill what is not given."""
        flags = {"pack": pack and str(pack), "engine": engine, "threads": threads, "mode": mode}
        chosen = settings.replace(**flags) if settings else Settings.load(flags)
        return cls(open_pack(chosen.pack), chosen)

    @property
    def pack_id(self) -> str:
        """name@version of the pack."""
        return self.pack.id

    @property
    def behaviour(self) -> str:
        """Hex digest of all that can move a verdict."""
        return self._manner.behaviour

    @property
    def tokens(self) -> LRU[str, Any] | None:
        """The texts remembered with their tokens; None for a pack that needs none."""
        return self._cascade.encoder.tokens

    @property
    def device(self) -> str:
        """Where the pack's graph runs: cpu, cuda, …"""
        return self._cascade.encoder.device

    @property
    def cascade(self) -> Cascade:
        """The stages that score, for those who explain them."""
        return self._cascade

    @property
    def lanes(self) -> int:
        """How many runs of the engine are worth having side by side."""
        return self._cascade.encoder.lanes

    def match(self, a: AddressLike, b: AddressLike) -> Verdict:
        """The verdict on one pair; raises UsageError if an address cannot be judged."""
        (answer,) = self.match_many([(a, b)])
        if isinstance(answer, Problem):
            raise UsageError(answer.code, **answer.details)
        return answer

    def match_many(self, pairs: Sequence[Pair], *, evidence: bool = True) -> list[Answer]:
        """A verdict or a problem for each pair, in order."""
        if isinstance(pairs, Sequence) and len(pairs) <= CHUNK // 4:
            lanes = self._cascade.encoder.lanes > 1 and len(pairs) > 1
            return self._judge(pairs, evidence, self._workers() if lanes else None)()
        return list(self.match_iter(pairs, evidence=evidence))

    def match_iter(self, pairs: Iterable[Pair], *, evidence: bool = True) -> Iterator[Answer]:
        """The same, lazily and in bounded memory: the encoder is at most AHEAD chunks behind what was read."""
        source = iter(pairs)
        waiting: deque[Callable[[], list[Answer]]] = deque()
        while chunk := list(islice(source, CHUNK)):
            waiting.append(self._judge(chunk, evidence, self._workers()))
            if len(waiting) > AHEAD:
                yield from waiting.popleft()()
        while waiting:
            yield from waiting.popleft()()

    def match_table(self, table: Any, a: str, b: str, *, evidence: bool = False) -> Any:
        """A table of the Arrow C stream protocol with the columns `a` and `b` → a `pyarrow.Table` with label, similarity,
        level, conflicts, decided_by, problem (and probabilities and evidence if asked); rows in = rows out."""

        def judge(pairs: Iterable[Pair]) -> Iterator[Answer]:
            return self.match_iter(pairs, evidence=evidence)

        return judged(table, a, b, judge, evidence, self.settings.lang)

    def begin(self, pairs: Sequence[Pair]) -> list[Answer | Doubt]:
        """normalize → parse → compare for each pair, and its answer, or the doubt that only the encoder can end."""
        readings = [self._sides(pair) for pair in pairs]
        found = iter(self.weigh([compare_sides(*sides) for sides in readings if not _problem(sides)]))
        return [_problem(sides) or next(found) for sides in readings]

    def weigh(self, comparisons: Sequence[Comparison], *, evidence: bool = True) -> list[Verdict | Doubt]:
        """The same for readings that were compared already."""
        features = measure(comparisons)
        return [
            Doubt(c, row, self._cascade.length(c))
            if score is None
            else decide(c, score, row if evidence else None, self._manner)
            for c, row, score in zip(
                comparisons, features, self._cascade.early(comparisons, features), strict=True
            )
        ]

    def side(self, address: AddressLike) -> Side | Problem:
        """The reading of an address as comparisons take it, remembered; or why it cannot be judged."""
        return self._side(address, "")

    def finish(self, doubts: Sequence[Doubt], *, evidence: bool = True) -> list[Verdict]:
        """The verdicts on what `begin` left open; together with it `match_many`, for those who queue in between."""
        comparisons = [doubt.comparison for doubt in doubts]
        rows = np.stack([doubt.row for doubt in doubts])
        scores = self._cascade.read(comparisons, rows)()
        given = rows if evidence else repeat(None)
        return list(map(decide, comparisons, scores, given, repeat(self._manner)))

    def rebuild(self, pairs: Sequence[Pair], scores: Sequence[Score]) -> list[Answer]:
        """The answers on pairs that were scored before, to the bit: everything but the scoring is done again."""
        readings = [self._sides(pair) for pair in pairs]
        good = [at for at, sides in enumerate(readings) if not _problem(sides)]
        comparisons = [compare_sides(*readings[at]) for at in good]
        given = [scores[at] for at in good]
        verdicts = map(decide, comparisons, given, measure(comparisons), repeat(self._manner))
        return [_problem(sides) or next(verdicts) for sides in readings]

    def normalize(self, text: AddressLike) -> Normalized:
        """The cleaned text; raises UsageError for a text that cannot be read."""
        reading = self._reading(text, "")
        if isinstance(reading, Problem):
            raise UsageError(reading.code, **reading.details)
        return reading.address.normalized

    def parse(
        self,
        text: AddressLike,
        *,
        default_city: str | None = None,
        near: tuple[float, float] | None = None,
        as_of: AsOf | None = None,
    ) -> Address:
        """The reading of a text; raises UsageError for one that cannot be read. Hints as in `menpai.parse`."""
        side = self._side(text, "")
        if isinstance(side, Problem):
            raise UsageError(side.code, **side.details)
        reading = side.address
        gazetteer = gazetteer_as_of(as_of, self.settings.overrides)
        hints = make_hints(gazetteer, default_city, (reading.place and point_of(reading.place)) or near)
        plain = hints is NO_HINTS and as_of is None
        hinted = reading if plain else parse(reading.normalized, gazetteer, hints)
        return replace(self._settle([hinted])[0], place=reading.place)

    def warm(self) -> None:
        """Run every length bucket once, so that the first caller does not wait for it."""
        self._cascade.encoder.warm()

    def forget(self) -> None:
        """Drop the readings remembered from earlier calls (they are kept to read a repeated address once)."""
        self.readings.clear()
        self._cascade.encoder.forget()

    def _judge(
        self, pairs: Sequence[Pair], evidence: bool, pool: Executor | None = None
    ) -> Callable[[], list[Answer]]:
        """normalize → parse → compare → score → decide, for a batch; the call that comes back ends it.

        The encoder works on the pool meanwhile, so that the next batch can be read beside it.
        """
        readings = [self._sides(pair) for pair in pairs]
        comparisons = [compare_sides(*sides) for sides in readings if not _problem(sides)]
        features = measure(comparisons)
        scores = self._cascade.start(comparisons, features, pool)
        rows = features if evidence else [None] * len(features)

        def finish() -> list[Answer]:
            verdicts = map(decide, comparisons, scores(), rows, repeat(self._manner))
            return [_problem(sides) or next(verdicts) for sides in readings]

        return finish

    def _sides(self, pair: Pair) -> tuple[Any, ...]:
        """The two readings or problems of a pair; one problem if it is no pair."""
        if isinstance(pair, str | bytes | Mapping | Set) or not isinstance(pair, Iterable):
            return (Problem("pair_invalid", {"type": type(pair).__name__}),)
        sides = tuple(islice(pair, 3))
        if len(sides) != 2:
            return (
                Problem(
                    "pair_invalid",
                    {"type": f"{type(pair).__name__}[{len(sides)}{'+' if len(sides) == 3 else ''}]"},
                ),
            )
        return self._side(sides[0], " a"), self._side(sides[1], " b")

    def _side(self, address: AddressLike, side: str) -> Side | Problem:
        """A reading that can be judged: of a lone phone number, for example, nothing is left."""
        reading = self._reading(address, side)
        if self._faithful or isinstance(reading, Problem) or any(map(str.isalnum, reading.address.text)):
            return reading
        return Problem("address_unreadable", {"side": side})

    def _reading(self, address: AddressLike, side: str) -> Side | Problem:
        """A remembered text was looked at before: the rows of a table name the same address again and again."""
        if isinstance(address, str):
            reading = self.readings.get(address) or self._read_text(address)
            return _told(reading, side)
        place = address if isinstance(address, Mapping) else None
        text = address if place is None else place.get("text", "")
        problem = self._unreadable(text)
        if place is not None:
            problem = problem or find_coordinate_problem(place, side)
        if problem is not None or place is None or not isinstance(text, str):
            return _told(
                problem or Problem("address_not_text", {"side": side, "type": type(text).__name__}), side
            )
        reading = self.readings.get(text) or self._read_and_keep(text)
        if isinstance(reading, Problem):
            return _told(reading, side)
        return replace(reading, address=replace(reading.address, place=place))

    def _read_text(self, text: str) -> Side | Problem:
        return self._unreadable(text) or self._read_and_keep(text)

    def _unreadable(self, text: object) -> Problem | None:
        problem = find_problem(text, "", self.settings.max_length)
        if self._faithful and problem and problem.code == "address_unreadable":
            return None  # the official pipeline judges a bare number too
        return problem

    def _read_and_keep(self, text: str) -> Side | Problem:
        reading = self._read(text)
        self.readings.put(text, reading)
        return reading

    def _read(self, text: str) -> Side | Problem:
        """The reading; a problem for a text that grows too long when it is normalized (one character may be 18)."""
        normalized = normalize(text)
        if (length := len(normalized.text)) > self.settings.max_length:
            return Problem(
                "address_too_long", {"side": "", "length": length, "limit": self.settings.max_length}
            )
        return side_of(parse(normalized, self._gazetteer))

    def _workers(self) -> Executor | None:
        """Threads for the encoder, beside the caller's that reads and decides: a core for each, or all the lanes of an
        engine that takes longer than reading. A forked child makes its own, since threads do not survive a fork."""
        if self.settings.cores == 1:
            return None
        if self._pool is None or self._pool[0] != os.getpid():
            count = max(self.settings.cores - 1, self._cascade.encoder.lanes)
            self._pool = (os.getpid(), ThreadPoolExecutor(count, "menpai"))
        return self._pool[1]


def _problem(sides: tuple[Any, ...]) -> Problem | None:
    """The first problem of a pair's readings."""
    return next((side for side in sides if isinstance(side, Problem)), None)


def _told(reading: Side | Problem, side: str) -> Side | Problem:
    """A problem names the side that it was found on."""
    return (
        Problem(reading.code, reading.details | {"side": side}) if isinstance(reading, Problem) else reading
    )


def _reading_bytes(text: str, reading: Side | Problem) -> int:
    """About what a reading takes in memory with its text."""
    size = _READING_BYTES + _CHARACTER_BYTES * len(text)
    if isinstance(reading, Problem):
        return size
    found = reading.address
    others = sum(len(other.elements) + 2 for other in found.alternatives)
    notes = len(found.former) + len(found.conflicts) + len(found.corrections) + len(found.zones)
    return size + _ELEMENT_BYTES * (len(found.elements) + others + notes)


def behaviour_digest(pack: Pack, settings: Settings) -> str:
    """Hex digest over all that can move a verdict: code version, tables, pack, engine, cascade."""
    digest = hashlib.sha256()
    moves = (
        __version__,
        pack.digest,
        settings.engine,
        settings.device,
        settings.mode,
        settings.cascade,
        settings.max_length,
        overrides_digest(settings.overrides),
    )
    digest.update(repr(moves).encode())
    for table in sorted(resources.files("menpai.data").iterdir(), key=lambda entry: entry.name):
        if table.is_file():
            digest.update(table.name.encode() + b"\0" + table.read_bytes())
    return digest.hexdigest()[:16]
