"""What build, add and update share: which columns of the sources are what, and telling how it went."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from menpai.cli.arguments import Parser, add_json, add_reading, positive_count, positive_number
from menpai.cli.console import note, print_error, print_grid, print_json
from menpai.cli.convert import read_options
from menpai.cli.language import say, spoken
from menpai.errors import UsageError

if TYPE_CHECKING:
    from menpai.search.ingest import Mode, Report, Told
    from menpai.search.values import Trouble

_COLUMNS: dict[str, tuple[str, str]] = {
    "address": (
        "地址列；几列合成地址时用逗号分开",
        "column of the address; several, joined, with commas between",
    ),
    "name": ("名称列", "column of the name"),
    "id": ("编号列；没有编号的行得到 #1、#2……", "column of the id; rows without one get #1, #2, …"),
    "lat": ("纬度列", "column of the latitude"),
    "lon": ("经度列", "column of the longitude"),
    "point": (
        "经纬度写在一起的列，例如 120.13,30.27",
        "column that holds both, such as 120.13,30.27",
    ),
    "weight": ("权重列；越大越靠前", "column of the weight; more comes first"),
    "payload": (
        "附带保存的列，用逗号分开；默认其余各列",
        "columns to keep beside, with commas; all others if not given",
    ),
}
_STAGES = {
    "read": ("读取", "reading"),
    "merge": ("合并", "merging"),
    "index": ("索引", "indexing"),
}
_EVERY_SECONDS = 0.2


def add_sources(parser: Parser) -> None:
    """SOURCE…, the columns, --crs, --duplicates, --report, --workers, --wait, and how tables are read."""
    parser.add_argument(
        "sources",
        metavar="SOURCE",
        nargs="+",
        help=say("表格；- 为标准输入", "tables; - is standard input"),
    )
    group = parser.add_argument_group(
        say("列（默认按列名找）", "columns (found by their names if not given)")
    )
    for name, words in _COLUMNS.items():
        group.add_argument(f"--{name}", metavar="COLUMN", help=say(*words))
    group.add_argument("--crs", choices=("wgs84", "gcj02", "bd09"), help=say(
        "坐标系；不给则看列名和文件名，都没说就按 wgs84 并提示",
        "coordinate system; if not given, as names of columns and files say, else wgs84 with a note",
    ))  # fmt: skip
    parser.add_argument("--duplicates", choices=("error", "first", "last"), default="error", help=say(
        "编号重复时：报错（默认），留先出现的，或留后出现的",
        "where ids are repeated: an error (default), the first row stays, or the last",
    ))  # fmt: skip
    parser.add_argument("--report", metavar="FILE", help=say(
        "问题行的报告（CSV）；默认在地址库旁边", "report of rows with problems (CSV); beside the library if not given",
    ))  # fmt: skip
    parser.add_argument("--workers", type=positive_count, metavar="N", help=say(
        "进程数；默认全部可用核心", "processes; as many as there are cores if not given",
    ))  # fmt: skip
    add_wait(parser)
    add_reading(parser)
    add_json(parser)


def add_wait(parser: argparse.ArgumentParser) -> None:
    """--wait."""
    parser.add_argument("--wait", type=_seconds, default=10.0, metavar="S", help=say(
        "别的程序正在修改时最多等几秒", "how long to wait, in seconds, while another program changes the library",
    ))  # fmt: skip


def _is_file(path: Path, source: str) -> bool:
    """Whether a source is this file; a long query in a URL is no name of one."""
    return os.path.exists(path) and os.path.exists(source) and os.path.samefile(path, source)


def _seconds(text: str) -> float:
    """A number of seconds, 0 for not at all; raises what argparse shows."""
    return 0.0 if text.strip() == "0" else positive_number(text)


def take(args: argparse.Namespace, output: str, mode: Mode) -> int:
    """Take the sources in and say what was done; 1 if rows had problems."""
    from menpai.library import take_in  # noqa: PLC0415 (a verb loads its work when it runs)

    payload = None if args.payload is None else tuple(name for name in args.payload.split(",") if name)
    columns = {name: getattr(args, name) for name in _COLUMNS if name != "payload"}
    path = Path(args.report or f"{output.rstrip('/').rstrip(chr(92))}.problems.csv")
    if args.report and not path.parent.is_dir():
        raise UsageError("output_folder_missing", folder=str(path.parent))
    if any(_is_file(path, source) for source in args.sources):
        raise UsageError("output_is_input", path=str(path))
    start = time.monotonic()
    with _reporting(path) as on_problem, showing() as told:
        report = take_in(
            args.sources, output, mode, duplicates=args.duplicates, workers=args.workers, wait=args.wait,
            progress=told, on_problem=on_problem, note=print_error,
            crs=args.crs, payload=payload, reading=read_options(args), **columns,
        )  # fmt: skip
    tell(args, output, report, time.monotonic() - start)
    return 1 if report.problems.total() else 0


def tell(args: argparse.Namespace, output: str, report: Report, seconds: float) -> None:
    """What a change did."""
    if args.json:
        print_json({"path": output, **report.to_dict(), "seconds": round(seconds, 3)}, indent=2)
        return
    rows = [
        [say("地址库", "library"), output],
        [say("现有行", "rows"), f"{report.rows:,}"],
        [say("入库", "taken in"), f"{report.taken:,}"],
        [say("替换", "replaced"), f"{report.replaced:,}"],
        [say("删除", "removed"), f"{report.removed:,}"],
        [say("接着上次", "read before"), f"{report.resumed:,}"],
        [say("用时", "took"), f"{seconds:.1f} s"],
    ]
    kept = [row for row in rows if row[1] != "0"]
    kept += [[code, f"{count:,}"] for code, count in report.problems.most_common()]
    print_grid(kept)


@contextmanager
def showing() -> Iterator[Told]:
    """What a build tells, as one line on standard error with the time left, if that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda *_: None
        return
    started: dict[str, float] = {}
    shown = 0.0

    def told(stage: str, done: float, total: float) -> None:
        nonlocal shown
        now = time.monotonic()
        first = stage not in started
        began = started.setdefault(stage, now)
        if first or now - shown >= _EVERY_SECONDS:
            shown = now
            print(f"\r\x1b[K{_line(stage, done, total, now - began)}", end="", file=sys.stderr, flush=True)

    try:
        yield told
    finally:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _line(stage: str, done: float, total: float, seconds: float) -> str:
    """How far a stage is: 读取 34 %，每秒 21,000 行，还要 40 秒."""
    words = [say(*_STAGES[stage])]
    if stage == "read" and seconds:
        rate = done / seconds
        words.append(say(f"{done:,.0f} 行，每秒 {rate:,.0f} 行", f"{done:,.0f} rows, {rate:,.0f} a second"))
    if total:
        share = min(1.0, done / total)
        words.append(f"{share:.0%}")
        if share and seconds > 1:
            left = seconds * (1 - share) / share
            words.append(say(f"还要 {left:.0f} 秒", f"{left:.0f} s left"))
    return "  ".join(words)


@contextmanager
def _reporting(path: Path) -> Iterator[Callable[[Trouble], None]]:
    """A function that writes problems of rows to a CSV file, which is made, even if nothing is taken in, where
    there is one."""
    from menpai.tables.table import WriteOptions  # noqa: PLC0415 (only a change of a library writes a table)
    from menpai.tables.writers import open_writer  # noqa: PLC0415

    found: list[Trouble] = []
    try:
        yield found.append
    finally:
        if found:
            columns = ["source", "line", "id", "code", "problem"]
            with open_writer(str(path), columns, WriteOptions(".csv", language=spoken())) as writer:
                for trouble in found:
                    message, _ = trouble.problem.render(spoken())
                    writer.write((trouble.source, trouble.line, trouble.id, trouble.problem.code, message))
            count = len(found)
            note(say(f"{count} 个问题，见 {path}", f"{count} problems, see {path}"))
