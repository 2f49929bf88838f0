"""Readings of the chain of divisions: claims by a table, what always holds of conflicts, hints and alternatives."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import menpai
from menpai.address import DIVISION_LEVELS, Address, Normalized
from menpai.errors import UsageError
from menpai.parsing import parse
from menpai.parsing.gazetteer import default
from menpai.parsing.hints import make_hints
from menpai.parsing.readings import PENALTIES, order, settled_by
from menpai.text import normalize
from tests import strategies

CASES = Path(__file__).parent.parent / "cases" / "divisions.tsv"
KINDS = (*DIVISION_LEVELS, "devzone")
CITIES = tuple(code for code in default() if len(code) == 4)


def cases() -> list[dict[str, str]]:
    with CASES.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def written_out(address: Address) -> str:
    """Divisions, codes of the possible units, former names, conflicts, and what would settle an ambiguity."""
    parts = [f"{e.kind}={e.value}" for e in address.elements if e.kind in KINDS]
    lists = {
        "codes": [d.code for d in address.divisions],
        "former": [f.written for f in address.former],
        "conflicts": [f"{c.written}/{c.against}" for c in address.conflicts],
        "settled_by": address.settled_by,
    }
    parts += [f"{name}={','.join(values)}" for name, values in lists.items() if values]
    return "; ".join(parts) or "-"


def codes(address: Address) -> list[str]:
    return [division.code for division in address.divisions]


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["id"])
def test_case(case: dict[str, str]) -> None:
    assert written_out(parse(normalize(case["raw"]))) == case["expected"]


def test_case_ids_are_unique() -> None:
    ids = [case["id"] for case in cases()]
    assert len(set(ids)) == len(ids)


texts = st.one_of(
    strategies.messy_addresses(),
    strategies.pieces(),
    st.lists(st.sampled_from([case["raw"] for case in cases()]), min_size=1, max_size=3).map("".join),
)


@given(texts)
def test_other_readings_cost_more_and_conflicts_say_where(text: str) -> None:
    address = parse(normalize(text))
    costs = [address.penalty, *(other.penalty for other in address.alternatives)]
    assert costs == sorted(costs)
    assert not (address.conflicts or address.alternatives) or address.penalty
    for conflict in address.conflicts:
        assert address.text[conflict.start : conflict.end] == conflict.written
        assert not set(conflict.codes) & set(codes(address))
        assert conflict.against in address.text
    assert not address.settled_by or len(address.divisions) > 1


@given(texts, st.sampled_from(CITIES), st.sampled_from(CITIES))
def test_hints_never_override_what_is_written(text: str, city: str, close_to: str) -> None:
    normalized = normalize(text)
    plain = codes(parse(normalized))
    assume(plain)
    point = default().centroid(close_to)
    hinted = codes(parse(normalized, hints=make_hints(default(), city, point)))
    assert hinted
    assert all(any(code.startswith(unit) for unit in plain) for code in hinted)


@pytest.mark.parametrize("city", ["长春", "长春市", "2201", "220100", "吉林省"])
def test_a_default_city_settles_a_homonym(city: str) -> None:
    assert codes(menpai.parse("朝阳区建设路1号", default_city=city)) == ["220104"]


def test_a_default_city_completes_a_text_without_divisions() -> None:
    assert codes(menpai.parse("文一西路969号", default_city="杭州")) == ["3301"]
    assert codes(menpai.parse("文一西路969号")) == []
    assert codes(menpai.parse("北京市朝阳区", default_city="长春")) == ["110105"]
    assert codes(menpai.parse("朝阳区建设路1号", default_city="杭州")) == ["110105", "220104"]


def test_a_point_nearby_settles_a_homonym_or_sorts_it() -> None:
    assert codes(menpai.parse("朝阳区建设路1号", near=(43.9, 125.3))) == ["220104"]
    assert codes(menpai.parse("鼓楼区", near=(34.8, 114.3))) == ["410204"]
    assert codes(menpai.parse("朝阳区", near=(43.2, 87.6)))[0] == "110105"
    assert codes(menpai.parse("北京市朝阳区", near=(43.9, 125.3))) == ["110105"]


@pytest.mark.parametrize(
    ("hint", "code"),
    [
        ({"default_city": "杭洲市"}, "hint_city"), ({"default_city": ""}, "hint_city"),
        ({"default_city": "9999"}, "hint_city"), ({"default_city": 3301}, "hint_city"),
        ({"near": (91, 0)}, "hint_near"), ({"near": (1,)}, "hint_near"), ({"near": "ab"}, "hint_near"),
        ({"near": (float("nan"), 1)}, "hint_near"), ({"near": 3}, "hint_near"),
        ({"as_of": "1960"}, "as_of_invalid"), ({"as_of": "soon"}, "as_of_invalid"),
    ],
)  # fmt: skip
def test_a_bad_hint_is_refused_with_its_cure(hint: dict[str, object], code: str) -> None:
    with pytest.raises(UsageError) as caught:
        menpai.parse("朝阳区", **hint)  # type: ignore[arg-type]
    assert caught.value.code == code
    assert caught.value.render("zh")[1]


def test_a_city_written_nearly_right_is_suggested() -> None:
    with pytest.raises(UsageError, match="石家庄市"):
        menpai.parse("朝阳区", default_city="石家装市")


def test_a_date_reads_with_the_divisions_of_then() -> None:
    assert codes(menpai.parse("杭州市江干区", as_of="2015-06-30")) == ["330104"]
    assert codes(menpai.parse("上海市闸北区", as_of=2010)) == ["310108"]
    assert codes(menpai.parse("上海市闸北区")) == ["310106"]


def test_a_former_name_is_dated() -> None:
    (former,) = menpai.parse("上海市闸北区共和新路1号").former
    assert (former.written, former.codes, former.kind, former.date) == (
        "闸北区", ("310106",), "merged", "2015"
    )  # fmt: skip
    (moved,) = menpai.parse("余杭区乔司街道").former
    assert (moved.kind, moved.date) == ("moved", "2021")


def test_villages_tell_homonyms_apart() -> None:
    assert codes(menpai.parse("新城区幸福路1号")) == ["610102", "150102"]
    settled = menpai.parse("新城区公主府社区1号楼")
    assert (codes(settled), settled.penalty, settled.settled_by) == (["150102"], 0, ())
    assert codes(menpai.parse("桥西区元台子社区")) == ["130703"]
    assert codes(menpai.parse("西安市新城区公主府社区")) == ["610102"]


def test_many_towns_of_one_city_are_no_answer_but_an_alternative() -> None:
    address = menpai.parse("渭南市城关街道东风街1号")
    assert codes(address) == ["6105"]
    assert address.settled_by == ("district",)
    (other,) = address.alternatives
    assert len(other.divisions) > 3
    assert {code[:4] for code in codes(other)} == {"6105"}


def test_the_reading_that_believes_the_finer_name_wins() -> None:
    address = menpai.parse("贵州省遵义市花溪区")
    assert codes(address) == ["520111"]
    assert address.penalty == PENALTIES["conflict_city"]
    (other,) = address.alternatives
    assert codes(other) == ["5203"]
    assert [c.written for c in other.conflicts] == ["花溪区"]
    assert [(e.kind, e.value) for e in other.elements] == [(e.kind, e.value) for e in address.elements]


def test_homonyms_stand_in_order_of_name_and_size() -> None:
    gazetteer = default()
    towns = ("460108101", "370215010", "410622004")
    assert order(gazetteer, towns[::-1], {"灵山镇"})[0] == "460108101"
    assert order(gazetteer, ("220104", "110105"), {"朝阳区"}) == ("110105", "220104")


@pytest.mark.parametrize(
    ("units", "levels"),
    [
        (("110105",), ()), (("110105", "220104"), ("province", "city")), (("130104", "130703"), ("city",)),
        (("330102", "330114"), ("town",)), (("610921100", "610922100"), ("district",)),
        (("411425100", "411425101"), ("community",)),
    ],
)  # fmt: skip
def test_what_would_settle(units: tuple[str, ...], levels: tuple[str, ...]) -> None:
    assert settled_by(units) == levels


@pytest.mark.parametrize(
    "piece",
    ["市", "市辖区", "省市区", "城关镇", "北京市朝阳区海淀区", "广东省南昌市南山区", "苍南县龙港镇", "平定县秀水镇",
     "在北京", "郊区", "新城区 ", "西湖区文三路", "重庆市县", "上海市北"],
)  # fmt: skip
def test_chains_are_read_in_linear_time(piece: str) -> None:
    """A hundred thousand characters each; anything quadratic would run into the suite's timeout."""
    text = piece * (100_000 // len(piece))
    assert parse(Normalized(text, text, tuple(range(len(text))))).text == text
