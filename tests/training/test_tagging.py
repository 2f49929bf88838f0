"""Tagged sets and composed addresses: what is learned from. No torch needed."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from menpai.address import ELEMENTS
from menpai.evidence import FEATURES
from menpai.packs import Pack
from menpai.packs.vocabulary import Vocabulary
from menpai.parsing.tagger import Tagger
from menpai.scoring.linear import LinearModel
from tests.graphs import pair_graph
from tests.parsing import tagging
from tests.training.world import corpus
from training.pack import pack
from training.tagging.compose import compose
from training.tagging.conll import LOST, Tagged, join, read_conll, twin_key, write_conll
from training.tagging.labels import LETTERS, digest_of, open_texts, read_labels
from training.tagging.pack import add_tagger
from training.tagging.sets import read_sets


@given(st.integers(0, 2**32 - 1))
def test_a_composed_address_is_the_sum_of_its_elements(seed: int) -> None:
    text, spans = compose(Random(seed), corpus())
    ends = [0, *(end for _, _, end in spans)]
    assert all(
        kind in ELEMENTS and end > start >= before
        for before, (kind, start, end) in zip(ends, spans, strict=False)
    )
    assert ends[-1] <= len(text)
    assert compose(Random(seed), corpus()) == (text, spans)


def test_composed_addresses_hold_every_kind_glued() -> None:
    rng = Random(5)
    made = [compose(rng, corpus()) for _ in range(1500)]
    assert {kind for row in made for kind, _, _ in row.spans} == set(ELEMENTS)
    glued = [
        row
        for row in made
        if any(a[2] == b[1] and a[0] == b[0] == "poi" for a, b in zip(row.spans, row.spans[1:], strict=False))
    ]
    assert len(glued) > 50


@pytest.mark.parametrize(
    ("sentence", "spans"),
    [
        ([("文", "B-road"), ("三", "I-road"), ("路", "E-road")], [("road", 0, 3)]),
        ([("268", "B-houseno"), ("号", "E-houseno")], [("houseno", 0, 4)]),
        ([("1", "S-floorno"), ("70", "B-roomno"), ("2", "E-roomno")], [("floorno", 0, 1), ("roomno", 1, 4)]),
        ([("东", "B-devZone"), ("郊", "I-devZone"), ("-", "O"), ("区", "I-devZone")], [("devZone", 0, 2), ("devZone", 3, 4)]),
        ([("路", "I-road"), ("北", "B-road"), ("街", "I-road")], [("road", 0, 1), ("road", 1, 3)]),
    ],
)  # fmt: skip
def test_tags_become_spans(sentence: list[tuple[str, str]], spans: list[tuple[str, int, int]]) -> None:
    assert join(sentence).spans == tuple(spans)


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    rows = [Tagged("文三路9号", (("road", 0, 3), ("roadno", 3, 5))), Tagged("某处", ())]
    write_conll(tmp_path / "rows.conll", rows)
    assert read_conll(tmp_path / "rows.conll", "menpai") == rows


def test_case_variants_of_a_tag_are_one(tmp_path: Path) -> None:
    (tmp_path / "rows.conll").write_text("东\tB-subroad\n街\tI-subroad\n\n西\tB-subRoad\n", encoding="utf-8")
    read = read_conll(tmp_path / "rows.conll", "leodotnet")
    assert [row.spans for row in read] == [(("subRoad", 0, 2),), (("subRoad", 0, 1),)]


def test_twins_differ_in_numbers_alone() -> None:
    assert twin_key("文三路12号b座") == twin_key("文三路000号B座") != twin_key("文二路12号B座")


# Fourteen sentences of ccks: a tenth of them is held, by the digest of the sentence.
NER = {
    "ccks_train": ["浙\tB-prov\n江\tE-prov\n0\tS-roadno"]
    + [f"{c}\tS-poi" for c in "一二三四五六七八九十百千万亿"],
    "leodotnet_train": ["东\tB-poi\n街\tI-poi\n12\tB-roadno", "西\tB-road\n街\tI-road", "万\tB-poi"],
    "leodotnet_dev": ["东\tB-poi\n街\tI-poi\n7\tB-roadno"],
    "swei412_train": ["[UNK]\tB-poi\n路\tE-poi"],
    "swei412_dev": ["南\tS-poi"],
}


def test_no_twin_of_a_measured_sentence_is_learned(tmp_path: Path) -> None:
    (tmp_path / "ner").mkdir()
    for name, sentences in NER.items():
        (tmp_path / "ner" / f"{name}.conll").write_text("\n\n".join(sentences) + "\n", encoding="utf-8")
    sets = read_sets(tmp_path)
    measured = {twin_key(row.text) for rows in sets.held.values() for row in rows}
    assert sets.held["ccks"]
    for rows in sets.learn.values():
        assert not measured & {twin_key(row.text) for row in rows}
    assert "西街" in [row.text for row in sets.learn["leodotnet"]]
    assert "东街12" not in [row.text for row in sets.learn["leodotnet"]]
    assert sets.learn["swei412"] == [Tagged(f"{LOST}路", (("poi", 0, 2),))]
    assert not sets.is_free("东街88")


def test_labels_name_texts_by_digest(tmp_path: Path) -> None:
    gold, addresses = tmp_path / "gold", tmp_path / "addresses"
    gold.mkdir()
    addresses.mkdir()
    head = "address_a\taddress_b\n"
    (gold / "pairs.tsv").write_text(head + "杭州市幸福花园(东区)3幢\t乙\n", encoding="utf-8")
    (gold / "written.tsv").write_text(head, encoding="utf-8")
    (addresses / "shanghai_geo.tsv").write_text("district\ttown\taddress\n丙\t丁\t路\n", encoding="utf-8")
    write_gzip(addresses / "national_places.tsv.gz", "province\tcity\tcounty\tplace\n甲\t乙\t丙\t丁\n")
    assert list(open_texts(tmp_path)) == ["杭州市幸福花园(东区)3幢", "乙", "甲乙丙丁", "丙丁路"]
    digest = digest_of("杭州市幸福花园(东区)3幢")
    (tmp_path / "tags.tsv").write_text(
        f"# by reading\n{digest}\t3\to4-1s2-1b2\nffff\t0\to1\n", encoding="utf-8"
    )
    wanted = Tagged("幸福花园(东区)3幢", (("poi", 0, 4), ("subpoi", 5, 7), ("building", 8, 10)))
    assert read_labels(tmp_path, tmp_path / "tags.tsv") == {digest: wanted}
    assert set(LETTERS.values()) - {""} == set(ELEMENTS)


def write_gzip(path: Path, text: str) -> None:
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.write(text)


def test_a_tagger_stays_when_the_pair_model_is_packed_anew(tmp_path: Path) -> None:
    weights = [0.0] * (len(FEATURES) + 1)
    model = LinearModel(weights, weights)

    def packed(entries: Sequence[str]) -> Pack:
        parts = (Vocabulary(entries), {"fast": model, "blend": model}, {"identical": [1.0, 0.0, 0.0]}, 1.1)
        return pack(tmp_path / "tiny", pair_graph(), *parts, "# tiny\n", {"version": "1"})

    entries = tagging.VOCABULARY.entries
    assert "tagger" not in packed(entries).manifest["files"]
    card = "## The tagger\n\ntext\n"
    added = add_tagger(tmp_path / "tiny", tagging.graph(), tagging.KINDS, card, {"version": "2"})
    assert packed(entries).files == added.files
    assert [span[:3] for span in Tagger.open(added).tag(["文三路"])[0]] == [("road", 0, 3)]
    assert "tagger" not in packed([*entries, "杭"]).manifest["files"]
