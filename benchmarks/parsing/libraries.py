"""menpai and its peers behind one call: province, city and county of each text; absent peers are left out."""

# ruff: noqa: PLC0415 (a peer that is not installed is left out)
from __future__ import annotations

import contextlib
import importlib.metadata
import io
import warnings
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from menpai.address import Address
from menpai.parsing import parse
from menpai.parsing.gazetteer import default
from menpai.text import normalize

SHADOWS = frozenset(("", "市辖区", "县", "直辖区", "省直辖县级行政区划", "自治区直辖县级行政区划"))


class Answer(NamedTuple):
    """A division as names, "" for what is not given; names that only fill a level count as not given."""

    province: str
    city: str
    county: str

    def says(self, truth: Answer) -> bool:
        """Whether it is the same unit; a municipality's city may be called after it or left out."""
        same_city = (
            self.city == truth.city or not truth.city or {self.city, truth.city} <= {"", truth.province}
        )
        return self.province == truth.province and self.county == truth.county and same_city


Read = Callable[[Sequence[str]], list[list[Answer]]]


def answer(province: Any, city: Any, county: Any) -> Answer:
    """Names as the libraries give them (None, NaN, 市辖区) as an answer."""
    names = [
        name if isinstance(name, str) and name not in SHADOWS else "" for name in (province, city, county)
    ]
    if names[1] == names[0]:
        names[1] = ""
    return Answer(*names)


def of_code(code: str) -> Answer:
    """The names on the way to a unit of the gazetteer."""
    units = default()
    return answer(
        *(
            units.division(code[:end]).name if len(code) >= end and code[:end] in units else ""
            for end in (2, 4, 6)
        )
    )


def of_address(address: Address) -> list[Answer]:
    """The units that a reading leaves possible, to the county, most likely first."""
    return list(dict.fromkeys(of_code(division.code) for division in address.divisions))


def read_menpai(texts: Sequence[str]) -> list[list[Answer]]:
    """Readings of menpai, without any model."""
    return [of_address(parse(normalize(text))) for text in texts]


def peers() -> dict[str, Read]:
    """The peers that are installed, by name; warmed, silent."""
    found: dict[str, Read] = {}
    for name, make in (
        ("cpca", _cpca),
        ("JioNLP", _jionlp),
        ("addressparser", _addressparser),
        ("cnloc", _cnloc),
    ):
        with (
            contextlib.suppress(ImportError),
            warnings.catch_warnings(),
            contextlib.redirect_stdout(io.StringIO()),
        ):
            warnings.simplefilter("ignore")
            found[name] = make()
            found[name](["江苏省南京市鼓楼区中央路1号"])
    return found


def version(name: str) -> str:
    """The installed version of a peer."""
    return importlib.metadata.version(name)


def _cpca() -> Read:
    import cpca

    def read(texts: Sequence[str]) -> list[list[Answer]]:
        frame = cpca.transform(list(texts))
        return [_one(*row) for row in zip(frame["省"], frame["市"], frame["区"], strict=True)]

    return read


def _jionlp() -> Read:
    import jionlp

    def one(text: str) -> list[Answer]:
        try:
            found = jionlp.parse_location(text, town_village=False)
        except Exception:  # it raises on some texts; an answer is then not given
            return []
        return _one(found["province"], found["city"], found["county"])

    return lambda texts: [one(text) for text in texts]


def _addressparser() -> Read:
    import addressparser

    def read(texts: Sequence[str]) -> list[list[Answer]]:
        frame = addressparser.transform(list(texts))
        return [_one(*row) for row in zip(frame["省"], frame["市"], frame["区"], strict=True)]

    return read


def _cnloc() -> Read:
    import cnloc

    def read(texts: Sequence[str]) -> list[list[Answer]]:
        frame = cnloc.getlocation(list(texts), mode=1, max_workers=1)
        return [_one(*row) for row in zip(*(frame[c] for c in _columns(frame)), strict=True)]

    return read


def _columns(frame: Any) -> list[str]:
    """Its columns of full names."""
    return [
        next(c for c in frame.columns if level in c and "name" in c)
        for level in ("province", "city", "county")
    ]


def _one(province: Any, city: Any, county: Any) -> list[Answer]:
    found = answer(province, city, county)
    return [found] if any(found) else []
