"""`menpai doctor`: what this machine is, what a pair costs on it, what is missing, and what to change."""

from __future__ import annotations

import argparse
import time
from datetime import UTC, datetime
from typing import Any

from menpai.cli.arguments import Commands, add_json, add_pack
from menpai.cli.commands import summary_of
from menpai.cli.console import paint, print_error, print_grid, print_json
from menpai.cli.doctor_advice import advise, right_precision
from menpai.cli.doctor_found import Found
from menpai.cli.doctor_machine import Machine, describe_extras, describe_machine
from menpai.cli.doctor_service import Service, read_service
from menpai.cli.doctor_stages import Run, run_stages
from menpai.cli.language import say
from menpai.errors import MenpaiError, Problem
from menpai.matcher import behaviour_digest
from menpai.packs import Pack, open_pack
from menpai.settings import Settings

NOT_READY = 3


def add(subparsers: Commands) -> None:
    """Register the command."""
    summary = summary_of("doctor")
    parser = subparsers.add_parser("doctor", help=summary, description=summary)
    parser.add_argument(
        "--url",
        metavar="URL",
        help=say("读一个正在运行的服务的 /metrics", "read the /metrics of a running service"),
    )
    parser.add_argument(
        "--quick", action="store_true", help=say("不做测量", "measure nothing")
    )  # fmt: skip
    add_json(parser)
    add_pack(parser)
    parser.set_defaults(run=run, parser=parser)


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Print all that was found, and what to change; 3 if the pack cannot be opened or the service not be read."""
    failures: list[MenpaiError] = []
    machine, extras = describe_machine(), describe_extras()
    pack = _tried(lambda: open_pack(settings.pack), failures)
    measured = None if args.quick or pack is None else _tried(lambda: run_stages(pack, settings), failures)
    service = _tried(lambda: read_service(args.url, settings.api_key), failures) if args.url else None
    precision = str(pack.manifest.get("precision", "fp32")) if pack else ""
    found = Found(settings, machine, extras, precision, measured, service)
    model = _model(pack, settings, machine) if pack else {}
    problems = [Problem(error.code, error.details).to_dict(settings.lang)["problem"] for error in failures]
    if args.json:
        print_json(_report(found, model) | {"problems": problems}, indent=2)
    else:
        _print_all(found, model)
        for failure in failures:
            print_error(failure)
    return NOT_READY if failures else 0


def _report(found: Found, model: dict[str, Any]) -> dict[str, Any]:
    return {
        "machine": found.machine.to_dict(),
        "extras": [extra._asdict() for extra in found.extras],
        "model": model,
        "stages": found.run and found.run.to_dict(),
        "cache_file": _cache_file(found.settings),
        "service": found.service and found.service.to_dict(),
        "advice": [advice._asdict() for advice in advise(found)],
    }


def _print_all(found: Found, model: dict[str, Any]) -> None:
    _print_machine(found.machine)
    there = {True: say("有", "yes"), False: "–"}
    _print_block(
        say("附加项", "Extras"), [[each.name, there[each.installed], each.gives] for each in found.extras]
    )
    if model:
        _print_block(say("模型", "Model"), [[name, str(value)] for name, value in model.items()])
    if found.run:
        _print_run(found.run)
    cache = _cache_file(found.settings)
    _print_block(say("缓存文件", "Cache file"), [[name, str(value)] for name, value in cache.items()])
    if found.service:
        _print_service(found.service)
    advice = [list(each) for each in advise(found)] or [[say("没有", "nothing")]]
    _print_block(say("该改什么", "What to change"), advice)


def _tried(work: Any, failures: list[MenpaiError]) -> Any:
    """What it gives, or None and one failure more: the doctor goes on with what there is."""
    try:
        return work()
    except MenpaiError as error:
        failures.append(error)
        return None


def _model(pack: Pack, settings: Settings, machine: Machine) -> dict[str, Any]:
    return {
        "pack": pack.id,
        "precision": str(pack.manifest.get("precision", "fp32")),
        "right_precision": right_precision(machine),
        "engine": settings.engine,
        "device": settings.device,
        "threads": settings.cores,
        "cascade": settings.cascade,
        "behaviour": behaviour_digest(pack, settings),
    }


def _cache_file(settings: Settings) -> dict[str, Any]:
    """Where the file of the verdict cache is, how large, and when it was last written; nothing is opened."""
    path = settings.cache_path
    if path is None or not settings.cache:
        return {"path": None}
    if not path.exists():
        return {"path": str(path), "bytes": 0}
    files = [file for file in path.parent.glob(path.name + "*") if file.is_file()]
    written = max(file.stat().st_mtime for file in files)
    return {
        "path": str(path),
        "bytes": sum(file.stat().st_size for file in files),
        "limit_bytes": round(settings.cache_file_mb * 1e6),
        "written": datetime.fromtimestamp(min(written, time.time()), UTC).isoformat(timespec="seconds"),
    }


def _print_machine(machine: Machine) -> None:
    quota = "" if machine.quota is None else f", cpu.max {machine.quota:g}"
    memory = f"{(machine.memory or 0) / 2**30:.1f} GB" + (
        f", {say('上限', 'limit')} {machine.memory_limit / 2**30:.1f} GB" if machine.memory_limit else ""
    )
    gpus = ", ".join(f"{gpu['name']} {gpu['memory_total'] / 2**30:.0f} GB" for gpu in machine.gpus) or "–"
    exact = say("精确", "exact") if machine.int8_exact else say("会饱和", "saturates")
    _print_block(
        say("机器", "Machine"),
        [
            ["menpai", f"{machine.menpai}, Python {machine.python}, onnxruntime {machine.onnxruntime}"],
            [say("系统", "system"), machine.system],
            ["CPU", f"{machine.cpu}, {machine.cores}/{machine.cores_of_machine} {say('核', 'cores')}{quota}"],
            [say("指令", "instructions"), f"{' '.join(machine.instructions) or '–'}; INT8 {exact}"],
            [say("内存", "memory"), memory],
            ["GPU", gpus],
        ],
    )


def _print_run(measured: Run) -> None:
    _print_block(
        say("一对地址的花费（单线程）", "What a pair costs (one thread)"),
        [
            [
                stage.name,
                f"{stage.microseconds:8.1f} µs",
                f"{stage.share:4.0%}",
                "█" * round(30 * stage.share),
            ]
            for stage in measured.stages
        ],
    )
    rate, lone = f"{measured.pairs_per_second:,.0f}", f"{measured.lone_ms:.2f}"
    share = f"{measured.decided_by_encoder:.0%}"
    print(
        say(
            f"  每秒 {rate} 对；单独一对 {lone} 毫秒；{share} 的对到达编码器",
            f"  {rate} pairs a second; a lone pair {lone} ms; {share} of the pairs come to the encoder",
        )
    )
    print()


def _print_service(service: Service) -> None:
    span = f"{service.seconds:g} s" if service.seconds else say("启动以来", "since the start")
    rows = [[say("请求", "requests"), f"{service.requests:,.0f} ({span})"]]
    rows += [[f"  {name}", f"{count:,.0f}"] for name, count in service.outcomes.items()]
    rows += [
        [f"{say('阶段', 'stage')} {name}", f"{service.stages_ms[name]:.2f} ms, {share:.0%}"]
        for name, share in service.stage_share.items()
        if name in service.stages_ms
    ]
    rows += [
        [f"{say('缓存命中', 'cache hits')} {layer}", f"{share:.0%}"]
        for layer, share in service.cache_hits.items()
    ]
    figures = (
        ("P99", service.p99_ms, "ms"), (say("忙碌", "busy"), service.busy, "%"),
        (say("CPU 核", "cores used"), service.cores_used, ""), (say("等待中的工作", "work that waits"), service.queue_ms, "ms"),
        (say("每批条数", "rows in a batch"), service.batch_items, ""), (say("填充", "padding"), service.padding, "%"),
        (say("事件循环迟 P99", "event loop late P99"), service.loop_lag_p99_ms, "ms"),
        (say("内存", "memory"), service.memory and service.memory / 2**20, "MB"),
        ("GPU", service.gpu_utilisation, "%"), (say("显存", "GPU memory"), service.gpu_memory, "%"),
    )  # fmt: skip
    rows += [
        [name, f"{value:.0%}" if unit == "%" else f"{value:,.1f} {unit}".rstrip()]
        for name, value, unit in figures
        if value is not None
    ]
    rows.append([say("最费时的阶段", "the stage that limits"), service.limit or "–"])
    _print_block(f"{say('服务', 'Service')} {service.url}", rows)


def _print_block(title: str, rows: list[list[str]]) -> None:
    print(paint(title, "bold"))
    print_grid([["", *row] for row in rows])
    print()
