"""What is written first: FastAPI, `def` and pydantic, each request a call of `match`."""

from __future__ import annotations

import sys
from typing import Any

import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel

from menpai import Matcher


class Pair(BaseModel):
    """Two addresses."""

    a: str
    b: str


def main(port: int) -> None:
    """Serve until killed."""
    matcher = Matcher.open(threads=2)
    matcher.warm()
    app = FastAPI()

    @app.post("/match")
    def match(pair: Pair) -> dict[str, Any]:
        verdict = matcher.match(pair.a, pair.b)
        return verdict.to_dict()

    uvicorn.run(app, port=port, log_level="warning")


if __name__ == "__main__":
    main(int(sys.argv[1]))
