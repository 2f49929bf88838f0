"""The pictures of the docs show what menpai reads today, whole and in valid SVG."""

from __future__ import annotations

from typing import Literal
from xml.etree import ElementTree

import pytest

from menpai.text import normalize
from tools.draw_readings import EXAMPLES, FOLDER, picture


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", EXAMPLES)
def test_picture_is_current(name: str, language: Literal["en", "zh"]) -> None:
    drawn = picture(EXAMPLES[name], language)
    assert (FOLDER / f"reading-{name}.{language}.svg").read_text("utf-8") == drawn, "run: make docs"
    texts = [
        item.text or "" for item in ElementTree.fromstring(drawn).iter("{http://www.w3.org/2000/svg}text")
    ]
    shown = "".join(texts).replace(" ", "")
    assert normalize(EXAMPLES[name]).text.replace(" ", "") in shown or name == "written"
    assert all(mark in shown for mark in texts[1:3])
