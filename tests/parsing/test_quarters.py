"""Quarters of Hong Kong and Macau, and misspelt cities in front of their districts."""

from __future__ import annotations

import pytest

import menpai
from menpai.parsing.tables import read_lines
from menpai.text import normalize

ROWS = [tuple(line.split("\t")) for line in read_lines("quarters.tsv")]
PROVINCES = {"81": "香港", "82": "澳门"}


@pytest.mark.parametrize(("name", "code"), ROWS)
def test_a_quarter_leads_to_its_district(name: str, code: str) -> None:
    assert normalize(name).text == name
    own = name.startswith(PROVINCES[code[:2]])
    address = menpai.parse(f"{'' if own else PROVINCES[code[:2]]}{name}英皇道1号")
    assert [d.code for d in address.divisions] == [code]
    assert (name, "city" if len(code) == 2 else "town") in [(e.text, e.kind) for e in address.elements]
    assert not address.corrections


@pytest.mark.parametrize("rest", ["道1号", "大道1号", "中心3楼", "医院", "村5号"])
def test_a_name_made_of_a_quarter_is_no_quarter(rest: str) -> None:
    address = menpai.parse(f"香港北角{rest}")
    assert address.get("town") is None
    assert [d.code for d in address.divisions] == ["81"]


@pytest.mark.parametrize("text", ["旺角弥敦道688号", "青岛市市南区北角路1号", "赤壁市中环路8号"])
def test_elsewhere_there_are_no_quarters(text: str) -> None:
    assert not [d for d in menpai.parse(text).divisions if d.code[:2] in PROVINCES]


def test_a_misspelt_city_is_read_past_at_a_price_and_offered() -> None:
    wrong, right = menpai.parse("江苏省徐洲市泉山区"), menpai.parse("江苏省徐州市泉山区")
    assert wrong.divisions == right.divisions
    assert wrong.penalty > right.penalty
    assert not right.corrections
    assert [c.suggested for c in wrong.corrections] == ["徐州市"]
    assert [e.value for e in wrong.elements if e.source == "rule"] == ["徐洲市"]
