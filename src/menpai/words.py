"""What labels, elements and stages are called: (Chinese, English). This file knows nobody."""

from __future__ import annotations

LABELS = {
    "exact_match": ("完全匹配", "exact match"),
    "partial_match": ("部分匹配", "partial match"),
    "not_match": ("不匹配", "no match"),
    "same": ("相同", "same"),
    "different": ("不同", "different"),
}
KINDS = {
    "none": ("无", "none"),
    "province": ("省", "province"),
    "city": ("市", "city"),
    "district": ("区县", "district"),
    "town": ("街道乡镇", "town"),
    "community": ("社区村", "community"),
    "village_group": ("村民组", "village group"),
    "devzone": ("开发区", "development zone"),
    "road": ("道路", "road"),
    "roadno": ("门牌号", "house number"),
    "intersection": ("路口", "intersection"),
    "poi": ("地点", "place"),
    "place": ("道路或地点", "road or place"),
    "subpoi": ("子地点", "part of place"),
    "building": ("楼栋", "building"),
    "unit": ("单元", "unit"),
    "floor": ("楼层", "floor"),
    "room": ("房间", "room"),
    "distance": ("距离", "distance"),
    "assist": ("方位", "direction"),
}
DECIDED_BY = {
    "exact": ("文本相同", "equal texts"),
    "rules": ("规则", "rules"),
    "fast": ("快速打分", "the fast scorer"),
    "encoder": ("编码器", "the encoder"),
}
