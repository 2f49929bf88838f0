"""Calibrate a pack on labelled pairs: cross-validated, with intervals; or say why these pairs cannot do it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from menpai.errors import Problem, UsageError
from menpai.matcher import Matcher
from menpai.packs import Pack
from menpai.packs.derive import derive
from menpai.scoring.calibration import Calibration, fit
from menpai.scoring.scorer import Score
from menpai.tables import metrics
from menpai.tables.labelled import Labelled, LabelledPairs, folds_of, groups_of, shown
from menpai.verdict import Probabilities, Verdict

Floats = NDArray[np.float64]

FOLDS, DRAWS, SURE = 10, 1000, 0.95
LEAST, LEAST_OF_LABEL = 150, 20
"Pairs, and pairs of each label, below which four numbers cannot be told from noise."
CONTRADICTIONS = 0.01
"The share of pairs that may be labelled twice and otherwise; more, and the labels follow no one rule."
FILE = "calibration.json"


class Judged(NamedTuple):
    """Labelled pairs with what the pack says of them."""

    pairs: list[Labelled]
    verdicts: list[Verdict]
    problems: int


@dataclass(frozen=True, slots=True)
class Calibrated:
    """The calibration fitted on all pairs, figures of pairs that it was not fitted on, and why not to use it, if so."""

    calibration: Calibration
    figures: dict[str, Any]
    refused: str


def judge(labelled: LabelledPairs, matcher: Matcher) -> Judged:
    """The verdict on each pair; those that cannot be judged are left out and counted."""
    answers = matcher.match_many([(pair.a, pair.b) for pair in labelled.pairs], evidence=False)
    good = [(p, a) for p, a in zip(labelled.pairs, answers, strict=True) if not isinstance(a, Problem)]
    return Judged([p for p, _ in good], [a for _, a in good], len(answers) - len(good) + labelled.unreadable)


def check_support(labelled: LabelledPairs, least: int = LEAST, of_label: int = LEAST_OF_LABEL) -> None:
    """Raise what speaks against fitting anything to these labels."""
    if len(labelled.contradictions) > CONTRADICTIONS * len(labelled.pairs):
        raise UsageError(
            "labels_contradict", count=len(labelled.contradictions), where=shown(labelled.contradictions)
        )
    if not labelled.pairs:
        raise UsageError("nothing_judged", path=labelled.source)
    counts = labelled.counts
    listed = ", ".join(f"{name} {count}" for name, count in counts.items())
    if sum(count > 0 for count in counts.values()) < 2 and len(labelled.pairs) >= least:
        raise UsageError("labels_all_one", counts=listed)
    if len(labelled.pairs) < least or min(counts.values()) < of_label:
        raise UsageError(
            "labels_few", counts=listed, found=len(labelled.pairs), least=least, of_label=of_label
        )


def calibrate(
    judged: Judged, matcher: Matcher, told: Callable[[float], None] = lambda share: None
) -> Calibrated:
    """Fit, and measure on folds by connected texts; `refused` names the reason where nothing is gained."""
    groups = groups_of(judged.pairs)
    folds = folds_of(groups, min(FOLDS, int(groups.max()) + 1))
    after = list(judged.verdicts)
    for fold in range(int(folds.max()) + 1):
        held = np.flatnonzero(folds == fold).tolist()
        fitted = _fitted(judged, np.flatnonzero(folds != fold).tolist())
        for at, verdict in zip(held, recalibrated(judged, held, fitted, matcher), strict=True):
            after[at] = verdict
        told((fold + 1) / (int(folds.max()) + 1))
    truths = [pair.truth for pair in judged.pairs]
    tables = [table_of(verdicts, truths) for verdicts in (judged.verdicts, after)]
    gain = tables[0].losses - tables[1].losses
    figures: dict[str, Any] = {
        "pairs": len(truths),
        "problems": judged.problems,
        "folds": int(folds.max()) + 1,
        "before": figures_of(tables[0], groups),
        "after": figures_of(tables[1], groups),
        "log_loss_gain": _with_interval(gain, groups, np.mean),
    }
    refused = "" if figures["log_loss_gain"]["interval"][0] > 0 else "no_gain"
    calibration = _fitted(judged, range(len(truths)))
    return Calibrated(calibration, figures | {"calibration": calibration.to_json()}, refused)


def _fitted(judged: Judged, chosen: Sequence[int]) -> Calibration:
    """Fitted where the scorer decides: identical texts and what a policy moves keep their probabilities."""
    used = [at for at in chosen if _is_scored(judged.verdicts[at])]
    truths = [judged.pairs[at].truth for at in used]
    return fit([_score(judged.verdicts[at]) for at in used], [t for t in truths if t is not None])


def _is_scored(verdict: Verdict) -> bool:
    return verdict.decided_by in ("fast", "encoder") and tuple(verdict.probabilities) == _score(verdict)


def _score(verdict: Verdict) -> tuple[float, float, float]:
    exact, partial, differ = verdict.scored[:3] if verdict.scored else verdict.probabilities
    return exact, partial, differ


def recalibrated(
    judged: Judged, chosen: Sequence[int], calibration: Calibration, matcher: Matcher
) -> list[Verdict]:
    """The verdicts that the pack would give with this calibration on top, policies and all."""
    pairs = [(judged.pairs[at].a, judged.pairs[at].b) for at in chosen]
    scores = []
    for at in chosen:
        verdict = judged.verdicts[at]
        given = Probabilities(*_score(verdict))
        known = verdict.decided_by in ("fast", "encoder")
        reading = verdict.scored[3] if verdict.scored else 0.0
        scores.append(Score(calibration.apply(given) if known else given, verdict.decided_by, reading))
    return [each for each in matcher.rebuild(pairs, scores) if not isinstance(each, Problem)]


class Judgements(NamedTuple):
    """What the figures are counted from, one entry a pair: the label, the verdict's, its probability, the log-loss."""

    gold: NDArray[np.int64]
    predicted: NDArray[np.int64]
    sure: Floats
    losses: Floats
    classes: int


def table_of(verdicts: Sequence[Verdict], truths: Sequence[int | bool | None]) -> Judgements:
    """The judgements; of two classes the first is "same", which is exact_match."""
    rows = np.array([tuple(verdict.probabilities) for verdict in verdicts])
    if any(type(truth) is bool for truth in truths):
        rows = np.stack([rows[:, 0], rows[:, 1:].sum(1)], 1)
    gold = np.array([int(not truth) if isinstance(truth, bool) else int(truth or 0) for truth in truths])
    at = np.arange(len(gold))
    losses = -np.log(np.maximum(rows[at, gold], 1e-12))
    return Judgements(gold, rows.argmax(1), rows.max(1), losses, rows.shape[1])


def figures_of(table: Judgements, groups: NDArray[np.int64]) -> dict[str, Any]:
    """Calibration error, log-loss and macro-F1, each with its interval, and precision, recall, F1, count of each label."""
    right = table.gold == table.predicted
    sure = np.stack([table.sure, right], 1)
    labels = np.stack([table.gold, table.predicted], 1)
    names = ("same", "different") if table.classes == 2 else ("exact_match", "partial_match", "not_match")
    counts = metrics.confusion(table.gold, table.predicted, table.classes)
    error = _with_interval(sure, groups, lambda x: metrics.ece(x[:, 0], x[:, 1] > 0))
    return {
        "ece": error | {"interval": [max(0.0, end) for end in error["interval"]]},
        "log_loss": _with_interval(table.losses, groups, np.mean),
        "macro_f1": _with_interval(labels, groups, lambda x: _macro(x, table.classes)),
        "per_label": dict(zip(names, metrics.per_class(counts), strict=True)),
    }


def _macro(labels: NDArray[Any], classes: int) -> float:
    return metrics.macro_f1(metrics.confusion(labels[:, 0], labels[:, 1], classes))


def _with_interval(
    values: NDArray[Any], groups: NDArray[np.int64], figure: Callable[[NDArray[Any]], Any]
) -> dict[str, Any]:
    """A figure with the interval that holds 95 % of its bootstrap draws, which take whole groups."""
    return {"value": float(figure(values)), "interval": interval(values, groups, figure)}


def interval(
    values: NDArray[Any], groups: NDArray[np.int64], figure: Callable[[NDArray[Any]], Any], draws: int = DRAWS
) -> list[float]:
    """The percentile interval of a bootstrap over groups (Efron 1979), about the value: draws of a calibration error lie
    above it. The same values give the same interval."""
    rng = np.random.default_rng(20261130)
    order, sizes = np.argsort(groups, kind="stable"), np.bincount(groups)
    begins = np.cumsum(sizes) - sizes
    found = []
    for _ in range(draws):
        drawn = rng.integers(0, len(sizes), len(sizes))
        size = sizes[drawn]
        within = np.arange(size.sum()) - np.repeat(np.cumsum(size) - size, size)
        found.append(figure(values[order[np.repeat(begins[drawn], size) + within]]))
    value, middle = float(figure(values)), float(np.mean(found))
    low, high = np.quantile(found, [(1 - SURE) / 2, (1 + SURE) / 2]).tolist()
    return [value + low - middle, value + high - middle]


def write_calibrated(pack: Pack, path: Path, found: Calibrated) -> Pack:
    """The pack with the calibration on top of the one that it may have."""
    if "calibration" in pack.manifest["files"]:
        whole = found.calibration.after(Calibration.from_json(pack.read_json("calibration")))
    else:
        whole = found.calibration
    content = (json.dumps(whole.to_json()) + "\n").encode()
    facts = {"calibrated": {k: found.figures[k] for k in ("pairs", "before", "after", "log_loss_gain")}}
    return derive(pack, path, {"calibration": (FILE, content)}, facts, _note(pack, found))


def _note(pack: Pack, found: Calibrated) -> str:
    before, after = found.figures["before"], found.figures["after"]
    return (
        f"## Calibrated on the user's own pairs\n\nMade from {pack.id} with {found.figures['pairs']} labelled pairs. "
        f"Calibration error {before['ece']['value']:.3f} → {after['ece']['value']:.3f}, log-loss "
        f"{before['log_loss']['value']:.3f} → {after['log_loss']['value']:.3f} (cross-validated)."
    )
