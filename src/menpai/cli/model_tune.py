"""`menpai model tune`: the fastest settings for a pack on this machine whose P99 stays below a limit."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING

from menpai.cli.arguments import Commands, add_json, positive_number
from menpai.cli.console import print_json
from menpai.cli.language import say
from menpai.cli.model_bench import add_axes, measured, read_layouts, show, with_share
from menpai.errors import UsageError
from menpai.packs import open_pack
from menpai.settings import Settings
from menpai.tables.output import open_output

if TYPE_CHECKING:
    from menpai.packs.bench import Point


def add(actions: Commands) -> None:
    """Register the verb."""
    text = say(
        "找出满足 P99 的最快设置，并写入设置文件",
        "find the fastest settings that meet a P99, and store them in the settings file",
    )
    parser = actions.add_parser("tune", help=text, description=text)
    parser.add_argument("pack", metavar="PACK", help=say("模型包", "the pack"))
    parser.add_argument("--p99", type=positive_number, required=True, metavar="MS", help=say(
        "一次运行的 P99 上限，毫秒", "limit for the P99 of one run, in milliseconds"))  # fmt: skip
    add_axes(parser)
    parser.add_argument("--write", default="menpai.toml", metavar="FILE", help=say(
        "写入的设置文件；- 为不写", "the settings file to write to; - writes none"))  # fmt: skip
    add_json(parser)
    parser.set_defaults(run=run, parser=parser)


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Measure, choose, store: engine and threads are settings of a machine, so the pack stays as it is."""
    from menpai.packs.bench import machine_limit  # noqa: PLC0415

    pack = open_pack(args.pack)
    layouts = read_layouts(args.layouts, settings.cores)
    limits = {str(layout): machine_limit(layout, args.seconds) for layout in layouts}
    points = [with_share(point, pack, limits) for point in measured(pack, args, layouts, settings)]
    best = fastest(points, args.p99)
    lines: dict[str, str | int] = {
        "pack": args.pack,
        "engine": best.engine,
        "threads": int(best.layout.split("x")[0]) * int(best.layout.split("x")[1]),
    }
    if settings.device != "auto":
        lines["device"] = settings.device
    if args.write != "-":
        path = Path(args.write)
        text = merged(path.read_text("utf-8") if path.is_file() else "", lines)
        with open_output(args.write) as file:
            file.write(text.encode())
    if args.json:
        print_json(
            {"settings": lines, "best": best.to_dict(), "points": [p.to_dict() for p in points]}, indent=2
        )
        return 0
    show(points, limits)
    print()
    print(
        say(
            f"最快：{best.engine} {best.layout}，每次 {best.batch} 行",
            f"fastest: {best.engine} {best.layout}, {best.batch} rows a run",
        )
    )
    if args.write != "-":
        print(say(f"已写入 {args.write}", f"stored in {args.write}"))
    return 0


def fastest(points: list[Point], p99: float) -> Point:
    """The point with the most pairs a second whose P99 is within the limit; raises with the lowest if there is none."""
    meeting = [point for point in points if point.p99_ms <= p99]
    if not meeting:
        lowest = min((point.p99_ms for point in points), default=0.0)
        raise UsageError("tune_none", limit=p99, lowest=lowest)
    return max(meeting, key=lambda point: point.pairs_per_second)


def merged(toml: str, values: dict[str, str | int]) -> str:
    """The text of a settings file with these values in place of its own; everything else stays as it was."""
    for name, value in values.items():
        line = f"{name} = {value}" if isinstance(value, int) else f"{name} = {_quoted(value)}"
        toml, count = re.subn(rf"(?m)^{name}\s*=.*$", line.replace("\\", r"\\"), toml)
        if not count:
            toml = toml + ("\n" if toml and not toml.endswith("\n") else "") + line + "\n"
    return toml


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
