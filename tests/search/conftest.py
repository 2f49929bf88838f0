from __future__ import annotations

import pytest

from menpai.search import parts


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Libraries without indexes: for what concerns the storing of rows alone."""
    monkeypatch.setattr(parts, "PARTS", ())
