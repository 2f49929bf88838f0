"""Names of branches, of which one may be the other said shorter: 文三店, 文三路店; 东站店, 杭州东站店."""

from __future__ import annotations

import re

from menpai.evidence.names import UNTOLD

_BRANCH = re.compile("(?:(?:旗舰|专卖|形象|体验|[分总])?店|[支分]行)$")
_SHORTEST = 2


def are_branches(x: str, y: str) -> bool:
    """Whether both are names of branches."""
    return all(map(_BRANCH.search, (x, y)))


def one_branch(x: str, y: str) -> bool:
    """Whether two names of branches may be one: the shorter stands in the longer in its order, and what the longer has
    more tells no two places apart, as in 大学城店, 大学城北店."""
    if not are_branches(x, y):
        return False
    short, long = sorted((_BRANCH.sub("", x), _BRANCH.sub("", y)), key=len)
    rest = iter(long)
    more = []
    for sign in short:
        for found in rest:
            if found == sign:
                break
            more.append(found)
        else:
            return False
    return len(short) >= _SHORTEST and UNTOLD.isdisjoint([*more, *rest])
