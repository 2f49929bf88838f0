"""A disk without room: one clear message, the library as it was, and nothing half-written left."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from menpai.search.compact import check
from tests.search.libraries import content, entries, take

# Files above a size cannot be written: the same errors as on a full disk, in this process and in its workers.
LIMITED = """
import resource, sys
sys.path.insert(0, {root!r})
resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))
from pathlib import Path
from menpai.cli import main
from menpai.errors import MenpaiError
from menpai.search import ingest
from tests.search.libraries import entries, take
ingest._SMALL = {small}
try:
    take(Path({folder!r}), entries({rows}), {verb!r}, workers=2, plan={{"p": 1}})
except MenpaiError as error:
    print(error.code, error)
"""


@pytest.mark.parametrize(
    ("verb", "rows", "limit", "small"),
    [
        ("build", 3000, 30_000, 5000),
        pytest.param("add", 3000, 60_000, 5000, marks=pytest.mark.slow),
        pytest.param("build", 3000, 30_000, 10, marks=pytest.mark.slow),
    ],
)
def test_disk_full(tmp_path: Path, verb: str, rows: int, limit: int, small: int) -> None:
    folder = tmp_path / "library"
    take(folder, entries(5, 100_000))
    before = sorted(path.name for path in folder.rglob("*"))
    program = LIMITED.format(
        root=str(Path(__file__).parents[2]),
        limit=limit,
        folder=str(folder),
        rows=rows,
        verb=verb,
        small=small,
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("library_disk_full the disk has no room while the library"), done.stderr
    assert sorted(path.name for path in folder.rglob("*")) == before
    assert len(content(folder)) == 5
    assert all(whole for _, whole in check(folder))
