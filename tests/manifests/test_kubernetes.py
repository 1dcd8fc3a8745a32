"""k8s/: overlays and components render, every object is valid, and each pod keeps the suite's pod policy."""

from __future__ import annotations

import pytest

from kit.manifests import (
    CLUSTER_VERSIONS,
    K8S,
    OVERLAYS,
    SERVICES,
    Manifest,
    containers,
    environment,
    of_kind,
    render,
    selects,
    validate,
    workloads,
)
from kit.settings_help import known_settings


@pytest.fixture(scope="module", params=OVERLAYS)
def overlay(request: pytest.FixtureRequest) -> str:
    """Every overlay in turn."""
    name: str = request.param
    return name


@pytest.fixture(scope="module")
def objects(overlay: str) -> list[Manifest]:
    """What the overlay applies."""
    return render(K8S / "overlays" / overlay)


@pytest.mark.parametrize("version", CLUSTER_VERSIONS)
def test_every_object_is_valid(objects: list[Manifest], version: str) -> None:
    for item in objects:
        validate(item, version)


def test_the_overlay_holds_the_whole_suite(objects: list[Manifest]) -> None:
    assert set(of_kind(objects, "Deployment")) == set(SERVICES)
    assert set(of_kind(objects, "StatefulSet")) == {"nats"}


def test_every_object_is_in_the_namespace_of_the_overlay(objects: list[Manifest]) -> None:
    (namespace,) = of_kind(objects, "Namespace")
    assert {item["metadata"].get("namespace") for item in objects if item["kind"] != "Namespace"} == {
        namespace
    }


def test_pods_of_the_namespace_must_be_restricted(objects: list[Manifest]) -> None:
    (namespace,) = of_kind(objects, "Namespace").values()
    levels = {f"pod-security.kubernetes.io/{what}": "restricted" for what in ("enforce", "warn")}
    assert levels.items() <= namespace["metadata"]["labels"].items()


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


@pytest.mark.parametrize("service", SERVICES)
def test_every_variable_is_a_setting_of_the_service(objects: list[Manifest], service: str) -> None:
    assert environment(objects, service).keys() <= known_settings(service.replace("-", "_"))


@pytest.mark.parametrize("service", SERVICES)
def test_running_calls_get_their_grace_before_the_pod_is_killed(
    objects: list[Manifest], service: str
) -> None:
    pod = of_kind(objects, "Deployment")[service]["spec"]["template"]["spec"]
    pause = pod["containers"][0]["lifecycle"]["preStop"]["sleep"]["seconds"]
    grace = float(environment(objects, service)["SHUANGKOU_GRACE_SECONDS"])
    assert pod["terminationGracePeriodSeconds"] > pause + grace


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


def allowed_callers(objects: list[Manifest], callee: str, port: int) -> set[str]:
    """The names of pods that network policies let in at a port."""
    return {
        peer["podSelector"]["matchLabels"]["app.kubernetes.io/name"]
        for policy in of_kind(objects, "NetworkPolicy").values()
        if policy["spec"]["podSelector"].get("matchLabels", {}).get("app.kubernetes.io/name") == callee
        for rule in policy["spec"].get("ingress", [])
        if port in {item["port"] for item in rule["ports"]}
        for peer in rule["from"]
        if "podSelector" in peer
    }


def allowed_callees(objects: list[Manifest], caller: str) -> set[tuple[str, int]]:
    """The names and ports of pods that network policies let a pod call."""
    return {
        (peer["podSelector"]["matchLabels"]["app.kubernetes.io/name"], item["port"])
        for policy in of_kind(objects, "NetworkPolicy").values()
        if policy["spec"]["podSelector"].get("matchLabels", {}).get("app.kubernetes.io/name") == caller
        for rule in policy["spec"].get("egress", [])
        for peer in rule["to"]
        if "podSelector" in peer
        for item in rule["ports"]
    }


def test_nothing_may_talk_unless_it_is_allowed(objects: list[Manifest]) -> None:
    assert of_kind(objects, "NetworkPolicy")["deny-all"]["spec"] == {
        "podSelector": {},
        "policyTypes": ["Ingress", "Egress"],
    }


def test_who_may_call_may_be_called(objects: list[Manifest]) -> None:
    """A connection needs the leave of both ends."""
    names = {workload["metadata"]["name"] for workload in workloads(objects)}
    for caller in names:
        for callee, port in allowed_callees(objects, caller):
            if callee in names:
                assert caller in allowed_callers(objects, callee, port), (caller, callee, port)


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_may_call_what_its_settings_name(objects: list[Manifest], service: str) -> None:
    for name, value in environment(objects, service).items():
        if name == "SHUANGKOU_NATS_URL":
            assert ("nats", 4222) in allowed_callees(objects, service)
        if name.endswith("_TARGET"):
            host, _, port = value.removeprefix("dns:///").partition(":")
            assert (host.removesuffix("-headless"), int(port)) in allowed_callees(objects, service), name


@pytest.mark.parametrize("service", SERVICES)
def test_all_services_count_the_same_shards(objects: list[Manifest], service: str) -> None:
    ours, engines = environment(objects, service), environment(objects, "engine")
    assert ours.get("SHUANGKOU_TABLE_SHARDS") == engines.get("SHUANGKOU_TABLE_SHARDS")
    assert ours["SHUANGKOU_STREAM_REPLICAS"] == engines["SHUANGKOU_STREAM_REPLICAS"]


def test_streams_have_no_more_copies_than_there_are_brokers(objects: list[Manifest]) -> None:
    replicas = int(environment(objects, "engine")["SHUANGKOU_STREAM_REPLICAS"])
    assert replicas == of_kind(objects, "StatefulSet")["nats"]["spec"]["replicas"]


def test_development_fits_two_cores_and_four_gibibytes() -> None:
    asked = [item["resources"]["requests"] for _, item in containers(render(K8S / "overlays" / "dev"))]
    assert sum(_milli(item["cpu"]) for item in asked) <= 2000
    assert sum(_mebibytes(item["memory"]) for item in asked) <= 4096


def _milli(cpu: str) -> int:
    return int(cpu.removesuffix("m")) if cpu.endswith("m") else int(cpu) * 1000


def _mebibytes(memory: str) -> int:
    amount, unit = int(memory[:-2]), memory[-2:]
    return amount * {"Mi": 1, "Gi": 1024}[unit]
