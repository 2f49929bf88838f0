"""Worker processes: the same outcomes as here, whoever dies; what was kept is not asked for again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from menpai.errors import NotReadyError
from menpai.tables.journal import PairJournal
from menpai.tables.linkage import Plan, Raw, crew, link, make_records
from menpai.tables.linkage.batches import Piece, pieces
from menpai.tables.linkage.candidates import find_pairs
from menpai.tables.linkage.crew import Crew, judge_all
from menpai.tables.linkage.deduping import dedupe
from menpai.tables.linkage.judging import batch_from, judge, mark_from, outcome_from, text_of
from menpai.tables.linkage.marks import mark_of
from tests.judging import matcher

TEXTS = [
    f"{city}{road}{number}号{room}"
    for city in ("杭州市西湖区", "杭州西湖", "浙江省杭州市西湖区")
    for road in ("文三路", "文山路", "学院路")
    for number, room in ((12, ""), (12, "3幢101室"), (14, "3号楼101"))
]
RECORDS = make_records((Raw("", text) for text in TEXTS), 512)


def cut(monkeypatch: pytest.MonkeyPatch, size: int) -> list[Piece]:
    """The batches of the table, of about so many pairs."""
    monkeypatch.setattr("menpai.tables.linkage.batches.PAIRS", size)
    texts = [entity.text for entity in RECORDS.entities]
    pairs = find_pairs(texts, texts, 5, own=True)
    return list(pieces(RECORDS, RECORDS, pairs, pairs.left < 0, Plan(), True))


def plain(outcome: Any) -> Any:
    """An outcome without its seconds."""
    return outcome._replace(stages=[stage._replace(seconds=0.0) for stage in outcome.stages])


def test_a_batch_holds_a_left_entity_whole_and_each_entity_is_owned_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = cut(monkeypatch, 16)
    assert len(found) > 3
    owned = [entity for piece in found for entity in piece.own.tolist()]
    assert sorted(owned) == list(range(len(RECORDS.entities)))
    lefts = [{piece.batch.addresses[at] for at in piece.batch.left} for piece in found]
    assert sum(map(len, lefts)) == len(set().union(*lefts))
    places = sorted(at for piece in found for at in piece.pairs.tolist())
    assert places == list(range(len(places)))


def test_batches_and_outcomes_are_plain_json(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = cut(monkeypatch, 40)[0].batch._replace(points=[(30.0, 120.0), *[None] * 30][: len(TEXTS)])
    assert batch_from(json.loads(json.dumps(batch))) == batch
    outcome = judge(cut(monkeypatch, 40)[0].batch, matcher())
    again = outcome_from(json.loads(json.dumps(outcome)))
    assert json.dumps(again) == json.dumps(outcome)


def test_a_mark_comes_back_from_its_text() -> None:
    for text in TEXTS:
        side = matcher().side(text)
        assert mark_from(text_of(mark_of(side))) == mark_of(side)
    assert mark_from("") is None


def test_what_the_journal_has_is_not_judged_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    batches = [piece.batch for piece in cut(monkeypatch, 16)]
    first = list(judge_all(batches, matcher(), 1, 0, PairJournal(tmp_path / "journal", "f")))
    monkeypatch.setattr(crew, "judge", None)
    again = list(judge_all(batches, matcher(), 1, 0, PairJournal(tmp_path / "journal", "f")))
    assert json.dumps(again) == json.dumps(first)


PLANS = Plan(workers=1), Plan(workers=2, alone_below=0)


def test_processes_and_batches_move_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    cut(monkeypatch, 24)
    here, there = (dedupe(RECORDS, matcher(), plan) for plan in PLANS)
    assert (here.of_row, here.golden, here.vetoed) == (there.of_row, there.golden, there.vetoed)


@pytest.mark.slow
def test_processes_and_batches_move_nothing_between_two_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    cut(monkeypatch, 24)
    here, there = (link(RECORDS, RECORDS, matcher(), plan) for plan in PLANS)
    assert (here.rows, here.pairs) == (there.rows, there.pairs)


@pytest.mark.slow
def test_a_child_that_dies_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    batches = [piece.batch for piece in cut(monkeypatch, 16)]
    wanted = [plain(judge(batch, matcher())).slips for batch in batches]
    with Crew(2, matcher().settings) as workers:
        found = []
        for at, (outcome, fresh) in enumerate(workers.map((batch, None) for batch in batches)):
            assert fresh
            found.append([tuple(each) for each in outcome.slips])
            if at in (0, 4):  # five are under way at most: none loses its child twice
                for child in list(workers._children):
                    child.kill()
    assert found == wanted


@pytest.mark.slow
def test_children_that_cannot_start_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crew, "_START", "raise SystemExit(7)")
    batches = [piece.batch for piece in cut(monkeypatch, 16)]
    with pytest.raises(NotReadyError) as told, Crew(2, matcher().settings) as workers:
        list(workers.map((batch, None) for batch in batches))
    assert told.value.code == "link_worker"
    assert "7" in str(told.value.details["reason"])


def children(pid: int) -> list[str]:
    """The processes that a process has started and that live."""
    return [pid for path in Path(f"/proc/{pid}/task").glob("*/children") for pid in path.read_text().split()]


@pytest.mark.slow
def test_ctrl_c_leaves_no_process(tmp_path: Path) -> None:
    # Tests run in the background ignore SIGINT, and a child inherits that; a handler it does not.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    rows = "".join(f"浙江省杭州市西湖区文{n % 89}路{n}号{n % 7}幢\n" for n in range(30_000))
    (tmp_path / "t.csv").write_text("address\n" + rows, "utf-8")
    child = subprocess.Popen(
        [sys.executable, "-m", "menpai", "dedupe", "t.csv", "-o", "o.csv", "--workers", "2"],
        cwd=tmp_path, start_new_session=True, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    while len(children(child.pid)) < 2:
        assert child.poll() is None
        time.sleep(0.01)
    os.killpg(child.pid, signal.SIGINT)
    assert child.wait(30) == 130
    with pytest.raises(ProcessLookupError):
        os.killpg(child.pid, 0)
