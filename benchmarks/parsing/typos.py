"""Typos: how many made ones are offered their correction, how often a clean address is, and what it costs.

Addresses are written from the gazetteer itself; one character of a division is mistyped (by sound, by shape,
dropped, doubled or swapped). `--clean FILE` names texts, one a line, that are taken to be right.
Run: python benchmarks/parsing/typos.py [--clean FILE] [--count 2000] [--seed 7]
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter, defaultdict
from pathlib import Path

from menpai.parsing import parse
from menpai.parsing.gazetteer import Gazetteer, default
from menpai.parsing.similar import slip
from menpai.parsing.tables import read_table
from menpai.text import normalize
from menpai.text.pinyin import blurred, syllables

TAILS = ("人民路12号", "解放路8号3单元501室", "幸福花园3栋", "文化街26号", "")
KINDS = ("homophone", "close sound", "shape", "dropped", "doubled", "swapped")


def common_characters() -> list[str]:
    """The characters that people type: those of GB 2312's first level."""
    rows = (bytes((high, low)) for high in range(0xB0, 0xD8) for low in range(0xA1, 0xFF))
    return [char for row in rows if (char := row.decode("gb2312", "ignore"))]


class Slips:
    """Characters by how they sound and look, to make typos with."""

    def __init__(self) -> None:
        self.sound: defaultdict[str, list[str]] = defaultdict(list)
        self.close: defaultdict[str, list[str]] = defaultdict(list)
        for char in common_characters():
            if found := syllables(char):
                self.sound[found[0]].append(char)
                self.close[blurred(found[0])].append(char)
        self.shape: defaultdict[str, list[str]] = defaultdict(list)
        for wrong, meant in read_table("lookalikes.tsv").items():
            for char in meant:
                self.shape[char].append(wrong)

    def mistype(self, name: str, kind: str, rng: random.Random) -> str:
        """The name with one slip in front of its last character; "" where that kind of slip is not possible."""
        at = rng.randrange(len(name) - 1)
        char = name[at]
        if kind == "dropped":
            return name[:at] + name[at + 1 :] if len(name) > 3 else ""
        if kind == "doubled":
            return name[:at] + char + name[at:]
        if kind == "swapped":
            return "" if at == len(name) - 2 else name[:at] + name[at + 1] + char + name[at + 2 :]
        found = syllables(char)
        if kind == "shape":
            others = self.shape[char]
        elif kind == "homophone":
            others = self.sound[found[0]] if found else []
        else:
            near = self.close[blurred(found[0])] if found else []
            others = [other for other in near if syllables(other)[0] != found[0]]
        others = [other for other in others if other != char and slip(other, char)]
        return name[:at] + rng.choice(others) + name[at + 1 :] if others else ""


def written(gazetteer: Gazetteer, rng: random.Random, districts: list[str]) -> list[str]:
    """Names of province, city, district and town of one address; the first may be left out."""
    district = rng.choice(districts)
    towns = list(gazetteer.towns(district))
    units = [gazetteer.division(code).name for code in (district[:2], district[:4]) if code in gazetteer]
    names = [*units, gazetteer.division(district).name, *([rng.choice(towns)] if towns else [])]
    return names[rng.choice((0, 0, 1)) if len(names) > 3 else 0 :]


def recall(gazetteer: Gazetteer, count: int, seed: int) -> dict[str, object]:
    """Made typos: how many are corrected rightly, wrongly, or not at all, by kind and by place."""
    rng, slips = random.Random(seed), Slips()
    districts = [code for code in gazetteer if len(code) == 6 and code[:2] < "70"]
    made, right, wrong, unharmed = Counter[str](), Counter[str](), Counter[str](), 0
    misses: list[str] = []
    while sum(made.values()) < count:
        names = written(gazetteer, rng, districts)
        at, kind = rng.randrange(len(names)), rng.choice(KINDS)
        name = names[at]
        typo = slips.mistype(name, kind, rng) if len(name) > 2 else ""
        if not typo or typo == name or gazetteer_has(gazetteer, typo):
            continue
        made[kind] += 1
        tail = rng.choice(TAILS)
        text = "".join((*names[:at], typo, *names[at + 1 :])) + tail
        address = parse(normalize(text))
        offered = address.corrections
        if any(c.suggested == name and c.written == typo for c in offered):
            right[kind] += 1
        elif offered:
            wrong[kind] += 1
        elif address.divisions == parse(normalize("".join(names) + tail)).divisions:
            unharmed += 1
        if len(misses) < 30 and not any(c.suggested == name for c in offered):
            misses.append(f"{text} ({kind}, {typo} for {name}): {[c.suggested for c in offered]}")
    total = sum(made.values())
    return {
        "made": total,
        "recall": round(sum(right.values()) / total, 4),
        "wrong": round(sum(wrong.values()) / total, 4),
        "read_rightly_without": round(unharmed / total, 4),
        "recall_by_kind": {kind: round(right[kind] / made[kind], 3) for kind in KINDS if made[kind]},
        "missed": misses,
    }


def gazetteer_has(gazetteer: Gazetteer, name: str) -> bool:
    """Whether the typo is itself the name of something."""
    return any(form.rest == name[2:] for form in gazetteer.forms(name[:2]))


def clean(texts: list[str]) -> dict[str, object]:
    """Corrections offered for texts that are right, and what looking for them adds to a parse."""
    normalized = [normalize(text) for text in texts]
    start = time.process_time()
    addresses = [parse(n) for n in normalized]
    seconds = time.process_time() - start
    offered = [(a.text, c) for a in addresses for c in a.corrections]
    return {
        "texts": len(texts),
        "offered_per_1000": round(1000 * len(offered) / max(len(texts), 1), 2),
        "by_kind": dict(Counter(c.kind for _, c in offered)),
        "microseconds_per_parse": round(1e6 * seconds / max(len(texts), 1), 1),
    }


def main() -> None:
    """Print both as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clean", type=Path)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args()
    report: dict[str, object] = {"recall": recall(default(), args.count, args.seed)}
    if args.clean:
        report["clean"] = clean(args.clean.read_text("utf-8").split("\n"))
    print(json.dumps(report, ensure_ascii=False, indent=2))


if __name__ == "__main__":
    main()
