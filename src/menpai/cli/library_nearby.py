"""`menpai library nearby`: the rows of a library that lie nearest to a point."""

from __future__ import annotations

import argparse

from menpai.cli.arguments import Commands
from menpai.cli.language import say
from menpai.cli.library_asked import add_question, add_radius, open_asked, read_point, show_candidates
from menpai.settings import Settings


def add(actions: Commands) -> None:
    """Register the verb."""
    text = say("离一个坐标最近的地址", "the addresses nearest to a point")
    parser = actions.add_parser("nearby", help=text, description=text)
    add_question(parser, "LAT,LON", say("纬度,经度", "latitude,longitude"))
    add_radius(parser)
    parser.set_defaults(run=run, parser=parser)


def run(args: argparse.Namespace, settings: Settings) -> int:
    """One line for each, nearest first."""
    with open_asked(args, settings) as (library, text):
        lat, lon = read_point(text)
        found = library.nearby(lat, lon, args.k, crs=args.crs, radius=args.radius)
    return show_candidates(found, args.json)
