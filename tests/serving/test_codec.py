"""Bytes to bodies and back: any JSON passes, and numbers are written as the command line writes them."""

from __future__ import annotations

import contextlib
import json
import math
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from menpai.errors import UsageError
from menpai.serving.codec import match_body, read_json, verdict_json, write_json, write_rows
from menpai.verdict import Conflict, Evidence, Probabilities, Verdict

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63)
    | st.floats(allow_nan=False, allow_infinity=False)
)
ANYTHING = st.recursive(
    SCALARS | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(st.characters()), inner, max_size=5),
    max_leaves=20,
)


@given(ANYTHING)
def test_what_is_written_is_read_again_lone_surrogates_included(value: Any) -> None:
    assert read_json(write_json(value)) == value
    assert read_json(json.dumps(value).encode()) == value


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_are_those_of_the_command_line_to_the_last_character(number: float) -> None:
    assert write_json(number) == json.dumps(number).encode() == repr(number).encode()


NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
TEXTS = st.text(st.characters())
VERDICTS = st.builds(
    Verdict,
    probabilities=st.builds(Probabilities, NUMBERS, NUMBERS, NUMBERS).filter(
        lambda row: math.isfinite(row.similarity)
    ),
    level=TEXTS,
    conflicts=st.lists(st.builds(Conflict, TEXTS, TEXTS, TEXTS)).map(tuple),
    evidence=st.lists(st.builds(Evidence, TEXTS, NUMBERS, TEXTS)).map(tuple),
    decided_by=st.sampled_from(["exact", "fast", "encoder"]),
    pack=TEXTS,
    behaviour=TEXTS,
)


@given(VERDICTS)
def test_a_verdict_is_written_as_its_values_are(verdict: Verdict) -> None:
    assert verdict_json(verdict) == write_json(verdict.to_dict())


@given(st.lists(ANYTHING, max_size=8))
def test_rows_are_one_document(rows: list[Any]) -> None:
    assert json.loads(write_rows("", rows)) == rows
    assert json.loads(write_rows("verdicts", rows)) == {"verdicts": rows}


@given(st.binary(max_size=60))
def test_bytes_are_json_or_the_error_of_the_body(body: bytes) -> None:
    with contextlib.suppress(ValueError, RecursionError):
        json.loads(body.decode("utf-8-sig"), parse_constant=int)
        read_json(body)
        return
    with pytest.raises(UsageError, match="not valid JSON"):
        read_json(body)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32", "gb18030"])
def test_another_encoding_than_utf8_is_no_json(encoding: str) -> None:
    with pytest.raises(UsageError, match="UTF-8"):
        read_json('{"a": "文三路123号"}'.encode(encoding))


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_what_is_no_json_number_is_never_written(number: float) -> None:
    with pytest.raises(ValueError, match="JSON"):
        write_json({"similarity": number})


@pytest.mark.parametrize(
    ("body", "found"), [({}, "{}"), ([1], "[…]"), (None, "null"), (True, "true"), (5, "5")]
)
def test_what_came_in_place_of_an_object_is_told_in_json(body: object, found: str) -> None:
    with pytest.raises(UsageError, match=re.escape(found)):
        match_body(body)


def test_a_number_without_end_is_told_without_advice_for_python() -> None:
    with pytest.raises(UsageError, match="too many digits"):
        read_json(b"9" * 5000)
