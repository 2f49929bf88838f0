from __future__ import annotations

import ast
from pathlib import Path

import pytest

from menpai.errors import UsageError
from menpai.packs import open_pack
from menpai.packs.triton_repository import write_repository
from tests.bert import narrow_pack


def test_a_repository_holds_the_graph_and_how_to_run_it(tmp_path: Path) -> None:
    pack = narrow_pack("int8")
    model = write_repository(pack, tmp_path, instances=2, threads=3)
    config = (model / "config.pbtxt").read_text(encoding="utf-8")
    assert model == tmp_path / "tiny"
    assert (model / "1" / "model.onnx").read_bytes() == pack.file("graph").read_bytes()
    assert 'backend: "onnxruntime"' in config
    assert "dynamic_batching { max_queue_delay_microseconds: 0 }" in config
    assert "instance_group { count: 2 kind: KIND_CPU }" in config
    assert 'key: "intra_op_thread_count" value: { string_value: "3" }' in config
    assert 'output { name: "logits" data_type: TYPE_FP32 dims: [3] }' in config
    assert config.count("model_warmup") == 8
    assert config.count("{") == config.count("}")


def test_the_built_in_pack_can_be_exported_too(tmp_path: Path) -> None:
    config = (write_repository(open_pack("menpai-mini"), tmp_path, gpu=True) / "config.pbtxt").read_text()
    assert all(
        f'input {{ name: "{name}" data_type: TYPE_INT32' in config for name in ("ids", "types", "positions")
    )
    assert "KIND_GPU" in config


def test_the_python_backend_gets_a_model_file_that_compiles(tmp_path: Path) -> None:
    model = write_repository(narrow_pack("int8"), tmp_path, "python", threads=4)
    source = (model / "1" / "model.py").read_text(encoding="utf-8")
    assert "intra_op_num_threads = 4" in source
    assert {node.name for node in ast.parse(source).body if isinstance(node, ast.ClassDef)} == {
        "TritonPythonModel"
    }


def test_a_folder_that_is_no_repository_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "tiny").mkdir()
    (tmp_path / "tiny" / "mine.txt").write_text("mine")
    with pytest.raises(UsageError):
        write_repository(narrow_pack("int8"), tmp_path)
    assert [path.name for path in (tmp_path / "tiny").iterdir()] == ["mine.txt"]
