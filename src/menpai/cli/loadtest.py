"""`menpai loadtest`: closed- and open-loop load on a service, as table, plot and JSON; two runs compared."""

from __future__ import annotations

import argparse
import contextlib
import json
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from menpai.cli.arguments import Commands, add_json, add_pack, add_reading, positive_count, positive_number
from menpai.cli.commands import summary_of
from menpai.cli.console import note, print_json
from menpai.cli.convert import read_options
from menpai.cli.language import say
from menpai.cli.loadtest_report import show_differences, show_run
from menpai.errors import NotReadyError, UsageError
from menpai.settings import Settings
from menpai.tables.columns import find_pair
from menpai.tables.output import open_output
from menpai.tables.readers import open_table

if TYPE_CHECKING:
    from menpai.load.pairs import Pair
    from menpai.load.plan import Plan, Run
    from menpai.load.target import Target

T = TypeVar("T")
ROUTES = ("/v1/match", "/infer", "/match", "/v1/parse", "/v1/normalize", "/v1/search", "/v1/suggest")
MOST_FROM_FILE = 1_000_000


def add(subparsers: Commands) -> None:
    """Register the command."""
    summary = summary_of("loadtest")
    parser = subparsers.add_parser("loadtest", help=summary, description=summary)
    parser.add_argument("url", nargs="?", metavar="URL", help=say(
        "服务的网址；不给则自己启动一个，测完停止",
        "URL of the service; without one, a service is started and stopped"))  # fmt: skip
    _add_load(parser)
    _add_work(parser)
    group = parser.add_argument_group(say("结果", "results"))
    group.add_argument(
        "-o", "--output", metavar="FILE", help=say("把结果写成 JSON 文件", "write the results to a JSON file")
    )
    group.add_argument(
        "--plot", metavar="FILE", help=say("画图（.png .svg .pdf）", "draw them (.png .svg .pdf)")
    )
    group.add_argument("--compare", nargs=2, metavar=("A.json", "B.json"), help=say(
        "比较两次结果，不施压", "compare two results; puts nothing under load"))  # fmt: skip
    add_json(parser)
    add_pack(parser)
    add_reading(parser)
    parser.set_defaults(run=run, parser=parser)


def _add_load(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group(say("负载", "load"))
    group.add_argument("--clients", default="1,4,8,16,32,128", metavar="N,…", help=say(
        "闭环：这么多客户端，各自答完再发下一个；0 表示不做闭环",
        "closed loop: so many clients, each sends the next request when the last is answered; 0 for none"))  # fmt: skip
    group.add_argument("--rates", default="", metavar="R,…", help=say(
        "开环：每秒发出这么多请求，不等回答；0.8x 表示闭环最高速率的 0.8 倍",
        "open loop: so many requests a second, answered or not; 0.8x is 0.8 times the highest closed-loop rate"))  # fmt: skip
    group.add_argument("--arrivals", choices=("poisson", "constant"), default="poisson", help=say(
        "开环的到达：随机（泊松）或均匀", "arrivals of the open loop: random (Poisson) or even"))  # fmt: skip
    group.add_argument("--seconds", type=positive_number, default=10.0, metavar="S", help=say(
        "每一档的时间", "time of each load"))  # fmt: skip
    group.add_argument("--warm-up", type=float, default=1.0, metavar="S", help=say(
        "每一档之前不计入的时间", "time before each load that does not count"))  # fmt: skip
    group.add_argument("--timeout", type=positive_number, default=10.0, metavar="S", help=say(
        "客户端等一个回答的时间", "how long a client waits for an answer"))  # fmt: skip
    group.add_argument("--connections", type=positive_count, default=1000, metavar="N", help=say(
        "开环最多同时打开的连接", "most connections of the open loop"))  # fmt: skip


def _add_work(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group(say("请求", "requests"))
    group.add_argument("--route", choices=ROUTES, default="/v1/match", help=say("路由", "route"))
    group.add_argument("--rows", type=positive_count, default=1, metavar="N", help=say(
        "一个请求里的地址对", "pairs in a request"))  # fmt: skip
    group.add_argument("--pairs", metavar="FILE", help=say(
        "用这个表格里的地址对，反复按序使用；默认自己生成",
        "pairs from this table, again and again; made up if not given"))  # fmt: skip
    group.add_argument("--a", metavar="COLUMN", help=say("第一列地址", "first address column"))
    group.add_argument("--b", metavar="COLUMN", help=say("第二列地址", "second address column"))
    group.add_argument(
        "--seed", type=int, default=1, metavar="N", help=say("生成地址对的种子", "seed of the pairs made up")
    )
    group.add_argument("--repeat", type=float, default=0.0, metavar="SHARE", help=say(
        "重复近期地址对的比例，即缓存可能命中的比例",
        "share of requests that repeat a recent pair, so that a cache may hit"))  # fmt: skip
    group.add_argument("--api-key", metavar="KEY", help=say(
        "服务的密钥；用 MENPAI_API_KEY 则不出现在进程列表里",
        "key of the service; MENPAI_API_KEY keeps it out of the list of processes"))  # fmt: skip
    group.add_argument("--ca", default="", metavar="FILE", help=say(
        "https 服务的证书（自签名时）", "certificate to trust for https, if it is self-signed"))  # fmt: skip


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Load and report; 1 if a request ended otherwise than with an answer or a refusal."""
    if args.compare:
        return _compare(args)
    plan, pairs = _plan(args), _pairs(args)
    _check_files(args)
    with _target(args, settings) as target:
        measured = _measure(args, target, plan, pairs)
    _report(measured, args, settings)
    return int(any(step.failed for step in measured.steps))


def _measure(args: argparse.Namespace, target: Target, plan: Plan, pairs: Iterator[Pair]) -> Run:
    """All steps, each told before it begins; after Ctrl-C, those that were done."""
    from menpai.load.plan import begin, steps  # noqa: PLC0415 (needs the extra `serve`)

    run = begin(target, plan)
    tell = (
        (lambda load: None)
        if args.json
        else (lambda load: note(say(f"{target.url}　{load} …", f"{target.url}  {load} …")))
    )
    try:
        for _ in steps(run, target, pairs, tell):
            pass
    except KeyboardInterrupt:
        if not run.steps:
            raise
        note(say("已中断：只有做完的几档", "interrupted: only the loads that were done"))
    return run


def _report(run: Run, args: argparse.Namespace, settings: Settings) -> None:
    """Shown before it is written: a full disk must not cost the figures."""
    from menpai.load import plot  # noqa: PLC0415

    if args.json:
        print_json(run.to_dict(), indent=2)
    elif args.output != "-":
        show_run(run)
    if args.output:
        with open_output(args.output) as file:
            file.write((json.dumps(run.to_dict(), ensure_ascii=False, indent=2) + "\n").encode())
    if args.plot:
        plot.draw(run.steps, args.plot, f"{run.url}  {run.service.get('pack', '')}", settings.lang)


def _check_files(args: argparse.Namespace) -> None:
    """What cannot be written is told before anything is measured."""
    from menpai.load import plot  # noqa: PLC0415

    if args.plot:
        plot.check(args.plot)
    for path in filter(None, (args.output, args.plot)):
        if path != "-" and Path(path).is_dir():
            raise UsageError("file_is_directory", path=path)
        if path != "-" and not Path(path).parent.is_dir():
            raise UsageError("output_folder_missing", folder=str(Path(path).parent))


def _compare(args: argparse.Namespace) -> int:
    from menpai.load.compare import compare, read_run, unlike  # noqa: PLC0415

    first, second = map(read_run, args.compare)
    differences, others = compare(first, second), list(unlike(first, second))
    if args.json:
        print_json({"loads": [each.to_dict() for each in differences], "differ": others}, indent=2)
    else:
        show_differences(differences, others)
    return 0


@contextlib.contextmanager
def _target(args: argparse.Namespace, settings: Settings) -> Iterator[Target]:
    """The service named, if it is ready; else one of our own, with the flags about the pack."""
    from menpai.load.ask import readiness  # noqa: PLC0415
    from menpai.load.service import service  # noqa: PLC0415
    from menpai.load.target import Target  # noqa: PLC0415

    if args.url is None:
        flags = {name: getattr(args, name) for name in ("pack", "engine", "device", "threads", "mode")}
        given = [
            word for name, value in flags.items() if value is not None for word in (f"--{name}", str(value))
        ]
        with service(given, settings.api_key) as target:
            yield target
        return
    target = Target.of(args.url, settings.api_key, args.ca)
    status, told = readiness(target)
    if status != 200 or "pack" not in told:
        seen = (
            told["reason"].strip()
            if not status
            else status
            if status != 200
            else say("不是 menpai", "no menpai")
        )
        raise NotReadyError("load_unreachable", url=target.url, status=seen)
    yield target


def _plan(args: argparse.Namespace) -> Plan:
    try:
        from menpai.load.plan import Plan, Rate  # noqa: PLC0415
        from menpai.load.target import SINGLE  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise NotReadyError("extra_missing", package=error.name or "httptools", extra="serve") from error
    if args.route in SINGLE and args.rows > 1:
        raise UsageError("load_rows", route=args.route, rows=args.rows)
    if not 0 <= args.repeat < 1:
        raise UsageError("load_list", option="--repeat", value=args.repeat, expected="0 … 1", example="0.9")
    if not 0 <= args.warm_up <= 3600:
        raise UsageError(
            "load_list", option="--warm-up", value=args.warm_up, expected="0 … 3600", example="1"
        )
    clients = _numbers(args.clients, "--clients", _count, "1,8,32")
    rates = _numbers(args.rates, "--rates", Rate.of, "100,500,0.8x,2x")
    if not (clients or rates):
        raise UsageError(
            "load_list", option="--clients", value=args.clients, expected="> 0", example="1,8,32"
        )
    if any(rate.times for rate in rates) and not clients:
        expected = say("在 --clients 0 时是每秒的请求数", "requests a second, where --clients is 0")
        raise UsageError(
            "load_list", option="--rates", value=args.rates, expected=expected, example="100,500"
        )
    source = (
        {"pairs": args.pairs}
        if args.pairs
        else {"pairs": "generated", "seed": args.seed, "repeat": args.repeat}
    )
    return Plan(
        clients=clients, rates=rates, seconds=args.seconds, warm_up=args.warm_up, arrivals=args.arrivals,
        route=args.route, rows=args.rows, timeout=args.timeout, connections=args.connections, seed=args.seed,
        workload=source,
    )  # fmt: skip


def _pairs(args: argparse.Namespace) -> Iterator[Pair]:
    from menpai.load.pairs import generated, repeated  # noqa: PLC0415

    if not args.pairs:
        return generated(args.seed, args.repeat)
    with open_table(args.pairs, read_options(args)) as table:
        a, b = find_pair(table, args.a, args.b)
        rows = [
            (row.cells[a] or "", row.cells[b] or "")
            for row in islice(table.rows, MOST_FROM_FILE)
            if not row.problem
        ]
    if not rows:
        raise UsageError("table_empty", path=args.pairs)
    return repeated(rows)


def _numbers(text: str, option: str, read: Callable[[str], T], example: str) -> tuple[T, ...]:
    """The comma-separated values, without zeros."""
    values = [part.strip() for part in text.replace("，", ",").split(",") if part.strip() not in ("", "0")]
    try:
        return tuple(map(read, values))
    except ValueError:
        expected = say("以逗号分隔的数", "numbers with commas between them")
        raise UsageError(
            "load_list", option=option, value=text[:80], expected=expected, example=example
        ) from None


def _count(text: str) -> int:
    if not 0 < int(text) <= 100_000:
        raise ValueError(text)
    return int(text)
