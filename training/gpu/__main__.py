"""A larger teacher, distilled into the small encoder: `python -m training.gpu --data DATA --work WORK`.

pre-train the teacher → fit it → distil. WORK is the work folder of `python -m training`, after `--until pretrain`; the
stages keep their files in WORK/gpu. The distilled encoder then takes the place of the pre-trained one:
`python -m training --pretrained WORK/gpu/distilled.pt`. Needs a GPU to be of use; `--device cpu` runs the same path.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from pathlib import Path

import torch

from menpai.scoring.tokens import Vocabulary
from training.data import with_hints
from training.fit import fit
from training.gpu.distil import distil
from training.judged import read_judged
from training.model import load, save
from training.pretrain import pretrain


def main() -> int:
    """Run the stages that are not done yet."""
    parser = argparse.ArgumentParser(prog="python -m training.gpu", description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, default=Path("work"))
    parser.add_argument("--recipe", type=Path, default=Path(__file__).with_name("recipe.toml"))
    parser.add_argument("--device", default="cuda")
    args = parser.parse_args()
    if args.device.startswith("cuda") and not torch.cuda.is_available():
        parser.error("this torch sees no GPU: install one built for CUDA, or take --device cpu")
    pretrained, characters = args.work / "pretrained.pt", args.work / "vocabulary.txt"
    if not (pretrained.exists() and characters.exists()):
        parser.error(
            f"{pretrained} is missing: run `python -m training --until pretrain --work {args.work}` first"
        )
    recipe, own = tomllib.loads(args.recipe.read_text(encoding="utf-8")), args.work / "gpu"
    own.mkdir(exist_ok=True)
    (own / "vocabulary.txt").write_text(characters.read_text(encoding="utf-8"), encoding="utf-8")
    vocabulary = Vocabulary(characters.read_text(encoding="utf-8").split("\n")[:-1])
    pairs = args.work / "pairs.tsv"
    start = pretrain(recipe, [pairs], own, device=args.device)
    seen, _ = read_judged(args.data, recipe["fit"]["folds"], recipe["fit"]["held_fold"])
    teacher, distilled = own / "teacher.pt", own / "distilled.pt"
    if not teacher.exists():
        print(f"fitting the teacher: {len(seen.rows)} pairs", file=sys.stderr, flush=True)
        hints = with_hints(seen.rows)
        fitted = fit(
            recipe["fit"],
            start,
            seen.texts,
            hints,
            vocabulary,
            recipe["seed"],
            own / "fit.jsonl",
            args.device,
        )
        save(fitted, teacher)
    if not distilled.exists():
        student, log = load(pretrained)[0], own / "distil.jsonl"
        small = distil(
            recipe["distil"], student, load(teacher)[0], pairs, vocabulary, recipe["seed"], log, args.device
        )
        save(small, distilled)
    print(distilled)
    return 0


if __name__ == "__main__":
    sys.exit(main())
