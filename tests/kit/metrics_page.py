"""What a service tells Prometheus."""

from __future__ import annotations

from urllib.request import urlopen

from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families

from kit.service_process import ServiceProcess


def sampled(process: ServiceProcess, name: str) -> float:
    """The value of a metric without labels now; fails the test for an unknown one."""
    found = [
        sample.value for family in _families(process) for sample in family.samples if sample.name == name
    ]
    assert found, name
    return found[0]


def exported_by(process: ServiceProcess) -> set[str]:
    """The names of all series that there are now."""
    return {sample.name for family in _families(process) for sample in family.samples}


def _families(process: ServiceProcess) -> list[Metric]:
    with urlopen(f"http://127.0.0.1:{process.metrics_port}/metrics", timeout=20) as page:
        return list(text_string_to_metric_families(page.read().decode()))
