"""What a feature is: a named function of a comparison that explains itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from menpai.errors import Language
from menpai.evidence.comparison import Comparison
from menpai.evidence.relation import Relation

Measure = Callable[[Comparison], float]
Relations = Mapping[str, Relation]
Relates = Callable[[Relations], float]


@dataclass(frozen=True, slots=True)
class Feature:
    """A measure in 0..1, the element it speaks of, and the sign that its weight must have.

    `sign` is +1 if it may only speak for the same place, -1 if only against it, 0 if either way.
    """

    name: str
    element: str
    sign: int
    measure: Measure
    description: str
    zh: str
    en: str
    relates: Relates | None = None
    "The same measure of the relations alone, where it needs nothing else."

    def text(self, comparison: Comparison, language: Language) -> str:
        """The reason in words, quoting what was compared."""
        a, b = comparison.texts.get(self.element, ("", ""))
        return (self.zh if language == "zh" else self.en).format(a=a, b=b, one=a or b)


def feature(element: str, sign: int, zh: str, en: str) -> Callable[[Measure], Feature]:
    """Decorator: the function becomes a Feature; its docstring is the description that users read."""

    def wrap(measure: Measure) -> Feature:
        description = (measure.__doc__ or "").strip()
        return Feature(measure.__name__, element, sign, measure, description, zh, en)

    return wrap


def relation_feature(element: str, sign: int, zh: str, en: str) -> Callable[[Relates], Feature]:
    """The same for a function of the relations alone."""

    def wrap(relates: Relates) -> Feature:
        description = (relates.__doc__ or "").strip()

        def measure(c: Comparison) -> float:
            return relates(c.relations)

        return Feature(relates.__name__, element, sign, measure, description, zh, en, relates)

    return wrap
