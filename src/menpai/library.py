"""A library at the door: the user's own addresses, opened from a folder, asked, and changed while others read it.

Long because: all that a user does with a library stands here; the work is in `search` and `tables`.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, cast

from menpai.errors import NotReadyError, Problem, UsageError, near
from menpai.search.changes import WAIT
from menpai.search.compact import check, compact, remove_rows
from menpai.search.ids import POLICIES, Policy
from menpai.search.ingest import Mode, Order, Report, Told, ingest
from menpai.search.manifest import Manifest, read_manifest
from menpai.search.store import open_view
from menpai.search.values import Candidate, Record, Suggestion, Trouble
from menpai.search.view import View
from menpai.settings import Settings, available_cores
from menpai.tables.entries import plan_of, read_sources, source_of
from menpai.tables.roles import Columns
from menpai.tables.source import count_lines

if TYPE_CHECKING:
    from menpai.matcher import Matcher
    from menpai.scoring import Ranker
    from menpai.search.standardize import Standardized

PathLike = str | os.PathLike[str]
Rows = PathLike | Sequence[PathLike] | Iterable[Mapping[str, Any]]
"""A table's path, several, or rows as mappings."""


class Library:
    """The addresses of a folder that `build` made. Open once and share: it may be asked from several threads.

    An opened library answers from the version that it opened, whatever is changed meanwhile, until `refresh`.
    """

    def __init__(self, path: Path, settings: Settings, matcher: Matcher | None = None) -> None:
        self.path = path
        self.settings = settings
        self.report: Report | None = None
        "What the last change made through this object did."
        self._matcher = matcher
        self._ranking: tuple[str, Ranker] | None = None
        self._changing = threading.Lock()
        self._state: tuple[Manifest, View] | None = open_view(path)

    @classmethod
    def open(
        cls, path: PathLike | None = None, *, settings: Settings | None = None, matcher: Matcher | None = None
    ) -> Library:
        """The library of a folder; without one the demo library: the divisions of China and their villages' towns.

        `matcher` judges candidates; it is opened when it is first needed if none is given.
        """
        if path is None:
            from menpai.search.demo import demo_path  # noqa: PLC0415 (built when it is first asked for)

            path = demo_path()
        return cls(Path(path), settings or (matcher.settings if matcher else Settings.load()), matcher)

    @classmethod
    def build(cls, sources: Rows, output: PathLike, **options: Any) -> Library:
        """A library of the sources in the folder `output`, opened; one that is there is replaced when all is ready.

        Options are those of `take_in`. A build that was killed goes on where it was when it is run again.
        """
        report = take_in(sources, output, "build", **options)
        library = cls.open(output)
        library.report = report
        return library

    def add(self, rows: Rows, **options: Any) -> Report:
        """Take rows in; an id that is there already is an error unless `duplicates` says which row stays."""
        return self._changed(lambda: take_in(rows, self.path, "add", **options))

    def update(self, rows: Rows, **options: Any) -> Report:
        """Take rows in, whole, in place of those with the same ids."""
        return self._changed(lambda: take_in(rows, self.path, "update", **options))

    def remove(self, ids: Iterable[str], *, wait: float = WAIT) -> Report:
        """Remove rows; ids that the library does not have are counted as problems."""
        wanted = [ids] if isinstance(ids, str) else list(ids)

        def work() -> Report:
            removed, unknown = remove_rows(self.path, wanted, wait)
            report = Report(read_manifest(self.path).rows, removed=removed)
            if unknown:
                report.problems["library_id_unknown"] = len(unknown)
            return report

        return self._changed(work)

    def compact(self, *, workers: int | None = None, wait: float = WAIT) -> Report:
        """Merge what was added, drop what was removed, and bring the indexes to this version of menpai."""
        return self._changed(
            lambda: Report(
                compact(self.path, available_cores() if workers is None else workers, wait)[1].rows
            )
        )

    def check(self) -> list[str]:
        """The files that are not as they were written; none if the library is whole."""
        return [name for name, whole in check(self.path) if not whole]

    def info(self) -> dict[str, Any]:
        """What the library is: rows, segments, sizes in bytes, when it was changed."""
        return info_of(self.path, self._state[0] if self._state else read_manifest(self.path))

    def refresh(self) -> bool:
        """Step to the newest version; whether there was a newer one."""
        with self._changing:
            before = self._state
            if before is None:
                raise NotReadyError("library_closed", path=str(self.path))
            if read_manifest(self.path) == before[0]:
                return False
            self._state = open_view(self.path, before[1], before[0])
        return True

    def suggest(
        self, text: str, k: int = 10, *, city: str = "", near: tuple[float, float] | None = None
    ) -> list[Suggestion]:
        """The best completions of a typed text. `city` and `near` (lat, lon in WGS-84) are preferred, not required."""
        from menpai.search.suggest.query import suggest  # noqa: PLC0415 (what a caller does not ask is not loaded)

        return suggest(self.view, text, k, city=city, point=near)

    def search(
        self,
        query: str | Mapping[str, Any],
        k: int = 5,
        *,
        radius: float | None = None,
        verdicts: bool = True,
        rerank: PathLike | None = None,
    ) -> list[Candidate]:
        """The rows that an address (a text, or {"address", "name", "lat", "lon", "crs"}) may mean, best first.

        `radius` leaves out what lies farther away, in metres. Without `verdicts` nothing is judged, only ranked. `rerank` is an
        imported ranking pack (docs: Bring your MGeo) that puts the best ones in order; `score` is its relevance then.
        """
        from menpai.search.search import search  # noqa: PLC0415 (as above)

        judge = self.matcher.match_many if verdicts else None
        order = None if rerank is None else self._ranker(os.fspath(rerank)).score
        return search(self.view, query, k, judge=judge, rerank=order, radius=radius)

    def standardize(self, query: str | Mapping[str, Any], *, radius: float | None = None) -> Standardized:
        """The row that an address clearly is; else the problem that says why there is none, and what comes near."""
        from menpai.search.standardize import standardize  # noqa: PLC0415 (as above)

        return standardize(self.view, query, self.matcher.match_many, radius=radius)

    def nearby(
        self, lat: float, lon: float, k: int = 5, *, crs: str = "wgs84", radius: float | None = None
    ) -> list[Candidate]:
        """The rows nearest to a point, nearest first, with their distances in metres."""
        from menpai.search.nearby import nearby  # noqa: PLC0415 (as above)

        return nearby(self.view, lat, lon, k, crs=crs, radius=radius)

    @property
    def view(self) -> View:
        """The version that is being asked; NotReadyError once the library is closed."""
        if self._state is None:
            raise NotReadyError("library_closed", path=str(self.path))
        return self._state[1]

    @property
    def generation(self) -> int:
        """Number of the version that is being asked; each change adds one."""
        return self.view.generation

    @cached_property
    def matcher(self) -> Matcher:
        """What judges candidates."""
        if self._matcher is not None:
            return self._matcher
        from menpai.matcher import Matcher  # noqa: PLC0415 (a pack and ONNX Runtime: only where verdicts are wanted)

        return Matcher.open(settings=self.settings)

    def _ranker(self, pack: str) -> Ranker:
        """The ranker of a pack, opened once."""
        if self._ranking is None or self._ranking[0] != pack:
            from menpai.packs import open_pack  # noqa: PLC0415 (as above)
            from menpai.scoring import Ranker  # noqa: PLC0415

            chosen = self.settings
            ranker = Ranker.open(
                open_pack(pack), engine=chosen.engine, threads=chosen.cores, device=chosen.device
            )
            self._ranking = pack, ranker
        return self._ranking[1]

    def get(self, id_: str) -> Record | None:
        """The row with this id, or None."""
        for shard in self.view.shards:
            row = shard.segment.find_id(id_)
            if row is not None and shard.is_alive(row):
                return shard.segment.record(row)
        return None

    def __contains__(self, id_: str) -> bool:
        return self.get(id_) is not None

    def __iter__(self) -> Iterator[Record]:
        """All rows, segment by segment in the order of their normalized addresses."""
        for shard in self.view.shards:
            for row in range(len(shard.segment)):
                if shard.is_alive(row):
                    yield shard.segment.record(row)

    def __len__(self) -> int:
        return len(self.view)

    def __enter__(self) -> Library:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the files; what was found before stays valid."""
        self._state = None

    def _changed(self, work: Callable[[], Report]) -> Report:
        self.report = report = work()
        self.refresh()
        return report


def take_in(
    rows: Rows,
    output: PathLike,
    mode: Mode,
    *,
    duplicates: Policy = "error",
    workers: int | None = None,
    wait: float = WAIT,
    progress: Told = lambda *_: None,
    on_problem: Callable[[Trouble], None] = lambda _: None,
    note: Callable[[Problem], None] = lambda _: None,
    **columns: Any,
) -> Report:
    """Take rows into the library of a folder.

    `duplicates` says what becomes of rows that share an id: error, first or last. `columns` are the fields of
    `tables.roles.Columns`: address, name, id, lat, lon, point, weight, crs, payload, reading. `on_problem` hears what is
    wrong with a row, `note` what had to be assumed, `progress` the stage, what is done and what there is.
    """
    if duplicates not in POLICIES:
        raise UsageError(
            "duplicates_unknown", value=duplicates, known=", ".join(POLICIES), **near(duplicates, POLICIES)
        )
    given = Columns(**columns)
    cores = available_cores() if workers is None else workers
    notes: list[Problem] = []

    def noted(found: Problem) -> None:
        notes.append(found)
        note(found)

    paths = _paths(rows)
    if paths is not None:
        order = Order(mode, duplicates, cores, wait, plan_of(paths, given), count_lines(paths))
        report = ingest(Path(output), read_sources(paths, given, noted), order, progress, on_problem)
    else:
        source = source_of(cast("Iterable[Mapping[str, Any]]", rows), given, noted)
        report = ingest(Path(output), [source], Order(mode, duplicates, cores, wait), progress, on_problem)
    report.notes = notes
    return report


def _paths(rows: Rows) -> list[str] | None:
    """The tables that are meant, or None for rows."""
    if isinstance(rows, str | os.PathLike):
        return [os.fspath(rows)]
    if isinstance(rows, Sequence) and all(isinstance(row, str | os.PathLike) for row in rows):
        return [os.fspath(row) for row in rows if isinstance(row, str | os.PathLike)]
    return None


def info_of(path: Path, manifest: Manifest) -> dict[str, Any]:
    """What `Library.info` and the command say of a library."""
    files = [(name, size) for entry in manifest.segments for name, (size, _) in entry.files.items()]
    sizes: dict[str, int] = {}
    for name, size in files:
        part = name.partition("/")[0] if "/" in name else "columns"
        sizes[part] = sizes.get(part, 0) + size
    return {
        "path": str(path),
        "rows": manifest.rows,
        "removed": sum(entry.dead_rows for entry in manifest.segments),
        "segments": len(manifest.segments),
        "generation": manifest.generation,
        "bytes": sum(sizes.values()),
        "sizes": sizes,
        "indexes": {name: version for entry in manifest.segments for name, version in entry.indexes.items()},
        **manifest.about,
    }
