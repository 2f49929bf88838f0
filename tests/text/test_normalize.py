from __future__ import annotations

import csv
import random
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from menpai.errors import UsageError
from menpai.text import STEPS, changes, normalize
from menpai.text.characters import characters
from tests import strategies
from tests.timing import least_time

CASES = Path(__file__).parent.parent / "cases" / "normalize.tsv"
# The module, not the function of the same name that the package hands out.
pipeline = sys.modules["menpai.text.normalize"]
texts = st.one_of(strategies.any_text(), strategies.messy_addresses(), strategies.pieces())


def cases() -> list[dict[str, str]]:
    with CASES.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.mark.parametrize("case", cases(), ids=lambda case: f"{case['id']}-{case['kind']}")
def test_case(case: dict[str, str]) -> None:
    assert normalize(case["raw"]).text == case["text"]


def test_case_ids_are_unique() -> None:
    ids = [case["id"] for case in cases()]
    assert len(set(ids)) == len(ids)


@given(texts)
@example("\ud800文三路")
@example("ﷺ" * 3)
def test_twice_is_once(raw: str) -> None:
    once = normalize(raw)
    twice = normalize(once.text)
    assert twice.text == once.text
    assert twice.remarks == once.remarks
    assert twice.steps == ()


@given(texts)
def test_every_character_keeps_its_offset(raw: str) -> None:
    normalized = normalize(raw)
    offsets = normalized.offsets
    assert len(offsets) == len(normalized.text)
    assert list(offsets) == sorted(offsets)
    assert all(0 <= offset < len(raw) for offset in offsets)


@given(strategies.addresses())
def test_letters_and_digits_of_a_clean_address_stand_where_they_stood(raw: str) -> None:
    normalized = normalize(raw)
    for at, char in zip(normalized.offsets, normalized.text, strict=True):
        assert raw[at].upper() == char or raw[at] in "一二三四五六七八九十"


@given(texts)
def test_the_fast_path_agrees_with_the_slow_one(raw: str) -> None:
    text, _ = characters(raw)
    if pipeline.is_plain(text):
        assert {name for name, find in pipeline._FINDERS if find(text)} <= {"repeats"}


@given(strategies.messy_addresses())
def test_remarks_say_what_stands_in_the_text(raw: str) -> None:
    normalized = normalize(raw)
    for remark in normalized.remarks:
        assert normalized.text[remark.start : remark.end] == remark.text
        assert normalized.text[remark.start - 1] == "("
        assert normalized.text[remark.end] == ")"


@given(strategies.addresses())
def test_noise_around_an_address_leaves_the_address(raw: str) -> None:
    clean = normalize(raw).text
    assert normalize(f"中国{raw}").text == clean
    assert normalize(f"收货人：某某 手机号码：13800000000 详细地址：{raw}").text == clean
    assert normalize(f"{raw}【到了联系】").text == clean
    assert normalize(f" {raw}。").text == clean


def test_the_way_back_covers_the_whole_numeral() -> None:
    raw = "建设街 一百二十三号"
    normalized = normalize(raw)
    assert normalized.text == "建设街123号"
    start, end = normalized.raw_span(3, 6)
    assert raw[start:end] == "一百二十三"


def test_remarks_are_the_outermost_brackets() -> None:
    normalized = normalize("王岗镇【镇上】 (王岗乡（大杨墩）附近)")
    assert [remark.text for remark in normalized.remarks] == ["镇上", "王岗乡(大杨墩)附近"]


@given(texts, st.sets(st.sampled_from(STEPS)))
def test_a_skipped_step_does_nothing_and_twice_is_once_all_the_same(raw: str, skip: set[str]) -> None:
    once = normalize(raw, skip)
    assert not skip & set(once.steps)
    if "characters" in skip:
        assert normalize(once.text, skip).text == once.text
    else:
        assert normalize(once.text, skip) == replace(
            once, raw=once.text, offsets=tuple(range(len(once.text))), steps=()
        )


@given(texts, st.sets(st.sampled_from(STEPS)))
def test_the_changes_lead_from_the_raw_text_to_the_cleaned_one(raw: str, skip: set[str]) -> None:
    found = changes(raw, skip)
    normalized = normalize(raw, skip)
    assert [c.before for c in found] + [normalized.text] == [raw] + [c.after for c in found]
    assert {c.step for c in found} == set(normalized.steps)
    assert all(c.before != c.after for c in found)


def test_an_unknown_step_is_named_with_the_nearest() -> None:
    with pytest.raises(UsageError) as caught:
        normalize("文三路1号", ("numeral",))
    assert caught.value.code == "step_unknown"
    assert "numerals" in " ".join(caught.value.render("en"))
    assert "separators" in " ".join(caught.value.render("zh"))


def test_steps_name_what_changed_the_text() -> None:
    assert normalize("文三路12号").steps == ()
    assert normalize("文三路 １２号").steps == ("characters", "separators")
    assert normalize("中国浙江省文三路十二号（） 13800000000").steps == (
        "characters", "contacts", "country", "brackets", "separators", "numerals",
    )  # fmt: skip
    assert set(normalize("北京市北京市").steps) <= set(STEPS)


LONG = (
    "(", ")", "()", "(a", "a(b", "【", "(栋)", "1(栋)", "ab", "abc ", "- ", "、", "1、", "1,", "一、", "1一",
    "北京市", "上海", "忠县", "一", "一号", "一百二十三", "1", "138", "+86", "a@", "中国", "市中国", "某某收",
    "张 ", "号张", "请", "送前", "到了", "先生 ", "收货人:", "电话", "电话 ", "地址", "😀", "㍿",
)  # fmt: skip


@pytest.mark.parametrize("unit", LONG)
def test_time_grows_with_length_only(unit: str) -> None:
    def seconds(length: int) -> float:
        text = (unit * length)[:length]
        return least_time(lambda: normalize(text), tries=3)

    # Quadratic work would take sixteen times as long for four times the text.
    assert seconds(8000) < 9 * seconds(2000) + 0.02


# What the steps look for, to be strung together at random.
SNAGS = (
    *LONG, "谢谢", "寄到", "。", "！", "Ⅲ", "II期", "&amp;", "<br/>", "<p>", "http://a", "3/", "之", "一2", "29懂",
    "附一", "元五零一", "江苏", "江苏省", "宿迁市", "宿豫区", "[2568]", "转2568", "微信:abc", "省:", "  ", "周末", "放",
)  # fmt: skip


@pytest.mark.parametrize("seed", range(40))
def test_ten_thousand_characters_take_milliseconds(seed: int) -> None:
    draw = random.Random(seed)
    unit = "".join(draw.choices(SNAGS, k=draw.randint(1, 4)))
    text = (draw.choice(SNAGS) + unit * 10_000)[:10_000]
    assert least_time(lambda: normalize(text), enough=0.25) < 0.25, unit  # 0.05 on an idle core
