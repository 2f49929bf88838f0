"""Listening and stopping: the socket, Uvicorn, and what a signal means."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import logging
import signal
import socket
import sys
import time
from collections.abc import Callable
from types import FrameType

import uvicorn
from prometheus_client import disable_created_metrics

from menpai.errors import MenpaiError, NotReadyError, UsageError
from menpai.serving.app import create_app
from menpai.serving.descriptors import raise_limit
from menpai.serving.guard import is_loopback
from menpai.serving.heaps import share_heaps
from menpai.serving.lifecycle import OpenMatcher, Service
from menpai.serving.logs import Background, Log
from menpai.serving.metrics_port import MetricsServer
from menpai.serving.outside import check_outside
from menpai.serving.protocol import GuardedProtocol
from menpai.serving.tls import Certificate
from menpai.settings import Settings

BACKLOG = 2048
ACCEPTS = 16  # connections that are taken in one turn of the loop
LAST_PORT = 65535
KEEP_ALIVE_SECONDS = (
    75  # longer than load balancers keep a connection, or they send into one that is being closed
)
# Cycles are looked for often among the newest objects and seldom among the old ones: nothing else runs meanwhile.
COLLECT = (1_000, 5, 2_000)
TICKS_A_SECOND = 10  # calls of on_tick
TICK_SECONDS = 1 / TICKS_A_SECOND
TELL_SECONDS = 0.5  # in which the next request on an open connection is still answered: 503, and closed
LAST_WORDS_SECONDS = 1  # for answers already written when the drain ends
TOLD = "Invalid HTTP request received."  # by Uvicorn; each has a line of its own as a request


def serve(settings: Settings, again: Callable[[], Settings] | None = None) -> int:
    """Serve until a signal says stop; the exit code. Raises MenpaiError when it cannot listen or load.

    On SIGHUP the pack is loaded anew, by the settings that `again` reads.
    """
    check_host(settings)
    check_outside(settings)
    raise_limit()
    share_heaps()
    gc.set_threshold(*COLLECT)
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(bind(settings.host, settings.port))
        lines = stack.enter_context(contextlib.closing(Background(sys.stdout)))
        log = Log(with_text=settings.log_text, stream=lines, salt=settings.log_salt)
        server = make_server(settings, log, again)
        if settings.metrics_port:
            beside = bind(settings.metrics_host, settings.metrics_port, "--metrics-port")
            server.beside = stack.enter_context(beside)
        disable_created_metrics()  # type: ignore[no-untyped-call]
        _hear_uvicorn(log)
        try:
            server.run(sockets=[listener])
        except SystemExit:  # Uvicorn's word for a start that failed; the service knows why
            if not server.service.failure:
                raise
        if server.service.failure:
            raise server.service.failure
        log.event("stopped")
    return 0


def make_server(
    settings: Settings,
    log: Log,
    again: Callable[[], Settings] | None = None,
    open_matcher: OpenMatcher | None = None,
) -> Server:
    """The server of an application by these settings; raises UsageError for keys or certificates that cannot be read."""
    certificate = Certificate(settings) if settings.tls_cert else None
    app = create_app(settings, open_matcher, log)
    config = uvicorn.Config(
        app,
        http=GuardedProtocol,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        backlog=BACKLOG,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=LAST_WORDS_SECONDS,
    )
    config.load()
    config.ssl = certificate.context if certificate else None
    return Server(config, app.state.service, again, certificate)


def check_host(settings: Settings) -> None:
    """Refuse to open the service to other machines by accident."""
    if not (is_loopback(settings.host) or settings.api_key or settings.key_file or settings.insecure):
        raise UsageError("host_insecure", host=settings.host)


def bind(host: str, port: int, flag: str = "--port") -> socket.socket:
    """A bound socket; port 0 takes a free one. `flag` is where another could be chosen."""
    if not 0 <= port <= LAST_PORT:  # getaddrinfo would take it modulo 65536
        raise UsageError(
            "setting_invalid", name="port", value=port, expected=f"0 to {LAST_PORT}", source="--port"
        )
    try:
        family, _, _, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, socket.SOCK_STREAM)
    except (OSError, UnicodeError, OverflowError) as error:
        raise UsageError("host_unavailable", host=host, port=port, reason=_reason(error)) from None
    try:
        if sys.platform != "win32":  # there it would let two programs share the port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)  # now, so that a second server on the port fails here and not later
    except (OSError, OverflowError) as error:
        listener.close()
        if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
            raise NotReadyError("port_in_use", host=host, port=port, flag=flag) from None
        raise UsageError("host_unavailable", host=host, port=port, reason=_reason(error)) from None
    return listener


class Server(uvicorn.Server):
    """Uvicorn, but a signal first ends the taking of work, then waits for what was accepted."""

    def __init__(
        self,
        config: uvicorn.Config,
        service: Service,
        again: Callable[[], Settings] | None = None,
        certificate: Certificate | None = None,
    ) -> None:
        super().__init__(config)
        self.beside: socket.socket | None = None  # listens for scrapers
        self._certificate = certificate
        self._metrics_server = MetricsServer(service)
        self._scraped: asyncio.Task[None] | None = None
        self._ticked = 0.0
        self.service = service
        self._again = again or (lambda: service.settings)
        self._terminal = sys.stdout.isatty()
        self._reloads: set[asyncio.Task[None]] = set()
        self._drain_from = self._drain_until = 0.0
        service.on_failure = self._stop

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and say where; from here on a signal drains."""
        more = _doubles(sockets or [])
        try:
            await super().startup(sockets and [*sockets, *more])
        finally:
            for each in more if not self.started else ():
                each.close()
        if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
            with contextlib.suppress(NotImplementedError, ValueError, RuntimeError):  # not the main thread
                asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, self._hang_up)
        scheme = "https" if self.config.ssl else "http"
        for listener in (sockets or ()) if self.started else ():
            self.service.log.event("listening", url=_url(listener, scheme))
        if self.beside and self.started:
            self._scraped = asyncio.create_task(self._metrics_server.serve([self.beside]))
            self.service.log.event("listening", url=_url(self.beside), only="metrics")
        self.service.metrics.watch_connections(lambda: len(self.server_state.connections))

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """A signal drains, a second Ctrl-C stops at once; none is raised again after the end."""
        if self._drain_until:
            self.force_exit = self.should_exit = self.should_exit or sig == signal.SIGINT
            return
        self.service.drain()
        self._drain_from = time.monotonic()
        self._drain_until = self._drain_from + self.service.settings.drain_seconds

    def _hang_up(self) -> None:
        """SIGHUP: reload; but if it was our terminal that closed, stop."""
        if self._terminal and not sys.stdout.isatty():
            self.handle_exit(signal.SIGHUP, None)
            return
        task = asyncio.get_running_loop().create_task(self._reload())
        self._reloads.add(task)
        task.add_done_callback(self._reloads.discard)

    async def _reload(self) -> None:
        try:
            await self.service.reload(self._again())
        except MenpaiError as error:
            self.service.log.event("reload_failed", code=error.code, message=error.render("en")[0])

    async def on_tick(self, counter: int) -> bool:
        """Called ten times a second: whether to stop listening; and how late the loop is."""
        now, due = time.monotonic(), self._ticked + TICK_SECONDS
        if self._ticked:
            self.service.lag = max(0.0, now - due)
            self.service.metrics.loop_lag(self.service.lag)
        if counter % TICKS_A_SECOND == 0:
            self._check_readers(now)
        self._look_at_certificate()
        if self._drain_until and self._drained(time.monotonic()):
            self._stop()
        stop = await super().on_tick(counter)
        self._ticked = time.monotonic()
        return stop

    def _look_at_certificate(self) -> None:
        try:
            if self._certificate and self._certificate.refresh():
                self.service.log.event("certificate_reloaded")
        except UsageError as error:
            self.service.metrics.event("certificate_refused")
            self.service.log.event("certificate_refused", message=error.render("en")[0])

    def _check_readers(self, now: float) -> None:
        for connection in list(self.server_state.connections):
            if isinstance(connection, GuardedProtocol) and connection.check_reader(now):
                self.service.metrics.event("slow_reader_cut")

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Scrapers may look until the end."""
        await super().shutdown(sockets)
        if self._scraped:
            self._metrics_server.should_exit = True
            await self._scraped

    def _drained(self, now: float) -> bool:
        """Whether all is answered, and those who are connected have had a moment to hear that nothing more is taken."""
        if now >= self._drain_until:
            return True
        told = not self.server_state.connections or now >= self._drain_from + TELL_SECONDS
        return told and not self.server_state.tasks

    def _stop(self) -> None:
        self.should_exit = True


def _doubles(listeners: list[socket.socket]) -> list[socket.socket]:
    """The same sockets again, for uvloop: it takes one connection from each in a turn (libuv/libuv#3696), and turns are long
    while other threads hold Python's lock. New callers waited ten seconds for the door."""
    times = ACCEPTS if type(asyncio.get_running_loop()).__module__.startswith("uvloop") else 1
    return [each.dup() for each in listeners for _ in range(times - 1)]


class _Relay(logging.Handler):
    """Uvicorn's warnings as lines of our log; without tracebacks, which may quote a text."""

    def __init__(self, log: Log) -> None:
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        """One line, but for what is told otherwise."""
        message = record.getMessage().partition("\n")[0]
        if message != TOLD:
            self._log.event("warning", source=record.name, message=message)


def _hear_uvicorn(log: Log) -> None:
    logger = logging.getLogger("uvicorn")
    logger.handlers = [_Relay(log)]
    logger.propagate = False


def _url(listener: socket.socket, scheme: str = "http") -> str:
    host, port = listener.getsockname()[:2]
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"


def _reason(error: BaseException) -> str:
    return getattr(error, "strerror", None) or str(error)
