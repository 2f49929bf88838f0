"""Whole tables: which rows of two tables, or of one, are the same place."""

from menpai.tables.linkage.linking import Link, Links, link
from menpai.tables.linkage.plan import Plan
from menpai.tables.linkage.records import Entity, Raw, Records, make_records
from menpai.tables.linkage.stages import Stage, Stages

__all__ = ["Entity", "Link", "Links", "Plan", "Raw", "Records", "Stage", "Stages", "link", "make_records"]
