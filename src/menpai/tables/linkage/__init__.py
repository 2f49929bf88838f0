"""Whole tables: which rows of two tables, or of one, are the same place."""

from menpai.tables.linkage.plan import Plan
from menpai.tables.linkage.records import Entity, Raw, Records, make_records
from menpai.tables.linkage.stages import Stage, Stages

__all__ = ["Entity", "Plan", "Raw", "Records", "Stage", "Stages", "make_records"]
