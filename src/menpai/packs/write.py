"""Write a pack: all files, then the digests, then a rename."""

from __future__ import annotations

import glob
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from menpai.errors import UsageError
from menpai.packs.pack import DIGESTS, FORMAT, MANIFEST, Pack, open_pack

try:
    import fcntl
except ModuleNotFoundError:  # Windows
    fcntl = None  # type: ignore[assignment]

# The content of a file: bytes, or the parts of a large one, made while it is written.
Content = bytes | Iterable[bytes | NDArray[np.generic]]
# What a system puts into folders by itself.
_SYSTEM = {".DS_Store", "Thumbs.db", "desktop.ini", "__pycache__"}


def write_pack(
    path: Path,
    manifest: Mapping[str, Any],
    files: Mapping[str, Content],
    check: Callable[[Pack], None] = lambda pack: None,
) -> Pack:
    """Write (or replace) the pack at `path`; what stands there is never half a pack, nor an invalid one, nor one that
    `check` raises for."""
    check_output(path)
    content = {**files, MANIFEST: _json({"format": FORMAT, **manifest})}
    with replaced(path) as fresh:
        digests = {name: _write(fresh / name, content[name]) for name in sorted(content)}
        sums = "".join(f"{digest}  {name}\n" for name, digest in digests.items())
        (fresh / DIGESTS).write_bytes(sums.encode("ascii"))
        check(open_pack(fresh))
    return open_pack(path.absolute())  # a bare name would mean a built-in pack


def check_output(path: Path, source: Path | None = None) -> None:
    """Raise if a pack written at `path` would replace anything but a pack, or the pack `source` that it is made of, or
    would lie inside a pack."""
    if source is not None and path.resolve() == source.resolve():
        raise UsageError("output_is_pack", path=str(path))
    if around := pack_around(path):
        raise UsageError("output_inside_pack", path=str(path), pack=str(around))
    if not path.exists() or (path.is_dir() and not any(path.iterdir())):
        return
    if not _holds_pack(path):
        raise UsageError("output_no_pack", path=str(path))
    refuse_others(path, {MANIFEST, DIGESTS, *_listed(path)})


def pack_around(path: Path) -> Path | None:
    """The pack in whose folder something at `path` would lie."""
    inside = (path.absolute().parents, path.resolve().parents)
    return next((up for parents in inside for up in parents if _holds_pack(up)), None)


def refuse_others(folder: Path, known: Collection[str]) -> None:
    """Raise at the first thing in a folder that is none of the known files (as a path below it); what a system leaves
    in every folder it shows does not count."""
    for entry in sorted(folder.rglob("*")):
        below = entry.relative_to(folder)
        name = below.as_posix()
        holds_known = entry.is_dir() and any(file.startswith(f"{name}/") for file in known)
        if name not in known and not holds_known and not _SYSTEM & set(below.parts):
            raise UsageError("output_has_more", path=str(folder), file=name)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """An error of the disk that names no file (as that of a write) names `path`."""
    try:
        yield
    except OSError as error:
        if error.filename is None and error.errno is not None:
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise


@contextmanager
def replaced(path: Path) -> Iterator[Path]:
    """A fresh folder that takes the place of `path` if the block ends well; all is as before if not, and an error of
    the disk names `path`. What an earlier write left that was killed is removed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    prefix = f".{path.name}.menpai-"
    with naming(path), tempfile.TemporaryDirectory(dir=path.parent, prefix=prefix) as folder, _held(folder):
        fresh, old = Path(folder, "fresh"), Path(folder, "old")
        fresh.mkdir()
        yield fresh
        _replace(path, fresh, old)
    for left in path.parent.glob(f"{glob.escape(prefix)}*"):
        _sweep(left)


def _holds_pack(folder: Path) -> bool:
    return (folder / MANIFEST).is_file() and (folder / DIGESTS).is_file()


def _listed(path: Path) -> set[str]:
    """The files that the digests of a pack name, sound or not."""
    lines = (path / DIGESTS).read_text(encoding="utf-8", errors="replace").splitlines()
    return {line.partition("  ")[2] for line in lines}


@contextmanager
def _held(folder: str) -> Iterator[None]:
    """Hold a lock on a folder: it ends with the process, so that what the killed left can be told from work."""
    file = _locked(folder)
    try:
        yield
    finally:
        if file is not None:
            os.close(file)


def _locked(folder: str | Path) -> int | None:
    """The open lock on a folder; None if another process holds it, or if the system has no such locks."""
    if fcntl is None:
        return None
    file = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(file)
        return None
    return file


def _sweep(left: Path) -> None:
    """Remove the folder of a write that was killed."""
    with suppress(OSError):
        if (file := _locked(left)) is not None:
            shutil.rmtree(left, ignore_errors=True)
            os.close(file)


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
