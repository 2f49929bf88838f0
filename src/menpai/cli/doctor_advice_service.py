"""What to change in a running service, by its own figures."""

from __future__ import annotations

from collections.abc import Iterator

from menpai.cli.doctor_found import Advice, Found
from menpai.cli.doctor_service import FEW, Service
from menpai.cli.language import say

MUCH = 0.4  # share of the time, from which on a stage limits


def advise_service(found: Found) -> Iterator[Advice]:
    """What the figures of a running service ask for; nothing before it has had some work."""
    service = found.service
    if service is None or service.requests < FEW:
        return
    limit, share = service.limit, service.stage_share.get(service.limit or "", 0.0)
    busy = service.busy or 0.0
    if limit == "queue" and share > MUCH:
        yield from _queue(service, share, busy)
    if limit == "infer" and share > MUCH:
        yield Advice(
            "pack",
            say(f"编码器占 {share:.0%} 的时间", f"the encoder takes {share:.0%} of the time"),
            say("cascade 打开、int8 包、更小的包或 GPU", "cascade on, an int8 pack, a smaller one, or a GPU"),
        )
    if limit == "normalize" and share > MUCH:
        yield Advice(
            "readings",
            say(f"读地址占 {share:.0%} 的时间", f"reading addresses takes {share:.0%} of the time"),
            say(
                "调大 readings，使重复的地址只读一次；多核时 instance_kind=processes",
                "raise readings, so that a repeated address is read once; with many cores instance_kind=processes",
            ),
        )
    if limit == "cache" and share > MUCH:
        yield Advice(
            "redis_ms" if "redis" in service.cache_hits else "cache_file",
            say(f"查缓存占 {share:.0%} 的时间", f"looking into caches takes {share:.0%} of the time"),
            say(
                "让 Redis 离得近一些，或调小 redis_ms；缓存文件放在本机磁盘上",
                "bring Redis nearer, or lower redis_ms; keep the cache file on a local disk",
            ),
        )
    yield from _shares(service)


def _queue(service: Service, share: float, busy: float) -> Iterator[Advice]:
    why = say(f"排队占 {share:.0%} 的时间", f"waiting takes {share:.0%} of the time")
    if busy > 0.8:
        yield Advice(
            "instances",
            f"{why}, {say('工作线程', 'workers')} {busy:.0%} {say('忙', 'busy')}",
            say(
                "更多副本或核心；或让调用者发列表；cascade 和 cache 打开",
                "more replicas or cores; or lists instead of single pairs; cascade and cache on",
            ),
        )
    else:
        yield Advice(
            "threads",
            f"{why}, {say('但工作线程只有', 'but workers are only')} {busy:.0%} {say('忙', 'busy')}",
            say(
                "CPU 被别的程序占用或被限额：查看 top 和 cpu.max",
                "other programs or a quota hold the CPU: look at top and cpu.max",
            ),
        )


def _shares(service: Service) -> Iterator[Advice]:
    total = service.requests or 1.0
    for outcome, most, about, zh, en in (
        (
            "shed",
            0.01,
            "queue_seconds",
            "增加副本；queue_seconds 决定何时拒绝",
            "add replicas; queue_seconds says when it refuses",
        ),
        ("late", 0.01, "timeout_ms", "增加副本，或放宽期限", "add replicas, or give more time"),
        (
            "quota",
            0.05,
            "quota",
            "调用者超出配额：提高它，或请他们慢一些",
            "callers exceed their quota: raise it, or ask them to go slower",
        ),
        (
            "cancelled",
            0.05,
            "timeout_ms",
            "调用者的期限比回答短",
            "the callers' own timeout is shorter than the answer takes",
        ),
        (
            "failed",
            0.0,
            "log",
            "看日志：jq 'select(.outcome == \"failed\")'",
            "see the log: jq 'select(.outcome == \"failed\")'",
        ),
    ):
        part = service.outcomes.get(outcome, 0.0) / total
        if part > most:
            yield Advice(about, f"{part:.1%} {outcome}", say(zh, en))
    if service.cache_failures:
        yield Advice(
            "redis_url",
            say(
                f"缓存失败 {service.cache_failures:.0f} 次",
                f"caches failed {service.cache_failures:.0f} times",
            ),
            say(
                "查看 menpai cache info 和日志里的 cache_left_alone",
                "see menpai cache info, and cache_left_alone in the log",
            ),
        )
    if service.loop_lag_p99_ms is not None and service.loop_lag_p99_ms > 50:
        yield Advice(
            "instance_kind",
            say(
                f"事件循环迟 {service.loop_lag_p99_ms:.0f} 毫秒（P99）",
                f"the event loop is {service.loop_lag_p99_ms:.0f} ms late (P99)",
            ),
            say(
                "调小 max_pairs；多核时 instance_kind=processes",
                "lower max_pairs; with many cores instance_kind=processes",
            ),
        )
    if service.padding is not None and service.padding > 0.3:
        yield Advice(
            "pack",
            say(f"{service.padding:.0%} 的词元只是填充", f"{service.padding:.0%} of the tokens only fill up"),
            say("长短悬殊的地址分开发送", "send very long and very short addresses apart"),
        )
    if service.reloads > 3:
        yield Advice(
            "reload",
            say(
                f"模型包换了 {service.reloads:.0f} 次",
                f"the pack was loaded anew {service.reloads:.0f} times",
            ),
            say("找出是谁一再触发重载", "find out who has it reloaded again and again"),
        )
    if service.gpu_utilisation is not None and service.gpu_utilisation < 0.5 and service.queue_ms > 100:
        yield Advice(
            "instances",
            say(
                f"GPU 只用了 {service.gpu_utilisation:.0%}，而有工作在等",
                f"the GPU computes {service.gpu_utilisation:.0%} of the time while work waits",
            ),
            say(
                "CPU 喂不饱它：instances=2，或 instance_kind=processes，或发列表",
                "the CPU cannot feed it: instances=2, or instance_kind=processes, or lists",
            ),
        )
