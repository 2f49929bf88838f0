"""`menpai model bench`: how fast packs run on this machine, by engine, threads, batch and length."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from menpai.cli.arguments import Commands, add_device, add_json, positive_number
from menpai.cli.console import note, print_grid, print_json
from menpai.cli.language import say
from menpai.engines import ENGINES, NEEDS
from menpai.errors import NotReadyError, UsageError
from menpai.packs import Pack, open_pack
from menpai.settings import Settings
from menpai.tables.output import open_output

if TYPE_CHECKING:
    from menpai.packs.bench import Layout, Point


def add(actions: Commands) -> None:
    """Register the verb."""
    text = say("测量模型包在这台机器上的速度", "measure how fast packs run on this machine")
    parser = actions.add_parser("bench", help=text, description=text)
    parser.add_argument(
        "packs",
        nargs="+",
        metavar="PACK",
        help=say("模型包；多种精度可一起给出", "packs; several precisions side by side"),
    )
    add_axes(parser)
    parser.add_argument("--plot", metavar="FILE", help=say("画图（.png 或 .svg）", "draw it (.png or .svg)"))
    parser.add_argument(
        "--out", metavar="FILE", help=say("把结果写成 JSON 文件", "write the figures to a JSON file")
    )
    add_json(parser)
    parser.set_defaults(run=run, parser=parser)


def add_axes(parser: argparse.ArgumentParser) -> None:
    """--engines, --device, --layouts, --batches, --lengths, --seconds."""
    parser.add_argument("--engines", default="", metavar="A,B", help=say(
        "引擎；默认所有已安装的", "engines; all that are installed if not given"))  # fmt: skip
    add_device(parser)
    parser.add_argument("--layouts", default="", metavar="2x1,1x2", help=say(
        "并行方式：同时运行数 x 每次运行的线程数", "runs side by side x threads in each"))  # fmt: skip
    parser.add_argument(
        "--batches", default="1,8", metavar="1,8", help=say("每次运行的行数", "rows in one run")
    )
    parser.add_argument(
        "--lengths", default="40", metavar="24,40,64", help=say("每行的 token 数", "tokens of a row")
    )
    parser.add_argument(
        "--seconds", type=positive_number, default=1.0, help=say("每点测量的秒数", "seconds for each point")
    )


def run(args: argparse.Namespace, settings: Settings) -> int:
    """A table of all points beside the machine's limit; JSON, plot."""
    from menpai.packs.bench import machine_limit  # noqa: PLC0415 (a verb loads its work when it runs)

    packs = [open_pack(name) for name in args.packs]
    layouts = read_layouts(args.layouts, settings.cores)
    limits = {str(layout): machine_limit(layout, args.seconds) for layout in layouts}
    points = [
        with_share(point, pack, limits)
        for pack in packs for point in measured(pack, args, layouts, settings)
    ]  # fmt: skip
    result = {"cores": settings.cores, "limit_gops": limits, "points": [point.to_dict() for point in points]}
    if args.out:
        _write_json(args.out, result)
    if args.plot:
        draw(points, args.plot)
    if args.json:
        print_json(result, indent=2)
    else:
        show(points, limits)
    return 0


def measured(
    pack: Pack, args: argparse.Namespace, layouts: Sequence[Layout], settings: Settings
) -> list[Point]:
    """The points of one pack; an engine that cannot run it is told and passed over."""
    from menpai.packs.bench import bench  # noqa: PLC0415

    points: list[Point] = []
    axes = read_numbers(args.batches, "--batches"), read_numbers(args.lengths, "--lengths"), args.seconds
    for engine in read_engines(args.engines, pack):
        for layout in layouts:
            note(f"{pack.id} {engine} {layout} …")
            try:
                points += bench(pack, engine, layout, *axes, settings.device)
            except NotReadyError as error:
                note(f"{engine}: {error.render(settings.lang)[0]}")
                break
    return points


def with_share(point: Point, pack: Pack, limits: dict[str, dict[str, float]]) -> Point:
    """The point with the share of the machine's limit that its products come to."""
    from menpai.packs.bench import operations  # noqa: PLC0415

    cost = operations(pack, point.length)
    if cost is None:
        return point
    limit = limits[point.layout]["int8" if point.precision in ("int8", "dynamic") else "float32"]
    return replace(point, share_of_limit=round(point.pairs_per_second * cost / 1e9 / limit, 3))


def read_engines(text: str, pack: Pack) -> list[str]:
    """The engines named, or all that are installed and can run the pack without a server or minutes of compiling."""
    if text:
        return text.split(",")
    simple = [name for name in ENGINES if name not in ("triton", "torch-compiled")]
    if not pack.manifest.get("shape"):
        return ["onnx"]
    return [name for name in simple if find_spec(NEEDS[name][0])]


def read_layouts(text: str, cores: int) -> list[Layout]:
    """Layouts as written, or one thread, all threads in one run, and a run on each core."""
    from menpai.packs.bench import Layout  # noqa: PLC0415

    written = text or ",".join(dict.fromkeys(["1x1", f"1x{cores}", f"{cores}x1"]))
    try:
        return [Layout.of(part) for part in written.split(",")]
    except ValueError:
        raise UsageError(
            "setting_invalid", name="--layouts", value=text, expected="2x1,1x2", source="--layouts"
        ) from None


def read_numbers(text: str, option: str) -> list[int]:
    """Positive whole numbers with commas between."""
    try:
        numbers = [int(part) for part in text.split(",")]
        if min(numbers) < 1:
            raise ValueError(text)
    except ValueError:
        raise UsageError(
            "setting_invalid", name=option, value=text, expected="1,8,32", source=option
        ) from None
    return numbers


def show(points: Sequence[Point], limits: dict[str, dict[str, float]]) -> None:
    """The points as a table, then the machine's limit."""
    heads = [say("精度", "precision"), say("引擎", "engine"), say("并行", "layout"), say("行", "rows"), say("长度", "tokens"),
             say("每秒对数", "pairs/s"), "P50 ms", "P99 ms", "MiB", say("占上限", "of limit")]  # fmt: skip
    rows = [
        [p.precision, p.engine, p.layout, str(p.batch), str(p.length), f"{p.pairs_per_second:,.1f}", f"{p.p50_ms:.1f}",
         f"{p.p99_ms:.1f}", str(p.resident_mb), "–" if p.share_of_limit is None else f"{p.share_of_limit:.2f}"]
        for p in points
    ]  # fmt: skip
    print_grid([heads, *rows], right=True)
    print()
    for layout, limit in limits.items():
        print(
            say("本机上限", "limit of this machine"),
            layout,
            *(f"{kind} {rate:,.0f} GOP/s" for kind, rate in limit.items()),
        )


def draw(points: Sequence[Point], path: str) -> None:
    """Pairs a second by rows in one run, a line for each pack, engine, layout and length."""
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise NotReadyError("extra_missing", package="matplotlib", extra="plot") from error
    figure = Figure(figsize=(9, 5), layout="constrained")
    axes = figure.add_subplot()
    lines: dict[str, list[Point]] = {}
    for point in points:
        lines.setdefault(
            f"{point.precision} {point.engine} {point.layout}, {point.length} tokens", []
        ).append(point)
    for name, line in lines.items():
        axes.plot([p.batch for p in line], [p.pairs_per_second for p in line], marker="o", label=name)
    axes.set(xlabel="rows in one run", ylabel="pairs a second", xscale="log", ylim=(0, None))
    axes.legend(fontsize="small")
    figure.savefig(path)


def _write_json(path: str, value: Any) -> None:
    import json  # noqa: PLC0415

    with open_output(path) as file:
        file.write((json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode())
