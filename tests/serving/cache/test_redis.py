"""Redis, the real server: shared by services, with a password, over TLS; killed, stopped and back; the slow tier."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from menpai.cli import main
from menpai.errors import UsageError
from menpai.matcher import Matcher
from menpai.serving.cache.redis_store import RedisStore
from menpai.serving.cache.store import StoreError
from tests.serving.cache.rows import PAIRS, A, B
from tests.serving.cache.values import KEYS, SCORE, key, values
from tests.serving.rig import Held, Rig, running, until

pytestmark = pytest.mark.slow
PASSWORD = "open-sesame"
BODY = {"pairs": [{"a": a, "b": b} for a, b in PAIRS]}


@dataclass
class Server:
    """A redis-server of our own on a free port; can be stopped, killed and started again."""

    folder: Path
    options: list[str] = field(default_factory=list)
    scheme: str = "redis"
    query: str = ""

    def __post_init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]

    @property
    def url(self) -> str:
        return f"{self.scheme}://:{PASSWORD}@127.0.0.1:{self.port}/0{self.query}"

    def start(self) -> None:
        port = ["--tls-port", str(self.port), "--port", "0"] if self.options else ["--port", str(self.port)]
        self.process = subprocess.Popen(
            ["redis-server", *port, "--bind", "127.0.0.1", "--requirepass", PASSWORD, "--save", "",
             "--dir", str(self.folder), *self.options],
            stdout=subprocess.DEVNULL,
        )  # fmt: skip
        until_ = time.monotonic() + 10
        while time.monotonic() < until_:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return
            time.sleep(0.02)
        raise TimeoutError("redis-server did not start")

    def kill(self) -> None:
        self.process.send_signal(signal.SIGCONT)
        self.process.kill()
        self.process.wait()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    assert shutil.which("redis-server"), "install redis-server"
    server = Server(tmp_path)
    server.start()
    yield server
    server.kill()


def connected(url: str, **more: float) -> RedisStore:
    store = RedisStore(url, more.get("seconds", 100), more.get("wait", 0.2))
    store.generation()
    return store


def test_values_with_a_time_to_live_and_no_text(server: Server) -> None:
    store = connected(server.url, seconds=1)
    store.put_many(values("文三路123号海月花园", "b"))
    wanted = [key("文三路123号海月花园"), key("x"), key("b")]
    assert store.get_many(wanted) == values("文三路123号海月花园", "b")
    raw = store._client
    names = raw.keys("*")
    assert len(names) == 2
    held = b"".join([*names, *raw.mget(names)])
    assert "文三路".encode() not in held
    time.sleep(1.2)
    assert store.get_many(wanted) == {}
    store.close()


def test_an_address_is_forgotten_with_every_pair_it_is_in(server: Server) -> None:
    store = connected(server.url)
    store._client.set("another's", "value")
    pairs = [("甲", "乙"), ("乙", "甲"), ("甲", "甲"), ("乙", "丙")]
    keys = [KEYS.pair("realm", *pair) for pair in pairs]
    store.put_many({each: KEYS.seal(each, SCORE) for each in keys})
    before = store.generation()
    assert store.clear(KEYS.address("甲")) == 3
    assert set(store.get_many(keys)) == {keys[3]}
    assert store.generation() != before
    assert (store.info().entries, store.clear(), store.info().entries) == (1, 1, 0)
    assert store._client.get("another's") == b"value"
    assert PASSWORD not in store.info().where
    store.close()


def test_a_wrong_password_and_a_wrong_url_are_told_without_it(server: Server, capsys: Any) -> None:
    wrong = RedisStore(server.url.replace(PASSWORD, "secret-guess"), 10, 0.2)
    with pytest.raises(StoreError) as caught:
        wrong.generation()
    assert "secret-guess" not in str(caught.value)
    with pytest.raises(UsageError) as refused:
        RedisStore("http://:secret-guess@host/0", 10, 0.2)
    assert "secret-guess" not in str(refused.value.render("en"))
    wrong.close()


def test_over_tls_with_our_own_authority(tmp_path: Path) -> None:
    run = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"]
    run += ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "key.pem", "-out", "cert.pem"]
    subprocess.run(run, cwd=tmp_path, check=True, capture_output=True)
    cert, secret = str(tmp_path / "cert.pem"), str(tmp_path / "key.pem")
    options = [
        "--tls-cert-file",
        cert,
        "--tls-key-file",
        secret,
        "--tls-ca-cert-file",
        cert,
        "--tls-auth-clients",
        "no",
    ]
    server = Server(tmp_path, options, "rediss", f"?ssl_ca_certs={cert}")
    server.start()
    try:
        store = connected(server.url)
        store.put_many(values("a"))
        assert store.get_many([key("a")]) == values("a")
        store.close()
        with pytest.raises(StoreError):
            connected(server.url.partition("?")[0])  # nobody vouches for it
    finally:
        server.kill()


@contextlib.contextmanager
def service(matcher: Any, url: str, **flags: Any) -> Iterator[Rig]:
    """A service on Redis alone, that shares the others' secret."""
    told = {"cache": True, "cache_file": "", "redis_url": url, "cache_secret": "shared", "redis_ms": 50.0}
    with running(lambda *_: matcher, **told | flags) as rig:
        rig.run(until(lambda: rig.app.state.service.cache._outer._stores))
        yield rig


def written(rig: Rig) -> bool:
    return not rig.app.state.service.cache._outer.waits


def test_two_services_share_what_one_has_judged(server: Server, matcher: Matcher) -> None:
    with service(matcher, server.url) as first:
        fresh = first.ask("/v1/match", BODY).content
    held = Held(matcher)
    with service(held, server.url) as second:
        held.batches.clear()
        assert second.ask("/v1/match", BODY).content == fresh
        assert second.requests[-1]["cache"] == {"redis": len(PAIRS)}
        assert not held.batches
    with service(matcher, server.url, cache_secret="another") as stranger:
        stranger.ask("/v1/match", BODY)
        assert stranger.requests[-1]["cache"] == {"miss": len(PAIRS)}


def test_killed_stopped_and_back_it_costs_no_request_and_little_time(
    server: Server, matcher: Matcher
) -> None:
    with service(matcher, server.url, cache_entries=0, redis_ms=5.0) as rig:
        fresh = rig.ask("/infer", {"addr1": A, "addr2": B}).content

        def ask(count: int) -> list[float]:
            spent = []
            for _ in range(count):
                assert rig.ask("/infer", {"addr1": A, "addr2": B}).content == fresh
                spent.append(rig.requests[-1]["cache_ms"])
                rig.run(asyncio.sleep(0.01))
            return spent

        def comes_back() -> None:
            end = time.monotonic() + 20
            while time.monotonic() < end:
                ask(1)
                if rig.requests[-1]["cache"] == "redis":
                    return
            raise TimeoutError("Redis was not used again")

        comes_back()
        server.process.send_signal(signal.SIGSTOP)  # slow: it takes connections and answers nothing
        spent = ask(40)
        assert rig.requests[-1]["cache"] == "miss"
        assert sorted(spent)[-3] < 20  # two or three waited; the others passed it by
        assert sum(spent) < 40 * 5
        server.process.send_signal(signal.SIGCONT)
        comes_back()
        server.kill()
        assert sum(ask(40)) < 40 * 5
        assert rig.requests[-1]["cache"] == "miss"
        server.start()
        comes_back()
        events = [line["event"] for line in rig.log]
        assert PASSWORD not in rig.stream.getvalue()
        assert "cache_left_alone" in events
        assert "cache_back" in events


def test_the_command_looks_and_clears_without_telling_the_password(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    store = connected(server.url)
    store.put_many(values("a", "b"))
    store.close()
    monkeypatch.setenv("MENPAI_REDIS_URL", server.url)
    file = ["--cache-file", str(tmp_path / "v.sqlite")]
    assert main(["cache", "info", *file]) == 0
    told = capsys.readouterr().out
    assert "entries 2" in told
    assert main(["cache", "clear", *file]) == 0
    assert "deleted 2" in capsys.readouterr().out
    server.kill()
    assert main(["cache", "info", "--json", *file]) == 3
    told += "".join(capsys.readouterr())
    assert "cache_unavailable" in told
    assert PASSWORD not in told
    server.start()
