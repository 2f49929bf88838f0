"""What other indexes would make of suggest's typed queries: size, build, latency of every keystroke, hits.

Run: pip install marisa-trie tantivy; python benchmarks/finding/suggest_indexes.py --work WORK [--index nation] [--queries 200]
WORK is the folder of `suggesting.py` (its rows, typed queries and library are taken from there).
"""

from __future__ import annotations

import argparse
import bisect
import json
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import suggesting

import menpai

TOP = suggesting.TOP


class Row(NamedTuple):
    """A row as an index gives it back."""

    id: str
    text: str


Ask = Callable[[str], list[Row]]


def main() -> None:
    """Build each candidate, then type."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--index", default="nation")
    parser.add_argument("--queries", type=int, default=200)
    options = parser.parse_args()
    with (options.work / f"{options.index}.tsv").open(encoding="utf-8") as file:
        next(file)
        rows = [Row(fields[0], fields[2]) for fields in (line.rstrip("\n").split("\t") for line in file)]
    queries = [json.loads(line) for line in (options.work / "typed.jsonl").read_text("utf-8").splitlines()]
    queries = [query for query in queries if query["index"] == options.index][: options.queries]
    place = options.work / "candidates"
    print(
        "| index | bytes a row | build µs a row | p50 ms | p99 ms | half | typo | initials of the last | pinyin | all |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    for name, build in CANDIDATES.items():
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        start = time.process_time()
        ask = build(place, rows, options)
        spent = (time.process_time() - start) / len(rows) * 1e6
        size = sum(file.stat().st_size for file in place.rglob("*") if file.is_file()) / len(rows)
        found = suggesting._run(queries, ask)
        hit, total = found["hit"], sum(found["hit"][kind] * count for kind, count in found["queries"].items())
        shown = [hit.get(kind, 0.0) for kind in ("half", "typo", "last_initials", "pinyin")]
        shown.append(total / sum(found["queries"].values()))
        figures = f"{size:.0f} | {spent:.1f} | {found['ms']['p50']:.2f} | {found['ms']['p99']:.1f}"
        print(f"| {name} | {figures} | " + " | ".join(f"{share:.2f}" for share in shown) + " |", flush=True)


def sorted_texts(place: Path, rows: list[Row], _: argparse.Namespace) -> Ask:
    """The addresses sorted; a prefix is a range."""
    ordered = sorted(rows, key=lambda row: row.text)
    texts = [row.text for row in ordered]
    (place / "texts").write_text("\n".join(texts), "utf-8")

    def ask(text: str) -> list[Row]:
        low = bisect.bisect_left(texts, text)
        return [row for row in ordered[low : low + TOP] if row.text.startswith(text)]

    return ask


def sqlite_prefix(place: Path, rows: list[Row], _: argparse.Namespace) -> Ask:
    """A B-tree over the addresses."""
    base = sqlite3.connect(place / "base")
    base.execute("create table rows(id, text)")
    base.executemany("insert into rows values (?, ?)", rows)
    base.execute("create index texts on rows(text)")
    base.commit()

    def ask(text: str) -> list[Row]:
        query = "select id, text from rows where text >= ? and text < ? limit ?"
        return [Row(*found) for found in base.execute(query, (text, text + "\U0010ffff", TOP))]

    return ask


def sqlite_trigram(place: Path, rows: list[Row], _: argparse.Namespace) -> Ask:
    """FTS5 over trigrams; fewer than three characters are looked for by LIKE, as its manual says."""
    base = sqlite3.connect(place / "base")
    base.execute("create virtual table rows using fts5(text, id unindexed, tokenize='trigram')")
    base.executemany("insert into rows(id, text) values (?, ?)", rows)
    base.commit()

    def ask(text: str) -> list[Row]:
        query = "select id, text from rows where text like ? limit ?"
        return [Row(*found) for found in base.execute(query, (f"%{text}%", TOP))]

    return ask


def sqlite_parts(place: Path, rows: list[Row], _: argparse.Namespace) -> Ask:
    """FTS5 over single characters as words, a phrase with its last word begun."""
    base = sqlite3.connect(place / "base")
    base.execute(
        "create virtual table rows using fts5(words, id unindexed, text unindexed, prefix='1 2', detail=full)"
    )
    base.executemany("insert into rows values (?, ?, ?)", ((" ".join(row.text), *row) for row in rows))
    base.commit()

    def ask(text: str) -> list[Row]:
        words = " ".join(char for char in text if char.isalnum())
        if not words:
            return []
        query = "select id, text from rows where words match ? limit ?"
        return [Row(*found) for found in base.execute(query, (f'"{words}" *', TOP))]

    return ask


def marisa(place: Path, rows: list[Row], _: argparse.Namespace) -> Ask:
    """A trie of the addresses, asked for the keys below a prefix."""
    import marisa_trie  # noqa: PLC0415 (of this comparison alone)

    trie = marisa_trie.Trie([row.text for row in rows])
    trie.save(str(place / "trie"))
    ids = {row.text: row.id for row in rows}

    def ask(text: str) -> list[Row]:
        return [Row(ids[key], key) for key in islice(trie.iterkeys(text), TOP)]

    return ask


def tantivy(place: Path, rows: list[Row], _: argparse.Namespace) -> Ask:
    """Tantivy over pairs of characters, all of them wanted, best first."""
    import tantivy as engine  # noqa: PLC0415 (of this comparison alone)

    builder = engine.SchemaBuilder()
    builder.add_text_field("id", stored=True, tokenizer_name="raw")
    builder.add_text_field("text", stored=True, tokenizer_name="raw")
    builder.add_text_field("pairs", tokenizer_name="whitespace", index_option="freq")
    index = engine.Index(builder.build(), path=str(place))
    writer = index.writer(heap_size=200_000_000, num_threads=1)
    for row in rows:
        writer.add_document(engine.Document(id=row.id, text=row.text, pairs=" ".join(_pairs(row.text))))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher, schema = index.searcher(), index.schema

    def ask(text: str) -> list[Row]:
        wanted = [
            (engine.Occur.Must, engine.Query.term_query(schema, "pairs", pair)) for pair in _pairs(text)
        ]
        if not wanted:
            return []
        found = searcher.search(engine.Query.boolean_query(wanted), TOP).hits
        documents = (searcher.doc(address) for _, address in found)
        return [Row(document["id"][0], document["text"][0]) for document in documents]

    return ask


def ours(place: Path, rows: list[Row], options: argparse.Namespace) -> Ask:
    """The part of a library: elements by their spellings, and the tree of prefixes."""
    from menpai.search.suggest import part  # noqa: PLC0415

    library = menpai.Library.open(options.work / f"{options.index}.menpai")
    (shard,) = library.view.shards
    part.build(shard.segment, place, lambda share: None)
    return lambda text: library.suggest(text, TOP)  # type: ignore[return-value]


def _pairs(text: str) -> Iterator[str]:
    return (text[at : at + 2] for at in range(len(text) - 1)) if len(text) > 1 else iter([text])


CANDIDATES: dict[str, Callable[[Path, list[Row], argparse.Namespace], Any]] = {
    "menpai (elements + tree)": ours,
    "sorted texts, bisect": sorted_texts,
    "SQLite B-tree": sqlite_prefix,
    "SQLite FTS5, trigram": sqlite_trigram,
    "SQLite FTS5, characters": sqlite_parts,
    "marisa-trie": marisa,
    "Tantivy, bigrams": tantivy,
}


if __name__ == "__main__":
    main()
