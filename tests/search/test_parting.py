"""A name and an address in one text are told apart; an address that has a name in it stays whole."""

from __future__ import annotations

import pytest

import menpai
from menpai.search import parts
from menpai.search.parting import parted
from menpai.search.question import read_question
from menpai.search.ranking import Text
from menpai.search.view import View


@pytest.fixture(scope="module")
def view(tmp_path_factory: pytest.TempPathFactory) -> View:
    rows = [{"id": "a", "name": "数源科技", "address": "杭州市西湖区文三路123号"}]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parts, "PARTS", ("menpai.search.ngrams", "menpai.search.grid"))
        return menpai.Library.build(rows, tmp_path_factory.mktemp("parting") / "one", crs="wgs84").view


@pytest.mark.parametrize(
    ("text", "address", "name"),
    [
        ("数源科技 西湖区文三路123号", "西湖区文三路123号", "数源科技"),
        ("西湖区文三路123号 数源科技", "西湖区文三路123号", "数源科技"),
        ("数源科技西湖区文三路123号", "西湖区文三路123号", "数源科技"),
        ("肯德基(文三路店) 杭州市西湖区文三路123号", "杭州市西湖区文三路123号", "肯德基(文三路店)"),
        ("浙江农信萧山农商银行(振宁路分理处) 萧山区振宁路987号", "萧山区振宁路987号", "浙江农信萧山农商银行(振宁路分理处)"),
        ("停车场(和美家东北) 萧山区飞虹路与利丰路交叉口", "萧山区飞虹路与利丰路交叉口", "停车场(和美家东北)"),
    ],
)  # fmt: skip
def test_a_name_and_an_address(view: View, text: str, address: str, name: str) -> None:
    assert parted(read_question(text), view).text == Text(address, name)


@pytest.mark.parametrize(
    "text",
    ["西湖区文三路123号", "杭州市西湖区 文三路123号", "文三路 123号", "数源科技", "数源科技 东部软件园", "海月花园3栋2单元",
     "西湖区文三路数源科技", "浙江省 杭州市 西湖区 文三路", "a"],
)  # fmt: skip
def test_what_is_one_of_them_stays_whole(view: View, text: str) -> None:
    question = read_question(text)
    assert parted(question, view) is question


def test_fields_that_were_given_stay_and_no_text_is_parted_where_no_row_has_a_name(view: View) -> None:
    given = read_question({"address": "数源科技 西湖区文三路123号", "name": "数源科技"})
    assert parted(given, view) is given
    question = read_question("数源科技 西湖区文三路123号")
    assert parted(question, View((), 1)) is question
