"""Labels as people write them, read as classes: three (exact, partial, not) or two (same or not)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from menpai.errors import UsageError
from menpai.verdict import LABELS

EXACT, PARTIAL, NOT = LABELS
# 0/1/2 is the order of the public pair sets (CCKS 2021 track 3): not, partial, exact.
_THREE = {
    "exact_match": EXACT, "exact": EXACT, "2": EXACT, "完全匹配": EXACT, "完全一致": EXACT,
    "partial_match": PARTIAL, "partial": PARTIAL, "1": PARTIAL, "部分匹配": PARTIAL,
    "not_match": NOT, "not": NOT, "0": NOT, "不匹配": NOT, "不一致": NOT,
}  # fmt: skip
_TWO = {
    "1": True, "true": True, "yes": True, "same": True, "match": True, "是": True, "相同": True, "匹配": True,
    "0": False, "false": False, "no": False, "different": False, "否": False, "不同": False, "不匹配": False,
    "not_match": False,
}  # fmt: skip


def read_labels(
    cells: Sequence[tuple[int, Any]], path: str, two_class: bool = False
) -> list[str] | list[bool]:
    """A class for each (line, cell): truth values if the file has two classes only, else names of LABELS.

    0 and 1 without any 2 or name are two classes. A value of neither kind raises with its line.
    """
    texts = [(line, _plain(cell)) for line, cell in cells]
    seen = {text for _, text in texts}
    if two_class or (seen <= _TWO.keys() and not seen <= {"0", "不匹配", "not_match"}):
        return [_lookup(_TWO, line, text, path) for line, text in texts]
    return [_lookup(_THREE, line, text, path) for line, text in texts]


def read_positive(text: str) -> frozenset[str]:
    """The labels that count as the same place in a two-class file, from "exact" or "exact,partial"."""
    names = frozenset(_THREE.get(_plain(part), "") for part in text.split(","))
    if "" in names or len(names) == len(LABELS):
        raise UsageError("setting_invalid", name="positive", value=text, expected="exact | exact,partial",
                         source="--positive")  # fmt: skip
    return names


def _plain(cell: Any) -> str:
    """The cell as a key: 1, 1.0 and true of JSON or a spreadsheet are the texts 1, 1 and true."""
    return str("" if cell is None else cell).strip().casefold().removesuffix(".0")


def _lookup(classes: dict[str, Any], line: int, text: str, path: str) -> Any:
    if text not in classes:
        raise UsageError("label_unknown", path=path, line=line, value=text, known=" ".join(classes))
    return classes[text]
