from __future__ import annotations

from pathlib import Path

import pytest

from menpai.errors import BrokenArtefactError
from menpai.text import pinyin

NAMES = Path(__file__).parents[2] / "src/menpai/data/divisions.tsv"


@pytest.mark.parametrize(
    ("char", "syllables"),
    [("门", ("men",)), ("牌", ("pai",)), ("潍", ("wei",)), ("长", ("zhang", "chang")),
     ("绿", ("lv", "lu")), ("A", ()), ("7", ())],
)  # fmt: skip
def test_how_a_character_sounds(char: str, syllables: tuple[str, ...]) -> None:
    assert set(pinyin.syllables(char)) == set(syllables)


def test_every_character_of_the_divisions_has_a_sound() -> None:
    characters = {char for char in NAMES.read_text("utf-8") if "\u4e00" <= char <= "\u9fff"}
    assert len(characters) > 3000
    assert [char for char in sorted(characters) if not pinyin.syllables(char)] == []


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("zhang", "zan", True), ("shi", "si", True), ("nan", "lan", True), ("jing", "jin", True),
        ("feng", "fen", True), ("chang", "zhang", False), ("hua", "fa", False), ("dong", "don", False),
    ],
)  # fmt: skip
def test_syllables_that_are_mixed_up(one: str, other: str, same: bool) -> None:
    assert (pinyin.blurred(one) == pinyin.blurred(other)) is same


@pytest.mark.parametrize("content", [None, "wei", "wei\t维\t他\nta\n"])
def test_a_damaged_table_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str | None
) -> None:
    (tmp_path / "data").mkdir()
    if content is not None:
        (tmp_path / "data" / "pinyin.tsv").write_text(content, "utf-8")
    monkeypatch.setattr(pinyin, "_FILE", tmp_path / "data" / "pinyin.tsv")
    pinyin._table.cache_clear()
    with pytest.raises(BrokenArtefactError, match=r"pinyin\.tsv"):
        pinyin.syllables("维")
