from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from menpai.errors import BrokenArtefactError, UsageError
from menpai.packs import Pack, builtin_packs, open_pack
from menpai.packs.pack import DIGESTS, MANIFEST
from tests.bert import PRECISIONS, narrow_pack, tiny_pack
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


def edited(folder: Path, pack: Pack, change: Change) -> Path:
    """A copy of the pack whose manifest was changed by hand, with fresh digests."""
    shutil.copytree(pack.path, folder)
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    change(manifest)
    (folder / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
    sign(folder)
    return folder


def _sized(**sizes: object) -> Change:
    return lambda manifest: manifest["shape"].update(sizes)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda m: m.update(max_length=-5), "max_length -5"),
        (lambda m: m.update(max_length=100_000), "max_length 100000, the model has 512"),
        (lambda m: m.update(max_length=64.5), "max_length"),
        (lambda m: m.update(order="upside"), 'order "upside"'),
        (lambda m: m.update(truncation="odd"), 'truncation "odd"'),
        (lambda m: m.update(precision="int8"), "precision int8, the graph is float32"),
        (lambda m: m.update(precision="int4"), 'precision "int4"'),
        (lambda m: m.update(precision=["int8"]), "precision"),
        (lambda m: m.update(lower_case="no"), "lower_case"),
        (lambda m: m.update(tokenizer="sentences"), "tokenizer sentences"),
        (lambda m: m.update(tokenizer=["wordpiece"]), "tokenizer"),
        (lambda m: m.update(shape=3), "shape"),
        (lambda m: m["shape"].pop("width"), "shape"),
        (_sized(heads=4), "heads 4"),
        (_sized(heads=5), "5 heads"),
        (_sized(layers=-1), "layers -1"),
        (_sized(layers=1), "layers 1, the graph has more"),
        (_sized(layers=3), r"no bert\.encoder\.layer\.2"),
        (_sized(width=64), "×"),
        (_sized(feedforward=32), "×"),
        (_sized(types=3), "×"),
        (_sized(positions=1024), "×"),
        (_sized(labels=4), "3 labels, the model has 4"),
        (_sized(vocabulary=899), "900 entries, the model 899"),
        (_sized(epsilon=float("nan")), "epsilon"),
        (_sized(pooler=1), "pooler"),
        (lambda m: m["files"].pop("vocabulary"), "vocabulary"),
        (lambda m: m["files"].update(graph="vocab.txt"), r"vocab\.txt|the graph"),
    ],
)
@pytest.mark.parametrize("precision", ["float32", "int8"])
def test_a_manifest_that_contradicts_its_graph_is_refused(
    tmp_path: Path, change: Change, says: str, precision: str
) -> None:
    if precision == "int8" and "precision int8" in says:
        change, says = (lambda m: m.update(precision="float16")), "precision float16, the graph is int8"
    with pytest.raises(BrokenArtefactError, match=says) as caught:
        open_pack(edited(tmp_path / "pack", narrow_pack(precision), change))
    assert caught.value.code == "pack_invalid"
    assert len(caught.value.render("en")[0]) < 400


def test_a_vocabulary_that_was_cut_is_refused(tmp_path: Path) -> None:
    folder = edited(tmp_path / "pack", tiny_pack(), lambda m: None)
    lines = (folder / "vocab.txt").read_bytes().split(b"\n")
    (folder / "vocab.txt").write_bytes(b"\n".join(lines[11:]))
    sign(folder)
    with pytest.raises(BrokenArtefactError, match="889 entries, the model 900"):
        open_pack(folder)


@pytest.mark.parametrize("task", ["pair", "ranking", "elements"])
@pytest.mark.parametrize("precision", PRECISIONS)
def test_what_we_write_contradicts_nothing(tmp_path: Path, task: str, precision: str) -> None:
    assert open_pack(edited(tmp_path / "pack", narrow_pack(precision, task), lambda m: None)).files
