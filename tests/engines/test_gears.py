from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from menpai.engines import Arrays, open_engine
from menpai.engines.gears import Gears, open_gears
from menpai.engines.onnx import OnnxEngine
from tests.bert import batches, narrow_pack


class Waiting:
    """An engine that notes its runs and ends them when it is told to."""

    def __init__(self, go: threading.Event) -> None:
        self.go, self.rows, self.begun = go, [], threading.Semaphore(0)

    def run(self, inputs: Arrays) -> np.ndarray:
        self.rows.append(len(inputs["input_ids"]))
        self.begun.release()
        assert self.go.wait(10)
        return np.zeros((self.rows[-1], 3), np.float32)


def test_a_lone_row_gets_all_cores_and_others_one_each() -> None:
    go = threading.Event()
    narrow, wide = Waiting(go), Waiting(go)
    gears = Gears(narrow, wide)
    one = {"input_ids": np.zeros((1, 5), np.int32)}
    many = {"input_ids": np.zeros((8, 5), np.int32)}
    with ThreadPoolExecutor(3) as pool:
        pool.submit(gears.run, one)
        assert wide.begun.acquire(timeout=10)
        for given in (one, many):
            pool.submit(gears.run, given)
            assert narrow.begun.acquire(timeout=10)
        go.set()
    assert (wide.rows, narrow.rows) == ([1], [1, 8])
    gears.run(many)
    assert narrow.rows[-1] == 8, "a full batch never waits for all cores"
    gears.run(one)
    assert wide.rows == [1, 1], "free again after both"


def test_both_gears_answer_alike() -> None:
    graph = narrow_pack("int8").file("graph")
    plain, gears = open_engine("onnx", graph, 1), open_gears("onnx", graph, 2)
    for batch in batches()[:4]:
        assert np.abs(gears.run(batch) - plain.run(batch)).max() < 1e-5
    assert isinstance(open_gears("onnx", graph, 1), OnnxEngine)
