"""`python -m menpai.cli.child ARGUMENTS`: the command line for a program that watches it, and `look FILE [SHEET] [ROWS]`.

On standard error stand JSON lines, one for each step of progress and one for what went wrong, between the lines that a
person would read. It ends with the program that started it: when its standard input is closed.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from menpai.cli import progress
from menpai.cli.entry import COLLECT, EXIT_CODES, leave_through_the_stack, main
from menpai.errors import MenpaiError
from menpai.settings import spoken_language
from menpai.tables.look import look

NICE = 10
"How far it stands back: who waits for an answer of the service comes first."
EVERY_SECONDS = 0.3


def run(words: Sequence[str]) -> int:
    """Do as the arguments say; the exit code of the command line."""
    leave_through_the_stack()
    gc.set_threshold(*COLLECT)
    _stand_back()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if words[0] == "look":
        return _look(*words[1:])
    progress.tell_to(_Seldom())
    return main(words, _refused)


def _look(path: str, sheet: str = "", most: str = "") -> int:
    try:
        print(json.dumps(look(path, sheet or None, int(most) if most else None)))
        return 0
    except MenpaiError as error:
        _refused(error)
        return EXIT_CODES[error.family]


class _Seldom:
    """Tells of a step not more often than a person can read; of a new stage at once."""

    def __init__(self) -> None:
        self._stage, self._at = "", 0.0

    def __call__(self, step: Mapping[str, Any]) -> None:
        now = time.monotonic()
        if step["stage"] != self._stage or now - self._at >= EVERY_SECONDS:
            self._stage, self._at = step["stage"], now
            _line({"progress": step})


def _refused(error: MenpaiError) -> None:
    message, hint = error.render(spoken_language())
    _line({"problem": {"code": error.code, "message": message, "hint": hint}})


def _line(value: Mapping[str, Any]) -> None:
    with contextlib.suppress(OSError):
        print(json.dumps(value), file=sys.stderr, flush=True)


def _stand_back() -> None:
    """Files for their owner alone; the last to get a core, the first to go when memory runs out."""
    os.umask(0o077)
    if hasattr(os, "nice"):
        os.nice(NICE)
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000", "ascii")


def _end_with_parent() -> None:
    with contextlib.suppress(OSError):
        while os.read(0, 1):  # not by sys.stdin, whose lock would be held when this process ends by itself
            pass
    os._exit(1)


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
