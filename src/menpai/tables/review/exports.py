"""Labels in the shapes that others read: MGeo's fine-tuning, and the decisions of `dedupe` and `link`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from menpai.errors import UsageError
from menpai.tables.linkage import decisions
from menpai.tables.review.labels import Label
from menpai.tables.review.outputs import joins

COLUMNS = {
    "pairs": ("address_a", "address_b", "label"),
    "mgeo": ("sentence1", "sentence2", "label"),
    "decisions": decisions.COLUMNS,
}
"What can be exported, and its columns. MGeo's labels are names: its recipe lists not_match, partial_match, exact_match."


def rows_of(kind: str, labels: Iterable[Label], accept: str) -> Iterator[tuple[Any, ...]]:
    """The rows of an export, the last answer on each pair; decisions say `same` of what joins under `accept`."""
    for label in {label.key: label for label in labels}.values():
        line = label.line
        if kind != "decisions":
            yield line["address_a"], line["address_b"], label.label
        elif not (line["id_a"] and line["id_b"]):
            raise UsageError("review_without_ids")
        else:
            word = decisions.SAME if joins(label.label, accept) else decisions.DIFFERENT
            yield line["id_a"], line["id_b"], word
