"""What the doctor has found out, and what an advice is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from menpai.cli.doctor_machine import Extra, Machine
from menpai.cli.doctor_service import Service
from menpai.cli.doctor_stages import Run
from menpai.settings import Settings


class Advice(NamedTuple):
    """`about` names a setting (or extra:NAME, or a thing of the system); `why` holds the figure; `do` the cure."""

    about: str
    why: str
    do: str


class Found(NamedTuple):
    """All that was found out; `run` and `service` may be missing."""

    settings: Settings
    machine: Machine
    extras: Sequence[Extra]
    precision: str
    run: Run | None
    service: Service | None
