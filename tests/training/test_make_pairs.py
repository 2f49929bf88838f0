"""The stream of training pairs: repeatable, balanced, and never beyond what training may use."""

from __future__ import annotations

import csv
import gzip
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.training.world import corpus
from training.make_pairs import LABELS, Pair, generate, strings
from training.noise import EVALUATION_ONLY, PLACE_OPERATIONS, TEXT_OPERATIONS


@pytest.fixture(scope="module")
def pairs() -> list[Pair]:
    return list(generate(corpus(), seed=5, count=6000))


def test_same_seed_same_pairs_other_seed_others() -> None:
    first = list(generate(corpus(), 3, 200))
    assert first == list(generate(corpus(), 3, 200))
    assert first != list(generate(corpus(), 4, 200))


def test_a_longer_run_begins_like_a_shorter_one() -> None:
    assert list(generate(corpus(), 3, 50)) == list(generate(corpus(), 3, 120))[:50]


def test_labels_and_styles_keep_their_shares(pairs: list[Pair]) -> None:
    labels = Counter(p.label for p in pairs)
    for label, share in zip(LABELS, (0.35, 0.33, 0.32), strict=True):
        assert labels[label] / len(pairs) == pytest.approx(share, abs=0.03)
    styles = Counter(p.style for p in pairs)
    for style, share in {"point": 0.45, "estate": 0.35, "village": 0.12, "road": 0.08}.items():
        assert styles[style] / len(pairs) == pytest.approx(share, abs=0.03)


def test_far_pairs_are_rare(pairs: list[Pair]) -> None:
    assert sum(p.ops[0] == "far" for p in pairs) < 0.05 * len(pairs)


def test_only_equal_places_may_read_alike(pairs: list[Pair]) -> None:
    assert not [p for p in pairs if p.a == p.b and p.label != "exact_match"]


def test_every_pair_says_how_it_was_made(pairs: list[Pair]) -> None:
    for pair in pairs:
        assert pair.ops
        assert (pair.ops[0] == "same_place") == (pair.label == "exact_match")
        assert min(len(pair.a), len(pair.b)) >= 3


def test_evaluation_operations_are_never_drawn(pairs: list[Pair]) -> None:
    assert EVALUATION_ONLY
    assert not EVALUATION_ONLY & (PLACE_OPERATIONS.keys() | TEXT_OPERATIONS.keys())
    assert not EVALUATION_ONLY & {op for p in pairs for op in p.ops}


def test_every_noise_operation_is_used(pairs: list[Pair]) -> None:
    used = {op for p in pairs for op in p.ops}
    assert (PLACE_OPERATIONS.keys() | TEXT_OPERATIONS.keys()) - used <= {"former_division", "typo"}


def test_strings_mix_sources_and_written_texts() -> None:
    made = corpus()
    texts = list(strings(made, 1, 300))
    from_sources = sum(t in made.strings for t in texts)
    assert len(texts) == 300
    assert 90 < from_sources < 210


def test_command_line_writes_a_table(tmp_path: Path) -> None:
    _write_sources(tmp_path)
    out = tmp_path / "pairs.tsv"
    command = [sys.executable, "-m", "training.make_pairs", "--data", str(tmp_path), "--out", str(out)]
    subprocess.run([*command, "--count", "40", "--seed", "2"], check=True, cwd=Path(__file__).parents[2])
    with out.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert len(rows) == 40
    assert list(rows[0]) == ["a", "b", "label", "ops", "style"]
    assert {row["label"] for row in rows} == set(LABELS)


def _write_sources(folder: Path) -> None:
    """The four source files in small, with invented rows."""
    (folder / "addresses").mkdir()
    (folder / "admin").mkdir()
    rows = ["province\tcity\tcounty\tplace"]
    estates = ("海月花园", "翠微苑", "桂语家园", "兰亭新村")
    rows += [f"浙江省\t杭州市\t西湖区\t翠苑街道{name}3号楼2单元" for name in estates]
    rows += [
        f"浙江省\t杭州市\t西湖区\t三墩镇{v}{n}组" for n, v in enumerate(("上坞村", "田心村", "西塘村"), 1)
    ]
    rows += [f"浙江省\t杭州市\t西湖区\t翠苑街道文丰路{n}号" for n in (3, 8)]
    rows += ["浙江省\t杭州市\t西湖区\t永福街21号", "浙江省\t杭州市\t西湖区\t长桥大道7号"]
    with gzip.open(folder / "addresses" / "national_places.tsv.gz", "wt", encoding="utf-8") as file:
        file.write("\n".join(rows) + "\n")
    (folder / "addresses" / "shanghai_geo.tsv").write_text(
        "district\ttown\taddress\n黄浦区\t外滩街道\t和睦路12弄\n", encoding="utf-8"
    )
    divisions = [
        "id,pid,deep,name,pinyin_prefix,pinyin,ext_id,ext_name",
        "33,0,0,浙江,z,,,浙江省", "3301,33,1,杭州,h,,,杭州市", "330106,3301,2,西湖,x,,,西湖区",
        "330106001,330106,3,翠苑,c,,,翠苑街道", "330106002,330106,3,三墩,s,,,三墩镇",
        "330109,3301,2,萧山,x,,,萧山区", "330109001,330109,3,城厢,c,,,城厢街道",
        "31,0,0,上海,s,,,上海市", "3101,31,1,上海,s,,,上海市", "310101,3101,2,黄浦,h,,,黄浦区",
    ]  # fmt: skip
    (folder / "admin" / "areacity_level4.csv").write_text("\n".join(divisions) + "\n", encoding="utf-8")
    (folder / "admin" / "geonames_cn_places.csv").write_text(
        "geonameid,name,zh_names\n1,A,总寨|总寨镇\n", encoding="utf-8"
    )
