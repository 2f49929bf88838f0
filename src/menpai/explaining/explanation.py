"""The aligned elements of two addresses, and for a verdict of the encoder the parts of the texts that decided.

What a part weighs is found by leaving it out and asking the encoder again (occlusion; Zeiler and Fergus 2014).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from menpai.address import ELEMENTS, Address
from menpai.errors import Problem, UsageError
from menpai.evidence import Comparison, Relation, compare_sides
from menpai.explaining.segments import segments
from menpai.explaining.sentence import sentence
from menpai.matcher import AddressLike, Matcher
from menpai.verdict import LABELS, Verdict


class Aligned(NamedTuple):
    """An element that at least one side gives: both texts, and how they relate (equal, differs, missing, …)."""

    element: str
    a: str
    b: str
    relation: str


class Part(NamedTuple):
    """A part of a normalized text and its weight for the label: how much surer the encoder is of it with the part."""

    side: str
    start: int
    end: int
    text: str
    element: str
    weight: float


class Explanation(NamedTuple):
    """A verdict, both readings, the aligned elements, the parts (none unless the encoder decided), one sentence."""

    verdict: Verdict
    a: Address
    b: Address
    aligned: tuple[Aligned, ...]
    parts: tuple[Part, ...]
    sentence: str

    def to_dict(self) -> dict[str, Any]:
        """The JSON shape, without the verdict."""
        return {
            "sentence": self.sentence,
            "aligned": [each._asdict() for each in self.aligned],
            "parts": [each._asdict() | {"weight": round(each.weight, 3)} for each in self.parts],
        }


def explain(matcher: Matcher, a: AddressLike, b: AddressLike) -> Explanation:
    """The verdict on a pair and why; raises UsageError for an address that cannot be judged."""
    verdict = matcher.match(a, b)
    sides = [matcher.side(address) for address in (a, b)]
    for side in sides:
        if isinstance(side, Problem):
            raise UsageError(side.code, **side.details)
    comparison = compare_sides(*sides)  # type: ignore[arg-type] # problems were raised
    parts = _parts(matcher, comparison, verdict) if verdict.decided_by == "encoder" else ()
    told = sentence(verdict, matcher.settings.lang, parts)
    return Explanation(verdict, comparison.a, comparison.b, align(comparison), parts, told)


def align(c: Comparison) -> tuple[Aligned, ...]:
    """The elements of both sides, coarse to fine."""
    return tuple(
        Aligned(kind, *c.texts.get(kind, ("", "")), c.relations[kind].name.lower())
        for kind in ELEMENTS
        if c.relations.get(kind, Relation.ABSENT) != Relation.ABSENT
    )


def _parts(matcher: Matcher, c: Comparison, verdict: Verdict) -> tuple[Part, ...]:
    """The parts that the encoder read, each with what the label loses without it."""
    read = matcher.cascade.texts(c)
    found, variants = list[tuple[str, int, str, str]](), [read]
    for side, address, text in zip("ab", (c.a, c.b), read, strict=True):
        start, behind = 0, len(address.text) - len(text)
        for part, element in segments(address) if address.text.endswith(text) else ():
            begin, start = start, start + len(part)
            at = begin - behind
            left = text[: max(0, at)] + text[at + len(part) :]
            if at < 0 or not part.strip() or not left:
                continue
            found.append((side, begin, part, element.kind if element else ""))
            variants.append((left, read[1]) if side == "a" else (read[0], left))
    label = LABELS.index(verdict.label)
    logits = matcher.cascade.encoder.start(variants)().astype(np.float64) * matcher.cascade.blend.encoder
    margins = logits[:, label] - (logits.sum(1) - logits[:, label]) / 2
    return tuple(
        Part(side, start, start + len(text), text, kind, float(margins[0] - margin))
        for (side, start, text, kind), margin in zip(found, margins[1:], strict=True)
    )
