"""A reading in the columns of a style: the same for the command line, tables and the service."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from menpai.address import DIVISION_LEVELS, Address
from menpai.errors import UsageError, near
from menpai.parsing import styles
from menpai.parsing.completeness import completeness
from menpai.parsing.gazetteer import Gazetteer

ELEMENTS = (
    "province", "city", "district", "town", "community", "village_group", "devzone", "road", "roadno", "poi",
    "subpoi", "building", "unit", "floor", "room",
)  # fmt: skip
# Elements that place something beside something else, and what a person should look at.
BESIDE = ("intersection", "distance", "assist")
NOTED = ("zones", "former", "conflicts", "corrections")
# What follows the columns of every other style: code of 12 digits, how far the address goes, what it lacks, which
# former names it has, which divisions disagree and which words look like slips.
JUDGED = ("code", "grade", "missing", "former", "doubt")
STYLES: dict[str, tuple[str, ...]] = {
    "elements": (*ELEMENTS, "code", "level", *BESIDE, *NOTED),
    "fields": (*styles.FIELDS, *JUDGED),
    "line": ("standard", *JUDGED),
    "gbt": (*styles.GBT, *JUDGED),
}


def check(style: str, convention: str | None) -> None:
    """Raises UsageError for a style or convention that is none, and for a convention that would change nothing."""
    for name, value, known in (("style", style, STYLES), ("convention", convention, styles.CONVENTIONS)):
        if value is not None and value not in known:
            raise UsageError("option_value", name=name, value=str(value)[:40], known=", ".join(known),
                             **near(str(value), known))  # fmt: skip
    if convention is not None and style == "elements":
        raise UsageError("option_unused", name="convention", needs="style fields, line, gbt")


def styled(
    address: Address, style: str, convention: str | None = None, units: Gazetteer | None = None
) -> dict[str, Any]:
    """Column → cell; names are those of `units`, the convention the style's own if none is given."""
    if style == "elements":
        return _elements(address)
    whole = completeness(address, units)
    return {
        **{name: cell or None for name, cell in written_out(address, style, convention, units).items()},
        "code": styles.code12(address) or None,
        "grade": whole.grade,
        "missing": list(whole.missing) or None,
        "former": _former(address) or None,
        "doubt": (_conflicts(address) + _corrections(address)) or None,
    }


def written_out(
    address: Address, style: str, convention: str | None = None, units: Gazetteer | None = None
) -> dict[str, str]:
    """Column → text of a style other than elements."""
    if style == "line":
        return {"standard": styles.line(address, convention or "empty", units)}
    return (styles.fields if style == "fields" else styles.gbt)(address, convention or "repeat", units)


def _elements(address: Address) -> dict[str, Any]:
    """Divisions by official name, other elements as written, possible codes, level, what was noticed."""
    return {
        **_cells(address, ELEMENTS),
        "code": [division.code for division in address.divisions],
        "level": address.level,
        **_cells(address, BESIDE),
        "zones": [zone.name for zone in address.zones] or None,
        "former": _former(address) or None,
        "conflicts": _conflicts(address) or None,
        "corrections": _corrections(address) or None,
    }


def _cells(address: Address, kinds: Iterable[str]) -> dict[str, str | list[str] | None]:
    return {kind: _cell(address, kind) for kind in kinds}


def _cell(address: Address, kind: str) -> str | list[str] | None:
    found = [e.value if kind in DIVISION_LEVELS else e.text for e in address.all(kind)]
    return (found[0] if len(found) == 1 else found) or None


def _former(address: Address) -> list[str]:
    """闸北区 → 310106."""
    return [f"{former.written} → {', '.join(former.codes)}" for former in address.former]


def _conflicts(address: Address) -> list[str]:
    """南山区 ≠ 南昌市."""
    return [f"{conflict.written} ≠ {conflict.against}" for conflict in address.conflicts]


def _corrections(address: Address) -> list[str]:
    """清浦区 → 青浦区, for a likely slip."""
    return [f"{typo.written} → {typo.suggested}" for typo in address.corrections]
