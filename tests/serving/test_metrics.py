"""The metrics add up: every request, every pair and every problem is counted once."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from prometheus_client.parser import text_string_to_metric_families

from menpai._version import __version__
from menpai.matcher import Matcher
from menpai.serving.metrics import Metrics, resident
from tests.serving.rig import A, B, Rig, running


def total(rig: Rig, name: str, **labels: str) -> float:
    page = rig.run(rig.client.get("/metrics")).text
    families = text_string_to_metric_families(page)
    samples = [sample for family in families for sample in family.samples if sample.name == name]
    return sum(sample.value for sample in samples if labels.items() <= sample.labels.items())


def test_outcomes_add_up(matcher: Matcher) -> None:
    with running(lambda: matcher) as rig:
        rig.ask("/v1/match", {"a": A, "b": B})
        rig.ask("/v1/match", {"pairs": [{"a": A, "b": B}, {"a": A, "b": A}, {"a": "", "b": B}]})
        rig.ask("/v1/match", {"query": A, "candidates": [A, ""]})
        rig.ask("/v1/normalize", {"texts": [A, ""]})
        rig.ask("/v1/match", b"{")
        rig.run(rig.client.get("/v1/secret/北京市朝阳区建国路8号"))
        assert total(rig, "menpai_requests_total") == 6
        assert total(rig, "menpai_pairs_total") == 4
        assert total(rig, "menpai_problems_total") == 3
        assert rig.metric('menpai_problems_total{code="address_empty"}') == 3
        assert rig.metric('menpai_pairs_total{decided_by="exact",label="exact_match"}') == 2
        doubtful = total(rig, "menpai_pairs_total", decided_by="encoder")  # they are cut a second time
        assert rig.metric("menpai_batch_items_sum") == 8 + doubtful
        assert rig.metric("menpai_queue_items") == 0
        assert rig.metric('menpai_requests_total{route="other",status="404"}') == 1
        assert "建国路" not in rig.run(rig.client.get("/metrics")).text


def test_what_runs_is_told(rig: Rig, matcher: Matcher) -> None:
    labels = f'behaviour="{matcher.behaviour}",pack="{matcher.pack_id}",version="{__version__}"'
    assert rig.metric(f"menpai_build_info{{{labels}}}") == 1
    assert rig.metric("menpai_ready") == 1
    assert rig.metric("process_resident_memory_bytes") > 1e6
    assert rig.metric("menpai_memory_bytes") == pytest.approx(
        rig.metric("process_resident_memory_bytes"), rel=0.1
    )


def test_two_applications_do_not_mix(matcher: Matcher, rig: Rig) -> None:
    before = total(rig, "menpai_pairs_total")
    with running(lambda: matcher) as other:
        other.ask("/v1/match", {"a": A, "b": B})
        assert total(other, "menpai_pairs_total") == 1
    assert total(rig, "menpai_pairs_total") == before


def test_the_memory_of_instances_is_counted_and_one_that_has_ended_is_none() -> None:
    metrics = Metrics()
    waits = [sys.executable, "-c", "print(flush=True); input()"]
    with subprocess.Popen(waits, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()  # it is up, and has its memory
        alone = resident([os.getpid()])
        metrics.watch_instances(lambda: [other.pid])
        assert resident([os.getpid(), other.pid]) > alone + 1e6
        assert "menpai_memory_bytes" in metrics.page().decode()
    assert resident([other.pid]) == 0
