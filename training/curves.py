"""The curves of a training run as a picture: `python -m training.curves WORK [--out curves.svg]`.

A chart for each quantity that pre-training, the fits and distillation wrote (`*.jsonl` in the work folder and the folders
in it): losses and accuracy by step. Needs the extra `plot`.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from matplotlib import rc_context
from matplotlib.figure import Figure

Curve = tuple[str, list[int], list[float]]


def read_curves(work: Path) -> dict[str, list[Curve]]:
    """For each quantity the curves that tell it: name of the file, steps, values. A run that began anew in the same file
    gives a curve of its own."""
    found: dict[str, list[Curve]] = {}
    for path in sorted([*work.glob("*.jsonl"), *work.glob("*/*.jsonl")]):
        last, name = -1, str(path.relative_to(work).with_suffix(""))
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            step = row.pop("step")
            for quantity, value in row.items():
                curves = found.setdefault(quantity, [])
                if step <= last or not any(curve[0] == name for curve in curves):
                    curves.append((name, [], []))
                curves[-1][1].append(step)
                curves[-1][2].append(value)
            last = step
    return found


def draw(curves: dict[str, list[Curve]], out: Path) -> None:
    """One chart below the other, a line for each curve."""
    figure = Figure(figsize=(8, 1 + 2.6 * len(curves)), layout="constrained")
    for axes, (quantity, lines) in zip(
        figure.subplots(len(curves), squeeze=False)[:, 0], curves.items(), strict=True
    ):
        for name, steps, values in lines:
            axes.plot(steps, values, label=name)
        axes.set(ylabel=quantity, xlabel="step")
        axes.grid(alpha=0.3)
        axes.legend(fontsize="x-small")
    with rc_context({"svg.fonttype": "none"}):  # words stay words
        figure.savefig(out)


def main() -> None:
    """Write the picture."""
    parser = argparse.ArgumentParser(prog="python -m training.curves", description=__doc__)
    parser.add_argument("work", type=Path)
    parser.add_argument("--out", type=Path, default=Path("curves.svg"))
    args = parser.parse_args()
    curves = read_curves(args.work)
    if not curves:
        parser.error(f"no *.jsonl in {args.work}: nothing was trained there yet")
    draw(curves, args.out)
    print(args.out)


if __name__ == "__main__":
    main()
