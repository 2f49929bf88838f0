"""The claims about pairs, one row each: tests/cases/pairs.tsv, judged by the built-in pack."""

from __future__ import annotations

import pytest

from menpai.address import LEVELS
from menpai.verdict import LABELS
from tests.judging import cases, matcher


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["id"])
def test_a_pair_is_judged_as_the_guide_says(case: dict[str, str]) -> None:
    verdict = matcher().match(case["a"], case["b"])
    found = (verdict.label, verdict.level, ",".join(c.element for c in verdict.conflicts) or "none")
    wanted = [case[column].split("/") for column in ("label", "level", "conflict")]
    assert all(f in w for f, w in zip(found, wanted, strict=True)), (
        f"{found}, wanted {wanted}: {case['note']}"
    )


def test_the_table_of_cases_is_sound() -> None:
    ids = [case["id"] for case in cases()]
    assert len(set(ids)) == len(ids)
    for case in cases():
        assert set(case["label"].split("/")) <= set(LABELS)
        assert set(case["level"].split("/")) <= set(LEVELS)
        assert case["conflict"] in ("none", *LEVELS)
        assert case["note"]
