"""The pictures of the docs show what menpai reads today, whole and in valid SVG."""

from __future__ import annotations

from typing import Literal
from xml.etree import ElementTree

import pytest

import menpai
from tools.draw_readings import EXAMPLES, FOLDER, picture

TEXT = "{http://www.w3.org/2000/svg}text"


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", EXAMPLES)
def test_picture_is_current(name: str, language: Literal["en", "zh"]) -> None:
    drawn = picture(EXAMPLES[name], language)
    assert (FOLDER / f"reading-{name}.{language}.svg").read_text("utf-8") == drawn, "run: make docs"
    texts = {item.text or "" for item in ElementTree.fromstring(drawn).iter(TEXT)}
    assert {element.text.strip() for element in menpai.parse(EXAMPLES[name]).elements} <= texts
    assert EXAMPLES[name] in texts
