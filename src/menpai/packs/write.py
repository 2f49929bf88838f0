"""Write a pack: all files, then the digests, then one rename."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from menpai.packs.pack import DIGESTS, FORMAT, MANIFEST, Pack, open_pack


def write_pack(path: Path, manifest: Mapping[str, Any], files: Mapping[str, bytes]) -> Pack:
    """Write (or replace) the pack at `path`; what stands there is never half a pack."""
    content = {**files, MANIFEST: _json({"format": FORMAT, **manifest})}
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}-"))
    try:
        for name, data in content.items():
            (temporary / name).write_bytes(data)
        sums = "".join(f"{hashlib.sha256(content[n]).hexdigest()}  {n}\n" for n in sorted(content))
        (temporary / DIGESTS).write_text(sums, encoding="ascii")
        os.chmod(temporary, 0o755)
        if path.exists():
            shutil.rmtree(path)
        temporary.replace(path)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return open_pack(path)


def _json(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()
