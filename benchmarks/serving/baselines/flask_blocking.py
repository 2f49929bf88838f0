"""The articles' first server: Flask, one request at a time, PyTorch in float32."""

from __future__ import annotations

import sys

from flask import Flask, Response, jsonify, request

from menpai import Matcher


def main(port: int) -> None:
    """Serve until killed. The pack comes from MENPAI_PACK, as everywhere here; it must be one of float32."""
    matcher = Matcher.open(engine="torch", threads=2)
    matcher.warm()
    app = Flask(__name__)

    @app.post("/match")
    def match() -> Response:
        body = request.get_json(force=True)
        verdict = matcher.match(body["a"], body["b"])
        return jsonify(label=verdict.label, similarity=verdict.similarity)

    app.run(port=port, threaded=False)


if __name__ == "__main__":
    main(int(sys.argv[1]))
