"""A pack made from another: its files, some of them replaced or added, and a manifest that says so."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from menpai.packs.pack import MANIFEST, Pack
from menpai.packs.write import Content, check_output, write_pack

_PIECE = 1 << 20


def derive(
    pack: Pack,
    path: Path,
    files: Mapping[str, tuple[str, bytes]],
    facts: Mapping[str, Any],
    note: str = "",
    drop: Collection[str] = (),
) -> Pack:
    """Write the pack at `path`, named by its folder: `files` are role → (name, content), `facts` go into the
    manifest, `note` (Markdown) to the end of the card; roles to `drop` stay behind."""
    check_output(path, pack.path)
    replaced = {pack.manifest["files"].get(role) for role in (*files, *drop)}
    kept: dict[str, Content] = {
        name: _content(pack.path / name) for name in pack.files if name not in {MANIFEST, *replaced}
    }
    if note:
        kept["card.md"] = f"{_card(pack).rstrip()}\n\n{note.strip()}\n".encode()
    roles = {role: name for role, name in pack.manifest["files"].items() if role not in drop}
    roles |= {role: name for role, (name, _) in files.items()}
    manifest = {k: v for k, v in pack.manifest.items() if k != "format"}
    manifest |= {"name": path.absolute().name, "files": roles, "made_from": pack.id, **facts}
    return write_pack(path, manifest, kept | dict(files.values()))


def _card(pack: Pack) -> str:
    return pack.card if (pack.path / "card.md").is_file() else f"# {pack.name}"


def _content(path: Path) -> Iterator[bytes]:
    """A file in pieces, for the graph of an imported model may be large."""
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            yield piece
