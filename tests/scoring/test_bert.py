"""Imported models: what they are given to read, in which order, in both modes; ranking."""

from __future__ import annotations

import numpy as np
import pytest

from menpai import Matcher, Problem, Settings, Verdict
from menpai.decide import READINGS
from menpai.engines import open_engine
from menpai.errors import Language, UsageError
from menpai.packs import open_pack
from menpai.packs.bert_rows import pair_rows
from menpai.packs.mgeo import read_folder
from menpai.packs.wordpiece import open_wordpiece
from menpai.scoring.bert import BertPairs, Ranker, ordered, sigmoid
from menpai.verdict import LABELS
from tests.bert import tiny_pack
from tests.judging import case_pairs

PACK = tiny_pack()
PAIRS = [("文三路123号", "西湖区文三路125号"), ("杭州市西湖区文三路", "上海"), ("A座１２", "ａ座 12")]


def matcher(**flags: object) -> Matcher:
    return Matcher.open(pack=PACK.path, settings=Settings().replace(**flags))


def pairs(order: str = "given") -> BertPairs:
    return BertPairs(PACK, open_engine("onnx", PACK.file("graph"), 1), order)


def official(a: str, b: str) -> np.ndarray:
    """What the official pipeline does, by hand: one pair, padded to 512 tokens, softmax, labels of the folder."""
    words = open_wordpiece(PACK)
    (rows,) = pair_rows(
        words.encode([a]), words.encode([b]), words, 512, slow=PACK.manifest["truncation"] == "slow"
    )
    width = rows.inputs["input_ids"].shape[1]
    padded = {name: np.pad(array, ((0, 0), (0, 512 - width))) for name, array in rows.inputs.items()}
    (logits,) = open_engine("onnx", PACK.file("graph"), 1).run(padded)
    powers = np.exp(logits - logits.max())
    return (powers / powers.sum())[[PACK.manifest["labels"].index(label) for label in LABELS]]


@pytest.mark.parametrize(
    ("a", "b"), [*PAIRS, ("路" * 700, "号" * 900), ("文三路１号", "文三路１号"), ("123", "①")]
)
def test_faithful_is_the_official_pipeline_input_for_input(a: str, b: str) -> None:
    verdict = matcher(mode="faithful").match(a, b)
    assert verdict.decided_by == "encoder"
    assert np.abs(np.array(verdict.probabilities) - official(a, b)).max() < 1e-5
    assert {evidence.name for evidence in verdict.evidence} <= {"model_reading"}


def test_faithful_answers_do_not_depend_on_the_pairs_beside_them() -> None:
    faithful = matcher(mode="faithful")
    many = faithful.match_many(PAIRS * 60)
    for at, pair in enumerate(PAIRS):
        alone = faithful.match(*pair)
        assert all(
            np.allclose(alone.probabilities, v.probabilities, atol=1e-4) for v in many[at :: len(PAIRS)]
        )


def test_an_empty_cell_is_a_problem_in_both_modes() -> None:
    for mode in ("default", "faithful"):
        (answer,) = matcher(mode=mode).match_many([("文三路1号", " ")])
        assert isinstance(answer, Problem)
        assert answer.code == "address_empty"


def test_the_default_mode_normalizes_and_takes_identical_forms_as_the_same_place() -> None:
    verdict = matcher().match("文三路１２号", "文三路12号")
    assert (verdict.decided_by, verdict.label) == ("exact", "exact_match")
    assert matcher(mode="faithful").match("文三路１２号", "文三路12号").decided_by == "encoder"


def test_our_own_fast_scorer_does_not_speak_for_an_imported_model() -> None:
    answers = matcher().match_many(case_pairs())
    assert {answer.decided_by for answer in answers if isinstance(answer, Verdict)} <= {"exact", "encoder"}


def test_the_evidence_says_when_policies_changed_the_models_answer() -> None:
    changed = 0
    ours, theirs = matcher(), pairs()
    for a, b in case_pairs():
        verdict = ours.match(a, b)
        if verdict.decided_by != "encoder":
            continue
        texts = (ours.parse(a).text, ours.parse(b).text)
        label = LABELS[int(theirs.logits([texts])[0].argmax())]
        said = [evidence for evidence in verdict.evidence if evidence.name == "model_overruled"]
        assert len(said) == (label != verdict.label)
        assert all(label in evidence.text for evidence in said)
        changed += len(said)
    assert changed > 3


@pytest.mark.parametrize("language", ["zh", "en"])
def test_what_an_imported_model_read_is_told_with_its_own_label(language: Language) -> None:
    answers = matcher(mode="faithful", language=language).match_many(case_pairs())
    verdicts = [answer for answer in answers if isinstance(answer, Verdict) and answer.evidence]
    assert len(verdicts) > 5
    for verdict in verdicts:
        (reason,) = verdict.evidence
        said = f"{verdict.label} {max(verdict.probabilities):.2f}"
        assert (
            reason.text
            == READINGS["model_reading"][language][0] + {"zh": f"（{said}）", "en": f" ({said})"}[language]
        )


def test_the_mode_moves_the_behaviour_and_belongs_to_imported_packs() -> None:
    assert matcher().behaviour != matcher(mode="faithful").behaviour
    with pytest.raises(UsageError, match="no faithful mode"):
        Matcher.open(mode="faithful")
    with pytest.raises(UsageError, match="expected default"):
        Matcher.open(mode="exact")


def test_orders() -> None:
    long, short = "杭州市西湖区文三路", "上海"
    assert ordered([(long, short)], "given") == [(long, short)]
    assert ordered([(long, short)], "sorted") == ordered([(short, long)], "sorted") == [(short, long)]
    given, turned = pairs().logits([(long, short)]), pairs().logits([(short, long)])
    assert np.abs(given - turned).max() > 1e-3
    assert (pairs("sorted").logits([(long, short)]) == turned).all()
    assert np.allclose(pairs("mean").logits([(long, short)]), (given + turned) / 2)
    assert np.allclose(pairs("mean").logits([(short, long)]), (given + turned) / 2)


def test_a_ranker_scores_candidates_in_their_order_without_segments() -> None:
    pack = tiny_pack("ranking")
    ranker = Ranker.open(pack)
    candidates = ["文三路125号", "西湖区文三路123号A座", "上海", "文三路125号"]
    scores = ranker.score("文三路123号", candidates)
    assert len(scores) == 4
    assert all(0 < score < 1 for score in scores)
    assert scores[0] == pytest.approx(scores[3], abs=1e-6)
    assert scores[1] == pytest.approx(ranker.score("文三路123号", candidates[1:2])[0], abs=1e-5)
    assert ranker.score("文三路123号", []) == []


def test_packs_are_asked_for_their_own_task() -> None:
    with pytest.raises(UsageError, match="ranking"):
        Ranker.open(PACK)
    with pytest.raises(UsageError, match="pair"):
        Matcher.open(pack=tiny_pack("ranking").path)


def test_the_sigmoid_takes_any_logit() -> None:
    found = sigmoid(np.array([-1e4, 0, 1e4, 2], dtype=np.float32))
    assert found.tolist() == pytest.approx([0, 0.5, 1, 0.8807971])


def test_warming_and_forgetting_change_no_answer() -> None:
    model = pairs()
    before = model.logits(PAIRS)
    model.warm()
    model.forget()
    assert (model.logits(PAIRS) == before).all()


def test_an_imported_pack_opens_again_from_its_folder() -> None:
    assert open_pack(PACK.path).manifest["tokenizer"] == "wordpiece"
    assert read_folder(PACK.path.parent / "folder").task == "pair"
