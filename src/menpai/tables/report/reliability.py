"""Whether sureness means what it says: by labelled pairs, or by what people answered in a review."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from menpai.tables.calibrate import Judged
from menpai.tables.grey import joining
from menpai.tables.report.facts import Reliability
from menpai.tables.review.labels import path_of, read_labels
from menpai.verdict import LABELS

_BINS = 10


def from_labelled(judged: Judged, accept: str, source: str) -> Reliability:
    """By the probability that a pair joins, and whether its label does."""
    pairs = zip(judged.pairs, judged.verdicts, strict=True)
    joined = (
        (joining(verdict.probabilities, accept), _truly(pair.truth, accept))
        for pair, verdict in pairs
        if pair.truth is not None
    )
    return Reliability(source, "probability", _binned(joined))


def from_review(output: str, accept: str) -> Reliability | None:
    """By the similarity in the output, from what people answered beside it; None without a review."""
    path = path_of(output)
    if not Path(path).is_file():
        return None
    lines = [label.line for label in read_labels(path)]
    known = [line for line in lines if isinstance(line.get("similarity"), int | float)]
    joined = (
        (float(line["similarity"]), LABELS.index(line["label"]) <= (accept == "partial")) for line in known
    )
    return Reliability(path, "similarity", _binned(joined)) if known else None


def card_table(card: str) -> list[list[str]]:
    """The first table of a pack's card, with its heads; empty where it has none."""
    found: list[list[str]] = []
    for line in card.splitlines():
        if line.startswith("|"):
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if not set("".join(cells)) <= set("-: "):
                found.append(cells)
        elif found:
            break
    return found


def _truly(truth: int | bool, accept: str) -> bool:
    return truth if isinstance(truth, bool) else truth <= (accept == "partial")


def _binned(pairs: Iterable[tuple[float, bool]]) -> tuple[tuple[int, float, float], ...]:
    """Number, mean and share of each tenth that has pairs."""
    bins: list[list[tuple[float, bool]]] = [[] for _ in range(_BINS)]
    for chance, same in pairs:
        bins[min(_BINS - 1, int(chance * _BINS))].append((chance, same))
    return tuple(
        (len(found), _mean([c for c, _ in found]), _mean([s for _, s in found])) for found in bins if found
    )


def _mean(values: Sequence[float]) -> float:
    return round(sum(values) / len(values), 4)
