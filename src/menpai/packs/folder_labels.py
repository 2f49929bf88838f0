"""Which labels a model folder has, and in which order: the order must come from the folder, never from habit.

Places and their order are those of ModelScope (`utils/hub.py`): label_mapping.json, then `model` and `preprocessor`
in configuration.json, then config.json; in each, label2id before id2label, whose ids may be texts or numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from menpai.errors import BrokenArtefactError
from menpai.verdict import LABELS

Json = Mapping[str, Any]

# Other names that people give to the three labels.
_SAME = {
    "exact": "exact_match", "partial": "partial_match", "not": "not_match",
    "完全匹配": "exact_match", "部分匹配": "partial_match", "不匹配": "not_match",
}  # fmt: skip


class FoundLabels(NamedTuple):
    """Labels in the order of the model's outputs, and the place that says so."""

    labels: tuple[str, ...]
    place: str


def find_labels(mapping: Json, configuration: Json, config: Json) -> FoundLabels:
    """The labels of the first place that has any; none where no place has."""
    model, preprocessor = (_part(configuration, name) for name in ("model", "preprocessor"))
    places = [
        ("label_mapping.json", mapping),
        *(
            (f"{file}: {key}", _part(part, key))
            for file, part in (
                ("configuration.json, model", model),
                ("configuration.json, preprocessor", preprocessor),
                ("config.json", config),
            )
            for key in ("label2id", "id2label")
        ),
    ]
    return next(
        (FoundLabels(_ordered(place, table), place) for place, table in places if table), FoundLabels((), "")
    )


def pair_labels(found: FoundLabels, folder: str) -> tuple[str, ...]:
    """The three labels under our names, in the model's order; refuses any other set by name."""
    labels = tuple(_SAME.get(label, label) for label in found.labels)
    if not labels:
        raise BrokenArtefactError("labels_missing", folder=folder)
    if sorted(labels) != sorted(LABELS):
        raise BrokenArtefactError(
            "labels_unknown",
            folder=folder,
            place=found.place,
            labels=", ".join(labels),
            known=", ".join(LABELS),
        )
    return labels


def _part(value: Json, key: str) -> Json:
    part = value.get(key)
    return part if isinstance(part, Mapping) else {}


def _ordered(place: str, table: Json) -> tuple[str, ...]:
    """Labels by id, from label → id or id → label; refuses ids that are not 0, 1, 2, …"""
    turned = all(_is_id(value) for value in table.values()) and not all(_is_id(key) for key in table)
    by_id: dict[int, str] = {}
    for key, value in table.items():
        label, number = (key, value) if turned else (value, key)
        if not _is_id(number) or not isinstance(label, str):
            raise BrokenArtefactError(
                "label_ids_wrong", place=place, key=str(key)[:40], value=str(value)[:40]
            )
        by_id[int(number)] = label
    if sorted(by_id) != list(range(len(table))):
        raise BrokenArtefactError("label_ids_wrong", place=place, key="", value=str(sorted(by_id))[:80])
    return tuple(by_id[at] for at in range(len(by_id)))


def _is_id(value: object) -> bool:
    """A whole number, or one as text; no folder has a million labels."""
    text = value if isinstance(value, str) else str(value) if type(value) is int else ""
    return text.isdecimal() and len(text) <= 6


def split_labels(given: str) -> Sequence[str]:
    """The labels of a `--labels a,b,c`."""
    return [label.strip() for label in given.split(",") if label.strip()]
