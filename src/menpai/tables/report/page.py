"""The report as one HTML file: nothing in it comes from elsewhere, and nothing in it runs."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from html import escape

from menpai.errors import MESSAGES, Language
from menpai.matcher import Matcher
from menpai.tables.report import svg
from menpai.tables.report.facts import BINS, POINTS, SIZES, Facts
from menpai.tables.report.pairs import Names, drawn, families
from menpai.tables.report.reliability import card_table
from menpai.tables.report.style import CSS
from menpai.tables.report.words import say
from menpai.verdict import LABELS

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_EDGES = {"": 0.25, " ": 0.75}
"Similarities at which two neighbouring labels are equally likely."
_TENTHS = [f"{at / BINS:.2f}" for at in range(BINS + 1)]


def page(facts: Facts, matcher: Matcher, names: Names) -> str:
    """The whole file."""
    language = names.language
    title = f"menpai · {say(language, facts.command)}"
    tables = " ↔ ".join(str(facts.about[name]) for name in ("table", "right_table") if name in facts.about)
    body = "".join(f"<section>{part}</section>" for part in _parts(facts, matcher, names) if part)
    made = say(language, "made", time=time.strftime("%Y-%m-%d %H:%M"))
    return (
        f'<!doctype html>\n<html lang="{language}"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light">'
        f"<title>{escape(title)}</title><style>{CSS}</style></head>\n<body><main><h1>{escape(title)}</h1>"
        f'<p>{escape(tables)}</p><p class="note">{escape(made)} · {say(language, "private")}</p>{body}</main></body></html>\n'
    )


def _parts(facts: Facts, matcher: Matcher, names: Names) -> Iterator[str]:
    language = names.language
    yield _counts(facts, names)
    yield _stages(facts, names)
    yield _scores(facts, names)
    yield _calibration(facts, matcher, names)
    if any(facts.gaps):
        chart = svg.bars({"plain": facts.gaps}, _TENTHS, say(language, "gaps"))
        yield _titled(names, "gaps", f'<p class="note">{say(language, "gaps_note")}</p>{chart}')
    if facts.sizes:
        counts = [(name, facts.sizes[name]) for _, name in SIZES if facts.sizes[name]]
        shown = "".join(families(sample, names) for sample in facts.clusters.values())
        yield _titled(names, "sizes", svg.across(counts, say(language, "sizes")) + shown)
    if facts.conflicts:
        kinds = [(names.of(names.kinds, kind), count) for kind, count in facts.conflicts.most_common(20)]
        yield _titled(names, "conflicts", svg.across(kinds, say(language, "conflicts")))
    if facts.problems:
        yield _titled(
            names,
            "problem_codes",
            _grid(
                [
                    [f"{_meaning(code, language)} ({code})", f"{n:,}"]
                    for code, n in facts.problems.most_common(20)
                ]
            ),
        )
    yield _map(facts, names)
    yield _titled(names, "doubts", drawn(facts.doubts, matcher, names))
    yield _examples(facts, matcher, names)
    yield _titled(names, "settings", _settings(facts, names))


def _meaning(code: str, language: Language) -> str:
    """What a problem says, without the details of a row."""
    text = MESSAGES[code][0 if language == "zh" else 2] if code in MESSAGES else ""
    return re.sub(r"\{[^}]*\}", "…", text.replace("{side}", ""))


def _titled(names: Names, key: str, inside: str) -> str:
    return f"<h2>{escape(say(names.language, key))}</h2>{inside}" if inside else ""


def _counts(facts: Facts, names: Names) -> str:
    cards = [
        f"<div><b>{_figure(value)}</b>{escape(say(names.language, name))}</div>"
        for name, value in facts.counts.items()
    ]
    labels = [[names.of(names.labels, name), f"{facts.labels[name]:,}"] for name in LABELS]
    return _titled(names, "counts", f'<div class="cards">{"".join(cards)}</div>' + _grid(labels))


def _figure(value: int | float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:.1%}"


def _stages(facts: Facts, names: Names) -> str:
    if not facts.stages:
        return ""
    heads = [say(names.language, key) for key in ("stage", "in", "out", "seconds")]
    rows = [
        [str(each["name"]), f"{each['rows_in']:,}", f"{each['pairs_out']:,}", f"{each['seconds']:.2f}"]
        for each in facts.stages
    ]
    compared = int(facts.counts.get("pairs_compared", 0))
    share = 1 - compared / facts.possible if facts.possible else 0.0
    said = say(
        names.language,
        "avoided",
        possible=f"{facts.possible:,}",
        compared=f"{compared:,}",
        share=f"{share:.4%}",
    )
    return _titled(names, "stages", f"<p>{said}</p>" + _grid(rows, heads))


def _scores(facts: Facts, names: Names) -> str:
    if not sum(facts.labels.values()):
        return ""
    language = names.language
    key = "".join(f'<span class="{name}"></span>{escape(names.of(names.labels, name))}' for name in LABELS)
    note = say(language, "scores_note", review=f"{sum(facts.doubted):,}")
    chart = svg.bars(facts.similarities, _TENTHS, say(language, "scores"), _EDGES)
    return _titled(
        names, "scores", f'<p class="key">{key}</p>{chart}<p class="note">{note}</p>{_zone(facts, names)}'
    )


def _zone(facts: Facts, names: Names) -> str:
    zone = facts.zone
    if not zone:
        return ""
    told = {
        side: say(names.language, "never")
        if zone[side]["threshold"] is None
        else f"{zone[side]['threshold']:.4f}"
        for side in ("joined", "apart")
    }
    values = {name: zone[name] for name in ("max_error", "confidence", "labels")}
    return f"<p>{escape(say(names.language, 'zone', **values, **told))}</p>"


def _calibration(facts: Facts, matcher: Matcher, names: Names) -> str:
    language, found = names.language, facts.reliability
    if found is None:
        table = card_table(facts.card)
        if not table:
            return _titled(names, "calibration", f"<p>{say(language, 'no_card')}</p>")
        said = say(language, "by_card", pack=escape(matcher.pack_id))
        return _titled(names, "calibration", f"<p>{said}</p>{_grid(table[1:], table[0])}")
    key = "by_review" if found.what == "similarity" else "by_labels"
    said = say(language, key, count=f"{sum(number for number, _, _ in found.bins):,}", source=found.source)
    words = (say(language, "calibration"), say(language, found.what), say(language, "share"))
    return _titled(names, "calibration", f"<p>{escape(said)}</p>{svg.against(found.bins, *words)}")


def _map(facts: Facts, names: Names) -> str:
    points = {name: list(sample) for name, sample in sorted(facts.points.items())}
    if not points:
        return ""
    listed = ", ".join(
        f"{say(names.language, name)} {sample.passed:,}" for name, sample in sorted(facts.points.items())
    )
    note = say(names.language, "map_note", most=f"{POINTS:,}", listed=listed)
    return _titled(
        names, "map", svg.scatter(points, say(names.language, "map")) + f'<p class="note">{escape(note)}</p>'
    )


def _examples(facts: Facts, matcher: Matcher, names: Names) -> str:
    shown = []
    for name in [*LABELS, *(kind for kind, _ in facts.conflicts.most_common())]:
        if sample := facts.examples.get(name):
            label = name in LABELS
            title = names.of(names.labels, name) if label else say(
                names.language, "conflict_of", kind=names.of(names.kinds, name)
            )  # fmt: skip
            shown.append(f"<h3>{escape(title)}</h3>" + drawn(sample, matcher, names))
    return _titled(names, "examples", "".join(shown))


def _settings(facts: Facts, names: Names) -> str:
    rows = "".join(
        f"<dt>{escape(say(names.language, name))}</dt><dd>{escape(str(value))}</dd>"
        for name, value in facts.about.items()
    )
    return f"<dl>{rows}</dl>"


def _grid(rows: list[list[str]], heads: list[str] | None = None) -> str:
    head = f"<thead><tr>{''.join(f'<th>{escape(cell)}</th>' for cell in heads)}</tr></thead>" if heads else ""
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f'<div class="wide" tabindex="0"><table>{head}<tbody>{body}</tbody></table></div>'
