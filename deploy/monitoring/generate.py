"""Writes what is generated for Grafana and the Prometheus Operator; `make monitoring` runs it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import yaml

from monitoring.dashboards import DASHBOARDS
from monitoring.panels import grafana

_ROOT: Final = Path(__file__).resolve().parents[2]
_ALERTS: Final = _ROOT / "deploy" / "prometheus" / "alerts.yml"
_COMPONENTS: Final = _ROOT / "k8s" / "components"


def generated() -> dict[Path, str]:
    """Every generated file with its content."""
    boards = {
        _COMPONENTS / "grafana-dashboards" / f"{board.id}.json": _json(grafana(board)) for board in DASHBOARDS
    }
    return boards | {_COMPONENTS / "prometheus-operator" / "rules.yaml": _prometheus_rule()}


def _json(content: object) -> str:
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _prometheus_rule() -> str:
    names = {"app.kubernetes.io/name": "rules", "app.kubernetes.io/part-of": "shuangkou"}
    rule = {
        "apiVersion": "monitoring.coreos.com/v1",
        "kind": "PrometheusRule",
        "metadata": {"name": "shuangkou", "labels": names},
        "spec": yaml.safe_load(_ALERTS.read_text()),
    }
    return "# Made from deploy/prometheus/alerts.yml by `make monitoring`.\n" + yaml.safe_dump(
        rule, sort_keys=False, allow_unicode=True, width=110
    )


def main() -> None:
    """Write them all."""
    for file, content in generated().items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)


if __name__ == "__main__":
    main()
