"""fit → calibrate → judge → pack: from the pre-trained encoder to the pack in the wheel.

Each stage leaves files in the work folder and takes what the one before left.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from menpai.evidence import FEATURES
from menpai.scoring.linear import LinearModel
from menpai.scoring.tokens import Vocabulary
from training.calibrate import (
    clear_threshold,
    fit_linear,
    identical_probabilities,
    probabilities,
    sharpened,
    sharpness,
)
from training.card import card
from training.export import export_float, export_int8, run_graph
from training.fit import logits_of
from training.fits import Fits
from training.judge import judge
from training.judged import Judged, read_judged, write_held
from training.pack import pack

VERSION = "2026.12"
STAGES = ("fit", "calibrate", "judge", "pack")


def release(
    recipe: dict[str, Any], data: Path, work: Path, pretrained: Path, out: Path, until: str = "pack"
) -> str:
    """Run the stages until one of them: write the held rows as `work/held_*.tsv`, `work/calibrated.json`,
    `work/encoder.onnx`, `work/figures.json`, and the pack at `out`. Returns what the last one has to say."""
    plan, last = recipe["fit"], STAGES.index(until)
    vocabulary = Vocabulary((work / "vocabulary.txt").read_text(encoding="utf-8").split("\n")[:-1])
    seen, held = read_judged(data, plan["folds"], plan["held_fold"])
    write_held(held.rows, work)
    fits = Fits(recipe, pretrained, seen, vocabulary, work)
    crossed, encoder = fits.crossed(), fits.encoder()
    if last == 0:
        return str(fits.folder)
    weights = calibrated(plan, seen, crossed)
    (work / "calibrated.json").write_text(json.dumps(weights.to_json()) + "\n", encoding="utf-8")
    if last == 1:
        return json.dumps(judge(probabilities(weights.blend, seen.features, crossed), seen.labels))
    graph = export_int8(export_float(encoder), seen.texts, vocabulary)
    (work / "encoder.onnx").write_bytes(graph)
    figures = {
        "cross-fitted": judge(probabilities(weights.blend, seen.features, crossed), seen.labels),
        **held_figures(held, weights, logits_of(encoder, held.texts, vocabulary), "float32"),
        **held_figures(held, weights, run_graph(graph, held.texts, vocabulary), "int8"),
    }
    print(json.dumps(figures, ensure_ascii=False, indent=2), file=sys.stderr)
    (work / "figures.json").write_text(json.dumps(figures, ensure_ascii=False, indent=2), encoding="utf-8")
    if last == 2:
        return json.dumps(figures["int8"], ensure_ascii=False)
    pack(
        out, graph, vocabulary, {"fast": weights.fast, "blend": weights.blend},
        {"identical": weights.identical}, weights.clear,
        card(recipe, figures, len(seen.rows), len(held.rows), weights.clear),
        {"version": VERSION, "precision": "int8", "recipe": recipe, "features": len(FEATURES)},
    )  # fmt: skip
    return json.dumps(figures["int8"], ensure_ascii=False)


class Weights(NamedTuple):
    """What calibration finds: both linear models, the fast one's threshold, and how pairs of one normal form are labelled."""

    fast: LinearModel
    blend: LinearModel
    clear: float
    identical: list[float]

    def to_json(self) -> dict[str, Any]:
        """For people and for the next stage."""
        return self._asdict() | {"fast": self.fast.to_json(), "blend": self.blend.to_json()}


def calibrated(plan: dict[str, Any], seen: Judged, crossed: NDArray[np.float32]) -> Weights:
    """Weights fitted on rows that neither the encoder behind `crossed` nor, for the threshold, the evidence weights saw."""
    # Rows drawn because a model was in doubt would teach the fast scorer, which sees no text, to doubt everything.
    usual = ~seen.of("drawn_pairs")
    often = seen.take(usual)
    blend = fit_linear(seen.features, seen.labels, crossed, plan["decay"], sure=True)
    full = probabilities(blend, often.features, crossed[usual])
    fast = fit_linear(often.features, often.labels)
    fast, clear = decisive(fast, cross_fast(often), full, often, plan["fast_excess"])
    return Weights(fast, blend, clear, identical_probabilities(seen.labels[seen.identical]))


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
    mine = rows.of("pairs", "written") & (quick.max(1) >= clear_threshold(quick, full, rows.labels, excess))
    factor = sharpness(quick[mine], rows.labels[mine]) if mine.any() else 1.0
    sharp = LinearModel(list(fast.exact * factor), list(fast.lean * factor))
    scores = np.log(np.maximum(quick, 1e-12))
    return sharp, clear_threshold(sharpened(scores, factor), full, rows.labels, excess)


def held_figures(held: Judged, weights: Weights, logits: NDArray[np.float32], name: str) -> dict[str, Any]:
    """Figures on the held rows, together and by file."""
    figures: dict[str, Any] = {}
    for source in ("", *sorted({row.source for row in held.rows})):
        chosen = held.of(source) if source else np.ones(len(held.rows), dtype=bool)
        part = held.take(chosen)
        blend = probabilities(weights.blend, part.features, logits[chosen])
        figures[f"{name} {source}".strip()] = judge(blend, part.labels)
        figures[f"fast {source}".strip()] = judge(probabilities(weights.fast, part.features), part.labels)
    return figures
