"""What a run would take, from a sample of the rows joined with all of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from menpai.matcher import Matcher
from menpai.tables.linkage.candidates import NEAR_CLUSTERS, Pairs, find_pairs
from menpai.tables.linkage.deduping import CLUSTERED, WIDE
from menpai.tables.linkage.linking import link
from menpai.tables.linkage.names import Names
from menpai.tables.linkage.plan import Plan
from menpai.tables.linkage.records import Records
from menpai.tables.linkage.scoring import narrow, score_pairs
from menpai.tables.linkage.stages import Stage, Stages

SAMPLE = 500
_ENTITY_BYTES, _PAIR_BYTES, _CHILD_BYTES, _BASE_BYTES = 1_100, 500, 330e6, 200e6
"About what an entity takes with its keys, a pair with its verdict, a worker, and the program."
_BOTH = 0.7
"Of the pairs of one table those that are left when each is looked at once (half to all; measured on noisy addresses)."
_AGAIN = 1.3
"How often an entity is read at most (measured)."
_ONCE = ("same",)
"Stages that a sample takes as long as all rows."


def forecast(left: Records, right: Records, matcher: Matcher, plan: Plan) -> dict[str, Any]:
    """Rows, pairs and seconds of each stage, seconds and megabytes in all; as for all left rows."""
    sample = _sample(left)
    fixed = _seconds(lambda: find_pairs([], [entity.text for entity in right.entities], 1))
    links = link(sample, right, matcher, plan)
    factor = len(left.entities) / max(1, len(sample.entities))
    told = {"left_rows": len(left), "right_rows": len(right), "sample_rows": len(sample.entities)}
    entities = len(left.entities) + len(right.entities)
    return told | _told(links.stages, factor, fixed, entities, len(links.pairs) * factor, matcher, plan)


def forecast_clusters(records: Records, matcher: Matcher, plan: Plan) -> dict[str, Any]:
    """The same for one table and its clusters."""
    texts, stages = [entity.text for entity in records.entities], Stages()
    sample = np.arange(0, len(texts), _step(records))
    fixed = _seconds(lambda: find_pairs([], texts, 1))
    names = Names(entity.name for entity in records.entities)
    with stages.stage("candidates", len(sample)) as out:
        limit, near = (WIDE, 0.0) if records.named else (CLUSTERED, NEAR_CLUSTERS)
        asked, limit = [texts[at] for at in sample.tolist()], limit * plan.candidates + 1
        pairs = find_pairs(asked, texts, limit, numbers=not records.named, near=near / 2)
        pairs = Pairs(sample[pairs.left], pairs.right, pairs.score)
        pairs = pairs.keep(pairs.left != pairs.right)
        pairs = narrow(records, records, pairs, names, plan.candidates) if records.named else pairs
        out.append(len(pairs.left))
    scored = score_pairs(records, records, pairs, names, matcher, plan, stages, one=True)
    factor = len(texts) / max(1, len(sample))
    told = {"rows": len(records), "sample_rows": len(sample)}
    compared = (len(scored.odds) + len(scored.slip_odds)) * factor * _BOTH
    some = [stage if stage.name == "candidates" else _scaled(stage, _BOTH) for stage in stages]
    return told | _told(some, factor, fixed, len(texts), compared, matcher, plan)


def _step(records: Records) -> int:
    return max(1, -(-len(records.entities) // SAMPLE))


def _sample(records: Records) -> Records:
    """Some of the entities, each as a row of its own."""
    entities = records.entities[:: _step(records)]
    rows = np.arange(len(entities))
    return replace(
        records, ids=[str(at) for at in rows.tolist()], entities=entities, of_row=rows, problems={}
    )


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _scaled(stage: Stage, factor: float) -> Stage:
    rows, pairs = round(stage.rows_in * factor), round(stage.pairs_out * factor)
    return Stage(stage.name, rows, pairs, stage.seconds * factor)


def _told(
    stages: Iterable[Stage],
    factor: float,
    fixed: float,
    entities: int,
    pairs: float,
    matcher: Matcher,
    plan: Plan,
) -> dict[str, Any]:
    """The stages of a sample as those of all rows: what is done once is not multiplied."""
    workers = plan.workers or matcher.settings.cores
    found = []
    for stage in stages:
        once = min(
            stage.seconds, fixed if stage.name == "candidates" else stage.seconds * (stage.name in _ONCE)
        )
        again = 1.0
        if (
            stage.name == "read"
        ):  # a sample's neighbours are all new; of a whole table most were read just before
            again = min(1.0, _AGAIN * entities / max(1.0, stage.rows_in * factor))
        scaled = _scaled(stage._replace(seconds=again * (stage.seconds - once)), factor)
        found.append(scaled._asdict() | {"seconds": round(scaled.seconds / workers + once, 2)})
    size = (
        _BASE_BYTES + _ENTITY_BYTES * entities + _PAIR_BYTES * pairs + _CHILD_BYTES * workers * (workers > 1)
    )
    return {
        "workers": workers,
        "stages": found,
        "seconds": round(sum(float(str(stage["seconds"])) for stage in found), 1),
        "memory_mb": round(size / 1e6),
    }
