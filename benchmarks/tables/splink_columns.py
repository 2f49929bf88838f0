"""Columns that a user of Splink would cut out of a Chinese address with regular expressions, in DuckDB's SQL.

county   文三区, or nothing where it lacks its 区, 县, 旗        town     the last two characters before 街道, 镇, 乡
place    what is left behind province, city, county and town, without brackets, blanks and remarks
name     the road, village or estate: `place` up to its first digit; `head`, `tail`: its first character, its last two
numbers  every number behind it: 75-6-2-175                     inside   the same, '' instead of nothing
letters  characters of `name` without its 路, 村, 社区 …
grams    pairs of characters of `name`                          rare     the rarest three of them in all tables
whole    pairs of characters of the address
"""

from __future__ import annotations

from collections.abc import Sequence

import duckdb

_PROVINCES = (
    "(?:北京|天津|上海|重庆|河北|山西|辽宁|吉林|黑龙江|江苏|浙江|安徽|福建|江西|山东|河南|湖北|湖南|广东|海南|四川|贵州|云南|陕西|甘肃"
    "|青海|台湾|内蒙古|广西|西藏|宁夏|新疆)"
)
_SUFFIX = "(?:省|市|(?:壮族|回族|维吾尔)?自治区)"
_REMARKS = "[（(【].*?[)）】]|[ ，,。]|附近$|旁边$"
_TURNED = rf"^(.{{2,}}?)({_PROVINCES}{_SUFFIX}\D*)$"
_HIGHER = rf"^(?:{_PROVINCES}{_SUFFIX}?)?(?:[^\d省]{{2,8}}?(?:市|自治州|盟|地区))?"
_COUNTY = r"([^市区县旗\d]{1,7}?(?:新区|区|县|旗|市))"
_TOWN = r"(?:路?街道(?:办事处)?|镇|乡)"
_RARE = 300
"""A pair of characters that more rows have is no key."""
_ENDING = "(?:路|街|大道|公路|村|社区|小区|村委会|花园)$"


def pairs_of_characters(text: str) -> str:
    """An expression for those of a text."""
    return f"list_distinct([substr({text}, n, 2) for n in range(1, greatest(length({text}), 2))])"


_CUT = rf"""
CREATE TABLE TARGET AS
WITH clean AS (SELECT *, regexp_replace(address, '{_REMARKS}', '', 'g') AS given FROM SOURCE),
turned AS (SELECT *, regexp_replace(given, '{_TURNED}', '\2\1') AS text FROM clean),
lower_part AS (SELECT *, regexp_replace(text, '{_HIGHER}', '') AS below FROM turned),
parts AS (
    SELECT *, nullif(regexp_extract(below, '^{_COUNTY}', 1), '') AS county,
        nullif(regexp_replace(regexp_replace(below, '^{_COUNTY}', ''), '^[^\d路]{{1,9}}?{_TOWN}', ''), '') AS place,
        nullif(right(regexp_extract(below, '^([^\d路]{{1,14}}?){_TOWN}', 1), 2), '') AS town,
    FROM lower_part
),
named AS (
    SELECT *, array_to_string(regexp_extract_all(place, '\d+'), '-') AS inside,
        nullif(regexp_replace(place, '\d.*$', ''), '') AS name,
    FROM parts
)
SELECT * EXCLUDE (given, text, below), nullif(inside, '') AS numbers, left(name, 1) AS head, right(name, 2) AS tail,
    list_distinct(string_split(regexp_replace(name, '{_ENDING}', ''), '')) AS letters,
    {pairs_of_characters("coalesce(name, place, '')")} AS grams, {pairs_of_characters("text")} AS whole,
FROM named
"""


def cut(db: duckdb.DuckDBPyConnection, sources: Sequence[str], names: Sequence[str]) -> None:
    """A table of `names` for each table of `sources` (`unique_id`, `address`, and whatever else)."""
    for source, name in zip(sources, names, strict=True):
        db.execute(_CUT.replace("TARGET", f"{name}_cut").replace("SOURCE", source))
    every = " UNION ALL ".join(f"SELECT unnest(grams) AS gram FROM {name}_cut" for name in names)
    db.execute(f"CREATE TABLE grams AS SELECT gram, count(*) AS rows FROM ({every}) GROUP BY gram")
    for name in names:
        db.execute(
            f"""CREATE TABLE {name} AS
            SELECT cut.*, coalesce(rarest.rare, []) AS rare FROM {name}_cut AS cut LEFT JOIN (
                SELECT unique_id, min_by(gram, rows, 3) AS rare
                FROM (SELECT unique_id, unnest(grams) AS gram FROM {name}_cut) JOIN grams USING (gram)
                WHERE rows <= {_RARE} GROUP BY unique_id
            ) AS rarest USING (unique_id)"""
        )
        db.execute(f"DROP TABLE {name}_cut")
