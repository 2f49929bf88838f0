from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from menpai.engines import open_engine
from menpai.errors import BrokenArtefactError, UsageError
from tests import graphs

ONE = {name: np.array([[2, 3, 0]], dtype=np.int32) for name in ("ids", "types", "positions")}


def write(folder: Path, graph: bytes) -> Path:
    path = folder / "graph.onnx"
    path.write_bytes(graph)
    return path


@pytest.mark.parametrize("threads", [1, 2])
def test_logits_of_a_graph(tmp_path: Path, threads: int) -> None:
    engine = open_engine("onnx", write(tmp_path, graphs.pair_graph()), threads)
    assert engine.run(ONE).tolist() == [[5.0, 5.0, 5.0]]


@pytest.mark.parametrize(
    "location", ["secret.bin", "../secret.bin", "{here}/secret.bin", "*/_ORT_MEM_ADDR_/*"]
)
def test_a_graph_may_not_read_other_files(
    tmp_path: Path, location: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "below").mkdir()
    for folder in (tmp_path, tmp_path / "below"):
        np.array([1, 2, 3], dtype=np.float32).tofile(folder / "secret.bin")
    monkeypatch.chdir(tmp_path / "below")
    path = write(tmp_path, graphs.reaching_graph(location.format(here=tmp_path)))
    with pytest.raises(BrokenArtefactError, match=r"graph\.onnx: it keeps data in another file"):
        open_engine("onnx", path, threads=1)


def test_a_padded_length_hides_no_location(tmp_path: Path) -> None:
    key = graphs.varint(1 << 3 | 2) + b"\x88\x80\x00" + b"location"
    path = write(tmp_path, graphs.reaching_graph("secret.bin", key))
    with pytest.raises(BrokenArtefactError, match="another file"):
        open_engine("onnx", path, threads=1)


@pytest.mark.parametrize(
    "graph", [b"", b"garbage", b"\x00\x00\x00\x00ORTM" + bytes(64), graphs.pair_graph()[:-99]]
)
def test_what_is_no_onnx_graph_is_refused_by_name(tmp_path: Path, graph: bytes) -> None:
    with pytest.raises(BrokenArtefactError, match=r"graph\.onnx"):
        open_engine("onnx", write(tmp_path, graph), threads=1)


def test_an_unknown_engine_is_refused_with_the_known_names(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="onnx") as caught:
        open_engine("onxx", tmp_path / "graph.onnx", threads=1)
    assert caught.value.code == "setting_invalid"
