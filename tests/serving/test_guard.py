"""Who is let in: quotas, names of the service, pages of other origins, clients behind a proxy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from menpai.errors import NotReadyError
from menpai.matcher import Matcher
from menpai.serving import quota as module
from menpai.serving.guard import address_of, host_name
from menpai.serving.keys import make_key
from menpai.serving.quota import Client, Quotas
from tests.serving.rig import A, B, Rig, door, fails, running

IN = 500  # past the door there is only the error of a pack that cannot be opened
PAIR = {"a": A, "b": B}


class Clock:
    """A clock that stands until it is moved."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_fills_at_its_rate_and_never_runs_over() -> None:
    clock = Clock()
    quotas, client = Quotas(clock), Client("shop", 2.0, 3)
    for _ in range(3):
        quotas.admit(client)
    with pytest.raises(NotReadyError) as caught:
        quotas.admit(client)
    assert caught.value.details["retry_after"] == 1
    clock.now = 0.5
    quotas.admit(client)
    clock.now = 1000.0
    for _ in range(3):
        quotas.admit(client)
    with pytest.raises(NotReadyError):
        quotas.admit(client)


def test_a_long_list_is_let_in_and_paid_for_afterwards() -> None:
    clock = Clock()
    quotas, client = Quotas(clock), Client("shop", 10.0, 5)
    quotas.admit(client)
    quotas.charge(client, 99)
    with pytest.raises(NotReadyError) as caught:
        quotas.admit(client)
    assert caught.value.details["retry_after"] == 10
    clock.now = 10.0
    quotas.admit(client)


def test_clients_have_buckets_of_their_own_and_not_without_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "REMEMBERED", 10)
    quotas = Quotas(Clock())
    for n in range(100):
        quotas.admit(Client(f"client {n}", 1.0, 1))
    assert len(quotas._buckets) == 10
    quotas.admit(Client("free", 0.0, 1))
    assert "free" not in quotas._buckets


def test_a_spent_quota_is_429_before_the_body_is_read(matcher: Matcher) -> None:
    with running(lambda *_: matcher, quota=0.001, quota_burst=5) as rig:
        assert rig.ask("/v1/match", {"pairs": [PAIR] * 20}).status_code == 200
        response = rig.ask("/v1/match", b"{")
        fails(response, 429, "quota_spent")
        assert int(response.headers["retry-after"]) == 16_000
        assert rig.run(rig.client.get("/livez")).status_code == 200
        assert rig.run(rig.client.get("/metrics")).status_code == 200
        assert rig.requests[-1]["outcome"] == "quota"
        assert rig.metric('menpai_outcomes_total{outcome="quota"}') == 1


def test_a_key_may_have_a_quota_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "keys.txt"
    (poor, poor_key), (rich, rich_key) = make_key("poor", 0.001, 1), make_key("rich")
    file.write_text(f"{poor_key.line}\n{rich_key.line}\n")
    with door(key_file=str(file)) as rig:
        codes = [
            rig.ask("/infer", {"addr1": A, "addr2": B}, authorization=f"Bearer {key}").status_code
            for key in (poor, rich, poor, rich)
        ]
    assert codes == [IN, IN, 429, IN]


@pytest.mark.parametrize(
    ("quota", "burst", "most"), [(5.0, 0, 50), (5.0, 7, 7), (0.001, 0, 1), (0.25, 0, 3), (500.0, 0, 5000)]
)
def test_without_a_burst_one_may_ask_for_ten_seconds_worth_at_once(
    quota: float, burst: int, most: int
) -> None:
    quotas, client = Quotas(Clock()), Client("shop", quota, burst)
    for _ in range(most):
        quotas.admit(client)
    with pytest.raises(NotReadyError):
        quotas.admit(client)


def test_a_quota_of_a_keys_own_leaves_the_burst_of_the_service_behind(tmp_path: Path) -> None:
    file = tmp_path / "keys.txt"
    (slow, slow_key), (usual, usual_key) = make_key("slow", 0.1), make_key("usual")
    file.write_text(f"{slow_key.line}\n{usual_key.line}\n")
    with door(key_file=str(file), quota=0.1, quota_burst=2) as rig:
        codes = [
            rig.ask("/v1/match", PAIR, authorization=f"Bearer {key}").status_code
            for key in (slow, slow, usual, usual, usual)
        ]
    assert codes == [IN, 429, IN, IN, 429]


@pytest.mark.parametrize(
    ("client", "name"),
    [
        (("192.0.2.7", 1), "192.0.2.7"),
        (("2001:db8:1:2:3:4:5:6", 1), "2001:db8:1:2::/64"),
        (("::ffff:192.0.2.7", 1), "192.0.2.7"),
        (None, "unknown"),
        (("", 0), "unknown"),
    ],
)
def test_a_client_without_a_key_is_its_address(client: Any, name: str) -> None:
    assert address_of({"type": "http", "client": client, "headers": []}) == name


@pytest.mark.parametrize(
    ("host", "name"),
    [("localhost:8600", "localhost"), ("[::1]:8600", "::1"), ("LOCALHOST.", "localhost"), ("", "")],
)
def test_a_name_stands_without_its_port(host: str, name: str) -> None:
    assert host_name(host) == name


@pytest.mark.parametrize("host", ["localhost", "localhost:8600", "127.0.0.1:8600", "[::1]:8600", "127.1.2.3"])
def test_this_machines_names_are_answered(rig: Rig, host: str) -> None:
    assert rig.ask("/v1/match", PAIR, host=host).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example:8600",
        "10.0.0.1",
        "localhost:80@evil.example",
        "[::1]evil.example",
        "localhost, evil.example",
    ],
)
def test_a_page_cannot_take_this_machine_for_its_own(rig: Rig, host: str) -> None:
    fails(rig.ask("/v1/match", PAIR, host=host), 403, "host_refused")
    fails(rig.run(rig.client.get("/metrics", headers={"host": host})), 403, "host_refused")


def test_two_names_are_none(rig: Rig) -> None:
    both = [("host", "localhost"), ("host", "evil.example")]
    fails(rig.run(rig.client.get("/metrics", headers=both)), 403, "host_refused")


def test_names_may_be_given_and_a_service_for_others_takes_any() -> None:
    with door(allowed_hosts="Match.Example, other.example") as rig:
        assert rig.ask("/v1/match", PAIR, host="match.example:443").status_code == IN
        assert rig.ask("/v1/match", PAIR, host="localhost").status_code == IN
        fails(rig.ask("/v1/match", PAIR, host="evil.example"), 403, "host_refused")
    with door(host="0.0.0.0", insecure=True) as rig:
        assert rig.ask("/v1/match", PAIR, host="match.example").status_code == IN


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"origin": "http://localhost"}, 200),
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "https://proxy.example", "sec_fetch_site": "same-origin"}, 200),
        ({"origin": "http://localhost", "sec_fetch_site": "cross-site"}, 403),
        ({"origin": "https://evil.example", "sec_fetch_site": "same-site"}, 403),
        ({"sec_fetch_site": "none"}, 200),
    ],
)
def test_pages_of_other_origins_send_no_work(rig: Rig, headers: dict[str, str], status: int) -> None:
    response = rig.ask("/v1/match", PAIR, **headers)
    assert response.status_code == status
    assert "access-control-allow-origin" not in response.headers


def test_browsers_read_answers_only_of_origins_that_were_named() -> None:
    shop = "https://shop.example"
    with door(cors_origins=f"{shop}, https://b.example", api_key="s3cret") as rig:

        def preflight(origin: str) -> Any:
            headers = {"origin": origin, "access-control-request-method": "POST"}
            return rig.run(rig.client.request("OPTIONS", "/v1/match", headers=headers))

        asked = preflight(shop)
        assert asked.status_code == 204
        assert asked.headers["access-control-allow-origin"] == shop
        assert "authorization" in asked.headers["access-control-allow-headers"]
        assert preflight("https://evil.example").status_code == 401
        answer = rig.ask("/v1/match", PAIR, origin=shop, authorization="Bearer s3cret")
        assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (IN, shop)
        assert answer.headers["vary"] == "Origin"
        refused = rig.ask("/v1/match", PAIR, origin=shop)
        assert (refused.status_code, refused.headers["access-control-allow-origin"]) == (401, shop)
        assert rig.metric('menpai_requests_total{route="/v1/match",status="204"}') == 1


def test_behind_a_trusted_proxy_clients_are_those_it_names() -> None:
    with door(trusted_proxies="127.0.0.1", quota=0.001, quota_burst=1) as rig:
        codes = [
            rig.ask("/v1/match", PAIR, x_forwarded_for=client).status_code
            for client in ("192.0.2.1", "192.0.2.2", "192.0.2.1")
        ]
    assert codes == [IN, IN, 429]


def test_without_trust_nobody_names_another() -> None:
    with door(quota=0.001, quota_burst=1) as rig:
        codes = [
            rig.ask("/v1/match", PAIR, x_forwarded_for=client).status_code
            for client in ("192.0.2.1", "192.0.2.2")
        ]
    assert codes == [IN, 429]
