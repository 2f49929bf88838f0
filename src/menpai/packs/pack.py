"""Open and check a pack. A model is data: opening runs no code, reaches no network, unpickles nothing."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from menpai.errors import BrokenArtefactError, UsageError
from menpai.packs.imported import contradiction
from menpai.verdict import LABELS

FORMAT = 1
MANIFEST = "manifest.json"
# Letters of any script: a pack has the name of its folder.
_NAME = re.compile(r"[\w.-]{1,64}")
DIGESTS = "SHA256SUMS"
# What systems put into folders by themselves, beside names that begin with a dot.
_SYSTEM = {"Thumbs.db", "desktop.ini"}
_FIELDS = {"format": int, "name": str, "version": str, "labels": list, "files": dict}
# pair: three labels for two addresses; ranking: how relevant a candidate is; tagging: a tag for each token.
TASKS = ("pair", "ranking", "tagging")
BUILTIN = Path(__file__).parent.parent / "data" / "packs"


@dataclass(frozen=True, slots=True)
class Pack:
    """An opened pack whose files agree with their digests."""

    path: Path
    manifest: Mapping[str, Any]
    files: Mapping[str, str]
    "File name → SHA-256 (hex)."

    @property
    def name(self) -> str:
        """For example menpai-mini."""
        return str(self.manifest["name"])

    @property
    def version(self) -> str:
        """For example 2026.12."""
        return str(self.manifest["version"])

    @property
    def id(self) -> str:
        """name@version, as verdicts carry it."""
        return f"{self.name}@{self.version}"

    @property
    def card(self) -> str:
        """The model card (Markdown)."""
        return (self.path / "card.md").read_text(encoding="utf-8")

    @property
    def digest(self) -> str:
        """One SHA-256 over all digests: two packs with equal digests behave alike."""
        lines = "".join(f"{digest}  {name}\n" for name, digest in sorted(self.files.items()))
        return hashlib.sha256(lines.encode()).hexdigest()

    @property
    def task(self) -> str:
        """What the pack's graph answers: one of TASKS."""
        return str(self.manifest.get("task", "pair"))

    def file(self, role: str) -> Path:
        """The path of the file that the manifest names for a role (graph, vocabulary, weights)."""
        return self.path / str(self.manifest["files"][role])

    def read_json(self, role: str) -> Any:
        """The parsed JSON of the file of this role."""
        return json.loads(self.file(role).read_text(encoding="utf-8"))


def builtin_packs() -> list[str]:
    """The names of the packs inside the wheel."""
    return sorted(p.name for p in BUILTIN.iterdir() if (p / MANIFEST).is_file()) if BUILTIN.is_dir() else []


def open_pack(pack: str | Path) -> Pack:
    """The pack of this built-in name or folder; every file is compared with its digest first."""
    path = BUILTIN / pack if str(pack) in builtin_packs() else Path(pack)
    if not any(os.path.isfile(path / name) for name in (DIGESTS, MANIFEST)):  # False for any odd path too
        raise UsageError("pack_not_found", pack=str(pack), known=", ".join(builtin_packs()) or "-")
    files = _checked(path)
    try:
        manifest = json.loads((path / MANIFEST).read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise BrokenArtefactError("pack_invalid", pack=str(path), reason=f"{MANIFEST}: {error}") from error
    _check_manifest(path, manifest, files)
    return Pack(path, manifest, files)


def _checked(path: Path) -> dict[str, str]:
    """File → digest of the folder; raises at the first file that is missing, added or changed. What is not listed is
    never read."""
    files: dict[str, str] = {}
    try:
        lines = (path / DIGESTS).read_text(encoding="ascii").removesuffix("\n").split("\n")
    except (OSError, UnicodeDecodeError):
        raise BrokenArtefactError("pack_damaged", pack=str(path), file=DIGESTS) from None
    for line in lines:
        digest, _, name = line.partition("  ")
        if not name or "/" in name or "\\" in name:
            raise BrokenArtefactError("pack_damaged", pack=str(path), file=DIGESTS)
        files[name] = digest
    found = {p.name for p in path.iterdir() if p.is_file()} - {DIGESTS}
    if lacking := sorted(set(files) - found):
        raise BrokenArtefactError("pack_damaged", pack=str(path), file=lacking[0])
    if extra := sorted(
        name for name in found - set(files) if not name.startswith(".") and name not in _SYSTEM
    ):
        raise BrokenArtefactError("pack_extra", pack=str(path), file=extra[0])
    for name, digest in files.items():
        if _digest(path / name) != digest:
            raise BrokenArtefactError("pack_damaged", pack=str(path), file=name)
    return files


def _digest(path: Path) -> str:
    """SHA-256 of a file, read in pieces: the graph of an imported model may be large."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _check_manifest(path: Path, manifest: Any, files: Mapping[str, str]) -> None:
    """Raise unless this version of menpai can run what the manifest describes."""
    reason = ""
    found = manifest.get("format") if isinstance(manifest, dict) else None
    if isinstance(found, int) and found > FORMAT:
        raise BrokenArtefactError("pack_newer", pack=str(path), found=found, known=FORMAT)
    if not isinstance(manifest, dict):
        reason = f"{MANIFEST} is no object"
    elif lacking := [name for name, kind in _FIELDS.items() if not isinstance(manifest.get(name), kind)]:
        reason = f"{MANIFEST} has no {lacking[0]}"
    elif not all(_NAME.fullmatch(manifest[field]) for field in ("name", "version")):
        reason = f"{MANIFEST}: name and version are letters, digits, dots and dashes"
    elif manifest["format"] != FORMAT:
        reason = f"format {manifest['format']}, this version reads {FORMAT}"
    elif manifest.get("task", "pair") not in TASKS:
        reason = f"task {manifest['task']}, this version knows {', '.join(TASKS)}"
    elif manifest.get("task", "pair") == "pair" and sorted(map(str, manifest["labels"])) != sorted(LABELS):
        reason = f"labels {manifest['labels']}"
    elif missing := sorted(set(map(str, manifest["files"].values())) - set(files)):
        reason = f"{missing[0]} is not in {DIGESTS}"
    elif manifest.get("tokenizer", "characters") not in ("characters", "wordpiece"):
        reason = f"tokenizer {manifest['tokenizer']}, this version knows characters, wordpiece"
    elif manifest.get("tokenizer") == "wordpiece":
        reason = contradiction(path, manifest)
    if reason:
        raise BrokenArtefactError("pack_invalid", pack=str(path), reason=reason)
