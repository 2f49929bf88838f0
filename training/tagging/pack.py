"""Put taggers into packs: research packs of their own, and the built-in one beside the pair encoder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from menpai.packs import Pack, open_pack, write_pack
from menpai.packs.vocabulary import Vocabulary
from menpai.parsing.spans import labels_of

GRAPH = "tagger.onnx"
LABELS = "tagger_labels.txt"
HEADING = "## The tagger"


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


class Kept(NamedTuple):
    """The tagger of a pack, as `add_tagger` takes it."""

    graph: bytes
    kinds: tuple[str, ...]
    card: str
    facts: Mapping[str, Any]


def read_tagger(path: Path, vocabulary: Vocabulary) -> Kept | None:
    """The tagger of the pack at `path`; None if it has none, or if it reads other characters than these."""
    if not (path / "manifest.json").is_file():
        return None
    pack = open_pack(path.absolute())
    if "tagger" not in pack.manifest["files"] or pack.file("vocabulary").read_bytes() != _lines(
        vocabulary.entries
    ):
        return None
    labels = pack.file("tagger_labels").read_text(encoding="utf-8").split("\n")
    kinds = tuple(label[2:] for label in labels if label.startswith("B-"))
    card = HEADING + pack.card.partition(HEADING)[2]
    return Kept(pack.file("tagger").read_bytes(), kinds, card, pack.manifest["tagger"])


def add_tagger(path: Path, graph: bytes, kinds: Sequence[str], card: str, facts: Mapping[str, Any]) -> Pack:
    """The pair pack at `path` with this tagger (in place of the one it had); all else as it was.

    `card` begins with HEADING and is put behind the pack's card.
    """
    pack = open_pack(path.absolute())
    files = {name: (pack.path / name).read_bytes() for name in pack.files if name != "manifest.json"}
    before = pack.card.partition(HEADING)[0].rstrip("\n")
    files |= {GRAPH: graph, LABELS: _lines(labels_of(kinds)), "card.md": f"{before}\n\n{card}".encode()}
    roles = {**pack.manifest["files"], "tagger": GRAPH, "tagger_labels": LABELS}
    return write_pack(path, {**pack.manifest, "files": roles, "tagger": dict(facts)}, files)


def _lines(entries: Sequence[str]) -> bytes:
    return "".join(f"{entry}\n" for entry in entries).encode()
