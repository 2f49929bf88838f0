"""Writes docs/en/evidence.md and docs/zh/evidence.md from menpai.evidence.FEATURES and menpai.policy.POLICIES."""

from __future__ import annotations

import re
from pathlib import Path

from menpai.decide import READINGS
from menpai.evidence import FEATURES, Feature
from menpai.policy import POLICIES

ROOT = Path(__file__).parents[1]
HEADS = {
    "en": """# Evidence

The named reasons in a verdict. Each is a measure between 0 and 1 of a pair; a pack gives it a weight.
*Speaks* says which sign the weight must have: **for** the same place, **against** it, or **either**.
In *shown as*, A and B stand for what was compared.

| Name | Element | Speaks | What it measures | Shown as |
|---|---|---|---|---|
""",
    "zh": """# 依据

结论里有名字的理由。每一项是对一对地址的度量，在 0 与 1 之间；模型包给它一个权重。
“倾向”说明权重必须是什么符号：**支持**同一个地方、**反对**，或**不定**。“显示为”一列里，甲、乙是被比较的内容。

| 名字 | 要素 | 倾向 | 显示为 |
|---|---|---|---|
""",
}
SIGNS = {"en": {1: "for", -1: "against", 0: "either"}, "zh": {1: "支持", -1: "反对", 0: "不定"}}
SIDES = {"en": {"a": "A", "b": "B", "one": "A"}, "zh": {"a": "甲", "b": "乙", "one": "甲"}}
READING_HEADS = {
    "en": "\n## What the encoder read\n\n| Name | Shown as (for the same place / against it) |\n|---|---|\n",
    "zh": "\n## 编码器读到的\n\n| 名称 | 显示为（支持同一处 / 反对） |\n|---|---|\n",
}
POLICY_HEADS = {
    "en": """
## What may change the probabilities

These stand first in the evidence when they did. The label is the largest probability afterwards.

| Name | Shown as |
|---|---|
""",
    "zh": """
## 什么会修改概率

修改了概率时，它们排在依据的最前面。标签取修改之后概率最大者。

| 名字 | 显示为 |
|---|---|
""",
}
NAMES = {"en": {"name": "the element", "metres": "120"}, "zh": {"name": "某要素", "metres": "120"}}
FOOT = "\n<!-- Written by tools/build_evidence_reference.py; do not edit. -->\n"


def shown(template: str, language: str) -> str:
    """The text of a reason with A and B (甲, 乙) for what it quotes."""
    words = SIDES[language] | NAMES[language]
    return re.sub(r"\{(\w+)(?::[^}]*)?\}", lambda m: words[m[1]], template).replace("|", "\\|")


def row(feature: Feature, language: str) -> str:
    """One line of the table."""
    head = f"| `{feature.name}` | {feature.element or '–'} | {SIGNS[language][feature.sign]} |"
    if language == "zh":
        return f"{head} {shown(feature.zh, language)} |\n"
    return f"{head} {feature.description} | {shown(feature.en, language)} |\n"


def page(language: str) -> str:
    """The whole page in "en" or "zh"."""
    reasons = "".join(row(feature, language) for feature in FEATURES)
    at = ("zh", "en").index(language)
    readings = "".join(
        f"| `{name}` | {' / '.join(dict.fromkeys(texts[language]))} |\n" for name, texts in READINGS.items()
    )
    policies = "".join(f"| `{name}` | {shown(texts[at], language)} |\n" for name, texts in POLICIES.items())
    return (
        HEADS[language]
        + reasons
        + READING_HEADS[language]
        + readings
        + POLICY_HEADS[language]
        + policies
        + FOOT
    )


def main() -> None:
    for language in HEADS:
        (ROOT / "docs" / language / "evidence.md").write_text(page(language), "utf-8")


if __name__ == "__main__":
    main()
