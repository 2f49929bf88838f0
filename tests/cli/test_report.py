"""--report of link, dedupe and match: one file, whole or not at all, that needs nothing and runs nothing."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.cli.conftest import Run

LEFT = "id,address,lat,lon\n1,杭州市西湖区文三路123号,30.27,120.13\n2,,30.28,120.14\n3,海月花园3栋2单元,30.271,120.131\n" \
       "4,<img src=x onerror=alert(1)>文三路125号,30.272,120.134\n5,杭州西湖区文三路125号,30.25,120.11\n"  # fmt: skip
RIGHT = "shop_id,address\na,西湖区文三路123号\nb,海月花园3幢5单元\nc,杭州市西湖区文三路125号\n"
PAIRS = "a,b\n杭州市西湖区文三路123号,西湖区文三路125号\n海月花园3栋,海月花园3幢\n,x\n"
OUTSIDE = re.compile(r"(?:https?:)?//\w|@import|url\(|<script|<link|<img|<[^>]*\son\w+=", re.IGNORECASE)


@pytest.fixture(autouse=True)
def _tables(tmp_path: Path) -> None:
    for name, text in (("left.csv", LEFT), ("right.csv", RIGHT), ("pairs.csv", PAIRS)):
        (tmp_path / name).write_text(text, "utf-8")


class Outline(HTMLParser):
    """The headings, and that every element is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.heads, self._open, self._head = list[str](), list[str](), ""
        self.feed(text)
        self.close()
        assert not self._open

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag != "meta":
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        """Closed at once."""

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] == "h2":
            self.heads.append(data)


def test_a_link_is_told_in_both_languages(run: Run, tmp_path: Path) -> None:
    for language in ("en", "zh"):
        done = run("link", "left.csv", "right.csv", "-o", "out.csv", "--accept", "partial", "--report", "r.html",
                   "--language", language, "--crs", "wgs84")  # fmt: skip
        assert done.code == 1
        text = (tmp_path / "r.html").read_text("utf-8")
        assert not OUTSIDE.search(text)
        heads = Outline(text).heads
        assert (
            ("Map" in heads and "Stages" in heads)
            if language == "en"
            else ("地图" in heads and "各阶段" in heads)
        )
        assert "menpai-mini@" in text
        assert f'<html lang="{language}">' in text
        assert len(text) < 60_000
    assert "ALERT" in text  # the address that looked like markup is there, as a text


def test_figures_are_those_of_the_run(run: Run, tmp_path: Path) -> None:
    done = run("link", "left.csv", "right.csv", "-o", "out.csv", "--json", "--report", "r.json", "--report", "r.html",
               "--pairs-out", "pairs.jsonl", "--crs", "wgs84")  # fmt: skip
    told = json.loads((tmp_path / "r.json").read_text("utf-8"))
    pairs = [json.loads(line) for line in (tmp_path / "pairs.jsonl").read_text("utf-8").splitlines()]
    assert told["stages"] == done.json["stages"]
    assert told["counts"]["linked"] == done.json["linked"]
    assert sum(told["labels"].values()) == len(pairs) == done.json["pairs_compared"]
    assert told["labels"]["exact_match"] == sum(pair["label"] == "exact_match" for pair in pairs)
    assert told["conflicts"].get("unit", 0) == sum("unit" in str(pair["conflicts"]) for pair in pairs)
    assert told["problems"] == {"row_without_address": 1}
    assert sum(told["gaps"]) == done.json["linked"]
    joined = {(pair["id_a"], pair["id_b"]): pair["joined"] for pair in told["examples"]["exact_match"]}
    assert joined[("1", "a")] is True


def test_clusters_are_told_with_their_sizes(run: Run, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(
        "id,address\n1,文三路123号\n2,文三路123号\n3,文三路１２３号\n4,海月花园3幢\n", "utf-8"
    )
    run("dedupe", "t.csv", "-o", "out.csv", "--report", "r.json", "--report", "r.html")
    told = json.loads((tmp_path / "r.json").read_text("utf-8"))
    assert told["sizes"] == {"1": 1, "3": 1}
    assert told["clusters"][0]["size"] == 3
    assert "Clusters by size" in Outline((tmp_path / "r.html").read_text("utf-8")).heads


@pytest.mark.parametrize("output", ["out.csv", "out.jsonl", "out.xlsx", "out.parquet"])
def test_a_report_of_match_is_the_same_whatever_its_output(run: Run, tmp_path: Path, output: str) -> None:
    assert run("match", "pairs.csv", "-o", output, "--report", "r.json").code == 1
    told = json.loads((tmp_path / "r.json").read_text("utf-8"))
    assert told["counts"] == {"rows": 3, "problems": 1, "review": sum(told["doubted"])}
    assert told["labels"] == {"exact_match": 1, "partial_match": 1, "not_match": 0}
    assert told["conflicts"] == {"roadno": 1}
    assert told["problems"] == {"address_empty": 1}


def test_calibration_is_by_a_review_or_by_the_card(run: Run, tmp_path: Path) -> None:
    run("match", "pairs.csv", "-o", "out.csv", "--report", "r.html")
    assert "figures of the pack's own card" in (tmp_path / "r.html").read_text("utf-8")
    line = {
        "key": "0",
        "address_a": "a",
        "address_b": "b",
        "id_a": "",
        "id_b": "",
        "label": "exact_match",
        "similarity": 0.9,
    }
    (tmp_path / "out.csv.labels.jsonl").write_text(json.dumps(line) + "\n", "utf-8")
    run("match", "pairs.csv", "-o", "out.csv", "--report", "r.html", "--report", "r.json")
    assert "By 1 pairs that people decided" in (tmp_path / "r.html").read_text("utf-8")
    assert json.loads((tmp_path / "r.json").read_text("utf-8"))["reliability"]["bins"] == [[1, 0.9, 1.0]]


@pytest.mark.slow
def test_calibration_by_our_own_labels_says_so(run: Run, tmp_path: Path) -> None:
    error = ("--max-error", "0.2", "--use-builtin-calibration")
    run("match", "pairs.csv", "-o", "out.csv", "--report", "r.html", *error)
    text = (tmp_path / "r.html").read_text("utf-8")
    assert "labelled pairs (the pairs judged for this project)" in text
    assert "Accepted error 0.2" in text


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["match", "pairs.csv", "-o", "out.csv", "--report", "r.pdf"], "cannot be r.pdf"),
        (["match", "pairs.csv", "-o", "out.csv", "--report", "no/r.html"], "folder"),
        (["match", "pairs.csv", "--report", "r.html"], "standard output"),
        (["match", "文三路1号", "文三路2号", "--report", "r.html"], "--report is for tables"),
        (["link", "left.csv", "right.csv", "-o", "out.csv", "--report", "left.json"], "input"),
    ],
)
def test_what_cannot_be_a_report_is_refused_before_the_work(
    run: Run, tmp_path: Path, arguments: list[str], code: str
) -> None:
    (tmp_path / "left.json").hardlink_to(tmp_path / "left.csv")
    done = run(*arguments)
    assert done.code == 2
    assert code in done.err
    assert not (tmp_path / "out.csv").exists()


def test_a_report_appears_whole_or_not_at_all(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "r.html").write_text("old", "utf-8")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("menpai.cli.report.page", full)
    assert run("match", "pairs.csv", "-o", "out.csv", "--report", "r.html").code == 2
    assert (tmp_path / "r.html").read_text("utf-8") == "old"
    assert (tmp_path / "out.csv").exists()
