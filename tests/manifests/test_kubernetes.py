"""k8s/: the overlay renders, every object is valid, and each pod keeps the suite's pod policy."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from kit.settings_help import known_settings

ROOT = Path(__file__).resolve().parents[2]
OVERLAY = ROOT / "k8s" / "overlays" / "dev"
CLUSTER_VERSION = "1.32"
SERVICES = ("engine", "matchmaking", "ai-player", "scoring")

Manifest = dict[str, Any]

# A newcomer's machine has Python, make and a C compiler; where kubectl is, these tests run.
pytestmark = pytest.mark.skipif(shutil.which("kubectl") is None, reason="kubectl is not on PATH")


@pytest.fixture(scope="module")
def objects() -> list[Manifest]:
    rendered = subprocess.run(
        ["kubectl", "kustomize", str(OVERLAY)], check=False, capture_output=True, text=True, timeout=60
    )
    assert rendered.returncode == 0, rendered.stderr
    return list(yaml.safe_load_all(rendered.stdout))


def of_kind(objects: list[Manifest], kind: str) -> dict[str, Manifest]:
    return {item["metadata"]["name"]: item for item in objects if item["kind"] == kind}


def workloads(objects: list[Manifest]) -> list[Manifest]:
    return [item for item in objects if item["kind"] in ("Deployment", "StatefulSet")]


def containers(objects: list[Manifest]) -> Iterator[tuple[str, Manifest]]:
    for workload in workloads(objects):
        for container in workload["spec"]["template"]["spec"]["containers"]:
            yield workload["metadata"]["name"], container


def selects(selector: dict[str, str], workload: Manifest) -> bool:
    labels: dict[str, str] = workload["spec"]["template"]["metadata"]["labels"]
    return selector.items() <= labels.items()


def test_every_object_is_valid(objects: list[Manifest]) -> None:
    for item in objects:
        kubernetes_validate.validate(item, CLUSTER_VERSION, strict=True)


def test_the_overlay_holds_the_whole_suite(objects: list[Manifest]) -> None:
    assert set(of_kind(objects, "Deployment")) == set(SERVICES)
    assert set(of_kind(objects, "StatefulSet")) == {"nats"}


def test_every_object_is_in_the_namespace_of_the_overlay(objects: list[Manifest]) -> None:
    assert {item["metadata"].get("namespace") for item in objects if item["kind"] != "Namespace"} == {
        "shuangkou-dev"
    }


def test_no_secret_is_contained(objects: list[Manifest]) -> None:
    assert of_kind(objects, "Secret") == {}


def test_pods_are_restricted(objects: list[Manifest]) -> None:
    for workload in workloads(objects):
        pod = workload["spec"]["template"]["spec"]
        context = pod["securityContext"]
        assert context["runAsNonRoot"] is True
        assert context["runAsUser"] >= 1000
        assert context["seccompProfile"] == {"type": "RuntimeDefault"}
        assert pod["automountServiceAccountToken"] is False
        assert pod["enableServiceLinks"] is False
        assert pod["serviceAccountName"] in of_kind(objects, "ServiceAccount")
        assert not {"hostNetwork", "hostPID", "hostIPC"} & pod.keys()


def test_containers_can_not_gain_or_write_anything(objects: list[Manifest]) -> None:
    for name, container in containers(objects):
        context = container["securityContext"]
        assert context["allowPrivilegeEscalation"] is False, name
        assert context["readOnlyRootFilesystem"] is True, name
        assert context["capabilities"] == {"drop": ["ALL"]}, name


def test_containers_are_bounded(objects: list[Manifest]) -> None:
    for name, container in containers(objects):
        for bound in ("requests", "limits"):
            assert container["resources"][bound].keys() >= {"cpu", "memory"}, name


def test_images_are_pinned(objects: list[Manifest]) -> None:
    for name, container in containers(objects):
        _, _, tag = container["image"].partition(":")
        assert tag[:1].isdigit(), name


def test_probes_name_a_port_of_their_container(objects: list[Manifest]) -> None:
    for name, container in containers(objects):
        ports = {port["containerPort"] for port in container["ports"]}
        names = {port["name"] for port in container["ports"]}
        for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
            asked = container[probe].get("grpc") or container[probe]["httpGet"]
            assert asked["port"] in ports | names, (name, probe)


def test_workloads_select_their_own_pods(objects: list[Manifest]) -> None:
    for workload in workloads(objects):
        assert selects(workload["spec"]["selector"]["matchLabels"], workload)


def test_services_and_budgets_select_exactly_one_workload(objects: list[Manifest]) -> None:
    selectors = {
        **{f"service {name}": item["spec"]["selector"] for name, item in of_kind(objects, "Service").items()},
        **{
            f"budget {name}": item["spec"]["selector"]["matchLabels"]
            for name, item in of_kind(objects, "PodDisruptionBudget").items()
        },
    }
    for name, selector in selectors.items():
        assert sum(selects(selector, workload) for workload in workloads(objects)) == 1, name


def test_service_ports_lead_to_named_container_ports(objects: list[Manifest]) -> None:
    for name, service in of_kind(objects, "Service").items():
        (workload,) = [item for item in workloads(objects) if selects(service["spec"]["selector"], item)]
        (container,) = workload["spec"]["template"]["spec"]["containers"]
        offered = {port["name"] for port in container["ports"]}
        assert {port["targetPort"] for port in service["spec"]["ports"]} <= offered, name


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_has_both_addresses_a_budget_and_metrics(objects: list[Manifest], service: str) -> None:
    assert "clusterIP" not in of_kind(objects, "Service")[service]["spec"]
    assert of_kind(objects, "Service")[f"{service}-headless"]["spec"]["clusterIP"] == "None"
    assert of_kind(objects, "PodDisruptionBudget")[service]["spec"] == {
        "maxUnavailable": 1,
        "selector": {"matchLabels": {"app.kubernetes.io/name": service}},
    }
    annotations = of_kind(objects, "Deployment")[service]["spec"]["template"]["metadata"]["annotations"]
    assert annotations["prometheus.io/port"] == "9090"


def environment(objects: list[Manifest], service: str) -> dict[str, Any]:
    """The variables of a service's container; the value is None where a secret holds it."""
    (container,) = of_kind(objects, "Deployment")[service]["spec"]["template"]["spec"]["containers"]
    settings: dict[str, Any] = {}
    for source in container["envFrom"]:
        settings |= of_kind(objects, "ConfigMap")[source["configMapRef"]["name"]]["data"]
    return settings | {item["name"]: item.get("value") for item in container.get("env", [])}


@pytest.mark.parametrize("service", SERVICES)
def test_every_variable_is_a_setting_of_the_service(objects: list[Manifest], service: str) -> None:
    assert environment(objects, service).keys() <= known_settings(service.replace("-", "_"))


@pytest.mark.parametrize("service", SERVICES)
def test_running_calls_get_their_grace_before_the_pod_is_killed(
    objects: list[Manifest], service: str
) -> None:
    pod = of_kind(objects, "Deployment")[service]["spec"]["template"]["spec"]
    assert pod["terminationGracePeriodSeconds"] > float(
        environment(objects, service)["SHUANGKOU_GRACE_SECONDS"]
    )


@pytest.mark.parametrize("service", SERVICES)
def test_files_named_in_variables_are_mounted(objects: list[Manifest], service: str) -> None:
    pod = of_kind(objects, "Deployment")[service]["spec"]["template"]["spec"]
    (auth,) = [volume for volume in pod["volumes"] if volume["name"] == "auth"]
    (mount,) = [mount for mount in pod["containers"][0]["volumeMounts"] if mount["name"] == "auth"]
    mounted = {
        f"{mount['mountPath']}/{item['path']}"
        for source in auth["projected"]["sources"]
        for item in source["secret"]["items"]
    }
    settings = environment(objects, service)
    assert {value for name, value in settings.items() if name.endswith("_FILE")} == mounted


def test_the_nats_volume_is_larger_than_what_nats_may_fill(objects: list[Manifest]) -> None:
    (config,) = [
        data for name, data in of_kind(objects, "ConfigMap").items() if name.startswith("nats-config")
    ]
    (claim,) = of_kind(objects, "StatefulSet")["nats"]["spec"]["volumeClaimTemplates"]
    assert "max_file_store: 10GB" in config["data"]["nats.conf"]
    assert claim["spec"]["resources"]["requests"]["storage"] == "12Gi"
