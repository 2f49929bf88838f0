"""The fused graph answers as the imported one does, in every precision."""

from __future__ import annotations

import numpy as np
import pytest

from menpai.engines import open_engine
from menpai.engines.constants import read_constants
from menpai.packs.fused_graph import inputs_of, narrowed, quantized
from menpai.packs.quantize import read_float_pack
from tests.bert import PRECISIONS, batches, narrow_pack, tiny_pack

# Largest difference of a logit; logits are about 1 in size.
TOLERANCE = {"float32": 1e-5, "float16": 0.01, "bfloat16": 0.1, "int8": 0.2, "dynamic": 0.3}


@pytest.mark.parametrize("task", ["pair", "ranking", "elements"])
@pytest.mark.parametrize("precision", PRECISIONS)
def test_logits_are_those_of_the_imported_graph(precision: str, task: str) -> None:
    exact, narrow = (
        open_engine("onnx", pack.file("graph"), 1) for pack in (tiny_pack(task), narrow_pack(precision, task))
    )
    scale = 1 if task != "elements" else 4
    for batch in batches(task):
        expected, found = exact.run(batch), narrow.run(batch)
        assert found.shape == expected.shape
        assert np.abs(found - expected).max() < TOLERANCE[precision] * scale


@pytest.mark.parametrize("precision", PRECISIONS)
def test_padding_changes_nothing_that_is_read(precision: str) -> None:
    engine = open_engine("onnx", narrow_pack(precision).file("graph"), 1)
    for batch in batches()[:4]:
        wider = {name: np.pad(array, ((0, 0), (0, 7))) for name, array in batch.items()}
        near = 1e-5 if precision != "dynamic" else 0.1
        assert np.abs(engine.run(wider) - engine.run(batch)).max() < near


@pytest.mark.parametrize("precision", ["float32", "int8"])
def test_a_row_alone_is_the_row_in_its_batch_to_the_bit(precision: str) -> None:
    engine = open_engine("onnx", narrow_pack(precision).file("graph"), 1)
    for batch in batches():
        together = engine.run(batch)
        for at in range(len(together)):
            alone = engine.run({name: array[[at]] for name, array in batch.items()})
            assert (alone[0] == together[at]).all()


def test_int8_weights_leave_room_for_sums_in_sixteen_bits() -> None:
    constants = read_constants(narrow_pack("int8").file("graph").read_bytes())
    weights = [c for n, c in constants.items() if n.endswith("weight_q") and "embeddings" not in n]
    assert len(weights) == 12
    assert max(int(np.abs(w.astype(int)).max()) for w in weights) * 255 * 2 < 2**15


def test_inputs_name_every_product_of_the_layers_once() -> None:
    shape, tensors = read_float_pack(tiny_pack())
    products = [name for names in inputs_of(shape).values() for name in names]
    dense = [
        name.removesuffix(".weight") for name in tensors if name.endswith(".weight") and "layer." in name
    ]
    assert sorted(products) == sorted(name for name in dense if "LayerNorm" not in name)


@pytest.mark.parametrize("bits", [7, 8])
def test_a_quantized_matrix_is_off_by_half_a_step_at_most(bits: int) -> None:
    matrix = np.random.default_rng(0).standard_normal((50, 20)).astype(np.float32)
    whole, scales = quantized(matrix, bits)
    assert (np.abs(whole * scales - matrix) <= scales * 0.5001).all()
    assert np.abs(whole.astype(int)).max() == (63 if bits == 7 else 127)


def test_bfloat16_rounds_to_nearest() -> None:
    numbers = np.array([1.0, 1.00390625, 1.01171875, -3.1415927, 65504.0], dtype=np.float32)
    words = narrowed(numbers, "bfloat16")
    back = (words.astype(np.uint32) << 16).view(np.float32)
    assert back.tolist() == [1.0, 1.0, 1.015625, -3.140625, 65536.0]
