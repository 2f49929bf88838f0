"""OpenVINO answers as ONNX Runtime does, for a BERT and for any other graph."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from menpai.engines import open_engine
from menpai.errors import BrokenArtefactError, NotReadyError
from menpai.packs import open_pack
from tests import graphs
from tests.bert import batches, tiny_pack

pytestmark = pytest.mark.slow  # needs the extra openvino


def test_the_graph_of_the_built_in_pack_is_read_as_it_is() -> None:
    graph = open_pack("menpai-mini").file("graph")
    rows = np.arange(1, 31, dtype=np.int32).reshape(2, 15)
    given = {"ids": rows, "types": (rows > 8).astype(np.int32), "positions": rows % 15}
    wanted, found = (open_engine(name, graph, 1).run(given) for name in ("onnx", "openvino"))
    # Where a value lies between two steps of INT8, the engines may round to either: a logit then moves by 0.01 or so.
    assert found == pytest.approx(wanted, abs=0.03)


def test_inputs_bear_the_names_of_the_graph_though_their_ports_have_several(tmp_path: Path) -> None:
    (tmp_path / "graph.onnx").write_bytes(graphs.pair_graph())
    given = {
        name: np.array([[at, at]], dtype=np.int32) for at, name in enumerate(("ids", "types", "positions"))
    }
    engine = open_engine("openvino", tmp_path / "graph.onnx", 1)
    assert engine.run(given).tolist() == [[0.0, 2.0, 4.0]]


def test_a_bert_is_built_of_its_constants() -> None:
    graph = tiny_pack().file("graph")
    wanted, found = (open_engine(name, graph, 1).run(batches()[0]) for name in ("onnx", "openvino"))
    assert found == pytest.approx(wanted, abs=1e-5)


def test_a_broken_graph_and_another_device_are_refused(tmp_path: Path) -> None:
    (tmp_path / "graph.onnx").write_bytes(b"garbage")
    with pytest.raises(BrokenArtefactError, match="openvino"):
        open_engine("openvino", tmp_path / "graph.onnx", 1)
    with pytest.raises(NotReadyError, match="cuda"):
        open_engine("openvino", tiny_pack().file("graph"), 1, "cuda")
