"""mosec: a front in Rust, two worker processes of one thread, batches of up to 8 within 5 ms."""

from __future__ import annotations

import sys
from typing import Any

from mosec import Server, Worker

from menpai import Matcher


class Judge(Worker):
    """Judges batches."""

    def __init__(self) -> None:
        self.matcher = Matcher.open(threads=1)
        self.matcher.warm()

    def forward(self, data: list[dict[str, str]]) -> list[dict[str, Any]]:
        """A verdict for each."""
        verdicts = self.matcher.match_many([(row["a"], row["b"]) for row in data])
        return [{"label": verdict.label, "similarity": verdict.similarity} for verdict in verdicts]


if __name__ == "__main__":
    sys.argv[1:] = ["--port", sys.argv[1], "--timeout", "60000", "--log-level", "warning"]
    server = Server()
    server.append_worker(Judge, num=2, max_batch_size=8, max_wait_time=5, route="/match")
    server.run()
