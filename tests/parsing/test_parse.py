from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from menpai.address import DIVISION_LEVELS, ELEMENTS, Normalized
from menpai.parsing import parse
from menpai.text import normalize
from tests import strategies

texts = st.one_of(strategies.any_text(), strategies.messy_addresses(), strategies.pieces())
# Characters that carry no information of their own: what no element covers may only be these or a fold.
_FILLER = frozenset(" ,;.:、·|/_-()\"'!?。与和及跟第的至到")


def raw(text: str) -> Normalized:
    """A text that nothing has cleaned."""
    return Normalized(text, text, tuple(range(len(text))))


@given(texts)
@example("(" * 50 + "路" * 50)
@example("市" * 40)
@example("1-" * 60 + "号楼")
def test_elements_stand_in_order_with_their_text(text: str) -> None:
    for normalized in (normalize(text), raw(text)):
        address = parse(normalized)
        end = 0
        for element in address.elements:
            assert element.kind in ELEMENTS
            assert end <= element.start < element.end
            assert normalized.text[element.start : element.end] == element.text
            assert element.value
            end = element.end
        assert end <= len(normalized.text)


@given(texts)
def test_parse_is_a_function_of_the_text(text: str) -> None:
    normalized = normalize(text)
    assert parse(normalized) == parse(normalized)


# 阳光100 and 9栋 written together are 阳光1009栋 to anybody.
clean = strategies.written().filter(lambda address: address.parts.get("poi") != "阳光100")


@given(clean)
def test_a_clean_address_is_read_as_it_was_written(address: strategies.Written) -> None:
    found = parse(normalize(address.text))
    for level in DIVISION_LEVELS:
        if wanted := address.parts.get(level):
            element = found.get(level)
            assert element is not None
            assert element.text == wanted
    for kind in ("road", "building", "unit", "village_group"):
        if wanted := address.parts.get(kind):
            element = found.get(kind)
            assert element is not None
            assert element.text == normalize(wanted).text


@given(clean)
def test_nothing_but_fillers_is_lost(address: strategies.Written) -> None:
    found = parse(normalize(address.text))
    covered = {at for e in found.elements for at in range(e.start, e.end)}
    assert {c for at, c in enumerate(found.text) if at not in covered} <= _FILLER


@given(clean)
def test_the_divisions_agree_with_every_name_written(address: strategies.Written) -> None:
    divisions = parse(normalize(address.text)).divisions
    assert divisions
    assert len({d.level for d in divisions}) == 1


@pytest.mark.parametrize(
    "piece",
    ["1", "路", "(", "1、", "1-", "A1", "中山", "北京市", "城关镇", "朝阳", "第", "东", "文三路123号A座", "开发区", " 北京",
     "(路", "A-", "建设路与", "村", "一", "西单元门"],
)  # fmt: skip
def test_a_text_of_a_hundred_thousand_characters_is_read(piece: str) -> None:
    """Linear: a tenth of a second each. A quadratic pattern would run into the suite's timeout."""
    text = piece * (100_000 // len(piece))
    assert parse(raw(text)).text == text


def test_the_raw_span_leads_back_to_what_was_typed() -> None:
    typed = "浙江省 杭州市，西湖区 文三路 一百二十三号"
    address = parse(normalize(typed))
    element = address.get("roadno")
    assert element is not None
    start, end = address.normalized.raw_span(element.start, element.end)
    assert (element.value, typed[start:end]) == ("123", "一百二十三号")


def test_separators_part_names_but_not_numbers_from_their_words() -> None:
    apart = parse(normalize("鹤山路 利群商厦 1 楼"))
    assert [(e.kind, e.value) for e in apart.elements] == [
        ("road", "鹤山路"),
        ("poi", "利群商厦"),
        ("floor", "1"),
    ]
    spaced = parse(normalize("建 国 路 8 号"))
    assert [(e.kind, e.value) for e in spaced.elements] == [("road", "建国路"), ("roadno", "8")]
