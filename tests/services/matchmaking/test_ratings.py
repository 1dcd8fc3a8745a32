"""What a ticket's rating rests on: the ledger where it answers, else nothing."""

from __future__ import annotations

from pathlib import Path

from kit.keys import Keys
from kit.queueing import Club
from kit.service_process import Launcher, ServiceProcess
from kit.waiting import eventually
from shuangkou.chassis.auth import TokenFile
from shuangkou.chassis.clients import ServiceClient
from shuangkou.matchmaking.quality import UNKNOWN
from shuangkou.matchmaking.ratings import Ratings
from shuangkou.v1.matchmaking_pb2 import TICKET_STATE_MATCHED
from shuangkou.v1.table_pb2 import ActRequest, HostSeat
from shuangkou.v1.table_pb2_grpc import TableServiceStub


async def test_nobody_is_known_without_a_ledger_or_to_one_that_is_away(keys: Keys) -> None:
    client = ServiceClient("127.0.0.1:1", TokenFile(keys.service_token_file("matchmaking")))
    assert await Ratings(None).of("alice", "qq") == UNKNOWN
    assert await Ratings(client).of("alice", "qq") == UNKNOWN
    await client.close()


async def test_a_ticket_has_the_rating_that_the_ledger_tells(
    launcher: Launcher, engine: ServiceProcess, club: Club, tmp_path: Path
) -> None:
    """Four people let bots play a deal for them; two of them are better for it."""
    ledger = await launcher.start("scoring", database_url=f"sqlite+aiosqlite:///{tmp_path / 'ledger.db'}")
    await launcher.start("ai_player", engine_target=engine.target)
    settings = {"engine_target": engine.target, "scoring_target": ledger.target, "ready_check_seconds": "0"}
    replica = await launcher.start("matchmaking", **settings)
    players = await club.players(4, replica)
    assert (await players[0].queue(people_only=True)).rating.mu == UNKNOWN.mu
    for player in players[1:]:
        await player.queue(people_only=True)
    for player in players:
        seated = await player.in_state(TICKET_STATE_MATCHED)
        act = ActRequest(table_id=seated.table_id, seat=seated.seat, command_id="host", host_seat=HostSeat())
        tables = TableServiceStub(club.channel(engine))
        await tables.Act(act, metadata=player.metadata, timeout=15)

    async def free() -> bool:
        return all([(await player.ticket()).is_over for player in players])

    await eventually(free, within=90)

    async def rated() -> bool:
        number = next(numbers)
        made = [await player.queue(f"next{number}", people_only=True, region="x") for player in players[:3]]
        for player in players[:3]:
            await player.cancel(f"next{number}")
        return all(ticket.rating.mu != UNKNOWN.mu for ticket in made)

    numbers = iter(range(1_000))
    await eventually(rated, within=30)
