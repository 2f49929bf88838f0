"""Build src/menpai/data/demo_places.tsv, the places of the demo library, from resources/demo_places.tsv."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE, TARGET = ROOT / "resources/demo_places.tsv", ROOT / "src/menpai/data/demo_places.tsv"


def main() -> None:
    lines = [line for line in SOURCE.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    for number, line in enumerate(lines, 1):
        name, address, lat, lon = line.split("\t")
        if not (name and address and 3 < float(lat) < 54 and 73 < float(lon) < 136):
            sys.exit(f"{SOURCE.name}: place {number} is wrong: {line}")
    text = "".join(f"{line}\n" for line in sorted(lines))
    if "--check" not in sys.argv[1:]:
        TARGET.write_text(text, "utf-8", newline="\n")
    elif TARGET.read_text("utf-8") != text:
        sys.exit(f"{TARGET.name} differs from its source: run tools/build_demo.py")


if __name__ == "__main__":
    main()
