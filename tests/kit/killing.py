"""A matchmaking process that is killed at a chosen moment between a claim and its table."""

from __future__ import annotations

import time
from dataclasses import dataclass

from kit.nats_proxy import NatsProxy
from kit.queueing import Club, Player
from kit.service_process import Launcher, ServiceProcess
from kit.waiting import eventually
from shuangkou.v1.matchmaking_pb2 import TICKET_STATE_MATCHED, TICKET_STATE_READY_CHECK, Ticket

CLAIMED, MARKED = "claimed", "marked"
"""Right after the tickets were claimed; right after the claim was marked as opening."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Where it happens. The victim alone reaches the broker through ``proxy``; ``survivor`` looks on."""

    launcher: Launcher
    club: Club
    proxy: NatsProxy
    engine: ServiceProcess
    survivor: ServiceProcess


@dataclass(frozen=True, slots=True)
class LeftBehind:
    """Four players whose claim lost its maker, as tickets when they were made, and when that was."""

    players: list[Player]
    made: list[Ticket]
    killed_at: float

    async def seated(self) -> list[Ticket]:
        """Their tickets once all have a table."""
        return [await player.in_state(TICKET_STATE_MATCHED) for player in self.players]


async def kill_matchmaker(scene: Scene, moment: str, names: str, with_engine: bool = False) -> LeftBehind:
    """Four players queue, and the process that serves them dies at this moment by SIGKILL.

    The broker has stored its last write, but its answer never arrives: nothing was done after it. The
    survivor stands still until then. ``with_engine``: so dies the engine.
    """
    settings = {"engine_target": scene.engine.target, "nats_url": scene.proxy.url}
    asks = {"ready_check_seconds": "60" if moment == MARKED else "0"}
    victim = await scene.launcher.start("matchmaking", **settings, **asks)
    four = [f"{names}{number}" for number in range(4)]
    players = [await scene.club.player(name, victim) for name in four]
    lost = len(scene.proxy.lost)
    with scene.survivor.frozen():
        made = [await player.queue(people_only=True, region=names) for player in players[:3]]
        if moment == CLAIMED:
            scene.proxy.lose_answer("tickets.claim.")
            made.append(await players[3].queue(people_only=True, region=names))
        else:
            made.append(await players[3].queue(people_only=True, region=names))
            for player in players:
                await player.in_state(TICKET_STATE_READY_CHECK)
            scene.proxy.lose_answer("tickets.claim.")
            for player in players:
                await player.answer()
        await eventually(lambda: len(scene.proxy.lost) > lost, within=60)
        victim.kill()
        if with_engine:
            scene.engine.kill()
        killed_at = time.monotonic()
    here = [await scene.club.player(name, scene.survivor) for name in four]
    return LeftBehind(here, made, killed_at)
