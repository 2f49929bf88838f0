"""Settings that could never have an effect are refused before anything listens."""

from __future__ import annotations

import pytest

from menpai.cli.entry import main
from menpai.errors import UsageError
from menpai.serving.outside import check_outside
from menpai.settings import Settings


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("trusted_proxies", "10.0.0.1, 1.2.3.4/33"),
        ("trusted_proxies", "172.16.0.1/12"),
        ("trusted_proxies", "proxy.example"),
        ("allowed_hosts", "http://match.example"),
        ("allowed_hosts", "match.example:8600"),
        ("allowed_hosts", "*"),
        ("cors_origins", "shop.example"),
        ("cors_origins", "https://shop.example/"),
        ("cors_origins", "*"),
        ("tls_key", "key.pem"),
        ("metrics_port", 8600),
    ],
)
def test_what_nothing_could_match_is_refused(name: str, value: str | int) -> None:
    with pytest.raises(UsageError, match="tls_cert" if name == "tls_key" else name):
        check_outside(Settings().replace(**{name: value}))


def test_what_can_match_is_taken() -> None:
    check_outside(Settings())
    check_outside(
        Settings(
            trusted_proxies="10.0.0.1, 172.16.0.0/12, ::1, fd00::/8, *",
            allowed_hosts="Match.Example, my_host, 192.168.0.5, ::1",
            cors_origins="https://Shop.example, http://localhost:3000, http://[::1]:80",
            tls_cert="cert.pem", tls_key="key.pem", metrics_port=9600,
        )
    )  # fmt: skip


def test_a_key_without_its_certificate_does_not_serve_in_the_clear(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["serve", "--port", "0", "--tls-key", "key.pem", "--language", "en"]) == 2
    assert "tls_cert" in capsys.readouterr().err
