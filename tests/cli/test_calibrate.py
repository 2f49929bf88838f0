"""`menpai calibrate`: a new pack, or the reason why there is none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from menpai.packs import open_pack
from menpai.tables.calibrate import LEAST
from tests.cli.conftest import Run
from tests.labels import as_csv, written


def test_a_pack_that_is_too_sure_is_calibrated(run: Run) -> None:
    Path("pairs.csv").write_bytes(as_csv(written(240, wrong=0.3)))
    done = run("calibrate", "pairs.csv", "-o", "mine", "--json")
    figures = done.json
    assert (done.code, figures["written"], figures["pairs"]) == (
        0,
        "mine@" + figures["pack"].split("@")[1],
        240,
    )
    assert figures["log_loss_gain"]["interval"][0] > 0
    assert figures["after"]["log_loss"]["value"] < figures["before"]["log_loss"]["value"]
    assert figures["after"]["ece"]["value"] < figures["before"]["ece"]["value"]
    assert sum(figures["counts"].values()) == 240
    pack = open_pack("mine")
    assert pack.manifest["made_from"] == figures["pack"]
    assert "Calibrated on the user's own pairs" in pack.card
    old, new = (
        run("match", "文三路1号", "文三路3号", "--json", *more).json for more in ((), ("--pack", "mine"))
    )
    assert (new["pack"].split("@")[0], new["behaviour"] == old["behaviour"]) == ("mine", False)
    assert old["probabilities"] != new["probabilities"]
    turned = run("match", "文三路3号", "文三路1号", "--json", "--pack", "mine").json
    assert turned["probabilities"] == new["probabilities"]
    again = run("calibrate", "pairs.csv", "-o", "again", "--pack", "mine")
    assert (again.code, Path("again").exists()) == (2, False)
    assert "already calibrated" in again.err
    assert run("calibrate", "pairs.csv", "-o", "again", "--pack", "mine", "--force").code == 0
    assert open_pack("again").manifest["made_from"].startswith("mine@")
    Path("mine/calibration.json").write_text(json.dumps({"same": [1, 0], "area": [1, 0]}))
    assert run("match", "文三路1号", "文三路3号", "--pack", "mine").code == 3


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        (written(60), "too few"),
        ([(a, b, "exact_match") for a, b, _ in written(200)], "are the same"),
        ([*written(200), *((a, b, "0" if label != "not_match" else "2") for a, b, label in written(30))],
         "labelled twice"),
    ],
)  # fmt: skip
def test_what_the_data_cannot_support_is_refused(run: Run, rows: list[tuple[str, ...]], says: str) -> None:
    Path("pairs.csv").write_bytes(as_csv(rows))
    done = run("calibrate", "pairs.csv", "-o", "mine")
    assert (done.code, Path("mine").exists()) == (2, False)
    assert says in done.err
    assert "文三路" not in done.err


def test_two_classes(run: Run) -> None:
    rows = [(a, b, str(int(label == "exact_match"))) for a, b, label in written(240, wrong=0.4)]
    Path("pairs.csv").write_bytes(as_csv(rows, "address_a,address_b,same_building"))
    figures = run("calibrate", "pairs.csv", "-o", "mine", "--json").json
    assert set(figures["counts"]) == {"same", "different"}
    assert figures["calibration"]["area"] == [1.0, 0.0]


def test_an_imported_pack_is_calibrated(run: Run) -> None:
    from tests.bert import tiny_pack  # noqa: PLC0415 (it makes a pack)

    Path("pairs.csv").write_bytes(as_csv(written(LEAST + 60)))
    done = run("calibrate", "pairs.csv", "-o", "mine", "--pack", str(tiny_pack().path), "--json", "--force")
    assert (done.code, open_pack("mine").manifest["tokenizer"]) == (0, "wordpiece")
    official = run("match", "文三路1号", "文三路3号", "--pack", "mine", "--mode", "faithful", "--json").json
    plain = run(
        "match", "文三路1号", "文三路3号", "--pack", str(tiny_pack().path), "--mode", "faithful", "--json"
    ).json
    assert official["probabilities"] == plain["probabilities"]


def test_a_table_without_labels_is_named(run: Run) -> None:
    Path("bare.csv").write_bytes(as_csv([(a, b) for a, b, _ in written(9)], "address_a,address_b"))
    done = run("calibrate", "bare.csv", "-o", "mine")
    assert (done.code, "bare.csv" in done.err) == (2, True)


def test_labels_that_all_contradict_are_named(run: Run, tmp_path: Path) -> None:
    rows = [f"文三路{at}号,文三路{at}号A座,{label}" for at in range(9) for label in ("exact", "not")]
    (tmp_path / "against.csv").write_text("address_a,address_b,label\n" + "\n".join(rows), "utf-8")
    done = run("calibrate", "against.csv", "-o", "new")
    assert (done.code, "9 pairs are labelled twice" in done.err) == (2, True)
