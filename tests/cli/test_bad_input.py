"""Bad input: one clear line with the cure in both languages, the right exit code, and nothing else lost."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Result, Run

GOOD = "杭州市西湖区文三路123号"
CHINESE = re.compile("[\u4e00-\u9fff]")


def both(run: Run, *arguments: str) -> tuple[Result, Result]:
    """The command in English and in Chinese; `--` keeps odd texts from being options."""
    return tuple(run(arguments[0], "--language", lang, *arguments[1:]) for lang in ("en", "zh"))  # type: ignore[return-value]


def assert_one_clear_line(done: Result, code: int) -> None:
    """The exit code, nothing on standard output, and two lines: what is wrong, and the cure."""
    assert (done.code, done.out) == (code, "")
    assert re.fullmatch(r"menpai: .+\n  (hint: |提示：).+\n", done.err), done.err


BAD_ADDRESSES = {
    "empty": ("", "is empty", "是空的"),
    "blanks": (" \u3000\t", "is empty", "是空的"),
    "too long": ("路" * 10_000, "has 10000 characters, the limit is 1000", "有 10000 个字符，上限是 1000"),
    "emoji alone": ("😀🏠", "no readable text", "没有可读的文字"),
    "control characters alone": ("\x01\x02\x1b", "no readable text", "没有可读的文字"),
    "symbols": ("——！？", "no readable text", "没有可读的文字"),
    "lone surrogate": ("文三路\ud8001号", "lone surrogate at position 3", "孤立代理字符（位置 3）"),
}


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("kind", BAD_ADDRESSES)
def test_match_refuses_a_bad_address(run: Run, kind: str, side: int) -> None:
    text, english, chinese = BAD_ADDRESSES[kind]
    pair = [GOOD, GOOD]
    pair[side] = text
    en, zh = both(run, "match", *pair)
    assert_one_clear_line(en, 2)
    assert_one_clear_line(zh, 2)
    assert f"address {'ab'[side]}" in en.err
    assert english in en.err
    assert chinese in zh.err


@pytest.mark.parametrize("command", ["normalize", "parse"])
@pytest.mark.parametrize("kind", BAD_ADDRESSES)
def test_normalize_and_parse_refuse_a_bad_text(run: Run, command: str, kind: str) -> None:
    text, english, chinese = BAD_ADDRESSES[kind]
    en, zh = both(run, command, text)
    assert_one_clear_line(en, 2)
    assert_one_clear_line(zh, 2)
    assert english in en.err
    assert chinese in zh.err


@pytest.mark.parametrize(
    "text",
    [
        "路",
        "x",
        "hello world",
        "今天天气不错",
        "😀文三路1号",
        "文三\x00路\x1b1号",
        "路" + "1" * 998,
        "<b>&amp;'\"\\",
    ],
)
def test_odd_but_readable_texts_get_an_answer(run: Run, text: str) -> None:
    done = run("match", GOOD, text, "--json")
    assert (done.code, done.err) == (0, "")
    assert done.json["label"] != "exact_match"
    assert run("parse", text, "--json").code == run("normalize", text).code == 0


@pytest.mark.parametrize("kind", BAD_ADDRESSES)
def test_in_a_table_a_bad_address_is_a_problem_in_its_row(run: Run, tmp_path: Path, kind: str) -> None:
    text = BAD_ADDRESSES[kind][0].encode("utf-8", "backslashreplace").decode()
    quoted = text.replace('"', '""')
    (tmp_path / "in.csv").write_text(f'a,b\n{GOOD},{GOOD}\n"{quoted}",{GOOD}\n{GOOD},{GOOD}\n', "utf-8")
    done = run("match", "in.csv", "--json")
    assert [line["label"] for line in done.lines][::2] == ["exact_match"] * 2
    if kind != "lone surrogate":  # cannot be written in UTF-8; see the JSON test
        assert done.code == 1
        assert done.lines[1]["label"] is None


def test_a_lone_surrogate_in_json_lines_is_a_problem_in_its_row(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text(
        '{"a": "\\ud800路", "b": "文三路1号"}\n{"a": "路1号", "b": "路1号"}', "utf-8"
    )
    done = run("match", "in.jsonl")
    assert done.code == 1
    assert [line["problem"] and line["problem"]["code"] for line in done.lines] == [
        "address_bad_encoding",
        None,
    ]
    assert done.lines[0]["a"] == "\ud800路"


def write(name: str, content: bytes) -> Callable[[Path], None]:
    return lambda folder: (folder / name).write_bytes(content) and None


TABLES: dict[str, tuple[Callable[[Path], object], list[str], str, str]] = {
    "missing file": (lambda _: None, ["none.csv"], "there is no file none.csv", "找不到文件 none.csv"),
    "an address alone": (lambda _: None, [GOOD], "match needs two", "match 需要两条地址"),
    "a long address alone": (lambda _: None, ["路" * 10_000], "no file is called", "也没有名为"),
    "directory": (lambda d: (d / "dir.csv").mkdir(), ["dir.csv"], "is a folder, not a file", "是文件夹"),
    "empty file": (write("t.csv", b""), ["t.csv"], "the table t.csv is empty", "表格 t.csv 是空的"),
    "missing column": (
        write("t.csv", "id,甲,乙\n1,x,y\n".encode()), ["t.csv"], "it has: id, 甲, 乙", "现有：id, 甲, 乙",
    ),
    "wrong column": (
        write("t.csv", b"id,left,right\n1,x,y\n"), ["t.csv", "--a", "lefft", "--b", "right"],
        "no column lefft; it has: id, left, right", "没有名为 lefft 的列",
    ),
    "repeated column": (write("t.csv", b"a,a,b\nx,y,z\n"), ["t.csv"], "2 columns named a", "2 个名为 a 的列"),
    "no header": (
        write("t.csv", "1,文三路1号院,文三路2号院\n".encode()), ["t.csv"],
        "use --no-header", "--no-header",
    ),
    "bad byte": (
        write("t.csv", "地址1,地址2".encode() + b"\xff\n" + "文三路,x\n".encode() * 9), ["t.csv"],
        "t.csv: byte 15 (0xff) is not valid utf-8", "第 15 字节处（0xff）不是有效的 utf-8",
    ),
    "wrong encoding given": (
        write("t.csv", "地址1,地址2\n".encode("gbk")), ["t.csv", "--encoding", "utf-8"],
        "byte 0 (0xb5) is not valid utf-8", "--encoding",
    ),
    "unknown encoding": (
        write("t.csv", b"a,b\n"), ["t.csv", "--encoding", "klingon"],
        "no encoding klingon", "没有名为 klingon 的编码",
    ),
    "unknown output encoding": (
        write("t.csv", b"a,b\n"), ["t.csv", "--out-encoding", "klingon"], "no encoding klingon", "klingon",
    ),
    "Excel in disguise": (write("t.csv", b"PK\x03\x04"), ["t.csv"], "read as ZIP", "按 ZIP 读取"),
    "JSON array": (write("t.json", b'[{"a": 1}]'), ["t.json"], "format JSON array", "格式 JSON array"),
    "compressed": (write("t.csv.gz", b"\x1f\x8b\x08"), ["t.csv.gz"], "format gzip", "格式 gzip"),
    "full disk": (write("t.csv", b"a,b\nx,y\n"), ["t.csv", "-o", "/dev/full"], "No space left", "/dev/full"),
    "output over input": (
        write("t.csv", b"a,b\nx,y\n"), ["t.csv", "-o", "t.csv"], "is the input itself", "就是输入文件",
    ),
    "output folder missing": (
        write("t.csv", b"a,b\nx,y\n"), ["t.csv", "-o", "no/o.csv"], "the folder no", "输出文件夹 no",
    ),
    "output of no format": (
        write("t.csv", b"a,b\nx,y\n"), ["t.csv", "-o", "o.docx"], "format .docx", "格式 .docx",
    ),
    "two tables": (
        write("t.csv", b"a,b\nx,y\n"), ["t.csv", "u.csv"],
        "menpai match t.csv -o OUT", "menpai match t.csv -o",
    ),
    "bad delimiter": (write("t.csv", b"a,b\n"), ["t.csv", "--delimiter", ",,"], "--delimiter", "--delimiter"),
}  # fmt: skip


@pytest.mark.parametrize("kind", TABLES)
def test_a_table_that_cannot_be_read_or_written(run: Run, tmp_path: Path, kind: str) -> None:
    prepare, arguments, english, chinese = TABLES[kind]
    prepare(tmp_path)
    before = {path.name: path.is_file() and path.read_bytes() for path in tmp_path.iterdir()}
    en, zh = both(run, "match", *arguments)
    assert_one_clear_line(en, 2)
    assert_one_clear_line(zh, 2)
    assert english in en.err
    assert chinese in zh.err
    assert CHINESE.search(zh.err)
    assert before == {path.name: path.is_file() and path.read_bytes() for path in tmp_path.iterdir()}


ARGUMENTS = {
    "unknown command": (["mach", "x"], "there is no command mach", "the nearest is match"),
    "command of another program": (["version"], "no command version", "hint: menpai --help lists them all"),
    "word out of the blue": (["weather"], "no command weather", "hint: menpai --help lists them all"),
    "misspelt command": (["normalzie", "x"], "no command normalzie", "the nearest is normalize"),
    "far-fetched option": (
        ["match", "x", "y", "--zzz"],
        "no option --zzz",
        "hint: menpai match --help lists",
    ),
    "number too long": (["match", "x", "y", "--threads", "9" * 5000], "invalid int value: '999", "--help"),
    "setting too long": (["match", "x", "y", "--engine", "z" * 5000], "invalid value 'zzz", "--engine"),
    "unknown option": (
        ["match", "x", "y", "--xplain"],
        "there is no option --xplain",
        "nearest is --explain",
    ),
    "no arguments": (["match"], "arguments are required", "menpai match --help"),
    "three addresses": (["match", "x", "y", "z"], "one argument too many: z", "menpai match --help"),
    "value missing": (["match", "x", "y", "--pack"], "expected one argument", "menpai match --help"),
    "no number": (["match", "x", "y", "--threads", "two"], "invalid int value: 'two'", "--help"),
    "bad number": (["match", "x", "y", "--threads", "-1"], "threads", "--threads"),
    "unknown engine": (["match", "x", "y", "--engine", "steam"], "engine", "--engine"),
    "unknown language": (["parse", "x", "--language", "fr"], "invalid choice: 'fr'", "--help"),
    "unknown pack": (["match", "x", "y", "--pack", "giant"], "no pack giant", "menpai-mini"),
    "model alone": (["model"], "arguments are required: ACTION", "menpai model --help"),
    "model of no pack": (["model", "info", "giant"], "no pack giant", "menpai-mini"),
}


@pytest.mark.parametrize("kind", ARGUMENTS)
def test_wrong_arguments(run: Run, kind: str) -> None:
    arguments, english, cure = ARGUMENTS[kind]
    en = run(*arguments)
    assert_one_clear_line(en, 2)
    assert english in en.err
    assert cure in en.err
    assert len(en.err) < 300
    if "--language" not in arguments:
        zh = run(*arguments, "--language", "zh")
        assert_one_clear_line(zh, 2)
        assert CHINESE.search(zh.err.splitlines()[0])


@pytest.mark.parametrize("command", [["match", "x", "y"], ["normalize", "x"], ["model", "list"]])
def test_an_unknown_setting_is_refused(run: Run, command: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MENPAI_THREDS", "2")
    en, zh = run(*command), run(*command, "--language", "zh")
    assert_one_clear_line(en, 2)
    assert_one_clear_line(zh, 2)
    assert "there is no setting threds (from MENPAI_THREDS)" in en.err
    assert "threads" in en.err.splitlines()[1]
    assert "没有名为 threds 的设置" in zh.err


def test_a_setting_from_a_file_is_refused_in_the_language_of_the_environment(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "menpai.toml").write_text("pakc = 'x'\n", "utf-8")
    monkeypatch.setenv("MENPAI_LANGUAGE", "zh")
    assert "最接近的是 pack" in run("normalize", "x").err


def test_a_damaged_pack_is_a_broken_artefact(run: Run, tmp_path: Path) -> None:
    done = run("model", "info", "--json")
    folder = tmp_path / "pack"
    folder.mkdir()
    for path in Path(done.json["path"]).iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    assert run("model", "info", str(folder)).code == 0
    weights = bytearray((folder / "weights.json").read_bytes())
    weights[0] ^= 1
    (folder / "weights.json").write_bytes(weights)
    for arguments in (["model", "info"], ["match", GOOD, GOOD]):
        done = run(*arguments, "--pack", str(folder))
        assert_one_clear_line(done, 3)
        assert "weights.json" in done.err


def test_a_fault_of_ours_is_said_to_be_one(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr("menpai.cli.normalize.normalizer", fail)
    done = run("normalize", "x")
    assert done.code == 3
    assert "menpai: internal error: ZeroDivisionError: by zero\n" in done.err
