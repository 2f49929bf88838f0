"""URLs and the bytes of requests."""

from __future__ import annotations

import json
from itertools import repeat
from urllib.parse import unquote

import pytest

from menpai.cli import loadtest
from menpai.errors import UsageError
from menpai.load.target import ROUTES, Target


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://127.0.0.1:8600", "http://127.0.0.1:8600"),
        ("localhost:8600", "http://localhost:8600"),
        ("http://menpai.example/api/", "http://menpai.example:80/api"),
        ("https://menpai.example", "https://menpai.example:443"),
        ("http://[::1]:8600", "http://[::1]:8600"),
    ],
)
def test_a_url_is_read(url: str, shown: str) -> None:
    assert Target.of(url).url == shown


@pytest.mark.parametrize(
    "url",
    ["", "http://", "ftp://a", "http://a:b", "http://a:99999", "http://u:p@a", "http://a?x=1", "http://[a"],
)
def test_what_is_no_url_of_a_service_is_refused(url: str) -> None:
    with pytest.raises(UsageError, match="not the URL of a service"):
        Target.of(url)


@pytest.mark.parametrize("route", [route for route in ROUTES if route != "/v1/suggest"])
def test_a_request_is_whole(route: str) -> None:
    request = next(
        Target.of("http://h:1/api", key="k7").requests(route, repeat(("文三路1号", "文三路2号")), 1)
    )
    head, _, body = request.partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    assert lines[0] == f"POST /api{route} HTTP/1.1"
    assert {"host: h:1", "authorization: Bearer k7", f"content-length: {len(body)}"} <= set(lines)
    assert "文三路2号" in json.dumps(json.loads(body), ensure_ascii=False)


def test_what_is_typed_stands_behind_the_path() -> None:
    request = next(Target.of("http://h:1").requests("/v1/suggest", repeat(("", "文三路125号")), 1))
    path = request.split()[1].decode()
    assert unquote(path) == "/v1/suggest?q=" + "文三路125号"[: 2 + 7 % 8]
    assert request.endswith(b"\r\n\r\n")


def test_several_pairs_go_into_one_request() -> None:
    request = next(Target.of("h").requests("/v1/match", repeat(("甲", "乙")), 3))
    assert json.loads(request.partition(b"\r\n\r\n")[2]) == {"pairs": [{"a": "甲", "b": "乙"}] * 3}


def test_the_command_offers_every_route() -> None:
    assert set(loadtest.ROUTES) == set(ROUTES)


def test_a_certificate_that_cannot_be_read_is_named() -> None:
    with pytest.raises(UsageError, match=r"no-such\.pem"):
        Target.of("https://h", ca="no-such.pem")
