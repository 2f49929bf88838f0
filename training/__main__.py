"""One command trains the built-in pack: `python -m training --data DIR --work DIR`.

gather → make pairs → pre-train → fit → calibrate → judge → pack. Each stage writes a file into `--work` and is
skipped when the file is there, so a stopped run goes on where it was. Sources: only rows that the built-in pack
may learn from (official notices, divisions, and pairs judged for this project).
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from pathlib import Path

import torch

from training.make_pairs import write_pairs
from training.pretrain import pretrain
from training.release import release


def main() -> int:
    """Run the stages that are not done yet."""
    parser = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder with gold/, addresses/, admin/")
    parser.add_argument("--work", type=Path, default=Path("work"), help="where stages keep their files")
    parser.add_argument("--out", type=Path, default=Path("src/menpai/data/packs/menpai-mini"))
    parser.add_argument("--recipe", type=Path, default=Path(__file__).with_name("recipe.toml"))
    parser.add_argument("--threads", type=int, default=0, help="0: as many as torch chooses")
    args = parser.parse_args()
    recipe = tomllib.loads(args.recipe.read_text(encoding="utf-8"))
    if args.threads:
        torch.set_num_threads(args.threads)
    args.work.mkdir(parents=True, exist_ok=True)
    pairs = args.work / "pairs.tsv"
    if not pairs.exists():
        print("making pairs", file=sys.stderr)
        write_pairs(args.data, pairs, recipe["pairs"]["count"], recipe["seed"])
    pretrained = pretrain(recipe, pairs, args.work)
    print(release(recipe, args.data, args.work, pretrained, args.out))
    return 0


if __name__ == "__main__":
    sys.exit(main())
