"""A pack in fewer bits, with its accuracy guarded: FP16, BF16, INT8 with fixed scales, or dynamic INT8.

The reference is the pack itself in float32. Where the change of labels (or of macro-F1, given labels) exceeds the
budget, inputs of products are left in float32, the most damaging first, until it no longer does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from math import isfinite
from pathlib import Path
from typing import Any

from menpai.engines.constants import read_constants
from menpai.errors import BrokenArtefactError, UsageError
from menpai.packs.bert import BertShape, expected_tensors
from menpai.packs.calibrate import Batch, calibrate, damages
from menpai.packs.fused_graph import Plan, Tensors, fused_graph, inputs_of
from menpai.packs.measure import Difference, Reference, batch_independent, check_finite, run_graph
from menpai.packs.pack import Pack
from menpai.packs.write import check_output, write_pack

PRECISIONS = ("float32", "float16", "bfloat16", "int8", "dynamic")
# What people write for them.
SHORT = {"fp32": "float32", "fp16": "float16", "bf16": "bfloat16"}
Told = Callable[[str, Mapping[str, Any]], None]


@dataclass(frozen=True, slots=True)
class Budget:
    """What may change against float32: the share of labels, and points of macro-F1."""

    labels: float = 0.005
    f1: float = 0.2


@dataclass(frozen=True, slots=True)
class Quantized:
    """What came out: the precision, the inputs left in float32, the difference, the megabytes of the graph."""

    precision: str
    kept: tuple[str, ...]
    difference: Difference
    batch_independent: bool
    within_budget: bool
    megabytes: float

    def to_dict(self) -> dict[str, Any]:
        """For JSON and the manifest."""
        return asdict(self)


def quantize(
    pack: Pack,
    out: Path,
    precision: str,
    calibration: Sequence[Batch],
    held: Sequence[Batch],
    *,
    labels: Sequence[int] = (),
    budget: Budget = Budget(),
    force: bool = False,
    told: Told = lambda step, details: None,
) -> Quantized:
    """Write the pack at `out`. `labels`: the right output of each row of `held`, in order; raises, and writes
    nothing, if the budget is exceeded and not `force`."""
    check_output(out, pack.path)
    shape, tensors = read_float_pack(pack)
    told("reference", {"rows": sum(len(batch["input_ids"]) for batch in held)})
    answers = run_graph(fused_graph(shape, tensors, Plan()), held)
    check_finite(answers)
    reference = Reference.of(pack.task, answers, held, labels)
    plan, difference = _within(shape, tensors, precision, calibration, held, reference, budget, told)
    if not isfinite(difference.largest):  # NaN is no answer, whatever the budget
        raise BrokenArtefactError("logits_not_finite")
    fits = _fits(difference, budget)
    kept = tuple(plan.parts)
    if not fits and not force:
        raise UsageError(
            "quantize_over_budget", changed=f"{difference.labels_changed:.2%}", limit=f"{budget.labels:.2%}",
            points=f"{difference.f1_lost:.2f}", allowed=f"{budget.f1:.2f}",
        )  # fmt: skip
    told("independent", {})
    independent = batch_independent(fused_graph(shape, tensors, plan), held)
    parts = [bytes(part) if isinstance(part, bytes) else part for part in fused_graph(shape, tensors, plan)]
    size = sum(len(p) if isinstance(p, bytes) else p.nbytes for p in parts) / 2**20
    result = Quantized(precision, kept, difference, independent, fits, round(size, 1))
    told("write", {"path": str(out)})
    _write(pack, out, result, parts)
    return result


def read_float_pack(pack: Pack) -> tuple[BertShape, Tensors]:
    """Sizes and tensors of a pack in float32; refuses one that holds no BERT or has fewer bits already."""
    shape = pack.manifest.get("shape")
    if not isinstance(shape, dict):
        raise UsageError("quantize_no_bert", pack=str(pack.path))
    if pack.manifest.get("precision") != "float32":
        raise UsageError(
            "quantize_not_float", pack=str(pack.path), precision=str(pack.manifest.get("precision"))
        )
    sizes = BertShape(**shape)
    found = read_constants(pack.file("graph").read_bytes())
    return sizes, {
        name: found[name] if name in found else found[f"{name}_t"].T for name, _ in expected_tensors(sizes)
    }


def _within(
    shape: BertShape,
    tensors: Tensors,
    precision: str,
    calibration: Sequence[Batch],
    held: Sequence[Batch],
    reference: Reference,
    budget: Budget,
    told: Told,
) -> tuple[Plan, Difference]:
    """The plan that leaves as few inputs as needed in float32, and how it differs from float32."""
    plan = Plan(precision)
    if precision in ("int8", "dynamic"):
        told("calibrate", {"rows": sum(len(batch["input_ids"]) for batch in calibration)})
        plan = calibrate(shape, tensors, plan, calibration)

    def measure(kept: Sequence[str]) -> tuple[Plan, Difference]:
        chosen = replace(plan, parts=dict.fromkeys(kept, "float32"))
        difference = reference.difference(run_graph(fused_graph(shape, tensors, chosen), held))
        told("measured", {"kept": len(kept), "changed": difference.labels_changed})
        return chosen, difference

    best = measure(())
    if _fits(best[1], budget) or precision not in ("int8", "dynamic"):
        return best
    told("rank", {"inputs": len(inputs_of(shape))})
    ranked = damages(shape, tensors, plan, calibration)
    low, high = 1, len(ranked)
    while low <= high:
        middle = (low + high) // 2
        tried = measure(ranked[:middle])
        if _fits(tried[1], budget):
            best, high = tried, middle - 1
        else:
            low = middle + 1
    return best


def _fits(difference: Difference, budget: Budget) -> bool:
    return (
        isfinite(difference.largest)
        and difference.labels_changed <= budget.labels
        and difference.f1_lost <= budget.f1
    )


def _write(pack: Pack, out: Path, result: Quantized, graph: Sequence[Any]) -> None:
    """The pack with the new graph; everything else as it was, and what was measured in manifest and card."""
    role = str(pack.manifest["files"]["graph"])
    manifest = {key: value for key, value in pack.manifest.items() if key != "format"} | {
        "precision": result.precision,
        "batch_independent": result.batch_independent,
        "quantized": result.to_dict() | {"from": pack.digest},
    }
    others = {
        name: (pack.path / name).read_bytes()
        for name in pack.files
        if name not in (role, "manifest.json", "card.md")
    }
    card = pack.card.rstrip() + "\n\n" + _paragraph(result)
    write_pack(out, manifest, {**others, role: graph, "card.md": card.encode()})


def _paragraph(result: Quantized) -> str:
    """What the card says about it."""
    d = result.difference
    kept = ", ".join(result.kept) or "none"
    score = f"; macro-F1 {d.f1_before:.2f} → {d.f1_after:.2f}" if d.f1_before is not None else ""
    return (
        f"## Precision\n\n{result.precision}; left in float32: {kept}.\n"
        f"Against float32 on {d.rows} rows: {d.labels_changed:.2%} of the labels changed, largest difference of a "
        f"logit {d.largest:.3f}{score}.\n"
        f"A row alone equals the row in a batch of its length: {'to the bit' if result.batch_independent else 'no'}.\n"
    )


def known_precision(name: str) -> str:
    """The precision that people write as `name`; raises for another."""
    precision = SHORT.get(name, name)
    if precision not in PRECISIONS:
        raise UsageError(
            "setting_invalid", name="--precision", value=name, source="--precision",
            expected=" | ".join([*SHORT, *PRECISIONS]),
        )  # fmt: skip
    return precision
