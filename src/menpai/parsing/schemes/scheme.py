"""The schemes as one table: what each calls the parts of an address, and how it marks them.

Read off the published sets: CCKS 2021 track 2 (the training set of GeoETA), Li et al. 2019 (leodotnet) and
SuperMap's address tagger (swei412). A dash says that the scheme leaves the part untagged.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from menpai.address import ELEMENTS
from menpai.errors import UsageError, near
from menpai.parsing.schemes.spans import OUTSIDE

# The parts are our kinds and what the schemes tell apart beyond them:
#   lane         54弄 between a road and a number      side_road     the second of two roads that follow each other
#   lane_number  the number in a lane                  side_number   its number
#   door         a number that follows no road         section       东段 behind a road
#   yard         12号院 on a road                      part_yard     12号院 in an estate
#   park         an industrial park by its name        direction     an assist that points: 对面, 往北
#   join         与 between two roads                  dash          the sign between two numbers
#   hamlet       a village below another one           dropped       repeated or meaningless: normalize drops it
#   block        a 社区 that has numbered buildings
_TABLE = """
part           ccks           mgeo           leodotnet   swei412
province       prov           prov           prov        prov
city           city           city           city        city
district       district       district       district    district
town           town           town           town        town
community      community      community      community   community
block          community      community      community   poi
hamlet         community      community      community   village
village_group  village_group  village_group  road        group
devzone        devzone        devzone        devZone     devzone
park           devzone        devzone        poi         devzone
road           road           road           road        road
section        assist         assist         subRoad     -
side_road      road           road           subRoad     road
lane           road           road           subRoad     roadno
roadno         roadno         roadno         roadno      roadno
lane_number    roadno         roadno         subroadno   houseno
side_number    roadno         roadno         subroadno   roadno
door           houseno        houseno        roadno      houseno
yard           poi            poi            poi         roadno
part_yard      subpoi         subpoi         subpoi      subpoi
intersection   intersection   intersection   assist      intersection
join           -              -              assist      redundant
poi            poi            poi            poi         poi
subpoi         subpoi         subpoi         subpoi      subpoi
building       houseno        houseno        houseno     houseno
unit           cellno         cellno         cellno      cellno
floor          floorno        floorno        floorno     floorno
room           -              roomno         roomno      roomno
dash           -              -              redundant   redundant
distance       distance       distance       assist      distance
direction      assist         assist         assist      direction
assist         assist         assist         assist      assist
country        -              -              country     redundant
dropped        -              -              redundant   redundant
"""
# How each marks first, inner, last and only token; tags that no part of ours answers to.
_MARKS = {"ccks": "BIES", "mgeo": "BIES", "leodotnet": "BIIB", "swei412": "BMES", "menpai": "BIES"}
_MORE = {"leodotnet": ("person", "otherinfo"), "swei412": ("subroad",)}


@dataclass(frozen=True, slots=True)
class Scheme:
    """A tag set: its tags, its marks (first, inner, last, only), and the tag of each part ("" for none)."""

    name: str
    tags: tuple[str, ...]
    marks: str
    parts: Mapping[str, str] = field(repr=False)

    @property
    def labels(self) -> tuple[str, ...]:
        """Every label that a token can have, O first."""
        marks = dict.fromkeys(self.marks)
        return (OUTSIDE, *(f"{mark}-{tag}" for tag in self.tags for mark in marks))

    def fold(self, label: str) -> str:
        """The label as the scheme writes it: leodotnet varies in case (subroad, subRoad)."""
        mark, _, tag = label.partition("-")
        return f"{mark}-{self._folded.get(tag.casefold(), tag)}" if tag else label

    def tags_named(self, names: Iterable[str]) -> frozenset[str]:
        """These of its tags, in any case; another name raises UsageError."""
        found = {name: self._folded.get(name.strip().casefold()) for name in names}
        if wrong := [name for name, tag in found.items() if tag is None]:
            raise UsageError("tags_unknown", scheme=self.name, tag=wrong[0].strip(), known=", ".join(self.tags),
                             **near(wrong[0].strip(), self.tags))  # fmt: skip
        return frozenset(filter(None, found.values()))

    @property
    def _folded(self) -> dict[str, str]:
        return {tag.casefold(): tag for tag in self.tags}


def _read() -> dict[str, Scheme]:
    head, *rows = [line.split() for line in _TABLE.strip().splitlines()]
    schemes = {}
    for column, name in enumerate(head[1:], 1):
        parts = {row[0]: row[column].replace("-", "") for row in rows}
        tags = tuple(dict.fromkeys(filter(None, (*parts.values(), *_MORE.get(name, ())))))
        schemes[name] = Scheme(name, tags, _MARKS[name], parts)
    own = Scheme("menpai", ELEMENTS, _MARKS["menpai"], {kind: kind for kind in ELEMENTS})
    return {**schemes, "menpai": own}


SCHEMES = _read()


def scheme_named(name: str) -> Scheme:
    """The scheme of this name; another name raises UsageError with the nearest known one."""
    if name not in SCHEMES:
        raise UsageError("scheme_unknown", name=name, known=", ".join(SCHEMES), **near(name, SCHEMES))
    return SCHEMES[name]


def find_scheme(labels: Iterable[str], path: str) -> Scheme:
    """The first scheme that knows all tags and marks of a file, else all its tags; none raises UsageError."""
    pairs = {label.partition("-")[::2] for label in labels if label != OUTSIDE}
    marks, tags = {mark for mark, _ in pairs}, {tag.casefold() for _, tag in pairs}
    if not pairs:
        raise UsageError("all_outside", path=path)
    fitting = [s for s in SCHEMES.values() if tags <= {tag.casefold() for tag in s.tags}]
    if not fitting:
        known = {tag.casefold() for scheme in SCHEMES.values() for tag in scheme.tags}
        raise UsageError("scheme_not_found", path=path, tags=", ".join(sorted(tags - known) or sorted(tags)),
                         known=", ".join(SCHEMES))  # fmt: skip
    return next((s for s in fitting if marks <= set(s.marks)), fitting[0])
