"""`--max-error` on match, link and dedupe: the column review, the labels that it holds for, and refusals."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from menpai.cli.grey import told
from menpai.tables.grey import NEVER, GreyZone, Zone
from tests.cli.conftest import Run
from tests.labels import as_csv, written

ADDRESSES = "id,address\n1,杭州市西湖区文三路1号\n2,西湖区文三路１号\n3,杭州市西湖区文三路3号\n4,\n"


def rows(path: str) -> list[dict[str, str]]:
    with Path(path).open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def labels(run: Run) -> str:
    Path("labels.csv").write_bytes(as_csv(written(150)))
    return "labels.csv"


def test_match_marks_what_is_in_doubt(run: Run, labels: str) -> None:
    Path("t.csv").write_bytes(as_csv([*written(12, seed=4), ("", "文三路1号", "")]))
    done = run("match", "t.csv", "-o", "o.csv", "--max-error", "0.2", "--calibration", labels)
    assert (done.code, "labels.csv" in done.err, "95 %" in done.err) == (1, True, True)
    found = rows("o.csv")
    assert list(found[0])[-2:] == ["review", "problem"]
    assert {row["review"] for row in found[:-1]} <= {"true", "false"}
    assert "false" in {row["review"] for row in found}
    assert (found[-1]["review"], bool(found[-1]["problem"])) == ("", True)
    assert run("match", "t.csv", "-o", "o.csv", "--max-error", "0.001", "--calibration", labels).code == 1
    assert {row["review"] for row in rows("o.csv")[:-1]} == {"true"}
    pair = run("match", "文三路1号", "文三路3号", "--max-error", "0.001", "--calibration", labels, "--json")
    assert pair.json["review"] is True


def test_link_and_dedupe_mark_rows(run: Run, labels: str) -> None:
    Path("t.csv").write_text(ADDRESSES, "utf-8")
    given = ("--max-error", "0.001", "--calibration", labels)
    done = run("link", "t.csv", "t.csv", "-o", "l.csv", "--pairs-out", "p.csv", "--json", *given)
    assert done.json["grey_zone"]["labels"] == labels
    assert [row["review"] for row in rows("l.csv")] == ["true", "true", "true", ""]
    assert {row["review"] for row in rows("p.csv")} == {"true"}
    done = run("dedupe", "t.csv", "-o", "d.csv", "--json", *given)
    assert done.json["grey_zone"]["max_error"] == 0.001
    assert [row["review"] for row in rows("d.csv")][-1] == ""
    assert list(rows("d.csv")[0])[-2:] == ["review", "problem"]
    assert run("dedupe", "t.csv", "-o", "d.csv").code == 1
    assert "review" not in rows("d.csv")[0]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--max-error", "0.01"), "labelled pairs of your own"),
        (("--calibration", "labels.csv"), "no --max-error"),
        (
            ("--max-error", "0.01", "--calibration", "labels.csv", "--use-builtin-calibration"),
            "exclude each other",
        ),
        (("--max-error", "0.7", "--calibration", "labels.csv"), "below 0.5"),
        (("--max-error", "0.01", "--calibration", "few.csv"), "too few"),
    ],
)
def test_refusals(run: Run, labels: str, options: tuple[str, ...], says: str) -> None:
    Path("few.csv").write_bytes(as_csv(written(12)))
    Path("t.csv").write_text(ADDRESSES, "utf-8")
    Path("pairs.csv").write_bytes(as_csv(written(6)))
    for command in (("match", "pairs.csv"), ("link", "t.csv", "t.csv"), ("dedupe", "t.csv")):
        done = run(*command, "-o", "o.csv", *options)
        assert (done.code, Path("o.csv").exists(), says in done.err) == (2, False, True), command


@pytest.mark.slow
def test_our_own_labels_are_taken_when_told_to(run: Run) -> None:
    done = run("match", "文三路1号", "文三路3号", "--max-error", "0.2", "--use-builtin-calibration", "--json")
    assert done.code == 0
    assert "judged for this project" in done.err


@pytest.mark.parametrize(("supported", "says"), [(0.05, "of the surest 29"), (0.2, "support 0.200 at best")])
def test_why_nothing_stands(supported: float, says: str) -> None:
    """That the labels support less than what is accepted would be no reason."""
    side = Zone(NEVER, 500, 0, 0, 1.0, supported)
    assert says in told(GreyZone(0.1, "exact", side, side, "x.csv", {"exact_match": 500}), "p@1")
