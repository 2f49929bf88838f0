"""Heads of safetensors files that do not describe their bytes exactly are refused; none is read past."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from menpai.errors import BrokenArtefactError
from menpai.packs.checkpoint import read_checkpoint, read_safetensors
from tools.checkpoint_files import write_safetensors

TENSORS = {"a": np.arange(6, dtype=np.float32).reshape(2, 3), "b": np.arange(3, dtype=np.float32)}


def headed(path: Path, head: bytes, data: bytes = bytes(36)) -> Path:
    """A file of this head and data."""
    (path / "model.safetensors").write_bytes(struct.pack("<Q", len(head)) + head + data)
    return path


def entry(start: Any, end: Any, shape: Any = (3,), dtype: Any = "F32") -> dict[str, Any]:
    return {"dtype": dtype, "shape": shape, "data_offsets": [start, end]}


def test_tensors_come_back_as_they_were_written(tmp_path: Path) -> None:
    write_safetensors(tmp_path / "model.safetensors", TENSORS)
    found = read_safetensors(tmp_path / "model.safetensors")
    assert {name: tensor.tolist() for name, tensor in found.items()} == {
        n: t.tolist() for n, t in TENSORS.items()
    }


@pytest.mark.parametrize(
    "tensors",
    [
        {"a": entry(-12, 0), "b": entry(0, 36, [9])},
        {"a": entry(-12, 24, [9]), "b": entry(24, 36)},
        {"a": entry(0, 24, [2, 3]), "b": entry(12, 24)},
        {"a": entry(0, 12), "b": entry(24, 36)},
        {"a": entry(0, 24, [2, 3])},
        {"a": entry(0, 48, [12])},
        {"a": entry(0.0, 36, [9])},
        {"a": entry(0, 36, [9.0])},
        {"a": entry(0, 36, [-3, -3])},
        {"a": entry(0, 36, [True, 9])},
        {"a": entry(0, 36, [3])},
        {"a": entry(0, 36, [2**62, 2**62])},
        {"a": entry(0, 36, [9], ["F32"])},
        {"a": entry(0, 36, [9], "F8")},
        {"a": {"dtype": "F32"}},
        {"a": 3},
        [],
    ],
)
def test_places_that_do_not_fill_the_file_are_refused(tmp_path: Path, tensors: Any) -> None:
    with pytest.raises(BrokenArtefactError) as caught:
        read_checkpoint(headed(tmp_path, json.dumps(tensors).encode()))
    assert caught.value.code == "weights_unreadable"
    assert len(caught.value.render("en")[0]) < 500


@pytest.mark.parametrize(
    "make",
    [
        lambda whole: b'{"a": ' + whole + b', "a": ' + whole + b"}",
        lambda whole: b'{"a": {"shape": [1], ' + whole[1:] + b"}",
        lambda whole: b"[" * 200_000,
        lambda whole: b'{"a": ' + b"9" * 6000 + b"}",
        lambda whole: b"\xff\xfe",
        lambda whole: b"",
    ],
)
def test_heads_that_are_no_plain_object_are_refused(tmp_path: Path, make: Callable[[bytes], bytes]) -> None:
    with pytest.raises(BrokenArtefactError, match="cannot be read"):
        read_checkpoint(headed(tmp_path, make(json.dumps(entry(0, 36, [9])).encode())))
