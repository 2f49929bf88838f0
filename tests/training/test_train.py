"""`menpai train`. Second tier: needs torch and onnx, imported when a test runs."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from menpai.errors import UsageError
from menpai.packs import open_pack
from menpai.tables.labelled import LabelledPairs, read_labelled
from tests.bert import tiny_pack
from tests.judging import case_pairs, matcher
from tests.labels import as_csv, written

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]


def module(name: str) -> Any:
    return import_module(f"menpai.training.{name}")


def labelled(folder: Path, rows: list[tuple[str, str, str]]) -> LabelledPairs:
    path = folder / "pairs.csv"
    path.write_bytes(as_csv(rows))
    return read_labelled([str(path)])


def wish(passes: int = 1, **more: Any) -> Any:
    return module("train").Wish(module("tune").Recipe(passes=passes, warmup=2), least=60, of_label=5, **more)


def test_a_pack_is_its_own_checkpoint() -> None:
    pack = matcher().pack
    models = module("restore").restore(pack)
    words = import_module("menpai.scoring.tokens").Vocabulary(
        pack.file("vocabulary").read_text("utf-8").split("\n")[:-1]
    )
    graph = import_module("menpai.training.export").run_graph(
        pack.file("graph").read_bytes(), case_pairs(), words
    )
    ours = np.mean([module("tune").logits_of(model, case_pairs(), words) for model in models], axis=0)
    assert np.abs(ours - graph).max() < 0.3
    assert (ours.argmax(1) == graph.argmax(1)).mean() > 0.97


def test_an_imported_pack_is_not_trained() -> None:
    with pytest.raises(UsageError) as caught:
        module("restore").restore(tiny_pack())
    assert caught.value.code == "train_other_network"


def test_labels_of_another_rule_are_learned(tmp_path: Path) -> None:
    turn = {"exact_match": "exact_match", "partial_match": "not_match", "not_match": "partial_match"}
    rows = [(a, b, turn[label]) for a, b, label in written(180)]
    told: list[str] = []
    figures = module("train").train(
        labelled(tmp_path, rows),
        matcher(),
        tmp_path / "mine",
        wish=wish(3),
        told=lambda step, _: told.append(step),
    )
    assert figures["after"]["macro_f1"]["value"] > figures["before"]["macro_f1"]["value"]
    assert figures["macro_f1_gain"]["value"] > 0
    assert [step for step in told if step != "at"] == ["read", *["pass"] * 3, "weigh"]
    assert "at" in told
    pack = open_pack(tmp_path / "mine")
    assert (pack.name, pack.manifest["trained"]["pairs"]) == ("mine", 180)
    assert figures["held"] == pack.manifest["trained"]["held"]
    assert not (tmp_path / ".mine.training").exists()
    new = import_module("menpai.matcher").Matcher(pack, matcher().settings)
    few = case_pairs()[:60]
    together, turned = new.match_many(few), new.match_many([(b, a) for a, b in few])
    assert [x.probabilities for x in together] == [new.match(*pair).probabilities for pair in few]
    assert [x.probabilities for x in together] == [x.probabilities for x in turned]


def test_no_better_pack_is_not_written_unless_forced(tmp_path: Path) -> None:
    pairs = labelled(tmp_path, written(120))
    figures = module("train").train(pairs, matcher(), tmp_path / "same", wish=wish(1))
    if figures["macro_f1_gain"]["value"] <= 0:
        assert (figures["written"], (tmp_path / "same").exists()) == (None, False)
    forced = module("train").train(pairs, matcher(), tmp_path / "same", wish=wish(1, force=True))
    assert forced["written"].startswith("same@")


def test_a_fit_that_was_stopped_goes_on_with_the_same_bits(tmp_path: Path) -> None:
    tune, rows = module("tune"), module("rows")
    pairs = labelled(tmp_path, written(90)).pairs
    pack = matcher().pack
    words = import_module("menpai.scoring.tokens").Vocabulary(
        pack.file("vocabulary").read_text("utf-8").split("\n")[:-1]
    )
    seen, check = (rows.read_examples(part, matcher(), None) for part in (pairs[:60], pairs[60:]))

    class CutError(Exception):
        pass

    def cut(done: int, passes: int, loss: float) -> None:
        if done == 1:
            raise CutError

    def run(path: Path, told: Any = lambda *_: None) -> Any:
        (start,) = module("restore").restore(pack)[:1]
        return tune.tune(start, seen, check, words, tune.Recipe(passes=3, warmup=2, patience=9), path, told)

    whole = run(tmp_path / "whole.ckpt")
    with pytest.raises(CutError):
        run(tmp_path / "cut.ckpt", cut)
    again = run(tmp_path / "cut.ckpt")
    for name, value in whole.state_dict().items():
        assert (again.state_dict()[name] == value).all(), name


def test_a_teacher_labels_what_nobody_did(tmp_path: Path) -> None:
    (tmp_path / "bare.csv").write_bytes(as_csv([(a, b) for a, b, _ in written(120)], "address_a,address_b"))
    teacher = import_module("menpai.matcher").Matcher(tiny_pack(), matcher().settings)
    pairs = read_labelled([str(tmp_path / "bare.csv")])
    figures = module("train").train(pairs, matcher(), tmp_path / "taught", teacher, wish(2, force=True))
    assert (figures["pairs"], figures["unlabelled"], figures["teacher"]) == (0, 120, teacher.pack_id)
    assert figures["after"]["log_loss"]["value"] < figures["before"]["log_loss"]["value"]


@pytest.mark.parametrize(("count", "code"), [(30, "train_few"), (0, "labels_all_one")])
def test_too_little_is_refused(tmp_path: Path, count: int, code: str) -> None:
    rows = written(count) if count else [(a, b, "exact_match") for a, b, _ in written(90)]
    with pytest.raises(UsageError) as caught:
        module("train").train(labelled(tmp_path, rows), matcher(), tmp_path / "mine", wish=wish())
    assert caught.value.code == code
    assert not (tmp_path / "mine").exists()
