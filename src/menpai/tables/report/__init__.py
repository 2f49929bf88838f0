"""What a run over tables came to, as one HTML file for people or as JSON for programs."""

from menpai.tables.report.facts import Facts, Seen
from menpai.tables.report.page import page
from menpai.tables.report.pairs import Names

__all__ = ["Facts", "Names", "Seen", "page"]
