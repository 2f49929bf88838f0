"""Memory that threads share: glibc gives each a heap of its own, up to eight a core, and none gives back what it once held."""

from __future__ import annotations

import ctypes
import sys

HEAPS = 2
_M_ARENA_MAX = -8  # of malloc.h


def share_heaps() -> bool:
    """Let all threads of this process share HEAPS heaps; False where the system has no such choice. Python's own small
    objects lie elsewhere and its lock admits one thread, so nobody waits for a heap."""
    if sys.platform != "linux" or not hasattr(library := ctypes.CDLL(None), "mallopt"):
        return False
    return bool(library.mallopt(_M_ARENA_MAX, HEAPS))
