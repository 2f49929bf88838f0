"""The doctor: what it finds out, what it reads of a service, and what it advises when something is wrong."""

from __future__ import annotations

import json
import threading
import tomllib
from collections.abc import Iterator
from dataclasses import fields, replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from menpai.cli import doctor_machine, doctor_service, doctor_stages
from menpai.cli.doctor_advice import advise, right_precision
from menpai.cli.doctor_found import Found
from menpai.cli.doctor_machine import EXTRAS, describe_extras, describe_machine
from menpai.cli.doctor_service import Service, quantile, read_samples
from menpai.cli.doctor_stages import Run, Stage
from menpai.cli.entry import main
from menpai.serving.metrics import Metrics
from menpai.settings import Settings

ROOT = Path(__file__).parents[2]
# What advice may be about beside settings and extras.
OUTSIDE = {"cpu.max", "ulimit -n", "log", "reload"}
WELL = {
    "url": "http://m", "seconds": None, "requests": 100.0, "outcomes": {"ok": 100.0}, "stages_ms": {}, "stage_share": {},
    "p99_ms": 1.0, "busy": 0.1, "cores_used": 0.1, "queue_ms": 0.0, "batch_items": 1.0, "padding": 0.0,
    "cache_hits": {}, "cache_failures": 0.0, "loop_lag_p99_ms": 1.0, "memory": 1e8, "gpu_utilisation": None,
    "gpu_memory": None, "reloads": 0.0,
}  # fmt: skip


@pytest.fixture(scope="module")
def report() -> Any:
    """One whole run, as JSON."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(doctor_stages, "PAIRS", 20)
        patch.setattr(doctor_stages, "SECONDS", 0.0)
        printed: list[str] = []
        patch.setattr(
            "menpai.cli.console.print", lambda *words, **_: printed.append(str(*words)), raising=False
        )
        assert main(["doctor", "--json", "--language", "en"]) == 0
    return json.loads("\n".join(printed))


def test_it_tells_what_a_pair_costs(report: Any) -> None:
    stages = report["stages"]["stages"]
    assert [stage["name"] for stage in stages] == ["normalize", "parse", "compare", "fast", "encoder"]
    assert sum(stage["share"] for stage in stages) == pytest.approx(1)
    assert all(stage["microseconds"] > 0 for stage in stages)
    assert report["stages"]["pairs_per_second"] > 0
    assert 0 < report["stages"]["decided_by_encoder"] < 1


def test_it_tells_machine_model_and_extras(report: Any) -> None:
    assert report["machine"]["cores"] >= 1
    assert report["machine"]["int8_exact"] in (True, False)
    assert report["model"]["pack"].startswith("menpai-mini@")
    assert "int8" in report["model"]["right_precision"] or "fp" in report["model"]["right_precision"]
    assert {extra["name"] for extra in report["extras"]} == set(EXTRAS)
    assert report["problems"] == []


def test_every_extra_is_known_to_the_doctor() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    of_developers = {"train", "test", "checks", "notebook", "frames", "dev"}
    assert set(extras) - of_developers == set(EXTRAS)


def test_a_missing_extra_is_seen_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(EXTRAS, "redis", ("no_such_package.inside", "缓存", "a cache"))
    extras = describe_extras()
    assert [extra.installed for extra in extras if extra.name == "redis"] == [False]
    told = advise(found(extras=extras, settings=Settings(redis_url="redis://r")))
    assert ("extra:redis", "pip install 'menpai[redis]'") in [(each.about, each.do) for each in told]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_it_prints_for_people(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--quick", "--language", language]) == 0
    printed = capsys.readouterr().out
    assert ("What to change" if language == "en" else "该改什么") in printed
    assert "menpai-mini@" in printed


def test_what_cannot_be_opened_or_read_is_told_and_the_rest_still(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["doctor", "--pack", "no-such-pack", "--url", "http://127.0.0.1:1", "--json", "--language", "en"]
    assert main(words) == 3
    told = json.loads(capsys.readouterr().out)
    assert [problem["code"] for problem in told["problems"]] == ["pack_not_found", "metrics_unreadable"]
    assert told["machine"]["cores"] >= 1


def test_the_control_group_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cpu.max").write_text("150000 100000\n")
    (tmp_path / "memory.max").write_text("268435456\n")
    monkeypatch.setattr(doctor_machine, "CGROUP", tmp_path)
    machine = describe_machine()
    assert (machine.quota, machine.memory_limit) == (1.5, 2**28)
    assert {"cpu.max", "cache_mb"} <= abouts(found(machine=machine))
    (tmp_path / "cpu.max").write_text("max 100000\n")
    (tmp_path / "memory.max").write_text("max\n")
    machine = describe_machine()
    assert (machine.quota, machine.memory_limit) == (None, None)


def found(**more: Any) -> Found:
    """A machine and service on which all is well, but for what is given."""
    machine = replace(
        describe_machine(), int8_exact=True, int8_fast=True, quota=None, memory_limit=None, open_files=65536,
        gpu_driver=False, gpus=(), cores=4,
    )  # fmt: skip
    stages = (Stage("parse", 100.0, 0.5), Stage("encoder", 100.0, 0.5))
    values: dict[str, Any] = {
        "settings": Settings(), "machine": machine, "extras": (), "precision": "int8",
        "run": Run(stages, 1000.0, 1.0, 0.5, 0.5), "service": Service(**WELL),  # type: ignore[arg-type]
    }  # fmt: skip
    return Found(**values | more)


def abouts(found: Found) -> set[str]:
    return {advice.about for advice in advise(found)}


def sick(**more: Any) -> Found:
    return found(service=Service(**WELL | more))  # type: ignore[arg-type]


CASES: list[tuple[Found, str]] = [
    (found(settings=Settings(threads=64)), "threads"),
    (found(settings=Settings(cascade=False)), "cascade"),
    (found(settings=Settings(cache=False)), "cache"),
    (found(settings=Settings(log_text=True)), "log_text"),
    (found(settings=Settings(insecure=True)), "insecure"),
    (found(precision="fp32"), "pack"),
    (found(machine=replace(found().machine, int8_exact=False)), "pack"),
    (found(machine=replace(found().machine, open_files=256)), "ulimit -n"),
    (found(machine=replace(found().machine, gpu_driver=True)), "device"),
    (found(run=Run((Stage("encoder", 9e4, 0.95), Stage("parse", 1e3, 0.05)), 10.0, 90.0, 90.0, 1.0)), "pack"),
    (sick(stage_share={"queue": 0.9, "infer": 0.1}, busy=0.95), "instances"),
    (sick(stage_share={"queue": 0.9, "infer": 0.1}, busy=0.2), "threads"),
    (sick(stage_share={"infer": 0.9}), "pack"),
    (sick(stage_share={"normalize": 0.9}), "readings"),
    (sick(stage_share={"cache": 0.9}), "cache_file"),
    (sick(stage_share={"cache": 0.9}, cache_hits={"redis": 0.1}), "redis_ms"),
    (sick(outcomes={"ok": 50.0, "shed": 50.0}), "queue_seconds"),
    (sick(outcomes={"ok": 50.0, "late": 50.0}), "timeout_ms"),
    (sick(outcomes={"ok": 50.0, "quota": 50.0}), "quota"),
    (sick(outcomes={"ok": 99.0, "failed": 1.0}), "log"),
    (sick(cache_failures=3.0), "redis_url"),
    (sick(loop_lag_p99_ms=200.0), "instance_kind"),
    (sick(padding=0.6), "pack"),
    (sick(reloads=9.0), "reload"),
    (sick(gpu_utilisation=0.1, queue_ms=500.0), "instances"),
]


@pytest.mark.parametrize(("case", "about"), CASES, ids=lambda value: value if isinstance(value, str) else "")
def test_each_trouble_has_its_advice(case: Found, about: str) -> None:
    told = advise(case)
    assert about in {advice.about for advice in told}
    known = {field.name for field in fields(Settings)} | OUTSIDE
    assert all(each.about in known or each.about.startswith("extra:") for each in told)
    assert all(each.why and each.do for each in told)


def test_where_all_is_well_nothing_is_advised() -> None:
    assert advise(found()) == []
    assert advise(found(service=None, run=None)) == []


def test_the_right_precision_depends_on_the_processor() -> None:
    machine = found().machine
    assert right_precision(machine).startswith("int8")
    assert right_precision(replace(machine, int8_fast=False)).startswith("int8 (exact, but")
    assert right_precision(replace(machine, int8_exact=False)).startswith("fp32")
    gpu = replace(machine, gpus=({"name": "H200"},), providers=("CUDAExecutionProvider",))
    assert right_precision(gpu).startswith("fp16")


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, Metrics, list[str]]]:
    """An address at which the metrics of a service can be read, the metrics, and the keys that were sent."""
    monkeypatch.setattr(doctor_service, "WATCHED_SECONDS", 0.01)
    metrics, sent = Metrics(), []

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            sent.append(self.headers.get("authorization", ""))
            self.send_response(200 if self.path == "/metrics" else 404)
            self.end_headers()
            self.wfile.write(metrics.page())

        def log_message(self, *_: Any) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Page) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", metrics, sent
        server.shutdown()


def test_a_service_is_read_and_its_slow_stage_named(
    service: tuple[str, Metrics, list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    url, metrics, sent = service
    for _ in range(99):
        metrics.request("/v1/match", 200, 0.09, {"normalize": 0.001, "queue": 0.08, "infer": 0.009})
    metrics.request("/v1/match", 503, 0.001, {})
    for _ in range(50):  # probes while it warmed
        metrics.request("/readyz", 503, 0.001, {})
    metrics.cached("memory", "hit", 30)
    metrics.cached("memory", "miss", 70)
    metrics.cut("empty", tokens=90, padding=10)
    metrics.batch(4, 0.1)
    metrics.workers(2)
    metrics.ready(True)
    words = ["doctor", "--quick", "--url", url, "--language", "en"]
    assert main([*words, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    figures = told["service"]
    assert figures["outcomes"] == {"ok": 99, "shed": 1}
    assert figures["limit"] == "queue"
    assert figures["stages_ms"]["queue"] == pytest.approx(80)
    assert figures["cache_hits"] == {"memory": 0.3}
    assert figures["padding"] == pytest.approx(0.1)
    assert figures["batch_items"] == 4
    assert 50 < figures["p99_ms"] <= 100
    assert "threads" in {advice["about"] for advice in told["advice"]}
    assert main(words) == 0
    assert "the stage that limits" in capsys.readouterr().out
    assert sent == [""] * 4


def test_the_key_is_sent_and_never_printed(
    service: tuple[str, Metrics, list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    url, metrics, sent = service
    metrics.ready(True)
    monkeypatch.setenv("MENPAI_API_KEY", "s3cret")
    assert main(["doctor", "--quick", "--url", f"{url}/metrics", "--json"]) == 0
    assert sent == ["Bearer s3cret"] * 2
    assert "s3cret" not in capsys.readouterr().out


def test_another_page_is_no_service(
    service: tuple[str, Metrics, list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    url, _, _ = service
    assert main(["doctor", "--quick", "--url", f"{url}/elsewhere", "--language", "en"]) == 3
    assert "404" in capsys.readouterr().err
    assert main(["doctor", "--quick", "--url", "nonsense", "--language", "en"]) == 3


def test_samples_are_read_with_their_labels() -> None:
    page = '# HELP a b\na_total{x="1",y="q\\"uo,te"} 2.5e3\nb 1\nc{le="+Inf"} 3\nbroken line here\n'
    assert read_samples(page) == {
        ("a_total", (("x", "1"), ("y", 'q\\"uo,te'))): 2500.0,
        ("b", ()): 1.0,
        ("c", (("le", "+Inf"),)): 3.0,
    }


@pytest.mark.parametrize(("share", "expected"), [(0.5, 1.0), (0.75, 1.5), (0.99, 2.0), (0.25, 0.5)])
def test_a_quantile_is_linear_in_its_bucket(share: float, expected: float) -> None:
    counts = {"1.0": 50.0, "2.0": 100.0 if share < 0.9 else 98.0, "+Inf": 100.0}
    samples = {("t_bucket", (("le", bound),)): count for bound, count in counts.items()}
    assert quantile(samples, "t", share) == pytest.approx(expected)
    assert quantile({}, "t", share) is None
