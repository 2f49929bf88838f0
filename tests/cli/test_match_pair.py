"""`menpai match A B`: the verdict with its reasons, for people and as JSON."""

from __future__ import annotations

import pytest

import menpai
from tests.cli.conftest import Run

ROADNO = ("杭州市西湖区文三路123号", "杭州市西湖区文三路125号")


def test_json_is_the_verdict_of_the_library(run: Run) -> None:
    done = run("match", *ROADNO, "--json")
    assert (done.code, done.err) == (0, "")
    assert done.json == menpai.match(*ROADNO).to_dict()


def test_people_read_label_similarity_level_conflict_and_reasons(run: Run) -> None:
    verdict = menpai.match(*ROADNO)
    done = run("match", *ROADNO)
    lines = done.out.splitlines()
    assert lines[0].split("  ")[1:] == [f"similarity {verdict.similarity:.3f}", f"agree to {verdict.level}"]
    assert lines[1] == "conflict  house number: 123号 ≠ 125号"
    strongest = max(verdict.evidence, key=lambda reason: abs(reason.weight))
    assert lines[2:4] == ["reasons", f"  {strongest.weight:+6.2f}  {strongest.text}"]
    assert "\x1b" not in done.out


def test_chinese(run: Run) -> None:
    done = run("match", *ROADNO, "--language", "zh")
    assert "相似度" in done.out
    assert "冲突  门牌号: 123号 ≠ 125号" in done.out
    assert "门牌号不同" in done.out


def test_explain_shows_both_readings_probabilities_and_every_reason(run: Run) -> None:
    verdict = menpai.match(*ROADNO)
    done = run("match", *ROADNO, "--explain")
    assert "house number  123号                    125号\n" in done.out
    assert all(f"{p:.3f}" in done.out for p in verdict.probabilities)
    assert all(reason.name in done.out for reason in verdict.evidence)
    assert "--explain" not in done.out


def test_reasons_beyond_the_first_are_announced(run: Run) -> None:
    texts = ("北京市朝阳区望京街道望京西路5号望京园603号楼1单元1603室",) * 2
    done = run("match", *texts)
    rest = len(menpai.match(*texts).evidence) - 6
    assert (f"{rest} more: --explain" in done.out) == (rest > 0)


def test_an_address_that_starts_with_a_dash_goes_after_two_dashes(run: Run) -> None:
    assert run("match", "--json", "--", "-文三路1号", "文三路1号").json["label"] == "exact_match"


@pytest.mark.parametrize("pack", ["menpai-mini"])
def test_a_pack_may_be_named(run: Run, pack: str) -> None:
    assert run("match", *ROADNO, "--json", "--pack", pack).json["pack"].startswith(pack)


_DOUBT = ("杭州市西湖区文三路黄龙万科中心3幢", "西湖区学院路77号黄龙国际中心B座")


def test_match_explain_draws_and_says(run: Run) -> None:
    done = run("match", *_DOUBT, "--explain", "--language", "zh")
    assert done.out.count("╰") > 4
    assert "两条地址" in done.out
    told = run("match", *_DOUBT, "--explain", "--json").json["explanation"]
    assert told["aligned"][0].keys() == {"element", "a", "b", "relation"}
    assert told["sentence"].startswith("The two addresses")
