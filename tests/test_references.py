"""Generated pages are what their generators write today, and name everything there is."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from menpai.decide import READINGS
from menpai.evidence import FEATURES
from menpai.policy import POLICIES
from menpai.settings import Settings
from tools import build_evidence_reference, build_settings_reference

ROOT = Path(__file__).parents[1]
GENERATORS = {"settings": build_settings_reference, "evidence": build_evidence_reference}


def _read(language: str, name: str) -> str:
    return (ROOT / "docs" / language / f"{name}.md").read_text("utf-8")


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", GENERATORS)
def test_page_is_current(name: str, language: str) -> None:
    assert _read(language, name) == GENERATORS[name].page(language), "run: make docs"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_setting_is_explained(language: str) -> None:
    page = _read(language, "settings")
    assert all(f"| `{field.name}` | `MENPAI_{field.name.upper()}` |" in page for field in fields(Settings))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_reason_is_explained(language: str) -> None:
    page = _read(language, "evidence")
    assert all(
        f"| `{name}` |" in page for name in [*READINGS, *POLICIES, *(feature.name for feature in FEATURES)]
    )


def test_settings_table_has_no_row_too_many() -> None:
    assert set(build_settings_reference.chinese()) == {field.name for field in fields(Settings)}
