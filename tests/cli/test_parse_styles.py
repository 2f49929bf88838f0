"""`menpai parse --style`, `--convention` and `--explain`; `menpai evaluate --task tags`."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from menpai.address import ELEMENTS
from menpai.cli import words
from menpai.parsing.schemes import Tagged, labels_of
from menpai.tables import parsed
from tests.cli.conftest import Run
from tests.parsing.test_tagger import pack as tagging_pack

TEXT = "北京朝阳望京园603号楼13层1603室"


def test_one_line_for_each_text(run: Run) -> None:
    done = run("parse", TEXT, "潜江市张金镇", "--style", "line")
    assert done.out.splitlines() == ["北京市朝阳区望京园603号楼13层1603室", "湖北省潜江市张金镇"]


def test_fields_in_words_and_json(run: Run) -> None:
    said = run("parse", TEXT, "--style", "fields", "--language", "zh").out
    assert "  楼栋    603号楼" in said
    assert "到房间" in said
    found = run("parse", TEXT, "--style", "fields", "--convention", "shadow", "--json").json
    assert list(found) == list(parsed.STYLES["fields"][:-1])
    assert (found["市"], found["code"], found["missing"]) == ("市辖区", "110105000000", None)


def test_missing_parts_have_words(run: Run) -> None:
    assert "road or place" in run("parse", "浙江省杭州市", "--style", "gbt").out
    assert set(ELEMENTS) < set(words.KINDS)


@pytest.mark.parametrize("style", parsed.STYLES)
def test_a_table_gets_the_columns_of_its_style(run: Run, style: str) -> None:
    done = run(
        "parse",
        "-",
        "--style",
        style,
        "-o",
        "-",
        "--column",
        "地址",
        stdin=f"id,地址\n1,{TEXT}\n2,\n".encode(),
    )
    rows = list(csv.reader(done.out.splitlines()))
    assert rows[0] == ["id", "地址", *parsed.STYLES[style]]
    assert rows[1][0] == "1"
    assert "603号楼" in "".join(rows[1][2:])
    assert rows[2][:2] == ["2", ""]
    assert rows[2][-1].startswith("address_empty")
    assert done.code == 1


def test_a_drawing_shows_every_character(run: Run) -> None:
    lines = run("parse", "西湖区文三路12号 旁边的店", "--explain").out.splitlines()
    assert lines[0].replace(" ", "").startswith("西湖区文三路12号旁边")
    assert lines[1].count("╰") == lines[1].count("╯") >= 3
    assert "district" in lines[2]
    assert "gazetteer" in lines[3]


def test_tags(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "x.conll"
    path.write_text(
        "西\tB-district\n湖\tI-district\n区\tE-district\n文\tB-poi\n三\tI-poi\n路\tE-poi\n", encoding="utf-8"
    )
    figures = run("evaluate", str(path), "--task", "tags", "--json").json
    assert {"micro_f1", "per_element", "sentences_per_second", "scheme"} <= set(figures)
    assert (figures["scheme"], figures["micro_f1"]) == ("ccks", 0.5)
    assert (
        run("evaluate", str(path), "--task", "tags", "--only", "district", "--json").json["micro_f1"] == 1.0
    )
    run("evaluate", str(path), "--task", "tags", "--errors", "wrong.tsv")
    assert (
        Path("wrong.tsv").read_text("utf-8-sig").splitlines()[1]
        == "1\t西湖区/district 文三路/poi\t西湖区/district 文三路/road"
    )
    said = run("evaluate", str(path), "--task", "tags", "--language", "zh").out
    assert "微平均 F1" in said
    wrong = run("evaluate", str(path), "--task", "tags", "--scheme", "cks")
    assert (wrong.code, "nearest is ccks" in wrong.err) == (2, True)


def test_hints_settle_homonyms(run: Run) -> None:
    said = run("parse", "朝阳区建国路8号", "--style", "line", "--default-city", "长春市").out
    assert said.strip() == "吉林省长春市朝阳区建国路8号"
    wrong = run("parse", "朝阳区建国路8号", "--near", "39.9")
    assert (wrong.code, "is not LAT,LON" in wrong.err) == (2, True)
    assert "长村" in run("parse", "朝阳区建国路8号", "--default-city", "长村").err


def test_divisions_of_another_year_are_written_in_their_names(run: Run) -> None:
    text = "上海市闸北区共和新路1号"
    assert run("parse", text, "--style", "line", "--as-of", "2010").out.strip() == text
    assert run("parse", text, "--style", "line").out.strip() == "上海市静安区共和新路1号"
    assert "20x" in run("parse", text, "--as-of", "20x").err


def test_a_tagger_is_asked_for_by_a_flag(run: Run) -> None:
    assert run("parse", "西湖区文三路1号", "--no-tagger", "--style", "line").code == 0


def test_a_tagging_pack_is_measured_in_its_own_scheme(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "x.conll"
    labels = labels_of([Tagged("road", 0, 3), Tagged("roadno", 3, 7), Tagged("building", 7, 11)], 11, "BIES")
    path.write_text(
        "".join(f"{c}\t{label}\n" for c, label in zip("文三路123号幸福花园", labels, strict=True)), "utf-8"
    )
    folder = str(tagging_pack(tmp_path, "tagging").path)
    done = run("evaluate", str(path), "--task", "tags", "--pack", folder, "--scheme", "menpai", "--json")
    assert done.json["micro_f1"] == pytest.approx(2 / 3)
    wrong = run("evaluate", str(path), "--task", "tags", "--pack", folder, "--scheme", "ccks")
    assert (wrong.code, "building" in wrong.err) == (2, True)
    path.write_text("文\tB-road\n路\tE-road\n", "utf-8")
    wrong = run("evaluate", str(path), "--task", "tags", "--pack", folder)
    assert (wrong.code, "tags in menpai, the file in ccks" in wrong.err) == (2, True)


def test_doubt_is_told_in_every_style(run: Run) -> None:
    found = run("parse", "广东省南昌市南山区科苑路15号", "--style", "line", "--json").json
    assert any("≠" in text for text in found["doubt"])
    assert "≠" in run("parse", "广东省南昌市南山区科苑路15号", "--style", "gbt").out
    assert run("parse", TEXT, "--style", "line", "--json").json["doubt"] is None


def test_a_cell_that_is_no_text_is_a_problem_in_its_row(run: Run) -> None:
    lines = '{"address": "西湖区文三路1号"}\n{"address": {"road": "文三路"}}\n{"address": true}\n{"address": 12}\n'
    done = run("parse", "-", "--column", "address", "-o", "-", "--json", stdin=lines.encode())
    first, second, third, number = done.lines
    assert (first["road"], first["problem"]) == ("文三路", None)
    assert second["problem"]["code"] == third["problem"]["code"] == "address_not_text"
    assert number["problem"]["code"] == "address_unreadable"  # the text that it shows as, in every format
    assert done.code == 1
