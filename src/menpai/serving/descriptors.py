"""Open files: a connection is one, and most systems grant 1,024 unless somebody asks for those they would give."""

from __future__ import annotations

import contextlib
import sys


def raise_limit() -> int | None:
    """Ask for all that may be had; how many that are, None where there is no such limit."""
    if sys.platform == "win32":
        return None
    import resource  # noqa: PLC0415 (Windows has none)

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(OSError, ValueError):  # macOS says unlimited, and grants less
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        soft = hard
    return soft
