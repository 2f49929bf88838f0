"""The articles' second server: threads put requests into a queue; a loop collects up to 32 of them for 50 ms."""

from __future__ import annotations

import queue
import sys
import threading
import time
from concurrent.futures import Future
from typing import Any

from flask import Flask, Response, jsonify, request

from menpai import Matcher

WINDOW = 0.05
MOST = 32

Waiting = tuple[tuple[str, str], "Future[Any]"]


def main(port: int) -> None:
    """Serve until killed."""
    matcher = Matcher.open(threads=2)
    matcher.warm()
    waiting: queue.Queue[Waiting] = queue.Queue()
    threading.Thread(target=collect, args=(matcher, waiting), daemon=True).start()
    app = Flask(__name__)

    @app.post("/match")
    def match() -> Response:
        body = request.get_json(force=True)
        answer: Future[Any] = Future()
        waiting.put(((body["a"], body["b"]), answer))
        verdict = answer.result(timeout=60)
        return jsonify(label=verdict.label, similarity=verdict.similarity)

    app.run(port=port, threaded=True)


def collect(matcher: Matcher, waiting: queue.Queue[Waiting]) -> None:
    """Batch after batch, each as large as 50 ms make it."""
    while True:
        batch = [waiting.get()]
        until = time.monotonic() + WINDOW
        while len(batch) < MOST and (left := until - time.monotonic()) > 0:
            try:
                batch.append(waiting.get(timeout=left))
            except queue.Empty:
                break
        for (_, answer), verdict in zip(batch, matcher.match_many([pair for pair, _ in batch]), strict=True):
            answer.set_result(verdict)


if __name__ == "__main__":
    main(int(sys.argv[1]))
