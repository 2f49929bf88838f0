"""A review as it goes on: which pair is next, the answers, what was taken back, and what they say of the whole."""

from __future__ import annotations

from typing import Any, NamedTuple

from menpai.tables.review.estimate import Counts, Quality, estimate
from menpai.tables.review.labels import Labels
from menpai.tables.review.outputs import joins
from menpai.tables.review.pair import Pair
from menpai.tables.review.plan import Plan
from menpai.verdict import LABELS


class Progress(NamedTuple):
    """How many of the planned pairs were answered and skipped, how many there are, and the answers by label."""

    answered: int
    skipped: int
    total: int
    labels: dict[str, int]


class Session:
    """The turns of a plan, and the labels in their file. One thread at a time."""

    def __init__(self, plan: Plan, labels: Labels, accept: str, source: str) -> None:
        self.plan, self.accept = plan, accept
        self._labels, self._source = labels, source
        self._answers = labels.answers
        self._pairs = {turn.pair.key: turn.pair for turn in plan.turns}
        self._skipped: list[str] = []
        self._steps: list[bool] = []  # of this session: whether each was an answer or a skip
        self._next: str | None = None

    @property
    def current(self) -> Pair | None:
        """The pair to be asked now; None at the end."""
        if self._next is not None:
            return self._pairs[self._next]
        return next((turn.pair for turn in self.plan.turns if self._is_open(turn.pair.key)), None)

    def answer(self, key: str, label: str) -> bool:
        """Save the label of the current pair; False if another pair is current by now."""
        pair = self.current
        if pair is None or pair.key != key:
            return False
        control = any(turn.control is not None and turn.pair.key == key for turn in self.plan.turns)
        self._labels.add(pair, label, self._source, control=control)
        self._answers[key] = label
        self._done(True)
        return True

    def skip(self, key: str) -> bool:
        """Leave the current pair for another day; False if another pair is current by now."""
        pair = self.current
        if pair is None or pair.key != key:
            return False
        self._skipped.append(key)
        self._done(False)
        return True

    @property
    def can_undo(self) -> bool:
        """Whether there is an answer or a skip to take back."""
        return bool(self._steps or (self._labels.lines and self._labels.lines[-1].key in self._pairs))

    def undo(self) -> bool:
        """Take back the last answer, also one of an earlier session, or skip; its pair is current again."""
        if not self.can_undo:
            return False
        was_answer = self._steps.pop() if self._steps else True
        key = self._labels.take_back().key if was_answer else self._skipped.pop()
        self._answers = self._labels.answers
        self._next = key if self._is_open(key) else None
        return True

    def progress(self) -> Progress:
        """How far it has come."""
        given = [label for key, label in self._answers.items() if key in self._pairs]
        counts = {label: given.count(label) for label in LABELS}
        return Progress(len(given), len(self._skipped), len(self._pairs), counts)

    def quality(self) -> Quality:
        """Precision and recall by the control sample as far as it was asked: an answer to a doubtful pair counts when
        the sample comes to it, else doubtful pairs would count too often."""
        sample: dict[Any, list[bool]] = {name: [] for name in self.plan.sizes}
        for turn in self.plan.turns:
            label = self._answers.get(turn.pair.key)
            if label is None and turn.pair.key not in self._skipped:
                break
            if label is not None and turn.control is not None:
                sample[turn.control].append(joins(label, self.accept))
        counts = {name: Counts(self.plan.sizes[name], len(same), sum(same)) for name, same in sample.items()}
        return estimate(counts)

    @property
    def changed(self) -> int:
        """How many answers were given before the file was what it is now."""
        return sum(line.line.get("source") != self._source for line in self._labels.lines)

    def to_dict(self) -> dict[str, Any]:
        """The JSON of a review: progress, estimates, and of how many pairs."""
        progress, quality = self.progress(), self.quality()
        return {
            **progress._asdict(),
            "precision": quality.precision and quality.precision.to_dict(),
            "recall": quality.recall and quality.recall.to_dict(),
            "accept": self.accept,
            "pairs": sum(self.plan.sizes.values()),
            "joined": sum(size for name, size in self.plan.sizes.items() if name.joined),
            "in_doubt": self.plan.doubtful,
        }

    def _is_open(self, key: str) -> bool:
        return key not in self._answers and key not in self._skipped

    def _done(self, was_answer: bool) -> None:
        self._steps.append(was_answer)
        self._next = None
