"""`menpai library`: a library of one's own addresses; `menpai/cli/library_<verb>.py` holds the `add(actions)` of a verb."""

from __future__ import annotations

from importlib import import_module

from menpai.cli.arguments import Commands
from menpai.cli.commands import summary_of
from menpai.cli.language import say

# In the order of the help. A verb's file imports the library inside its `run`, not at its top.
VERBS = (
    "build", "add", "update", "remove", "info", "check", "compact",
    "suggest", "search", "standardize", "nearby",
)  # fmt: skip


def add(subparsers: Commands) -> None:
    """Register the command and its verbs."""
    summary = summary_of("library")
    parser = subparsers.add_parser("library", help=summary, description=summary)
    actions: Commands = parser.add_subparsers(
        metavar="ACTION", dest="action", required=True, title=say("操作", "actions")
    )
    for verb in VERBS:
        import_module(f"menpai.cli.library_{verb}").add(actions)
