"""Instances: what travels to a process and back is the same, who is free takes the next batch, the dead are replaced."""

from __future__ import annotations

import io
import os
import signal
import threading
import time
from typing import Any

import pytest

from menpai.errors import BrokenArtefactError, NotReadyError, Problem, UsageError
from menpai.matcher import Matcher
from menpai.serving import frames
from menpai.serving.drift import written
from menpai.serving.instances import Streams, Threads, instances_of, open_instances
from menpai.serving.processes import Processes
from menpai.settings import Settings

PAIRS = written((8 + n, 9 + n % 7) for n in range(12))
UNJUDGED: list[Any] = [("文三路1号", ""), ("文三路1号", 7), ("a\ud800", "b"), ("文三路1号", "13800138000")]


def test_answers_travel_to_the_last_bit(matcher: Matcher) -> None:
    answers = matcher.match_many([*PAIRS, *UNJUDGED])
    assert {type(answer).__name__ for answer in answers} == {"Verdict", "Problem"}
    reply = frames.read_reply(frames.write(frames.Reply(frames.rows_of(answers))))
    again = frames.answers_of(reply.rows)
    assert again == answers
    assert [getattr(x, "scored", None) for x in again] == [getattr(x, "scored", None) for x in answers]


@pytest.mark.parametrize("kind", [UsageError, NotReadyError, BrokenArtefactError])
def test_errors_travel_with_code_and_family(kind: type[Exception]) -> None:
    sent = kind("pack_not_found", pack="mine", known="-")  # type: ignore[call-arg]
    reply = frames.read_reply(frames.write(frames.Reply([], frames.trouble_of(sent))))
    assert reply.trouble is not None
    error = reply.trouble.to_error()
    assert (type(error), str(error)) == (kind, str(sent))


def test_other_errors_travel_as_what_they_say() -> None:
    assert str(frames.trouble_of(ValueError("no")).to_error()) == "ValueError: no"


@pytest.mark.parametrize("cut", [0, 3, 4, 7])
def test_half_a_frame_is_a_death(cut: int) -> None:
    pipe = io.BytesIO()
    frames.send(pipe, b"body")
    with pytest.raises(frames.InstanceDiedError):
        frames.receive(io.BytesIO(pipe.getvalue()[:cut]))
    assert frames.receive(io.BytesIO(pipe.getvalue())) == b"body"


def test_a_stream_judges_one_batch_at_a_time(matcher: Matcher) -> None:
    inside, most, lock = 0, 0, threading.Lock()

    class Counting:
        def begin(self, pairs: Any) -> Any:
            return matcher.begin(pairs)

        def match_many(self, pairs: Any) -> Any:
            nonlocal inside, most
            with lock:
                inside += 1
                most = max(most, inside)
            time.sleep(0.01)
            with lock:
                inside -= 1
            return pairs

    streams = Streams([Counting(), Counting()])  # type: ignore[list-item]
    threads = [threading.Thread(target=streams.match_many, args=([],)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (streams.count, most) == (2, 2)


def test_instances_follow_the_settings(matcher: Matcher) -> None:
    assert instances_of(Settings(threads=3), matcher) == matcher.lanes == 1
    assert instances_of(Settings(threads=3, instances=5), matcher) == 5
    assert instances_of(Settings(threads=3, instance_kind="processes"), matcher) == 3
    opened = open_instances(matcher, lambda: matcher, print)
    assert isinstance(opened, Threads)
    assert opened.match_many(PAIRS) == matcher.match_many(PAIRS)


@pytest.mark.slow
def test_processes_judge_the_same_and_are_replaced_when_they_die(matcher: Matcher) -> None:
    told: list[str] = []
    instances = Processes(matcher, 1, lambda event, **_: told.append(event))
    try:
        right = matcher.match_many([*PAIRS, *UNJUDGED])
        assert list(instances.match_many([*PAIRS, *UNJUDGED])) == right
        os.kill(instances.pids[0], signal.SIGKILL)
        assert instances.match_many(PAIRS) == right[: len(PAIRS)]  # it waits for the new one
        assert (told.count("worker_restarted"), instances.alive) == (1, 1)
        with pytest.raises(RuntimeError, match="ValidationError"):
            instances.match_many([None])
        assert isinstance(instances.match_many([("a",)])[0], Problem)
    finally:
        instances.close()
    assert instances.alive == 0


@pytest.mark.slow
def test_an_instance_that_would_judge_otherwise_is_not_taken(matcher: Matcher) -> None:
    class Other:
        settings = matcher.settings
        behaviour = "other"

        def match_many(self, pairs: Any) -> Any:
            return matcher.match_many(pairs)

    with pytest.raises(BrokenArtefactError, match="has changed"):
        Processes(Other(), 1, lambda *_, **__: None)
