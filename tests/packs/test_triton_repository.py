from __future__ import annotations

import ast
from pathlib import Path

import pytest

from menpai.errors import UsageError
from menpai.packs import open_pack
from menpai.packs.triton_repository import write_repository
from menpai.packs.write import write_pack
from tests.bert import narrow_pack
from tests.packs.test_write import MANIFEST


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


@pytest.mark.parametrize(
    ("name", "code"), [("tiny/mine.txt", "output_no_pack"), ("tiny/2/model.onnx", "output_no_pack")]
)
def test_a_model_that_no_export_wrote_is_left_alone(tmp_path: Path, name: str, code: str) -> None:
    (tmp_path / name).parent.mkdir(parents=True)
    (tmp_path / name).write_text("mine")
    with pytest.raises(UsageError) as caught:
        write_repository(narrow_pack("int8"), tmp_path)
    assert caught.value.code == code
    assert (tmp_path / name).read_text() == "mine"


def test_an_exported_model_is_replaced_whole_unless_it_holds_more(tmp_path: Path) -> None:
    write_repository(narrow_pack("int8"), tmp_path, "python")
    model = write_repository(narrow_pack("int8"), tmp_path)
    assert not (model / "1" / "model.py").exists(), "the other backend"
    (model / "2").mkdir()
    with pytest.raises(UsageError) as caught:
        write_repository(narrow_pack("int8"), tmp_path)
    assert caught.value.code == "output_has_more"


def test_a_repository_is_not_written_into_a_pack(tmp_path: Path) -> None:
    pack = write_pack(tmp_path / "p", MANIFEST, {"g.bin": b"graph"})
    for folder in ("p", "p/repository"):
        with pytest.raises(UsageError) as caught:
            write_repository(narrow_pack("int8"), tmp_path / folder)
        assert caught.value.code == "output_inside_pack"
    assert open_pack(pack.path) == pack


def test_a_full_disk_is_said_of_the_model_and_leaves_nothing(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, before[1]))
    try:
        with pytest.raises(OSError, match="too large") as caught:
            write_repository(narrow_pack("int8"), tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert caught.value.filename == str(tmp_path / "tiny")
    assert list(tmp_path.iterdir()) == []
