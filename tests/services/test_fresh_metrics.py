"""What pages somebody when it is not measured is measured as soon as a service runs, before anybody plays."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from prometheus_client import CollectorRegistry

from kit.keys import Keys
from kit.manifests import ROOT
from kit.metrics_page import exported_by
from kit.nats import NatsServer
from kit.ports import free_port
from kit.service_process import Begin, Launcher, launching
from shuangkou.ai_player.metrics import AiPlayerMetrics


@pytest.fixture
def launcher(nats_server: NatsServer, keys: Keys, tmp_path: Path, begin: Begin) -> Iterator[Launcher]:
    """Starts services on a broker of this test alone."""
    with launching(nats_server, keys, tmp_path, begin) as made:
        yield made


def missed() -> set[str]:
    """Every series whose absence an alert tells of."""
    rules = yaml.safe_load((ROOT / "deploy" / "prometheus" / "alerts.yml").read_text())
    asked = [rule["expr"] for group in rules["groups"] for rule in group["rules"]]
    return {name for expression in asked for name in re.findall(r"absent\((\w+)", expression)}


async def test_a_fresh_service_is_not_taken_for_a_missing_one(launcher: Launcher, tmp_path: Path) -> None:
    nobody = f"127.0.0.1:{free_port()}"
    fresh = [
        await launcher.start("matchmaking", engine_target=nobody),
        await launcher.start("scoring", database_url=f"sqlite:///{tmp_path}/ledger.db"),
        await launcher.start("engine"),
    ]
    exported = {name for process in fresh for name in exported_by(process)}
    # An AI player serves only once its code is compiled, which takes minutes on a busy machine.
    players = CollectorRegistry()
    AiPlayerMetrics(players)
    exported |= {sample.name for family in players.collect() for sample in family.samples}
    assert missed()
    assert missed() <= exported
