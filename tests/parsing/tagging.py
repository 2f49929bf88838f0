"""A tagger small enough to be read: each character scores labels of its own, whatever stands around it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from menpai.engines import open_engine
from menpai.packs.vocabulary import SPECIAL, Vocabulary
from menpai.parsing.spans import labels_of
from menpai.parsing.tagger import Tagger
from tests.graphs import FLOAT, INT32, field, model, node, value

KINDS = ("road", "roadno", "poi")
LABELS = labels_of(KINDS)
CHARACTERS = "文三路号幸福花园大0"
VOCABULARY = Vocabulary([*SPECIAL, *CHARACTERS])
LIKES: Mapping[str, Mapping[str, float]] = {
    "文": {"B-road": 4}, "三": {"I-road": 4}, "路": {"E-road": 5}, "0": {"B-roadno": 4, "I-roadno": 3},
    "号": {"E-roadno": 5}, "幸": {"B-poi": 4}, "福": {"I-poi": 4}, "花": {"I-poi": 4}, "园": {"E-poi": 5},
}  # fmt: skip


def graph() -> bytes:
    """Scores [n, length, labels] looked up by id; the positions count for nothing."""
    table = np.zeros((len(VOCABULARY), len(LABELS)), np.float32)
    for character, likes in LIKES.items():
        for label, score in likes.items():
            table[VOCABULARY.ids(character)[0], LABELS.index(label)] = score
    dims = b"".join(field(1, size) for size in table.shape)
    constant = dims + field(2, FLOAT) + field(8, "table") + field(9, table.tobytes())
    inputs = [value(name, INT32, "texts", "tokens") for name in ("ids", "positions")]
    output = value("scores", FLOAT, "texts", "tokens", len(LABELS))
    return model([node("Gather", ["table", "ids"], "scores")], [constant], inputs, [output])


def tagger(folder: Path) -> Tagger:
    """The tagger on that graph."""
    path = folder / "tagger.onnx"
    path.write_bytes(graph())
    return Tagger(open_engine("onnx", path, threads=1), VOCABULARY, LABELS, "menpai")
