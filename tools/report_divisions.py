"""Figures of the division tables: units by layer, bytes, time and memory to open, how many change events they resolve.

Needs what tools/build_divisions.py needs. Run: python tools/report_divisions.py [--all]: with --all every event that
resolves to no unit of today is listed.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import zipfile
from collections import Counter
from collections.abc import Iterator
from typing import Any

from divisions.sources import ROOT, events

import menpai
from menpai.parsing import zones
from menpai.parsing.gazetteer import default, history
from menpai.parsing.history import TODAY, History
from menpai.parsing.tables import read_lines, read_table
from menpai.parsing.villages import TABLE, read_line
from menpai.parsing.written import short

DATA = ROOT / "src" / "menpai" / "data"
LAYER = {2: "provinces", 4: "cities", 6: "districts"}
# What a fresh process pays: seconds of CPU and the peak of its memory, after the import and after the first parse.
COLD = (
    "import time\n{}\nstatus = dict(line.split(':', 1) for line in open('/proc/self/status'))\n"
    "print(round(time.process_time(), 3), int(status['VmHWM'].split()[0]) // 1024)"
)
STEPS = {
    "python alone": "",
    "import menpai": "import menpai",
    "and the first parse": "import menpai; menpai.parse('北京市朝阳区建国路8号')",
    "and a former name": "import menpai; menpai.parse('北京市崇文区天坛路8号')",
    "and a year": "import menpai; menpai.parse('北京市崇文区天坛路8号', as_of=1995)",
    "and a village": "import menpai\nfrom menpai.parsing.villages import villages\nmenpai.parse('北京'); villages('110105035')",
}


def layers() -> Iterator[tuple[str, int]]:
    gazetteer = default()
    yield from Counter(LAYER[len(code)] for code in sorted(gazetteer, key=len)).items()
    yield "towns, farms and forests among them", sum(len(gazetteer.towns(code)) for code in gazetteer)
    with zipfile.ZipFile(DATA / TABLE) as archive:
        lines = [
            line for name in archive.namelist() for line in archive.read(name).decode("gb18030").splitlines()
        ]
    yield "towns with villages", len(lines)
    yield "villages and communities of different names", sum(len(read_line(line)) for line in lines)
    yield "written forms", sum(len(gazetteer.forms(first)) for first in gazetteer.beginnings)
    yield "units since 1980 (code and name)", sum(1 for spell in history() if spell.code)
    yield "of them ended", sum(1 for spell in history() if spell.code and spell.until)
    yield "points", len(read_lines("centroids.tsv"))
    yield "quarters of Hong Kong and Macau", len(read_lines("quarters.tsv"))
    yield "Latin names", len(read_table("latin.tsv"))
    yield from ((f"zones: {kind}", count) for kind, count in Counter(z.kind for z in zones._zones()).items())


def today(unit: dict[str, str], known: History) -> set[str]:
    """Codes of today of a unit by its code and name of the time."""
    code = short((unit.get("code") or "")[:6])
    found = (
        {c for s in known.ended(unit["name"]) if s.code == code for c in known.forward(s)} if code else set()
    )
    now = known.at(code, TODAY)
    return found | {code} if now is not None and now.name == unit["name"] else found


def resolved(event: dict[str, Any], known: History) -> bool:
    """Whether what the event ended lives on today, or, where it ended nothing, what it founded."""
    return bool(today(event["old"], known) or today(event["new"], known))


def agreed(event: dict[str, Any], known: History) -> bool:
    """Whether we follow the event: both its sides lead to units of which one holds the other."""
    if event["type"] == "码位改派" or not (event["old"].get("code") and event["new"].get("code")):
        return True
    sides = [today(event[side], known) for side in ("old", "new")]
    return any(a.startswith(b) or b.startswith(a) for a in sides[0] for b in sides[1])


def shown(event: dict[str, Any]) -> str:
    sides = (f"{event[s].get('name')} {(event[s].get('code') or '')[:6]}" for s in ("old", "new"))
    return f"{event['year']} {event['type']} {' → '.join(sides)}"


def paths(known: History) -> Counter[str]:
    """How the path (province, city, county) of every county that ended is read: as what became of it, or else."""
    found: Counter[str] = Counter()
    for spell in known:
        if len(spell.code) == 6 and spell.until:
            parents = (known.at(spell.code[:size], spell.until - 1) for size in (2, 4))
            text = "".join(parent.name for parent in parents if parent) + spell.name + "建设路1号"
            codes, wanted = {d.code for d in menpai.parse(text).divisions}, set(known.forward(spell))
            related = any(c.startswith(w) or w.startswith(c) for c in codes for w in wanted)
            found[
                "exactly" if codes == wanted else "a unit around or within" if related else "something else"
            ] += 1
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help="list the events that are not resolved")
    everything = parser.parse_args().all
    for name, count in layers():
        print(f"{count:9,}  {name}")
    print()
    for path in sorted(DATA.glob("*.[tz][sixp]*")):
        print(f"{path.stat().st_size:9,}  bytes: {path.name}")
    print()
    for step, code in STEPS.items():
        run = subprocess.run(
            [sys.executable, "-c", COLD.format(code)], capture_output=True, text=True, check=True
        )
        seconds, megabytes = run.stdout.split()
        print(f"{seconds:>6} s CPU, {megabytes:>4} MB peak: {step}")
    print()
    coded = [e for e in events() if e["old"].get("code") or e["new"].get("code")]
    unsolved = [event for event in coded if not resolved(event, history())]
    print(
        f"{1 - len(unsolved) / len(coded):.2%} of {len(coded):,} change events with a code lead to units of today;"
    )
    print(f"{len(events()) - len(coded)} more name no unit (a seat that moved, parts of a county)")
    disputed = [event for event in coded if not agreed(event, history())]
    print(f"{len(disputed)} name a successor that we do not follow (another province or city, reused codes):")
    print()
    for how, count in paths(history()).most_common():
        print(f"{count:9,}  paths of counties that ended, read as what became of them: {how}")
    for event in (*unsolved, *disputed) if everything else ():
        print("  " + shown(event))
    return 0


if __name__ == "__main__":
    sys.exit(main())
