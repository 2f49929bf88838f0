"""Weigh readings of a chain of divisions: what each has to assume, as a sum of named penalties."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from menpai.address import DivisionConflict
from menpai.parsing.gazetteer import LEVEL, Codes, Gazetteer
from menpai.parsing.meaning import Mention

# What a reading pays for each thing that it has to assume. A conflict on a finer level costs more, so that
# between two readings with as many conflicts the finer name is believed.
PENALTIES = {
    "conflict_province": 1.0,  # a name on this level disagrees with the rest
    "conflict_city": 1.1,
    "conflict_district": 1.2,
    "conflict_town": 0.6,  # towns are moved, and the list is not complete
    "conflict_short": 0.7,  # so does a name without its suffix
    "homonym": 0.4,  # several units have the name
    "short": 0.3,  # a name without its suffix, and nothing that supports it
    "skipped": 0.2,  # something stands before the divisions
    "misspelt": 0.2,  # a city that does not exist stands before its district
    "order": 0.1,  # a unit stands before its parent
}
# Other readings that cost this much more than the best are not worth a word.
_MARGIN = 1.0
_OTHERS = 3


class Reading(NamedTuple):
    """The units that a chain means in one reading, its names that agree and those that do not."""

    penalty: float
    codes: Codes
    agreeing: tuple[Mention, ...]
    disagreeing: tuple[Mention, ...] = ()


def weigh(mentions: Sequence[Mention], codes: Codes) -> list[Reading]:
    """The reading of names that agree with each other; `codes` are the units that they leave possible.

    A town that lies in another district than the written one gives a second reading, which believes the town.
    """
    named = tuple([m for m in mentions if m.codes])
    moved = [m for m in named if m.moved]
    penalty = _assumed(named) + (PENALTIES["homonym"] if len(codes) > 1 and not moved else 0.0)
    torn = [m for m in moved if not m.past]
    if not torn:
        return [Reading(penalty, codes, named)]
    rest = tuple(m for m in named if m not in torn)
    first = Reading(round(penalty + PENALTIES["conflict_town"], 2), codes, rest, tuple(torn))
    leaf = torn[0].codes
    agreeing = tuple(m for m in named if m is torn[0] or any(leaf[0].startswith(c) for c in m.codes))
    against = tuple(m for m in named if m not in agreeing)
    other = Reading(round(penalty + PENALTIES["conflict_district"], 2), leaf, agreeing, against)
    return [first, other]


def _assumed(named: Sequence[Mention]) -> float:
    """What has to be assumed of the names, one by one."""
    penalty = PENALTIES["short"] if len(named) == 1 and not named[0].full else 0.0
    depth = 0
    for mention in named:
        if len(mention.codes[0]) < depth:
            penalty += PENALTIES["order"]
        depth = len(mention.codes[0])
    return penalty


def rank(mentions: Sequence[Mention]) -> list[Reading]:
    """Readings of names that contradict each other, cheapest first: each believes one of the deepest units named."""
    named = [m for m in mentions if m.codes]
    all_codes = tuple(dict.fromkeys(code for m in named for code in m.codes))
    grouped: dict[tuple[bool, ...], list[str]] = {}
    for leaf in all_codes:
        if not any(other != leaf and other.startswith(leaf) for other in all_codes):
            agrees = tuple(any(leaf.startswith(code) for code in m.codes) for m in named)
            grouped.setdefault(agrees, []).append(leaf)
    readings = [_reading(named, agrees, tuple(leaves)) for agrees, leaves in grouped.items()]
    readings.sort(key=lambda reading: (reading.penalty, -len(reading.codes[0])))
    limit = readings[0].penalty + _MARGIN
    return [reading for reading in readings[: _OTHERS + 1] if reading.penalty <= limit]


def _reading(named: Sequence[Mention], agrees: Iterable[bool], codes: Codes) -> Reading:
    agreeing = tuple(m for m, agreed in zip(named, agrees, strict=True) if agreed)
    disagreeing = tuple(m for m in named if m not in agreeing)
    penalty = PENALTIES["homonym"] if len(codes) > 1 else 0.0
    for mention in disagreeing:
        penalty += PENALTIES[f"conflict_{mention.kind}" if mention.full else "conflict_short"]
    return Reading(round(penalty, 2), codes, agreeing, disagreeing)


def conflicts(text: str, reading: Reading) -> tuple[DivisionConflict, ...]:
    """The names that the reading does not believe, each with the believed name that speaks against it."""
    found = []
    for mention in reading.disagreeing:
        against = next((m for m in reading.agreeing if not _fit(m.codes, mention.codes)), None)
        if against is None and reading.agreeing:
            against = reading.agreeing[-1]
        found.append(
            DivisionConflict(
                text[mention.start : mention.end],
                mention.kind,
                mention.start,
                mention.end,
                mention.codes,
                text[against.start : against.end] if against else "",
            )
        )
    return tuple(found)


def order(gazetteer: Gazetteer, codes: Codes, written: set[str]) -> Codes:
    """Homonyms, most likely first: those that bear the very name, then capitals, then larger cities.

    Of two 朝阳区 the one in Beijing is meant more often than the one in Changchun.
    """
    if len(codes) < 2 or len({code[:4] for code in codes}) < 2:
        return codes
    sizes = _sizes(gazetteer)

    def unlikely(code: str) -> tuple[bool, bool, int]:
        capital = code[2:4] == "01" and code < "7"
        return gazetteer.division(code).name not in written, not capital, -sizes[code[:4]]

    return tuple(sorted(codes, key=unlikely))


@lru_cache(8)
def _sizes(gazetteer: Gazetteer) -> Counter[str]:
    """The size of each city, counted in its towns; an urban one (街道) counts as three."""
    sizes: Counter[str] = Counter()
    for code in gazetteer:
        unit = gazetteer.unit(code)
        if unit and unit.towns:
            sizes[code[:4]] += 1 + unit.towns.count(",") + 2 * unit.towns.count("街道")
    return sizes


def settled_by(codes: Codes) -> tuple[str, ...]:
    """The levels above that would tell the possible units apart: ("province", "city") for the two 朝阳区."""
    if len(codes) < 2:
        return ()
    depth = min(map(len, codes))
    levels = tuple(
        level
        for digits, level in LEVEL.items()
        if digits < depth and len({c[:digits] for c in codes}) == len(codes)
    )
    return levels or (("town",) if depth < 9 else ("community",))


def _fit(a: Codes, b: Codes) -> bool:
    """Whether a unit of the one is, or lies in, a unit of the other."""
    return any(x.startswith(y) or y.startswith(x) for x in a for y in b)
