"""Work in threads, answered in its order. NumPy lets go of the interpreter while it sorts and gathers."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

Task = TypeVar("Task")
Answer = TypeVar("Answer")


def ordered(work: Callable[[Task], Answer], tasks: Iterable[Task], threads: int) -> Iterator[Answer]:
    """The answer to each task in order, of which no more than two a thread are under way."""
    if threads <= 1:
        yield from map(work, tasks)
        return
    source, waiting = iter(tasks), deque[Future[Answer]]()
    with ThreadPoolExecutor(threads, "menpai-join") as pool:
        try:
            waiting.extend(pool.submit(work, task) for task in islice(source, 2 * threads))
            while waiting:
                answer = waiting.popleft().result()
                waiting.extend(pool.submit(work, task) for task in islice(source, 1))
                yield answer
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
