"""An output file appears whole or not at all, and never over its own input."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from menpai.errors import UsageError
from menpai.tables.output import open_output
from menpai.tables.table import WriteOptions
from menpai.tables.workroom import PART
from menpai.tables.writers import open_writer


def test_the_file_appears_at_the_end(tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    out.write_text("old", "utf-8")
    out.chmod(0o640)
    with open_output(str(out)) as stream:
        stream.write(b"new")
        assert out.read_bytes() == b"old"
    assert out.read_bytes() == b"new"
    assert stat.S_IMODE(out.stat().st_mode) == 0o640
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]


@pytest.mark.parametrize("failure", [ValueError, KeyboardInterrupt, SystemExit])
def test_nothing_is_left_behind(tmp_path: Path, failure: type[BaseException]) -> None:
    def write() -> None:
        with open_writer(str(tmp_path / "out.csv"), ("a",), WriteOptions()) as writer:
            writer.write(("x",))
            raise failure

    with pytest.raises(failure):
        write()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="needs links")
def test_a_link_is_followed_not_replaced(tmp_path: Path) -> None:
    real, link = tmp_path / "real.csv", tmp_path / "link.csv"
    real.write_text("old", "utf-8")
    link.symlink_to(real)
    with open_output(str(link)) as stream:
        stream.write(b"new")
    assert link.is_symlink()
    assert real.read_bytes() == b"new"


@pytest.mark.parametrize(
    ("out", "code"),
    [("in.csv", "output_is_input"), ("./sub/../in.csv", "output_is_input"), ("hard.csv", "output_is_input"),
     ("sub", "file_is_directory"), ("none/out.csv", "output_folder_missing"),
     ("out.docx", "table_format_unknown")],
)  # fmt: skip
def test_outputs_that_are_refused(tmp_path: Path, out: str, code: str) -> None:
    source = tmp_path / "in.csv"
    source.write_text("a,b\n", "utf-8")
    (tmp_path / "sub").mkdir()
    (tmp_path / "hard.csv").hardlink_to(source)
    with (
        pytest.raises(UsageError) as caught,
        open_writer(str(tmp_path / out), ("a",), WriteOptions(), str(source)),
    ):
        pass  # pragma: no cover
    assert caught.value.code == code
    assert source.read_text("utf-8") == "a,b\n"


def test_a_device_is_written_directly() -> None:
    with open_writer(os.devnull, ("a",), WriteOptions()) as writer:
        writer.write(("x",))


@pytest.mark.parametrize(
    ("name", "encoding", "start"),
    [("o.csv", None, b"\xef\xbb\xbfa,b\n"), ("o.tsv", None, b"a\tb\n"), ("o.csv", "utf-8", b"a,b\n"),
     ("o", None, b"\xef\xbb\xbfa,b\n"), ("o.csv", "gbk", b"a,b\n\xc2\xb7"), ("o.jsonl", None, b'{"a": ')],
)  # fmt: skip
def test_formats_and_encodings(tmp_path: Path, name: str, encoding: str | None, start: bytes) -> None:
    with open_writer(str(tmp_path / name), ("a", "b"), WriteOptions(encoding=encoding)) as writer:
        writer.write(("路", "😀"))
    data = (tmp_path / name).read_bytes()
    assert data.startswith(start)
    assert encoding != "gbk" or data.endswith(b",\\U0001f600\n")


def test_formulas_are_made_harmless_unless_raw(tmp_path: Path) -> None:
    out = tmp_path / "o.csv"
    for raw, written in ((False, "'=1,-1"), (True, "=1,-1")):
        with open_writer(str(out), ("a", "b"), WriteOptions(raw_cells=raw)) as writer:
            writer.write(("=1", "-1"))
        assert out.read_text("utf-8-sig") == f"a,b\n{written}\n"


def test_a_signal_at_the_moment_the_part_file_is_made_leaves_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The nastiest moment: the file is there, and no name for its stream yet."""

    def made_and_stopped(path: str, flags: int) -> int:
        os.close(os.open(path, flags, 0o600))
        assert Path(path).name == PART
        raise SystemExit(143)

    monkeypatch.setattr("menpai.tables.output._private", made_and_stopped)
    with pytest.raises(SystemExit), open_output(str(tmp_path / "out.csv")):
        pass
    assert list(tmp_path.iterdir()) == []
