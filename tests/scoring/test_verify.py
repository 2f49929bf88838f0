from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from menpai.errors import UsageError
from menpai.packs import open_pack
from menpai.packs.importing import import_folder
from menpai.packs.sample import written_pairs
from menpai.scoring.verify import OFFICIAL, Check, verify
from tests.bert import tiny_pack
from tools.random_mgeo import random_folder

PAIRS = written_pairs(40)


def checks(*args: object, **more: object) -> dict[str, Check]:
    return {check.name: check for check in verify(*args, **more)}  # type: ignore[arg-type]


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
