"""The same queries asked of what others would take: BM25 on character bigrams, SQLite FTS5, Tantivy, RapidFuzz.

Run: python benchmarks/finding/baselines.py --work WORK --set nation|city|hangzhou --engine bm25|fts5|tantivy|rapidfuzz
An index is kept in WORK once it is built. Needs rapidfuzz or tantivy for those.
"""

from __future__ import annotations

import argparse
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from measure import INDEX, ask, read_queries, show

K1, B = 1.5, 0.75  # the defaults of rank_bm25
MOST = {"bm25": 1_000, "fts5": 60, "tantivy": 1_000, "rapidfuzz": 30}


def main() -> None:
    """Build if need be, ask and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--set", choices=INDEX, required=True)
    parser.add_argument("--engine", choices=MOST, required=True)
    parser.add_argument("--part", choices=("tune", "report", "all"), default="report")
    parser.add_argument("--most", type=int)
    options = parser.parse_args()
    find = ENGINES[options.engine](options.work, INDEX[options.set])
    queries = read_queries(options.work, options.set, options.part, options.most or MOST[options.engine])
    show(f"{options.set}, {options.engine}", ask(find, options.set, queries))


def rows_of(work: Path, index: str) -> Iterator[tuple[str, str, str]]:
    """Id, address, and name with address, of each row."""
    with (work / f"{index}.tsv").open(encoding="utf-8") as file:
        next(file)
        for line in file:
            id_, name, address, *_ = line.split("\t")
            yield id_, address, name + address


def text_of(query: Any) -> str:
    """A query as one text."""
    return query if isinstance(query, str) else query["name"] + query["address"]


def bigrams(text: str) -> list[str]:
    """Two characters side by side."""
    return [text[at : at + 2] for at in range(len(text) - 1)]


class Bm25:
    """BM25 (Okapi) over the bigrams of each row, as rank_bm25 has it; every row is scored."""

    def __init__(self, work: Path, index: str) -> None:
        self.rows = list(rows_of(work, index))
        kept = work / f"{index}.bm25.npz"
        if not kept.exists():
            np.savez(kept, **self._build())
        found = np.load(kept)
        self.terms, self.at, self.docs, self.scores = (
            found[name] for name in ("terms", "at", "docs", "scores")
        )

    def _build(self) -> dict[str, np.ndarray]:
        texts = [text for *_, text in self.rows]
        points = np.frombuffer("".join(f"{text}\n" for text in texts).encode("utf-32-le"), np.uint32)
        row = np.repeat(np.arange(len(texts), dtype=np.int64), [len(text) + 1 for text in texts])
        inside = (points[:-1] != 10) & (points[1:] != 10)
        terms = (points[:-1].astype(np.uint64) << np.uint64(21) | points[1:])[inside]
        known, numbers = np.unique(terms, return_inverse=True)
        keys, counts = np.unique(numbers.astype(np.int64) * len(texts) + row[:-1][inside], return_counts=True)
        term, docs = keys // len(texts), keys % len(texts)
        lengths = np.array([max(0, len(text) - 1) for text in texts])
        frequency = np.bincount(term, minlength=len(known))
        idf = np.log1p((len(texts) - frequency + 0.5) / (frequency + 0.5))
        scores = idf[term] * counts * (K1 + 1) / (counts + K1 * (1 - B + B * lengths[docs] / lengths.mean()))
        at = np.concatenate(([0], np.cumsum(frequency)))
        return {"terms": known, "at": at, "docs": docs.astype(np.int32), "scores": scores.astype(np.float32)}

    def __call__(self, query: Any, k: int) -> list[tuple[str, str]]:
        """The best k by BM25."""
        total = np.zeros(len(self.rows), np.float32)
        for bigram in bigrams(text_of(query)):
            term = np.uint64(ord(bigram[0]) << 21 | ord(bigram[1]))
            place = int(np.searchsorted(self.terms, term))
            if place < len(self.terms) and self.terms[place] == term:
                cut = slice(self.at[place], self.at[place + 1])
                total[self.docs[cut]] += self.scores[cut]
        best = np.argpartition(-total, k)[:k]
        return [self.rows[at][:2] for at in best[np.argsort(-total[best], kind="stable")]]


class Fts5:
    """SQLite's full-text index with its trigram tokenizer: any trigram of the query, ranked by bm25()."""

    def __init__(self, work: Path, index: str) -> None:
        path = work / f"{index}.fts5.sqlite"
        built = path.exists()
        self.base = sqlite3.connect(path)
        if not built:
            start = time.perf_counter()
            self.base.execute(
                "create virtual table t using fts5(id unindexed, address unindexed, x, tokenize=trigram)"
            )
            self.base.executemany("insert into t values (?, ?, ?)", rows_of(work, index))
            self.base.commit()
            print(f"built in {time.perf_counter() - start:.0f} s, {path.stat().st_size / 1e6:,.0f} MB")

    def __call__(self, query: Any, k: int) -> list[tuple[str, str]]:
        """The best k by FTS5's bm25()."""
        text = text_of(query).replace('"', " ")
        match = " OR ".join(f'"{text[at : at + 3]}"' for at in range(len(text) - 2))
        rows = self.base.execute(
            "select id, address from t where t match ? order by rank limit ?", (match, k)
        )
        return rows.fetchall()


class Tantivy:
    """Tantivy with two-character tokens: any of the query's, BM25."""

    def __init__(self, work: Path, index: str) -> None:
        import tantivy  # noqa: PLC0415 (only where it is asked for)

        analyzer = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.ngram(2, 2, False)).build()
        schema = tantivy.SchemaBuilder()
        for name in ("id", "address"):
            schema.add_text_field(name, stored=True, tokenizer_name="raw")
        schema.add_text_field("x", stored=False, tokenizer_name="bigrams")
        folder = work / f"{index}.tantivy"
        built = folder.exists()
        folder.mkdir(exist_ok=True)
        self.index = tantivy.Index(schema.build(), path=str(folder))
        self.index.register_tokenizer("bigrams", analyzer)
        if not built:
            start = time.perf_counter()
            writer = self.index.writer(heap_size=200_000_000, num_threads=1)
            for id_, address, text in rows_of(work, index):
                writer.add_document(tantivy.Document(id=id_, address=address, x=text))
            writer.commit()
            writer.wait_merging_threads()
            size = sum(file.stat().st_size for file in folder.iterdir())
            print(f"built in {time.perf_counter() - start:.0f} s, {size / 1e6:,.0f} MB")
        self.index.reload()
        self.searcher = self.index.searcher()
        self.tantivy = tantivy

    def __call__(self, query: Any, k: int) -> list[tuple[str, str]]:
        """The best k by Tantivy's BM25."""
        wanted = self.tantivy.Query.boolean_query(
            [
                (self.tantivy.Occur.Should, self.tantivy.Query.term_query(self.index.schema, "x", bigram))
                for bigram in bigrams(text_of(query))
            ]
        )
        documents = [self.searcher.doc(address) for _, address in self.searcher.search(wanted, k).hits]
        return [(document["id"][0], document["address"][0]) for document in documents]


class RapidFuzz:
    """Every row compared with fuzz.ratio."""

    def __init__(self, work: Path, index: str) -> None:
        self.rows = list(rows_of(work, index))
        self.texts = [text for *_, text in self.rows]

    def __call__(self, query: Any, k: int) -> list[tuple[str, str]]:
        """The best k by fuzz.ratio."""
        from rapidfuzz import fuzz, process  # noqa: PLC0415 (only where it is asked for)

        return [
            self.rows[at][:2]
            for *_, at in process.extract(text_of(query), self.texts, scorer=fuzz.ratio, limit=k)
        ]


ENGINES: dict[str, Any] = {"bm25": Bm25, "fts5": Fts5, "tantivy": Tantivy, "rapidfuzz": RapidFuzz}


if __name__ == "__main__":
    main()
