"""The files of deploy/ as values: YAML documents, and the Dockerfile's last stage."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

from menpai.settings import Settings

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
KUBERNETES = sorted(path for path in (DEPLOY / "kubernetes").glob("*.yaml") if path.stem != "kustomization")
SETTINGS = {f"MENPAI_{field.name.upper()}" for field in fields(Settings)}


def documents(path: Path) -> list[dict[str, Any]]:
    """The documents of a YAML file."""
    import yaml  # noqa: PLC0415 (of the second tier)

    return [document for document in yaml.safe_load_all(path.read_text("utf-8")) if document]


def resources(kind: str) -> dict[str, dict[str, Any]]:
    """The Kubernetes resources of a kind, by name."""
    found = [document for path in KUBERNETES for document in documents(path) if document["kind"] == kind]
    return {document["metadata"]["name"]: document for document in found}


def instructions() -> list[tuple[str, str]]:
    """Word and rest of each instruction in the Dockerfile's last stage."""
    text = re.sub(r"\\\n", " ", (DEPLOY / "Dockerfile").read_text("utf-8"))
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    last = max(at for at, line in enumerate(lines) if line.startswith("FROM "))
    return [(line.split(None, 1)[0], line.split(None, 1)[1]) for line in lines[last:]]


def instruction(word: str) -> str:
    """The rest of the last such instruction."""
    return [rest for name, rest in instructions() if name == word][-1]


def environment() -> dict[str, str]:
    """What ENV sets."""
    return dict(re.findall(r"(\w+)=(\S+)", instruction("ENV")))


def words(word: str) -> list[str]:
    """The words of an ENTRYPOINT, CMD or HEALTHCHECK in JSON form."""
    rest = instruction(word)
    listed: list[str] = json.loads(rest[rest.index("[") :])
    return listed
