"""Names of libraries: what a setting or a flag says, as name → folder."""

from __future__ import annotations

import os
from pathlib import Path

from menpai.errors import UsageError
from menpai.search.manifest import JOURNAL, NAME


def named_libraries(setting: str) -> dict[str, str]:
    """`FOLDER`, or `NAME=FOLDER`, several with commas between, as name → folder; without name, that of the folder."""
    found: dict[str, str] = {}
    for part in filter(None, (piece.strip() for piece in setting.split(","))):
        name, sign, path = part.partition("=")
        if not sign or os.sep in name:
            name, path = Path(part).name.removesuffix(".menpai") or part, part
        if name in found:
            raise UsageError("library_name_repeated", name=name)
        found[name] = path
    return found


def is_library(word: str) -> bool:
    """Whether a word names a library: by what is there, or by how it is written (a path, `.menpai`)."""
    return word.endswith(".menpai") or os.sep in word or is_there(word)


def is_there(word: str) -> bool:
    """Whether a library stands in the folder of this name, be it unfinished."""
    try:
        return (Path(word) / NAME).is_file() or (Path(word) / JOURNAL).is_dir()
    except (OSError, ValueError):
        return False
