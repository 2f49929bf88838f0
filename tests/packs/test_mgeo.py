"""Folders as downloaded, whole and broken: what they become, or the one line that says what is wrong with them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from menpai.engines import open_engine
from menpai.errors import BrokenArtefactError, UsageError
from menpai.packs import open_pack
from menpai.packs.bert_rows import pair_rows, single_rows
from menpai.packs.importing import import_folder
from menpai.packs.mgeo import read_folder
from menpai.packs.wordpiece import open_wordpiece
from tests.bert import tiny_pack
from tests.bert_twin import logits
from tools.checkpoint_files import write_bin, write_safetensors
from tools.random_mgeo import SIZES, TASKS, Tensors, random_folder, renamed, tensors
from tools.random_mgeo_variants import BROKEN, GOOD, variant_folder

PAIRS = [
    ("文三路123号", "文三路125号"),
    ("杭州市西湖区文三路123号A座soho2020", "西湖区文三路123号"),
    ("北京市朝阳区望京街道阳光花园3号楼2单元501室", "上海"),
    ("１２３ Plaza", "x" * 30),
]
# Broken folder: the error's code and what its message names.
REFUSALS = {
    "missing_tensor": ("tensors_missing", "layer.0.output.dense.bias"),
    "extra_tensor": ("tensors_unexpected", "adapter.weight"),
    "wrong_prefix": ("tensors_missing", "encoder_text."),
    "wrong_shape": ("tensor_shape", "3×5"),
    "half_downloaded": ("weights_unreadable", "pytorch_model.bin"),
    "half_downloaded_safetensors": ("weights_unreadable", "model.safetensors"),
    "lfs_pointer": ("weights_pointer", "pytorch_model.bin"),
    "vocabulary_short": ("vocabulary_size", "893"),
    "two_labels": ("labels_not_three", "not_match, exact_match"),
    "labels_unknown": ("labels_unknown", "A, B, C"),
    "no_labels": ("labels_missing", "no_labels"),
    "not_a_number": ("tensor_not_finite", "pooler.dense.weight"),
    "code_in_pickle": ("weights_code", "os.mkdir"),
    "no_weights": ("weights_missing", "pytorch_model.bin"),
    "other_architecture": ("config_unknown", "roformer"),
}


@pytest.mark.parametrize("task", TASKS)
def test_the_graph_gives_the_logits_of_bert_by_the_book(tmp_path: Path, task: str) -> None:
    """Pairs have segment ids; ranking and tagging have none."""
    folder = random_folder(tmp_path / "folder", task)
    pack, _ = import_folder(folder, tmp_path / "pack")
    source, words = read_folder(folder), open_wordpiece(pack)
    a, b = (words.encode([pair[side] for pair in PAIRS]) for side in (0, 1))
    rows = (
        pair_rows(a, b, words, 512, segments=task == "pair")
        if source.shape.pooler
        else single_rows(a, words, 512)
    )
    engine = open_engine("onnx", pack.file("graph"), 1)
    for run in rows:
        assert np.abs(engine.run(run.inputs) - logits(source.shape, source.tensors, run.inputs)).max() < 1e-5
        padded = {name: np.pad(array, ((0, 0), (0, 9))) for name, array in run.inputs.items()}
        found, wanted = engine.run(padded), engine.run(run.inputs)
        assert np.abs((found if source.shape.pooler else found[:, :-9]) - wanted).max() < 1e-5


@pytest.mark.parametrize("variant", GOOD)
def test_a_folder_in_another_form_imports(tmp_path: Path, variant: str) -> None:
    pack, notes = import_folder(variant_folder(tmp_path / variant, variant), tmp_path / "pack")
    orders = {
        "other_order": ["not_match", "partial_match", "exact_match"],
        "label_mapping": ["partial_match", "exact_match", "not_match"],
    }
    assert pack.manifest["labels"] == orders.get(variant, list(TASKS["pair"].labels))
    assert notes == {"with_gis": ("gis:5",), "fusion_layer": ("above:1",)}.get(variant, ())
    assert pack.manifest["truncation"] == "fast"
    assert open_pack(pack.path).digest == pack.digest


@pytest.mark.parametrize("variant", ["safetensors", "with_gis", "module_prefix", "bare_prefix", "plain_bert"])
def test_the_form_of_a_folder_changes_no_weight(tmp_path: Path, variant: str) -> None:
    plain = read_folder(random_folder(tmp_path / "plain"))
    found = read_folder(variant_folder(tmp_path / variant, variant))
    assert found.shape == plain.shape
    assert set(found.tensors) == set(plain.tensors)
    assert all((found.tensors[name] == plain.tensors[name]).all() for name in plain.tensors)


def test_only_the_layers_below_the_fusion_layer_run(tmp_path: Path) -> None:
    found = read_folder(variant_folder(tmp_path / "folder", "fusion_layer"))
    assert found.shape.layers == SIZES["tiny"].layers - 1
    assert not any("crossattention" in name or "layer.1." in name for name in found.tensors)


@pytest.mark.parametrize("task", ["ranking", "elements"])
def test_a_plain_folder_of_another_task_is_known_by_its_class_and_head(tmp_path: Path, task: str) -> None:
    found = read_folder(variant_folder(tmp_path / task, "plain_bert", task))
    assert found.task == ("ranking" if task == "ranking" else "tagging")
    assert found.labels == (TASKS[task].labels or ("relevance",))


def test_every_broken_variant_has_its_refusal() -> None:
    assert set(REFUSALS) == set(BROKEN)


@pytest.mark.parametrize("variant", BROKEN)
def test_a_broken_folder_is_refused_by_name_and_leaves_no_pack(tmp_path: Path, variant: str) -> None:
    folder = variant_folder(tmp_path / variant, variant)
    code, named = REFUSALS[variant]
    with pytest.raises(BrokenArtefactError) as caught:
        import_folder(folder, tmp_path / "pack")
    assert caught.value.code == code
    for language in ("zh", "en"):
        message, hint = caught.value.render(language)
        assert named in message
        assert hint
        assert "\n" not in message + hint
    assert [path.name for path in tmp_path.iterdir()] == [variant]
    assert not (folder / "executed").exists()


def test_labels_can_be_said_where_the_folder_does_not(tmp_path: Path) -> None:
    folder = variant_folder(tmp_path / "folder", "no_labels")
    given = ("partial_match", "不匹配", "exact")
    assert read_folder(folder, labels=given).labels == ("partial_match", "not_match", "exact_match")


@pytest.mark.parametrize("ids", [{"a": 0, "b": 2}, {"0": "a", "1": 3}, {"a": "x"}])
def test_ids_of_labels_that_make_no_order_are_refused(tmp_path: Path, ids: dict[str, object]) -> None:
    folder = random_folder(tmp_path / "folder")
    (folder / "label_mapping.json").write_text(str(ids).replace("'", '"'))
    with pytest.raises(BrokenArtefactError, match="label_mapping"):
        read_folder(folder)


def test_a_backbone_without_a_head_is_refused(tmp_path: Path) -> None:
    folder = random_folder(tmp_path / "folder", "elements")
    with pytest.raises(BrokenArtefactError) as caught:
        read_folder(folder, "pair", TASKS["pair"].labels)
    assert caught.value.code in ("tensors_missing", "labels_not_three")


@pytest.mark.parametrize("text", ["{", "[]", "\ufeffx"])
def test_a_configuration_that_is_no_object_is_named(tmp_path: Path, text: str) -> None:
    folder = random_folder(tmp_path / "folder")
    (folder / "config.json").write_text(text, encoding="utf-8")
    with pytest.raises(BrokenArtefactError, match=r"config\.json"):
        read_folder(folder)


def test_the_folder_itself_is_never_written_over(tmp_path: Path) -> None:
    folder = random_folder(tmp_path / "folder")
    with pytest.raises(UsageError, match="not replaced"):
        import_folder(folder, folder)
    assert (folder / "pytorch_model.bin").exists()
    with pytest.raises(UsageError, match="no model folder"):
        import_folder(tmp_path / "gone", tmp_path / "pack")


def test_a_pack_is_made_anew_in_its_place_and_the_same(tmp_path: Path) -> None:
    folder = random_folder(tmp_path / "folder")
    first, _ = import_folder(folder, tmp_path / "pack")
    again, _ = import_folder(folder, tmp_path / "pack")
    assert first.digest == again.digest
    other = random_folder(tmp_path / "other", size=replace(SIZES["tiny"], layers=1))
    assert import_folder(other, tmp_path / "pack")[0].digest != first.digest


@pytest.fixture(scope="module")
def weights() -> Tensors:
    return tensors(SIZES["tiny"], TASKS["pair"])


@pytest.mark.parametrize("save", [write_bin, write_safetensors])
@pytest.mark.parametrize("prefix", ["bert.", "text_encoder.", "module.bert.text_encoder.", "module.bert."])
def test_one_tensor_under_two_prefixes_is_refused(
    tmp_path: Path, weights: Tensors, save: Callable[[Path, Tensors], None], prefix: str
) -> None:
    folder = random_folder(tmp_path / "folder")
    (folder / "pytorch_model.bin").unlink()
    name = "pytorch_model.bin" if save is write_bin else "model.safetensors"
    second = {f"{prefix}pooler.dense.bias": np.zeros(32, np.float32)}
    save(folder / name, renamed(weights) | second)
    with pytest.raises(BrokenArtefactError) as caught:
        read_folder(folder)
    assert caught.value.code == "tensor_twice"
    assert {"bert.text_encoder.pooler.dense.bias", *second} == {
        caught.value.details["name"],
        caught.value.details["other"],
    }


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda t: t.astype(np.int64), "tensor_kind"),
        (lambda t: np.full(t.shape, 1e300), "tensor_not_finite"),
        (lambda t: t * np.float32("inf"), "tensor_not_finite"),
        (lambda t: t[:1], "tensor_shape"),
    ],
)
def test_numbers_that_are_none_in_float32_are_refused(
    tmp_path: Path, weights: Tensors, change: Callable[[Any], Any], code: str
) -> None:
    folder = random_folder(tmp_path / "folder")
    bias = {"classifier.bias": change(weights["classifier.bias"])}
    write_bin(folder / "pytorch_model.bin", renamed(weights) | bias)
    with pytest.raises(BrokenArtefactError) as caught:
        read_folder(folder)
    assert caught.value.code == code


@pytest.mark.parametrize("task", ["pair", "ranking", "elements"])
def test_a_model_that_answers_no_numbers_is_not_imported(tmp_path: Path, task: str) -> None:
    """Each weight is a number, their products are not."""
    folder = random_folder(tmp_path / "folder", task)
    whole = {
        name: tensor * np.float32(1e30) if tensor.dtype == np.float32 else tensor
        for name, tensor in tensors(SIZES["tiny"], TASKS[task]).items()
    }
    write_bin(folder / "pytorch_model.bin", renamed(whole))
    with pytest.raises(BrokenArtefactError) as caught:
        import_folder(folder, tmp_path / "pack")
    assert caught.value.code == "model_not_finite"
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_a_vocabulary_with_a_piece_twice_is_refused(tmp_path: Path) -> None:
    folder = random_folder(tmp_path / "folder")
    pieces = (folder / "vocab.txt").read_text(encoding="utf-8").split("\n")
    pieces[700] = pieces[701]
    (folder / "vocab.txt").write_text("\n".join(pieces), encoding="utf-8")
    with pytest.raises(BrokenArtefactError, match=f"lists {pieces[701]} twice"):
        read_folder(folder)


def test_a_pack_and_a_folder_without_a_configuration_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is a pack already"):
        read_folder(tiny_pack().path)
    (tmp_path / "empty").mkdir()
    with pytest.raises(BrokenArtefactError, match=r"no config\.json"):
        read_folder(tmp_path / "empty")


def test_a_pack_has_the_name_of_its_folder_whatever_its_script(tmp_path: Path) -> None:
    pack, _ = import_folder(random_folder(tmp_path / "folder"), tmp_path / "杭州 门牌")
    assert pack.name == "杭州-门牌"
    assert open_pack(pack.path).id.startswith("杭州-门牌@")
