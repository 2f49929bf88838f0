"""LitServe: two worker processes of one thread, batches of up to 8 within 5 ms."""

from __future__ import annotations

import sys
from typing import Any

import litserve

from menpai import Matcher


class Judge(litserve.LitAPI):
    """Judges batches."""

    def setup(self, device: str) -> None:
        """In each worker."""
        self.matcher = Matcher.open(threads=1)
        self.matcher.warm()

    def decode_request(self, request: dict[str, str]) -> tuple[str, str]:
        """The pair."""
        return request["a"], request["b"]

    def predict(self, x: list[tuple[str, str]]) -> list[Any]:
        """A verdict for each."""
        return self.matcher.match_many(x)

    def encode_response(self, output: Any) -> dict[str, Any]:
        """The answer."""
        return {"label": output.label, "similarity": output.similarity}


if __name__ == "__main__":
    litserve.server._MCP_AVAILABLE = False  # 0.2.19 does not start beside mcp 2
    api = Judge(max_batch_size=8, batch_timeout=0.005, api_path="/match")
    server = litserve.LitServer(api, accelerator="cpu", workers_per_device=2, timeout=60)
    server.run(port=int(sys.argv[1]), generate_client_file=False, log_level="warning")
