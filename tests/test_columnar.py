"""`Matcher.match_table`: an Arrow table in, the same rows out with the verdicts of `match`."""

from __future__ import annotations

import pyarrow as pa
import pytest

import menpai
from menpai.errors import MenpaiError

A, B = "杭州市西湖区文三路123号", "西湖区文三路125号"


class Stranger:
    """A table of another library: all that is known of it is the protocol."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table

    def __arrow_c_stream__(self, schema: object = None) -> object:
        return self._table.__arrow_c_stream__(schema)


@pytest.fixture(scope="module")
def matcher() -> menpai.Matcher:
    return menpai.Matcher.open()


def test_every_row_keeps_its_place_and_its_cells(matcher: menpai.Matcher) -> None:
    table = pa.table({"id": [1, 2, 3, 4], "left": [A, None, A, "7"], "right": [B, B, A, B]})
    done = matcher.match_table(table, a="left", b="right")
    assert done.column_names == [
        "id", "left", "right", "label", "similarity", "level", "conflicts", "decided_by", "problem",
    ]  # fmt: skip
    assert done.select(["id", "left", "right"]).equals(table)
    verdict = matcher.match(A, B)
    row = done.slice(0, 1).to_pylist()[0]
    assert (row["label"], row["similarity"], row["conflicts"]) == (
        verdict.label, verdict.similarity, "roadno_differs",
    )  # fmt: skip
    problems = [text and text.partition(":")[0] for text in done.column("problem").to_pylist()]
    assert problems == [None, "address_empty", None, "address_unreadable"]
    assert done.column("label").to_pylist()[1] is None


def test_evidence_comes_if_asked_and_own_columns_step_aside(matcher: menpai.Matcher) -> None:
    table = Stranger(pa.table({"a": [A], "b": [A], "label": ["mine"]}))
    done = matcher.match_table(table, a="a", b="b", evidence=True)
    (row,) = done.to_pylist()
    verdict = matcher.match(A, A).to_dict()
    assert (row["label"], row["menpai_label"]) == ("mine", "exact_match")
    assert row["probabilities"] == verdict["probabilities"]
    assert row["evidence"] == verdict["evidence"]


def test_places_numbers_chunks_and_no_rows(matcher: menpai.Matcher) -> None:
    place = {"text": A, "lat": 30.27, "lon": 120.13}
    table = pa.table({"a": pa.chunked_array([[place], [place]]), "b": pa.array([place, place])})
    assert matcher.match_table(table, a="a", b="b").column("label").to_pylist() == ["exact_match"] * 2
    numbers = pa.table({"a": [7.0], "b": [7]})
    assert "address_unreadable" in matcher.match_table(numbers, a="a", b="b").column("problem")[0].as_py()
    empty = pa.table({"a": pa.array([], pa.string()), "b": pa.array([], pa.string())})
    assert matcher.match_table(empty, a="a", b="b").num_rows == 0


@pytest.mark.parametrize(
    ("table", "code"),
    [({"a": [A], "b": [B]}, "link_not_arrow"), (pa.table({"aa": [A], "b": [B]}), "column_missing"),
     (pa.table([[A], [A], [B]], names=["a", "a", "b"]), "column_repeated")],
)  # fmt: skip
def test_what_cannot_be_judged_is_named(matcher: menpai.Matcher, table: object, code: str) -> None:
    with pytest.raises(MenpaiError) as caught:
        matcher.match_table(table, a="a", b="b")
    assert caught.value.code == code


class _Torn:
    """A table whose stream breaks, as that of a pandas frame with texts and numbers in one column does."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        raise pa.ArrowTypeError("Expected bytes, got a 'int' object", "Conversion failed for column a")


def test_a_table_that_arrow_cannot_hold_is_told() -> None:
    for ask in (
        lambda: menpai.Matcher.open().match_table(_Torn(), a="a", b="b"),
        lambda: menpai.link(_Torn(), _Torn()),
        lambda: menpai.dedupe(_Torn()),
    ):
        with pytest.raises(MenpaiError, match="Conversion failed for column a") as caught:
            ask()
        assert caught.value.code == "arrow_failed"
