"""Put taggers into packs: research packs of their own, and the built-in one beside the pair encoder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from menpai.packs import Pack, open_pack, write_pack
from menpai.packs.vocabulary import Vocabulary
from menpai.parsing.spans import labels_of

GRAPH = "tagger.onnx"
LABELS = "tagger_labels.txt"


def write_research(
    path: Path,
    graph: bytes,
    vocabulary: Vocabulary,
    kinds: Sequence[str],
    scheme: str,
    card: str,
    facts: Mapping[str, Any],
) -> Pack:
    """A tagging pack; `facts` (version, recipe, figures) go into the manifest."""
    manifest = {
        "name": path.name,
        "task": "tagging",
        "scheme": scheme,
        "tokenizer": "characters",
        "labels": labels_of(kinds),
        "files": {"graph": GRAPH, "vocabulary": "vocabulary.txt"},
        **facts,
    }
    files = {GRAPH: graph, "vocabulary.txt": _lines(vocabulary.entries), "card.md": card.encode()}
    return write_pack(path, manifest, files)


def add_tagger(path: Path, graph: bytes, kinds: Sequence[str], card: str, facts: Mapping[str, Any]) -> Pack:
    """The pair pack at `path` with this tagger (in place of the one it had); all else as it was.

    `card` is put behind the pack's card, under its own heading.
    """
    pack = open_pack(path)
    files = {name: (pack.path / name).read_bytes() for name in pack.files if name != "manifest.json"}
    heading = card.split("\n", 1)[0]
    before = pack.card.split(heading)[0].rstrip("\n")
    files |= {GRAPH: graph, LABELS: _lines(labels_of(kinds)), "card.md": f"{before}\n\n{card}".encode()}
    roles = {**pack.manifest["files"], "tagger": GRAPH, "tagger_labels": LABELS}
    return write_pack(path, {**pack.manifest, "files": roles, "tagger": dict(facts)}, files)


def _lines(entries: Sequence[str]) -> bytes:
    return "".join(f"{entry}\n" for entry in entries).encode()
