"""What holds for the whole suite: nothing leaves the machine, generated tests repeat, English messages."""

from __future__ import annotations

import atexit
import gc
import ipaddress
import os
import shutil
import socket
import tempfile
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# The same examples in every run, and no clock: a busy machine must not fail a test.
settings.register_profile(
    "menpai", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("thorough", settings.get_profile("menpai"), derandomize=False, max_examples=3000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "menpai"))

# A developer's own settings must not move a test; child processes inherit this too.
for _name in [name for name in os.environ if name.startswith("MENPAI_")]:
    del os.environ[_name]
os.environ["XDG_CACHE_HOME"] = os.environ["LOCALAPPDATA"] = tempfile.mkdtemp(prefix="menpai-tests-")
atexit.register(shutil.rmtree, os.environ["XDG_CACHE_HOME"], ignore_errors=True)
os.environ["LC_ALL"] = "C.UTF-8"
os.environ["PYTHONUTF8"] = "1"


def pytest_addoption(parser: pytest.Parser) -> None:
    """--kills N: how often the kill tests of the second tier kill each command."""
    parser.addoption(
        "--kills", type=int, default=5, help="kills of each command in tests/tables/test_kill.py"
    )


@pytest.fixture(scope="session")
def kills(request: pytest.FixtureRequest) -> int:
    """How often a command is killed."""
    return int(request.config.getoption("--kills"))


def pytest_collection_finish() -> None:
    """Thousands of tests live to the end: the collector need not look at them again and again."""
    gc.collect()
    gc.freeze()


_connect = socket.socket.connect
_connect_ex = socket.socket.connect_ex


def _refuse_strangers(sock: socket.socket, address: Any) -> None:
    """Unix sockets and loopback pass; a host name passes only if it is localhost."""
    if sock.family not in (socket.AF_INET, socket.AF_INET6) or address[0] == "localhost":
        return
    try:
        local = ipaddress.ip_address(str(address[0]).split("%")[0]).is_loopback
    except ValueError:
        local = False
    if not local:
        raise PermissionError(f"a test tried to reach {address!r}; tests may reach loopback only")


def _guarded_connect(sock: socket.socket, address: Any) -> None:
    _refuse_strangers(sock, address)
    _connect(sock, address)


def _guarded_connect_ex(sock: socket.socket, address: Any) -> int:
    _refuse_strangers(sock, address)
    return _connect_ex(sock, address)


# Patched at import, so that fixtures of every scope are covered.
socket.socket.connect = _guarded_connect  # type: ignore[method-assign,assignment]
socket.socket.connect_ex = _guarded_connect_ex  # type: ignore[method-assign,assignment]
