"""`quantize` writes what it measured, and nothing that is over budget."""

from __future__ import annotations

from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import numpy as np
import pytest

from menpai.engines import open_engine
from menpai.engines.constants import read_constants
from menpai.errors import BrokenArtefactError, UsageError
from menpai.packs import Pack, open_pack, write_pack
from menpai.packs.calibrate import damages
from menpai.packs.fused_graph import WORDS, inputs_of
from menpai.packs.measure import Reference, macro_f1
from menpai.packs.quantize import Budget, known_precision, quantize, read_float_pack
from tests.bert import PRECISIONS, batches, narrow_pack, plan_of, tiny_pack

CALIBRATION, HELD = batches(), batches(count=400)
ANY = Budget(1, 100)


@pytest.mark.parametrize("precision", PRECISIONS)
def test_the_pack_says_what_was_measured(tmp_path: Path, precision: str) -> None:
    done = quantize(tiny_pack(), tmp_path / "q", precision, CALIBRATION, HELD, budget=ANY)
    pack = open_pack(tmp_path / "q")
    assert pack.manifest["precision"] == precision
    assert pack.manifest["quantized"]["from"] == tiny_pack().digest
    assert pack.manifest["labels"] == tiny_pack().manifest["labels"]
    assert pack.manifest["batch_independent"] is done.batch_independent is (precision != "dynamic")
    assert done.difference.rows == sum(len(batch["input_ids"]) for batch in HELD)
    assert f"{done.difference.labels_changed:.2%}" in pack.card
    assert open_engine("onnx", pack.file("graph"), 1).run(HELD[0]).shape == (len(HELD[0]["input_ids"]), 3)


def test_over_budget_inputs_are_left_in_float32_until_it_fits(tmp_path: Path) -> None:
    loose = quantize(tiny_pack(), tmp_path / "a", "int8", CALIBRATION, HELD, budget=ANY)
    tight = quantize(
        tiny_pack(), tmp_path / "b", "int8", CALIBRATION, HELD,
        labels=_labels(), budget=Budget(0, 1e-9), force=True,
    )  # fmt: skip
    assert loose.kept == ()
    assert loose.difference.labels_changed > 0, "else this shows nothing"
    assert tight.within_budget
    assert tight.difference.labels_changed == 0
    assert 0 < len(tight.kept) <= len(inputs_of(read_float_pack(tiny_pack())[0])) + 1
    assert tight.megabytes > loose.megabytes


def test_a_budget_that_nothing_meets_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    budget = Budget(labels=-1)
    with pytest.raises(UsageError) as caught:
        quantize(tiny_pack(), tmp_path / "q", "float16", CALIBRATION, HELD, budget=budget)
    assert caught.value.code == "quantize_over_budget"
    assert not (tmp_path / "q").exists()
    done = quantize(tiny_pack(), tmp_path / "q", "float16", CALIBRATION, HELD, budget=budget, force=True)
    assert not done.within_budget


def test_steps_are_told_in_order(tmp_path: Path) -> None:
    told: list[str] = []
    quantize(
        tiny_pack(),
        tmp_path / "q",
        "int8",
        CALIBRATION,
        HELD,
        budget=ANY,
        told=lambda step, _: told.append(step),
    )
    assert told == ["reference", "calibrate", "measured", "independent", "write"]


def test_an_input_whose_range_is_far_too_wide_is_the_most_damaged() -> None:
    plan = plan_of("int8")
    worst = "bert.encoder.layer.1.intermediate.dense"
    wide = {**plan.ranges, worst: (-1000.0, 1000.0)}
    shape, tensors = read_float_pack(tiny_pack())
    ranked = damages(shape, tensors, type(plan)("int8", ranges=wide, factors=plan.factors), CALIBRATION)
    assert ranked[0] == worst
    assert sorted(ranked) == sorted([*inputs_of(shape), WORDS])


@pytest.mark.parametrize(
    ("pack", "code"), [("menpai-mini", "quantize_no_bert"), (None, "quantize_not_float")]
)
def test_what_cannot_be_quantized_is_refused_by_name(pack: str | None, code: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        quantize(
            open_pack(pack) if pack else narrow_pack("float16"), tmp_path / "q", "int8", CALIBRATION, HELD
        )
    assert caught.value.code == code


def test_precisions_have_short_names() -> None:
    assert [known_precision(name) for name in ("fp16", "bf16", "fp32", "int8")] == [
        "float16", "bfloat16", "float32", "int8",
    ]  # fmt: skip
    with pytest.raises(UsageError, match="int4"):
        known_precision("int4")


def test_macro_f1_is_the_mean_over_the_labels_that_occur() -> None:
    assert macro_f1([0, 0, 1], np.array([0, 0, 1])) == 100
    assert macro_f1([0, 0, 1, 1], np.array([0, 0, 0, 1])) == pytest.approx(100 * (0.8 + 2 / 3) / 2)


def _labels() -> list[int]:
    engine = open_engine("onnx", tiny_pack().file("graph"), 1)
    return [int(at) for batch in HELD for at in engine.run(batch).argmax(1)]


@pytest.mark.parametrize("precision", PRECISIONS)
def test_a_model_that_answers_nan_is_refused_even_by_force(tmp_path: Path, precision: str) -> None:
    broken = _with_constant(tiny_pack(), "bert.encoder.layer.1.output.LayerNorm.weight", np.nan)
    with pytest.raises(BrokenArtefactError) as caught:
        quantize(broken, tmp_path / "q", precision, CALIBRATION, HELD, budget=ANY, force=True)
    assert caught.value.code == "logits_not_finite"
    assert not (tmp_path / "q").exists()


@pytest.mark.parametrize("task", ["pair", "ranking", "tagging"])
def test_a_row_that_became_nan_counts_as_changed(task: str) -> None:
    shape = {"pair": (4, 3), "ranking": (4, 1), "tagging": (4, 5, 3)}[task]
    before = np.zeros(shape, np.float32)
    after = before.copy()
    after[0] = np.nan
    batch = {"input_ids": np.zeros((4, 5), np.int32), "attention_mask": np.ones((4, 5), np.int32)}
    changed = Reference.of(task, [before, before], [batch, batch], ()).difference([before, after])
    assert changed.labels_changed == 1 / 8
    assert np.isnan(changed.largest)


@pytest.mark.parametrize("out", ["p", "p/inside"])
def test_the_pack_itself_is_never_the_output(tmp_path: Path, out: str) -> None:
    pack = write_pack(tmp_path / "p", *_parts(tiny_pack()))
    with pytest.raises(UsageError) as caught:
        quantize(pack, tmp_path / out, "float16", CALIBRATION, HELD, budget=ANY)
    assert caught.value.code in ("output_is_pack", "output_inside_pack")
    assert open_pack(pack.path) == pack


def _parts(pack: Pack) -> tuple[dict[str, Any], dict[str, bytes]]:
    """The manifest and the files of a pack, to be written again."""
    manifest = {key: value for key, value in pack.manifest.items() if key != "format"}
    return manifest, {name: (pack.path / name).read_bytes() for name in pack.files if name != "manifest.json"}


def _with_constant(pack: Pack, name: str, number: float) -> Pack:
    """The pack with all numbers of one constant set."""
    manifest, files = _parts(pack)
    graph = bytearray(files["model.onnx"])
    read_constants(graph)[name][...] = number
    return write_pack(
        Path(mkdtemp(prefix="menpai-bert-")) / "broken", manifest, files | {"model.onnx": bytes(graph)}
    )
