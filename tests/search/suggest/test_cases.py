"""What suggest is said to do, row by row: the expected text is among the first so many (`-`: there is none)."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import pytest

from menpai.errors import UsageError
from menpai.search.suggest.query import suggest
from menpai.search.values import Entry
from menpai.search.view import View
from tests.search.suggest.scan import shard_of

CASES = Path(__file__).parents[2] / "cases"


def table(name: str) -> list[dict[str, str]]:
    with (CASES / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


@pytest.fixture(scope="module")
def view(tmp_path_factory: pytest.TempPathFactory) -> View:
    rows = [
        Entry(row["id"], row["address"], row["name"], weight=float(row["weight"]))
        for row in table("suggest_places.tsv")
    ]
    return View((shard_of(tmp_path_factory.mktemp("places"), rows),))


@pytest.mark.parametrize("case", table("suggest.tsv"), ids=lambda case: f"{case['id']}-{case['kind']}")
def test_case(view: View, case: dict[str, str]) -> None:
    found = [item.text for item in suggest(view, case["typed"], int(case["first"]))]
    assert (case["expected"] in found) if case["expected"] != "-" else not found, found


@pytest.mark.parametrize(
    "typed", ["浙江省杭州市萧山区利", "浙江杭州萧山利丰路", "浙江萧山利丰", "浙江省杭州萧山"]
)
def test_a_division_that_no_row_says_is_skipped(tmp_path: Path, typed: str) -> None:
    view = View((shard_of(tmp_path / "rows", ["杭州市萧山区利丰路674号", "杭州市西湖区文三路1号"]),))
    assert suggest(view, typed, 1)[0].text.startswith("杭州市萧山区利丰路")


def test_leanings(view: View) -> None:
    assert suggest(view, "朝阳区", city="长春")[0].text.startswith("吉林省长春市朝阳区")
    assert suggest(view, "12", city="拱墅区")[0].text == "浙江省杭州市拱墅区湖州街12号"
    assert suggest(view, "朝阳", city="火星") == suggest(view, "朝阳")


@pytest.mark.parametrize(
    "point", [(math.nan, 120.0), (120.0, 30.0), (30.0, math.inf), ("30", "120"), (None, 1.0)]
)
def test_a_point_that_is_none_is_refused(view: View, point: tuple[float, float]) -> None:
    with pytest.raises(UsageError, match="invalid coordinates"):
        suggest(view, "朝阳区", point=point)


@pytest.mark.parametrize("text", [row["address"] for row in table("suggest_places.tsv")])
def test_a_longer_text_drops_no_hit_without_reason(view: View, text: str) -> None:
    """While a row's own address is typed behind its province, it or what leads to it stays in the first ten."""
    for end in range(4, len(text) + 1):
        found = suggest(view, text[:end], 10)
        assert any(item.text.startswith(text[:end]) or text.startswith(item.text) for item in found), text[
            :end
        ]
