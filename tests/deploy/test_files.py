"""The files of deploy/: valid by the schemas of their tools, and true about menpai."""

from __future__ import annotations

import contextlib
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from menpai.serving.metrics import Metrics
from menpai.serving.table import OPERATIONS
from tests.deploy.files import (
    DEPLOY,
    KUBERNETES,
    ROOT,
    SETTINGS,
    documents,
    environment,
    instruction,
    resources,
)

pytestmark = pytest.mark.slow
CALLED = re.compile(r"MENPAI_(?!PUBLISH\b)[A-Z_]+")


def compose() -> dict[str, Any]:
    (document,) = documents(DEPLOY / "compose.yaml")
    return document


def test_hadolint_finds_nothing() -> None:
    done = subprocess.run(["hadolint", str(DEPLOY / "Dockerfile")], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")


def test_the_image_copies_what_there_is_and_runs_as_nobody_special() -> None:
    text = (DEPLOY / "Dockerfile").read_text("utf-8")
    ignored = (DEPLOY / "Dockerfile.dockerignore").read_text("utf-8").split()
    for line in re.findall(r"^COPY (?!--from)(.+)$", text, re.MULTILINE):
        *sources, _ = line.split()
        assert all((ROOT / source).exists() and f"!{source}" in ignored for source in sources)
    user, _, group = instruction("USER").partition(":")
    assert int(user) == int(group) == 10001
    assert {name for name in environment() if name.startswith("MENPAI_")} <= SETTINGS


def filled() -> str:
    """compose.yaml with its variables filled: by their defaults, or "x" where one is asked for."""
    text = re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", (DEPLOY / "compose.yaml").read_text("utf-8"))
    return re.sub(r"\$\{\w+:\?[^}]*\}", "x", text)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("", ""),
        ("cap_drop", "cap_dorp"),
        ("networks: [inside]", "networks: [outside]"),
        ("interval: 5s", "interval: soon"),
    ],
)
def test_compose_follows_its_specification(right: str, wrong: str) -> None:
    from compose_spec import PyCompose  # noqa: PLC0415 (of the second tier)

    with contextlib.ExitStack() as stack:
        if wrong:  # and the validator would tell if it did not
            stack.enter_context(pytest.raises(ValueError, match=wrong.split()[-1].strip("[]")))
        PyCompose.from_yaml(filled().replace(right, wrong, 1)).validate()


def test_compose_is_published_on_this_machine_only() -> None:
    services = compose()["services"]
    published = [port for service in services.values() for port in service.get("ports", ())]
    assert len(published) == 2
    assert all(re.fullmatch(r"\$\{\w+:-127\.0\.0\.1:\d+\}:\d+", port) for port in published)
    assert compose()["networks"]["inside"] == {"internal": True}
    for name, service in services.items():
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service["restart"] == "unless-stopped", name
        for volume in service.get("volumes", ()):
            source, target, *mode = volume.split(":")
            assert source in compose()["volumes"] or (
                (DEPLOY / source).exists() and mode == ["ro"] and target
            )


def test_compose_sets_settings_and_asks_for_secrets() -> None:
    service = compose()["services"]["menpai"]
    assert set(service["environment"]) <= SETTINGS
    text = (DEPLOY / "compose.yaml").read_text("utf-8")
    asked = set(re.findall(r"\$\{(\w+):\?", text))
    assert asked == {"MENPAI_API_KEY", "MENPAI_CACHE_SECRET", "GRAFANA_PASSWORD"}
    example = dict(re.findall(r"^(\w+)=(.*)$", (DEPLOY / "example.env").read_text("utf-8"), re.MULTILINE))
    assert all(example[name] == "" for name in asked)
    assert set(re.findall(r"\$\{(\w+)", text)) <= {*example, "MENPAI_TRUSTED_PROXIES"}
    grace = int(service["stop_grace_period"].removesuffix("s"))
    assert grace >= 5 + 10  # the default of drain_seconds, and time to spare


def test_prometheus_accepts_its_file_and_finds_the_rules(tmp_path: Path) -> None:
    text = (DEPLOY / "prometheus" / "prometheus.yml").read_text("utf-8")
    moved = tmp_path / "prometheus.yml"
    moved.write_text(text.replace("/etc/prometheus/", f"{DEPLOY}/prometheus/"), "utf-8")
    done = subprocess.run(["promtool", "check", "config", str(moved)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "rules found" in done.stdout
    port = documents(DEPLOY / "prometheus" / "prometheus.yml")[0]["scrape_configs"][0]["dns_sd_configs"][0][
        "port"
    ]
    assert str(port) == environment()["MENPAI_METRICS_PORT"]


@pytest.mark.parametrize("path", KUBERNETES, ids=lambda path: path.stem)
def test_kubernetes_accepts_each_manifest_strictly(path: Path) -> None:
    import kubernetes_validate  # noqa: PLC0415 (of the second tier)

    for document in documents(path):
        kubernetes_validate.validate(document, desired_version="1.30", strict=True)


def test_kustomize_lists_every_manifest() -> None:
    (document,) = documents(DEPLOY / "kubernetes" / "kustomization.yaml")
    assert set(document["resources"]) == {path.name for path in KUBERNETES}


@pytest.mark.parametrize("name", ["menpai", "redis"])
def test_pods_have_no_rights_limits_and_probes(name: str) -> None:
    spec = resources("Deployment")[name]["spec"]["template"]["spec"]
    (container,) = spec["containers"]
    assert spec["securityContext"]["runAsNonRoot"] is True
    assert spec["automountServiceAccountToken"] is False
    assert spec["enableServiceLinks"] is False  # a Service named menpai would set MENPAI_PORT=tcp://…
    assert container["securityContext"]["readOnlyRootFilesystem"] is True
    assert container["securityContext"]["allowPrivilegeEscalation"] is False
    assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
    assert {"requests", "limits"} == set(container["resources"])
    assert {"readinessProbe", "livenessProbe"} <= set(container)


def test_the_pod_is_the_image_and_drains_within_its_grace() -> None:
    spec = resources("Deployment")["menpai"]["spec"]["template"]["spec"]
    (container,) = spec["containers"]
    variables = {each["name"]: each.get("value") for each in container["env"]}
    assert set(variables) <= SETTINGS
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    assert str(ports["http"]) == environment()["MENPAI_PORT"]
    assert str(ports["metrics"]) == environment()["MENPAI_METRICS_PORT"]
    assert f"{spec['securityContext']['runAsUser']}:{spec['securityContext']['runAsGroup']}" == instruction(
        "USER"
    )
    folder = container["volumeMounts"][0]["mountPath"]
    assert environment()["MENPAI_CACHE_FILE"].startswith(folder + "/")
    command, seconds = container["lifecycle"]["preStop"]["exec"]["command"]
    assert command == "sleep"
    assert (
        spec["terminationGracePeriodSeconds"] >= int(seconds) + float(variables["MENPAI_DRAIN_SECONDS"]) + 5
    )
    probed = {
        container[probe]["httpGet"]["path"] for probe in ("startupProbe", "readinessProbe", "livenessProbe")
    }
    assert probed == {"/readyz", "/livez"} <= {operation.path for operation in OPERATIONS}


def test_selectors_find_their_pods() -> None:
    pods = [each["spec"]["template"]["metadata"]["labels"] for each in resources("Deployment").values()]
    selectors = [each["spec"]["selector"] for each in resources("Service").values()]
    selectors += [each["spec"]["selector"]["matchLabels"] for each in resources("Deployment").values()]
    selectors += [
        each["spec"]["selector"]["matchLabels"] for each in resources("PodDisruptionBudget").values()
    ]
    selectors += [each["spec"]["podSelector"]["matchLabels"] for each in resources("NetworkPolicy").values()]
    for selector in selectors:
        assert sum(selector.items() <= labels.items() for labels in pods) == 1
    scaled = resources("HorizontalPodAutoscaler")["menpai"]["spec"]["scaleTargetRef"]["name"]
    assert scaled in resources("Deployment")


def test_it_scales_by_a_metric_that_there_is() -> None:
    (metric,) = resources("HorizontalPodAutoscaler")["menpai"]["spec"]["metrics"]
    name = metric["pods"]["metric"]["name"]
    assert name in {family.name for family in Metrics().registry.collect()}
    for language in ("en", "zh"):
        assert name in (ROOT / "docs" / language / "deploy.md").read_text("utf-8")


def test_the_cache_takes_calls_from_the_service_only() -> None:
    policies = resources("NetworkPolicy")
    (rule,) = policies["redis"]["spec"]["ingress"]
    labels = resources("Deployment")["menpai"]["spec"]["template"]["metadata"]["labels"]
    assert rule["from"] == [{"podSelector": {"matchLabels": labels}}]
    assert policies["redis"]["spec"]["egress"] == []
    assert all("to" in rule for rule in policies["menpai"]["spec"]["egress"])


@pytest.mark.parametrize(
    "path", [path for path in sorted(DEPLOY.rglob("*")) if path.is_file()], ids=lambda path: path.name
)
def test_every_setting_that_is_named_is_one(path: Path) -> None:
    assert set(CALLED.findall(path.read_text("utf-8"))) <= SETTINGS
