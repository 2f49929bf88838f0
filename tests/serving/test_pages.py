"""The page's files: strict headers, nothing inline or from elsewhere, every file referred to is there."""

from __future__ import annotations

import re
import string

import pytest

from menpai.decide import READINGS
from menpai.evidence import FEATURES
from menpai.policy import POLICIES
from menpai.serving.pages import page_assets, reason_templates
from tests.serving.rig import Rig

NAMES = sorted(page_assets())


@pytest.mark.parametrize("path", ["/", *(f"/page/{name}" for name in NAMES)])
def test_each_file_is_served_once_and_then_from_the_browser_s_cache(rig: Rig, path: str) -> None:
    first = rig.run(rig.client.get(path))
    policy = first.headers["content-security-policy"]
    assert first.status_code == 200
    assert {"default-src 'none'", "script-src 'self'", "base-uri 'none'"} <= set(policy.split("; "))
    assert "unsafe" not in policy
    assert first.headers["x-content-type-options"] == "nosniff"
    again = rig.run(rig.client.get(path, headers={"if-none-match": first.headers["etag"]}))
    assert (again.status_code, again.content) == (304, b"")
    other = rig.run(rig.client.get(path, headers={"if-none-match": '"0"'}))
    assert other.content == first.content


@pytest.mark.parametrize("name", ["", "%2e%2e/pages.py", "index.js", "page.css/"])
def test_no_other_name_is_served(rig: Rig, name: str) -> None:
    assert rig.run(rig.client.get(f"/page/{name}")).status_code == 404


@pytest.mark.parametrize("name", [name for name in NAMES if name.endswith((".html", ".css", ".js"))])
def test_nothing_is_inline_or_comes_from_elsewhere(name: str) -> None:
    text = page_assets()[name].body.decode("utf-8")
    assert not re.search(r"(?:https?:)?//\w+\.\w|@import|url\(", text)
    assert not re.search(
        r"\b(?:innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval|Function)\b", text
    )
    if name.endswith(".html"):
        assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]+src=)", text)


def test_every_file_referred_to_is_there_and_every_file_is_referred_to() -> None:
    texts = {name: page_assets()[name].body.decode("utf-8") for name in NAMES}
    pages = set(re.findall(r'"/page/([^"]+)"', "".join(texts.values())))
    modules = set(re.findall(r'from "\./([^"]+)"', "".join(texts.values())))
    assert pages | modules | {"index.html"} == set(NAMES)


def test_every_word_of_the_page_is_known() -> None:
    html, words = (page_assets()[name].body.decode("utf-8") for name in ("index.html", "words.js"))
    scripts = "".join(page_assets()[name].body.decode("utf-8") for name in NAMES if name.endswith(".js"))
    known = set(re.findall(r"^  (\w+): \[", scripts, re.MULTILINE))
    assert set(re.findall(r'data-word="(\w+)"', html)) <= known
    assert set(re.findall(r'\bword\("(\w+)"', scripts)) <= known
    assert len(re.findall(r"^  \w+: \[\s*[\"']", words, re.MULTILINE)) > 60


def test_the_html_speaks_chinese_until_its_script_runs() -> None:
    html, words = (page_assets()[name].body.decode("utf-8") for name in ("index.html", "words.js"))
    for key, text in re.findall(r'data-word="(\w+)"[^>]*>([^<]+)<', html):
        found = re.search(rf'^  {key}: \[\s*"([^"]+)"', words, re.MULTILINE)
        assert found is None or found[1] == text


def test_reasons_have_templates_with_the_same_holes_in_both_languages() -> None:
    templates = reason_templates()
    assert set(templates) == {*(each.name for each in FEATURES), *POLICIES, *READINGS}
    for texts in templates.values():
        for each in texts:
            holes = [
                {name for _, name, _, _ in string.Formatter().parse(each[at]) if name} for at in ("zh", "en")
            ]
            assert holes[0] == holes[1]
