"""What dashboards, alerts and autoscalers ask for is what a running suite exports, label by label."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.request import urlopen

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from kit.command import run_command
from kit.manifests import ROOT
from kit.suite import suite_up
from monitoring.dashboards import DASHBOARDS

_NAME = re.compile(r"\b((?:shuangkou|grpc_server|process)_\w+)(?:\{([^}]*)\})?")
_OF_TARGETS = {"instance", "job", "le"}


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, set[str]]]:
    """By sample name: the labels of its samples, after a demo. A family without samples has its bare name."""
    with suite_up(tmp_path_factory.mktemp("metrics")) as suite:
        assert run_command("demo", *suite.data).returncode == 0
        known: dict[str, set[str]] = {}
        for address in suite.record["metrics"].values():
            with urlopen(f"http://{address}/metrics", timeout=10) as page:
                text = page.read().decode()
            for family in text_string_to_metric_families(text):
                endings = {"histogram": ("_bucket", "_count", "_sum"), "counter": ("_total",)}
                for ending in endings.get(family.type, ("",)):
                    known.setdefault(family.name + ending, set())
                for sample in family.samples:
                    known.setdefault(sample.name, set()).update(sample.labels)
        yield known


def asked() -> Iterator[tuple[str, str]]:
    """Everything that is asked of Prometheus, and who asks."""
    for board in DASHBOARDS:
        for expression in board.expressions():
            yield board.id, expression
    rules = yaml.safe_load((ROOT / "deploy" / "prometheus" / "alerts.yml").read_text())
    for group in rules["groups"]:
        for rule in group["rules"]:
            yield rule["alert"], rule["expr"]
    adapter = yaml.safe_load((ROOT / "k8s/components/autoscaling/adapter-values.yaml").read_text())
    for rule in adapter["rules"]["custom"]:
        yield "adapter", rule["seriesQuery"].partition("{")[0]


def test_everything_asked_for_is_exported(exported: dict[str, set[str]]) -> None:
    for asker, expression in asked():
        names = _NAME.findall(expression)
        assert names, (asker, expression)
        for name, _ in names:
            assert name in exported, (asker, name)


def test_labels_asked_for_exist(exported: dict[str, set[str]]) -> None:
    for asker, expression in asked():
        for name, selector in _NAME.findall(expression):
            wanted = set(re.findall(r"(\w+)\s*=~?", selector))
            wanted |= {
                label for group in re.findall(r"by \(([^)]*)\)", expression) for label in group.split(", ")
            }
            if exported[name]:
                assert wanted <= exported[name] | _OF_TARGETS, (asker, name, wanted)


def test_autoscalers_ask_for_what_the_adapter_makes() -> None:
    adapter = yaml.safe_load((ROOT / "k8s/components/autoscaling/adapter-values.yaml").read_text())
    made = set()
    for rule in adapter["rules"]["custom"]:
        series = rule["seriesQuery"].partition("{")[0]
        made.add(series.replace("_total", "_per_second") if "name" in rule else series)
    for folder in ("autoscaling", "autoscaling-workers"):
        for file in sorted((ROOT / "k8s" / "components" / folder).glob("*.yaml")):
            content = yaml.safe_load(file.read_text())
            if content.get("kind") == "HorizontalPodAutoscaler":
                assert content["spec"]["metrics"][0]["pods"]["metric"]["name"] in made
