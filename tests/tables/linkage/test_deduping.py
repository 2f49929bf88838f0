"""dedupe: clusters, golden rows, ids that stay; in any order of the rows."""

from __future__ import annotations

import random

import numpy as np
import pytest

from menpai.tables.linkage import Plan, Raw, make_records
from menpai.tables.linkage.candidates import Pairs
from menpai.tables.linkage.cluster_ids import fresh_ids, kept_ids, old_ids
from menpai.tables.linkage.coverage import coverage_of_clusters
from menpai.tables.linkage.deduping import Clusters, dedupe
from menpai.tables.linkage.marks import apart, mark_of
from menpai.tables.linkage.records import Records
from menpai.tables.linkage.slips import one_slip, slip_odds
from tests.judging import matcher

ROWS = [
    Raw("a1", "浙江省杭州市西湖区文三路123号"),
    Raw("a2", "杭州西湖文三路123号"),
    Raw("a3", "浙江省杭州市西湖区文三路123号"),
    Raw("b1", "浙江省杭州市西湖区文三路125号"),
    Raw("c1", "杭州市西湖区文三路123号3幢101室"),
    Raw("c2", "杭州市西湖区文三路123号3号楼101"),
    Raw("d1", "杭州市西湖区文三路123号5幢101室"),
    Raw("x", ""),
    Raw("e1", "上海市静安区延平路123弄6号1002室"),
    Raw("e2", "上海市静安区延坪路123弄6栋1002"),
]
WANTED = {("a1", "a2", "a3"), ("b1",), ("c1", "c2"), ("d1",), ("e1", "e2")}


def clustered(rows: list[Raw], plan: Plan | None = None) -> tuple[Records, Clusters]:
    records = make_records(rows, 512)
    return records, dedupe(records, matcher(), plan)


def by_id(records: Records, clusters: Clusters) -> set[tuple[str, ...]]:
    return {tuple(sorted(records.ids[row] for row in rows)) for rows in clusters.rows.values()}


def test_conflicts_keep_places_apart_and_slips_do_not() -> None:
    assert by_id(*clustered(ROWS)) == WANTED


def test_the_order_of_the_rows_does_not_matter() -> None:
    chance = random.Random(5)
    records, clusters = clustered(ROWS)
    ids, golden = fresh_ids(records, clusters), {records.ids[found.row] for found in clusters.golden.values()}
    for _ in range(3):
        rows = chance.sample(ROWS, len(ROWS))
        others, found = clustered(rows)
        assert by_id(others, found) == WANTED
        assert set(fresh_ids(others, found).values()) == set(ids.values())
        assert {others.ids[each.row] for each in found.golden.values()} == golden


def test_coverage_counts_pairs_of_clusters_that_were_candidates() -> None:
    two, none = np.array([0, 3]), np.zeros(0, np.int64)
    pairs = Pairs(two, np.array([1, 4]), np.ones(2))
    assert coverage_of_clusters(pairs, [0, 0, 0, 3, 3]) == 0.5
    assert coverage_of_clusters(Pairs(none, none, none.astype(float)), [0, 1, 2]) == 1.0
    assert clustered(ROWS)[1].coverage == 1.0


def test_the_golden_row_says_most_and_names_its_rule() -> None:
    records, clusters = clustered(ROWS)
    told = {records.ids[golden.row]: golden.rule for golden in clusters.golden.values()}
    assert told["a1"] == "complete"
    assert told["b1"] == "only"
    frequent = [Raw("1", "文三路5号"), Raw("2", "文三路5号 "), Raw("3", "文三路五号院")]
    records, clusters = clustered(frequent[:2])
    assert [golden.rule for golden in clusters.golden.values()] == ["only"]


def test_a_cluster_is_no_larger_than_allowed() -> None:
    _, clusters = clustered(ROWS, Plan(largest=1))
    assert all(len({*rows}) <= 2 for rows in clusters.rows.values())
    assert {giant.size for giant in clusters.giants} == {2}


def test_ids_stay_while_rows_come_and_clusters_merge_and_split() -> None:
    records, clusters = clustered(ROWS)
    first = fresh_ids(records, clusters)
    before = [
        (row, first[clusters.of_row[at]] if at in clusters.of_row else "") for at, row in enumerate(ROWS)
    ]
    more = [Raw("a0", "中国浙江省杭州市西湖区文三路123号"), *ROWS[:6], Raw("c0", "西湖区文三路123号3幢101")]
    others, found = clustered(more)
    known = {cluster for _, cluster in before if cluster}
    ids, changes = kept_ids(others, found, old_ids(more, before), known)
    now = {others.ids[row]: ids[cluster] for row, cluster in found.of_row.items()}
    then = {raw.id: cluster for raw, cluster in before}
    assert now["a0"] == now["a1"] == then["a1"]
    assert now["c0"] == now["c1"] == then["c1"]
    gone = {(change.change, change.cluster_id) for change in changes}
    assert gone == {("gone", then["d1"]), ("gone", then["e1"])}


def test_merges_and_splits_are_told() -> None:
    records, clusters = clustered(ROWS[:3])
    merged, changes = kept_ids(records, clusters, {0: "q", 1: "p", 2: "q"}, ["p", "q"])
    assert list(merged.values()) == ["q"]
    assert [tuple(change) for change in changes] == [("merged", "q", ("p",))]
    records, clusters = clustered(ROWS[:4])
    split, changes = kept_ids(records, clusters, dict.fromkeys(range(4), "p"), ["p"])
    assert split[clusters.of_row[0]] == "p" != split[clusters.of_row[3]]
    assert [(change.change, change.cluster_id) for change in changes] == [("split", "p")]


def test_a_fresh_id_is_never_one_that_was_given() -> None:
    records, clusters = clustered(ROWS[:4])
    taken = set(fresh_ids(records, clusters).values())
    ids, _ = kept_ids(records, clusters, {}, taken)
    assert taken.isdisjoint(ids.values())


def test_rows_without_ids_are_known_by_their_texts() -> None:
    assert old_ids([Raw("", "文三路1号"), Raw("", "文三路2号")], [(Raw("", "文三路2号"), "p")]) == {1: "p"}


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        ("延平路", "延坪路", "alike"),
        ("普坨村", "普贤坨村", "lost"),
        ("西里", "东里", ""),
        ("王庄", "大王庄", ""),
        ("文三路", "学院路", ""),
        ("文三路", "文三路", ""),
    ],
)
def test_slips(a: str, b: str, kind: str) -> None:
    assert one_slip(a, b) == kind


@pytest.mark.parametrize(
    ("a", "b", "one_place"),
    [
        ("静安区延平路123弄6号", "静安区延坪路123弄6号", True),
        ("静安区延平路123弄6号", "静安区延坪路125弄6号", False),
        ("静安区延平路123弄6号", "静安区延平路123弄6号对面", False),
        ("北京市大兴区长子营镇周营村", "北京市大兴区长子营镇轴营村", True),
        ("北京市大兴区长子营镇周营村", "北京市大兴区礼贤镇轴营村", False),
        ("天津市武清区大良镇二百户村", "天津市武清区大良镇百户村", False),
        ("北京市顺义区南彩镇北彩村", "北京市顺义区南彩镇彩村", False),
        ("北京市大兴区榆垡镇留士庄村", "北京市大兴区榆垡镇留庄村", True),
    ],
)
def test_a_slip_needs_the_same_numbers_and_divisions(a: str, b: str, one_place: bool) -> None:
    one, other = matcher().side(a), matcher().side(b)
    assert (slip_odds(one, other, (mark_of(one), mark_of(other))) > 0) == one_place


def test_marks_tell_numbers_apart_however_they_are_read() -> None:
    def differ(a: str, b: str) -> bool:
        return apart(mark_of(matcher().side(a)), mark_of(matcher().side(b)))

    assert differ("文三路123号3幢", "文三路123号5幢")
    assert differ("海月花园A座", "海月花园B座")
    assert not differ("文三路123号", "文三路123号5幢")
    assert differ("天津市武清区大良镇二百户村", "天津市武清区大良镇蒙村")
    assert not differ("文三路123号3幢2单元101室", "文三路123号3-2-101")
