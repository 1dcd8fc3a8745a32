"""Processes die and freeze and messages go astray, as a seed has it."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from kit.chaos.history import History
from kit.chaos.processes import WORKERS, Processes
from kit.nats import NatsServer
from kit.nats_proxy import DOUBLED, LOST, Fate, Kind

_LONGEST_FREEZE_SECONDS = 2.5
_LONGEST_DELAY_SECONDS = 4.0
"""Longer than engines wait for the answer to an append."""
_LONGEST_OUTAGE_SECONDS = 0.5
_OF_LEADER = 0.7
"""So much of the mishaps of a cluster strike its leader."""
_OF_SERVICES = {
    "kill engine": 8,
    "freeze engine": 3,
    **{f"kill {worker}": 2 for worker in WORKERS},
    **{f"freeze {worker}": 1 for worker in WORKERS},
}
_OF_MESSAGES = {
    f"{verb} {kind.value}": 2 for verb in ("lose", "double", "delay") for kind in (Kind.PUBLISH, Kind.ANSWER)
} | {f"{verb} {Kind.DELIVERY.value}": 1 for verb in ("lose", "double", "delay")}
_OF_BROKER = {"kill broker": 1, "stop broker": 1, "freeze broker": 1}

MISHAPS = {**_OF_SERVICES, **_OF_MESSAGES, **_OF_BROKER}
"""What may happen, and how often beside the others. In a cluster the broker is mostly its leader."""

_PARTS = {
    "engine": ("table.", "table.", "timer."),
    "ai_player": ("$JS.ACK.TABLES",),
    "scoring": ("score.", "$JS.ACK.TABLES"),
    "matchmaking": ("$KV.tickets", "match."),
}
_DELIVERED = {
    "engine": ("live.", "live.", "due."),
    "ai_player": ("table.",),
    "scoring": ("table.",),
    "matchmaking": ("changed.tickets",),
}


@dataclass(frozen=True, slots=True)
class Weather:
    """For how long, which mishaps (all by default), and how long it may be calm between two. Seconds."""

    seconds: float
    mishaps: tuple[str, ...] = ()
    longest_calm: float = 1.0
    longest_outage: float = _LONGEST_OUTAGE_SECONDS


class Storm:
    """Blows until it is told to end; ``counts`` says what it did."""

    def __init__(self, processes: Processes, history: History, chance: Random, weather: Weather) -> None:
        self.counts: Counter[str] = Counter()
        self._processes = processes
        self._history = history
        self._chance = chance
        self._weather = weather
        wanted = weather.mishaps or tuple(MISHAPS)
        self._weights = {kind: weight for kind, weight in MISHAPS.items() if kind in wanted}

    async def blow(self) -> None:
        """One mishap after the other; everything runs again at the end."""
        until = time.monotonic() + self._weather.seconds
        kinds, weights = list(self._weights), list(self._weights.values())
        while time.monotonic() < until:
            await asyncio.sleep(self._chance.uniform(0.05, 1) * self._weather.longest_calm)
            what = self._chance.choices(kinds, weights)[0]
            self.counts[what] += 1
            await self._do(*what.split())
        await self._processes.serving()

    async def _do(self, verb: str, whom: str) -> None:
        match verb, whom:
            case (("kill" | "stop"), "broker"):
                await self._lose_broker(is_asked=verb == "stop")
            case "freeze", "broker":
                with (await self._node(is_leader=self._chance.random() < _OF_LEADER)).frozen():
                    await asyncio.sleep(self._chance.uniform(0.1, _LONGEST_FREEZE_SECONDS))
            case "kill", _:
                if whom == "engine":
                    self._history.deaths.append(time.monotonic())
                await self._processes.kill(self._one(whom))
            case "freeze", _:
                with self._processes.services[self._one(whom)].frozen():
                    await asyncio.sleep(self._chance.uniform(0.1, _LONGEST_FREEZE_SECONDS))
            case _:
                self._meddle(verb, Kind(whom))

    async def _lose_broker(self, is_asked: bool) -> None:
        """Killed as by a crash, or asked to stop as for an upgrade."""
        is_leader = self._chance.random() < _OF_LEADER
        node = await self._node(is_leader)
        if is_leader:
            self._history.leader_losses.append(time.monotonic())
        await asyncio.to_thread(node.stop if is_asked else node.kill)
        await asyncio.sleep(self._chance.uniform(0, self._weather.longest_outage))
        await asyncio.to_thread(node.start)

    async def _node(self, is_leader: bool) -> NatsServer:
        """The one that leads the stream of tables, if asked for and known, or one that follows."""
        cluster = self._processes.cluster
        leader = await cluster.leader("TABLES") or cluster.nodes[0]
        others = [node for node in cluster.nodes if node is not leader]
        return leader if is_leader or not others else self._chance.choice(others)

    def _meddle(self, verb: str, kind: Kind) -> None:
        name = self._chance.choice(list(self._processes.services))
        parts = (_DELIVERED if kind is Kind.DELIVERY else _PARTS)[name.partition("-")[0]]
        fates: dict[str, Callable[[], Fate]] = {
            "lose": lambda: LOST,
            "double": lambda: DOUBLED,
            "delay": lambda: Fate(after_seconds=self._chance.uniform(0.05, _LONGEST_DELAY_SECONDS)),
        }
        self._processes.proxies[name].ask(kind, self._chance.choice(parts), fates[verb]())

    def _one(self, service: str) -> str:
        names: Sequence[str] = self._processes.engines if service == "engine" else (service,)
        return self._chance.choice(names)
