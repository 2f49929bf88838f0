"""The heaps of a process with many threads, counted by glibc itself."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

from menpai.serving.heaps import HEAPS

THREADS = 12
COUNT = """
import ctypes, sys, tempfile, threading
from menpai.serving.heaps import share_heaps

if sys.argv[1] == "shared":
    assert share_heaps()
held, meet = [], threading.Barrier(int(sys.argv[2]))

def hold():
    held.append(bytearray(50_000))
    meet.wait()

threads = [threading.Thread(target=hold) for _ in range(meet.parties)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
library = ctypes.CDLL(None)
library.fopen.restype = ctypes.c_void_p
with tempfile.NamedTemporaryFile() as file:
    stream = ctypes.c_void_p(library.fopen(file.name.encode(), b"w"))
    library.malloc_info(0, stream)
    library.fclose(stream)
    print(file.read().count(b"<heap nr="))
"""


def heaps(how: str) -> int:
    """How many THREADS threads got."""
    done = subprocess.run(
        [sys.executable, "-c", COUNT, how, str(THREADS)], capture_output=True, text=True, check=True
    )
    return int(done.stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other systems have no heaps of threads")
def test_threads_share_the_heaps_that_the_service_lets_them() -> None:
    assert heaps("shared") <= HEAPS < heaps("own")
