"""What to change, and why: each advice names the setting, the extra or the thing outside that it is about."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from menpai.cli.doctor_advice_service import MUCH, advise_service
from menpai.cli.doctor_found import Advice, Found
from menpai.cli.doctor_machine import Machine
from menpai.cli.language import say

FEW_FILES = 4096
LITTLE_MEMORY = 512 * 2**20


def advise(found: Found) -> list[Advice]:
    """What to change, in the order in which it was looked at; empty when all is well."""
    return [advice for look in LOOKS for advice in look(found)]


def right_precision(machine: Machine) -> str:
    """The precision for this processor (or GPU), in a word, with the reason."""
    if machine.gpus and "CUDAExecutionProvider" in machine.providers:
        return say("fp16（GPU）", "fp16 (GPU)")
    if not machine.int8_exact:
        return say(
            "fp32；int8 会自动改用 7 位，因为这个 CPU 的 8 位乘积会饱和",
            "fp32; int8 is reduced to 7 bits by itself, since 8-bit products saturate on this CPU",
        )
    if machine.int8_fast:
        return say("int8（有快速的 8 位指令，结果精确）", "int8 (fast instructions, exact results)")
    return say(
        "int8（精确，但没有专门指令，收益较小）",
        "int8 (exact, but without instructions for it, so little is gained)",
    )


def _machine(found: Found) -> Iterator[Advice]:
    machine, settings = found.machine, found.settings
    if settings.threads > machine.cores:
        yield Advice(
            "threads",
            say(
                f"设了 {settings.threads}，可用 {machine.cores} 个核心",
                f"set to {settings.threads}, {machine.cores} cores to use",
            ),
            say("设为 0，即全部可用核心", "set it to 0: all that may be used"),
        )
    if machine.quota is not None and machine.quota != int(machine.quota):
        yield Advice(
            "cpu.max",
            say(
                f"控制组给 {machine.quota:g} 个核心：用完就停顿",
                f"the control group grants {machine.quota:g} cores: it stops the process when they are spent",
            ),
            say("给整数个核心", "grant whole cores"),
        )
    if machine.memory_limit is not None and machine.memory_limit < LITTLE_MEMORY:
        yield Advice(
            "cache_mb",
            say(
                f"内存上限 {machine.memory_limit >> 20} MB",
                f"memory is limited to {machine.memory_limit >> 20} MB",
            ),
            say(
                "调小 cache_mb 和 readings_mb，或提高上限",
                "lower cache_mb and readings_mb, or raise the limit",
            ),
        )
    if machine.open_files is not None and machine.open_files < FEW_FILES:
        yield Advice(
            "ulimit -n",
            say(
                f"最多打开 {machine.open_files} 个文件，每个连接占一个",
                f"{machine.open_files} open files at most, one for each connection",
            ),
            say(
                "启动服务前提高到 65536（systemd：LimitNOFILE）",
                "raise it to 65536 before the service starts (systemd: LimitNOFILE)",
            ),
        )
    if machine.gpu_driver and "CUDAExecutionProvider" not in machine.providers:
        yield Advice(
            "device",
            say(
                "有 NVIDIA 驱动，但 ONNX Runtime 没有 CUDA",
                "there is an NVIDIA driver, but no CUDA in ONNX Runtime",
            ),
            say(
                "安装 onnxruntime-gpu 代替 onnxruntime，或用 --engine torch",
                "install onnxruntime-gpu in place of onnxruntime, or use --engine torch",
            ),
        )


def _extras(found: Found) -> Iterator[Advice]:
    missing = {extra.name for extra in found.extras if not extra.installed}
    settings = found.settings
    wanted = {
        "serve": True,
        "redis": bool(settings.redis_url),
        "gpu": found.machine.gpu_driver,
        "otel": settings.traces,
        settings.engine.split("-")[0]: True,
    }
    for extra in found.extras:
        if extra.name in missing and wanted.get(extra.name):
            yield Advice(
                f"extra:{extra.name}",
                say(f"没有：{extra.gives}", f"missing: {extra.gives}"),
                f"pip install 'menpai[{extra.name}]'",
            )


def _model(found: Found) -> Iterator[Advice]:
    machine, run = found.machine, found.run
    on_cpu = not (machine.gpus and "CUDAExecutionProvider" in machine.providers)
    if found.precision.startswith("fp32") and on_cpu and machine.int8_fast and machine.int8_exact:
        yield Advice(
            "pack",
            say(
                "模型包是 fp32，而这个 CPU 算 int8 快得多",
                "the pack is fp32, and this CPU is much faster in int8",
            ),
            say(
                "menpai model quantize 生成 int8 包，再用 menpai model verify 核对",
                "make an int8 pack with menpai model quantize, and check it with menpai model verify",
            ),
        )
    if found.precision == "int8" and on_cpu and not machine.int8_exact:
        yield Advice(
            "pack",
            say("8 位乘积在这个 CPU 上会饱和", "8-bit products saturate on this CPU"),
            say(
                "已自动改用 7 位；要与别处完全一致，请用 fp32 包",
                "7 bits are used by themselves; for the same figures as elsewhere take an fp32 pack",
            ),
        )
    if not found.settings.cascade and run:
        yield Advice(
            "cascade",
            say(
                f"级联关闭：每一对都要编码器，每次 {run.encoder_ms:.1f} 毫秒",
                f"the cascade is off: every pair goes to the encoder, {run.encoder_ms:.1f} ms each",
            ),
            say(
                "打开 cascade，让明确的对先被判定", "turn cascade on, so that clear pairs are decided before"
            ),
        )
    elif run and run.slowest.name == "encoder" and run.slowest.share > 2 * MUCH:
        yield Advice(
            "pack",
            say(
                f"编码器占 {run.slowest.share:.0%} 的时间",
                f"the encoder takes {run.slowest.share:.0%} of the time",
            ),
            say(
                "用更小的模型包，或 int8，或 GPU（menpai model bench 比较）",
                "take a smaller pack, or int8, or a GPU (menpai model bench compares)",
            ),
        )


def _caches(found: Found) -> Iterator[Advice]:
    if not found.settings.cache:
        yield Advice(
            "cache",
            say("缓存关闭：重复的对每次都要重新判断", "caches are off: repeated pairs are judged anew"),
            say("打开 cache", "turn cache on"),
        )


def _safety(found: Found) -> Iterator[Advice]:
    settings = found.settings
    if settings.insecure and not (settings.api_key or settings.key_file):
        yield Advice(
            "insecure",
            say("任何机器都可以不用密钥访问", "any machine may come in without a key"),
            say(
                "menpai key 生成密钥，用 --key-file 代替 --insecure",
                "make a key with menpai key, and use --key-file instead of --insecure",
            ),
        )
    if settings.log_text:
        yield Advice(
            "log_text",
            say(
                "地址写进日志，而它们是个人信息",
                "addresses are written into the log, and they are personal data",
            ),
            say("查完问题就关掉", "turn it off when the fault is found"),
        )


LOOKS: tuple[Callable[[Found], Iterator[Advice]], ...] = (
    _machine,
    _extras,
    _model,
    _caches,
    _safety,
    advise_service,
)
