from __future__ import annotations

import stat
from pathlib import Path

import pytest

from menpai.errors import BrokenArtefactError
from menpai.packs import open_pack, write_pack
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
