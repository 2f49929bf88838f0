"""An output of `dedupe` as pairs: each row of a cluster with the golden row of its cluster."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from menpai.matcher import Matcher
from menpai.tables.entries import cell_text
from menpai.tables.linkage.clustered import ADDED
from menpai.tables.linkage.reading import Chosen, read_raw, without
from menpai.tables.readers import open_table
from menpai.tables.review.added import added, is_true, marks
from menpai.tables.review.pair import Pair, text_of
from menpai.tables.review.sample import Sample, Stratum, distance, in_doubt
from menpai.tables.table import ReadOptions
from menpai.verdict import Verdict

UNJUDGED = Stratum(True, -1)


class _Member(NamedTuple):
    """A row of a cluster of several: its cluster, its id, its text, whether it is the golden row and marked."""

    cluster: str
    id: str
    text: str
    golden: bool
    review: bool | None


def read_clusters(path: str, chosen: Chosen, options: ReadOptions | None) -> Iterator[Pair]:
    """The pairs, not judged yet. The file is read twice; golden rows of clusters of several stay in memory."""
    golden = {row.cluster: row for row in _members(path, chosen, options) if row.golden}
    for row in _members(path, chosen, options):
        if not row.golden and (best := golden.get(row.cluster)):
            yield Pair(best.text, row.text, best.id, row.id, "", None, True, row.review)


def judge(sample: Sample, matcher: Matcher) -> Sample:
    """The sample with a label and a similarity for each pair that was kept, and the doubtful ones among these.

    A pair that cannot be judged keeps none.
    """
    drawn = sample.strata[UNJUDGED]
    answers = matcher.match_many([(pair.a, pair.b) for pair in drawn.pairs], evidence=False)
    pairs = [
        pair._replace(label=answer.label, similarity=answer.similarity)
        if isinstance(answer, Verdict)
        else pair
        for pair, answer in zip(drawn.pairs, answers, strict=True)
    ]
    doubtful = [pair for pair in pairs if in_doubt(pair)]
    mean = sum(pair.similarity or 0.0 for pair in pairs) / len(pairs)
    strata = sample.strata | {UNJUDGED: drawn._replace(mean=mean, pairs=pairs)}
    return Sample(strata, sorted(doubtful, key=lambda pair: (distance(pair), pair.key)), sample.partial)


def _members(path: str, chosen: Chosen, options: ReadOptions | None) -> Iterator[_Member]:
    with open_table(path, options) as table:
        cluster, size, golden = added(table, "cluster_id", "cluster_size", "is_golden")
        review = marks(table)
        for number, (row, raw) in enumerate(read_raw(without(table, ADDED), chosen), 1):
            if row.problem is None and cell_text(row.cells[size]) not in ("", "1"):
                text = text_of(raw.address, raw.name)
                name = cell_text(row.cells[cluster])
                yield _Member(name, raw.id or str(number), text, is_true(row.cells[golden]), review(row))
