"""kill -9 at random moments, and the same command again: what comes out is what an undisturbed run writes.

Two kills of each of seven commands; `pytest -m slow tests/tables/test_kill.py --kills 8` is the long form.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from python_calamine import CalamineWorkbook

from menpai.cli import main
from menpai.tables.workroom import folder_of

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]
ROWS = 2500
ROADS = ["文三路", "古墩路", "莫干山路", "天目山路", "凤起路", "庆春路", "体育场路"]
COMMANDS = {
    "csv": ("match", "in.csv", "-o", "o.csv"),
    "jsonl": ("match", "in.csv", "-o", "o.jsonl"),
    "parquet": ("match", "in.csv", "-o", "o.parquet"),
    "xlsx": ("match", "in.csv", "-o", "o.xlsx"),
    "sql": ("match", "sqlite:///shop.db#orders", "-o", "sqlite:///shop.db#o"),
    "link": (
        "link",
        "in.csv",
        "in.csv",
        "--address",
        "address_a",
        "--right-address",
        "address_b",
        "-o",
        "o.csv",
    ),
    "dedupe": ("dedupe", "in.csv", "--address", "address_b", "-o", "o.parquet"),
}


def rows() -> list[tuple[str, str, str]]:
    chosen = random.Random(8)
    found = []
    for at in range(ROWS):
        road, number = chosen.choice(ROADS), chosen.randrange(1, 900)
        other = number + chosen.choice((0, 0, 2))
        found.append((str(at), f"杭州市西湖区{road}{number}号", f"{road}{other}号{chosen.randrange(1, 9)}幢"))
    return found


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the input, where each command has run undisturbed in a folder of its own."""
    folder = tmp_path_factory.mktemp("whole")
    made = rows()
    text = "\n".join(["id,address_a,address_b", *map(",".join, made), ""])
    for name, command in COMMANDS.items():
        (folder / name).mkdir()
        fill(folder / name, text, made)
        with contextlib.chdir(folder / name):
            assert main(command) == 0
    return folder


def fill(folder: Path, text: str, made: list[tuple[str, str, str]]) -> None:
    (folder / "in.csv").write_text(text, "utf-8")
    base = sqlite3.connect(folder / "shop.db")
    base.execute("create table orders (id text, address_a text, address_b text)")
    base.executemany("insert into orders values (?, ?, ?)", made)
    base.commit()
    base.close()


def start(folder: Path, command: tuple[str, ...]) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "MENPAI_LANGUAGE": "en"}
    return subprocess.Popen(
        [sys.executable, "-m", "menpai", *command],
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def content(folder: Path, output: str) -> Any:
    """What an output holds: bytes; cells of a workbook; rows of a table and, beside them, how many there are of each."""
    if output.endswith(".xlsx"):
        return CalamineWorkbook.from_path(folder / output).get_sheet_by_index(0).to_python()
    if output.startswith("sqlite"):
        base = sqlite3.connect(folder / "shop.db")
        found = base.execute("select * from o order by menpai_row").fetchall()
        base.close()
        return found
    return (folder / output).read_bytes()


@pytest.mark.parametrize("name", COMMANDS)
def test_killed_and_started_again(name: str, whole: Path, tmp_path: Path, kills: int) -> None:
    command, made = COMMANDS[name], rows()
    chance = random.Random(name)
    fill(tmp_path, (whole / name / "in.csv").read_text("utf-8"), made)
    workroom = folder_of(tmp_path / ("shop.db-o" if name == "sql" else command[-1]))
    before = {path.name for path in tmp_path.iterdir()}
    killed, longest = 0, 1.5
    while killed < kills:
        process = start(tmp_path, command)
        began = time.monotonic()
        while process.poll() is None and not workroom.exists():
            time.sleep(0.005)
        at_work = time.monotonic()
        try:
            process.wait(chance.uniform(0, longest))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            killed += 1
            continue
        assert process.returncode == 0
        longest = max(0.05, min(longest, time.monotonic() - at_work))
        assert content(tmp_path, command[-1]) == content(whole / name, command[-1])
        if name != "sql":
            (tmp_path / command[-1]).unlink()
        assert time.monotonic() - began < 600
    assert start(tmp_path, command).wait() == 0
    assert content(tmp_path, command[-1]) == content(whole / name, command[-1])
    left = {path.name for path in tmp_path.iterdir()}
    assert left - before <= {command[-1]}, "a killed run leaves nothing for good"
