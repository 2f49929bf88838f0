"""The command as a process: cold start, pipes, signals, and consoles that cannot show everything."""

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

import menpai
from menpai.tables.workroom import PART, folder_of
from tests.cli.conftest import Run

A, B = "杭州市西湖区文三路123号", "杭州市西湖区文三路125号"
MENPAI = [sys.executable, "-m", "menpai"]


def also(*values: object) -> Any:
    """Another case of the same, for the second tier: each is a process or two."""
    return pytest.param(*values, marks=pytest.mark.slow)


def run(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*MENPAI, *arguments], capture_output=True, text=True, encoding="utf-8", timeout=60,
                          **options)  # type: ignore[call-overload,no-any-return]  # fmt: skip


def test_a_cold_match_costs_less_than_a_second() -> None:
    """In processor time, the least of four: a neighbour on the same core can double it."""
    costs = []
    while len(costs) < 4 and min(costs, default=1.0) >= 1.0:
        before = os.times()
        done = run("match", A, B, "--json")
        after = os.times()
        assert json.loads(done.stdout) == menpai.match(A, B).to_dict()
        costs.append(
            after.children_user + after.children_system - before.children_user - before.children_system
        )
    assert 0 < min(costs) < 1.0


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
@pytest.mark.parametrize(("sent", "code"), [("SIGINT", 130), also("SIGTERM", 143), also("SIGHUP", 129)])
def test_a_signal_leaves_nothing_half_written(tmp_path: Path, sent: str, code: int) -> None:
    """The output is under way (its part is there, no row is done) when the signal comes; input is still open."""
    # Tests run in the background ignore SIGINT, under nohup SIGHUP, and a child inherits that; a handler it does not.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    with subprocess.Popen(
        [*MENPAI, "match", "-", "-o", "out.csv"], cwd=tmp_path, stdin=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(f"a,b\n{A},{B}\n".encode())
        process.stdin.flush()
        deadline = time.monotonic() + 20
        part = folder_of(tmp_path / "out.csv") / PART
        while not part.exists() and time.monotonic() < deadline:
            time.sleep(0.001)
        assert list(tmp_path.iterdir()) == [part.parent]
        process.send_signal(signal.Signals[sent])
        assert process.wait(20) == code
        error = process.stderr.read()
    assert b"Traceback" not in error
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "command",
    [["match", "文三路1号𠮷店", A], also(["normalize", "文三路1号𠮷店"]), also(["parse", "文三路1号𠮷店"])],
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


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_standard_error_keeps_the_exit_code(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(f"a,b\n{A},{B}\n", "utf-8")
    with Path("/dev/full").open("wb") as full:
        for arguments, code in ((["match", "", A], 2), (["match", "in.csv", "-o", "out.csv"], 0)):
            done = subprocess.run([*MENPAI, *arguments], stderr=full, cwd=tmp_path, timeout=60)
            assert done.returncode == code
    assert (tmp_path / "out.csv").exists()


def impossible_files(folder: Path) -> None:
    (folder / "in.csv").write_text(f"a,b,label\n{A},{B},exact_match\n", "utf-8")
    (folder / "quote.csv").write_text('a,b\n文三路1号,"文三路2号\n文三路1号,文三路3号\n', "utf-8")
    (folder / "loop.csv").symlink_to("loop.csv")


def contents(folder: Path) -> dict[str, bool | bytes]:
    return {path.name: path.is_symlink() or path.read_bytes() for path in folder.iterdir()}


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")
@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("match 路1号 路2号 >&-", "stdout: it is closed"),
        also("match in.csv >&-", "stdout: it is closed"),
        ("--version >&-", "stdout: it is closed"),
        ("match - <&-", "stdin: it is closed"),
        also("normalize - <&-", "stdin: it is closed"),
        ("match - -o in.csv <in.csv", "the output in.csv is the input itself"),
        also("evaluate - --errors in.csv <in.csv", "the output in.csv is the input itself"),
        ("match in.csv --encoding $'\\xff'", "there is no encoding \\udcff"),
        also("match quote.csv", "line 2 opens a quote"),
    ],
)
def test_closed_streams_are_one_clear_line(tmp_path: Path, command: str, says: str) -> None:
    impossible_files(tmp_path)
    before = contents(tmp_path)
    line = f"'{sys.executable}' -m menpai {command}"
    done = subprocess.run(["bash", "-c", line], cwd=tmp_path, capture_output=True, text=True, timeout=60,
                          env={**os.environ, "MENPAI_LANGUAGE": "en"})  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    message, hint = done.stderr.splitlines()
    assert says in message
    assert hint.startswith("  hint: ")
    assert before == contents(tmp_path)


@pytest.mark.skipif(os.name == "nt", reason="needs symbolic links")
@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("match in.csv -o loop.csv", "loop.csv: Too many levels of symbolic links"),
        ("match in.csv --encoding undefined", "there is no encoding undefined"),
        ("match in.csv --out-encoding undefined -o out.csv", "there is no encoding undefined"),
        ("match in.csv --out-encoding idna -o out.csv", "there is no encoding idna"),
        ("match in.csv --encoding utf-16", "not valid utf-16"),
        ("match in.csv --encoding utf-32", "not valid utf-32"),
        ("match quote.csv -o out.csv", "line 2 opens a quote"),
    ],
)
def test_impossible_files_are_one_clear_line(run: Run, tmp_path: Path, command: str, says: str) -> None:
    impossible_files(tmp_path)
    before = contents(tmp_path)
    done = run(*command.split())
    assert (done.code, done.out) == (2, "")
    message, hint = done.err.splitlines()
    assert says in message
    assert hint.startswith("  hint: ")
    assert before == contents(tmp_path)


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")
def test_a_closed_standard_error_leaves_standard_output_alone() -> None:
    for command, code in ((["match", "", A], 2), (["normalize", A], 0)):
        line = f"'{sys.executable}' -m menpai \"$@\" 2>&-"
        done = subprocess.run(["bash", "-c", line, "-", *command], capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stderr) == (code, "")
        assert done.stdout == ("" if code else f"{A}\n")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no nohup")
def test_a_hangup_that_is_ignored_stays_ignored() -> None:
    code = ("import os, signal; signal.signal(signal.SIGHUP, signal.SIG_IGN); from menpai.cli import entry; "
            "entry.leave_through_the_stack(); os.kill(os.getpid(), signal.SIGHUP); print('alive')")  # fmt: skip
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, "alive\n")


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
