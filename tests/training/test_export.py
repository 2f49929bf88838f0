"""The exported graphs. Second tier: needs torch and onnx, imported when a test runs."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import pytest

from tests.judging import case_pairs
from tests.training.test_model import VOCABULARY, tiny

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::DeprecationWarning")]
PAIRS = case_pairs()


# How far the logits may lie from the encoder's.
TOLERANCE = {"float": 1e-5, "int8": 0.1}


@pytest.fixture(scope="module", params=list(TOLERANCE))
def graph(request: pytest.FixtureRequest) -> bytes:
    export = import_module("training.export")
    made: bytes = export.export_float(tiny())
    return made if request.param == "float" else export.export_int8(made, PAIRS, VOCABULARY)


def run(graph: bytes, pairs: list[tuple[str, str]]) -> Any:
    return import_module("training.export").run_graph(graph, pairs, VOCABULARY)


def test_the_graph_computes_what_the_encoder_computes(graph: bytes, request: pytest.FixtureRequest) -> None:
    wanted = import_module("training.fit").logits_of(tiny(), PAIRS, VOCABULARY)
    np.testing.assert_allclose(
        run(graph, PAIRS), wanted, atol=TOLERANCE[request.node.callspec.params["graph"]]
    )


def test_a_row_of_the_graph_is_the_same_alone_to_the_bit(graph: bytes) -> None:
    together = run(graph, PAIRS)
    assert (run(graph, PAIRS[::-1])[::-1] == together).all()
    assert all((run(graph, [PAIRS[at]])[0] == together[at]).all() for at in range(0, len(PAIRS), 9))


def test_the_graph_stands_alone(graph: bytes) -> None:
    assert not import_module("menpai.engines.onnx").names_other_files(graph)
