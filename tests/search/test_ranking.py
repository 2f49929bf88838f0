"""Features of the ranking against a plain reading, token by token, and what they say of near misses."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from menpai.search.keys import Tokens, Weighing, build_postings, open_postings, tokens_of
from menpai.search.ranking import ALONE, SHAPE, SOUND, Text, features
from tests.search.keys.scan import TOKEN

ROWS = [*(f"文三路{number}号" for number in range(100, 140)), "之江路88号"]
TEXTS = st.text("文问三路12号 京亨", max_size=8)
LIKE = {"文问": SOUND, "问文": SOUND, "京亨": SHAPE, "亨京": SHAPE}
Found = list["re.Match[str]"]


class Even(Weighing):
    """Every token weighs the same."""

    def tokens(self, tokens: Tokens) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        return np.ones(len(tokens.values))


@pytest.fixture(scope="module")
def weighing(tmp_path_factory: pytest.TempPathFactory) -> Weighing:
    folder = tmp_path_factory.mktemp("postings")
    build_postings(lambda start, end: ROWS[start:end], len(ROWS), folder, lambda _: None)
    return Weighing([open_postings(folder)])


@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=4))
@example("文三路1号", ["问三路1号", "三文", "文路三"])
@example("京路", ["亨路"])
def test_coverage_is_that_of_a_plain_reading(query: str, others: list[str]) -> None:
    found = features(Text(query), [Text(other) for other in others], Even([]))
    for at, other in enumerate(others):
        ours, theirs = list(TOKEN.finditer(query)), list(TOKEN.finditer(other))
        table = [[agreed(ours, i, theirs, j) for j in range(len(theirs))] for i in range(len(ours))]
        assert found["query"][at] == pytest.approx(mean([max(row, default=0.0) for row in table]))
        columns = [[row[j] for row in table] for j in range(len(theirs))]
        assert found["candidate"][at] == pytest.approx(mean([max(column, default=0.0) for column in columns]))


def agreed(ours: Found, i: int, theirs: Found, j: int) -> float:
    """How well token i of one text agrees with token j of the other."""
    a, b = ours[i][0], theirs[j][0]
    beside = any(
        0 <= i + step < len(ours)
        and 0 <= j + step < len(theirs)
        and ours[i + step][0] == theirs[j + step][0]
        and touching(ours, i, step)
        and touching(theirs, j, step)
        for step in (-1, 1)
    )
    if a == b:
        return 1.0 if beside or a.isascii() else ALONE
    return LIKE.get(a + b, 0.0) if beside else 0.0


def touching(tokens: Found, at: int, step: int) -> bool:
    first, last = sorted((at, at + step))
    return tokens[first].end() == tokens[last].start()


def mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def test_a_token_weighs_as_its_rarest_key(weighing: Weighing) -> None:
    rare, common = weighing.tokens(tokens_of(["之江路88号"])), weighing.tokens(tokens_of(["文三路123号"]))
    assert rare[:2].min() > common[:2].max() >= 1
    assert common[3] == common.max() == weighing.tokens(tokens_of(["123"]))[0]


def test_a_number_decides_between_neighbours(weighing: Weighing) -> None:
    found = features(Text("文三路125号"), [Text(row) for row in ROWS], weighing)
    assert ROWS[np.argmax(found["query"])] == "文三路125号"
    assert found["query"][25] == found["candidate"][25] == pytest.approx(1.0)


def test_fields_are_compared_with_their_like(weighing: Weighing) -> None:
    query = Text("文三路1号", "海月(文三店)")
    found = features(
        query, [Text("文三路1号", "海月"), Text("海月1号", "文三路"), Text("文三路1号海月")], weighing
    )
    assert found["main_query"].tolist() == [1.0, 0.0, 1.0]
    assert found["address_query"][0] == 1.0 > found["address_query"][1]
    assert found["name_candidate"][0] == 1.0
    assert "main_query" not in features(Text("", "海月"), [Text("", "海月")], weighing)
