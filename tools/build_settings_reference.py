"""Writes docs/en/settings.md and docs/zh/settings.md from menpai.settings.Settings."""

from __future__ import annotations

import ast
import inspect
from dataclasses import fields
from itertools import pairwise
from pathlib import Path

from menpai import settings as source
from menpai.settings import Settings

ROOT = Path(__file__).parents[1]
CHINESE = ROOT / "resources/docs/settings_zh.tsv"
HEADS = {
    "en": """# Settings

Three places, the later wins: a TOML file (`./menpai.toml`, or the file that `MENPAI_CONFIG` names), variables
`MENPAI_NAME`, flags of a command. They are read once and frozen. A name that menpai does not know is refused
with the nearest one that it knows.

| Setting | Variable | Type | Default | What it does |
|---|---|---|---|---|
""",
    "zh": """# 设置

三处来源，后者优先：TOML 文件（`./menpai.toml`，或 `MENPAI_CONFIG` 指定的文件）、
环境变量 `MENPAI_名字`、命令的选项。启动时读一次，之后不再变化。不认识的名字会被拒绝，并给出最接近的名字。

| 设置 | 环境变量 | 类型 | 默认值 | 作用 |
|---|---|---|---|---|
""",
}
FOOT = "\n<!-- Written by tools/build_settings_reference.py; do not edit. -->\n"


def english() -> dict[str, str]:
    """Each setting's sentence: the string that follows its field in the class body."""
    tree = ast.parse(inspect.getsource(source))
    body = next(n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == "Settings").body
    return {
        field.target.id: " ".join(text.value.value.split())
        for field, text in pairwise(body)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant)
        if isinstance(text.value.value, str)
    }


def chinese() -> dict[str, str]:
    """Each setting's sentence in Chinese, from the table that people edit."""
    rows = [line.split("\t", 1) for line in CHINESE.read_text("utf-8").splitlines() if line]
    return dict(rows[1:])


def page(language: str) -> str:
    """The whole page in "en" or "zh"; a setting without its sentence is a KeyError."""
    texts = english() if language == "en" else chinese()
    rows = []
    for field in fields(Settings):
        default = f"`{field.default}`" if field.default != "" else "–"
        variable = f"`MENPAI_{field.name.upper()}`"
        rows.append(f"| `{field.name}` | {variable} | {field.type} | {default} | {texts[field.name]} |\n")
    return HEADS[language] + "".join(rows) + FOOT


def main() -> None:
    for language in HEADS:
        (ROOT / "docs" / language / "settings.md").write_text(page(language), "utf-8")


if __name__ == "__main__":
    main()
