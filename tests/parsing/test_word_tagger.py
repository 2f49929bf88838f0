from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from menpai.packs import open_pack
from menpai.parsing.spans import Span
from menpai.parsing.tagger import Tagger
from menpai.parsing.word_tagger import WordTagger, open_any_tagger
from tests.bert import tiny_pack
from tools.random_mgeo import TASKS

LABELS = ["O", "B-road", "I-road", "E-road", "S-road", "B-poi", "I-poi", "E-poi", "S-poi"]


class Said:
    """An engine that says the label of each token."""

    def __init__(self, labels: list[str]) -> None:
        self.labels = labels

    def run(self, inputs: Any) -> np.ndarray:
        scores = np.zeros((*inputs["input_ids"].shape, len(LABELS)), dtype=np.float32)
        for at, label in enumerate(self.labels, 1):
            scores[0, at, LABELS.index(label)] = 9
        return scores


def spans(text: str, labels: str, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    tagger = WordTagger(tiny_pack("elements"), Said(labels.split()))
    monkeypatch.setattr(tagger, "_labels", LABELS)
    return [(span.kind, text[span.start : span.end]) for span in tagger.tag([text])[0]]


@pytest.mark.parametrize(
    ("labels", "found"),
    [
        ("B-road I-road E-road", [("road", "文三路")]),
        ("B-road E-road S-poi", [("road", "文三"), ("poi", "路")]),
        ("B-road O E-road", [("road", "文三路")]),
        ("O I-poi E-poi", [("poi", "三路")]),
        ("B-road B-poi I-poi", [("road", "文"), ("poi", "三路")]),
        ("E-road I-poi O", [("road", "文"), ("poi", "三")]),
        ("O O O", []),
    ],
)
def test_tags_are_read_as_the_official_pipeline_reads_them(
    labels: str, found: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert spans("文三路", labels, monkeypatch) == found


def test_a_word_has_the_tag_of_its_first_piece_and_stands_where_it_is_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert spans("文 201，", "B-road E-road S-poi", monkeypatch) == [("road", "文 201")]


def test_spans_are_the_same_alone_and_in_a_batch() -> None:
    tagger = WordTagger.open(tiny_pack("elements"))
    texts = ["杭州市西湖区文三路201号soho", "", "文三路", "北京市朝阳区望京街道阳光花园3号楼"] * 3
    together = tagger.tag(texts)
    for text, found in zip(texts, together, strict=True):
        (alone,) = tagger.tag([text])
        assert [span[:3] for span in alone] == [span[:3] for span in found]
        assert all(0 <= span.start < span.end <= len(text) for span in found)
    assert together[1] == []


def test_what_stands_behind_the_limit_has_no_span() -> None:
    tagger = WordTagger.open(tiny_pack("elements"))
    (found,) = tagger.tag(["路" * 600])
    assert found[-1].end <= 510


def test_kinds_and_scheme_are_those_of_the_folder() -> None:
    tagger = WordTagger.open(tiny_pack("elements"))
    assert set(tagger.kinds) == {label[2:] for label in TASKS["elements"].labels[1:]}
    assert tagger.scheme == "mgeo"
    assert WordTagger.open(tiny_pack("whatcut")).scheme == "mgeo-where-what"
    assert WordTagger.open(tiny_pack("composition")).scheme == "mgeo-composition"


def test_any_tagger_opens_by_its_pack() -> None:
    assert isinstance(open_any_tagger(tiny_pack("elements")), WordTagger)
    mini = open_pack("menpai-mini")
    if "tagger" in mini.manifest["files"]:
        assert isinstance(open_any_tagger(mini), Tagger)
    assert Span("road", 0, 1, 0.5).kind == "road"
