"""The command as a process: cold start, pipes, signals, and consoles that cannot show everything."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import menpai

A, B = "杭州市西湖区文三路123号", "杭州市西湖区文三路125号"
MENPAI = [sys.executable, "-m", "menpai"]


def run(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*MENPAI, *arguments], capture_output=True, text=True, encoding="utf-8", timeout=60,
                          **options)  # type: ignore[call-overload,no-any-return]  # fmt: skip


def test_a_cold_match_costs_less_than_a_second() -> None:
    """In processor time, which a busy machine does not stretch as it does the clock."""
    before = os.times()
    done = run("match", A, B, "--json")
    after = os.times()
    assert json.loads(done.stdout) == menpai.match(A, B).to_dict()
    cost = after.children_user + after.children_system - before.children_user - before.children_system
    assert 0 < cost < 1.0


def test_version_and_help() -> None:
    assert run("--version").stdout == f"menpai {menpai.__version__}\n"
    done = run()
    assert done.returncode == 0
    assert all(name in done.stdout for name in ("match", "normalize", "parse", "evaluate", "serve", "model"))
    assert "两条地址" in run("match", "--help", env={**os.environ, "LC_ALL": "zh_CN.UTF-8"}).stdout


@pytest.mark.parametrize("command", ["normalize", "parse"])
def test_light_commands_load_nothing_heavy(command: str) -> None:
    code = f"import sys; from menpai.cli import main; main([{command!r}, '文三路1号']); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", check=True
    )
    loaded = set(done.stdout.split())
    assert not loaded & {"numpy", "onnxruntime", "starlette", "menpai.matcher", "menpai.cli.serve"}


def test_a_pipe_that_closes_early_ends_quietly(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("a,b\n" + f"{A},{B}\n" * 3000, "utf-8")
    with subprocess.Popen(
        [*MENPAI, "match", "in.csv"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"a,b,label,similarity,level,conflicts,decided_by,problem\n"
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


@pytest.mark.skipif(os.name == "nt", reason="signals of this kind are not sent on Windows")
@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_leaves_nothing_half_written(tmp_path: Path, sent: signal.Signals, code: int) -> None:
    """The output is under way (its temporary file is there) when the signal comes; input is still open."""
    with subprocess.Popen(
        [*MENPAI, "match", "-", "-o", "out.csv"], cwd=tmp_path, stdin=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(f"a,b\n{A},{B}\n".encode())
        process.stdin.flush()
        deadline = time.monotonic() + 20
        while not list(tmp_path.iterdir()) and time.monotonic() < deadline:
            time.sleep(0.02)
        assert [path.suffix for path in tmp_path.iterdir()] == [".part"]
        process.send_signal(sent)
        assert process.wait(20) == code
        error = process.stderr.read()
    assert b"Traceback" not in error
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "command", [["normalize", "文三路1号𠮷店"], ["parse", "文三路1号𠮷店"], ["match", "文三路1号𠮷店", A]]
)
def test_a_console_that_cannot_show_a_character_shows_its_number(command: list[str]) -> None:
    env = {**os.environ, "PYTHONIOENCODING": "gbk", "MENPAI_LANGUAGE": "zh"}
    done = subprocess.run([*MENPAI, *command], capture_output=True, env=env, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
    done.stdout.decode("gbk")
    shown = subprocess.run([*MENPAI, *command, "--json"], capture_output=True, env=env, timeout=60)
    assert shown.stdout.isascii()
    json.loads(shown.stdout)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_standard_output_is_said() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*MENPAI, "normalize", A], stdout=full, stderr=subprocess.PIPE, timeout=60)
    assert done.returncode == 2
    assert done.stderr.decode().startswith("menpai: cannot read or write stdout: No space left")
    assert b"Traceback" not in done.stderr


def test_stream_of_a_table_through_a_pipe(tmp_path: Path) -> None:
    table = "地址1,地址2\n" + f"{A},{B}\n" * 600
    done = subprocess.run(
        [*MENPAI, "match", "-", "--json"], input=table.encode("gb18030"), capture_output=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, b"")
    labels = [json.loads(line)["label"] for line in done.stdout.splitlines()]
    assert labels == [menpai.match(A, B).label] * 600


def test_colour_only_on_a_terminal_that_wants_it() -> None:
    pty = pytest.importorskip("pty")
    for env, coloured in (({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)):
        leader, follower = pty.openpty()
        subprocess.run([*MENPAI, "match", A, B], stdout=follower, timeout=60, check=True,
                       env={**os.environ, "TERM": "xterm", **env})  # fmt: skip
        os.close(follower)
        assert (b"\x1b[" in os.read(leader, 65536)) is coloured
        os.close(leader)
