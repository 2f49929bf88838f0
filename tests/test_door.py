"""One door: what `menpai` offers is a committed list, and opening the door costs next to nothing."""

from __future__ import annotations

import subprocess
import sys

import pytest

import menpai

# A name that leaves this list breaks somebody's code; a name that joins it is a promise.
PROMISED = [
    "Address", "BrokenArtefactError", "Candidate", "Conflict", "Division", "Element", "Evidence", "Library", "Matcher",
    "MenpaiError", "Normalized", "NotReadyError", "Place", "Probabilities", "Problem", "Record", "Settings", "Suggestion",
    "UsageError", "Verdict",
    "__version__", "dedupe", "link", "match", "normalize", "parse", "parse_many",
]  # fmt: skip

# Prints the packages and the data files that `import menpai` touches.
SPY = """
import sys
opened = []
sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == "open" else None)
import menpai
print(*sorted({name.partition(".")[0] for name in sys.modules}))
print(*[path for path in opened if not path.endswith((".py", ".pyc", ".so", ".pth"))], sep="|")
"""
HEAVY = {
    "numpy", "onnxruntime", "torch", "pyarrow", "pandas", "polars", "starlette", "msgspec", "uvicorn",
    "prometheus_client",
}  # fmt: skip


def test_door_is_the_promised_list() -> None:
    assert sorted(menpai.__all__) == PROMISED
    assert set(PROMISED) <= set(dir(menpai))


@pytest.mark.parametrize("name", PROMISED)
def test_each_name_opens_and_explains_itself(name: str) -> None:
    assert name == "__version__" or getattr(menpai, name).__doc__


def test_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'mach'"):
        menpai.mach  # noqa: B018 - the access itself is what is tested


def test_import_is_light() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SPY], capture_output=True, text=True, check=True, encoding="utf-8"
    )
    modules, opened = done.stdout.splitlines()
    assert not HEAVY & set(modules.split())
    assert not [path for path in opened.split("|") if "menpai" in path]
