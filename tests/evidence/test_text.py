from __future__ import annotations

import pytest

from menpai.evidence import text
from menpai.evidence.feature import Feature
from menpai.evidence.side import detail_of
from menpai.parsing import parse
from menpai.text import normalize
from tests.judging import comparison


@pytest.mark.parametrize(
    ("written", "rest"),
    [
        ("浙江省杭州市西湖区文三路123号", "文三路123号"),
        ("文三路123号", "文三路123号"),
        ("浙江省杭州市", "浙江省杭州市"),  # nothing stands behind them: the whole text
    ],
)
def test_detail_stands_behind_the_divisions(written: str, rest: str) -> None:
    assert detail_of(parse(normalize(written))) == rest


@pytest.mark.parametrize(
    ("feature", "a", "b", "value"),
    [
        (text.text_alike, "海月花园3幢", "海月花园3幢", 1.0),
        (text.text_alike, "海月花园", "翠微苑", 0.0),
        (text.detail_alike, "杭州市海月花园", "海月花园", 1.0),
        (text.detail_covered, "海月花园", "海月花园3幢2单元", 1.0),
        (text.numbers_shared, "海月花园3幢5层", "海月花园3幢", 1.0),
        (text.numbers_shared, "海月花园3幢5层", "海月花园3幢6层", 0.5),
        (text.numbers_shared, "海月花园", "海月花园3幢", 0.0),
        (text.numbers_apart, "海月花园3幢", "海月花园5幢", 1.0),
        (text.numbers_apart, "海月花园3幢", "海月花园3幢5层", 0.0),
        (text.direction_differs, "海月花园东区", "海月花园西区", 1.0),
        (text.direction_differs, "海月花园东区", "海月花园", 0.0),
        (text.length_apart, "海月花园", "海月花园", 0.0),
        (text.length_apart, "海月花园", "海月花园海月花园", 0.0),  # written twice: one
        (text.length_apart, "海月花园", "海月花园3幢5层", 0.5),
        (text.relative_place, "文三路123号对面", "文三路123号", 1.0),
        (text.relative_place, "文三路123号对面", "文三路125号对面", 0.0),
    ],
)
def test_text_evidence(feature: Feature, a: str, b: str, value: float) -> None:
    assert feature.measure(comparison(a, b)) == feature.measure(comparison(b, a)) == value
