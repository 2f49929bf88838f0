"""Records: rows that are equal once they are cleaned are one entity; what cannot be read keeps its row."""

from __future__ import annotations

import random

from menpai.errors import Problem
from menpai.tables.linkage import Entity, Raw, make_records

ROWS = [
    Raw("a", "杭州市西湖区文三路１２３号"),
    Raw("b", "杭州市西湖区文三路123号"),
    Raw("c", "", "望江面馆", "0571-87651234"),
    Raw("d"),
    Raw("e", "文" * 600),
    Raw("f", "NULL", "[]"),
    Raw("g", "12345", "望江面馆", "138****1234"),
    Raw("", "文三路1号", problem=Problem("row_ragged", {"cells": 1, "expected": 2})),
]


def test_equal_rows_are_one_entity_and_problems_keep_their_rows() -> None:
    records = make_records(ROWS, 512)
    assert records.entities == (
        Entity("", "望江面馆", "1234"),
        Entity("杭州市西湖区文三路123号"),
    )
    assert records.of_row.tolist() == [1, 1, 0, -1, -1, -1, 0, -1]
    assert {row: problem.code for row, problem in records.problems.items()} == {
        3: "row_without_address", 4: "address_too_long", 5: "address_empty", 7: "row_ragged",
    }  # fmt: skip
    assert records.rows_of() == [[2, 6], [0, 1]]
    assert records.ids[7] == "8"


def test_entities_do_not_depend_on_the_order_of_the_rows() -> None:
    shuffled = list(ROWS)
    random.Random(1).shuffle(shuffled)
    assert make_records(shuffled, 512).entities == make_records(ROWS, 512).entities
