from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from menpai.errors import BrokenArtefactError, UsageError
from menpai.packs import Pack, builtin_packs, open_pack
from menpai.packs.pack import DIGESTS, MANIFEST
from tests.judging import small_pack

FILES = ["SHA256SUMS", "card.md", "graph.bin", "manifest.json", "vocabulary.bin", "weights.bin"]
Change = Callable[[dict[str, Any]], object]


@pytest.fixture
def pack(tmp_path: Path) -> Pack:
    return small_pack(tmp_path / "small")


def sign(folder: Path) -> None:
    """Write the digests anew, as someone would who makes a pack by hand."""
    names = sorted(path.name for path in folder.iterdir() if path.name != DIGESTS)
    sums = [f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}\n" for name in names]
    (folder / DIGESTS).write_text("".join(sums), encoding="ascii")


def damage(path: Path, at: float) -> None:
    """Flip one bit at a share of the file."""
    data = bytearray(path.read_bytes())
    data[int(at * (len(data) - 1))] ^= 1
    path.write_bytes(data)


def test_the_built_in_pack_opens_by_name() -> None:
    assert builtin_packs() == ["menpai-mini"]
    pack = open_pack("menpai-mini")
    assert pack.id == f"menpai-mini@{pack.version}"
    assert pack.card.startswith("# menpai-mini")
    assert {path.suffix for path in pack.path.iterdir()} <= {".json", ".txt", ".onnx", ".md", ""}, "only data"


def test_a_pack_opens_by_its_folder(pack: Pack) -> None:
    again = open_pack(str(pack.path))
    assert again == pack
    assert again.id == "small@1"
    assert sorted(again.files) == FILES[1:]
    assert again.read_json("weights")["clear"] == 0.9


def test_the_digest_is_that_of_the_content(pack: Pack, tmp_path: Path) -> None:
    assert small_pack(tmp_path / "twin").digest == pack.digest
    assert small_pack(tmp_path / "other", vocabulary=b"x").digest != pack.digest


@pytest.mark.parametrize("at", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("name", FILES)
def test_one_flipped_bit_is_found_and_its_file_named(pack: Pack, name: str, at: float) -> None:
    damage(pack.path / name, at)
    with pytest.raises(BrokenArtefactError) as caught:
        open_pack(pack.path)
    assert caught.value.code == "pack_damaged"
    # A digest that was damaged reads like damage to the file that it belongs to.
    assert caught.value.details["file"] == name or name == DIGESTS
    assert caught.value.details["file"] in caught.value.render("zh")[0]


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_gone_is_named(pack: Pack, name: str) -> None:
    (pack.path / name).unlink()
    with pytest.raises(BrokenArtefactError) as caught:
        open_pack(pack.path)
    assert caught.value.details["file"] == name


def test_a_file_that_was_added_is_named(pack: Pack) -> None:
    (pack.path / "setup.py").write_text("print('hello')")
    with pytest.raises(BrokenArtefactError, match=r"setup\.py, which is not in SHA256SUMS; move") as caught:
        open_pack(pack.path)
    assert caught.value.code == "pack_extra"


@pytest.mark.parametrize("name", [".DS_Store", "._card.md", ".nfs0001", "Thumbs.db", "desktop.ini"])
def test_what_systems_leave_in_folders_is_no_damage(pack: Pack, name: str) -> None:
    (pack.path / name).write_bytes(b"\0")
    assert open_pack(pack.path).digest == pack.digest


@pytest.mark.parametrize("name", ["../outside", "..\\outside", "/etc/hostname", ""])
def test_digests_may_not_point_out_of_the_folder(pack: Pack, name: str) -> None:
    with (pack.path / DIGESTS).open("a") as file:
        file.write(f"{'0' * 64}  {name}\n")
    with pytest.raises(BrokenArtefactError, match=DIGESTS):
        open_pack(pack.path)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda m: m.update(format=0), "format 0, this version reads 1"),
        (lambda m: m.update(labels=["match", "not_match"]), "labels"),
        (lambda m: m.update(labels=[1, 2, "x"]), "labels"),
        (lambda m: m.update(labels="exact_match"), "labels"),
        (lambda m: m["files"].update(graph="../../graph.bin"), r"graph\.bin is not in SHA256SUMS"),
        (lambda m: m["files"].update(graph="gone.onnx"), r"gone\.onnx is not in SHA256SUMS"),
        (lambda m: m.update(files=["graph.bin"]), "files"),
        (lambda m: m.pop("version"), "version"),
        (lambda m: m.pop("format"), "format"),
    ],
)
def test_a_manifest_that_cannot_be_run_is_refused(pack: Pack, change: Change, says: str) -> None:
    manifest = dict(pack.manifest)
    change(manifest)
    (pack.path / MANIFEST).write_text(json.dumps(manifest))
    sign(pack.path)
    with pytest.raises(BrokenArtefactError, match=says) as caught:
        open_pack(pack.path)
    assert caught.value.code == "pack_invalid"


def test_a_pack_from_a_newer_version_says_so(pack: Pack) -> None:
    (pack.path / MANIFEST).write_text(json.dumps({**pack.manifest, "format": 2, "labels": "other"}))
    sign(pack.path)
    with pytest.raises(BrokenArtefactError, match="format 2, this version reads up to 1; upgrade menpai"):
        open_pack(pack.path)


@pytest.mark.parametrize("content", [b"[]", b"{", b"\xff\xfe", b"null"])
def test_a_manifest_that_is_no_object_is_refused(pack: Pack, content: bytes) -> None:
    (pack.path / MANIFEST).write_bytes(content)
    sign(pack.path)
    with pytest.raises(BrokenArtefactError, match=MANIFEST):
        open_pack(pack.path)


@pytest.mark.parametrize("name", ["menpai-maxi", "", ".", "\0", "长" * 400, "/", __file__])
def test_what_is_no_pack_is_the_callers_mistake(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match="menpai-mini") as caught:
        open_pack(name)
    assert caught.value.code == "pack_not_found"
