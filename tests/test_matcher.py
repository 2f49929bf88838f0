from __future__ import annotations

import os
import pickle
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from menpai.errors import BrokenArtefactError, Problem, UsageError
from menpai.matcher import CHUNK, Matcher, behaviour_digest
from menpai.packs import open_pack
from menpai.settings import Settings
from menpai.verdict import LABELS, Verdict
from tests import strategies
from tests.judging import SETTINGS, case_pairs, judge, matcher, pairs, small_pack

SAME = ("文三路123号", "文三路123号")
APART = ("文三路123号", "文三路125号")


def mirrored(verdict: Verdict) -> list[tuple[str, str, str]]:
    return [(c.element, c.b, c.a) for c in verdict.conflicts]


# Properties of one verdict


@given(pairs())
def test_probabilities_sum_to_one_and_the_label_is_their_argmax(pair: tuple[str, str]) -> None:
    verdict = judge(*pair)
    assert abs(sum(verdict.probabilities) - 1) < 1e-9
    assert min(verdict.probabilities) >= 0
    assert verdict.label == LABELS[verdict.probabilities.index(max(verdict.probabilities))]
    assert 0 <= verdict.similarity <= 1


@given(pairs())
def test_both_orders_give_one_verdict(pair: tuple[str, str]) -> None:
    there, back = judge(*pair), judge(*reversed(pair))
    assert there.probabilities == back.probabilities
    assert there.level == back.level
    assert there.decided_by == back.decided_by
    assert mirrored(there) == [tuple(c) for c in back.conflicts]
    assert [(e.name, e.weight) for e in there.evidence] == [(e.name, e.weight) for e in back.evidence]


@given(st.one_of(strategies.addresses(), strategies.messy_addresses()))
def test_identical_texts_are_the_same_place(text: str) -> None:
    verdict = judge(text, text)
    assert verdict.label == "exact_match"
    assert verdict.decided_by == "exact"
    assert verdict.conflicts == ()
    assert verdict.similarity > 0.9


@given(pairs())
def test_evidence_speaks_in_both_languages(pair: tuple[str, str]) -> None:
    zh, en = (matcher(language=language).match(*pair) for language in ("zh", "en"))
    assert zh.probabilities == en.probabilities
    assert [(e.name, e.weight) for e in zh.evidence] == [(e.name, e.weight) for e in en.evidence]
    assert all(e.text.strip() and e.name and e.weight for e in (*zh.evidence, *en.evidence))
    assert all(x.text != y.text for x, y in zip(zh.evidence, en.evidence, strict=True))


def test_the_cascade_decides_early_or_not_at_all() -> None:
    early, late = (matcher(cascade=cascade).match_many(case_pairs()) for cascade in (True, False))
    assert {v.decided_by for v in early if isinstance(v, Verdict)} <= {"exact", "fast", "encoder"}
    assert {v.decided_by for v in late if isinstance(v, Verdict)} == {"exact", "encoder"}
    for quick, slow in zip(early, late, strict=True):
        assert isinstance(quick, Verdict)
        assert isinstance(slow, Verdict)
        if quick.decided_by != "fast":
            assert (quick.probabilities, quick.evidence) == (slow.probabilities, slow.evidence)


# Bad input


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        ("", "address_empty"),
        ("   ", "address_empty"),
        (None, "address_not_text"),
        (3.5, "address_not_text"),
        (b"\xe6\x96\x87", "address_not_text"),
        ("路" * 1001, "address_too_long"),
        ("文三路\ud800号", "address_bad_encoding"),
        ("？！…", "address_unreadable"),
        ("📦", "address_unreadable"),
        ("13800000000", "address_unreadable"),  # a phone number is cut off, and nothing is left
        ({}, "address_empty"),
        ({"text": None}, "address_not_text"),
        ({"text": {"text": "文三路"}}, "address_not_text"),
    ],
)
def test_a_bad_address_is_a_problem_in_its_row_and_nothing_else_is_lost(bad: Any, code: str) -> None:
    answers = matcher().match_many([APART, (bad, "文三路1号"), SAME, ("文三路1号", bad), APART])
    good = [judge(*APART), judge(*SAME), judge(*APART)]
    assert answers[::2] == good
    for answer, side in zip(answers[1::2], ("a", "b"), strict=True):
        assert isinstance(answer, Problem)
        assert answer.code == code
        assert f"address {side}" in answer.message
        assert f"地址 {side}" in answer.render("zh")[0]
        assert answer.hint
        assert "probabilities" not in answer.to_dict()
    with pytest.raises(UsageError) as caught:
        matcher().match("文三路1号", bad)
    assert caught.value.code == code


def test_a_batch_of_problems() -> None:
    answers = matcher().match_many([("", None), ("", "")] * CHUNK)
    assert [isinstance(answer, Problem) for answer in answers] == [True] * 2 * CHUNK
    assert matcher().match_many([]) == []
    assert list(matcher().match_iter([])) == []


def test_a_place_is_judged_by_its_text() -> None:
    assert matcher().match({"text": APART[0]}, APART[1]) == judge(*APART)


@given(st.tuples(strategies.any_text(max_size=20), strategies.pieces()))
def test_any_text_gets_a_verdict_or_a_problem(pair: tuple[str, str]) -> None:
    (answer,) = matcher().match_many([pair])
    assert isinstance(answer, Verdict | Problem)


# Opening


def test_opening_takes_settings_and_what_is_given_over_them(tmp_path: Path) -> None:
    folder = small_pack(tmp_path / "p").path
    opened = Matcher.open(pack=folder, engine="onnx", threads=1, settings=SETTINGS)
    assert opened.pack_id == "small@1"
    assert opened.settings.threads == 1
    verdict = opened.match(*APART)
    assert verdict.pack == "small@1"
    assert verdict.behaviour == opened.behaviour
    opened.warm()


@pytest.mark.parametrize(
    ("given", "error", "code"),
    [
        ({"pack": "no-such-pack"}, UsageError, "pack_not_found"),
        ({"engine": "abacus"}, UsageError, "setting_invalid"),
        ({"threads": -1}, UsageError, "setting_invalid"),
    ],
)
def test_opening_what_is_not_there_names_it(given: dict[str, Any], error: type[Exception], code: str) -> None:
    with pytest.raises(error) as caught:
        Matcher.open(**given)
    assert caught.value.code == code  # type: ignore[attr-defined]
    assert str(*given.values()) in caught.value.render("zh")[0]  # type: ignore[attr-defined]


def test_a_damaged_pack_does_not_open(tmp_path: Path) -> None:
    folder = small_pack(tmp_path / "p").path
    (folder / "weights.bin").write_bytes(b"{}")
    with pytest.raises(BrokenArtefactError, match=r"weights\.bin") as caught:
        Matcher.open(pack=folder)
    assert caught.value.family == "broken"


def test_the_behaviour_digest_moves_with_what_moves_verdicts(tmp_path: Path) -> None:
    pack = open_pack("menpai-mini")
    plain = behaviour_digest(pack, Settings())
    assert plain == matcher().behaviour == behaviour_digest(pack, SETTINGS)
    still = Settings(threads=7, language="zh", port=1, api_key="k", log_text=True, pack=str(pack.path))
    assert behaviour_digest(pack, still) == plain
    moved = [
        behaviour_digest(pack, Settings(cascade=False)),
        behaviour_digest(pack, Settings(engine="another")),
        behaviour_digest(pack, Settings(max_length=50)),
        behaviour_digest(small_pack(tmp_path / "p"), Settings()),
        behaviour_digest(small_pack(tmp_path / "q", vocabulary=b"x"), Settings()),
    ]
    assert len({plain, *moved}) == len(moved) + 1


@pytest.mark.parametrize("item", [("文三路1号",), ("a路", "b路", "c路"), None, 7, "三个字"])
def test_an_item_that_is_no_pair_is_a_problem_and_loses_nothing(item: Any) -> None:
    problem, verdict = matcher().match_many([item, SAME])
    assert isinstance(problem, Problem)
    assert problem.code == "pair_invalid"
    assert isinstance(verdict, Verdict)


@pytest.mark.parametrize(
    "item", [{"a": "文三路1号", "b": "文三路2号"}, {"文三路1号", "文三路2号"}, "杭州", b"ab"]
)
def test_what_only_looks_like_a_pair_is_a_problem(item: Any) -> None:
    (problem,) = matcher().match_many([item])
    assert isinstance(problem, Problem)
    assert problem.code == "pair_invalid"


def test_many_may_be_any_iterable() -> None:
    assert matcher().match_many(iter([SAME, APART])) == matcher().match_many([SAME, APART])  # type: ignore[arg-type]


def test_a_text_that_grows_when_it_is_normalized_is_too_long() -> None:
    problem, verdict = matcher().match_many([("ﷺ" * 900, "文三路1号"), SAME])
    assert isinstance(problem, Problem)
    assert problem.code == "address_too_long"
    assert problem.details["side"] == " a"
    assert isinstance(verdict, Verdict)


@pytest.mark.parametrize(
    "place",
    [
        {"text": "文三路1号", "lat": 10**5000, "lon": 1},
        {"text": "文三路1号", "lat": 1, "lon": 1, "crs": "x" * 10**5},
    ],
)
def test_odd_coordinates_are_a_short_problem(place: Any) -> None:
    problem, verdict = matcher().match_many([(place, "文三路1号"), SAME])
    assert isinstance(problem, Problem)
    assert len(problem.message) < 200
    assert isinstance(verdict, Verdict)


def test_errors_travel_between_processes() -> None:
    error = UsageError("address_empty", side=" a")
    copied = pickle.loads(pickle.dumps(error))
    assert (type(copied), copied.code, copied.details) == (UsageError, error.code, error.details)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_judges_too() -> None:
    pairs_ = [(f"文三路{n}号", f"文三路{n + 1}号海月花园") for n in range(2 * CHUNK)]
    parent = matcher(threads=2)
    wanted = [v.probabilities for v in parent.match_many(pairs_) if isinstance(v, Verdict)]
    child = os.fork()
    if child == 0:
        found = [v.probabilities for v in parent.match_many(pairs_) if isinstance(v, Verdict)]
        os._exit(0 if found == wanted else 1)
    for _ in range(300):
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            break
        time.sleep(0.1)
    else:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    assert done, "the child hangs"
    assert os.waitstatus_to_exitcode(status) == 0
