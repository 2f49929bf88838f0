"""A model folder becomes a pack: its graph, its vocabulary, and a manifest that says how to ask it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from menpai.engines import open_engine
from menpai.errors import BrokenArtefactError
from menpai.packs.bert_graph import bert_graph
from menpai.packs.bert_rows import pair_rows, single_rows
from menpai.packs.mgeo import Folder, read_folder
from menpai.packs.pack import Pack
from menpai.packs.wordpiece import open_wordpiece
from menpai.packs.write import Content, check_output, write_pack

# By how much probabilities may move with the engine, the processor or the pairs beside a pair.
TOLERANCE = 1e-4


def import_folder(
    folder: Path,
    out: Path,
    task: str | None = None,
    labels: Sequence[str] = (),
    order: str = "given",
) -> tuple[Pack, tuple[str, ...]]:
    """Write the pack at `out`; returns it and what was left out of the folder, by name."""
    check_output(out)
    found = read_folder(folder, task, labels)
    manifest = _manifest(found, out.name, order)
    pieces = ("\n".join(found.vocabulary) + "\n").encode()
    graph = bert_graph(found.shape, found.tensors)
    files: dict[str, Content] = {
        "model.onnx": graph,
        "vocab.txt": pieces,
        "card.md": _card(found, manifest).encode(),
    }
    return write_pack(
        out, manifest, files, check=lambda pack: _check_finite(pack, found.weights)
    ), found.notes


def _check_finite(pack: Pack, weights: Path) -> None:
    """Raise if the pack answers an address beside itself with anything but numbers: weights that are all finite can
    still overflow together."""
    words, limit = open_wordpiece(pack), int(pack.manifest["max_length"])
    text = words.encode(["文三路123号"])
    pair = pack.task == "pair"
    rows = (
        single_rows(text, words, limit)
        if pack.task == "tagging"
        else pair_rows(text, text, words, limit, segments=pair)
    )
    engine = open_engine("onnx", pack.file("graph"), 1, "cpu")
    if not all(np.isfinite(engine.run(run.inputs)).all() for run in rows):
        raise BrokenArtefactError("model_not_finite", file=str(weights))


def _manifest(found: Folder, name: str, order: str) -> dict[str, Any]:
    with found.weights.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    tagging = {"scheme": _scheme(found.labels), "by_character": found.by_character}
    return {
        "name": re.sub(r"[^\w.-]+", "-", name).strip("-")[:64] or "imported",
        "version": digest[:12],
        "task": found.task,
        "labels": list(found.labels),
        **(tagging if found.task == "tagging" else {}),
        "order": order,
        "tokenizer": "wordpiece",
        "lower_case": found.lower_case,
        "truncation": "slow" if found.slow_tokenizer else "fast",
        "max_length": found.shape.positions,
        "precision": "float32",
        "tolerance": TOLERANCE,
        "shape": found.shape.to_dict(),
        "files": {"graph": "model.onnx", "vocabulary": "vocab.txt"},
        "source": {"folder": found.path.resolve().name, "weights": found.weights.name, "sha256": digest},
    }


def _scheme(labels: Sequence[str]) -> str:
    """What the kinds of a tagger mean: MGeo's elements, its composition analysis, its cut of where and what, or others."""
    kinds = {label[2:] for label in labels}
    schemes = {"mgeo": "roadno", "mgeo-composition": "CategorySuffix", "mgeo-where-what": "where"}
    return next((scheme for scheme, kind in schemes.items() if kind in kinds), "other")


def _card(found: Folder, manifest: dict[str, Any]) -> str:
    """The card: what was imported, what it answers, what was left out."""
    shape, source = found.shape, manifest["source"]
    rows = [
        f"- task: {found.task}; outputs in this order: {', '.join(found.labels)}",
        f"- BERT, {shape.layers} layers × {shape.width}, {shape.vocabulary:,} word pieces, float32",
        f"- weights: {source['weights']}, SHA-256 {source['sha256']}",
        *(f"- left out: {note}" for note in found.notes),
    ]
    head = f"# {manifest['name']}\n\nImported by menpai from the folder {source['folder']}.\n\n"
    return head + "\n".join(rows) + "\n\nRights and limits are those of the model that was imported.\n"
