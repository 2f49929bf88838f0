from __future__ import annotations

import csv
from pathlib import Path

import pytest

from menpai.address import Address
from menpai.parsing import parse
from menpai.text import normalize

CASES = Path(__file__).parent.parent / "cases" / "parse.tsv"


def cases() -> list[dict[str, str]]:
    with CASES.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def written_out(address: Address) -> str:
    """All elements in order, then the codes of the possible deepest units, then the former names."""
    parts = [f"{e.kind}={e.value}" for e in address.elements]
    if address.divisions:
        parts.append("codes=" + ",".join(d.code for d in address.divisions))
    if address.former:
        parts.append("former=" + ",".join(f.written for f in address.former))
    return "; ".join(parts) or "-"


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["id"])
def test_case(case: dict[str, str]) -> None:
    assert written_out(parse(normalize(case["raw"]))) == case["expected"]


def test_case_ids_are_unique() -> None:
    ids = [case["id"] for case in cases()]
    assert len(set(ids)) == len(ids)
