"""Every trouble as one answer: {"error": {"code", "message", "hint"}} with its status and headers."""

from __future__ import annotations

import re

from starlette.responses import Response
from starlette.types import Scope

from menpai.errors import Language, MenpaiError
from menpai.serving.codec import write_json
from menpai.serving.guard import field

# Codes whose status is not that of their family.
STATUS = {
    "body_not_json": 400,
    "http_invalid": 400,
    "timeout_invalid": 400,
    "key_wrong": 401,
    "reload_needs_key": 403,
    "host_refused": 403,
    "origin_refused": 403,
    "jobs_off": 403,
    "route_unknown": 404,
    "job_unknown": 404,
    "job_has_no_result": 404,
    "method_wrong": 405,
    "body_slow": 408,
    "head_slow": 408,
    "body_too_large": 413,
    "too_many_rows": 413,
    "job_too_long": 413,
    "too_many_characters": 413,
    "quota_spent": 429,
    "jobs_of_client": 429,
    "head_too_large": 431,
    "service_failed": 500,
    "instance_died": 500,
    "deadline_passed": 504,
    "deadline_halfway": 504,
}
FAMILY_STATUS = {"usage": 422, "not_ready": 503, "broken": 500}
RETRY_SECONDS = 1  # until a service that warms or drains is asked again
CLIENT_GONE = 499  # nginx's number for it; only logged and counted, nobody is there to read it


class ClientGoneError(Exception):
    """The caller closed the connection before the answer was there."""


def status_of(error: MenpaiError) -> int:
    """The HTTP status of an error."""
    return STATUS.get(error.code, FAMILY_STATUS[error.family])


def language_of(scope: Scope, otherwise: Language) -> Language:
    """zh or en, whichever Accept-Language likes better, else the service's own."""
    best, best_weight = otherwise, 0.0
    for tag, weight in _LANGUAGE.findall(field(scope, b"accept-language").lower()):
        if float(weight or 1) > best_weight:
            best, best_weight = ("zh" if tag == "zh" else "en"), float(weight or 1)
    return best


def error_response(error: MenpaiError, language: Language) -> Response:
    """The answer to a request that failed."""
    message, hint = error.render(language)
    body = write_json({"error": {"code": error.code, "message": message, "hint": hint}})
    return Response(body, status_of(error), _headers(error, language), "application/json")


_LANGUAGE = re.compile(r"\b(zh|en)\b[a-z0-9-]*(?:\s*;\s*q\s*=\s*([01](?:\.\d{0,3})?))?")


def _headers(error: MenpaiError, language: Language) -> dict[str, str]:
    headers: dict[str, str] = {"content-language": language}
    if "retry_after" in error.details:
        headers["retry-after"] = str(error.details["retry_after"])
    if error.code == "method_wrong":
        headers["allow"] = error.details["allow"]
    if error.code == "key_wrong":
        headers["www-authenticate"] = "Bearer"
    if error.code in ("body_too_large", "body_slow", "service_draining"):
        headers["connection"] = (
            "close"  # the rest of the body is not worth reading; another instance takes the next
        )
    return headers
