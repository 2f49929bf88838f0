"""A load test as a person reads it: a line for each load, what failed and why, and what makes a figure doubtful."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from menpai.cli.console import paint, print_grid
from menpai.cli.language import say

if TYPE_CHECKING:
    from menpai.load.compare import Difference
    from menpai.load.plan import Run
    from menpai.load.tally import Latency, Step

# What a request came to where its HTTP status does not say it (zh, en).
OUTCOMES = {
    "401": ("401（密钥缺失或有误：MENPAI_API_KEY）", "401 (the key is missing or wrong: MENPAI_API_KEY)"),
    "timeout": ("超时", "timed out"),
    "closed": ("连接被关闭", "connection closed"),
    "reset": ("连接被重置", "connection reset"),
    "refused": ("拒绝连接", "connection refused"),
    "connect": ("连不上", "no connection"),
    "connect_timeout": ("连接超时", "connecting timed out"),
    "tls": ("TLS 失败", "TLS failed"),
    "not_http": ("不是 HTTP", "not HTTP"),
    "no_answer": ("空的回答", "empty answer"),
}
WARNINGS = {
    "tester_busy": (
        "{load}：压测端自己占满了一个核心（{cpu:.0%}），结果受它限制；请换一台机器，或同时运行几个压测",
        "{load}: the tester's own core was full ({cpu:.0%}) and limits the result; use another machine, or several testers",
    ),
    "tester_late": (
        "{load}：压测端来得太晚（P99 {late:.0f} 毫秒），延迟里有它自己的份；它与服务在争抢同样的核心",
        "{load}: the tester came late (P99 {late:.0f} ms), and the latencies hold its share; it competes for the cores",
    ),
}


def show_run(run: Run) -> None:
    """The table, then failures and doubts."""
    facts = [run.url, run.plan.route, *map(str, run.service.values())]
    print(paint("  ".join(facts), "dim"))
    print_grid([_heads(run), *(_line(step, run.plan.rows) for step in run.steps)], right=True)
    for step in run.steps:
        for kind, count in step.outcomes.items():
            if kind != "200":
                print(f"  {_load(step)}: {count:,} × {_outcome(kind)}")
    for step in run.steps:
        for code in step.warnings:
            text = say(*WARNINGS[code]).format(
                load=_load(step), cpu=step.tester["cpu_share"], late=step.tester["late_ms_p99"]
            )
            print(paint(f"! {text}", "yellow"))


def show_differences(differences: Sequence[Difference], others: Sequence[str]) -> None:
    """The loads of two runs, side by side."""
    heads = [
        say("负载", "load"),
        "QPS A",
        "QPS B",
        "B÷A",
        "P99 A",
        "P99 B",
        "B÷A",
        say("失败 A", "failed A"),
        say("失败 B", "failed B"),
    ]
    rows = [_difference(each) for each in differences]
    if rows:
        print_grid([heads, *rows], right=True)
    else:
        print(say("两次没有相同的负载", "the two have no load in common"))
    if others:
        print(paint(say("另有不同：", "other differences: ") + ", ".join(others), "yellow"))


def _heads(run: Run) -> list[str]:
    pairs = [say("对/秒", "pairs/s")] if run.plan.rows > 1 else []
    return [
        say("负载", "load"), "QPS", *pairs, "P50 ms", "P95", "P99", say("最大", "max"), say("已发", "sent"),
        say("拒答", "refused"), say("拒答 P99", "refused P99"), say("失败", "failed"), say("压测端 CPU", "tester CPU"),
    ]  # fmt: skip


def _line(step: Step, rows: int) -> list[str]:
    pairs = [f"{step.pairs_per_second:,.0f}"] if rows > 1 else []
    return [
        _load(step), f"{step.requests_per_second:,.1f}", *pairs, *_times(step.latency), f"{step.sent:,}",
        _share(step.refused, step.sent), f"{step.refusals.p99:.1f}" if step.refusals else "–",
        _share(step.failed, step.sent), f"{step.tester['cpu_share']:.0%}",
    ]  # fmt: skip


def _load(step: Step) -> str:
    if step.loop == "open":
        return step.load
    return say(f"{step.clients} 客户端", f"{step.clients} client" + "s" * (step.clients > 1))


def _times(latency: Latency | None) -> list[str]:
    if latency is None:
        return ["–"] * 4
    return [f"{value:.1f}" for value in (latency.p50, latency.p95, latency.p99, latency.max)]


def _share(count: int, sent: int) -> str:
    return f"{count / sent:.1%}" if count else "0"


def _outcome(kind: str) -> str:
    return say(*OUTCOMES[kind]) if kind in OUTCOMES else kind


def _difference(each: Difference) -> list[str]:
    def ratio(pair: tuple[float, float]) -> str:
        return f"{pair[1] / pair[0]:.2f}" if pair[0] else "–"

    return [
        each.load, *(f"{rate:,.1f}" for rate in each.rates), ratio(each.rates), *(f"{p99:.1f}" for p99 in each.p99s),
        ratio(each.p99s), *(f"{share:.1%}" for share in each.failed),
    ]  # fmt: skip
