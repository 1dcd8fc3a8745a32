"""k8s/components: they render and are valid together, and what only makes sense together is held together."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
import yaml

from kit.manifests import (
    COMPONENTS,
    K8S,
    OVERLAYS,
    SERVICES,
    Manifest,
    combined,
    containers,
    environment,
    of_kind,
    render,
    validate,
)

_INSTEAD = (("autoscaling-workers", "keda"), ("nats-cluster", "nats-helm"), ("postgres", "postgres-external"))
"""Of each pair one at most can be chosen."""

_APART = {"nats-helm", "tls"}
"""What does not go together, whatever else is chosen."""

_AFTER = {
    "keda-shards": ({"keda", "nats-cluster"}, {"keda", "nats-helm"}),
    "tls-gateway": ({"gateway", "tls"},),
    "tls-ingress": ({"ingress", "tls"},),
}
"""What is listed after others, and always where they are together."""

_SHARES = {"ai-player": 50, "scoring": 200}
"""How much of a queue one pod is to have."""


def choices() -> list[tuple[str, ...]]:
    """Every set of components that go together: one of a pair or none, and any of the others."""
    paired = {name for pair in _INSTEAD for name in pair}
    free = [name for name in COMPONENTS if name not in paired and name not in _AFTER]
    chosen: list[tuple[str, ...]] = [()]
    for one, other in _INSTEAD:
        chosen = [(*before, *name) for before in chosen for name in ((), (one,), (other,))]
    others = [some for size in range(len(free) + 1) for some in combinations(free, size)]
    sets = [(*before, *others[number % len(others)]) for number, before in enumerate(chosen)]
    sets += [some for some in others if len(some) in (1, 2, len(free))]
    return [_with_what_comes_after(names) for names in sets if not set(names) >= _APART]


def _with_what_comes_after(names: tuple[str, ...]) -> tuple[str, ...]:
    late = (name for name, needed in _AFTER.items() if any(some <= set(names) for some in needed))
    return (*names, *late)


@pytest.mark.parametrize("components", choices(), ids=lambda names: "+".join(names) or "none")
def test_components_render_and_are_valid_together(components: tuple[str, ...], tmp_path: Path) -> None:
    objects = combined(tmp_path / "overlay", components)
    for item in objects:
        validate(item)
    check_front(objects)
    check_scalers(objects)


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_overlays_hold_together(overlay: str) -> None:
    objects = render(K8S / "overlays" / overlay)
    check_front(objects)
    check_scalers(objects)


@pytest.mark.parametrize("late", _AFTER)
def test_what_comes_after_others_is_refused_without_them(late: str, tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=r"no matches for Id"):
        combined(tmp_path / "overlay", (late,))


@pytest.mark.parametrize(
    "names",
    [
        ("nats-helm", "tls"),
        ("tls", "nats-helm"),
        ("nats-helm", "nats-cluster"),
        ("nats-cluster", "nats-helm"),
    ],
    ids="+".join,
)
def test_a_broker_of_the_chart_is_refused_beside_what_is_for_ours(
    names: tuple[str, ...], tmp_path: Path
) -> None:
    with pytest.raises(AssertionError, match=r"no matches for Id|testing value"):
        combined(tmp_path / "overlay", names)


def test_pods_of_the_chart_keep_the_restricted_level() -> None:
    """Level `restricted` of the Pod Security Standards, by what the values say of pods and containers."""
    values = yaml.safe_load((K8S / "components" / "nats-helm" / "values.yaml").read_text())
    shell = values["natsBox"]
    for pod in (values["podTemplate"], shell["podTemplate"]):
        context = pod["merge"]["spec"]["securityContext"]
        assert context["runAsNonRoot"]
        assert context["runAsUser"]
        assert context["seccompProfile"] == {"type": "RuntimeDefault"}
    for container in (values["container"], values["reloader"], shell["container"]):
        context = container["merge"]["securityContext"]
        assert context["allowPrivilegeEscalation"] is False
        assert context["capabilities"] == {"drop": ["ALL"]}


def test_every_component_is_in_the_readme() -> None:
    text = (K8S / "README.md").read_text()
    for name in COMPONENTS:
        assert f"| `{name}` |" in text


def check_front(objects: list[Manifest]) -> None:
    """Who lets the world in speaks to pods as they listen: TLS with a certificate of its own, or none."""
    asks_tls = "SHUANGKOU_GRPC_TLS_CLIENT_CA_FILE" in environment(objects, "engine")
    for name in SERVICES:
        (port, *_) = of_kind(objects, "Service")[name]["spec"]["ports"]
        assert (port.get("appProtocol") == "kubernetes.io/h2c") is not asks_tls
    for ingress in of_kind(objects, "Ingress").values():
        notes = {key.rpartition("/")[2]: value for key, value in ingress["metadata"]["annotations"].items()}
        assert notes["backend-protocol"] == ("GRPCS" if asks_tls else "GRPC")
        shown = (notes.get("proxy-ssl-secret", "").rpartition("/")[2], notes.get("proxy-ssl-verify"))
        assert shown == (("services-tls", "on") if asks_tls else ("", None))
    for gateway in of_kind(objects, "Gateway").values():
        shows = gateway["spec"].get("tls", {}).get("backend", {}).get("clientCertificateRef", {}).get("name")
        assert shows == ("services-tls" if asks_tls else None)
        policies = of_kind(objects, "BackendTLSPolicy").values()
        checked = [target["name"] for policy in policies for target in policy["spec"]["targetRefs"]]
        routed = [
            backend["name"]
            for route in of_kind(objects, "GRPCRoute").values()
            for rule in route["spec"]["rules"]
            for backend in rule["backendRefs"]
        ]
        assert sorted(checked) == (sorted(routed) if asks_tls else [])


def check_scalers(objects: list[Manifest]) -> None:
    """An autoscaler alone says how many pods there are, and by a number that does not grow with them."""
    for name, scaler in of_kind(objects, "HorizontalPodAutoscaler").items():
        assert scaler["spec"]["scaleTargetRef"]["name"] == name
        assert "replicas" not in of_kind(objects, "Deployment")[name]["spec"], name
        own, fallback = scaler["spec"]["metrics"]
        assert fallback["type"] == "Resource"
        if own["type"] == "Pods":
            assert own["pods"]["metric"]["name"].endswith("_per_second"), "every pod counts its own"
            continue
        queue = own["external"]
        assert queue["metric"]["selector"] == {"matchLabels": {"queue": name}}
        assert queue["target"] == {"type": "AverageValue", "averageValue": str(_SHARES[name])}
    shards = int(environment(objects, "engine").get("SHUANGKOU_TABLE_SHARDS") or 1)
    streams = [f"TABLES-{number}" if number else "TABLES" for number in range(shards)]
    for name, scaler in of_kind(objects, "ScaledObject").items():
        assert "replicas" not in of_kind(objects, "Deployment")[name]["spec"], name
        asked: list[dict[str, Any]] = [trigger["metadata"] for trigger in scaler["spec"]["triggers"]]
        assert [each["stream"] for each in asked] == streams
        assert {int(each["lagThreshold"]) for each in asked} == {_SHARES[name] // shards}


def test_queues_are_asked_for_as_the_adapter_tells_them() -> None:
    values = yaml.safe_load((K8S / "components/autoscaling/adapter-values.yaml").read_text())
    (rule,) = values["rules"]["external"]
    for name in _SHARES:
        scaler = yaml.safe_load((K8S / "components/autoscaling-workers" / f"{name}.yaml").read_text())
        assert scaler["spec"]["metrics"][0]["external"]["metric"]["name"] == rule["name"]["as"]


def test_pods_of_a_tls_suite_have_the_files(tmp_path: Path) -> None:
    for name, container in containers(combined(tmp_path / "overlay", ("ingress", "tls", "tls-ingress"))):
        assert "/run/secrets/tls" in {mount["mountPath"] for mount in container["volumeMounts"]}, name
