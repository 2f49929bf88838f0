"""A second pair pack from the same recipe, that also learned from research data: non-commercial, not in the wheel."""
