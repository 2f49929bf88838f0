"""What ONNX Runtime, which the built-in pack is made for, promises of it; `test_bert_engine` has all engines."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from menpai.engines import Engine, open_engine
from menpai.packs import open_pack
from menpai.scoring.tokens import BUCKETS, Rows, Vocabulary, encode
from tests.judging import case_pairs

PACK = open_pack("menpai-mini")
VOCABULARY = Vocabulary(PACK.file("vocabulary").read_text(encoding="utf-8").split("\n")[:-1])
WIDE = [(a, b * 4) for a, b in case_pairs()]


@pytest.fixture(scope="module", params=["onnx"])
def engine(request: pytest.FixtureRequest) -> Engine:
    return open_engine(request.param, PACK.file("graph"), 1)


def rows() -> list[Rows]:
    """The cases in all their buckets."""
    return list(encode([*case_pairs(), *WIDE], VOCABULARY))


def run(engine: Engine, given: Rows, at: object = slice(None)) -> np.ndarray:
    return engine.run({"ids": given.ids[at], "types": given.types[at], "positions": given.positions[at]})


def test_logits_are_a_row_of_three_for_each_pair(engine: Engine) -> None:
    for given in rows():
        logits = run(engine, given)
        assert logits.shape == (len(given.pairs), 3)
        assert logits.dtype == np.float32
        assert np.isfinite(logits).all()


def test_rows_do_not_depend_on_their_neighbours_to_the_bit(engine: Engine) -> None:
    """Alone, among others, in other order, and twice."""
    for given in rows():
        together = run(engine, given)
        count = len(together)
        turned = np.arange(count)[::-1]
        assert (run(engine, given, turned) == together[turned]).all()
        assert (run(engine, given, np.zeros(2, dtype=int)) == together[[0, 0]]).all()
        for at in range(0, count, max(1, count // 4)):
            assert (run(engine, given, [at]) == together[at]).all()


@pytest.mark.parametrize("bucket", BUCKETS)
def test_every_bucket_gives_a_row_alone_what_it_gives_it_in_a_full_batch(engine: Engine, bucket: int) -> None:
    side = "文三路海月花园12号"
    text = (side * bucket)[: (bucket - 3) // 2]
    pairs = [(text, text[::-1]), *[(text, text[1:] + char) for char in "号弄幢室路"]] * 3
    (given,) = (r for r in encode(pairs, VOCABULARY) if r.ids.shape[1] == bucket)
    together = run(engine, given)
    assert all((run(engine, given, [at]) == together[at]).all() for at in range(6))


def test_the_inputs_are_left_as_they_were(engine: Engine) -> None:
    given = rows()[0]
    before = [array.copy() for array in given[1:]]
    run(engine, given)
    assert all((old == new).all() for old, new in zip(before, given[1:], strict=True))


def test_threads_may_share_an_engine(engine: Engine) -> None:
    given = rows()[0]
    alone = run(engine, given)
    with ThreadPoolExecutor(4) as pool:
        assert all((found == alone).all() for found in pool.map(lambda _: run(engine, given), range(12)))
