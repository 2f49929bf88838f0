"""`menpai loadtest` from outside: table, JSON, plot, comparison, and what is refused before anything is sent."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from menpai.cli.entry import main
from menpai.load import plot
from menpai.load.tally import Latency, Step
from tests.load.server import answer, serving

QUICK = ["--clients", "1,2", "--rates", "40", "--seconds", "0.2", "--warm-up", "0", "--language", "en"]


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of a run on a server that refuses every third request."""
    path = tmp_path_factory.mktemp("load") / "run.json"
    with serving(lambda n: (0, answer(503 if n % 3 == 0 else 200))) as server:
        assert main(["loadtest", f"http://127.0.0.1:{server.port}", *QUICK, "-o", str(path)]) == 0
    return path


def test_the_table_has_a_line_for_each_load_and_what_failed(
    saved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(lambda n: (0, answer(500 if n % 2 else 200))) as server:
        assert main(["loadtest", f"127.0.0.1:{server.port}", *QUICK]) == 1
    out = capsys.readouterr().out
    assert "toy@1" in out
    lines = {line.split("  ")[0].strip() for line in out.splitlines()}
    assert {"load", "1 client", "2 clients", "40/s"} <= lines
    assert "× 500" in out


def test_the_json_says_what_was_done_and_adds_up(saved: Path) -> None:
    run = json.loads(saved.read_text("utf-8"))
    assert [(step["loop"], step["clients"] or step["rate"]) for step in run["steps"]] == [
        ("closed", 1), ("closed", 2), ("open", 40)
    ]  # fmt: skip
    assert run["workload"] == {
        "route": "/v1/match", "rows": 1, "seconds": 0.2, "timeout": 10.0, "pairs": "generated", "seed": 1, "repeat": 0.0
    }  # fmt: skip
    for step in run["steps"]:
        assert step["sent"] == sum(step["outcomes"].values())
        assert set(step["outcomes"]) <= {"200", "503"}
        assert (step["refusals"] or {"count": 0})["count"] == step["outcomes"].get("503", 0)
        times = [step["latency"][name] for name in ("p50", "p95", "p99", "max")] if step["latency"] else [1]
        assert times == sorted(times)
        assert times[0] > 0
    assert run["steps"][0]["latency"]["count"] == run["steps"][0]["outcomes"]["200"]


def test_two_runs_are_compared(saved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run, first, second = (
        json.loads(saved.read_text("utf-8")),
        tmp_path / "first.json",
        tmp_path / "second.json",
    )
    for path, rate in ((first, 100.0), (second, 200.0)):
        for step in run["steps"]:
            step["requests_per_second"] = rate
        path.write_text(json.dumps(run), "utf-8")
        run["workload"]["rows"] = 64
    assert main(["loadtest", "--compare", str(first), str(second), "--language", "en"]) == 0
    out = capsys.readouterr().out
    assert out.count("2.00") == 3
    assert "workload.rows" in out
    assert main(["loadtest", "--compare", str(first), str(second), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [load["requests_per_second"] for load in told["loads"]] == [[100, 200, 2]] * 3


@pytest.mark.parametrize(("language", "ending"), [("zh", "svg"), ("en", "svg"), ("en", "png")])
def test_it_is_drawn(language: str, ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"load.{ending}"
    with serving() as server:
        words = [
            "loadtest",
            f"127.0.0.1:{server.port}",
            *QUICK[:-2],
            "--plot",
            str(path),
            "--language",
            language,
        ]
        assert main(words) == 0
    start = {"png": b"\x89PNG", "svg": b"<?xml"}[ending]
    assert path.read_bytes().startswith(start)
    if ending == "svg":
        assert ("闭环" if language == "zh" else "closed loop") in path.read_text("utf-8")


def test_a_chinese_picture_is_drawn_without_chinese_fonts_too(
    saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plot, "FONTS", ())
    monkeypatch.setattr(plot, "FILES", ("no-such-font",))
    steps = [step_of(each) for each in json.loads(saved.read_text("utf-8"))["steps"]]
    plot.draw(steps, str(tmp_path / "load.svg"), "menpai", "zh")
    assert "闭环" in (tmp_path / "load.svg").read_text("utf-8")
    plot.draw(steps, str(tmp_path / "load.png"), "menpai", "zh")  # in English: its letters would be boxes


def step_of(values: dict[str, Any]) -> Step:
    """A step from its JSON."""
    times = {name: Latency(**values[name]) if values[name] else None for name in ("latency", "refusals")}
    return Step(**values | times | {"warnings": tuple(values["warnings"])})


def test_pairs_come_from_a_table(tmp_path: Path) -> None:
    table = tmp_path / "mine.csv"
    table.write_text("address_a,address_b\n甲路1号,甲路2号\n乙路1号,乙路2号\n", "utf-8")
    with serving() as server:
        words = ["loadtest", f"127.0.0.1:{server.port}", "--pairs", str(table), "--rates", "0", *QUICK[:2]]
        assert main([*words, "--seconds", "0.1", "--warm-up", "0"]) == 0
    bodies = {json.loads(seen.partition(b"\r\n\r\n")[2])["a"] for seen in server.seen}
    assert bodies == {"甲路1号", "乙路1号"}


def test_the_key_goes_into_the_header(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MENPAI_API_KEY", "s3cret")
    with serving() as server:
        assert main(["loadtest", f"127.0.0.1:{server.port}", *QUICK]) == 0
    assert b"authorization: Bearer s3cret\r\n" in server.seen[0]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["http://127.0.0.1:1"], "is not ready"),
        (["ftp://x"], "not the URL"),
        (["--clients", "a"], "--clients"),
        (["--clients", "-1"], "--clients"),
        (["--clients", "0"], "--clients"),
        (["--rates", "0.5y"], "--rates"),
        (["--repeat", "1.5"], "--repeat"),
        (["--repeat", "nan"], "--repeat"),
        (["--warm-up", "-1"], "--warm-up"),
        (["--seconds", "0"], "--seconds"),
        (["--route", "/infer", "--rows", "2"], "one pair at a time"),
        (["--plot", "x.gif"], ".svg"),
        (["-o", "no-such-folder/x.json"], "no-such-folder"),
        (["-o", "."], "folder"),
        (["--route", "/v1/suggest", "--rows", "2"], "one pair at a time"),
        (["--pairs", "no-such.csv"], "no-such.csv"),
        (["--compare", "no-such.json", "b"], "no-such.json"),
        (["--compare", __file__, __file__], "is no result"),
    ],
)
def test_what_cannot_be_done_is_told_in_a_line(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["loadtest", *words, "--language", "en"]) in (2, 3)
    error = capsys.readouterr().err
    assert told in error
    assert "Traceback" not in error


@pytest.mark.parametrize("value", [{}, [], {"workload": {}, "machine": {}, "service": {}, "steps": [{}]}])
def test_other_json_is_no_run(value: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps(value), "utf-8")
    assert main(["loadtest", "--compare", str(path), str(path), "--language", "en"]) == 2
    assert "is no result" in capsys.readouterr().err


def test_ctrl_c_leaves_the_loads_that_were_done(capsys: pytest.CaptureFixture[str]) -> None:
    told = []

    def how(n: int) -> tuple[float, bytes]:
        # Two looks at /readyz, the first load's client, and now the second load's two.
        if server.connections == 5 and not told:
            told.append(n)
            os.kill(os.getpid(), signal.SIGINT)
        return 0.01, answer()

    with serving(how) as server:
        assert main(["loadtest", f"127.0.0.1:{server.port}", *QUICK]) == 0
    captured = capsys.readouterr()
    assert "interrupted" in captured.err
    assert "1 client" in captured.out
    assert "2 clients" not in captured.out


@pytest.mark.slow
def test_without_a_url_it_starts_a_service_and_stops_it(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "menpai",
        "loadtest",
        "--clients",
        "4",
        "--seconds",
        "1",
        "--rates",
        "0.3x",
        "--json",
    ]
    done = subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", timeout=100, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    run = json.loads(done.stdout)
    assert run["service"]["pack"].startswith("menpai-mini@")
    assert run["steps"][0]["outcomes"]["200"] == run["steps"][0]["sent"] > 20
    with pytest.raises(OSError, match=r"refused|Errno"):
        __import__("urllib.request").request.urlopen(run["url"] + "/livez", timeout=2)


@pytest.mark.slow
def test_a_service_that_cannot_start_is_told_with_its_reason(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "menpai", "loadtest", "--pack", "no-such-pack", "--language", "en"]
    done = subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", timeout=100, cwd=tmp_path
    )
    assert done.returncode == 3
    assert "did not get ready" in done.stderr
    assert "no-such-pack" in done.stderr
