"""Asking a service what it is, before and between the loads."""

from __future__ import annotations

import http.client
import json
from typing import Any

from menpai.load.target import Target

SECONDS = 5


def readiness(target: Target) -> tuple[int, dict[str, Any]]:
    """Status and JSON of /readyz; (0, {"reason"}) if nobody answers in HTTP, no JSON is {}."""
    connection = _connection(target)
    headers = {"authorization": f"Bearer {target.key}".encode()} if target.key else {}
    try:
        connection.request("GET", f"{target.prefix}/readyz", headers=headers)
        answer = connection.getresponse()
        body = answer.read()
    except (OSError, http.client.HTTPException) as error:
        return 0, {"reason": getattr(error, "strerror", None) or str(error) or type(error).__name__}
    finally:
        connection.close()
    try:
        told = json.loads(body)
    except ValueError:
        told = {}
    return answer.status, told if isinstance(told, dict) else {}


def _connection(target: Target) -> http.client.HTTPConnection:
    if target.tls:
        return http.client.HTTPSConnection(target.host, target.port, timeout=SECONDS, context=target.tls)
    return http.client.HTTPConnection(target.host, target.port, timeout=SECONDS)
