"""Whole tables on Spark: link, dedupe and match for what outgrows one machine, with the answers of `menpai.tables.linkage`.

Nothing of PySpark is imported before a function is called.
"""

from menpai.tables.spark.deduping import dedupe
from menpai.tables.spark.linking import link
from menpai.tables.spark.matching import match

__all__ = ["dedupe", "link", "match"]
