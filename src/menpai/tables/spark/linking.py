"""`menpai.tables.spark.link`: which row of the right frame each row of the left one is; the stages of linkage.linking.

Rivals are two passes, one by either side. Who gets whom is settled component by component of the pairs that may take a
right entity away, in which the surest first is what it is in the whole table.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from menpai.settings import Settings
from menpai.tables.columns import added_names
from menpai.tables.linkage.candidates import NEAR_LINK
from menpai.tables.linkage.door import check_link
from menpai.tables.linkage.linked import ADDED
from menpai.tables.linkage.linking import WIDE
from menpai.tables.linkage.plan import Accept, Assign, Plan
from menpai.tables.linkage.reading import Chosen, shared_columns
from menpai.tables.spark.answers import ANSWERS, CHOSEN, answered, assigned, rivalled
from menpai.tables.spark.blocking import find_pairs
from menpai.tables.spark.components import components
from menpai.tables.spark.judging import Judging, judge_two, name_weights
from menpai.tables.spark.room import Room
from menpai.tables.spark.rows import ROW, Read, Reader, columns_of, read
from menpai.tables.spark.session import has_names, open_room, settings_of


def link(
    left: Any,
    right: Any,
    *,
    accept: Accept = "exact",
    assign: Assign = "auto",
    work: str | Room | None = None,
    settings: Settings | None = None,
    tables: tuple[str, str] = ("left", "right"),
    **columns: str,
) -> Any:
    """The left frame in its order with the columns that `menpai link` adds. It reads from the folder `work`, which stays.

    `columns`: address, name, id, lat, lon, phone, crs, and the same with `right_` before them. `tables`: what the frames
    are called in messages.
    """
    check_link(accept, assign, columns)
    room, settings = open_room(left, work), settings_of(settings)
    plan = Plan(accept, assign, workers=1)
    ours, theirs = (columns_of(name, frame) for name, frame in zip(tables, (left, right), strict=True))
    first = Chosen(**{role: name for role, name in columns.items() if not role.startswith("right_")})
    second = Chosen(**{role[6:]: name for role, name in columns.items() if role.startswith("right_")})
    one = read(room, "left", left, Reader(tables[0], shared_columns(first, ours, theirs), settings))
    wanted = second.over(shared_columns(first, theirs, ours))
    other = read(room, "right", right, Reader(tables[1], wanted, settings))
    answers = _answers(room, one, other, plan, settings)
    return _rows(room, one, other, _links(room, answers, plan), plan)


def _answers(room: Room, one: Read, other: Read, plan: Plan, settings: Settings) -> Any:
    """Each pair that was compared, with what is said of it."""
    fields = ("address", "name", "phone", "lat", "lon")
    same = " AND ".join(f"l.{field} <=> r.{field}" for field in fields)
    equal = room.keep("equal", room.sql(
        f"SELECT l.entity AS a, r.entity AS b, 2D AS score FROM {{left}} l JOIN {{right}} r ON {same}",
        left=one.entities, right=other.entities,
    ))  # fmt: skip
    named = all(has_names(room, each.entities) for each in (one, other))
    asking = room.sql("SELECT l.* FROM {left} l LEFT ANTI JOIN {equal} e ON l.entity = e.a",
                      left=one.entities, equal=equal)  # fmt: skip
    found = find_pairs(
        room,
        asking,
        other.entities,
        plan.candidates * (WIDE if named else 1),
        own=False,
        vetoed=plan.accept == "exact" and not named,
        near=0.0 if named else NEAR_LINK,
    )
    pairs = room.sql("SELECT *, true AS equal FROM {equal} UNION ALL SELECT *, false FROM {found}",
                     equal=equal, found=found)  # fmt: skip
    weight = name_weights(room, one.entities, other.entities)
    judged = judge_two(room, pairs, one.entities, other.entities, Judging(settings, plan, weight, named))
    if named:
        by_right = room.sql("SELECT * FROM {judged} DISTRIBUTE BY b SORT BY b", judged=judged)
        judged = by_right.mapInArrow(rivalled, f"{_schema(judged)}, rival double")
    else:
        judged = room.sql("SELECT *, 0D AS rival FROM {judged}", judged=judged)
    by_left = room.sql("SELECT * FROM {judged} DISTRIBUTE BY a SORT BY a, score DESC, b", judged=judged)
    return room.keep("answers", by_left.mapInArrow(partial(answered, plan), ANSWERS))


def _schema(frame: Any) -> str:
    return ", ".join(f"{name} {kind}" for name, kind in frame.dtypes)


def _links(room: Room, answers: Any, plan: Plan) -> Any:
    """Of each left entity its pair: that which joins, else the most similar one whose right entity nobody has."""
    alone = {"auto": "named", "one": "true", "many": "false"}[plan.assign]
    edges = f"SELECT 2 * a AS u, 2 * b + 1 AS v FROM {{answers}} WHERE joins AND {alone}"
    of = components(room, room.sql(edges, answers=answers))
    grouped = room.sql(
        f"SELECT coalesce(c.component, 2 * p.a) AS component, p.a, p.b, p.score, p.odds, p.similarity, {alone} AS alone"
        " FROM {answers} p LEFT JOIN {of} c ON c.node = 2 * p.a WHERE p.joins"
        " DISTRIBUTE BY component SORT BY component",
        answers=answers,
        of=of,
    )
    chosen = room.keep("chosen", grouped.mapInArrow(assigned, CHOSEN))
    return room.keep("links", room.sql(
        "WITH free AS (SELECT p.* FROM {answers} p LEFT ANTI JOIN {chosen} c ON p.a = c.a LEFT ANTI JOIN"
        " (SELECT DISTINCT b FROM {chosen}) t ON p.b = t.b), ranked AS (SELECT *, row_number() OVER"
        " (PARTITION BY a ORDER BY similarity DESC, score DESC, b) AS place FROM free)"
        " SELECT p.*, true AS joined FROM {answers} p LEFT SEMI JOIN {chosen} c ON p.a = c.a AND p.b = c.b"
        f" UNION ALL SELECT {_ALL}, false FROM ranked WHERE place = 1",
        answers=answers, chosen=chosen,
    ))  # fmt: skip


_ALL = ", ".join(part.split()[0] for part in ANSWERS.split(", "))


def _rows(room: Room, one: Read, other: Read, links: Any, plan: Plan) -> Any:
    """The rows of the left frame: equal ones get the equal right rows in their order, and share the last one unless every
    right row is given away once."""
    order = "row_number() OVER (PARTITION BY entity ORDER BY row) - 1"
    given = "l.place" if plan.assign == "one" else "least(l.place, e.rows - 1)"
    added = added_names(one.frame.columns, ADDED)
    cells = (
        "r.id", "if(r.id IS NULL, NULL, nullif(e.address, ''))", "if(r.id IS NULL, NULL, nullif(e.name, ''))",
        _or_nothing("label", "'not_match'"), _or_nothing("shown", "0D"), _or_nothing("level", "'none'"),
        "nullif(l.conflicts, '')", "l.gap", "l.problem",
    )  # fmt: skip
    picked = ", ".join(
        f"{cell} AS `{name.replace('`', '``')}`" for cell, name in zip(cells, added, strict=True)
    )
    return room.sql(
        f"SELECT f.*, {picked} FROM {{frame}} f JOIN (SELECT p.row, p.problem, p.place, q.* FROM"
        f" (SELECT *, {order} AS place FROM {{left}}) p LEFT JOIN {{links}} q ON p.entity = q.a) l ON f.{ROW} = l.row"
        " LEFT JOIN {entities} e ON e.entity = l.b AND l.joined"
        f" LEFT JOIN (SELECT *, {order} AS place FROM {{right}} WHERE entity IS NOT NULL) r"
        f" ON r.entity = e.entity AND r.place = {given} ORDER BY f.{ROW}",
        frame=one.frame,
        left=one.rows,
        links=links,
        entities=other.entities,
        right=other.rows,
    ).drop(ROW)


def _or_nothing(column: str, nothing: str) -> str:
    """A cell of a row that was compared with nothing, or of a problem."""
    return f"if(l.problem IS NULL, coalesce(l.{column}, {nothing}), NULL)"
