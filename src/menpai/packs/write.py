"""Write a pack: all files, then the digests, then a rename."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from menpai.packs.pack import DIGESTS, FORMAT, MANIFEST, Pack, open_pack

# The content of a file: bytes, or the parts of a large one, made while it is written.
Content = bytes | Iterable[bytes | NDArray[np.generic]]


def write_pack(path: Path, manifest: Mapping[str, Any], files: Mapping[str, Content]) -> Pack:
    """Write (or replace) the pack at `path`; what stands there is never half a pack, nor an invalid one."""
    content = {**files, MANIFEST: _json({"format": FORMAT, **manifest})}
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}-") as folder:
        fresh, old = Path(folder, "fresh"), Path(folder, "old")
        fresh.mkdir()
        digests = {name: _write(fresh / name, content[name]) for name in sorted(content)}
        sums = "".join(f"{digest}  {name}\n" for name, digest in digests.items())
        (fresh / DIGESTS).write_bytes(sums.encode("ascii"))
        open_pack(fresh)
        _replace(path, fresh, old)
    return open_pack(path.absolute())  # a bare name would mean a built-in pack


def _write(path: Path, content: Content) -> str:
    """Write a file and return its digest."""
    digest = hashlib.sha256()
    with path.open("wb") as file:
        for part in [content] if isinstance(content, bytes) else content:
            data = part if isinstance(part, bytes) else part.reshape(-1).view(np.uint8).data
            digest.update(data)
            file.write(data)
    return digest.hexdigest()


def _replace(path: Path, fresh: Path, old: Path) -> None:
    """Put the folder `fresh` at `path` and what stood there at `old`; all as before if that fails."""
    if path.exists():
        path.replace(old)
    try:
        fresh.replace(path)
    except OSError:
        if old.exists():
            old.replace(path)
        raise


def _json(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()
