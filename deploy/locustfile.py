"""The pairs of `menpai loadtest` for those who use Locust.

pip install '.[serve]' locust
locust -f deploy/locustfile.py --host http://127.0.0.1:8600 --users 32 --headless --run-time 60s
"""

from __future__ import annotations

from itertools import count
from typing import Any

from locust import FastHttpUser, task

from menpai.load.pairs import generated
from menpai.settings import Settings

_SEEDS = count(1)
_KEY = Settings.load().api_key  # MENPAI_API_KEY
next(generated(0))  # reads the tables now, before callers wait


class Caller(FastHttpUser):
    """Sends a new pair as soon as the last is answered; a refusal (429, 503, 504) is counted as what it is."""

    def on_start(self) -> None:
        """Each caller has pairs of its own."""
        self.pairs = generated(next(_SEEDS))

    @task
    def match(self) -> None:
        """One pair; the answer must be a verdict."""
        a, b = next(self.pairs)
        headers = {"Authorization": f"Bearer {_KEY}"} if _KEY else {}
        ask: Any = self.client.post
        with ask("/v1/match", json={"a": a, "b": b}, headers=headers, catch_response=True) as answer:
            if answer.status_code != 200:
                answer.failure(f"status {answer.status_code}")
            elif "label" not in answer.json():
                answer.failure("no verdict")
