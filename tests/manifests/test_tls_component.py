"""k8s/components/tls on top of the overlay: valid, with settings that exist and files that are mounted."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
import yaml

from kit.manifests import render, validate
from kit.settings_help import known_settings

ROOT = Path(__file__).resolve().parents[2]
SERVICES = ("engine", "matchmaking", "ai-player", "scoring")
FILES = {f"/run/secrets/tls/{name}" for name in ("ca.crt", "tls.crt", "tls.key")}


@pytest.fixture(scope="module")
def containers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The one container of each workload, rendered and valid."""
    folder = tmp_path_factory.mktemp("overlay").resolve()
    overlay, component = (
        os.path.relpath(ROOT / "k8s" / part, folder) for part in ("overlays/dev", "components/tls")
    )
    text = yaml.safe_dump({"resources": [overlay], "components": [component]})
    (folder / "kustomization.yaml").write_text(text)
    objects = render(folder)
    for item in objects:
        validate(item)
    workloads = [item for item in objects if item["kind"] in ("Deployment", "StatefulSet")]
    assert len(workloads) == len(SERVICES) + 1
    for workload in workloads:
        volumes = {volume["name"] for volume in workload["spec"]["template"]["spec"]["volumes"]}
        assert "tls" in volumes
    return {item["metadata"]["name"]: item["spec"]["template"]["spec"]["containers"][0] for item in workloads}


@pytest.mark.parametrize("service", SERVICES)
def test_services_are_told_all_files_and_are_not_asked_by_plain_grpc(
    containers: dict[str, Any], service: str
) -> None:
    container = containers[service]
    told = {item["name"]: item.get("value") for item in container["env"] if "_TLS_" in item["name"]}
    known = {name for name in known_settings(service.replace("-", "_")) if "_TLS_" in name}
    assert told.keys() == known
    assert set(told.values()) == FILES
    assert {"name": "tls", "mountPath": "/run/secrets/tls", "readOnly": True} in container["volumeMounts"]
    assert not [probe for probe in container if probe.endswith("Probe") and "grpc" in container[probe]]


def test_nats_asks_for_certificates(containers: dict[str, Any]) -> None:
    arguments = containers["nats"]["args"]
    assert {argument.rpartition("=")[2] for argument in arguments if "/tls/" in argument} == FILES
    assert {"--tls", "--tlsverify", "--config=/etc/nats/nats.conf"} <= set(arguments)
