"""Cache hits: `python benchmarks/serving/hits.py [SECONDS]`. Needs wrk; 30 s on a quiet machine.

The service runs as users run it, with its file and one log line a request; the client shares its cores. First a rate for
pairs in memory, then the same pairs after a restart, from the file; beside it the rate with the caches off. The service's
processor time of a request swings least with what else runs.
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

PORT = 18660
PAIRS = 1000
CONNECTIONS = 16
SCRIPT = """
local bodies = {}
for i = 1, %d do
  bodies[i] = string.format('{"a":"杭州市西湖区文三路%%d号","b":"西湖区文三路%%d号海月花园%%d幢"}', i, i, i %% 7 + 1)
end
local at = 0
wrk.method = "POST"
request = function()
  at = at %% %d + 1
  return wrk.format("POST", "/v1/match", nil, bodies[at])
end
"""


@contextlib.contextmanager
def serving(folder: Path, *flags: str) -> Iterator[Path]:
    """A service of its own, ready when the body begins; where its times stand (proc(5))."""
    command = [sys.executable, "-m", "menpai", "serve", "--port", str(PORT), *flags]
    with open(folder / "log", "ab") as log:
        process = subprocess.Popen(command, stdout=log, cwd=folder)
    try:
        until = time.monotonic() + 60
        while True:
            with contextlib.suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{PORT}/readyz"):
                break
            assert time.monotonic() < until, "the service did not start"
            time.sleep(0.05)
        yield Path(f"/proc/{process.pid}/stat")
    finally:
        process.terminate()
        process.wait()


def load(service: Path, script: Path, seconds: float) -> dict[str, str]:
    """What wrk says: requests a second, P50, P99, errors; and the service's processor time of a request."""
    run = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{max(1, round(seconds))}s", "-s", str(script), "--latency"]
    before = spent(service)
    told = subprocess.run(
        [*run, f"http://127.0.0.1:{PORT}"], check=True, capture_output=True, text=True
    ).stdout
    found = {
        "requests/s": r"Requests/sec:\s+(\S+)", "P50": r"50%\s+(\S+)", "P99": r"99%\s+(\S+)", "errors": r"Non-2xx.*: (\d+)",
    }  # fmt: skip
    (count,) = re.findall(r"(\d+) requests in", told)
    processor = {"CPU µs": f"{(spent(service) - before) / int(count) * 1e6:.0f}"}
    return {name: (re.search(pattern, told) or ["", "0"])[1] for name, pattern in found.items()} | processor


def spent(service: Path) -> float:
    """Seconds of processor time until now."""
    user, system = service.read_text("ascii").rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def known(layer: str) -> float:
    """Hits of a layer until now."""
    with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/metrics") as page:
        found = re.search(rf'cache_lookups_total{{layer="{layer}",result="hit"}} (\S+)', page.read().decode())
    return float(found[1]) if found else 0.0


def main() -> None:
    """Three services, one after the other."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 8.0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        script = folder / "pairs.lua"
        script.write_text(SCRIPT % (PAIRS, PAIRS), "utf-8")
        file = ["--cache-file", str(folder / "verdicts.sqlite")]
        with serving(folder, *file) as service:
            load(service, script, 2)
            print("from memory      ", load(service, script, seconds), f"hits {known('memory'):.0f}")
        with serving(folder, *file) as service:
            time.sleep(0.5)
            print(
                "after a restart  ",
                load(service, script, 1),
                f"of the file {known('disk'):.0f}, then of memory",
            )
        with serving(folder, "--no-cache") as service:
            print("caches off       ", load(service, script, seconds))


if __name__ == "__main__":
    main()
