"""Pairs of every kind: each stage of the cascade, every policy, coordinates, former names."""

from __future__ import annotations

from typing import Any

A, B, C = "杭州市西湖区文三路123号", "西湖区文三路125号", "西湖区文三路123号A座"
PAIRS: list[tuple[Any, Any]] = [
    (A, B), (A, C), (A, A), (B, A), ("文三路123号", "文三路123弄"),
    ("望京园603号楼13层1603室", "望京街道望京园603号楼"), ("明发滨江新城三期", "明发滨江新城12幢"),
    ("南京市东泰花园", "洛阳市东泰花园"), ("上海市闸北区共和新路1号", "上海市静安区共和新路1号"),
    ("海月花园3栋2单元", "海月花园3幢5单元"), ("榴城镇引凤社区", "榴城镇榴城社区"), ("杭州市西湖区", A),
    ({"text": A, "lat": 30.27, "lon": 120.15}, {"text": C, "lat": 30.28, "lon": 120.15, "crs": "gcj02"}),
    ({"text": A, "lat": 30.27, "lon": 120.15}, {"text": A, "lat": 39.9, "lon": 116.4}),
    ("北京市朝阳区建国路8号", "北京朝阳建国路８号 SOHO现代城（东门）"),
]  # fmt: skip
