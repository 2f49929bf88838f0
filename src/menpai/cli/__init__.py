"""The command line: one file per command, one line each in `entry.COMMANDS`."""

from menpai.cli.entry import main

__all__ = ["main"]
