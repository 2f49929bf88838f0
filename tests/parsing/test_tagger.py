"""The tagger: windows, folding, packs; a text's spans never depend on the texts beside it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from menpai.errors import UsageError
from menpai.packs import Pack, write_pack
from menpai.parsing.tagger import BUCKETS, LONGEST, OVERLAP, WINDOW, Tagger, encode, fold, open_tagger
from tests.judging import case_pairs
from tests.parsing import tagging
from tests.parsing.tagging import KINDS, LABELS, VOCABULARY

TEXT = "文三路123号幸福花园"
SPANS = [("road", 0, 3), ("roadno", 3, 7), ("poi", 7, 11)]


@pytest.fixture(scope="module")
def tagger(tmp_path_factory: pytest.TempPathFactory) -> Tagger:
    return tagging.tagger(tmp_path_factory.mktemp("tagger"))


def spans(tagger: Tagger, text: str) -> list[tuple[str, int, int]]:
    return [span[:3] for span in tagger.tag([text])[0]]


def test_spans_stand_where_the_names_stand(tagger: Tagger) -> None:
    assert spans(tagger, TEXT) == SPANS
    assert tagger.kinds == KINDS


def test_full_width_and_other_digits_are_read_alike(tagger: Tagger) -> None:
    assert spans(tagger, "文三路１２３号幸福花园") == SPANS
    assert fold("Ａb９\u0665①㈠") == "AB000㈠"


@given(st.lists(st.text("文三路号幸福花园大05 ", max_size=150), max_size=6))
def test_a_text_is_tagged_alike_alone_and_in_a_batch(tagger: Tagger, texts: list[str]) -> None:
    assert tagger.tag(texts) == [tagger.tag([text])[0] for text in texts]


@given(st.integers(1, 30))
def test_windows_join_without_a_seam(tagger: Tagger, repeats: int) -> None:
    """Scores of this graph know no neighbours, so a long text has the spans of its parts."""
    wanted = [(kind, start + at * 11, end + at * 11) for at in range(repeats) for kind, start, end in SPANS]
    assert spans(tagger, TEXT * repeats) == wanted


@given(st.lists(st.integers(0, LONGEST), max_size=5))
def test_every_character_is_in_a_window(lengths: list[int]) -> None:
    seen = [np.zeros(length, int) for length in lengths]
    for windows in encode(["路" * length for length in lengths], VOCABULARY):
        assert windows.ids.shape[1] in BUCKETS
        for text, start, length in zip(windows.texts, windows.starts, windows.lengths, strict=True):
            assert length <= WINDOW
            seen[text][start : start + length] += 1
    assert all((counts >= 1).all() and counts.sum() <= 2 * len(counts) + OVERLAP for counts in seen)


def test_texts_that_hold_more_than_an_address_have_no_spans(tagger: Tagger) -> None:
    assert spans(tagger, "路" * (LONGEST + 1)) == []
    assert tagger.tag(["", TEXT])[0] == []
    assert tagger.tag([]) == []


@pytest.mark.parametrize("task", ["tagging", "pair"])
def test_a_pack_carries_a_tagger(tmp_path: Path, task: str) -> None:
    opened = Tagger.open(pack(tmp_path, task))
    opened.warm()
    assert spans(opened, TEXT) == SPANS
    assert opened.scheme == "menpai"


def test_the_built_in_tagger_reads_alike_alone_and_in_a_batch() -> None:
    built_in = open_tagger("menpai-mini")
    texts = [*[a for a, _ in case_pairs()][:60], "云栖坊桂香斋", "长" * 150]
    together = built_in.tag(texts)
    assert together == [built_in.tag([text])[0] for text in texts]
    assert [span[0] for span in built_in.tag(["浙江省杭州市文三路12号"])[0]] == [
        "province",
        "city",
        "road",
        "roadno",
    ]


def test_a_pack_without_a_tagger_is_named(tmp_path: Path) -> None:
    assert open_tagger(str(pack(tmp_path / "with", "pair").path)).kinds == KINDS
    manifest = {"name": "plain", "version": "1", "labels": ["exact_match", "partial_match", "not_match"]}
    write_pack(tmp_path / "plain", manifest | {"files": {"vocabulary": "v.txt"}}, {"v.txt": b""})
    with pytest.raises(UsageError) as caught:
        open_tagger(str(tmp_path / "plain"))
    assert caught.value.code == "pack_without_tagger"
    assert "plain" in str(caught.value)


def pack(folder: Path, task: str) -> Pack:
    """A pack that is a tagger, or a pair pack with one beside its encoder."""
    role = "graph" if task == "tagging" else "tagger"
    files = {role: "tagger.onnx", "vocabulary": "vocabulary.txt", "tagger_labels": "tagger_labels.txt"}
    labels: list[str] = LABELS if task == "tagging" else ["exact_match", "partial_match", "not_match"]
    manifest = {"name": "tiny", "version": "1", "task": task, "labels": labels, "files": files}
    content = {
        "tagger.onnx": tagging.graph(),
        "vocabulary.txt": "".join(f"{entry}\n" for entry in VOCABULARY.entries).encode(),
        "tagger_labels.txt": "".join(f"{label}\n" for label in LABELS).encode(),
    }
    return write_pack(folder / "tiny", manifest, content)
