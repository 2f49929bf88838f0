from __future__ import annotations

import pytest
from hypothesis import given

from menpai.errors import Problem
from menpai.text.readable import find_problem
from tests import strategies


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (None, "address_not_text"),
        (123, "address_not_text"),
        (b"\xe6", "address_not_text"),
        (["文三路"], "address_not_text"),
        ("", "address_empty"),
        (" \t\u3000\n", "address_empty"),
        ("路" * 11, "address_too_long"),
        ("文三路\udc80", "address_bad_encoding"),
        ("？！……", "address_unreadable"),
        ("📦🚚", "address_unreadable"),
        ("\x00\x07", "address_unreadable"),
    ],
)
def test_what_cannot_be_judged(text: object, code: str) -> None:
    for side in ("", " a", " b"):
        problem = find_problem(text, side, 10)
        assert problem is not None
        assert problem.code == code
        for language in ("zh", "en"):
            message, hint = problem.render(language)
            assert side in message
            assert hint
            assert "{" not in message + hint


def test_the_problem_says_where_and_how_much() -> None:
    assert find_problem("文三路\udc80", "", 10) == Problem(
        "address_bad_encoding", {"side": "", "position": 3}
    )
    assert find_problem("路" * 11, "", 10) == Problem(
        "address_too_long", {"side": "", "length": 11, "limit": 10}
    )


@pytest.mark.parametrize("text", ["路", "A", "3-2-501", "文三路123号", "𠮷野家", "（文）", "路" * 10])
def test_what_can_be_judged(text: str) -> None:
    assert find_problem(text, "", 10) is None


@given(strategies.any_text(max_size=30))
def test_any_text_is_read_or_refused_with_words(text: str) -> None:
    problem = find_problem(text, " a", 20)
    assert problem is None or all(problem.render("zh") + problem.render("en"))


@pytest.mark.parametrize(
    "text", ["NULL", "#N/A", " none ", "NaN", "无", "暂无", "--", "待定", "见备注", "同上"]
)
def test_what_tables_put_into_an_empty_cell_is_empty(text: str) -> None:
    problem = find_problem(text, " a", 10)
    assert problem is not None
    assert problem.code == "address_empty"


@pytest.mark.parametrize("text", ["38", "１３０１", "13800138000"])
def test_a_bare_number_is_no_address(text: str) -> None:
    problem = find_problem(text, " a", 20)
    assert problem is not None
    assert problem.code == "address_unreadable"


def test_a_value_that_is_no_text_is_named_as_json_names_it() -> None:
    kinds = [find_problem(value, "", 10) for value in (None, 1, 1.5, True, [], {})]
    assert [p.details["type"] for p in kinds if p] == [
        "null",
        "number",
        "number",
        "boolean",
        "array",
        "object",
    ]
