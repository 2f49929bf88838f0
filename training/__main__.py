"""One command trains a pair pack: `python -m training [builtin|research] --data DIR --work DIR`.

gather and make pairs → pre-train → fit → calibrate → judge → pack, or `--until` one of them. Each stage writes files into
`--work`; what takes long is skipped when its file is there, so a stopped run goes on where it was. `builtin` learns only
from rows that the pack in the wheel may learn from (official notices, divisions, and pairs judged for this project);
`research` goes on from its encoder with research data, into a pack of its own.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from pathlib import Path

import torch

from training.make_pairs import write_pairs
from training.pretrain import pretrain
from training.release import STAGES, release
from training.research.release import release as release_research

_HERE = Path(__file__).parent
_RECIPE = {"builtin": _HERE / "recipe.toml", "research": _HERE / "research" / "recipe.toml"}
_OUT = {"builtin": Path("src/menpai/data/packs/menpai-mini"), "research": Path("packs/menpai-mini-research")}


def main() -> int:
    """Run the stages that are not done yet."""
    parser = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    parser.add_argument("which", nargs="?", choices=tuple(_OUT), default="builtin")
    parser.add_argument(
        "--data", type=Path, required=True, help="the folder with gold/, addresses/, admin/; research: pairs/"
    )
    parser.add_argument("--work", type=Path, default=Path("work"), help="where stages keep their files")
    parser.add_argument("--out", type=Path, help="where the pack is written")
    parser.add_argument("--recipe", type=Path)
    parser.add_argument(
        "--pretrained", type=Path, help="builtin: fit from this encoder, not WORK/pretrained.pt"
    )
    parser.add_argument(
        "--until", choices=("pairs", "pretrain", *STAGES), default="pack", help="the last stage to run"
    )
    parser.add_argument("--threads", type=int, default=0, help="0: as many as torch chooses")
    args = parser.parse_args()
    recipe = tomllib.loads((args.recipe or _RECIPE[args.which]).read_text(encoding="utf-8"))
    out = args.out or _OUT[args.which]
    if args.threads:
        torch.set_num_threads(args.threads)
    args.work.mkdir(parents=True, exist_ok=True)
    if args.which == "research":
        work = args.work / "research"
        work.mkdir(exist_ok=True)
        print(release_research(recipe, args.data, args.work, work, out, args.until))
        return 0
    cycles = [
        args.work / f"pairs{f'_{n}' if n > 1 else ''}.tsv" for n in range(1, recipe["pairs"]["cycles"] + 1)
    ]
    for number, pairs in enumerate(cycles):
        if not pairs.exists():
            print(f"making {pairs.name}", file=sys.stderr)
            write_pairs(args.data, pairs, recipe["pairs"]["count"], recipe["seed"] + number)
    if args.until == "pairs":
        print(*cycles)
        return 0
    pretrained = args.pretrained or pretrain(recipe, cycles, args.work)
    print(
        pretrained
        if args.until == "pretrain"
        else release(recipe, args.data, args.work, pretrained, out, args.until)
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
