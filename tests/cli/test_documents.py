"""What is written for people keeps up with what there is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from shuangkou.rules.ruleset import available, load
from shuangkou.v1 import events_pb2

ROOT = Path(__file__).parents[2]
EVENTS = (ROOT / "docs" / "events.md").read_text()
FAMILIES = {load(id).family for id in available()}
SECRETS_OF_TOKENS = ("engine-token", "matchmaking-token", "ai-player-token", "scoring-token")
README = (ROOT / "README.md").read_text()


@pytest.mark.parametrize("event", [field.name for field in events_pb2.Event.DESCRIPTOR.fields])
def test_every_event_is_described(event: str) -> None:
    rows = [line for line in EVENTS.splitlines() if re.match(rf"\| [^|]*`{event}`", line)]
    assert 1 <= len(rows) <= len(FAMILIES), rows
    assert all(len(row.split("|")[2].split()) > 2 for row in rows)


def test_no_event_is_described_that_there_is_not() -> None:
    told = re.findall(
        r"`([a-z_]+)`", "".join(line.split("|")[1] for line in EVENTS.splitlines() if "|" in line)
    )
    assert set(told) == set(events_pb2.Event.DESCRIPTOR.fields_by_name)


@pytest.mark.parametrize("message", ["Commit", "SettlementStored", "RatingsChanged", "TableMatched"])
def test_every_payload_of_the_stream_is_named(message: str) -> None:
    assert re.search(rf"\| `events\.\w+\.[^|]*\| `{message}` \|", EVENTS)


def test_every_phase_of_a_deal_is_named() -> None:
    phases = [name.removeprefix("DEAL_PHASE_").lower() for name in events_pb2.DealPhase.keys()[1:]]
    assert all(f"`{phase}` " in EVENTS for phase in phases)


@pytest.mark.parametrize("ruleset_id", available())
def test_a_newcomer_finds_every_game_in_the_readme(ruleset_id: str) -> None:
    name = load(ruleset_id).name_zh.partition("（")[0]
    assert re.search(rf"^\|.*`{ruleset_id}` {name}", README, re.MULTILINE)


def test_a_newcomer_finds_every_component_and_every_secret_of_the_cluster() -> None:
    readme = (ROOT / "k8s" / "README.md").read_text()
    for component in (ROOT / "k8s" / "components").iterdir():
        assert f"| `{component.name}` |" in readme
    manifests = "".join(file.read_text() for file in (ROOT / "k8s").rglob("*.yaml"))
    named = set(re.findall(r"(?:secretName:|secretKeyRef:\s+name:|secret:\s+name:) ([\w-]+)", manifests))
    assert len(named) > len(SECRETS_OF_TOKENS)
    assert {secret for secret in named if f"`{secret}`" not in readme} == set()
