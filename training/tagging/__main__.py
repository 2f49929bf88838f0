"""One command trains taggers: `python -m training.tagging builtin|research --data DIR --work DIR`.

Each stage writes a file into `--work` and is skipped when the file is there; a stopped run goes on from its last
checkpoint. Both start from the pair encoder that `python -m training` has pre-trained (`--pair`, its work folder).
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from pathlib import Path

import torch

from training.release import VERSION
from training.tagging.builtin import release_builtin
from training.tagging.research import release_research

_OUT = {"builtin": Path("src/menpai/data/packs/menpai-mini"), "research": Path("packs")}


def main() -> int:
    """Run the stages that are not done yet, write the packs, print the figures."""
    parser = argparse.ArgumentParser(prog="python -m training.tagging", description=__doc__)
    parser.add_argument("which", choices=tuple(_OUT))
    parser.add_argument(
        "--data", type=Path, required=True, help="the folder with ner/, gold/, addresses/, admin/"
    )
    parser.add_argument(
        "--pair", type=Path, default=Path("work"), help="the work folder of `python -m training`"
    )
    parser.add_argument(
        "--work", type=Path, default=Path("work/tagging"), help="where stages keep their files"
    )
    parser.add_argument("--out", type=Path, help="the built-in pack, or the folder of the research packs")
    parser.add_argument("--recipe", type=Path, default=Path(__file__).with_name("recipe.toml"))
    parser.add_argument("--threads", type=int, default=0, help="0: as many as torch chooses")
    args = parser.parse_args()
    recipe = tomllib.loads(args.recipe.read_text(encoding="utf-8"))
    if args.threads:
        torch.set_num_threads(args.threads)
    work = args.work / args.which
    work.mkdir(parents=True, exist_ok=True)
    release = {"builtin": release_builtin, "research": release_research}[args.which]
    out = args.out or _OUT[args.which]
    print(release(recipe[args.which], recipe["seed"], args.data, args.pair, work, out, VERSION))
    return 0


if __name__ == "__main__":
    sys.exit(main())
