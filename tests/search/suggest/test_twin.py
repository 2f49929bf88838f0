"""The index against a scan of all rows, on generated libraries and typed texts."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from menpai.search.segment import KINDS
from menpai.search.suggest.letters import initials, sounds
from menpai.search.suggest.query import suggest
from menpai.search.suggest.rank import KEPT
from menpai.search.suggest.ways import read, straight, walked
from menpai.search.values import Entry
from menpai.search.view import Shard, View
from tests.search.suggest.scan import fitting, path_of, shard_of

HEADS = [
    "",
    "浙江省杭州市西湖区",
    "杭州市西湖区",
    "北京市朝阳区",
    "上海市浦东新区",
    "重庆市渝中区",
    "北京市海淀区中关村街道",
]
ROADS = ["文三路", "文二路", "文三西路", "朝阳路", "长宁路", "中关村大街", "乐清路"]
TAILS = ["", "1号", "12号", "123号", "125号2幢", "12号2幢301室", "朝阳大厦", "中关村科技园A座", "望湖村"]
addresses = st.builds(lambda *parts: "".join(parts), *map(st.sampled_from, (HEADS, ROADS, TAILS)))
libraries = st.lists(addresses, min_size=1, max_size=24)


@st.composite
def typed_texts(draw: st.DrawFn) -> str:
    """A stretch of an address, in characters or letters, sometimes with something left out."""
    whole = draw(addresses)
    start = draw(st.integers(0, len(whole) - 1))
    text = whole[start : draw(st.integers(start + 1, min(len(whole), start + 12)))]
    way = draw(st.sampled_from(("characters", "pinyin", "initials", "both")))
    turned = draw(st.integers(0, len(text))) if way == "both" else 0
    if way == "characters":
        return text
    head, tail = text[:turned], text[turned:]
    return head + ("".join(sounds(tail))[:14] if way == "pinyin" else initials(tail).replace("~", ""))


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as path:
        yield Path(path)


@given(libraries, typed_texts())
@settings(max_examples=40)
def test_what_is_found_straight_is_what_a_scan_finds(rows: list[str], typed: str) -> None:
    text = read(typed).text
    if not text or not read(typed).breaks.isdisjoint(range(len(text))):
        return
    with tempfile.TemporaryDirectory() as path:
        shard = shard_of(Path(path), rows)
        index, segment = shard.parts["suggest"], shard.segment
        tree, found = index.tree, set()
        for hits in straight(walked(index, read(typed))):
            for node in hits.nodes.tolist():
                row = int(tree.order[tree.low[node]])
                found.add(tuple(path_of(segment, row)[: int(tree.depth[node]) + 1]))
        assert found == fitting(segment, text)


@given(libraries, typed_texts(), st.data())
@settings(max_examples=20)
def test_suggestions_count_living_rows_of_all_shards(
    rows: list[str], typed: str, data: st.DataObject
) -> None:
    with tempfile.TemporaryDirectory() as path:
        cut = data.draw(st.integers(0, len(rows)))
        shards, living = [], []
        for at, share in enumerate((rows[:cut], rows[cut:])):
            if share:
                entries = [Entry(f"{at}-{number}", text) for number, text in enumerate(share)]
                shard = shard_of(_made(Path(path) / str(at)), entries)
                dead = np.array(data.draw(st.lists(st.booleans(), min_size=len(share), max_size=len(share))))
                shards.append(Shard(shard.segment, dead, shard.parts))
                living += [(shard.segment, row) for row in range(len(share)) if not dead[row]]
        ids = {segment.ids[row] for segment, row in living}
        keys = ["".join(path_of(segment, row)) for segment, row in living]
        for item in suggest(View(tuple(shards)), typed, 10):
            assert all(0 <= start < end <= len(item.text) for start, end in item.highlights)
            if item.kind == "row":
                assert item.id in ids
            else:
                assert item.kind in KINDS
                assert 0 < item.count <= sum(key.startswith(item.text) for key in keys)


def _made(path: Path) -> Path:
    path.mkdir()
    return path


def test_of_very_many_the_best_are_kept(folder: Path) -> None:
    rows = [f"上海市浦东新区东方路{number}号" for number in (*range(1, 800), *range(10_000, 12_000))]
    rows += [f"上海市浦东新区东明路{number}号{room}室" for number in range(1, 40) for room in range(101, 103)]
    shard = shard_of(folder, rows)
    view = View((shard,))
    assert [item.text for item in suggest(view, "d", 2)] == ["上海市浦东新区东方路", "上海市浦东新区东明路"]
    assert len(shard.parts["suggest"].hot.rows) > 1
    for typed in ("东方路", "1", "浦东新区1", "dfl1", "东方路11"):
        assert len(suggest(view, typed, 50)) == 50
    numbers = [item.text.rpartition("路")[2] for item in suggest(view, "东方路", 11)[1:]]
    assert numbers == [f"{number}号" for number in range(1, 10)] + ["10号"]
    assert KEPT >= 50


def test_typing_on_gives_what_typing_at_once_gives(folder: Path) -> None:
    rows = [head + road + tail for head in HEADS for road in ROADS for tail in TAILS]
    shard = shard_of(folder, rows)
    view, index = View((shard,)), shard.parts["suggest"]
    for typed in ("西湖区文三路125号2幢", "cyqcylcy", "海淀zgc", "wensanlu12", "杭州文三12", "文叁路12"):
        slowly = [suggest(view, typed[:end]) for end in range(1, len(typed) + 1)]
        for end, items in enumerate(slowly, 1):
            index.walks.clear()
            assert suggest(view, typed[:end]) == items


def test_rows_with_a_name_only_and_none_at_all(folder: Path) -> None:
    named = shard_of(_made(folder / "named"), [Entry("n", "", "海龙大厦"), Entry("m", "", "Apple Store")])
    assert [(item.text, item.name, item.id) for item in suggest(View((named,)), "海龙")] == [
        ("海龙大厦", "海龙大厦", "n")
    ]
    assert [item.id for item in suggest(View((named,)), "apples")] == ["m"]
    empty = shard_of(_made(folder / "empty"), [])
    for typed in ("a", "海", "1", "海龙大厦", "zhongguancun"):
        assert suggest(View((empty,)), typed) == []
        assert suggest(View((empty, named)), typed) == suggest(View((named,)), typed)
    assert suggest(View(()), "a") == []


def test_removed_rows_are_not_there(folder: Path) -> None:
    shard = shard_of(folder, ["杭州市西湖区文三路1号", "杭州市西湖区文三路2号", "杭州市西湖区文二路1号"])
    dead = np.array([shard.segment.keys[row].endswith("文三路1号") for row in range(3)])
    view = View((Shard(shard.segment, dead, shard.parts),))
    assert [(item.text, item.count) for item in suggest(view, "文三")] == [("杭州市西湖区文三路2号", 1)]
    assert [item.count for item in suggest(view, "西湖")][:1] == [2]
    gone = View((Shard(shard.segment, np.ones(3, np.bool_), shard.parts),))
    assert suggest(gone, "文三") == []
    assert suggest(view, "文三路1号")[0].text != "杭州市西湖区文三路1号"
