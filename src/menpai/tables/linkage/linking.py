"""link: which row of the right table each row of the left one is."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from menpai.matcher import Matcher
from menpai.tables.journal import PairJournal
from menpai.tables.linkage.assign import assign
from menpai.tables.linkage.candidates import NEAR_LINK, Floats, Pairs, find_pairs
from menpai.tables.linkage.coverage import estimate_coverage
from menpai.tables.linkage.names import Names
from menpai.tables.linkage.plan import Plan
from menpai.tables.linkage.records import Records
from menpai.tables.linkage.rivals import best_others
from menpai.tables.linkage.scoring import Judged, Scored, narrow, score_pairs
from menpai.tables.linkage.stages import Stages
from menpai.verdict import LABELS, Conflict, Probabilities

WIDE = 5
"Pairs by their keys for each that is compared, where names decide which."
_UNKNOWN = Judged(Probabilities(0.0, 0.0, 1.0), "none", ())
Told = Callable[[str, float], None]


class Link(NamedTuple):
    """What is known of a left row: the right row (None: none joins), and the best pair's label, similarity, level and
    conflicts; `gap`: by how much its similarity is above that of the runner-up."""

    right: int | None
    label: str
    similarity: float
    level: str
    conflicts: tuple[Conflict, ...]
    gap: float | None
    review: bool = False
    "Whether a person should look at it."


class Links(NamedTuple):
    """A link for each left row without a problem, the pairs that were compared, and how the run went."""

    rows: dict[int, Link]
    pairs: list[tuple[int, int, Link]]
    stages: Stages
    coverage: float
    "Estimated share of the pairs that belong together among the candidates."


def link(
    left: Records,
    right: Records,
    matcher: Matcher,
    plan: Plan | None = None,
    told: Told = lambda name, share: None,
    journal: PairJournal | None = None,
) -> Links:
    """The link of each left row. The same rows give the same answer in whatever order they stand."""
    plan, stages = plan or Plan(), Stages()
    equal = _equal(left, right, stages)
    pairs = _candidates(left, right, equal, plan, plan.workers or matcher.settings.cores, stages, told)
    names = Names(entity.name for records in (left, right) for entity in records.entities)
    if left.named and right.named:
        with stages.stage("names", len(pairs.left)) as out:
            pairs = narrow(left, right, pairs, names, plan.candidates)
            out.append(len(pairs.left))
    scored = score_pairs(
        left,
        right,
        _merged(equal, pairs),
        names,
        matcher,
        plan,
        stages,
        lambda share: told("score", share),
        journal=journal,
    )
    with stages.stage("assign", len(scored.odds)) as out:
        answers = answers_of(scored, plan)
        similarity = np.array([answer.similarity for answer in answers])
        joins = np.array([joins_by(answer.label, plan) for answer in answers], bool)
        one = scored.named if plan.assign == "auto" else np.full(len(joins), plan.assign == "one", bool)
        chosen = assign(scored, similarity, joins, one=one)
        rows = _rows(left, right, scored, answers, chosen, plan)
        out.append(sum(link.right is not None for link in rows.values()))
    every = list(zip(scored.pairs.left.tolist(), scored.pairs.right.tolist(), answers, strict=True))
    return Links(rows, every, stages, estimate_coverage(scored.pairs.left, chosen, plan.candidates))


def _equal(left: Records, right: Records, stages: Stages) -> Pairs:
    """The entities that are equal in all that is compared: no other candidates are sought for them."""
    with stages.stage("same", len(left.entities)) as out:
        places = {entity: at for at, entity in enumerate(right.entities)}
        found = [(at, places[e]) for at, e in enumerate(left.entities) if e in places]
        out.append(len(found))
    a, b = np.array(found, np.int64).reshape(-1, 2).T
    return Pairs(a, b, np.full(len(a), 2.0))


def _candidates(
    left: Records, right: Records, equal: Pairs, plan: Plan, threads: int, stages: Stages, told: Told
) -> Pairs:
    asking = np.setdiff1d(np.arange(len(left.entities)), equal.left)
    with stages.stage("candidates", len(asking)) as out:
        named = left.named and right.named
        pairs = find_pairs(
            [left.entities[at].text for at in asking.tolist()],
            [entity.text for entity in right.entities],
            plan.candidates * (WIDE if named else 1),
            numbers=plan.accept == "exact" and not named,
            near=0.0 if named else NEAR_LINK,
            threads=threads,
            told=lambda share: told("candidates", share),
        )
        out.append(len(pairs.left))
    return Pairs(asking[pairs.left], pairs.right, pairs.score)


def _merged(one: Pairs, other: Pairs) -> Pairs:
    """Both, by left."""
    both = Pairs(*(np.concatenate(parts) for parts in zip(one, other, strict=True)))
    return both.keep(np.argsort(both.left, kind="stable"))


def joins_by(label: str, plan: Plan) -> bool:
    """Whether a pair with this label is joined."""
    return LABELS.index(label) <= (plan.accept == "partial")


def probabilities_of(scored: Scored) -> Floats:
    """Three probabilities of each pair. Of a named pair the log-odds are those of exact_match; what remains goes to what
    its addresses say."""
    found = scored.verdicts.probabilities[scored.at]
    unknown = np.isnan(found[:, 0])
    found[unknown] = (0.0, 0.0, 1.0)
    named = scored.named
    exact = 1 / (1 + np.exp(-scored.odds[named]))
    partial = found[named, 1] >= found[named, 2]
    found[named] = np.stack((exact, (1 - exact) * partial, (1 - exact) * ~partial), 1)
    return found


def labels_of(scored: Scored) -> list[str]:
    """The label of each pair."""
    return [LABELS[at] for at in np.argmax(probabilities_of(scored), 1).tolist()]


def similarities_of(scored: Scored) -> Floats:
    """The similarity of each pair."""
    found = probabilities_of(scored)
    return np.asarray(found[:, 0] + 0.5 * found[:, 1])


def unsure_of(scored: Scored, plan: Plan) -> list[int]:
    """The places of the pairs that people should look at."""
    if plan.unsure is None:
        return []
    each = zip(labels_of(scored), probabilities_of(scored).tolist(), strict=True)
    return [at for at, (label, found) in enumerate(each) if plan.unsure(label, Probabilities(*found))]


def answers_of(scored: Scored, plan: Plan) -> list[Link]:
    """Each pair's own answer."""
    review = set(unsure_of(scored, plan))
    each = zip(labels_of(scored), similarities_of(scored).tolist(), scored.judged(), strict=True)
    answers = []
    for at, (label, similarity, judged) in enumerate(each):
        says = judged or _UNKNOWN
        answers.append(Link(None, label, similarity, says.level, says.conflicts, None, at in review))
    return answers


def _rows(
    left: Records, right: Records, scored: Scored, answers: list[Link], chosen: dict[int, int], plan: Plan
) -> dict[int, Link]:
    """The link of each row: equal left rows get the equal right rows in their order, and share the last one unless
    every right row is given away once."""
    similarity = np.array([answer.similarity for answer in answers])
    gaps = similarity - best_others(scored.pairs.left, similarity, 0.0)
    nearest = _nearest(scored, similarity, chosen)
    theirs = right.rows_of()
    found: dict[int, Link] = {}
    for entity, rows in enumerate(left.rows_of()):
        at = chosen.get(entity, nearest.get(entity))
        answer = _NOTHING if at is None else answers[at]._replace(gap=float(gaps[at]))
        others = theirs[int(scored.pairs.right[at])] if at is not None and entity in chosen else []
        for number, row in enumerate(rows):
            given = others if plan.assign == "one" else [*others[:-1], *others[-1:] * len(rows)]
            found[row] = answer._replace(right=given[number] if number < len(given) else None)
    return found


_NOTHING = Link(None, "not_match", 0.0, "none", (), None)


def _nearest(scored: Scored, similarity: Floats, chosen: dict[int, int]) -> dict[int, int]:
    """Of each left entity that joins nothing, the most similar pair whose right entity nobody has."""
    pairs = scored.pairs
    taken = {int(pairs.right[at]) for at in chosen.values()}
    found: dict[int, int] = {}
    for at in np.lexsort((pairs.right, -pairs.score, -similarity)).tolist():
        left = int(pairs.left[at])
        if left not in chosen and left not in found and int(pairs.right[at]) not in taken:
            found[left] = at
    return found
