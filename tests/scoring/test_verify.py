from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
import pytest

from menpai.errors import UsageError
from menpai.packs import Pack, open_pack
from menpai.packs.bert_graph import bert_graph
from menpai.packs.importing import import_folder
from menpai.packs.mgeo import read_folder
from menpai.packs.sample import written_pairs
from menpai.packs.write import Content, write_pack
from menpai.scoring.verify import OFFICIAL, Check, verify
from tests.bert import tiny_pack
from tools.checkpoint_files import write_bin
from tools.random_mgeo import SIZES, TASKS, random_folder, renamed, tensors

PAIRS = written_pairs(40)


def checks(*args: object, **more: object) -> dict[str, Check]:
    return {check.name: check for check in verify(*args, **more)}  # type: ignore[arg-type]


@cache
def overflowing(task: str) -> Pack:
    """A pack, as no import would write it, whose weights are numbers and whose answers are none."""
    path = Path(mkdtemp(prefix="menpai-verify-"))
    folder = random_folder(path / "folder", task)
    weights = tensors(SIZES["tiny"], TASKS[task])
    large = {n: t * np.float32(1e30) if t.dtype == np.float32 else t for n, t in weights.items()}
    write_bin(folder / "pytorch_model.bin", renamed(large))
    found, pack = read_folder(folder), tiny_pack(task)
    manifest = {name: value for name, value in pack.manifest.items() if name != "format"}
    files: dict[str, Content] = {name: (pack.path / name).read_bytes() for name in ("vocab.txt", "card.md")}
    return write_pack(path / "pack", manifest, files | {"model.onnx": bert_graph(found.shape, found.tensors)})


def test_a_random_model_is_finite_and_knows_nothing() -> None:
    found = checks(tiny_pack(), PAIRS)
    assert set(found) == {"finite", "identical"}
    assert found["finite"].passed
    assert not found["identical"].passed
    assert found["identical"].figures["exact_share"] < 0.9


def test_the_official_outputs_are_asked_of_the_official_folder(tmp_path: Path) -> None:
    folder = random_folder(tmp_path / "mgeo_geographic_entity_alignment_chinese_base")
    pack, _ = import_folder(folder, tmp_path / "pack")
    official = checks(pack, PAIRS)["official"]
    assert not official.passed
    assert official.figures["wanted"] == [p for *_, p in OFFICIAL] == [0.92174, 0.76013, 0.99874, 0.91773]
    assert "official" in checks(tiny_pack(), PAIRS, official=True)


@pytest.mark.parametrize("task", ["ranking", "elements"])
def test_other_tasks_are_checked_for_finite_outputs(task: str) -> None:
    assert [check.passed for check in verify(tiny_pack(task), PAIRS)] == [True]


def test_our_own_pack_is_not_verified_this_way() -> None:
    with pytest.raises(UsageError, match="model import"):
        verify(open_pack("menpai-mini"), PAIRS)


@pytest.mark.slow
@pytest.mark.parametrize("task", ["pair", "ranking", "elements"])
def test_a_pack_is_what_pytorch_makes_of_its_folder(task: str) -> None:
    pack = tiny_pack(task)
    found = checks(pack, written_pairs(200), pack.path.parent / "folder")["reference"]
    assert found.passed
    assert found.figures["logit_difference"] < 1e-4
    assert found.figures["labels_changed"] == 0


@pytest.mark.slow
def test_another_folder_is_told_apart(tmp_path: Path) -> None:
    folder = random_folder(tmp_path / "other", seed=7)
    found = checks(tiny_pack(), PAIRS, folder)["reference"]
    assert not found.passed
    assert found.figures["labels_changed"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("task", ["pair", "ranking", "elements"])
def test_transformers_gives_the_same_logits(task: str) -> None:
    """The classes that the official code's own equal to the last bit."""
    import json  # noqa: PLC0415 (slow tier)

    import torch  # noqa: PLC0415
    import transformers  # noqa: PLC0415

    from menpai.engines import open_engine  # noqa: PLC0415
    from tests.bert import batches  # noqa: PLC0415

    pack = tiny_pack(task)
    folder = pack.path.parent / "folder"
    state = torch.load(folder / "pytorch_model.bin", weights_only=True)
    fields = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    kind = (
        transformers.BertForTokenClassification
        if task == "elements"
        else transformers.BertForSequenceClassification
    )
    model = kind(transformers.BertConfig(**fields, num_labels=len(state["classifier.weight"]))).eval()
    renamed = {name.replace("bert.text_encoder.", "bert."): tensor for name, tensor in state.items()}
    assert not model.load_state_dict(renamed, strict=False).missing_keys
    engine = open_engine("onnx", pack.file("graph"), 1)
    for batch in batches(task):
        inputs = {name: torch.from_numpy(array.astype(np.int64)) for name, array in batch.items()}
        with torch.no_grad():
            expected = model(**inputs).logits.numpy()
        assert np.abs(engine.run(batch) - expected).max() < 1e-4


@pytest.mark.parametrize("task", ["pair", "ranking", "elements"])
def test_a_model_without_numbers_passes_no_check(task: str) -> None:
    """NaN has no largest label: counted, it would be the first one."""
    pack = overflowing(task)
    found = checks(pack, PAIRS, official=task == "pair")
    assert not any(check.passed for check in found.values())
    if task == "pair":
        assert found["identical"].figures["exact_share"] == 0


@pytest.mark.slow
@pytest.mark.parametrize("task", ["pair", "ranking", "elements"])
def test_nan_does_not_equal_nan_of_pytorch(task: str) -> None:
    pack = overflowing(task)
    found = checks(pack, PAIRS, pack.path.parent / "folder")["reference"]
    assert not found.passed
    assert found.figures["labels_changed"] == found.figures["rows"]


@pytest.mark.slow
def test_the_comparison_leaves_the_threads_of_pytorch_as_they_were() -> None:
    import torch  # noqa: PLC0415 (slow tier)

    before = torch.get_num_threads()
    pack = tiny_pack()
    seen: set[int] = set()
    with torch.nn.modules.module.register_module_forward_hook(lambda *_: seen.add(torch.get_num_threads())):
        checks(pack, PAIRS[:3], pack.path.parent / "folder")
    assert seen <= {1}
    assert torch.get_num_threads() == before
