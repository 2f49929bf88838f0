"""What is known of an uploaded table and of a job; a job's record is a file beside its tables."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct, field

State = Literal["waiting", "running", "done", "failed"]


class Upload(Struct):
    """A table that waits for its job: whose it is, its name, its size, when it came (seconds since 1970)."""

    id: str
    owner: str
    name: str
    created: float
    bytes: int = 0


class Job(Struct):
    """A job: what is asked, how far it is, what came of it. `attempts` counts its starts."""

    id: str
    owner: str
    kind: str
    language: str
    tables: list[str]
    options: dict[str, str]
    created: float
    state: State = "waiting"
    attempts: int = 0
    ended: float = 0.0
    bytes: int = 0
    rows_had_problems: bool = False
    problem: dict[str, str] | None = None
    notes: list[str] = field(default_factory=list)
    summary: dict[str, Any] | None = None
    progress: dict[str, Any] = field(default_factory=dict)
