"""Instances as processes: each opens the pack itself and gets whole batches over a pipe.

One that dies is started again, and its batch is given to another one once; one that does not answer is killed. The
listening process keeps queue, caches and metrics, so nothing that was accepted dies with an instance.
"""

from __future__ import annotations

import contextlib
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any, Protocol

from menpai.errors import BrokenArtefactError, NotReadyError
from menpai.serving.frames import InstanceDiedError, Reply, answers_of, read_reply, receive, send, write
from menpai.settings import Settings

Tell = Callable[..., None]
TRIES = 2
PATIENCE_SECONDS = 60.0  # for a batch; then the instance is taken for stuck
FREE_SECONDS = 30.0  # for an instance to be free while others start again
LOOK_SECONDS = 0.5
LONGEST_PAUSE = 30.0
RETRY_SECONDS = 2


class Instance:
    """One process; used by one thread at a time."""

    def __init__(self, settings: bytes) -> None:
        self.since: float | None = None  # when the batch in its hands was given
        self.ready = False
        self._process = subprocess.Popen(
            [sys.executable, "-m", "menpai.serving.instance"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.pid = self._process.pid
        with contextlib.suppress(OSError):  # it died at once: the next reading says so
            send(self._stdin, settings)

    @property
    def alive(self) -> bool:
        """Whether it takes batches."""
        return self.ready and self._process.poll() is None

    def hear(self) -> Reply:
        """Its next reply; raises InstanceDiedError."""
        return read_reply(receive(self._stdout))

    def ask(self, body: bytes) -> Reply:
        """Its reply to a batch; raises InstanceDiedError."""
        self.since = monotonic()
        try:
            send(self._stdin, body)
            return self.hear()
        except OSError:
            raise InstanceDiedError from None
        finally:
            self.since = None

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()

    def close(self) -> None:
        """End it: its pipe closes, and it has a moment to see that."""
        with contextlib.suppress(OSError):
            self._stdin.close()
        try:
            self._process.wait(2)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._stdout.close()

    @property
    def _stdin(self) -> Any:
        return self._process.stdin

    @property
    def _stdout(self) -> Any:
        return self._process.stdout


class Judge(Protocol):
    """The matcher of this process: it says what the instances must agree with, and judges what cannot travel."""

    settings: Settings

    @property
    def behaviour(self) -> str:
        """Digest of all that can move a verdict."""

    def match_many(self, pairs: Sequence[Any]) -> Sequence[Any]:
        """A verdict or a problem for each pair."""


class Processes:
    """`count` instances behind one queue; `match_many` waits for one that is free. Batches are judged there whole."""

    runs = 0

    def __init__(self, matcher: Judge, count: int, tell: Tell) -> None:
        self.count = self.readers = count
        self._matcher = matcher
        self._tell = tell
        self._settings = write(matcher.settings.replace(threads=1, instances=1, instance_kind="threads"))
        self._free: queue.LifoQueue[Instance] = queue.LifoQueue()
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._all = [Instance(self._settings) for _ in range(count)]
        try:
            for instance in self._all:
                self._welcome(instance)
        except Exception:
            self.close()
            raise
        threading.Thread(target=self._watch, daemon=True).start()

    @property
    def alive(self) -> int:
        """How many take batches; those that start again do not."""
        return sum(each.alive for each in self._all)

    @property
    def pids(self) -> list[int]:
        """The processes, as they are now."""
        return [each.pid for each in self._all]

    def match_many(self, pairs: Sequence[Any]) -> Sequence[Any]:
        """By an instance that is free; by another one if that dies. Raises what the matcher raised there."""
        try:
            body = write(pairs)
        except (UnicodeEncodeError, OverflowError, TypeError):  # a lone surrogate, a huge number
            return self._matcher.match_many(pairs)
        for _ in range(TRIES):
            instance = self._take()
            try:
                reply = instance.ask(body)
            except InstanceDiedError:
                self._tell("batch_retried", pid=instance.pid, items=len(pairs))
                self._replace(instance)
                continue
            self._free.put(instance)
            if reply.trouble:
                raise reply.trouble.to_error()
            return answers_of(reply.rows)
        raise NotReadyError("instance_died", retry_after=RETRY_SECONDS)

    def begin(self, pairs: Sequence[Any]) -> Sequence[Any]:
        """The whole answers."""
        return self.match_many(pairs)

    def finish(self, doubts: Sequence[Any]) -> Sequence[Any]:
        """Nothing was left open."""
        return doubts

    def close(self) -> None:
        """End them all."""
        self._closed.set()
        for instance in self._all:
            instance.close()

    def _take(self) -> Instance:
        until = monotonic() + FREE_SECONDS
        while True:
            try:
                instance = self._free.get(timeout=max(0.0, until - monotonic()))
            except queue.Empty:
                raise NotReadyError("instance_died", retry_after=RETRY_SECONDS) from None
            if instance in self._all and instance.alive:
                return instance
            self._replace(instance)

    def _welcome(self, instance: Instance) -> None:
        """Hear that it is ready, and let it take batches; raises what kept it from that: it would not open the pack,
        or the folder holds another one by now."""
        try:
            reply = instance.hear()
        except InstanceDiedError:
            raise NotReadyError("instance_died", retry_after=RETRY_SECONDS) from None
        if reply.trouble:
            raise reply.trouble.to_error()
        if reply.behaviour != self._matcher.behaviour:
            raise BrokenArtefactError("pack_swapped", pack=self._matcher.settings.pack)
        instance.ready = True
        self._free.put(instance)

    def _watch(self) -> None:
        """Start again those that died while nobody asked them, and kill those that are stuck."""
        while not self._closed.wait(LOOK_SECONDS):
            for instance in list(self._all):
                since = instance.since
                if since is not None and monotonic() - since > PATIENCE_SECONDS:
                    self._tell("instance_stuck", pid=instance.pid)
                    instance.kill()
                elif since is None and instance.ready and not instance.alive:
                    self._replace(instance)

    def _replace(self, instance: Instance) -> None:
        """In a thread of its own: a new one in the place of one that died; once for each."""
        with self._lock:
            if self._closed.is_set() or instance not in self._all:
                return
            at = self._all.index(instance)
            new = self._all[at] = Instance(self._settings)
        self._tell("worker_restarted", died=instance.pid, pid=new.pid)
        threading.Thread(target=self._restart, args=(instance, new), daemon=True).start()

    def _restart(self, old: Instance, new: Instance) -> None:
        """Bury the old one and wait for the new one; after a start that fails comes a pause, twice as long each time."""
        old.close()
        pause = 1.0
        while True:
            try:
                self._welcome(new)
                return
            except Exception as error:
                self._tell("instance_failed", pid=new.pid, reason=type(error).__name__)
            if self._closed.wait(pause):
                return
            pause = min(2 * pause, LONGEST_PAUSE)
            new.close()
            with self._lock:
                if self._closed.is_set():
                    return
                at = self._all.index(new)
                new = self._all[at] = Instance(self._settings)
