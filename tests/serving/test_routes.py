"""Every route's shapes, from outside; verdicts are the library's to the last digit."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from menpai.matcher import Matcher
from menpai.serving import wire
from tests.serving.rig import A, B, C, Rig, agrees, fails

PAIR = {"a": A, "b": B}


def test_one_pair_gives_the_library_verdict_to_the_last_digit(rig: Rig, matcher: Matcher) -> None:
    response = rig.ask("/v1/match", PAIR)
    assert response.status_code == 200
    agrees(response.json(), wire.Verdict)
    expected = json.dumps(matcher.match(A, B).to_dict(), ensure_ascii=False, separators=(",", ":"))
    assert response.text == expected


def test_the_articles_contracts_give_the_same_verdict(rig: Rig) -> None:
    verdict = rig.ask("/v1/match", PAIR).json()
    scored = rig.ask("/match", PAIR).json()
    assert rig.ask("/infer", {"addr1": A, "addr2": B}).json() == verdict
    agrees(scored, wire.ScoredVerdict)
    assert scored == {"score": verdict["similarity"], **verdict}


def test_a_list_keeps_order_and_ids_and_loses_nothing_to_a_bad_row(rig: Rig, matcher: Matcher) -> None:
    rows = [
        {"a": A, "b": B, "id": "first"},
        {"a": A, "b": "", "id": 2},
        {"a": A, "b": "文三路\ud800"},
        {"a": 5, "b": B},
        {"a": A, "b": None},
        {"a": A, "b": {"text": C}, "id": "x\ud800"},
    ]
    response = rig.ask("/v1/match", {"pairs": rows})
    assert response.status_code == 200
    answers = response.json()["verdicts"]
    assert [row.get("id") for row in answers] == ["first", 2, None, None, None, "x\ud800"]
    codes = [row.get("problem", {}).get("code") for row in answers]
    assert codes == [
        None,
        "address_empty",
        "address_bad_encoding",
        "address_not_text",
        "address_not_text",
        None,
    ]
    for row in answers:
        agrees(row, wire.ProblemRow if "problem" in row else wire.VerdictRow)
    assert {**answers[0]} == {"id": "first", **matcher.match(A, B).to_dict()}
    assert {**answers[5]} == {"id": "x\ud800", **matcher.match(A, C).to_dict()}


def test_candidates_are_ranked_and_the_unreadable_come_last(rig: Rig) -> None:
    candidates = [B, "", C, {"text": A}, "长春市朝阳区建设街8号"]
    response = rig.ask("/v1/match", {"query": A, "candidates": candidates})
    ranked = response.json()["ranked"]
    for row in ranked:
        agrees(row, wire.ProblemRow if "problem" in row else wire.RankedRow)
        assert row["candidate"] == candidates[row["index"]]
    assert ranked[-1]["index"] == 1
    assert ranked[0]["index"] == 3
    similarities = [row["similarity"] for row in ranked[:-1]]
    assert similarities == sorted(similarities, reverse=True)


@pytest.mark.parametrize("body", [{"pairs": []}, {"query": A, "candidates": []}])
def test_nothing_asked_is_nothing_answered(rig: Rig, body: Any) -> None:
    response = rig.ask("/v1/match", body)
    assert response.status_code == 200
    assert list(response.json().values()) == [[]]


def test_a_query_that_cannot_be_judged_is_the_requests_failure(rig: Rig) -> None:
    fails(rig.ask("/v1/match", {"query": "…", "candidates": [A, B]}), 422, "address_unreadable")


def test_texts_are_normalized_and_parsed_in_order(rig: Rig) -> None:
    texts = {"texts": ["⻄安市雁塔区小寨东路十八号", " ", 7]}
    for path, kind in (("/v1/normalize", wire.NormalizedRow), ("/v1/parse", wire.AddressRow)):
        good, *bad = rig.ask(path, texts).json()
        agrees(good, kind)
        assert good["text"] == "西安市雁塔区小寨东路18号"
        assert [row["problem"]["code"] for row in bad] == ["address_empty", "address_not_text"]


def test_hints_and_coordinates_settle_homonyms(rig: Rig) -> None:
    text = "朝阳区建国路8号"
    bodies: list[Any] = [
        {"texts": [text], "default_city": "长春市"},
        {"texts": [text], "near": [43.9, 125.3]},
        {"texts": [{"text": text, "lat": 43.9, "lon": 125.3}], "near": [39.9, 116.4]},
    ]
    for body in bodies:
        (row,) = rig.ask("/v1/parse", body).json()
        assert [division["code"] for division in row["divisions"]] == ["220104"]
    fails(rig.ask("/v1/parse", {"texts": [text], "default_city": "长村市"}), 422, "hint_city")
    fails(rig.ask("/v1/parse", {"texts": [text], "near": [143.9, 1]}), 422, "hint_near")
    fails(rig.ask("/v1/parse", {"texts": [text], "as_of": "2050"}), 422, "as_of_unknown")


def test_a_reading_in_a_style(rig: Rig) -> None:
    body = {"texts": ["上海市闸北区共和新路1号", ""], "style": "line", "as_of": 2010}
    row, problem = rig.ask("/v1/parse", body).json()
    assert row["standard"] == "上海市闸北区共和新路1号"
    assert problem["problem"]["code"] == "address_empty"
    fails(rig.ask("/v1/parse", {"texts": [A], "style": "lines"}), 422, "option_value")
    fails(rig.ask("/v1/parse", {"texts": [A], "convention": "empty"}), 422, "option_unused")


def test_normalizing_may_skip_steps_and_explain(rig: Rig) -> None:
    texts = {"texts": ["中国浙江省文三路十八号", {"text": "文三路１号"}]}
    rows = rig.ask("/v1/normalize", texts | {"skip": ["numerals"], "explain": True}).json()
    assert [row["text"] for row in rows] == ["浙江省文三路十八号", "文三路1号"]
    assert rows[0]["changes"] == [
        {"step": "country", "before": "中国浙江省文三路十八号", "after": "浙江省文三路十八号"}
    ]
    for row in rows:
        agrees(row, wire.NormalizedRow)
    fails(rig.ask("/v1/normalize", texts | {"skip": ["numeral"]}), 422, "step_unknown")


@pytest.mark.parametrize("path", ["/v1/match", "/match"])
@pytest.mark.parametrize(
    ("b", "code"),
    [
        ("", "address_empty"),
        ("   ", "address_empty"),
        ("！？。", "address_unreadable"),
        ("路" * 1001, "address_too_long"),
        ("文三路\ud800", "address_bad_encoding"),
        ([A], "address_not_text"),
        ({"lat": 30.0, "lon": 120.0}, "address_empty"),
        ({"text": 7}, "address_not_text"),
    ],
)
def test_a_bad_address_of_a_single_pair_is_an_error_and_never_a_label(
    rig: Rig, path: str, b: Any, code: str
) -> None:
    fails(rig.ask(path, {"a": A, "b": b}), 422, code)


BAD_BODIES: list[tuple[bytes, int, str]] = [
    (b"", 400, "body_not_json"),
    (b"{", 400, "body_not_json"),
    (b'{"a":NaN,"b":1}', 400, "body_not_json"),
    (b'{"a":Infinity,"b":1}', 400, "body_not_json"),
    ('{"a":"文三路"}'.encode("gb18030"), 400, "body_not_json"),
    (b"[" * 100_000, 400, "body_not_json"),
    (b"null", 422, "body_shape"),
    (b"[]", 422, "body_shape"),
    (b"{}", 422, "body_shape"),
    (b'{"a":"x"}', 422, "body_shape"),
    (b'{"a":"x","b":"y","c":1}', 422, "body_shape"),
    (b'{"a":"x","b":"y","pairs":[]}', 422, "body_shape"),
    (b'{"query":"x","pairs":[]}', 422, "body_shape"),
    (b'{"pairs":{}}', 422, "body_invalid"),
    (b'{"pairs":[["x","y"]]}', 422, "body_invalid"),
    (b'{"pairs":[{"a":"x"}]}', 422, "body_invalid"),
    (b'{"pairs":[{"a":"x","b":"y","id":[1]}]}', 422, "body_invalid"),
    (b'{"pairs":[{"a":"x","b":"y","weight":1}]}', 422, "body_invalid"),
    (b'{"query":"x","candidates":"y"}', 422, "body_invalid"),
]


@pytest.mark.parametrize(("body", "status", "code"), BAD_BODIES, ids=lambda value: repr(value)[:40])
def test_a_body_of_another_shape_is_refused(rig: Rig, body: bytes, status: int, code: str) -> None:
    fails(rig.ask("/v1/match", body), status, code)


@pytest.mark.parametrize("body", [{"text": [A]}, {"texts": A}, {"texts": [A], "mode": 1}, []])
def test_texts_of_another_shape_are_refused(rig: Rig, body: Any) -> None:
    fails(rig.ask("/v1/parse", body), 422, "body_invalid")


def test_a_byte_order_mark_is_no_trouble(rig: Rig) -> None:
    assert rig.ask("/v1/match", b"\xef\xbb\xbf" + json.dumps(PAIR).encode()).status_code == 200


def test_too_many_characters_are_refused_before_any_work(rig: Rig) -> None:
    text = "a" * 1000
    for path, body in (
        ("/v1/parse", {"texts": [text] * 2001}),
        ("/v1/normalize", {"texts": [text] * 2001}),
        ("/v1/match", {"pairs": [{"a": text, "b": {"text": text}}] * 1001}),
    ):
        error = fails(rig.ask(path, body), 413, "too_many_characters")
        assert "2000000" in error["message"]


def test_too_many_rows_are_refused_before_any_work(rig: Rig) -> None:
    error = fails(rig.ask("/v1/match", {"pairs": [PAIR] * 10_001}), 413, "too_many_rows")
    assert "10001" in error["message"]


@pytest.mark.parametrize("value", ["0", "-1", "1.5", "abc", "", "²", "9999999999"])
def test_a_timeout_that_is_no_number_is_refused(rig: Rig, value: str) -> None:
    fails(rig.ask("/v1/match", PAIR, x_request_timeout_ms=value), 400, "timeout_invalid")


@pytest.mark.parametrize(
    ("method", "path", "status", "code", "allow"),
    [
        ("GET", "/v1/match", 405, "method_wrong", "POST"),
        ("DELETE", "/infer", 405, "method_wrong", "POST"),
        ("POST", "/livez", 405, "method_wrong", "GET, HEAD"),
        ("GET", "/v1/matches", 404, "route_unknown", None),
        ("GET", "/docs/../../etc/passwd", 404, "route_unknown", None),
        ("GET", "/docs/swagger-ui.js", 404, "route_unknown", None),
    ],
)
def test_wrong_methods_and_routes(
    rig: Rig, method: str, path: str, status: int, code: str, allow: str | None
) -> None:
    response = rig.run(rig.client.request(method, path))
    fails(response, status, code)
    assert sorted(response.headers.get("allow", "").split(", ")) == sorted((allow or "").split(", "))


@pytest.mark.parametrize(
    ("accept", "language"),
    [
        ("zh-CN,zh;q=0.9,en;q=0.8", "zh"),
        ("en-US,zh;q=0.5", "en"),
        ("fr", "en"),
        ("", "en"),
        ("zh;q=9e9", "zh"),
    ],
)
def test_troubles_are_told_in_the_callers_language(rig: Rig, accept: str, language: str) -> None:
    expected = {"zh": "请填入地址文本", "en": "give the text of the address"}[language]
    failed = rig.ask("/v1/match", {"a": A, "b": ""}, accept_language=accept)
    listed = rig.ask("/v1/match", {"pairs": [{"a": A, "b": ""}]}, accept_language=accept)
    assert failed.json()["error"]["hint"] == expected
    assert listed.json()["verdicts"][0]["problem"]["hint"] == expected


def test_many_callers_at_once_each_get_their_own_answer(rig: Rig, matcher: Matcher) -> None:
    numbers = [f"文三路{n}号" for n in range(1, 41)]
    expected = [matcher.match(A, b).to_dict() for b in numbers]

    async def ask_all() -> list[Any]:
        return [
            r.json()
            for r in await asyncio.gather(*(rig.post("/v1/match", {"a": A, "b": b}) for b in numbers))
        ]

    assert rig.run(ask_all()) == expected
