"""A job as a command: the words of the command line, and the environment in which it judges as the service does."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from menpai.serving.jobs.names import result_name
from menpai.serving.jobs.record import Job
from menpai.settings import Settings, environment_with

KINDS = ("match", "link", "dedupe")
ROLES = ("address", "name", "id", "lat", "lon", "phone", "crs")
OPTIONS = frozenset({"a", "b", "accept", "sheet", *ROLES, *(f"right-{role}" for role in ROLES)})
REPORT, FACTS = "report.html", "report.json"
# What moves a verdict, and what a process needs to judge; nothing secret.
_HANDED_ON = (
    "pack",
    "engine",
    "device",
    "mode",
    "cascade",
    "overrides",
    "max_length",
    "readings",
    "readings_mb",
)
_SECRETS = ("API_KEY", "LOG_SALT", "CACHE_SECRET", "REDIS_URL", "CONFIG")


def command_of(job: Job) -> list[str]:
    """The command, to be run in the folder of the job's tables. A value is never taken for an option."""
    out = f"../out/{result_name(Path(job.tables[0]).name)}"
    workers = [] if job.kind == "match" else ["--workers=1"]
    options = [f"--{name}={value}" for name, value in sorted(job.options.items())]
    reports = [f"--report=../out/{name}" for name in (REPORT, FACTS)]
    words = [job.kind, *job.tables, f"--output={out}", *reports, *workers, *options]
    return [*child(), *words]


def child() -> list[str]:
    """What starts the command line for a program; -P: no module is taken from the folder of the tables."""
    return [sys.executable, "-P", "-m", "menpai.cli.child"]


def environment_of(settings: Settings, language: str) -> dict[str, str]:
    """The environment of a job: the service's settings as they are in use, and no secret of its."""
    given = {name: str(getattr(settings, name)) for name in _HANDED_ON}
    for name in ("pack", "overrides"):
        if given[name] and os.path.exists(given[name]):
            given[name] = os.path.abspath(given[name])
    found = environment_with(**given, language=language, threads="1")
    for name in _SECRETS:
        found.pop(f"MENPAI_{name}", None)
    return found
