"""Corrections: offered where one slip explains a name, never where a name is right; nothing is applied."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from hypothesis import given

import menpai
from menpai.parsing import parse
from menpai.parsing.gazetteer import default
from menpai.parsing.nearby_names import Names, towns_below, units_below
from menpai.parsing.similar import slip
from menpai.text import normalize
from tests import strategies

CASES = Path(__file__).parent.parent / "cases" / "typos.tsv"


def cases() -> list[dict[str, str]]:
    with CASES.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.mark.parametrize("case", cases(), ids=lambda case: f"{case['id']}-{case['kind']}")
def test_case(case: dict[str, str]) -> None:
    address = menpai.parse(case["text"])
    found = [(c.written, c.suggested) for c in address.corrections]
    assert found == ([(case["written"], case["suggested"])] if case["suggested"] else [])
    for correction in address.corrections:
        assert correction.kind == case["kind"]
        assert 0 < correction.cost <= 0.45
        assert address.text[correction.start : correction.end] == correction.written
    assert address.text == normalize(case["text"]).text


def test_a_correction_carries_the_codes_it_leads_to() -> None:
    (found,) = menpai.parse("山东省维坊市奎文区").corrections
    assert found.codes == ("3707",)
    assert menpai.parse("山东省维坊市奎文区").to_dict()["corrections"][0]["suggested"] == "潍坊市"


def test_a_slip_that_the_next_name_confirms_costs_less() -> None:
    alone, confirmed = (menpai.parse(f"山东省维坊市{rest}").corrections[0] for rest in ("", "奎文区"))
    assert confirmed.cost < alone.cost


@pytest.mark.parametrize(
    ("written", "meant", "kind"),
    [
        ("维", "潍", "homophone"), ("候", "侯", "homophone"), ("微", "徽", "shape"), ("定", "淀", "shape"),
        ("门", "路", None), ("宁", "林", "homophone"), ("泸", "沪", "shape"), ("其", "齐", "homophone"),
        ("心", "新", "homophone"), ("省", "深", "homophone"), ("东", "冬", "homophone"), ("东", "西", None),
        ("一", "乙", None), ("A", "B", None), ("路", "街", None),
    ],
)  # fmt: skip
def test_how_characters_resemble_each_other(written: str, meant: str, kind: str | None) -> None:
    found = slip(written, meant)
    assert (found.kind if found else None) == kind
    assert (found and found.cost) == ((back := slip(meant, written)) and back.cost)


def test_the_index_finds_what_comparing_every_name_finds() -> None:
    names = units_below(default(), "37")
    for written in ("维坊市", "青导市", "荷泽市", "济市", "烟烟台市", "台烟市", "济南市", "莱阳", "x"):
        found = {(n.name, n.kind) for n in names.near(written)}
        assert found == {(name, kind) for name in names.named if (kind := _slow(written, name))}


def _slow(written: str, name: str) -> str | None:
    """The plain twin: how two names differ by one slip, their last characters apart."""
    if len(written) == len(name):
        differ = [at for at, (a, b) in enumerate(zip(written, name, strict=True)) if a != b]
        if len(differ) == 1 and differ[0] < len(name) - 1:
            found = slip(written[differ[0]], name[differ[0]])
            return found.kind if found else None
        swapped = len(differ) == 2 and differ[1] == differ[0] + 1
        at = differ[0] if differ else 0
        return "swapped" if swapped and written[at : at + 2][::-1] == name[at : at + 2] else None
    if len(written) + 1 == len(name):
        return "dropped" if any(name[:i] + name[i + 1 :] == written for i in range(len(name) - 1)) else None
    if len(written) == len(name) + 1:
        return (
            "extra" if any(written[:i] + written[i + 1 :] == name for i in range(1, len(written))) else None
        )
    return None


def test_towns_are_found_by_their_stems() -> None:
    towns = towns_below(default(), "330110")
    assert towns.named["五常"] == ("五常街道", ("330110005",))
    assert [found.name for found in towns.near("五长")] == ["五常街道"]
    assert list(Names({}).near("五长")) == []


@given(strategies.addresses())
def test_clean_addresses_are_left_alone(text: str) -> None:
    assert menpai.parse(text).corrections == ()


@given(strategies.any_text(max_size=40))
def test_any_text_can_be_looked_at(text: str) -> None:
    normalized = normalize(text)
    for correction in parse(normalized).corrections:
        assert normalized.text[correction.start : correction.end] == correction.written
        assert correction.suggested != correction.written
