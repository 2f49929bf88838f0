"""A worker of a build ends with the one who gives it tasks, without a word."""

from __future__ import annotations

import json
import subprocess
import sys

from menpai.search.pool import _START


def test_a_task_that_breaks_off_ends_the_worker_quietly() -> None:
    command = [sys.executable, "-c", _START, json.dumps(sys.path)]
    done = subprocess.run(command, input='{"task": "chunk", "pa', capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")
