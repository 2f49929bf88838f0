"""What every engine promises of a pack that holds a BERT: the logits of ONNX Runtime, in each precision."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from menpai.engines import ENGINES, NEEDS, Engine, open_engine
from menpai.errors import BrokenArtefactError, NotReadyError, UsageError
from menpai.packs import open_pack
from tests.bert import PRECISIONS, batches, narrow_pack

# Largest difference of a logit from ONNX Runtime's. Torch computes BF16 in BF16, ONNX Runtime in float32; dynamic INT8
# is ONNX Runtime's own, which others widen, as the traced form does with all INT8.
NEAR = {"float32": 1e-5, "float16": 1e-4, "bfloat16": 0.15, "int8": 0.05, "dynamic": 0.3}
LOCAL = [name for name in ENGINES if name != "triton"]
OTHERS = [
    pytest.param(name, marks=[] if name == "onnx" else pytest.mark.slow) for name in LOCAL if name != "torch-compiled"
]  # fmt: skip


@pytest.fixture(scope="module", params=OTHERS)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=PRECISIONS)
def opened(name: str, request: pytest.FixtureRequest) -> tuple[Engine, Engine, float]:
    graph = narrow_pack(request.param).file("graph")
    near = NEAR["dynamic" if name == "torch-script" and request.param == "int8" else request.param]
    return open_engine(name, graph, 1, "cpu"), open_engine("onnx", graph, 1, "cpu"), near


def test_logits_are_those_of_onnx_runtime(opened: tuple[Engine, Engine, float]) -> None:
    engine, plain, near = opened
    for batch in batches():
        found = engine.run(batch)
        assert found.dtype == np.float32
        assert found.shape == (len(batch["input_ids"]), 3)
        assert np.abs(found - plain.run(batch)).max() < near


def test_padding_and_company_change_a_row_within_the_tolerance(opened: tuple[Engine, Engine, float]) -> None:
    engine, _, near = opened
    batch = max(batches(), key=lambda batch: len(batch["input_ids"]))
    together = engine.run(batch)
    padded = engine.run({name: np.pad(array, ((0, 0), (0, 9))) for name, array in batch.items()})
    alone = engine.run({name: array[:1] for name, array in batch.items()})
    assert np.abs(padded - together).max() < max(near, 1e-4)
    assert np.abs(alone[0] - together[0]).max() < max(near, 1e-4)


def test_rows_of_several_lengths_in_one_run(opened: tuple[Engine, Engine, float]) -> None:
    engine, plain, near = opened
    short, long = batches()[0], batches()[-1]
    width = long["input_ids"].shape[1] - short["input_ids"].shape[1]
    mixed = {
        name: np.concatenate([long[name], np.pad(short[name], ((0, 0), (0, width))), long[name]])
        for name in short
    }
    assert np.abs(engine.run(mixed) - plain.run(mixed)).max() < max(near, 1e-4)


def test_threads_may_share_an_engine(opened: tuple[Engine, Engine, float]) -> None:
    engine, _, near = opened
    alone = engine.run(batches()[0])
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: engine.run(batches()[0]), range(8)))
    assert max(np.abs(one - alone).max() for one in found) < max(near, 1e-5)


@pytest.mark.parametrize("task", ["ranking", "elements"])
def test_other_tasks(name: str, task: str) -> None:
    graph = narrow_pack("int8", task).file("graph")
    engine, plain = open_engine(name, graph, 1, "cpu"), open_engine("onnx", graph, 1, "cpu")
    for batch in batches(task)[:5]:
        assert np.abs(engine.run(batch) - plain.run(batch)).max() < (0.05 if name != "torch-script" else 1)


def test_a_device_that_is_not_there_is_refused_with_those_that_are(name: str) -> None:
    with pytest.raises(NotReadyError) as caught:
        open_engine(name, narrow_pack("float32").file("graph"), 1, "tensorrt")
    assert caught.value.code == "device_missing"
    assert caught.value.details["known"] == "cpu"


def test_a_device_nobody_knows_is_refused() -> None:
    with pytest.raises(UsageError, match="tensorrt"):
        open_engine("onnx", narrow_pack("float32").file("graph"), 1, "tpu")


def test_every_engine_names_its_package() -> None:
    assert ENGINES.keys() == NEEDS.keys()


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["torch", "torch-script"])
def test_torch_refuses_a_pack_that_holds_no_bert(engine: str) -> None:
    with pytest.raises(BrokenArtefactError) as caught:
        open_engine(engine, open_pack("menpai-mini").file("graph"), 1)
    assert caught.value.code == "engine_needs_bert"
