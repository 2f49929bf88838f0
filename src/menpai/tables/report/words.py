"""The words of a report in Chinese and English; names of labels and elements are those of the command line."""

from __future__ import annotations

from menpai.errors import Language

# key: (zh, en)
WORDS: dict[str, tuple[str, str]] = {
    "match": ("地址对的判断", "Pairs judged"),
    "link": ("两表连接", "Two tables linked"),
    "dedupe": ("一表去重", "One table de-duplicated"),
    "made": ("生成于 {time}", "made {time}"),
    "private": (
        "含有表中的地址：按原表的要求保管。",
        "Holds addresses of the table: keep it as you keep the table.",
    ),
    "counts": ("概况", "Counts"),
    "rows": ("行", "rows"),
    "left_rows": ("左表行数", "left rows"),
    "right_rows": ("右表行数", "right rows"),
    "left_distinct": ("左表不同的行", "different left rows"),
    "right_distinct": ("右表不同的行", "different right rows"),
    "distinct": ("不同的行", "different rows"),
    "linked": ("已连上的行", "linked rows"),
    "given_away": ("可连的右表行已给别行的行", "rows whose right row went to another"),
    "clusters": ("类", "clusters"),
    "duplicates": ("重复行", "duplicates"),
    "vetoed": ("因矛盾未合并", "merges forbidden by what speaks against them"),
    "giants": ("过大未合并", "merges left undone for their size"),
    "problems": ("有问题的行", "rows with a problem"),
    "right_problems": ("右表有问题的行", "right rows with a problem"),
    "pairs_compared": ("比较过的对", "pairs compared"),
    "review": ("待人看的对", "pairs for people"),
    "coverage": ("候选约覆盖的真对", "true pairs among the candidates, estimated"),
    "stages": ("各阶段", "Stages"),
    "stage": ("阶段", "stage"),
    "in": ("进", "in"),
    "out": ("出", "out"),
    "seconds": ("秒", "seconds"),
    "avoided": (
        "一共有 {possible} 对；比较了 {compared} 对，免去 {share}。",
        "There are {possible} pairs in all; {compared} were compared, {share} avoided.",
    ),
    "scores": ("相似度", "Similarity"),
    "scores_note": (
        "每一对比较过的地址的相似度，颜色为结论。虚线处相邻两个结论同样可能（第三个不可能时）。待人看的：{review} 对。",
        "Similarity of each pair that was compared, coloured by its label. At the dashed lines two neighbouring labels are "
        "equally likely where the third is not. For people to look at: {review} pairs.",
    ),
    "zone": (
        "可接受的错误率 {max_error}（置信 {confidence}）：连接不低于 {joined} 成立，不连接不低于 {apart}；依据 {labels}。",
        "Accepted error {max_error} (confidence {confidence}): joins stand from probability {joined} on, the others from "
        "{apart}; by {labels}.",
    ),
    "never": ("全部交给人看", "all are for people"),
    "calibration": ("概率可信吗", "Do the probabilities hold"),
    "by_labels": (
        "依据带标签的 {count} 对（{source}）：圆越靠近斜线越可信，面积为对数。",
        "By {count} labelled pairs ({source}): the nearer to the line, the truer; areas are numbers of pairs.",
    ),
    "by_review": (
        "依据人工审阅的 {count} 对（{source}）：按输出中的相似度，其中多少确是同一处。审阅偏向存疑的对。",
        "By {count} pairs that people decided ({source}): how many are one place, by their similarity in the output. "
        "A review asks about doubtful pairs more often than about others.",
    ),
    "by_card": (
        "没有本表的标签。以下是模型包卡片 {pack} 自己的数字，不是本表的；"
        "每行是一种留出的数据；fast 是快速评分，int8 加编码器：",
        "There are no labels for this table. These are the figures of the pack's own card ({pack}), not of this table; a row "
        "is a kind of held-out pairs, fast by the fast scorer alone, int8 with the encoder:",
    ),
    "no_card": (
        "没有本表的标签，模型包也没有给出数字。",
        "There are no labels for this table, and the pack's card has no figures.",
    ),
    "probability": ("判断为同一处的概率", "probability that the pair joins"),
    "similarity": ("输出中的相似度", "similarity in the output"),
    "share": ("其中确是同一处的比例", "share that is one place"),
    "gaps": ("与第二名的差距", "Gap to the runner-up"),
    "gaps_note": (
        "已连上的行：最好的一对比同行第二好的高多少。靠左的最可疑。",
        "Of linked rows: by how much the best pair is above the next. Those on the left are the most doubtful.",
    ),
    "sizes": ("类的大小", "Clusters by size"),
    "more": ("……另有 {count} 行", "… and {count} more rows"),
    "conflicts": ("矛盾", "Conflicts by kind"),
    "problem_codes": ("问题", "Problems by kind"),
    "map": ("地图", "Map"),
    "map_note": (
        "有坐标的行（WGS-84，最多各取 {most} 点）：{listed}。上为北。",
        "Rows with coordinates (WGS-84, at most {most} points of each): {listed}. North is up.",
    ),
    "linked_points": ("已连上", "linked"),
    "other_points": ("未连上", "not linked"),
    "alone_points": ("单独的行", "rows alone"),
    "clustered_points": ("有重复的行", "rows with others"),
    "doubts": ("最拿不准的", "Most in doubt"),
    "examples": ("例子", "Examples"),
    "conflict_of": ("{kind}有矛盾", "{kind} differs"),
    "joined": ("已合并", "joined"),
    "apart": ("未合并", "not joined"),
    "level": ("一致到：{level}", "agree down to: {level}"),
    "differs": ("不同", "differs"),
    "settings": ("设置", "Settings"),
    "none": ("没有", "none"),
    "table": ("表格", "table"),
    "columns": ("所用的列", "columns taken"),
    "right_columns": ("右表所用的列", "columns taken, right"),
    "right_table": ("右表", "right table"),
    "a": ("第一列地址", "first address"),
    "b": ("第二列地址", "second address"),
    "pack": ("模型包", "pack"),
    "behaviour": ("行为指纹", "behaviour"),
    "accept": ("算同一处", "joins"),
    "assign": ("右表一行给左表", "a right row goes to left rows"),
    "max_error": ("可接受的错误率", "accepted error"),
    "version": ("版本", "version"),
}


def say(language: Language, key: str, **values: object) -> str:
    """The word for a key, filled; one that is not known stands for itself."""
    if key not in WORDS:
        return key
    return WORDS[key][language != "zh"].format(**values)
