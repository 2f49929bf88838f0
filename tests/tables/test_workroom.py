"""The hidden folder beside an output: one run at a time, nothing left but a journal."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from menpai.errors import UsageError
from menpai.tables import workroom as module
from menpai.tables.output import open_output
from menpai.tables.workroom import folder_of, workroom


def test_what_a_killed_run_left_is_cleared_but_its_journal(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "o.xlsx")
    (folder / "tmp" / "deep").mkdir(parents=True)
    for name in ("part", "lock", "tmp/rows", "tmp/deep/rows"):
        (folder / name).write_bytes(b"x")
    (folder / "journal").write_bytes(b"kept")

    def stop() -> None:
        with workroom(tmp_path / "o.xlsx") as room:
            assert {path.name for path in room.iterdir()} == {"lock", "journal", "tmp"}
            assert list((room / "tmp").iterdir()) == []
            (room / "part").write_bytes(b"x")
            raise ValueError("stop")

    with pytest.raises(ValueError, match="stop"):
        stop()
    assert {path.name for path in folder.iterdir()} == {"lock", "journal"}
    with workroom(tmp_path / "o.xlsx"):
        pass
    assert list(tmp_path.iterdir()) == []


def test_another_process_is_refused_and_its_death_lets_go(tmp_path: Path) -> None:
    """The lock is the system's: whoever holds it and is killed holds it no more."""
    code = (
        "import sys, pathlib; from menpai.tables.workroom import workroom\n"
        "with workroom(pathlib.Path(sys.argv[1])): print('held', flush=True); sys.stdin.read()"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path / "o.csv")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert holder.stdout is not None
    assert holder.stdin is not None
    with holder, holder.stdout, holder.stdin:
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(UsageError) as caught, open_output(str(tmp_path / "o.csv")):
            pass  # pragma: no cover
        assert caught.value.code == "output_busy"
        holder.kill()
        holder.wait()
    with open_output(str(tmp_path / "o.csv")) as stream:
        stream.write(b"mine")
    assert [path.name for path in tmp_path.iterdir()] == ["o.csv"]


@pytest.mark.parametrize("name", ["路" * 66 + ".csv", "路" * 82 + ".csv", "x" * 255])
def test_long_names(tmp_path: Path, name: str) -> None:
    assert len(os.fsencode(name)) <= 255
    with open_output(str(tmp_path / name)) as stream:
        stream.write(b"x")
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_lock_that_is_removed_by_its_holder_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between opening the lock and getting it the run before may end, and take the folder along."""
    real, calls = module.try_lock, 0

    def late(handle: int) -> bool:
        nonlocal calls
        calls += 1
        if calls == 1:
            (folder_of(tmp_path / "o.csv") / "lock").unlink()
        return real(handle)

    monkeypatch.setattr(module, "try_lock", late)
    with workroom(tmp_path / "o.csv"):
        assert calls == 2


def test_a_file_system_without_locks_is_written_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(_: int) -> bool:
        raise OSError(37, "No locks available")

    monkeypatch.setattr(module, "try_lock", none)
    monkeypatch.setattr(module, "unlock", none)
    with open_output(str(tmp_path / "o.csv")) as stream:
        stream.write(b"x")
    assert (tmp_path / "o.csv").read_bytes() == b"x"


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs owners of files")
@pytest.mark.parametrize("kind", ["link", "of another"])
def test_a_folder_that_somebody_else_put_there_is_not_used(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    if kind == "link":
        folder_of(tmp_path / "o.csv").symlink_to(tmp_path / "elsewhere")
    else:
        folder_of(tmp_path / "o.csv").mkdir()
        monkeypatch.setattr(os, "geteuid", lambda: 4711)
    with pytest.raises(UsageError) as caught, open_output(str(tmp_path / "o.csv")):
        pass  # pragma: no cover
    assert caught.value.code == "output_forbidden"
    assert list((tmp_path / "elsewhere").iterdir()) == []
