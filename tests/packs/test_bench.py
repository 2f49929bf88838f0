from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from menpai.cli.model_bench import read_numbers
from menpai.cli.model_tune import fastest, merged
from menpai.errors import UsageError
from menpai.packs import open_pack
from menpai.packs.bench import Layout, Point, arrays, machine_limit, measure, operations, timed
from menpai.settings import Settings
from tests.bert import narrow_pack, tiny_pack

POINT = Point("p@1", "int8", "onnx", "1x1", 1, 40, 10.0, 90.0, 100.0, 50)


@pytest.mark.parametrize("path", [tiny_pack().path, open_pack("menpai-mini").path])
def test_every_batch_and_length_is_a_point(path: Path) -> None:
    points = measure(path, "onnx", Layout(2, 1), (1, 3), (16, 24), 0.01)
    assert [(p.length, p.batch) for p in points] == [(16, 1), (16, 3), (24, 1), (24, 3)]
    for point in points:
        assert point.layout == "2x1"
        assert 0 < point.p50_ms <= point.p99_ms
        assert point.pairs_per_second > 0
        assert point.resident_mb > 10


def test_calls_are_counted_of_all_workers() -> None:
    calls: list[int] = []
    with ThreadPoolExecutor(3) as pool:
        times, wall = timed(lambda: calls.append(1), pool, 3, 0.0)
    assert len(times) == 15
    assert len(calls) == 16, "one call before, to warm up"
    assert wall > 0


def test_the_limit_of_the_machine_is_given_for_both_kinds() -> None:
    limit = machine_limit(Layout(1, 1), 0.02)
    assert limit.keys() == {"int8", "float32"}
    assert min(limit.values()) > 0.1


def test_operations_of_a_row() -> None:
    """Two layers, width 32, feed-forward 64; the fused graph's last layer computes one token after keys and values."""
    layer = 2 * 10 * (4 * 32**2 + 2 * 32 * 64)
    assert operations(tiny_pack(), 10) == 2 * layer
    fused = replace(tiny_pack(), manifest={**tiny_pack().manifest, "quantized": {}})
    assert operations(fused, 10) == layer + 2 * (2 * 10 * 32**2 + 2 * 32**2 + 2 * 32 * 64)
    assert operations(narrow_pack("int8", "elements"), 10) == 2 * layer
    assert operations(open_pack("menpai-mini"), 10) is None


def test_arrays_are_what_the_graph_reads() -> None:
    assert {n: a.shape for n, a in arrays(tiny_pack(), 3, 20).items()} == dict.fromkeys(
        ("input_ids", "attention_mask", "token_type_ids"), (3, 20)
    )
    assert arrays(open_pack("menpai-mini"), 2, 16).keys() == {"ids", "types", "positions"}


@pytest.mark.parametrize("text", ["2", "0x1", "x", "2x1x1"])
def test_a_layout_is_two_numbers(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        Layout.of(text)


@pytest.mark.parametrize("text", ["", "1,,2", "0", "one"])
def test_numbers_are_positive(text: str) -> None:
    with pytest.raises(UsageError, match="batches"):
        read_numbers(text, "--batches")


def test_the_fastest_that_meets_the_limit() -> None:
    points = [
        replace(POINT, p99_ms=p99, pairs_per_second=rate) for p99, rate in ((5, 10), (20, 30), (50, 90))
    ]
    assert fastest(points, 20).pairs_per_second == 30
    with pytest.raises(UsageError, match="5") as caught:
        fastest(points, 4)
    assert caught.value.code == "tune_none"


def test_settings_are_replaced_in_place_and_the_rest_stays(tmp_path: Path) -> None:
    before = '# ours\nport = 9000\nengine = "onnx"  # old\n'
    after = merged(before, {"engine": "openvino", "threads": 2, "pack": "C:\\pack"})
    assert after == '# ours\nport = 9000\nengine = "openvino"\nthreads = 2\npack = "C:\\\\pack"\n'
    (tmp_path / "m.toml").write_text(after, encoding="utf-8")
    read = Settings.load(env={"MENPAI_CONFIG": str(tmp_path / "m.toml")})
    assert (read.engine, read.threads, read.port, read.pack) == ("openvino", 2, 9000, "C:\\pack")
    assert merged("", {"threads": 1}) == "threads = 1\n"
