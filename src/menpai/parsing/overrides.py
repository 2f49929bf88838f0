"""Divisions, names and places that a user adds in one CSV file; they stand beside the built tables.

Columns: kind, name, parent, code, aliases, note. kind is `division` (a unit that the tables lack), `alias` (other
names of a unit) or `place` (an estate or POI with its other names and the division it lies in). `parent` and the
name of an alias are a code or names from the province down; `aliases` are separated by |.
"""

from __future__ import annotations

import io
import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from menpai.address import Address, Element, Normalized, Remark
from menpai.errors import UsageError, near, render
from menpai.parsing import values
from menpai.parsing.gazetteer import Codes, Gazetteer, Known
from menpai.parsing.written import SUFFIX, Kinds, index_lines, short, written_forms
from menpai.settings import spoken_language

COLUMNS = ("kind", "name", "parent", "code", "aliases", "note")
KINDS = ("division", "alias", "place")
_PLACES = frozenset(("poi", "road", "community"))


class OverrideWarning(UserWarning):
    """An override that shadows an official name."""


class Row(NamedTuple):
    """A row of the file and where it stands."""

    file: str
    line: int
    kind: str
    name: str
    parent: str
    code: str
    aliases: tuple[str, ...]

    def broken(self, problem: str, /, **details: object) -> UsageError:
        """What is wrong with this row, with the file, the line and the cure."""
        return UsageError(problem, file=self.file, line=self.line, **details)


def load(path: str, base: Gazetteer) -> Gazetteer:
    """The gazetteer with the rows of the file; raises UsageError for a file or row that cannot be used."""
    units: dict[str, str] = {}
    forms: dict[str, Kinds] = defaultdict(lambda: defaultdict(set))
    places: dict[str, tuple[Known, ...]] = {}
    grown = base
    for row in _rows(path):
        if row.kind == "division":
            code = _new_code(row, grown)
            for written, kinds in written_forms({code: row.name}).items():
                _add(row, base, forms, written, kinds)
            _add(row, base, forms, row.name, {"F": {code}}, row.aliases)
            units.update(_unit_lines(grown, code, row.name))
            grown = base.extended(units, {}, {})
        elif row.kind == "alias":
            _add(row, base, forms, "", {"": {_code(row, row.code or row.name, grown)}}, row.aliases)
        else:
            parent = _code(row, row.parent, grown) if row.parent else ""
            known = Known(row.name, values.place(row.name), parent)
            for name in (row.name, *row.aliases):
                key = values.place(name)
                places[key] = (*places.get(key, ()), known)
    return base.extended(units, dict(index_lines(forms)), places)


def rename_places(gazetteer: Gazetteer, address: Address) -> Normalized:
    """The text with known places by their one name, so that everything that reads it sees the same; offsets lead back
    to what was written."""
    old = address.normalized
    text, offsets, remarks = old.text, old.offsets, old.remarks
    for element, known in reversed(_known(gazetteer, address)):
        if element.text != known.name:
            after = text[element.end :]
            # 望京SOHO T1, not 望京SOHOT1.
            name = known.name + (
                " " if (known.name[-1] + after[:1]).isascii() and after[:1].isalnum() else ""
            )
            last = element.end - 1
            origin = tuple(offsets[min(element.start + i, last)] for i in range(len(name)))
            text = text[: element.start] + name + after
            offsets = offsets[: element.start] + origin + offsets[element.end :]
            remarks = _shifted(remarks, element.end, len(name) - len(element.text))
    if text == old.text:
        return old
    return replace(old, text=text, offsets=offsets, remarks=remarks, steps=(*old.steps, "overrides"))


def _shifted(remarks: tuple[Remark, ...], since: int, by: int) -> tuple[Remark, ...]:
    return tuple(r if r.start < since else r._replace(start=r.start + by, end=r.end + by) for r in remarks)


def apply_places(gazetteer: Gazetteer, address: Address) -> Address:
    """The address with its known places as such, and their division where the text names none."""
    found = _known(gazetteer, address)
    if not found:
        return address
    values_of = {element: known.value for element, known in found}
    elements = tuple(
        e._replace(kind="poi", value=values_of[e], source="gazetteer", confidence=1.0)
        if e in values_of
        else e
        for e in address.elements
    )
    parents = tuple(dict.fromkeys(known.parent for _, known in found if known.parent))
    settled = [d for d in address.divisions if parents and len(d.code) >= len(parents[0])]
    divisions = address.divisions if settled or not parents else tuple(map(gazetteer.division, parents))
    return replace(address, elements=elements, divisions=divisions)


def _known(gazetteer: Gazetteer, address: Address) -> list[tuple[Element, Known]]:
    """The elements that are known places, with the place each means here."""
    codes = tuple(division.code for division in address.divisions)
    named = ((e, gazetteer.places.get(e.value, ())) for e in address.elements if e.kind in _PLACES)
    return [(e, known) for e, places in named if (known := _fitting(places, codes)) is not None]


def _fitting(known: Sequence[Known], codes: Codes) -> Known | None:
    """The place that lies in, or around, one of these divisions; the first if the text names none."""
    fits = (
        k for k in known if not codes or any(c.startswith(k.parent) or k.parent.startswith(c) for c in codes)
    )
    return next(fits, None)


def _rows(path: str) -> Iterator[Row]:
    """The rows of the file, each of a known kind and with what that kind needs."""
    import csv  # noqa: PLC0415 (few have overrides)

    reader = csv.reader(io.StringIO(_text(path), newline=""))
    header = [cell.strip().lower() for cell in next(reader, [])]
    missing = [name for name in COLUMNS[:2] if name not in header]
    if missing:
        raise UsageError("override_header", file=path, missing=", ".join(missing), columns=",".join(COLUMNS))
    for cells in reader:
        if any(cell.strip() for cell in cells) and not cells[0].startswith("#"):
            yield _row(path, reader.line_num, dict(zip(header, map(str.strip, cells), strict=False)))


def _row(path: str, line: int, cells: Mapping[str, str]) -> Row:
    get = cells.get
    aliases = tuple(alias.strip() for alias in get("aliases", "").split("|") if alias.strip())
    row = Row(path, line, get("kind", ""), get("name", ""), get("parent", ""), get("code", ""), aliases)
    if row.kind not in KINDS:
        raise row.broken("override_kind", kind=row.kind, **near(row.kind, KINDS))
    if len(row.name) < 2 or any(len(alias) < 2 for alias in aliases):
        raise row.broken("override_name", name=row.name)
    if row.kind == "alias" and not aliases:
        raise row.broken("override_no_alias", name=row.name)
    return row


def _text(path: str) -> str:
    """The file as UTF-8 or GB18030."""
    try:
        raw = Path(path).read_bytes()
    except OSError as error:
        raise UsageError("override_file", file=path, reason=error.strerror or str(error)) from error
    for encoding in ("utf-8-sig", "gb18030"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise UsageError("override_file", file=path, reason="UTF-8, GB18030?")


def _code(row: Row, written: str, gazetteer: Gazetteer) -> str:
    """The one unit that a code or names from the province down mean."""
    if written.isdigit():
        code = short(written[:9] if len(written) == 12 else written)
        found = {code} if code in gazetteer else set()
    else:
        found = set(_codes_of(gazetteer, written, ()))
    if len(found) != 1:
        raise row.broken("override_unit", written=written, count=len(found))
    return next(iter(found))


def _codes_of(gazetteer: Gazetteer, written: str, context: Codes) -> Iterator[str]:
    """Codes of the last of several names that follow each other."""
    for form in gazetteer.forms(written[:2]):
        if written.startswith(form.rest, 2):
            rest = written[form.length :]
            codes = tuple(c for c in (*form.full, *form.short) if not context or c.startswith(context))
            yield from _codes_of(gazetteer, rest, codes) if rest and codes else codes if not rest else ()


def _new_code(row: Row, gazetteer: Gazetteer) -> str:
    """The code of an added unit: free, and below that of its parent."""
    parent = _code(row, row.parent, gazetteer) if row.parent else ""
    code = short(row.code) if row.code.isdigit() and len(row.code) in (4, 6, 9) else ""
    if not code or not code.startswith(parent) or len(code) <= len(parent) or not gazetteer.parent(code):
        raise row.broken("override_code", given=row.code, parent=parent or row.parent)
    if code in gazetteer and gazetteer.division(code).name != row.name:
        raise row.broken("override_taken", given=code, name=gazetteer.division(code).name)
    return code


def _unit_lines(gazetteer: Gazetteer, code: str, name: str) -> dict[str, str]:
    """The lines of the units table that a new unit changes: its own, or that of its district for a town."""
    if len(code) < 9:
        return {code: f"{name}\t"}
    parent = gazetteer.parent(code)
    unit = gazetteer.unit(parent)
    assert unit is not None
    return {parent: f"{unit.name}\t{','.join(filter(None, (unit.towns, code[6:] + name)))}"}


def _add(
    row: Row,
    base: Gazetteer,
    forms: dict[str, Kinds],
    written: str,
    kinds: Mapping[str, Iterable[str]],
    aliases: Sequence[str] = (),
) -> None:
    """Note a written form and its aliases; say so where one shadows a name of the built tables."""
    codes = {code for found in kinds.values() for code in found}
    for name in (written, *aliases) if written else aliases:
        # A town may have a namesake elsewhere: only one beside it is shadowed.
        parents = tuple(code[:6] if len(code) == 9 else base.parent(code) for code in codes)
        near_by = parents if name == written else ("",)
        named = (c for f in base.forms(name[:2]) if f.rest == name[2:] for c in f.full)
        official = [c for c in named if c not in codes and c.startswith(near_by)]
        if official:
            _warn(row, base, name, codes, official)
        for kind, found in kinds.items():
            wanted = kind if name == written and kind else "F" if SUFFIX.search(name) else "S"
            forms[name][wanted] |= set(found)


def _warn(row: Row, base: Gazetteer, name: str, codes: Iterable[str], official: Sequence[str]) -> None:
    own, theirs = ", ".join(sorted(codes)), ", ".join(f"{c} {base.division(c).name}" for c in official[:3])
    details = {"file": row.file, "line": row.line, "name": name, "own": own, "official": theirs}
    text = " - ".join(render("override_shadows", details, spoken_language()))
    warnings.warn(text, OverrideWarning, stacklevel=2)


def with_overrides(base: Gazetteer, path: str) -> Gazetteer:
    """The gazetteer with the overrides of the file, read once for each state of the file; itself for ""."""
    return _opened(base, path, overrides_digest(path)) if path else base


def overrides_digest(path: str) -> str:
    """Hex digest of the file; "" for none."""
    import hashlib  # noqa: PLC0415 (few have overrides)

    return hashlib.sha256(_text(path).encode()).hexdigest() if path else ""


@lru_cache(32)
def _opened(base: Gazetteer, path: str, digest: str) -> Gazetteer:
    return load(path, base)
