"""A pack fitted to the user's own pairs: split → tune → weigh → write → judge. Needs the extra `train`."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from menpai.errors import UsageError
from menpai.matcher import Matcher
from menpai.packs import Pack
from menpai.packs.derive import derive
from menpai.scoring.linear import LinearModel
from menpai.scoring.tokens import Vocabulary
from menpai.tables import metrics
from menpai.tables.calibrate import check_support, figures_of, interval, judge, table_of
from menpai.tables.labelled import Labelled, LabelledPairs, folds_of, groups_of
from menpai.training.export import export_float, export_int8, export_mean
from menpai.training.model import PairEncoder
from menpai.training.restore import restore
from menpai.training.rows import Examples, read_examples
from menpai.training.tune import Recipe, logits_of, tune
from menpai.training.weights import clear_from, refit
from menpai.verdict import LABELS

LEAST, LEAST_OF_LABEL = 1000, 50
"Pairs, and pairs of each label, below which calibrating is all that pays."
_FOLDS, _HELD, _CHECK = 20, 4, 3
"Of 20 parts, 4 are held for the figures and 3 watch the fit; the rest is trained on."
_RANGES = 2000
"Pairs by which the scales of INT8 are fixed."

Told = Callable[[str, dict[str, Any]], None]


@dataclass(frozen=True, slots=True)
class Wish:
    """What a person may say about training."""

    recipe: Recipe = field(default_factory=Recipe)
    least: int = LEAST
    of_label: int = LEAST_OF_LABEL
    force: bool = False


@dataclass(frozen=True, slots=True)
class _Split:
    """Pairs that are trained on, that watch the fit, and that nothing but the figures sees."""

    seen: list[Labelled]
    check: list[Labelled]
    held: list[Labelled]


def train(
    labelled: LabelledPairs,
    matcher: Matcher,
    out: Path,
    teacher: Matcher | None = None,
    wish: Wish | None = None,
    told: Told = lambda step, facts: None,
) -> dict[str, Any]:
    """Write the fitted pack at `out` and return the figures; `written` is null where it was no better, unless forced.

    A run that was stopped goes on from its last pass, kept in `.NAME.training` beside `out`.
    """
    wish = wish or Wish()
    pairs = _pairs_of(labelled, teacher, wish)
    models = restore(matcher.pack)
    split = _split(pairs, teacher)
    vocabulary = Vocabulary(matcher.pack.file("vocabulary").read_text(encoding="utf-8").split("\n")[:-1])
    told("read", {"seen": len(split.seen), "check": len(split.check), "held": len(split.held)})
    seen, check = (read_examples(part, matcher, teacher) for part in (split.seen, split.check))
    work = out.absolute().parent / f".{out.absolute().name}.training"
    work.mkdir(parents=True, exist_ok=True)
    mark = _fingerprint(matcher, seen, check, wish.recipe)
    for at, model in enumerate(models):
        kept = work / f"{mark}-{at}.ckpt"
        tune(model, seen, check, vocabulary, wish.recipe, kept, *_tellers(told, at, len(models)))
    told("weigh", {})
    files = _files(matcher.pack, models, seen, check, vocabulary)
    figures = _finished(matcher, split.held, files, out, wish, labelled, teacher)
    if figures["written"]:
        shutil.rmtree(work, ignore_errors=True)
    return figures


def _pairs_of(labelled: LabelledPairs, teacher: Matcher | None, wish: Wish) -> list[Labelled]:
    """All pairs that can be learned from; raises what speaks against it."""
    unlabelled = labelled.unlabelled if teacher else []
    if teacher is None or labelled.pairs:
        of_label = wish.of_label if len(labelled.pairs) >= wish.least else 0
        check_support(labelled, 0, of_label if teacher is None else 1)
    if len(labelled.pairs) + len(unlabelled) < wish.least:
        listed = ", ".join(f"{name} {count}" for name, count in labelled.counts.items())
        raise UsageError(
            "train_few", found=len(labelled.pairs) + len(unlabelled), counts=listed, least=wish.least
        )
    return [*labelled.pairs, *unlabelled]


def _split(pairs: Sequence[Labelled], teacher: Matcher | None) -> _Split:
    """Whole groups of connected texts to each part; what is held has labels, the teacher's if there are no others."""
    folds = folds_of(groups_of(pairs), _FOLDS)
    held = [pair for pair, fold in zip(pairs, folds, strict=True) if fold < _HELD]
    if any(pair.truth is not None for pair in held):
        held = [pair for pair in held if pair.truth is not None]
    elif teacher:
        held = _labelled_by(teacher, held)
    parts = [
        [pair for pair, fold in zip(pairs, folds, strict=True) if low <= fold < high]
        for low, high in ((_HELD + _CHECK, _FOLDS), (_HELD, _HELD + _CHECK))
    ]
    if not all((*parts, held)):
        raise UsageError("train_one_group", pairs=len(pairs))
    return _Split(parts[0], parts[1], held)


def _labelled_by(teacher: Matcher, pairs: Sequence[Labelled]) -> list[Labelled]:
    judged = judge(LabelledPairs(pairs=list(pairs)), teacher)
    return [
        pair._replace(truth=LABELS.index(verdict.label))
        for pair, verdict in zip(judged.pairs, judged.verdicts, strict=True)
    ]


def _fingerprint(matcher: Matcher, seen: Examples, check: Examples, recipe: Recipe) -> str:
    """Names a fit by all that it starts from: a checkpoint of another one is never read."""
    digest = hashlib.sha256(repr((matcher.behaviour, recipe)).encode())
    for part in (seen, check):
        digest.update(repr(part.texts).encode())
        digest.update(part.targets.tobytes())
    return digest.hexdigest()[:16]


def _tellers(
    told: Told, at: int, count: int
) -> tuple[Callable[[int, int, float], None], Callable[[float], None]]:
    """What hears of a pass that is done, and how far one is."""
    which = {"model": at + 1, "models": count}
    return (
        lambda done, passes, loss: told("pass", which | {"done": done, "passes": passes, "loss": loss}),
        lambda share: told("at", which | {"share": share}),
    )


def _files(
    pack: Pack, models: list[PairEncoder], seen: Examples, check: Examples, vocabulary: Vocabulary
) -> dict[str, tuple[str, bytes]]:
    """The graph in INT8 and the weights beside it."""
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore"
        )  # torch announces another exporter, and traces what it takes for constants
        whole = export_float(models[0]) if len(models) == 1 else export_mean(models)
    graph = export_int8(whole, seen.texts[:_RANGES], vocabulary)
    logits = np.stack([logits_of(model, check.texts, vocabulary) for model in models])
    encoder = np.asarray(logits.mean(axis=0), np.float32)
    weights = pack.read_json("weights")
    fast, blend = (
        LinearModel.from_json(weights[k], weights["features"], str(pack.path)) for k in ("fast", "blend")
    )
    features, targets = np.vstack([seen.features, check.features]), np.vstack([seen.targets, check.targets])
    fast, blend = refit(fast, features, targets), refit(blend, check.features, check.targets, encoder)
    clear = max(float(weights["clear"]), clear_from(fast, blend, check.features, check.targets, encoder))
    weights |= {"fast": fast.to_json(), "blend": blend.to_json(), "clear": clear}
    content = (json.dumps(weights, ensure_ascii=False) + "\n").encode()
    return {"graph": ("encoder.onnx", graph), "weights": ("weights.json", content)}


def _finished(
    matcher: Matcher,
    held: list[Labelled],
    files: dict[str, tuple[str, bytes]],
    out: Path,
    wish: Wish,
    labelled: LabelledPairs,
    teacher: Matcher | None,
) -> dict[str, Any]:
    """Judge the new pack beside the old one on the held pairs, and write it if it is better."""
    facts = {
        "trained": {
            "pairs": len(labelled.pairs), "unlabelled": len(labelled.unlabelled) if teacher else 0,
            "counts": labelled.counts, "teacher": teacher.pack_id if teacher else None, "held": len(held),
        }
    }  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        new = derive(matcher.pack, Path(folder) / out.absolute().name, files, facts, drop=("calibration",))
        fitted = Matcher(new, matcher.settings)
        before, after = (judge(LabelledPairs(pairs=held), each) for each in (matcher, fitted))
        del fitted, new
    figures = _figures(
        before.pairs, [table_of(each.verdicts, [p.truth for p in each.pairs]) for each in (before, after)]
    )
    figures = {
        "pack": matcher.pack_id,
        **facts["trained"],
        **figures,
        "problems": labelled.unreadable,
        "written": None,
    }
    if wish.force or figures["macro_f1_gain"]["value"] > 0:
        measured = {"before": figures["before"], "after": figures["after"]}
        facts["trained"] |= measured
        pack = derive(matcher.pack, out, files, facts, _note(matcher.pack, figures), drop=("calibration",))
        figures["written"] = pack.id
    return figures


def _figures(held: list[Labelled], tables: list[Any]) -> dict[str, Any]:
    groups = groups_of(held)
    classes = tables[0].classes
    both = np.stack([tables[0].gold, tables[0].predicted, tables[1].predicted], 1)

    def gain(rows: NDArray[Any]) -> float:
        first, second = (
            metrics.macro_f1(metrics.confusion(rows[:, 0], rows[:, at], classes)) for at in (1, 2)
        )
        return second - first

    return {
        "before": figures_of(tables[0], groups),
        "after": figures_of(tables[1], groups),
        "macro_f1_gain": {"value": gain(both), "interval": interval(both, groups, gain)},
    }


def _note(pack: Pack, figures: dict[str, Any]) -> str:
    before, after = (figures[when]["macro_f1"]["value"] for when in ("before", "after"))
    taught = f" {figures['unlabelled']} more by {figures['teacher']}." if figures["teacher"] else ""
    return (
        f"## Trained on the user's own pairs\n\nMade from {pack.id} with {figures['pairs']} labelled pairs.{taught} "
        f"Macro-F1 on {figures['held']} held-out pairs {before:.3f} → {after:.3f}. The figures above are those of {pack.id}."
    )
