"""Verdicts and addresses as lines that a person reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from menpai.address import ELEMENTS, Address
from menpai.cli.console import pad, paint, print_grid
from menpai.cli.drawing import draw
from menpai.cli.language import say
from menpai.cli.words import DECIDED_BY, GRADES, JUDGED, KINDS, LABELS, word
from menpai.verdict import Evidence, Verdict

if TYPE_CHECKING:
    from menpai.explaining import Explanation

_LABEL_COLOURS = {"exact_match": "green", "partial_match": "yellow", "not_match": "red"}
SHOWN_REASONS = 6
_LEAST_PART = 0.05


def show_verdict(verdict: Verdict, explain: bool = False, option: str = "--explain") -> None:
    """Label, similarity, level, conflicts, reasons by weight; all of them and probabilities to `explain`. `option`: what
    shows the rest, if anything does."""
    head = [
        paint(word(LABELS, verdict.label), _LABEL_COLOURS[verdict.label]),
        f"{say('相似度', 'similarity')} {verdict.similarity:.3f}",
        say("没有一致的级别", "no level in common")
        if verdict.level == "none"
        else f"{say('一致到', 'agree to')} {word(KINDS, verdict.level)}",
    ]
    print("  ".join(head))
    for conflict in verdict.conflicts:
        print(f"{say('冲突', 'conflict')}  {word(KINDS, conflict.element)}: {conflict.a} ≠ {conflict.b}")
    if explain:
        row = verdict.probabilities._asdict()
        print(
            say("概率", "probabilities"),
            *(f"{word(LABELS, name)} {p:.3f}" for name, p in row.items()),
            sep="  ",
        )
    _show_reasons(verdict.evidence, explain, option)
    by = say(
        f"由{word(DECIDED_BY, verdict.decided_by)}判定", f"decided by {word(DECIDED_BY, verdict.decided_by)}"
    )
    print(paint(f"{by}, {verdict.pack}, {verdict.behaviour}", "dim"))


def show_address(address: Address) -> None:
    """The elements with their values, then codes, former names and level."""
    print(paint(address.raw, "bold"))
    rows = [[f"  {word(KINDS, e.kind)}", e.text, "" if e.value == e.text else f"= {e.value}"]
            for e in address.elements]  # fmt: skip
    rows += [[f"  {name}", text, ""] for name, text in _summary(address)]
    print_grid(rows)


def show_fields(raw: str, cells: Mapping[str, Any]) -> None:
    """The fields of a style that hold something, one a line."""
    print(paint(raw, "bold"))
    rows = [[f"  {word(JUDGED, name)}", _field(name, value)] for name, value in cells.items() if value]
    print_grid(rows)


def _field(name: str, value: Any) -> str:
    if name == "missing":
        return say("、", ", ").join(word(KINDS, kind) for kind in value)
    if name == "doubt":
        return say("；", "; ").join(value)
    return word(GRADES, value) if name == "grade" else str(value)


def show_side_by_side(a: Address, b: Address) -> None:
    """Two readings, element by element."""
    kinds = [kind for kind in ELEMENTS if a.get(kind) or b.get(kind)]
    rows = [["", "a", "b"], [say("原文", "raw"), a.raw, b.raw], [say("归一", "normalized"), a.text, b.text]]
    rows += [[word(KINDS, kind), _texts(a, kind), _texts(b, kind)] for kind in kinds]
    rows.append([say("代码", "code"), _codes(a), _codes(b)])
    print_grid(rows)
    print()


def show_explained(found: Explanation, a: Address, b: Address) -> None:
    """Both addresses drawn, then element by element; the parts that decided; the sentence."""
    for address in (a, b):
        draw(address)
        print()
    show_side_by_side(a, b)
    if weighed := sorted((p for p in found.parts if abs(p.weight) >= _LEAST_PART), key=lambda p: -p.weight):
        print(
            say(
                "编码器看重的部分（去掉它，对结论的把握减少多少）",
                "what the encoder went by (how much less sure without it)",
            )
        )
        for part in weighed:
            weight = paint(f"{part.weight:+6.2f}", "green" if part.weight > 0 else "red")
            print(
                f"  {weight}  {part.side}: {part.text}  {word(KINDS, part.element) if part.element else ''}".rstrip()
            )
        print()
    print(found.sentence)
    print()


def _show_reasons(evidence: Sequence[Evidence], all_of_them: bool, option: str) -> None:
    reasons = sorted(evidence, key=lambda reason: -abs(reason.weight))
    shown = reasons if all_of_them else reasons[:SHOWN_REASONS]
    if shown:
        print(say("理由", "reasons"))
    for reason in shown:
        weight = paint(f"{reason.weight:+6.2f}", "green" if reason.weight > 0 else "red")
        print(f"  {weight}  {pad(reason.name, 25) + ' ' if all_of_them else ''}{reason.text}")
    if rest := len(reasons) - len(shown):
        print(say(f"  另有 {rest} 条", f"  {rest} more") + (say("：", ": ") + option if option else ""))


def _summary(address: Address) -> Iterator[tuple[str, str]]:
    if address.divisions:
        yield say("代码", "code"), _codes(address)
    for former in address.former:
        since = f" ({former.date})" if former.date else ""
        yield say("旧名", "former name"), f"{former.written} → {', '.join(former.codes)}{since}"
    for conflict in address.conflicts:
        yield say("矛盾", "conflict"), f"{conflict.written} ≠ {conflict.against}"
    for typo in address.corrections:
        yield say("或许是", "perhaps"), f"{typo.written} → {typo.suggested}"
    if address.settled_by:
        yield (
            say("待定于", "settled by"),
            say("、", ", ").join(word(KINDS, kind) for kind in address.settled_by),
        )
    for other in address.alternatives:
        yield (
            say("另一读法", "or read as"),
            " ".join(f"{e.text}({word(KINDS, e.kind)})" for e in other.elements),
        )
    yield say("级别", "level"), word(KINDS, address.level)


def _other(address: Address, other: Address) -> str:
    """Where another reading differs: in its elements, else in its divisions."""
    kinds = [(e.kind, e.text) for e in other.elements]
    if kinds == [(e.kind, e.text) for e in address.elements]:
        return _codes(other)
    return " ".join(f"{text} ({word(KINDS, kind)})" for kind, text in kinds)


def _texts(address: Address, kind: str) -> str:
    return " ".join(element.text for element in address.all(kind)) or "–"


def _codes(address: Address) -> str:
    """The possible codes, most likely first; a bare 朝阳区 has several."""
    shown = [f"{division.code} {division.name}" for division in address.divisions[:4]]
    more = [f"(+{len(address.divisions) - 4})"] if len(address.divisions) > 4 else []
    return say("、", ", ").join(shown + more) or "–"
