"""Splink on DuckDB, in a process of its own; scale_splink.py runs it beside menpai and looks for the best thresholds.

    python benchmarks/tables/splink_baseline.py link LEFT RIGHT OUT        best right row of each left row, with its weight
    python benchmarks/tables/splink_baseline.py dedupe TABLE OUT           clusters at each weight of WEIGHTS
    python benchmarks/tables/splink_baseline.py recall LEFT RIGHT TRUTH    true pairs among those that blocking finds
    python benchmarks/tables/splink_baseline.py recall-of-one TABLE TRUTH

Tables are TSV (id, address). Prints JSON: seconds of each step, pairs that were scored. Columns: splink_columns.py;
comparisons and blocking rules: splink_models.py.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence

import duckdb
import splink_models as models
from splink import Linker, SettingsCreator, block_on
from splink.backends.duckdb import DuckDBAPI
from splink_columns import cut

WEIGHTS = (0, 2, 3, 4, 5, 6, 7, 8, 10, 12)
_LEAST = -15
"""Weight of the least sure link that is written."""
_SEED = 1
_READ = "read_csv('{}', delim = '\t', quote = '', escape = '', all_varchar = true, header = true)"


def main(verb: str, *paths: str) -> None:
    """One run, and its JSON."""
    verbs = {"link": link, "dedupe": dedupe, "recall": recall, "recall-of-one": recall_of_one}
    print(json.dumps(verbs[verb](*paths)))


def opened(paths: Sequence[str], names: Sequence[str]) -> duckdb.DuckDBPyConnection:
    """The tables with their columns."""
    db = duckdb.connect()
    for path, name in zip(paths, names, strict=True):
        db.execute(f"CREATE TABLE {name}_raw AS SELECT id AS unique_id, address FROM {_READ.format(path)}")
    cut(db, [f"{name}_raw" for name in names], names)
    return db


def trained(
    db: duckdb.DuckDBPyConnection,
    names: Sequence[str],
    settings: SettingsCreator,
    rules: Sequence[object],
    truth: str = "",
) -> Linker:
    """A linker whose u is from pairs at random, and whose m is from EM on the pairs of each rule, or from the true pairs:
    those that are equal in the column `truth`."""
    api = DuckDBAPI(db)
    tables = [api.register(name, dataset_display_name=name) for name in names]
    linker = Linker(tables if len(tables) > 1 else tables[0], settings, log_level="ERROR")
    if rules:
        linker.training.estimate_probability_two_random_records_match([block_on("name", "numbers")], 0.5)
    linker.training.estimate_u_using_random_sampling(max_pairs=2e6, seed=_SEED)
    for rule in rules:
        linker.training.estimate_parameters_using_expectation_maximisation(rule, max_pairs=2e6)
    if truth:
        linker.training.estimate_m_from_label_column(truth)
    return linker


def address_linker(db: duckdb.DuckDBPyConnection, names: Sequence[str]) -> Linker:
    """Of tables of addresses."""
    kind = "link_only" if len(names) > 1 else "dedupe_only"
    return trained(
        db, names, models.addresses(kind), [block_on("numbers", "town"), block_on("numbers", "name")]
    )


def link(left: str, right: str, output: str) -> dict[str, object]:
    """The best right row of each left row."""
    clock = Clock()
    db = opened((left, right), ("a", "b"))
    clock.step("columns")
    linker = address_linker(db, ("a", "b"))
    clock.step("training")
    found = linker.inference.predict(threshold_match_weight=_LEAST).physical_name
    clock.step("pairs")
    db.execute(
        f"""COPY (SELECT unique_id_l, arg_max(unique_id_r, match_weight), max(match_weight) FROM {found} GROUP BY 1)
        TO '{output}' (DELIMITER '\t', HEADER false, QUOTE '')"""
    )
    clock.step("best")
    return clock.seconds


def dedupe(table: str, output: str) -> dict[str, object]:
    """Clusters at each weight: `OUT.WEIGHT`, id and cluster."""
    clock = Clock()
    db = opened((table,), ("a",))
    clock.step("columns")
    linker = address_linker(db, ("a",))
    clock.step("training")
    found = linker.inference.predict(threshold_match_weight=min(WEIGHTS))
    clock.step("pairs")
    for weight in WEIGHTS:
        clusters = linker.clustering.cluster_pairwise_predictions_at_threshold(
            found, threshold_match_weight=weight
        )
        db.execute(
            f"""COPY (SELECT unique_id, cluster_id FROM {clusters.physical_name})
            TO '{output}.{weight}' (DELIMITER '\t', HEADER false, QUOTE '')"""
        )
        clusters.drop_table_from_database_and_remove_from_cache()
        clock.step(f"clusters {weight}")
    return clock.seconds


def recall(left: str, right: str, truth: str) -> dict[str, object]:
    """Pairs that the rules find, and the share of the true pairs among them."""
    db = opened((left, right), ("a", "b"))
    db.execute(
        f"""CREATE TABLE truth AS SELECT "left" AS l, "right" AS r FROM {_READ.format(truth)} WHERE "right" <> ''"""
    )
    return _recall(db, ("a", "b"))


def recall_of_one(table: str, truth: str) -> dict[str, object]:
    """The same of one table; true pairs are those of different spellings."""
    db = opened((table,), ("a",))
    db.execute(
        f"""CREATE TABLE truth AS WITH placed AS (
            SELECT id, t.place, address FROM {_READ.format(truth)} AS t JOIN a ON id = unique_id)
        SELECT x.id AS l, y.id AS r FROM placed AS x JOIN placed AS y ON x.place = y.place AND x.id < y.id
        WHERE x.address <> y.address"""
    )
    return _recall(db, ("a",))


def _recall(db: duckdb.DuckDBPyConnection, names: Sequence[str]) -> dict[str, object]:
    api = DuckDBAPI(db)
    tables = [api.register(name, dataset_display_name=name) for name in names]
    kind = "link_only" if len(names) > 1 else "dedupe_only"
    linker = Linker(tables if len(tables) > 1 else tables[0], models.addresses(kind), log_level="ERROR")
    pairs = linker.inference.compute_blocked_pairs_for_predict().physical_name
    key = [
        "replace(join_key_{}, '{}-__-', '')".format(*side)
        for side in zip("lr", (names[0], names[-1]), strict=True)
    ]
    db.execute(f"CREATE TABLE found AS SELECT match_key, {key[0]} AS l, {key[1]} AS r FROM {pairs}")
    held = "SELECT least(l, r) AS l, greatest(l, r) AS r FROM"
    hits = f"FROM ({held} truth) SEMI JOIN ({held} found) USING (l, r)"
    return {
        "pairs": _number(db, "FROM found"),
        "recall": _number(db, hits) / _number(db, "FROM truth"),
        "pairs by rule": dict(
            db.execute("SELECT match_key, count(*) FROM found GROUP BY 1 ORDER BY 1").fetchall()
        ),
    }


def _number(db: duckdb.DuckDBPyConnection, source: str) -> int:
    counted = db.execute(f"SELECT count(*) {source}").fetchone()
    return int(counted[0]) if counted else 0


class Clock:
    """Seconds of each step since the one before."""

    def __init__(self) -> None:
        self.seconds: dict[str, object] = {}
        self._since = time.perf_counter()

    def step(self, name: str) -> None:
        """End a step."""
        now = time.perf_counter()
        self.seconds[name] = round(now - self._since, 2)
        self._since = now


if __name__ == "__main__":
    main(*sys.argv[1:])
