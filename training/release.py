"""fit → calibrate → judge → pack: from the pre-trained encoder to the pack in the wheel."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from menpai.evidence import FEATURES, compare, measure
from menpai.parsing import parse
from menpai.scoring.encoder import encoder_texts
from menpai.scoring.linear import LinearModel
from menpai.scoring.tokens import Vocabulary
from menpai.text import normalize
from training.calibrate import (
    clear_threshold,
    fit_linear,
    identical_probabilities,
    probabilities,
    sharpened,
    sharpness,
)
from training.card import card
from training.data import LABELS_FOLDER, OURS, Labelled, fold_of, folds_of_ours, read_labelled, with_hints
from training.export import export_float, export_int8, run_graph
from training.fit import fit, logits_of
from training.judge import judge
from training.model import load, save
from training.pack import pack

GOLD = ("gold/pairs.tsv", "gold/written.tsv")
VERSION = "2026.12"


class Judged(NamedTuple):
    """Judged rows with everything that is computed from them."""

    rows: list[Labelled]
    texts: list[tuple[str, str]]
    labels: NDArray[np.int64]
    features: NDArray[np.float32]
    folds: NDArray[np.int64]
    identical: NDArray[np.bool_]

    def take(self, chosen: NDArray[np.bool_]) -> Judged:
        """The chosen rows."""
        at = np.flatnonzero(chosen)
        return Judged(
            [self.rows[i] for i in at], [self.texts[i] for i in at], self.labels[at], self.features[at],
            self.folds[at],
            self.identical[at],
        )  # fmt: skip


def release(recipe: dict[str, Any], data: Path, work: Path, pretrained: Path, out: Path) -> str:
    """Write the pack at `out`, the held rows as `work/held_*.tsv`, and return the figures as text."""
    plan = recipe["fit"]
    vocabulary = Vocabulary((work / "vocabulary.txt").read_text(encoding="utf-8").split("\n")[:-1])
    everything = read_judged(data, plan["folds"], plan["held_fold"])
    held = everything.take(everything.folds == plan["held_fold"])
    seen = everything.take(everything.folds != plan["held_fold"])
    write_held(held.rows, work)
    crossed = cross_fit(recipe, pretrained, seen, vocabulary, work)
    # Rows drawn because a model was in doubt would teach the fast scorer, which sees no text, to doubt everything.
    usual = np.array([row.source != "drawn_pairs" for row in seen.rows])
    often = seen.take(usual)
    fast = fit_linear(often.features, often.labels)
    blend = fit_linear(seen.features, seen.labels, crossed, plan["decay"], sure=True)
    full = probabilities(blend, often.features, crossed[usual])
    fast, clear = decisive(fast, cross_fast(often), full, often, plan["fast_excess"])
    encoder = _fitted(recipe, pretrained, seen, vocabulary, work / "fitted.pt")
    graph = export_int8(export_float(encoder), seen.texts, vocabulary)
    figures = {
        "cross-fitted": judge(probabilities(blend, seen.features, crossed), seen.labels),
        **_held_figures(held, fast, blend, logits_of(encoder, held.texts, vocabulary), "float32"),
        **_held_figures(held, fast, blend, run_graph(graph, held.texts, vocabulary), "int8"),
    }
    print(json.dumps(figures, ensure_ascii=False, indent=2), file=sys.stderr)
    (work / "figures.json").write_text(json.dumps(figures, ensure_ascii=False, indent=2), encoding="utf-8")
    pack(
        out, graph, vocabulary, {"fast": fast, "blend": blend},
        {"identical": identical_probabilities(seen.labels[seen.identical])}, clear,
        card(recipe, figures, len(seen.rows), len(held.rows), clear),
        {"version": VERSION, "precision": "int8", "recipe": recipe, "features": len(FEATURES)},
    )  # fmt: skip
    return json.dumps(figures["int8"], ensure_ascii=False)


def read_judged(data: Path, folds: int, held: int) -> Judged:
    """All judged rows of the project, with texts, features and folds by place."""
    gold = [row for name in GOLD for row in read_labelled(data / name)]
    ours = [row for name in OURS for row in read_labelled(LABELS_FOLDER / name)]
    rows = gold + ours
    comparisons = [compare(parse(normalize(r.a)), parse(normalize(r.b))) for r in rows]
    at = np.array([*(fold_of(row.place, folds) for row in gold), *folds_of_ours(gold, ours, folds, held)])
    labels = np.array([row.label for row in rows])
    same = np.array([c.identical for c in comparisons])
    return Judged(rows, [encoder_texts(c) for c in comparisons], labels, measure(comparisons), at, same)


def cross_fit(
    recipe: dict[str, Any], pretrained: Path, seen: Judged, vocabulary: Vocabulary, work: Path
) -> NDArray[np.float32]:
    """Logits [n, 3] of each row from an encoder that was not fitted on the row's place."""
    path = work / "crossed.npy"
    if path.exists():
        stored: NDArray[np.float32] = np.load(path, allow_pickle=False)
        if len(stored) == len(seen.rows):
            return stored
    out = np.zeros((len(seen.rows), 3), dtype=np.float32)
    for fold in np.unique(seen.folds):
        print(f"cross-fitting without fold {fold}", file=sys.stderr)
        rest, left = seen.take(seen.folds != fold), seen.take(seen.folds == fold)
        model = fit(recipe["fit"], pretrained, rest.texts, with_hints(rest.rows), vocabulary, recipe["seed"])
        out[seen.folds == fold] = logits_of(model, left.texts, vocabulary)
    np.save(path, out)
    return out


def cross_fast(seen: Judged) -> NDArray[np.float64]:
    """Probabilities [n, 3] of each row from evidence weights that were not fitted on the row's place."""
    out = np.zeros((len(seen.rows), 3))
    for fold in np.unique(seen.folds):
        rest = seen.take(seen.folds != fold)
        model = fit_linear(rest.features, rest.labels)
        out[seen.folds == fold] = probabilities(model, seen.features[seen.folds == fold])
    return out


def decisive(
    fast: LinearModel, quick: NDArray[np.float64], full: NDArray[np.float64], rows: Judged, excess: float
) -> tuple[LinearModel, float]:
    """The fast model, as sharp as the pairs of no particular difficulty that it decides want it, and from where it decides."""
    drawn_plainly = np.array([row.source in ("pairs", "written") for row in rows.rows])
    mine = drawn_plainly & (quick.max(1) >= clear_threshold(quick, full, rows.labels, excess))
    factor = sharpness(quick[mine], rows.labels[mine]) if mine.any() else 1.0
    sharp = LinearModel(list(fast.exact * factor), list(fast.lean * factor))
    scores = np.log(np.maximum(quick, 1e-12))
    return sharp, clear_threshold(sharpened(scores, factor), full, rows.labels, excess)


def _fitted(
    recipe: dict[str, Any], pretrained: Path, seen: Judged, vocabulary: Vocabulary, path: Path
) -> Any:
    """The encoder fitted on all rows but the held ones."""
    if path.exists():
        return load(path)[0]
    print("fitting on all seen rows", file=sys.stderr)
    model = fit(recipe["fit"], pretrained, seen.texts, with_hints(seen.rows), vocabulary, recipe["seed"])
    save(model, path)
    return model


def _held_figures(
    held: Judged, fast: Any, blend: Any, logits: NDArray[np.float32], name: str
) -> dict[str, Any]:
    """Figures on the held rows, together and by file."""
    figures: dict[str, Any] = {}
    for source in ("", *sorted({row.source for row in held.rows})):
        chosen = np.array([not source or row.source == source for row in held.rows])
        part = held.take(chosen)
        key = f"{name} {source}".strip()
        figures[key] = judge(probabilities(blend, part.features, logits[chosen]), part.labels)
        figures[f"fast {source}".strip()] = judge(probabilities(fast, part.features), part.labels)
    return figures


def write_held(rows: Sequence[Labelled], work: Path) -> None:
    """The held rows of each file as `held_FILE.tsv`, for `menpai evaluate`."""
    for source in sorted({row.source for row in rows}):
        lines = ["address_a\taddress_b\tlabel\tlevel\tconflict\tplace\n"]
        for r in rows:
            if r.source == source:
                label = ("exact_match", "partial_match", "not_match")[r.label]
                lines.append(f"{r.a}\t{r.b}\t{label}\t{r.level}\t{r.conflict}\t{r.place}\n")
        (work / f"held_{source}.tsv").write_text("".join(lines), encoding="utf-8")
