from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from menpai.errors import BrokenArtefactError, UsageError
from menpai.packs import open_pack, write_pack
from menpai.packs.write import check_output, replaced
from menpai.verdict import LABELS
from tests.judging import small_pack

MANIFEST = {"name": "p", "version": "1", "labels": list(LABELS), "files": {"graph": "g.bin"}}


def test_what_is_written_can_be_opened(tmp_path: Path) -> None:
    pack = write_pack(tmp_path / "deep" / "p", MANIFEST, {"g.bin": b"graph", "card.md": b"# p\n"})
    assert pack.file("graph").read_bytes() == b"graph"
    assert pack.manifest["format"] == 1
    assert stat.S_IMODE(pack.path.stat().st_mode) & 0o555 == 0o555, "others may read it"


def test_a_pack_is_replaced_whole(tmp_path: Path) -> None:
    write_pack(tmp_path / "p", MANIFEST, {"g.bin": b"old", "more.bin": b"old"})
    pack = write_pack(tmp_path / "p", MANIFEST, {"g.bin": b"new"})
    assert sorted(pack.files) == ["g.bin", "manifest.json"]
    assert open_pack(tmp_path / "p").file("graph").read_bytes() == b"new"
    assert [path.name for path in tmp_path.iterdir()] == ["p"], "nothing else is left behind"


@pytest.mark.parametrize("files", [{}, {"other.bin": b"graph"}])
def test_an_invalid_pack_leaves_the_old_one_in_place(tmp_path: Path, files: dict[str, bytes]) -> None:
    old = write_pack(tmp_path / "p", MANIFEST, {"g.bin": b"old"})
    with pytest.raises(BrokenArtefactError, match=r"g\.bin"):
        write_pack(tmp_path / "p", MANIFEST, files)
    assert open_pack(tmp_path / "p") == old
    assert [path.name for path in tmp_path.iterdir()] == ["p"]


def test_a_write_that_fails_leaves_the_old_one_in_place(tmp_path: Path) -> None:
    old = write_pack(tmp_path / "p", MANIFEST, {"g.bin": b"old"})
    with pytest.raises(OSError, match="missing"):
        write_pack(tmp_path / "p", MANIFEST, {"g.bin": b"new", "missing/g.bin": b"new"})
    assert open_pack(tmp_path / "p") == old
    assert [path.name for path in tmp_path.iterdir()] == ["p"]


def test_a_rename_that_fails_leaves_the_old_one_in_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = small_pack(tmp_path / "p")
    real = Path.replace

    def fail(self: Path, target: Path) -> Path:
        if self.name == "fresh":
            raise PermissionError("the folder is in use")
        return real(self, target)

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(PermissionError):
        small_pack(tmp_path / "p", vocabulary=b"new")
    assert open_pack(tmp_path / "p") == old


def test_a_bare_name_is_a_folder_here_even_if_a_built_in_pack_bears_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    pack = write_pack(Path("menpai-mini"), MANIFEST, {"g.bin": b"mine"})
    assert pack.file("graph").read_bytes() == b"mine"


def _file(folder: Path) -> None:
    folder.write_text("mine")


def _folder(folder: Path) -> None:
    folder.mkdir()
    (folder / "mine.txt").write_text("mine")


def _web(folder: Path) -> None:
    folder.mkdir()
    (folder / "manifest.json").write_text("{}")


def _more(folder: Path) -> None:
    write_pack(folder, MANIFEST, {"g.bin": b"old"})
    (folder / "notes.txt").write_text("mine")


def _deep(folder: Path) -> None:
    write_pack(folder, MANIFEST, {"g.bin": b"old"})
    (folder / "more" / "deep").mkdir(parents=True)


@pytest.mark.parametrize(
    ("fill", "code"),
    [
        (_file, "output_no_pack"),
        (_folder, "output_no_pack"),
        (_web, "output_no_pack"),
        (_more, "output_has_more"),
        (_deep, "output_has_more"),
    ],
)
def test_what_is_no_pack_is_never_replaced(tmp_path: Path, fill: Callable[[Path], None], code: str) -> None:
    fill(tmp_path / "p")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(UsageError) as caught:
        write_pack(tmp_path / "p", MANIFEST, {"g.bin": b"new"})
    assert caught.value.code == code
    assert sorted(tmp_path.rglob("*")) == before


def test_an_empty_folder_and_a_damaged_pack_may_be_replaced(tmp_path: Path) -> None:
    (tmp_path / "p").mkdir()
    for content in (b"first", b"second"):
        assert write_pack(tmp_path / "p", MANIFEST, {"g.bin": content}).file("graph").read_bytes() == content
        (tmp_path / "p" / "g.bin").write_bytes(b"damaged")
        (tmp_path / "p" / ".DS_Store").write_bytes(b"of the system")


@pytest.mark.parametrize("inside", ["q", "q/r"])
def test_nothing_is_written_into_a_pack(tmp_path: Path, inside: str) -> None:
    old = write_pack(tmp_path / "p", MANIFEST, {"g.bin": b"old"})
    with pytest.raises(UsageError) as caught:
        write_pack(tmp_path / "p" / inside, MANIFEST, {"g.bin": b"new"})
    assert caught.value.code == "output_inside_pack"
    assert open_pack(tmp_path / "p") == old
    assert not (tmp_path / "p" / "q").exists()


def test_the_source_is_no_output_by_whatever_name(tmp_path: Path) -> None:
    pack = write_pack(tmp_path / "p", MANIFEST, {"g.bin": b"old"})
    (tmp_path / "other").symlink_to(pack.path)
    for name in ("p", "./p", "q/../p", "other"):
        with pytest.raises(UsageError) as caught:
            check_output(tmp_path / name, pack.path)
        assert caught.value.code == "output_is_pack"


def test_a_full_disk_is_said_of_the_pack(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
    try:
        with pytest.raises(OSError, match="too large") as caught:
            write_pack(tmp_path / "p", MANIFEST, {"g.bin": bytes(200_000)})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert caught.value.filename == str(tmp_path / "p")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such locks")
def test_what_a_killed_write_left_is_removed_by_the_next_and_work_is_not(tmp_path: Path) -> None:
    killed = (
        "import os, signal, sys; from pathlib import Path; from menpai.packs.write import replaced\n"
        "with replaced(Path(sys.argv[1])) as fresh:\n"
        "    (fresh / 'g.bin').write_bytes(b'half')\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", killed, str(tmp_path / "p")], check=False)
    assert done.returncode == -signal.SIGKILL
    assert len(list(tmp_path.iterdir())) == 1
    (tmp_path / ".p-settings").mkdir()
    with replaced(tmp_path / "p") as working:
        write_pack(tmp_path / "p", MANIFEST, {"g.bin": b"new"})
        left = {path.name for path in tmp_path.iterdir()}
        assert left == {"p", ".p-settings", working.parent.name}, "what is in work stays"
        (working / "mine").write_bytes(b"x")
    assert sorted(path.name for path in tmp_path.iterdir()) == [".p-settings", "p"]
