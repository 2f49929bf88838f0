"""The libraries of the service: several, named, opened once, and stepped to their next version without a gap."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from starlette.applications import Starlette

from menpai.errors import MenpaiError, NotReadyError, UsageError, near
from menpai.search.manifest import NAME
from menpai.search.naming import named_libraries
from menpai.settings import Settings

if TYPE_CHECKING:
    from menpai.library import Library

DEMO = "demo"
# How often the manifests are looked at.
LOOK_SECONDS = 1.0
_RETRY_SECONDS = 1


class _Service(Protocol):
    """What starts and ends with the libraries."""

    failure: MenpaiError | None

    def lifespan(self, app: Starlette) -> contextlib.AbstractAsyncContextManager[None]: ...


class Libraries:
    """Libraries by name. Without any in the settings there is the demo library, made when it is first asked for."""

    def __init__(self, settings: Settings, tell: Callable[..., None] = lambda *_, **__: None) -> None:
        self._settings = settings
        self._tell = tell
        self._paths = named_libraries(settings.library)
        self._open: dict[str, Library] = {}
        self._seen: dict[str, tuple[int, int]] = {}
        self._refused: dict[str, str] = {}
        self._stop = threading.Event()
        self._demo: threading.Thread | None = None
        self._failure: MenpaiError | None = None
        self._starting = threading.Lock()

    @property
    def names(self) -> list[str]:
        """The names under which libraries can be asked, the first being the one that is meant without a name."""
        return list(self._paths) or [DEMO]

    def get(self, name: str = "") -> Library:
        """The library of this name, or the first. Raises UsageError for a name that is not known, and NotReadyError
        while the demo library is made."""
        wanted = name or self.names[0]
        if wanted not in self.names:
            raise UsageError(
                "library_unknown", name=wanted[:40], known=", ".join(self.names), **near(wanted, self.names)
            )
        found = self._open.get(wanted)
        if found is not None:
            return found
        if self._paths:
            raise NotReadyError("service_warming", retry_after=_RETRY_SECONDS)
        return self._get_demo()

    def open(self) -> None:
        """Open the libraries of the settings and watch them; raises what is wrong with one."""
        for name, path in self._paths.items():
            self._seen[name] = _stamp(Path(path))
            self._open[name] = _library(path, self._settings)
            self._tell("library_opened", library=name, rows=len(self._open[name]))
        if self._paths:
            threading.Thread(target=self._watch, name="menpai-libraries", daemon=True).start()

    def close(self) -> None:
        """Watch no more."""
        self._stop.set()
        if self._demo is not None:
            self._demo.join()

    @contextlib.asynccontextmanager
    async def around(self, service: _Service, app: Starlette) -> AsyncIterator[None]:
        """Open before the service starts, close after it has ended; a library that cannot be opened fails the start."""
        try:
            self.open()
        except MenpaiError as error:
            service.failure = error
            raise
        try:
            async with service.lifespan(app):
                yield
        finally:
            self.close()

    def status(self) -> dict[str, Any]:
        """Rows and version of each library that is open."""
        return {name: {"rows": len(each), "generation": each.generation} for name, each in self._open.items()}

    def look(self) -> list[str]:
        """Step to newer versions now; the names of the libraries that had one."""
        changed = []
        for name, path in self._paths.items():
            stamp = _stamp(Path(path))
            if stamp == self._seen.get(name) and name not in self._refused:
                continue
            self._seen[name] = stamp
            library = self._open[name]
            try:
                if library.refresh():
                    changed.append(name)
                    self._tell(
                        "library_reloaded", library=name, rows=len(library), generation=library.generation
                    )
                self._refused.pop(name, None)
            except Exception as error:  # the version that is open goes on answering
                self._refuse(name, error.render("en")[0] if isinstance(error, MenpaiError) else repr(error))
        return changed

    def _refuse(self, name: str, message: str) -> None:
        """Say once why a version is not taken; it is tried again, for its files may still be on their way."""
        if self._refused.get(name) != message:
            self._refused[name] = message
            self._tell("library_refused", library=name, message=message)

    def _watch(self) -> None:
        for library in self._open.values():
            _warm(library)
        while not self._stop.wait(LOOK_SECONDS):
            self.look()

    def _get_demo(self) -> Library:
        with self._starting:
            if self._failure:
                raise self._failure.with_traceback(None)
            if self._demo is None:
                self._demo = threading.Thread(target=self._make_demo, name="menpai-demo", daemon=True)
                self._demo.start()
        self._demo.join(0.5)  # it is usually there, and opened in less
        if DEMO in self._open:
            return self._open[DEMO]
        raise NotReadyError("service_warming", retry_after=_RETRY_SECONDS)

    def _make_demo(self) -> None:
        try:
            self._open[DEMO] = _library(None, self._settings)
        except MenpaiError as error:
            self._failure = error


def _library(path: str | None, settings: Settings) -> Library:
    """The library, whose code is first imported here: a service without any starts sooner."""
    from menpai.library import Library  # noqa: PLC0415

    return Library.open(path, settings=settings)


def _warm(library: Library) -> None:
    """Ask once in each way, so that the first caller does not wait for code, tables and patterns."""
    with contextlib.suppress(Exception):  # whoever asks will hear of it
        for typed in ("北京", "bj", "中官村 12-3"):
            library.suggest(typed, 1)
        library.search("北京市", 1, verdicts=False)


def _stamp(path: Path) -> tuple[int, int]:
    """What changes when the manifest is replaced."""
    try:
        found = (path / NAME).stat()
    except OSError:
        return 0, 0
    return found.st_ino, found.st_mtime_ns
