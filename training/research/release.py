"""fit → calibrate → judge → pack of menpai-mini-research: one encoder for each fold of queries, and the mean of all."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from menpai.evidence import FEATURES
from menpai.scoring.tokens import Vocabulary
from training.calibrate import clear_threshold, fit_linear, identical_probabilities, probabilities
from training.data import Labelled, read_labelled
from training.export import export_int8, export_mean, run_graph
from training.fit import fit, logits_of
from training.judge import judge
from training.model import PairEncoder, load, save
from training.pack import pack
from training.pretrain import pretrain
from training.research.balance import balanced
from training.research.card import card
from training.research.grow import grown
from training.research.pairs import widened, write_mixed
from training.research.sets import LEARNED, MEASURED, Prepared, own_rows, prepared

LICENCE = "research data, non-commercial"
VERSION = "2026.12"


def release(recipe: dict[str, Any], data: Path, base: Path, work: Path, out: Path) -> str:
    """Write the pack at `out`, from the built-in encoder in the work folder `base`; returns the figures as text."""
    plan = recipe["fit"]
    research = read_labelled(data / LEARNED)
    own, held = own_rows(data, plan["own_folds"], plan["held_fold"])
    pretrained = pretrain_on(recipe, research, own, base, work)
    vocabulary = read_vocabulary(work / "vocabulary.txt")
    everything, mine = prepared(research), prepared(own)
    encoders, logits = cross_fit(recipe, pretrained, everything, mine, vocabulary, work)
    left_out = np.flatnonzero(everything.folds(plan["folds"]) < plan["encoders"])
    learned, crossed = everything.take(left_out), logits[left_out]
    fast = balanced(fit_linear(learned.features, learned.labels), learned.labels, plan["balance"])
    blend = balanced(fit_linear(learned.features, learned.labels, crossed), learned.labels, plan["balance"])
    full = probabilities(blend, learned.features, crossed)
    clear = clear_threshold(_cross_fast(learned, plan), full, learned.labels, plan["fast_excess"])
    graph = _graph(work / "encoder.onnx", encoders, learned.texts[:: plan["range_step"]], vocabulary)
    figures = {"cross-fitted": judge(full, learned.labels)}
    sets = {"ccks_round2_open": read_labelled(data / MEASURED), "own held": held}
    for name, rows in ((name, prepared(rows)) for name, rows in sets.items()):
        whole = probabilities(blend, rows.features, run_graph(graph, rows.texts, vocabulary))
        figures[f"int8 {name}"] = judge(whole, rows.labels)
        figures[f"fast {name}"] = judge(probabilities(fast, rows.features), rows.labels)
    print(json.dumps(figures, ensure_ascii=False, indent=2), file=sys.stderr)
    (work / "figures.json").write_text(json.dumps(figures, ensure_ascii=False, indent=2), encoding="utf-8")
    pack(
        out, graph, vocabulary, {"fast": fast, "blend": blend},
        {"identical": identical_probabilities(learned.labels[learned.identical])}, clear,
        card(recipe, figures, len(research), len(own), len(held), clear),
        {"version": VERSION, "precision": "int8", "licence": LICENCE, "recipe": recipe, "features": len(FEATURES)},
    )  # fmt: skip
    return json.dumps(figures["int8 ccks_round2_open"], ensure_ascii=False)


def pretrain_on(
    recipe: dict[str, Any], research: list[Labelled], own: list[Labelled], base: Path, work: Path
) -> Path:
    """The built-in encoder, gone on with research texts; `work/vocabulary.txt` has the characters of both."""
    done, pairs = work / "pretrained.pt", work / "pairs.tsv"
    if done.exists():
        return done
    plan, seed = recipe["pairs"], recipe["seed"]
    if not pairs.exists():
        write_mixed(base / "pairs.tsv", plan["every"], research, own, pairs, seed)
    known = read_vocabulary(base / "vocabulary.txt")
    vocabulary = widened(known, (text for row in research for text in (row.a, row.b)), plan["least"])
    (work / "vocabulary.txt").write_text("\n".join(vocabulary.entries) + "\n", encoding="utf-8")
    start, _ = load(base / "pretrained.pt")
    return pretrain(recipe, pairs, work, grown(start, len(vocabulary), seed))


def read_vocabulary(path: Path) -> Vocabulary:
    """The vocabulary of a work folder."""
    return Vocabulary(path.read_text(encoding="utf-8").split("\n")[:-1])


def cross_fit(
    recipe: dict[str, Any],
    pretrained: Path,
    learned: Prepared,
    mine: Prepared,
    vocabulary: Vocabulary,
    work: Path,
) -> tuple[list[PairEncoder], NDArray[np.float32]]:
    """Encoders, each fitted without a fold, and the logits [n, 3] of the research rows of these folds from the one that did
    not see their query. The pack is the mean of the encoders, so that nothing has to be fitted again."""
    count = recipe["fit"]["folds"]
    folds, others = learned.folds(count), mine.folds(count)
    out = np.zeros((len(folds), 3), dtype=np.float32)
    encoders = []
    for fold in range(recipe["fit"]["encoders"]):
        path = work / f"without_{fold}.pt"
        if not path.exists():
            print(f"fitting without fold {fold}", file=sys.stderr, flush=True)
            at, also = np.flatnonzero(folds != fold), np.flatnonzero(others != fold)
            texts = [learned.texts[i] for i in at] + [mine.texts[i] for i in also]
            labels = np.concatenate([learned.labels[at], mine.labels[also]])
            save(fit(recipe["fit"], pretrained, texts, labels, vocabulary, recipe["seed"] + fold), path)
        encoders.append(load(path)[0])
        left = np.flatnonzero(folds == fold)
        out[left] = logits_of(encoders[-1], [learned.texts[i] for i in left], vocabulary)
    return encoders, out


def _cross_fast(learned: Prepared, plan: dict[str, Any]) -> NDArray[np.float64]:
    """Probabilities [n, 3] of each row from evidence weights that did not see its query."""
    folds = learned.folds(plan["own_folds"])
    out = np.zeros((len(folds), 3))
    for fold in np.unique(folds):
        rest, left = folds != fold, folds == fold
        model = fit_linear(learned.features[rest], learned.labels[rest])
        out[left] = probabilities(
            balanced(model, learned.labels[rest], plan["balance"]), learned.features[left]
        )
    return out


def _graph(
    path: Path, encoders: list[PairEncoder], texts: list[tuple[str, str]], vocabulary: Vocabulary
) -> bytes:
    """The INT8 graph of the mean, made once."""
    if not path.exists():
        path.write_bytes(export_int8(export_mean(encoders), texts, vocabulary))
    return path.read_bytes()
