from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from menpai.engines import onnx
from menpai.engines.constants import lifted, read_constants, shape_beside, widened
from menpai.packs.quantize import read_float_pack
from tests import graphs
from tests.bert import PRECISIONS, batches, narrow_pack, tiny_pack


def test_constants_are_the_tensors_that_were_imported() -> None:
    shape, tensors = read_float_pack(tiny_pack())
    assert tensors["bert.encoder.layer.0.intermediate.dense.weight"].shape == (shape.feedforward, shape.width)
    assert all(tensor.dtype == np.float32 and np.isfinite(tensor).all() for tensor in tensors.values())


def test_halves_and_bfloat16_widen_to_about_what_they_were() -> None:
    _, tensors = read_float_pack(tiny_pack())
    name = "bert.encoder.layer.0.output.dense.weight"
    for precision, off in (("float16", 1e-3), ("bfloat16", 1e-2)):
        constants = read_constants(narrow_pack(precision).file("graph").read_bytes())
        assert np.abs(widened(constants[f"{name}_t"]).T - tensors[name]).max() < off


def test_a_constant_in_another_file_is_not_read() -> None:
    assert read_constants(graphs.reaching_graph("secret.bin")) == {}


def test_the_shape_stands_in_the_manifest_beside_the_graph(tmp_path: Path) -> None:
    assert shape_beside(tiny_pack().file("graph")) == tiny_pack().manifest["shape"]
    assert shape_beside(tmp_path / "graph.onnx") is None
    (tmp_path / "manifest.json").write_text("[]")
    assert shape_beside(tmp_path / "graph.onnx") is None


def test_a_lifted_graph_and_its_constants_are_the_whole() -> None:
    graph = narrow_pack("int8").file("graph").read_bytes()
    skeleton, constants = lifted(graph, 1000)
    whole = read_constants(graph)
    assert len(skeleton) < len(graph) / 2
    assert (
        constants.keys() == {name for name, array in whole.items() if array.nbytes > 990} & constants.keys()
    )
    assert len(constants) > 10
    assert all((constants[name] == whole[name]).all() for name in constants)
    assert not constants.keys() & read_constants(skeleton).keys()


@pytest.mark.parametrize("precision", PRECISIONS)
def test_a_large_graph_answers_as_a_small_one(precision: str, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = narrow_pack(precision).file("graph")
    small = onnx.OnnxEngine(graph, 1, "cpu")
    monkeypatch.setattr(onnx, "_LARGE", 1)
    monkeypatch.setattr(onnx, "lifted", lambda content: lifted(content, 1000))
    large = onnx.OnnxEngine(graph, 1, "cpu")
    for batch in batches()[:4]:
        assert (large.run(batch) == small.run(batch)).all()
