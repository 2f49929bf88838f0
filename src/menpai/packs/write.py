"""Write a pack: all files, then the digests, then a rename."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from menpai.packs.pack import DIGESTS, FORMAT, MANIFEST, Pack, open_pack


def write_pack(path: Path, manifest: Mapping[str, Any], files: Mapping[str, bytes]) -> Pack:
    """Write (or replace) the pack at `path`; what stands there is never half a pack, nor an invalid one."""
    content = {**files, MANIFEST: _json({"format": FORMAT, **manifest})}
    sums = "".join(f"{hashlib.sha256(content[n]).hexdigest()}  {n}\n" for n in sorted(content))
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}-") as folder:
        fresh, old = Path(folder, "fresh"), Path(folder, "old")
        fresh.mkdir()
        for name, data in {**content, DIGESTS: sums.encode("ascii")}.items():
            (fresh / name).write_bytes(data)
        open_pack(fresh)
        _replace(path, fresh, old)
    return open_pack(path.absolute())  # a bare name would mean a built-in pack


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
