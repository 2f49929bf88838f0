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
from training.fits import fits_folder
from training.judge import judge
from training.model import load, save
from training.pack import pack
from training.pretrain import pretrain
from training.research.balance import balanced
from training.research.card import card
from training.research.grow import grown
from training.research.pairs import widened, write_mixed
from training.research.sets import LEARNED, MEASURED, Prepared, own_rows, prepared

LICENCE = "research data, non-commercial"
VERSION = "2026.12"


def release(
    recipe: dict[str, Any], data: Path, base: Path, work: Path, out: Path, until: str = "pack"
) -> str:
    """Run the stages until one of them: the pack at `out`, from the built-in encoder in the work folder `base`. Returns
    what the last one has to say."""
    plan = recipe["fit"]
    research = read_labelled(data / LEARNED)
    own, held = own_rows(data, plan["own_folds"], plan["held_fold"])
    if until == "pairs":
        return str(mixed_pairs(recipe, research, own, base, work))
    pretrained = pretrain_on(recipe, research, own, base, work)
    if until == "pretrain":
        return str(pretrained)
    vocabulary = read_vocabulary(work / "vocabulary.txt")
    everything, mine = prepared(research), prepared(own)
    paths, logits = cross_fit(recipe, pretrained, everything, mine, vocabulary, work)
    if until == "fit":
        return " ".join(map(str, paths))
    left_out = np.flatnonzero(everything.folds(plan["folds"]) < plan["encoders"])
    learned, crossed = everything.take(left_out), logits[left_out]
    fast = balanced(fit_linear(learned.features, learned.labels), learned.labels, plan["balance"])
    blend = balanced(fit_linear(learned.features, learned.labels, crossed), learned.labels, plan["balance"])
    full = probabilities(blend, learned.features, crossed)
    clear = clear_threshold(_cross_fast(learned, plan), full, learned.labels, plan["fast_excess"])
    figures = {"cross-fitted": judge(full, learned.labels)}
    if until == "calibrate":
        return json.dumps(figures["cross-fitted"])
    graph = _graph(work / "encoder.onnx", paths, learned.texts[:: plan["range_step"]], vocabulary)
    sets = {"ccks_round2_open": read_labelled(data / MEASURED), "own held": held}
    for name, rows in ((name, prepared(rows)) for name, rows in sets.items()):
        whole = probabilities(blend, rows.features, run_graph(graph, rows.texts, vocabulary))
        figures[f"int8 {name}"] = judge(whole, rows.labels)
        figures[f"fast {name}"] = judge(probabilities(fast, rows.features), rows.labels)
    print(json.dumps(figures, ensure_ascii=False, indent=2), file=sys.stderr)
    (work / "figures.json").write_text(json.dumps(figures, ensure_ascii=False, indent=2), encoding="utf-8")
    if until == "judge":
        return json.dumps(figures["int8 ccks_round2_open"])
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
    done = work / "pretrained.pt"
    if done.exists():
        return done
    pairs = mixed_pairs(recipe, research, own, base, work)
    plan, seed = recipe["pairs"], recipe["seed"]
    known = read_vocabulary(base / "vocabulary.txt")
    vocabulary = widened(known, (text for row in research for text in (row.a, row.b)), plan["least"])
    (work / "vocabulary.txt").write_text("\n".join(vocabulary.entries) + "\n", encoding="utf-8")
    start, _ = load(base / recipe["pretrain"]["start"])
    return pretrain(recipe, [pairs] * plan["cycles"], work, grown(start, len(vocabulary), seed))


def mixed_pairs(
    recipe: dict[str, Any], research: list[Labelled], own: list[Labelled], base: Path, work: Path
) -> Path:
    """`work/pairs.tsv`, made once."""
    pairs = work / "pairs.tsv"
    if not pairs.exists():
        write_mixed(base / "pairs.tsv", recipe["pairs"]["every"], research, own, pairs, recipe["seed"])
    return pairs


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
) -> tuple[list[Path], NDArray[np.float32]]:
    """Checkpoints of encoders, each fitted without a fold, and the logits [n, 3] of the research rows of these folds from
    the one that did not see their query. The pack is the mean of the encoders, so that nothing has to be fitted again."""
    count = recipe["fit"]["folds"]
    folds, others = learned.folds(count), mine.folds(count)
    out = np.zeros((len(folds), 3), dtype=np.float32)
    told = [recipe, learned.texts, learned.labels.tolist(), mine.texts, mine.labels.tolist()]
    folder, paths = fits_folder(work, pretrained, told), []
    for fold in range(recipe["fit"]["encoders"]):
        path = folder / f"without_{fold}.pt"
        if not path.exists():
            print(f"fitting without fold {fold}", file=sys.stderr, flush=True)
            at, also = np.flatnonzero(folds != fold), np.flatnonzero(others != fold)
            texts = [learned.texts[i] for i in at] + [mine.texts[i] for i in also]
            labels = np.concatenate([learned.labels[at], mine.labels[also]])
            seed, log = recipe["seed"] + fold, folder / f"fit without fold {fold}.jsonl"
            save(fit(recipe["fit"], pretrained, texts, labels, vocabulary, seed, log), path)
        left = np.flatnonzero(folds == fold)
        out[left] = logits_of(load(path)[0], [learned.texts[i] for i in left], vocabulary)
        paths.append(path)
    return paths, out


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


def _graph(path: Path, encoders: list[Path], texts: list[tuple[str, str]], vocabulary: Vocabulary) -> bytes:
    """The INT8 graph of the mean, written to `path`."""
    path.write_bytes(export_int8(export_mean([load(each)[0] for each in encoders]), texts, vocabulary))
    return path.read_bytes()
