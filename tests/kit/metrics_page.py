"""What a service tells Prometheus."""

from __future__ import annotations

from urllib.request import urlopen

from prometheus_client.parser import text_string_to_metric_families

from kit.service_process import ServiceProcess


def sampled(process: ServiceProcess, name: str) -> float:
    """The value of a metric without labels now; fails the test for an unknown one."""
    with urlopen(f"http://127.0.0.1:{process.metrics_port}/metrics", timeout=20) as page:
        families = text_string_to_metric_families(page.read().decode())
    found = [sample.value for family in families for sample in family.samples if sample.name == name]
    assert found, name
    return found[0]
