"""`menpai model`: what can be done with packs; `menpai/cli/model_<verb>.py` holds the `add(actions)` of a verb."""

from __future__ import annotations

from importlib import import_module

from menpai.cli.arguments import Commands
from menpai.cli.commands import summary_of
from menpai.cli.language import say

# In the order of the help. A verb's file imports engines, torch and the like inside its `run`, not at its top.
VERBS = ("list", "info", "import", "verify", "quantize", "bench", "tune", "export")


def add(subparsers: Commands) -> None:
    """Register the command and its verbs."""
    summary = summary_of("model")
    parser = subparsers.add_parser("model", help=summary, description=summary)
    actions: Commands = parser.add_subparsers(
        metavar="ACTION", dest="action", required=True, title=say("操作", "actions")
    )
    for verb in VERBS:
        import_module(f"menpai.cli.model_{verb}").add(actions)
