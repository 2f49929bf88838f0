"""Postings: runs of rows, in blocks and without, and the rows that share most against a full scan."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from menpai.search import candidates
from menpai.search.candidates import best_rows
from menpai.search.keys import Postings, Weighing, build_postings, open_postings, postings, terms_of
from menpai.search.keys.postings import expand
from tests.search.keys.scan import best, keys_of

ROWS = st.lists(st.text("文三路号12-", max_size=8), max_size=40).map(sorted)
QUERIES = st.text("文三路号12-", max_size=8)


def built(texts: list[str], block: int) -> Postings:
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(postings, "_BLOCK", block)
        told: list[float] = []
        build_postings(lambda start, end: texts[start:end], len(texts), Path(folder), told.append)
        assert told == sorted(told)
        found = open_postings(Path(folder))
        return Postings(*(np.array(values) for values in found))


@settings(max_examples=40)
@given(ROWS, st.sampled_from([1, 3, 1000]))
def test_each_term_has_its_rows(texts: list[str], block: int) -> None:
    part = built(texts, block)
    assert np.array_equal(part.terms, np.unique(np.concatenate([terms_of(text) for text in ["", *texts]])))
    for at, term in enumerate(part.terms):
        runs = part.runs_of(at)
        rows = [row for row, text in enumerate(texts) if term in terms_of(text)]
        assert expand(runs.starts, runs.ends).tolist() == rows
        assert runs.total == len(rows)
    assert part.find(np.array([7], np.uint32)).tolist() == [-1]


@settings(max_examples=60)
@given(ROWS, QUERIES, st.integers(1, 5))
def test_the_best_rows_are_those_of_a_full_scan(texts: list[str], query: str, limit: int) -> None:
    part = built(texts, 1000)
    weight, places = Weighing([part]).terms(terms_of(query))
    rows, shared = best_rows(part, places[0], weight, limit)
    expected = best(texts, query)
    assert shared == pytest.approx([value for _, value in expected[:limit]], rel=1e-4)
    assert shared == pytest.approx([dict(expected)[row] for row in rows.tolist()], rel=1e-4)


@settings(max_examples=40)
@given(ROWS, QUERIES)
def test_with_bounded_work_the_rarest_keys_find_and_all_keys_count(texts: list[str], query: str) -> None:
    part = built(texts, 1000)
    weight, places = Weighing([part]).terms(terms_of(query))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(candidates, "MOST_RUNS", 1)
        rows, shared = best_rows(part, places[0], weight, len(texts) + 1)
    expected = dict(best(texts, query))
    assert shared == pytest.approx([expected[row] for row in rows.tolist()], rel=1e-4)
    assert bool(len(rows)) == bool(expected)


@settings(max_examples=40)
@given(ROWS, QUERIES, st.data())
def test_removed_rows_are_never_found(texts: list[str], query: str, data: st.DataObject) -> None:
    part = built(texts, 1000)
    dead = np.array(data.draw(st.lists(st.booleans(), min_size=len(texts), max_size=len(texts))), bool)
    weight, places = Weighing([part]).terms(terms_of(query))
    rows, shared = best_rows(part, places[0], weight, 4, dead)
    expected = [(row, value) for row, value in best(texts, query) if not dead[row]]
    assert not dead[rows].any()
    assert shared == pytest.approx([value for _, value in expected[:4]], rel=1e-4)


@settings(max_examples=40)
@given(ROWS)
def test_the_norm_is_what_a_row_shares_with_itself(texts: list[str]) -> None:
    part = built(texts, 1000)
    for row, text in enumerate(texts):
        itself = dict(best(texts, text)).get(row, 0.0)
        assert part.norms[row] == pytest.approx(itself, rel=0.01, abs=0.01)
        assert bool(keys_of(text)) == (itself > 0)


def test_neighbours_that_share_are_one_run() -> None:
    part = built([f"文三路{number}号" for number in range(1000, 2000)], 400)
    runs = part.runs_of(int(part.find(terms_of("文三"))[0]))
    assert (runs.starts.tolist(), runs.ends.tolist(), runs.total) == ([0, 400, 800], [400, 800, 1000], 1000)
