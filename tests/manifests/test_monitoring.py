"""Dashboards and alerts: generated anew they are the same, and alerts fire when they should and only then."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import promql_parser
import pytest
import yaml

from kit.manifests import ROOT
from monitoring.dashboards import DASHBOARDS
from monitoring.generate import generated
from monitoring.panels import grafana
from shuangkou.chassis.rpc_metrics import CODE_NAMES

_ALERTS = ROOT / "deploy" / "prometheus" / "alerts.yml"
_NO_PROMTOOL = "promtool, of Debian's package prometheus, is not on PATH, and no Python package brings it"
_CASES = Path(__file__).with_name("alerts_test.yml")


def alerts() -> list[dict[str, Any]]:
    content = yaml.safe_load(_ALERTS.read_text())
    return [rule for group in content["groups"] for rule in group["rules"]]


@pytest.mark.parametrize("file", generated(), ids=lambda file: file.name)
def test_what_is_generated_is_up_to_date(file: Path) -> None:
    assert file.read_text() == generated()[file], "run: make monitoring"


@pytest.mark.parametrize("board", DASHBOARDS, ids=lambda board: board.id)
def test_panels_do_not_overlap_and_explain_themselves(board: Any) -> None:
    taken: set[tuple[int, int]] = set()
    for panel in grafana(board)["panels"]:
        place = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert not taken & cells, panel["title"]
        assert place["x"] + place["w"] <= 24
        taken |= cells
        assert panel["type"] == "row" or panel["description"]


def test_the_dashboards_component_brings_every_dashboard() -> None:
    folder = ROOT / "k8s" / "components" / "grafana-dashboards"
    (generator,) = yaml.safe_load((folder / "kustomization.yaml").read_text())["configMapGenerator"]
    assert sorted(generator["files"]) == sorted(f"{board.id}.json" for board in DASHBOARDS)


def test_every_alert_has_its_paragraph_in_the_runbook() -> None:
    headings = re.findall(r"^#+ (.+)$", (ROOT / "docs" / "operate.md").read_text(), re.MULTILINE)
    anchors = {f"docs/operate.md#{heading.lower().replace(' ', '-')}" for heading in headings}
    for rule in alerts():
        assert rule["annotations"]["runbook"] in anchors, rule["alert"]
        assert rule["labels"]["severity"] in ("page", "ticket")


def test_every_alert_is_tried_with_series_that_fire_and_with_others() -> None:
    tried: dict[str, set[bool]] = {}
    for case in yaml.safe_load(_CASES.read_text())["tests"]:
        for expected in case["alert_rule_test"]:
            tried.setdefault(expected["alertname"], set()).add(bool(expected["exp_alerts"]))
    assert tried == {rule["alert"]: {True, False} for rule in alerts()}


def test_every_question_to_prometheus_can_be_read() -> None:
    """Also where promtool is not at hand, and in dashboards, which it does not look at."""
    asked = [text for board in DASHBOARDS for text in board.expressions()] + [
        rule["expr"] for rule in alerts()
    ]
    for expression in asked:
        promql_parser.parse(expression.replace("$__rate_interval", "1m"))
    with pytest.raises(ValueError, match="unclosed left parenthesis"):
        promql_parser.parse("sum by (le (rate(x[5m]))")


@pytest.mark.skipif(shutil.which("promtool") is None, reason=_NO_PROMTOOL)
@pytest.mark.parametrize(
    "arguments",
    [("check", "rules", str(_ALERTS)), ("test", "rules", str(_CASES))],
    ids=lambda words: words[0],
)
def test_prometheus_accepts_the_rules_and_they_fire_when_they_should(arguments: tuple[str, ...]) -> None:
    ran = subprocess.run(["promtool", *arguments], check=False, capture_output=True, text=True, timeout=110)
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.skipif(shutil.which("promtool") is None, reason=_NO_PROMTOOL)
def test_a_queue_counts_once_however_many_pods_tell_of_it(tmp_path: Path) -> None:
    values = yaml.safe_load((ROOT / "k8s/components/autoscaling/adapter-values.yaml").read_text())
    (rule,) = values["rules"]["external"]
    series = rule["seriesQuery"].partition("{")[0]
    asked = rule["metricsQuery"].replace("<<.Series>>", series)
    asked = asked.replace("<<.LabelMatchers>>", 'namespace="shuangkou",queue="ai-player"')
    told = {("TABLES", "a"): 100, ("TABLES", "b"): 100, ("TABLES-1", "a"): 60, ("TABLES-1", "b"): 60}
    of_pods = [
        {
            "series": f'{series}{{namespace="shuangkou",queue="ai-player",stream="{stream}",pod="{pod}"}}',
            "values": f"{waiting}x10",
        }
        for (stream, pod), waiting in told.items()
    ]
    of_others = {
        "series": f'{series}{{namespace="shuangkou",queue="scoring",stream="TABLES"}}',
        "values": "7x10",
    }
    expected = {
        "expr": asked,
        "eval_time": "5m",
        "exp_samples": [{"labels": '{queue="ai-player"}', "value": 160}],
    }
    case = {"interval": "1m", "input_series": [*of_pods, of_others], "promql_expr_test": [expected]}
    file = tmp_path / "queues_test.yml"
    file.write_text(yaml.safe_dump({"rule_files": [], "tests": [case]}))
    ran = subprocess.run(
        ["promtool", "test", "rules", str(file)], check=False, capture_output=True, text=True, timeout=110
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_codes_that_are_asked_for_are_spelt_as_services_count_them() -> None:
    asked = [expression for dashboard in DASHBOARDS for expression in dashboard.expressions()]
    asked.append((ROOT / "deploy/prometheus/alerts.yml").read_text())
    named = {
        code
        for text in asked
        for codes in re.findall(r'grpc_code[=!]~?"([^"]*)"', text)
        for code in codes.split("|")
    }
    assert named
    assert named <= set(CODE_NAMES.values())
