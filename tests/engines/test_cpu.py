"""INT8 on processors that saturate: found by a product whose result is known, and reduced."""

from __future__ import annotations

import json

import numpy as np

from menpai.engines.constants import read_constants
from menpai.engines.cpu import INSTRUCTIONS, describe_cpu, int8_is_exact
from menpai.engines.onnx import OnnxEngine, reduced_range
from tests.bert import batches, narrow_pack


def test_the_processor_is_described() -> None:
    cpu = describe_cpu()
    assert cpu.name
    assert set(cpu.instructions) <= set(INSTRUCTIONS)
    assert cpu.int8_exact is int8_is_exact()
    assert json.loads(json.dumps(cpu.to_dict()))["name"] == cpu.name


def test_vnni_does_not_saturate() -> None:
    cpu = describe_cpu()
    assert cpu.int8_exact or not {"avx512_vnni", "avx_vnni", "i8mm"} & set(cpu.instructions)


def test_eight_bit_weights_are_halved_where_products_saturate() -> None:
    graph = narrow_pack("int8", weight_bits=8).file("graph")
    before, (content, changed) = read_constants(graph.read_bytes()), reduced_range(graph.read_bytes())
    after = read_constants(content)
    assert changed
    name = "bert.encoder.layer.0.output.dense.weight"
    assert np.abs(before[f"{name}_q"].astype(int)).max() == 127
    assert np.abs(after[f"{name}_q"].astype(int)).max() == 64
    assert (after[f"{name}_scale"] == 2 * before[f"{name}_scale"]).all()
    table = "bert.embeddings.word_embeddings.weight_q"
    assert (after[table] == before[table]).all(), "a table is not multiplied"


def test_an_engine_on_such_a_processor_says_that_it_reduced_and_answers_nearly_the_same() -> None:
    graph = narrow_pack("int8", weight_bits=8).file("graph")
    wide, reduced = (OnnxEngine(graph, 1, "cpu", exact) for exact in (True, False))
    assert not wide.reduced
    assert reduced.reduced
    for batch in batches()[:3]:
        assert np.abs(wide.run(batch) - reduced.run(batch)).max() < 0.1


def test_seven_bit_weights_stay_as_they_are() -> None:
    graph = narrow_pack("int8").file("graph").read_bytes()
    assert reduced_range(graph) == (graph, False)
