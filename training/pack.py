"""Put a pack together: graph, vocabulary, weights, card."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from menpai.evidence import FEATURES
from menpai.packs import Pack, write_pack
from menpai.scoring.linear import LinearModel
from menpai.scoring.tokens import Vocabulary
from menpai.verdict import LABELS
from training.tagging.pack import add_tagger, read_tagger


def pack(
    path: Path,
    graph: bytes,
    vocabulary: Vocabulary,
    models: dict[str, LinearModel],
    rules: dict[str, list[float]],
    clear: float,
    card: str,
    facts: dict[str, Any],
) -> Pack:
    """Write the pack folder; `facts` (recipe, figures) go into the manifest. A tagger that stands there stays."""
    tagger = read_tagger(path, vocabulary)
    weights = {
        "features": [f.name for f in FEATURES],
        "fast": models["fast"].to_json(),
        "blend": models["blend"].to_json(),
        "rules": rules,
        "clear": clear,
    }
    manifest = {
        "name": path.name,
        "task": "pair",
        "labels": list(LABELS),
        "order": "sorted",
        "files": {"graph": "encoder.onnx", "vocabulary": "vocabulary.txt", "weights": "weights.json"},
        **facts,
    }
    files = {
        "encoder.onnx": graph,
        "vocabulary.txt": ("\n".join(vocabulary.entries) + "\n").encode(),
        "weights.json": (json.dumps(weights, ensure_ascii=False) + "\n").encode(),
        "card.md": card.encode(),
    }
    written = write_pack(path, manifest, files)
    return add_tagger(path, *tagger) if tagger else written
