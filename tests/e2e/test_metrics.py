"""What dashboards, alerts and autoscalers ask for is what a running suite exports, label by label."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from typing import Any
from urllib.request import urlopen

import grpc
import pytest
import yaml
from google.protobuf.message import Message
from grpc_health.v1 import health_pb2
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families

from kit.command import run_command
from kit.manifests import ROOT
from kit.suite import LocalSuite, suite_up
from kit.suite_callers import channel_to, metadata
from monitoring.dashboards import DASHBOARDS
from shuangkou.ai_player.metrics import GivenUp, Outcome
from shuangkou.ai_player.tiers import Tier
from shuangkou.chassis.nats.work_metrics import OUTCOMES
from shuangkou.chassis.throttle import RpcClass
from shuangkou.engine.metrics import Found, LogRequest, StandIn
from shuangkou.rules.ruleset import available
from shuangkou.v1 import ai_pb2, matchmaking_pb2, rooms_pb2, scoring_pb2, table_pb2
from shuangkou.wire.names import PERSONAS
from shuangkou.wire.streams import shards

_NAME = re.compile(r"\b((?:shuangkou|grpc_server|process)_\w+)(?:\{([^}]*)\})?")
_OURS = ("shuangkou_", "grpc_server_")
_OF_TARGETS = {"instance", "job", "le"}
_SERVICES = [
    service
    for file in (health_pb2, ai_pb2, matchmaking_pb2, rooms_pb2, scoring_pb2, table_pb2)
    for service in file.DESCRIPTOR.services_by_name.values()
]
_CLOSED: dict[str, set[str]] = {
    "ruleset": set(available()),
    "outcome": {"accepted", "repeated", "refused", *OUTCOMES, *Outcome},
    "kind": {"deal", "deadline", "move", "whistle", *StandIn},
    "cause": {"forestalled", "unanswered"},
    "reason": set(GivenUp),
    "found": set(Found),
    "request": set(LogRequest),
    "persona": set(PERSONAS),
    "tier": set(Tier),
    "bots": {str(number) for number in range(5)},
    "queue": {"ai-player", "engine-timers", "matchmaking", "scoring"},
    "stream": {"TIMERS", *(shard.stream for shard in shards(16))},
    "rpc_class": set(RpcClass),
    "grpc_type": {"unary", "server_stream"},
    "grpc_code": {
        "OK",
        "Canceled",
        *("".join(word.capitalize() for word in code.name.split("_")) for code in grpc.StatusCode),
    },
    "grpc_service": {service.full_name for service in _SERVICES},
    "grpc_method": {method.name for service in _SERVICES for method in service.methods},
}
"""What each label of ours can be, whatever clients send."""


@pytest.fixture(scope="module")
def families(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Metric]]:
    """What all services of a suite export after a demo, and after calls that name what there is not."""
    with suite_up(tmp_path_factory.mktemp("metrics")) as suite:
        assert run_command("demo", *suite.data).returncode == 0
        asyncio.run(_name_what_there_is_not(suite))
        found: list[Metric] = []
        for address in suite.record["metrics"].values():
            with urlopen(f"http://{address}/metrics", timeout=10) as page:
                found += text_string_to_metric_families(page.read().decode())
        yield found


async def _name_what_there_is_not(suite: LocalSuite) -> None:
    record, who = suite.record, metadata(suite, "alice")
    odd = "no\x22such,thing"
    requests: dict[str, dict[str, Message]] = {
        record["engines"][0]: {
            "TableService/CreateTable": table_pb2.CreateTableRequest(command_id="c1", ruleset_id=odd),
            "TableService/Act": table_pb2.ActRequest(table_id=odd, command_id="c2"),
            "TableService/Odd": table_pb2.ActRequest(),
        },
        record["matchmaking"]: {
            "MatchmakingService/CreateTicket": matchmaking_pb2.CreateTicketRequest(
                ticket_id="t1", ruleset_id=odd
            )
        },
        record["ai_player"]: {"AdvisorService/SuggestAct": ai_pb2.SuggestActRequest(persona=odd)},
        record["scoring"]: {
            "ScoringService/GetLeaderboard": scoring_pb2.GetLeaderboardRequest(ruleset_id=odd)
        },
    }
    for address, calls in requests.items():
        async with channel_to(address) as channel:
            for path, request in calls.items():
                method: Any = channel.unary_unary(f"/shuangkou.v1.{path}")
                with pytest.raises(grpc.aio.AioRpcError):
                    await method(request.SerializeToString(), metadata=who, timeout=20)


@pytest.fixture(scope="module")
def exported(families: list[Metric]) -> dict[str, set[str]]:
    """By sample name: the labels of its samples. A family without samples has its bare name."""
    known: dict[str, set[str]] = {}
    for family in families:
        endings = {"histogram": ("_bucket", "_count", "_sum"), "counter": ("_total",)}
        for ending in endings.get(family.type, ("",)):
            known.setdefault(family.name + ending, set())
        for sample in family.samples:
            known.setdefault(sample.name, set()).update(sample.labels)
    return known


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
    for rule in (*adapter["rules"]["custom"], *adapter["rules"]["external"]):
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


def test_somebody_looks_at_everything_that_is_measured(families: list[Metric]) -> None:
    looked_at = {name for _, expression in asked() for name, _ in _NAME.findall(expression)}
    endings = ("", "_total", "_bucket", "_count")
    for family in families:
        # When a counter began says nothing to a person.
        if family.name.startswith(_OURS) and not family.name.endswith("_created"):
            assert looked_at & {f"{family.name}{ending}" for ending in endings}, family.name


def test_labels_come_from_closed_sets(families: list[Metric]) -> None:
    for family in families:
        for sample in family.samples if family.name.startswith(_OURS) else ():
            for label, value in sample.labels.items():
                if label != "le":
                    assert value in _CLOSED[label], (sample.name, label, value)


def test_autoscalers_ask_for_what_the_adapter_makes() -> None:
    adapter = yaml.safe_load((ROOT / "k8s/components/autoscaling/adapter-values.yaml").read_text())
    made = set()
    for rule in adapter["rules"]["custom"]:
        series = rule["seriesQuery"].partition("{")[0]
        made.add(series.replace("_total", "_per_second"))
    made |= {rule["name"]["as"] for rule in adapter["rules"]["external"]}
    for folder in ("autoscaling", "autoscaling-workers"):
        for file in sorted((ROOT / "k8s" / "components" / folder).glob("*.yaml")):
            content = yaml.safe_load(file.read_text())
            if content.get("kind") == "HorizontalPodAutoscaler":
                own = content["spec"]["metrics"][0]
                assert own[own["type"].lower()]["metric"]["name"] in made


def test_keda_asks_about_consumers_that_there_are(families: list[Metric]) -> None:
    there = {
        (sample.labels["stream"], sample.labels["queue"])
        for family in families
        if family.name == "shuangkou_nats_work_pending"
        for sample in family.samples
    }
    accounts = re.findall(r"^  (\w+):? \{$", (ROOT / "k8s/base/nats/users.conf").read_text(), re.MULTILINE)
    for name in ("ai-player", "scoring"):
        scaler = yaml.safe_load((ROOT / "k8s/components/keda" / f"{name}.yaml").read_text())
        (trigger,) = scaler["spec"]["triggers"]
        asked_about = trigger["metadata"]
        assert (asked_about["stream"], asked_about["consumer"]) in there
        assert asked_about["account"] in accounts
        sharded = yaml.safe_load((ROOT / "k8s/components/keda-shards" / f"{name}.yaml").read_text())
        assert [each["metadata"] | {"lagThreshold": ""} for each in sharded["spec"]["triggers"]] == [
            asked_about | {"stream": shard.stream, "lagThreshold": ""} for shard in shards(4)
        ]
