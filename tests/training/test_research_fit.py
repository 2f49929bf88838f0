"""The research encoder. Second tier: needs torch, imported when a test runs."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest

from menpai.scoring.tokens import MASK, SEP
from tests.judging import case_pairs
from tests.training.test_model import VOCABULARY, inputs, tiny
from training.data import UNJUDGED, batches

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::DeprecationWarning")]
PLAN = {"masked_rows": 0.0, "masked_characters": 0.4, "masked_run": 3}


def test_more_characters_change_nothing_of_the_known_ones() -> None:
    torch, grown = import_module("torch"), import_module("training.research.grow").grown
    larger = grown(tiny(), len(VOCABULARY) + 3, seed=1).eval()
    assert larger.shape.vocabulary == len(VOCABULARY) + 3
    assert torch.equal(larger(*inputs()), tiny()(*inputs()))
    assert len({tuple(row) for row in larger.characters.weight[-3:].tolist()}) == 3


def test_rows_without_a_label_always_have_hidden_characters() -> None:
    hide = import_module("training.pretrain").hide
    texts = [("文三路12号", f"海月花园{n}幢") for n in range(40)]
    labels = np.array([UNJUDGED, 1] * 20)
    (batch,) = batches(texts, labels, VOCABULARY, 64, np.random.default_rng(1))
    ids, _, hidden, wanted = hide(batch, PLAN, np.random.default_rng(2))
    unjudged = batch.labels == UNJUDGED
    assert not hidden[~unjudged].any()
    assert hidden[unjudged].any(1).float().mean() > 0.9
    assert 0.2 < float(hidden[unjudged].float().mean()) < 0.5
    assert (ids[hidden] == MASK).all()
    assert (wanted > SEP).all()


def test_a_batch_without_labels_teaches_by_its_hidden_characters() -> None:
    torch, step = import_module("torch"), import_module("training.pretrain").train_step
    model = tiny()
    (batch,) = batches(
        [("文三路12号", "海月花园3幢")] * 8, np.full(8, UNJUDGED), VOCABULARY, 8, np.random.default_rng(1)
    )
    found = step(model, torch.optim.SGD(model.parameters(), 0.1), batch, PLAN, np.random.default_rng(2))
    assert found["pair"] == 0
    assert found["mask"] > 0
    assert all(weight.isfinite().all() for weight in model.parameters())


def test_the_graph_of_several_encoders_is_the_mean_of_their_logits() -> None:
    export, fit = import_module("training.export"), import_module("training.fit")
    pairs, models = case_pairs(), [tiny(1), tiny(2), tiny(3)]
    graph = export.export_mean(models)
    wanted = np.mean([fit.logits_of(model, pairs, VOCABULARY) for model in models], axis=0)
    np.testing.assert_allclose(export.run_graph(graph, pairs, VOCABULARY), wanted, atol=1e-5)
    small = export.run_graph(export.export_int8(graph, pairs, VOCABULARY), pairs, VOCABULARY)
    np.testing.assert_allclose(small, wanted, atol=0.1)
    assert (
        export.run_graph(graph, pairs[:1], VOCABULARY)[0] == export.run_graph(graph, pairs, VOCABULARY)[0]
    ).all()


def test_weights_lean_to_rare_labels_by_the_power_of_their_odds() -> None:
    balanced = import_module("training.research.balance").balanced
    linear = import_module("menpai.scoring.linear").LinearModel
    softmax = import_module("menpai.scoring.scorer").softmax
    count = len(import_module("menpai.evidence").FEATURES)
    rng = np.random.default_rng(1)
    model = linear(rng.normal(size=count + 1).tolist(), rng.normal(size=count + 1).tolist(), 0.7)
    rows = rng.random((5, count)).astype(np.float32)
    labels = np.repeat([0, 1, 2], [10, 30, 60])
    before = np.array(softmax(model.logits(rows)))
    wanted = before * np.array([0.1, 0.3, 0.6]) ** -0.5
    found = np.array(softmax(balanced(model, labels, 0.5).logits(rows)))
    np.testing.assert_allclose(found, wanted / wanted.sum(1, keepdims=True), rtol=1e-9)
    assert (np.array(softmax(balanced(model, labels, 0.0).logits(rows))) == before).all()


def test_the_card_says_who_judged_and_for_what_it_may_be_used() -> None:
    figures = {
        "macro_f1": 0.7, "f1": dict.fromkeys(("exact_match", "partial_match", "not_match"), 0.7),
        "count": {"exact_match": 10}, "log_loss": 0.5, "ece": 0.02,
    }  # fmt: skip
    recipe = {
        "fit": {"folds": 3, "encoders": 3, "balance": 0.3},
        "shape": {"layers": 4, "width": 192},
        "pretrain": {"steps": 9},
    }
    card = import_module("training.research.card").card(recipe, {"int8 x": figures}, 19, 5, 2, 0.9)
    assert "Research data, non-commercial" in card
    assert "annotators" in card
    assert "| int8 x | 0.700 |" in card
