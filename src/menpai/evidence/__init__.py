"""Room of menpai."""
