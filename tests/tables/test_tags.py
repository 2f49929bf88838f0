"""Tagged sentences: how they are read, and figures that can be counted by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from menpai.errors import UsageError
from menpai.parsing.schemes import SCHEMES, Tagged
from menpai.tables.conll import STAND_IN, read_conll
from menpai.tables.tags import evaluate_tags

FILE = "文\tB-road\n三\tI-road\n路\tE-road\n1\tB-roadno\n号\tE-roadno\n\n\n西\tB-district\n湖\tI-district\n区\tE-district\n"


def write(folder: Path, text: str) -> str:
    path = folder / "x.conll"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_reading(tmp_path: Path) -> None:
    scheme, sentences = read_conll(write(tmp_path, FILE))
    assert scheme.name == "ccks"
    assert [(s.text, s.line) for s in sentences] == [("文三路1号", 1), ("西湖区", 8)]
    assert sentences[0].spans == (("road", 0, 3), ("roadno", 3, 5))


def test_tokens_of_several_characters_and_lost_ones(tmp_path: Path) -> None:
    text = "[UNK] B-city\n城 E-city\n12 B-houseno\n##3 M-houseno\n号 E-houseno\n"
    scheme, (sentence,) = read_conll(write(tmp_path, text))
    assert (scheme.name, sentence.text) == ("swei412", f"{STAND_IN}城123号")
    assert sentence.spans == (("city", 0, 2), ("houseno", 2, 6))


def test_case_of_tags_is_folded(tmp_path: Path) -> None:
    _, (sentence,) = read_conll(write(tmp_path, "东\tB-subroad\n段\tI-subRoad\n区\tB-devzone\n"))
    assert [span.tag for span in sentence.spans] == ["subRoad", "devZone"]


@pytest.mark.parametrize(
    ("text", "scheme", "said"),
    [
        ("\n\n", None, "holds no sentence"),
        ("文\tB-road\n三\n", None, "line 2 is not a token"),
        ("文\tB-road\n三\tB-street\n", "ccks", "line 2: the tag 'B-street'"),
        ("文\tB-street\n", None, "street"),
        ("文\tO\n", None, "no tag at all"),
        ("文\tX-road\n", "ccks", "line 1: the tag 'X-road' has the unknown mark 'X'"),
        (
            "文\tB-road\n三\tO\n路\tE-road\n",
            None,
            "line 3: 'E-road' goes on with a tag.*begin the span with B-road",
        ),
        ("文\tB-road\n三\tE-road\n路\tE-road\n", None, "line 3: 'E-road'"),
        ("文\tB-road\n1\tI-roadno\n", None, "line 2: 'I-roadno'"),
    ],
)
def test_bad_files(tmp_path: Path, text: str, scheme: str | None, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        read_conll(write(tmp_path, text), scheme)


def test_figures(tmp_path: Path) -> None:
    scheme, sentences = read_conll(write(tmp_path, FILE))
    found = [[Tagged("road", 0, 3), Tagged("houseno", 3, 5)], [Tagged("district", 0, 3)]]
    report = evaluate_tags(sentences, scheme, lambda texts: found)
    figures = report.figures
    assert figures["micro_f1"] == pytest.approx(2 / 3)
    assert figures["whole_sentences"] == 0.5
    assert figures["per_element"]["roadno"] == {"precision": 0.0, "recall": 0.0, "f1": 0.0, "count": 1}
    assert figures["per_element"]["houseno"]["count"] == 0
    assert evaluate_tags(sentences, scheme, lambda texts: found, {"road"}).figures["micro_f1"] == 1.0
    assert SCHEMES["ccks"] is scheme
