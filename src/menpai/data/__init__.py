"""Built tables and the built-in pack: committed, built by `tools/` and `training/`."""
