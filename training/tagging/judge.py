"""Figures of a tagger on tagged texts: exact span and kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from menpai.parsing.tagger import Tagger
from training.tagging.conll import Tagged

Spans = Iterable[tuple[str, int, int]]


def judge(found: Sequence[Spans], rows: Sequence[Tagged], kinds: Collection[str]) -> dict[str, float]:
    """F1 of each kind, and of all of these kinds together ("all": micro)."""
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in ("all", *kinds)}
    for spans, row in zip(found, rows, strict=True):
        mine, true = ({s for s in some if s[0] in kinds} for some in (spans, row.spans))
        for name, some in (("both", mine & true), ("mine", mine), ("true", true)):
            for span in some:
                counts[span[0]][name] += 1
                counts["all"][name] += 1
    return {k: 2 * c["both"] / max(1, c["mine"] + c["true"]) for k, c in counts.items()}


def spans_of(tagger: Tagger, rows: Sequence[Tagged]) -> list[list[tuple[str, int, int]]]:
    """What the tagger finds, without confidences."""
    return [[span[:3] for span in spans] for spans in tagger.tag([row.text for row in rows])]
