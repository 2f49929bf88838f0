"""A run drawn: rate and latency by load, as PNG, SVG or PDF. Needs the extra `plot`."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from menpai.errors import Language, NotReadyError, UsageError
from menpai.load.tally import Step

ENDINGS = (".png", ".svg", ".pdf")
# Fonts with Chinese characters; of a collection matplotlib knows the first face (JP), which has them all.
FONTS = (
    "Noto Sans CJK SC", "Noto Sans CJK JP", "Noto Sans SC", "Source Han Sans SC", "Microsoft YaHei", "PingFang SC",
    "SimHei", "WenQuanYi Micro Hei",
)  # fmt: skip
FILES = ("notosanscjk-regular", "notosanssc", "sourcehansans", "msyh", "pingfang", "simhei", "wqy-microhei")
WORDS = {
    "closed": ("闭环：客户端数", "closed loop: clients"),
    "open": ("开环：每秒发出的请求", "open loop: requests sent a second"),
    "rate": ("每秒回答的请求", "requests answered a second"),
    "answered": ("已回答", "answered"),
    "latency": ("毫秒", "milliseconds"),
    "sent": ("发出", "sent"),
    "refusals": ("拒答 P99", "refusals P99"),
}


def check(path: str) -> None:
    """Raise for an ending that cannot be drawn, and for a missing extra, before anything is measured."""
    if not path.lower().endswith(ENDINGS):
        raise UsageError("load_plot", path=path, known=" ".join(ENDINGS))
    _figure()


def draw(steps: Sequence[Step], path: str, title: str, language: Language) -> None:
    """Draw a column of two charts for each kind of loop: rate above, latency below."""
    from matplotlib import rc_context  # noqa: PLC0415 (an optional extra)

    kinds = [kind for kind in ("closed", "open") if any(step.loop == kind for step in steps)]
    fonts, at = _fonts(path, language)
    with warnings.catch_warnings(), rc_context({"font.sans-serif": fonts, "svg.fonttype": "none"}):
        warnings.filterwarnings("ignore", "Glyph")  # of a Chinese SVG without fonts here: its viewer has them
        figure = _figure()(figsize=(1 + 5 * max(len(kinds), 1), 7), layout="constrained")
        figure.suptitle(title, fontsize="medium")
        grid = figure.subplots(2, max(len(kinds), 1), squeeze=False)
        for column, kind in enumerate(kinds):
            _draw_kind(grid[:, column], [step for step in steps if step.loop == kind], at)
        try:
            figure.savefig(path, dpi=150)
        except OSError as error:
            raise UsageError("file_failed", path=path, reason=error.strerror or str(error)) from None


def _draw_kind(axes: Any, steps: Sequence[Step], at: int) -> None:
    above, below = axes
    steps = sorted(steps, key=lambda step: step.clients or step.rate)
    loads = [step.clients or step.rate for step in steps]
    if steps[0].loop == "open":
        above.plot(loads, loads, linestyle="--", color="tab:gray", label=WORDS["sent"][at])
    above.plot(
        loads,
        [step.requests_per_second for step in steps],
        marker="o",
        color="tab:blue",
        label=WORDS["answered"][at],
    )
    above.legend(fontsize="small")
    above.set(ylabel=WORDS["rate"][at], ylim=(0, None))
    for name in ("p50", "p95", "p99"):
        known = [
            (load, getattr(step.latency, name))
            for load, step in zip(loads, steps, strict=True)
            if step.latency
        ]
        below.plot(*(zip(*known, strict=True) if known else ((), ())), marker="o", label=name.upper())
    refused = [(load, step.refusals.p99) for load, step in zip(loads, steps, strict=True) if step.refusals]
    if refused:
        below.plot(*zip(*refused, strict=True), marker="x", linestyle=":", label=WORDS["refusals"][at])
    below.set(ylabel=WORDS["latency"][at], xlabel=WORDS[steps[0].loop][at], yscale="log")
    below.legend(fontsize="small")
    for each in (above, below):
        each.set_xscale("log")
        each.set_xticks(loads, [f"{load:g}" for load in loads], minor=False)
        each.minorticks_off()
        each.yaxis.set_major_formatter("{x:g}")
        each.grid(alpha=0.3)


def _fonts(path: str, language: Language) -> tuple[list[str], int]:
    """Fonts to draw with, and which of the words: Chinese if asked for and this machine (or the viewer of an SVG) has it."""
    from matplotlib import font_manager  # noqa: PLC0415 (an optional extra)

    if language == "zh" and not _present():  # installed after matplotlib made its list
        for file in font_manager.findSystemFonts():
            if Path(file).name.lower().startswith(FILES):
                font_manager.fontManager.addfont(file)
    found = _present()
    chinese = language == "zh" and bool(found or Path(path).suffix.lower() == ".svg")
    return [*found, "DejaVu Sans"], 0 if chinese else 1


def _present() -> list[str]:
    from matplotlib import font_manager  # noqa: PLC0415 (an optional extra)

    known = {font.name for font in font_manager.fontManager.ttflist}
    return [name for name in FONTS if name in known]


def _figure() -> Any:
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415 (an optional extra)
    except ModuleNotFoundError as error:
        raise NotReadyError("extra_missing", package="matplotlib", extra="plot") from error
    return Figure
