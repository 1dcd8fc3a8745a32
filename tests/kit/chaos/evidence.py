"""What a suite holds at the end of a run: read from the broker, and asked of the scoring service."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

import grpc
from prometheus_client import CollectorRegistry

from kit.chaos.history import History, Stored
from kit.chaos.processes import Processes
from kit.keys import Keys
from kit.waiting import eventually
from shuangkou.chassis.channels import CHANNEL_OPTIONS, target_of
from shuangkou.chassis.nats import Bus, Server, connect, read
from shuangkou.v1.events_pb2 import Commit, SecretCommit, SettlementStored, TableMatched
from shuangkou.v1.scoring_pb2 import ListSettlementsRequest
from shuangkou.v1.scoring_pb2_grpc import ScoringServiceStub

_ENGINES_OWN = ("TABLES", "TIMERS")
_PAGE = 500
_CALL_SECONDS = 20.0
M = TypeVar("M", Commit, SecretCommit, SettlementStored, TableMatched)
Raw = list[tuple[str, bytes]]


async def what_is_stored(
    processes: Processes, keys: Keys, history: History, patience_seconds: float
) -> Stored:
    """Everything of the run's tables, once what follows from the log has had time to follow."""
    bus = await connect(Server(processes.cluster.url), "checker", CollectorRegistry())
    try:
        streams: list[str] = (await bus.api("STREAM.NAMES", {}))["streams"]
        log = [each for name in streams if name.startswith("TABLES") for each in await _all(bus, name)]
        commits = [each for each in log if ".public." in each[0]]
        await _has_followed(bus, len(commits), _ended(commits), patience_seconds)
        rest = {name: await _all(bus, name) for name in streams if not name.startswith(_ENGINES_OWN)}
        return Stored(
            commits=_by_table(Commit.FromString, commits),
            secrets=_by_table(SecretCommit.FromString, (each for each in log if each[0].endswith(".secret"))),
            events=_by_table(Commit.FromString, _under("events.table.", rest.get("EVENTS", []))),
            settlements=_by_table(SettlementStored.FromString, _under("score.", rest.get("SCORES", []))),
            ledger=await _ledger(processes, keys),
            matches=_by_table(TableMatched.FromString, rest.get("MATCHES", [])),
            public=[*commits, *(each for raw in rest.values() for each in raw)],
        )
    finally:
        await bus.close()


async def _all(bus: Bus, stream: str) -> Raw:
    return [(message.subject, message.payload) async for message in read(bus, stream, ">")]


def _ended(commits: Raw) -> int:
    return sum(subject.endswith(".score") for subject, _ in commits)


def _under(prefix: str, raw: Raw) -> Raw:
    return [each for each in raw if each[0].startswith(prefix)]


async def _has_followed(bus: Bus, commits: int, ended: int, within: float) -> None:
    async def followed() -> bool:
        events, scores = await _all(bus, "EVENTS"), _under("score.", await _all(bus, "SCORES"))
        return len(_under("events.table.", events)) >= commits and len(scores) >= ended

    try:
        await eventually(followed, within)
    except AssertionError:
        # The checker says of which table.
        return


async def _ledger(processes: Processes, keys: Keys) -> Mapping[str, list[SettlementStored]]:
    metadata = (("authorization", f"Bearer {keys.service('checker')}"),)
    target = target_of(processes.addresses("scoring"))
    found: dict[str, list[SettlementStored]] = defaultdict(list)
    async with grpc.aio.insecure_channel(target, options=CHANNEL_OPTIONS) as channel:
        scoring = ScoringServiceStub(channel)
        token = None
        while token != "":
            request = ListSettlementsRequest(page_size=_PAGE, page_token=token or "")
            answer = await scoring.ListSettlements(request, metadata=metadata, timeout=_CALL_SECONDS)
            for settlement in answer.settlements:
                found[settlement.table_id].append(settlement)
            token = answer.next_page_token
    return found


def _by_table(parse: Callable[[bytes], M], raw: Iterable[tuple[str, bytes]]) -> Mapping[str, list[M]]:
    found: dict[str, list[M]] = defaultdict(list)
    for _, payload in raw:
        message = parse(payload)
        found[message.table_id].append(message)
    return found
