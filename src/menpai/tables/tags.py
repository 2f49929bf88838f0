"""Measure tagged spans: a span counts if its ends and its tag are exactly those of the file."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from menpai.parsing.schemes import Scheme, Tagged
from menpai.tables.conll import Sentence

Tagging = Callable[[Sequence[str]], Sequence[Sequence[Tagged]]]
_BATCH = 256


@dataclass(frozen=True, slots=True)
class TagReport:
    """The figures, and what was found for each sentence."""

    figures: dict[str, Any]
    found: list[Sequence[Tagged]]


def evaluate_tags(
    sentences: Sequence[Sentence], scheme: Scheme, tag: Tagging, only: Collection[str] = ()
) -> TagReport:
    """Precision, recall and F1 over all spans and for each tag; `only` leaves the other tags out of it."""
    found: list[Sequence[Tagged]] = []
    start = time.perf_counter()
    for at in range(0, len(sentences), _BATCH):
        found.extend(tag([sentence.text for sentence in sentences[at : at + _BATCH]]))
    seconds = time.perf_counter() - start
    right, wanted, given = Counter[str](), Counter[str](), Counter[str]()
    whole = 0
    for sentence, spans in zip(sentences, found, strict=True):
        truth = {span for span in sentence.spans if not only or span.tag in only}
        answer = {span for span in spans if not only or span.tag in only}
        right.update(span.tag for span in truth & answer)
        wanted.update(span.tag for span in truth)
        given.update(span.tag for span in answer)
        whole += truth == answer
    tags = [tag for tag in scheme.tags if wanted[tag] or given[tag]]
    total = _scores(right.total(), given.total(), wanted.total())
    figures = {
        "scheme": scheme.name,
        "sentences": len(sentences),
        "micro_f1": total["f1"],
        "micro_precision": total["precision"],
        "micro_recall": total["recall"],
        "whole_sentences": whole / len(sentences),
        "per_element": {tag: _scores(right[tag], given[tag], wanted[tag]) for tag in tags},
        "sentences_per_second": round(len(sentences) / seconds, 1),
    }
    return TagReport(figures, found)


def _scores(right: int, given: int, wanted: int) -> dict[str, Any]:
    """Precision, recall, F1 (0 where nothing is right) and how many spans the file has."""
    precision = right / given if given else 0.0
    recall = right / wanted if wanted else 0.0
    f1 = 2 * right / (given + wanted) if given + wanted else 0.0
    return {"precision": precision, "recall": recall, "f1": f1, "count": wanted}
