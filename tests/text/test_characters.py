from __future__ import annotations

import re
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given

from menpai.errors import BrokenArtefactError
from menpai.text import normalize
from menpai.text.characters import characters
from tests import strategies

ROOT = Path(__file__).parents[2]
module = sys.modules["menpai.text.characters"]


def rows(name: str) -> list[list[str]]:
    lines = (ROOT / "resources" / name).read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")][1:]


def table() -> dict[str, str]:
    variants, common = (ROOT / "src/menpai/data/characters.txt").read_text("utf-8").split()
    return dict(zip(variants, common, strict=True))


def test_the_built_table_is_closed() -> None:
    built = table()
    assert not set(built.values()) & set(built)
    assert all(unicodedata.normalize("NFKC", char) == char for char in built.values())


def test_the_built_table_holds_what_the_resources_say() -> None:
    built = table()
    for variant, common in rows("variants.tsv"):
        assert built[variant] == built.get(common, common)
    for radical, ideograph, _ in rows("radicals.tsv"):
        assert built[radical] == built.get(ideograph, ideograph)
    assert not [char for char, _ in rows("protected_characters.tsv") if char in built]


def test_official_names_stay_as_they_are() -> None:
    lines = (ROOT / "src/menpai/data/divisions.tsv").read_text("utf-8")
    names = set(re.findall(r"[^\s\d,#]+", lines))
    assert len(names) > 30_000
    assert [name for name in names if normalize(name).text != name] == []


@given(strategies.any_text())
def test_one_table_does_what_folding_each_character_does(raw: str) -> None:
    common = table()
    parts = [module._fold(char, common) for char in raw]
    text, offsets = characters(raw)
    assert text == "".join(parts)
    assert list(offsets) == [at for at, part in enumerate(parts) for _ in part]


@given(strategies.any_text())
def test_no_character_is_left_that_would_be_folded(raw: str) -> None:
    text, _ = characters(raw)
    assert characters(text)[0] == text
    assert not re.search("[a-z]", text)
    assert not [c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co")]


@pytest.mark.parametrize("content", [None, "", "甲乙\n丙\n", b"\xff\xfe"])
def test_a_damaged_table_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str | bytes | None
) -> None:
    file = tmp_path / "characters.txt"
    if content is not None:
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    monkeypatch.setattr(module, "_FILE", file)
    with pytest.raises(BrokenArtefactError, match=r"characters\.txt"):
        module._read()
