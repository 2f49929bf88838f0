"""Search: a whole address, a name or both → the rows that it may mean, best first, with verdicts."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from menpai.address import Place
from menpai.errors import Problem, UsageError
from menpai.search.gather import gather
from menpai.search.nearby import gaps_of
from menpai.search.parting import parted
from menpai.search.question import Question, read_question, read_radius
from menpai.search.values import Candidate, Record
from menpai.search.view import View
from menpai.verdict import Verdict

Query = str | Mapping[str, Any]
Pair = tuple[str | Place, str | Place]
Judge = Callable[[Sequence[Pair]], Sequence[Verdict | Problem]]
Rerank = Callable[[str, Sequence[str]], Sequence[float]]
"How relevant (0..1) each of several texts is to a query: `Ranker.score` of an imported ranking pack."

POOL = 64
"Candidates whose texts are compared."
JUDGED = 10
"Candidates that are judged at least."
# What each feature counts, in a text and in a name beside an address; fitted on one half of the queries of
# benchmarks/finding. FIT is what speaks of the query alone: rows that are equal in it differ in what it leaves open.
# A name that a text does not speak of is no reason against its row: the better of TEXT and TEXT_WITH_NAME counts.
TEXT = {"shared_query": 0.18, "shared_candidate": 0.10, "query": 0.62, "candidate": 0.10, "near": 0.30}
TEXT_WITH_NAME = TEXT | {"name_candidate": 0.20, "main_candidate": 0.20}
NAMED = {
    "shared_candidate": 0.25, "name_candidate": 0.20, "main_query": 0.30, "main_candidate": 0.10, "address_query": 0.08,
    "near": 0.30,
}  # fmt: skip
FIT = {"query": 1.0, "near": 0.30}
# How much the judge's similarity counts beside them: a village that is mistyped is still the one that was meant, so a
# text alone is ranked by its text; of names at an address the judge knows better what is another place.
JUDGE_OF_NAMED = 0.18


class Ranked(NamedTuple):
    """A candidate, how well it fits what the query says, and how deep its address goes (position in LEVELS)."""

    candidate: Candidate
    fit: float
    depth: int


def search(
    view: View,
    query: Query,
    k: int = 5,
    *,
    judge: Judge | None = None,
    rerank: Rerank | None = None,
    radius: float | None = None,
) -> list[Candidate]:
    """The k rows that the query most likely means, best first.

    `query` is a text, or an object with address (or text), name, lat, lon, crs. With a judge (Matcher.match_many) each
    candidate has its verdict; `rerank` orders the best ones by its own scores. `radius` leaves out what is not known to
    lie within so many metres of the query's point.
    """
    return [one.candidate for one in rank(view, query, k, judge=judge, rerank=rerank, radius=radius)]


def rank(
    view: View,
    query: Query,
    k: int,
    *,
    judge: Judge | None = None,
    rerank: Rerank | None = None,
    radius: float | None = None,
) -> list[Ranked]:
    """The same with what `standardize` looks at."""
    question, reach = read_question(query), read_radius(radius)
    if reach is not None and question.point is None:
        raise UsageError("search_radius_point")
    k = min(k, len(view))
    if k < 1:
        return []
    given, question = question, parted(question, view)
    pool = gather(view, question, max(POOL, 2 * k), reach)
    named = bool(given.text.name and given.text.address)
    fits = pool.scores(FIT)
    if named:
        scores = pool.scores(NAMED)
    elif given is not question:
        # A row without a name is compared with the whole text: the name may be part of its address.
        scores = np.where(pool.nameless(), pool.scores(TEXT), pool.scores(NAMED))
    else:
        scores = np.maximum(pool.scores(TEXT), pool.scores(TEXT_WITH_NAME))
    best = np.argsort(-scores, kind="stable")[: max(k + 1, JUDGED)].tolist()
    records = [pool.shards[at].segment.record(pool.rows[at]) for at in best]
    verdicts = _judged(question, records, judge)
    points = [
        _blend(float(scores[at]), verdict if named or (row.name and row.text) else None)
        for at, row, verdict in zip(best, records, verdicts, strict=True)
    ]
    if rerank is not None:
        points = list(rerank(question.written, [record.text + record.name for record in records]))
    order = sorted(range(len(best)), key=lambda place: -points[place])
    gaps = gaps_of([points[place] for place in order])
    found = []
    for place, gap in zip(order[:k], gaps, strict=False):
        at = best[place]
        metres = _known(float(pool.metres[at]))
        one = Candidate(records[place], points[place], verdicts[place], metres, gap)
        found.append(Ranked(one, float(fits[at]), pool.depth(at)))
    return found


def _judged(question: Question, records: Sequence[Record], judge: Judge | None) -> list[Verdict | None]:
    """The verdict on the question and each record; None without a judge, and where there can be none."""
    if judge is None or not records:
        return [None] * len(records)
    return [
        one if isinstance(one, Verdict) else None for one in judge([_pair(question, row) for row in records])
    ]


def _pair(question: Question, record: Record) -> Pair:
    """What the judge reads: the addresses with their names behind them, and the points if both have one."""
    written, text = question.written, record.text + record.name
    if question.point is None or record.lat is None or record.lon is None:
        return written, text
    lat, lon = question.point
    return {"text": written, "lat": lat, "lon": lon}, {"text": text, "lat": record.lat, "lon": record.lon}


def _blend(score: float, verdict: Verdict | None) -> float:
    return score if verdict is None else (1 - JUDGE_OF_NAMED) * score + JUDGE_OF_NAMED * verdict.similarity


def _known(metres: float) -> float | None:
    return None if math.isnan(metres) else metres
