"""Secrets and ports of pods: what is secret comes from Secrets alone, and pods listen where settings say."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kit.manifests import (
    K8S,
    OVERLAYS,
    ROOT,
    SERVICES,
    Manifest,
    combined,
    containers,
    environment,
    of_kind,
    render,
    workloads,
)

_SECRET_NAME = re.compile(r"PASSWORD|DATABASE_URL|TOKEN(?!_FILE)|SECRET|PRIVATE")
_SECRET_VALUE = re.compile(r"://[^/\s]*:[^/\s]*@|BEGIN [A-Z ]*PRIVATE KEY")


@pytest.fixture(scope="module", params=OVERLAYS)
def objects(request: pytest.FixtureRequest) -> list[Manifest]:
    """What each overlay applies, in turn."""
    return render(K8S / "overlays" / request.param)


def test_configuration_holds_no_secret(objects: list[Manifest]) -> None:
    for name, config in of_kind(objects, "ConfigMap").items():
        for key, text in config["data"].items():
            assert not _SECRET_NAME.search(key), (name, key)
            assert not _SECRET_VALUE.search(text), (name, key)


def test_what_is_secret_is_referred_to(objects: list[Manifest]) -> None:
    for name, container in containers(objects):
        for variable in container.get("env", []):
            value = variable.get("value") or ""
            # A file has no password.
            if _SECRET_NAME.search(variable["name"]) and not value.startswith("sqlite"):
                assert "secretKeyRef" in variable["valueFrom"], (name, variable["name"])
                assert not value
            assert not _SECRET_VALUE.search(value), (name, variable["name"])


@pytest.mark.parametrize("service", SERVICES)
def test_pods_listen_where_their_settings_say(objects: list[Manifest], service: str) -> None:
    settings = environment(objects, service)
    (container,) = of_kind(objects, "Deployment")[service]["spec"]["template"]["spec"]["containers"]
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    for name, variable in (("grpc", "SHUANGKOU_GRPC_ADDRESS"), ("metrics", "SHUANGKOU_METRICS_ADDRESS")):
        assert settings[variable] == f"0.0.0.0:{ports[name]}"
    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        assert container[probe]["grpc"]["port"] == ports["grpc"]


def test_pods_of_a_workload_are_spread_over_nodes(objects: list[Manifest]) -> None:
    for workload in workloads(objects):
        if workload["kind"] == "Deployment":
            (spread,) = workload["spec"]["template"]["spec"]["topologySpreadConstraints"]
            assert spread["topologyKey"] == "kubernetes.io/hostname"
            assert spread["labelSelector"]["matchLabels"] == workload["spec"]["selector"]["matchLabels"]


def asked_for(objects: list[Manifest]) -> Iterator[tuple[str, str]]:
    """Every Secret that pods need, with the key that they take of it."""
    for workload in workloads(objects):
        pod = workload["spec"]["template"]["spec"]
        for container in pod["containers"]:
            for variable in container.get("env", []):
                reference = variable.get("valueFrom", {}).get("secretKeyRef")
                if reference:
                    yield reference["name"], reference["key"]
        for volume in pod.get("volumes", []):
            for source in volume.get("projected", {}).get("sources", []):
                for item in source["secret"]["items"]:
                    yield source["secret"]["name"], item["key"]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """The Secrets that the script for trials prints."""
    script = tmp_path_factory.mktemp("secrets") / "make_secrets.py"
    script.write_text((ROOT / "deploy" / "make_secrets.py").read_text())
    command = [sys.executable, str(script), "--kubernetes", "made-up"]
    printed = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
    items: list[dict[str, Any]] = json.loads(printed.stdout)["items"]
    return items


@pytest.mark.parametrize("components", [(), ("postgres",), ("nats-cluster", "postgres")])
def test_the_script_makes_every_secret_that_pods_need(
    made: list[dict[str, Any]], components: tuple[str, ...], tmp_path: Path
) -> None:
    there = {(secret["metadata"]["name"], key) for secret in made for key in secret["data"]}
    needed = set(asked_for(combined(tmp_path / "overlay", components)))
    assert needed
    assert needed <= there


@pytest.mark.parametrize("namespace", ["Bad_NS!", "-a", "a-", "a" * 64, "a.b", ""])
def test_what_is_no_namespace_is_refused_before_anything_is_made(namespace: str, tmp_path: Path) -> None:
    script = tmp_path / "make_secrets.py"
    script.write_text((ROOT / "deploy" / "make_secrets.py").read_text())
    command = [sys.executable, str(script), "--kubernetes", namespace]
    refused = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    assert refused.returncode == 2
    assert "is no name of a namespace" in refused.stderr or "expected one argument" in refused.stderr
    assert not refused.stdout
    assert not (tmp_path / "secrets").exists()


def test_secrets_lie_in_the_namespace_that_was_named(made: list[dict[str, Any]]) -> None:
    assert {secret["metadata"]["namespace"] for secret in made} == {"made-up"}
