"""`menpai model import` and `verify`, and packs of MGeo on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bert import tiny_pack
from tests.cli.conftest import Run
from tools.random_mgeo import random_folder
from tools.random_mgeo_variants import BROKEN, variant_folder


def test_a_folder_becomes_a_pack_that_judges(run: Run, tmp_path: Path) -> None:
    random_folder(tmp_path / "folder")
    done = run("model", "import", "folder", "-o", "pack", "--json")
    assert done.code == 0
    assert done.json["manifest"]["labels"] == ["exact_match", "not_match", "partial_match"]
    assert done.json["left_out"] == []
    default = run("match", "文三路123号", "文三路125号", "--pack", "pack", "--json")
    faithful = run("match", "文三路123号", "文三路125号", "--pack", "pack", "--mode", "faithful", "--json")
    assert default.json["pack"] == faithful.json["pack"] == done.json["id"]
    assert default.json["behaviour"] != faithful.json["behaviour"]
    assert run("model", "info", "pack").code == 0


def test_what_was_left_out_is_said(run: Run, tmp_path: Path) -> None:
    variant_folder(tmp_path / "folder", "with_gis")
    done = run("model", "import", "folder", "-o", "pack", "--language", "zh")
    assert done.code == 0
    assert "忽略了地图（GIS）编码器的 5 个张量" in done.err
    variant_folder(tmp_path / "cut", "fusion_layer")
    assert "only the first 1 layers run" in run("model", "import", "cut", "-o", "pack").err


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("variant", BROKEN)
def test_a_broken_folder_is_one_line_and_its_cure(
    run: Run, tmp_path: Path, variant: str, language: str
) -> None:
    variant_folder(tmp_path / variant, variant)
    done = run("model", "import", variant, "-o", "pack", "--language", language)
    assert done.code == 3
    message, hint = done.err.rstrip("\n").split("\n")
    assert variant in message
    assert hint.strip().startswith("提示：" if language == "zh" else "hint: ")
    assert done.out == ""
    assert not (tmp_path / "pack").exists()


def test_labels_are_said_on_the_command_line(run: Run, tmp_path: Path) -> None:
    variant_folder(tmp_path / "folder", "no_labels")
    done = run("model", "import", "folder", "-o", "pack", "--labels", "not_match,partial_match,exact_match")
    assert "pair: not_match, partial_match, exact_match" in done.out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("gone", "-o", "pack"), "there is no model folder gone"),
        (("folder", "-o", "folder"), "is no pack, so it was not replaced"),
        (("folder",), "required: -o"),
        (("folder", "-o", "pack", "--task", "pears"), "invalid choice"),
    ],
)
def test_a_wrong_call_is_a_usage_error(
    run: Run, tmp_path: Path, arguments: tuple[str, ...], says: str
) -> None:
    random_folder(tmp_path / "folder")
    done = run("model", "import", *arguments)
    assert done.code == 2
    assert says in done.err


def test_verify_fails_for_a_model_that_knows_nothing(run: Run) -> None:
    done = run("model", "verify", str(tiny_pack().path), "--count", "20", "--json")
    assert done.code == 3
    assert {check["name"]: check["passed"] for check in done.json["checks"]} == {
        "finite": True,
        "identical": False,
    }
    assert done.json["passed"] is False


def test_verify_passes_where_all_checks_do(run: Run) -> None:
    done = run("model", "verify", str(tiny_pack("ranking").path), "--count", "20")
    assert done.code == 0
    assert "✓ all outputs are numbers" in done.out


def test_an_imported_tagger_gives_its_spans(run: Run) -> None:
    path = str(tiny_pack("elements").path)
    done = run("parse", "文三路201号", "--pack", path, "--scheme", "mgeo", "--json")
    assert done.code == 0
    assert done.json["scheme"] == "mgeo"
    assert all(span["span"] == "文三路201号"[span["start"] : span["end"]] for span in done.json["spans"])
    assert run("parse", "文三路201号", "西湖区", "--pack", path).code == 0
    wrong = run("parse", "文三路201号", "--pack", path, "--scheme", "ccks")
    assert (wrong.code, "mgeo" in wrong.err) == (2, True)
    assert run("parse", "", "--pack", path).code == 2
