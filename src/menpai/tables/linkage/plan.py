"""What a person may choose about linking; the defaults need no tuning."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from menpai.verdict import Probabilities

Accept = Literal["exact", "partial"]
Assign = Literal["auto", "one", "many"]


@dataclass(frozen=True, slots=True)
class Plan:
    """`accept`: the weakest label that joins. `assign`: whether a right row may be given to several left rows; `auto`
    lets it where the rows are addresses, and where they have names only to rows that are equal."""

    accept: Accept = "exact"
    assign: Assign = "auto"
    candidates: int = 10
    "Pairs of a row that are compared."
    read: int = 2
    "Pairs of a row that the encoder may read."
    largest: int = 200
    "Spellings of a cluster; what would make a larger one is reported, not done."
    workers: int = 0
    "Processes that read and judge; 0: one for each core of the settings, 1: none but this one."
    alone_below: int | None = None
    "Pairs below which this process does all itself; None: what starting others is worth."
    unsure: Callable[[str, Probabilities], bool] | None = None
    "Which pairs people should look at, by label and probabilities."
