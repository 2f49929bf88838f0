"""Settings about the world outside that could never have an effect are refused at the start, not found out later."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Iterator

from menpai.errors import UsageError
from menpai.serving.guard import names_in
from menpai.settings import Settings

_ORIGIN = re.compile(r"https?://(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?")
_NAME = re.compile(r"[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?")


def check_outside(settings: Settings) -> None:
    """Raise UsageError for the first value that nothing could ever match, or a key without its certificate."""
    for name, value, expected in _wrong(settings):
        raise UsageError("setting_invalid", name=name, value=value[:80], expected=expected, source=name)


def _wrong(settings: Settings) -> Iterator[tuple[str, str, str]]:
    lists: tuple[tuple[str, Callable[[str], object], str], ...] = (
        ("trusted_proxies", _is_network, "10.0.0.1, 172.16.0.0/12, …"),
        ("allowed_hosts", _is_name, "match.example, 192.168.0.5, …"),
        ("cors_origins", _ORIGIN.fullmatch, "https://shop.example, …"),
    )
    for name, good, expected in lists:
        for value in names_in(getattr(settings, name)):
            if not good(value):
                yield name, value, expected
    if settings.tls_key and not settings.tls_cert:
        yield "tls_cert", "", f"….pem (tls_key={settings.tls_key[:40]})"
    if settings.metrics_port and (settings.metrics_host, settings.metrics_port) == (
        settings.host,
        settings.port,
    ):
        yield "metrics_port", str(settings.metrics_port), f"0, ≠ {settings.port}"


def _is_network(value: str) -> bool:
    """An address or a network; `*` trusts everybody, as Uvicorn has it."""
    try:
        return value == "*" or bool(ipaddress.ip_network(value))
    except ValueError:
        return False


def _is_name(value: str) -> bool:
    try:
        return bool(_NAME.fullmatch(value)) or bool(ipaddress.ip_address(value))
    except ValueError:
        return False
