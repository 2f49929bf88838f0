"""What a new pack changes, told from the shapes of recent pairs: their lengths and labels, never their texts."""

from __future__ import annotations

import math
import statistics
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from itertools import islice
from time import perf_counter
from typing import Any, NamedTuple

from menpai.errors import BrokenArtefactError
from menpai.matcher import Matcher
from menpai.verdict import LABELS, Verdict

RECENT = 2000
NOTED = 16  # of one batch
TRIAL = 64
# Repeated and cut to the lengths that were seen; the second begins elsewhere, so that labels differ.
_TEXT = "浙江省杭州市西湖区文三路一百二十三号海月花园三期12幢2单元1602室（北门进，靠近地铁口）"
_OTHERS = (_TEXT, _TEXT[3:], _TEXT.replace("12幢", "15幢"), _TEXT.replace("文三路", "文二路")[6:])


# Between them they need every table that is read at its first use: sounds and looks of characters, renamed units, zones,
# English, towns. Written for this purpose.
FIRST = (
    ("浙江省杭州市西湖区中山东路3号海月小区3号楼3单元103室", "杭州西湖中山东路4号海月小曲3栋"),
    ("上海市浦东新区张江高科技园区碧波路690号", "上海市南汇区张江镇碧波路690号8号楼"),
    (
        "北京市朝阳区建国门外大街1号国贸大厦A座",
        "Room 101, No. 1 Jianguomenwai Street, Chaoyang District, Beijing",
    ),
    ("陕西省西安市长安区王寺街道大苏村三组", "陕西省咸阳市王寺镇大苏村3组"),
)


class Shape(NamedTuple):
    """Of one pair: characters of both addresses, and the label it got."""

    a: int
    b: int
    label: str


class Shapes:
    """The shapes of the last RECENT pairs that were judged."""

    def __init__(self) -> None:
        self._shapes: deque[Shape] = deque(maxlen=RECENT)

    def note(self, pairs: Sequence[Any], answers: Sequence[Any]) -> None:
        """Remember some of a batch."""
        for (a, b), answer in islice(zip(pairs, answers, strict=True), NOTED):
            if isinstance(answer, Verdict):
                self._shapes.append(Shape(_length(a), _length(b), answer.label))

    def recent(self) -> list[Shape]:
        """Newest last."""
        return list(self._shapes)


def report(shapes: Sequence[Shape], old: Matcher, new: Matcher) -> dict[str, Any]:
    """How both matchers judge written pairs of the recent lengths; raises BrokenArtefactError if the new one cannot."""
    lengths = [(a, b) for a, b, _ in shapes[-TRIAL:]] or [(8 + n % 32, 9 + n % 29) for n in range(TRIAL)]
    longest = min(old.settings.max_length, new.settings.max_length)
    pairs = written((min(a, longest), min(b, longest)) for a, b in lengths)
    before, seconds_before = _timed(old, pairs)
    after, seconds_after = _timed(new, pairs)
    verify(pairs, after, new)
    seen = [length for a, b, _ in shapes for length in (a, b)]
    return {
        "recent": {
            "pairs": len(shapes),
            "length_median": round(statistics.median(seen)) if seen else 0,
            "length_max": max(seen, default=0),
            "labels": shares(label for _, _, label in shapes),
        },
        "trial": {
            "pairs": len(pairs),
            "labels_before": shares(map(_label, before)),
            "labels_after": shares(map(_label, after)),
            "changed": round(sum(map(str.__ne__, map(_label, before), map(_label, after))) / len(pairs), 3),
            "ms_before": round(1000 * seconds_before / len(pairs), 3),
            "ms_after": round(1000 * seconds_after / len(pairs), 3),
        },
    }  # fmt: skip


def verify(pairs: Sequence[Any], answers: Sequence[Any], matcher: Matcher) -> None:
    """Raise unless every pair has a verdict whose numbers are probabilities, and the same one when it comes alone."""
    for answer in answers:
        if not isinstance(answer, Verdict) or not math.isclose(
            math.fsum(answer.probabilities), 1, abs_tol=1e-4
        ):
            raise BrokenArtefactError("reload_refused", reason=f"{matcher.pack_id}: {answer!r:.80}")
    alone = matcher.match_many(pairs[:1])[0]
    if not isinstance(alone, Verdict) or alone.label != answers[0].label:
        raise BrokenArtefactError("reload_refused", reason=f"{matcher.pack_id}: alone ≠ in a batch")


def written(lengths: Iterable[tuple[int, int]]) -> list[tuple[str, str]]:
    """Pairs of these lengths, written here."""
    return [(_cut(_TEXT, a), _cut(_OTHERS[n % len(_OTHERS)], b)) for n, (a, b) in enumerate(lengths)]


def shares(labels: Iterable[str]) -> dict[str, float]:
    """The share of each label."""
    counts = Counter(labels)
    return {label: round(counts[label] / max(1, counts.total()), 3) for label in LABELS}


def _cut(text: str, length: int) -> str:
    return (text * (length // len(text) + 1))[: max(2, length)]


def _length(address: Any) -> int:
    text = address.get("text") if isinstance(address, dict) else address
    return len(text) if isinstance(text, str) else 0


def _label(answer: Any) -> str:
    return answer.label if isinstance(answer, Verdict) else ""


def _timed(matcher: Matcher, pairs: Sequence[Any]) -> tuple[list[Any], float]:
    matcher.forget()
    started = perf_counter()
    answers = matcher.match_many(pairs)
    return answers, perf_counter() - started
