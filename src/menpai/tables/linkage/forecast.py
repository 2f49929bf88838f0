"""What a run would take, from a sample of the left rows linked with all right rows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from menpai.matcher import Matcher
from menpai.tables.linkage.linking import link
from menpai.tables.linkage.plan import Plan
from menpai.tables.linkage.records import Records

SAMPLE = 500
_ENTITY_BYTES, _PAIR_BYTES = 2_000, 800
"About what an entity takes with its keys, and a pair with its verdict."


def forecast(left: Records, right: Records, matcher: Matcher, plan: Plan) -> dict[str, Any]:
    """Rows, pairs and seconds of each stage, seconds and megabytes in all; as for all left rows."""
    step = max(1, -(-len(left.entities) // SAMPLE))
    entities = left.entities[::step]
    sample = replace(
        left,
        ids=[str(at) for at in range(len(entities))],
        entities=entities,
        of_row=np.arange(len(entities)),
        problems={},
    )
    links = link(sample, right, matcher, plan)
    factor = len(left.entities) / max(1, len(entities))
    stages = [
        {
            "name": stage.name,
            "rows_in": round(stage.rows_in * factor),
            "pairs_out": round(stage.pairs_out * factor),
            "seconds": round(stage.seconds * factor, 2),
        }
        for stage in links.stages
    ]
    pairs = len(links.pairs) * factor
    size = _ENTITY_BYTES * (len(left.entities) + len(right.entities)) + _PAIR_BYTES * pairs
    return {
        "left_rows": len(left),
        "right_rows": len(right),
        "sample_rows": len(entities),
        "stages": stages,
        "seconds": round(sum(float(str(stage["seconds"])) for stage in stages), 1),
        "memory_mb": round(size / 1e6),
    }
