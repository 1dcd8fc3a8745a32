"""Several matchmaking replicas on one bucket, and what crashes leave behind."""

from __future__ import annotations

import asyncio
import time
from collections import Counter

import grpc
import pytest

from kit.keys import Keys
from kit.ports import free_port
from kit.queueing import Club, Player, matches_published, refused
from kit.service_process import Launcher, ServiceProcess, refusal_in
from kit.tickets import one_table, ticket_of
from kit.waiting import eventually
from shuangkou.chassis.auth import TokenFile
from shuangkou.chassis.clients import ServiceClient
from shuangkou.chassis.nats import Bus, NewMessage, append, ensure_stream
from shuangkou.matchmaking.bucket import Bucket, bucket_stream
from shuangkou.matchmaking.claim import names_of
from shuangkou.matchmaking.desk import ClaimDesk
from shuangkou.matchmaking.record import Terms, write
from shuangkou.matchmaking.tables import Tables
from shuangkou.matchmaking.unit import Queued
from shuangkou.v1.events_pb2 import TableMatched
from shuangkou.v1.matchmaking_pb2 import (
    TICKET_STATE_CANCELLED,
    TICKET_STATE_MATCHED,
    TICKET_STATE_WAITING,
    Claim,
    PlayerRecord,
    Ticket,
)
from shuangkou.wire.streams import matches_stream

ASKING_NOBODY = {"ready_check_seconds": "0"}


async def all_seated(players: list[Player]) -> dict[str, Ticket]:
    """Everybody's ticket once all are matched."""

    async def tickets() -> dict[str, Ticket]:
        found = await asyncio.gather(*(player.ticket() for player in players))
        left = [ticket for ticket in found if ticket.state != TICKET_STATE_MATCHED]
        assert not left, f"{len(left)} not seated, the first: {left[0]}"
        return {ticket.player_id: ticket for ticket in found}

    seated: dict[str, Ticket] = await eventually(tickets, within=40)
    return seated


async def check_tables(bus: Bus, seated: dict[str, Ticket]) -> None:
    """Every player sits once, at the table and on the seat of the ticket, and every table was told once."""
    matched = await matches_published(bus)
    assert len({match.table_id for match in matched}) == len(matched)
    people = [name for match in matched for name in match.players if not name.startswith("bot:")]
    assert sorted(people) == sorted(seated)
    places = {(match.table_id, seat): name for match in matched for seat, name in enumerate(match.players)}
    assert all(places[ticket.table_id, ticket.seat] == name for name, ticket in seated.items())


async def test_forty_players_at_three_replicas_make_ten_tables(
    launcher: Launcher, engine: ServiceProcess, club: Club, bus: Bus
) -> None:
    replicas = await launcher.start_all("matchmaking", 3, engine_target=engine.target, **ASKING_NOBODY)
    players = await club.players(40, *replicas)
    await asyncio.gather(*(player.queue() for player in players))
    seated = await all_seated(players)
    assert sorted(Counter(ticket.table_id for ticket in seated.values()).values()) == [4] * 10
    await check_tables(bus, seated)


async def test_a_replica_that_is_killed_leaves_nobody_behind(
    launcher: Launcher, engine: ServiceProcess, club: Club, bus: Bus
) -> None:
    settings = ASKING_NOBODY | {"engine_target": engine.target, "claim_patience_seconds": "1"}
    victim, survivor = await launcher.start_all("matchmaking", 2, **settings)
    players = await club.players(40, survivor)
    await asyncio.gather(*(player.queue() for player in players[:20]))
    victim.kill()
    await asyncio.gather(*(player.queue() for player in players[20:]))
    await check_tables(bus, await all_seated(players))


async def claim_by_hand(bus: Bus, died_after: str) -> Claim:
    """What a replica leaves that dies right after its claim of three tickets."""
    await ensure_stream(bus, bucket_stream(1))
    await ensure_stream(bus, matches_stream(1))
    bucket, terms = Bucket(bus), Terms(60, 1000)
    desk = ClaimDesk(bucket, terms, ("plain",), 0, 60_000)
    now_ms = time.time_ns() // 1_000_000
    waiting = []
    for number in range(3):
        ticket = ticket_of(f"p{number}", number, ticket_id="t", created_ms=now_ms, bots_at_ms=1)
        record = PlayerRecord(player_id=ticket.player_id, ticket=ticket)
        [sequence] = await bucket.put([write(record, 0, terms)])
        waiting.append(Queued(sequence, record))
    [taken] = await desk.take([one_table(*waiting)], now_ms)
    if died_after != "claim":
        case = await desk.look(taken.claim.claim_id)
        assert case is not None
        await desk.mark_opening(case)
    return taken.claim


@pytest.mark.parametrize("died_after", ["claim", "marking", "opening", "telling"])
async def test_what_a_dead_replica_left_behind_is_finished(
    launcher: Launcher, engine: ServiceProcess, club: Club, bus: Bus, keys: Keys, died_after: str
) -> None:
    """Two others may find it at the same time."""
    claim = await claim_by_hand(bus, died_after)
    table_id = ""
    if died_after in ("opening", "telling"):
        client = ServiceClient(engine.target, TokenFile(keys.service_token_file("matchmaking")))
        table_id = await Tables(client).open(claim)
        await client.close()
    if died_after == "telling":
        told = TableMatched(table_id=table_id, ruleset_id="qq", players=names_of(claim))
        await append(bus, NewMessage(f"match.qq.{table_id}", told.SerializeToString()))
    settings = ASKING_NOBODY | {"engine_target": engine.target, "claim_patience_seconds": "0.3"}
    replicas = await launcher.start_all("matchmaking", 2, **settings)
    players = await club.players(3, *replicas)
    seated = await all_seated(players)
    assert len({ticket.table_id for ticket in seated.values()} | ({table_id} - {""})) == 1
    await check_tables(bus, seated)
    assert await refused(players[0].queue("next")) == "match/already_seated"


async def test_players_wait_in_the_queue_for_an_engine_that_is_away(
    launcher: Launcher, club: Club, bus: Bus
) -> None:
    """What was claimed goes back, nothing is claimed any more, and whoever likes takes the ticket back."""
    address = f"127.0.0.1:{free_port()}"
    engine = await launcher.start("engine", grpc_address=address)
    settings = ASKING_NOBODY | {"engine_target": address, "claim_patience_seconds": "0.5"}
    replica = await launcher.start("matchmaking", **settings)
    players = await club.players(9, replica)
    made = await players[0].queue()
    engine.kill()
    await asyncio.gather(*(player.queue() for player in players[1:]))

    async def waiting() -> bool:
        tickets = [await player.ticket() for player in players]
        has_returned = sum(ticket.returns for ticket in tickets) >= 4
        return has_returned and all(ticket.state == TICKET_STATE_WAITING for ticket in tickets)

    await eventually(waiting, within=30)
    assert (await players[0].ticket()).created_ms == made.created_ms
    await players[8].cancel()
    await launcher.start("engine", grpc_address=address)
    await check_tables(bus, await all_seated(players[:8]))


async def test_tables_are_opened_by_whichever_engine_is_left(
    launcher: Launcher, club: Club, bus: Bus
) -> None:
    engines = await launcher.start_all("engine", 2)
    target = "ipv4:" + ",".join(engine.target for engine in engines)
    replica = await launcher.start("matchmaking", engine_target=target, **ASKING_NOBODY)
    players = await club.players(16, replica)
    await asyncio.gather(*(player.queue() for player in players[:8]))
    engines[0].kill()
    await asyncio.gather(*(player.queue() for player in players[8:]))
    await check_tables(bus, await all_seated(players))


async def test_a_player_gets_one_ticket_however_often_it_asks_at_once(
    launcher: Launcher, engine: ServiceProcess, club: Club
) -> None:
    replicas = await launcher.start_all("matchmaking", 2, engine_target=engine.target, **ASKING_NOBODY)
    doubles = [await club.player("alice", replica) for replica in replicas]

    async def ask(number: int) -> str:
        try:
            return (await doubles[number % 2].queue(f"t{number // 2}", people_only=True)).ticket_id
        except grpc.aio.AioRpcError as error:
            return refusal_in(error)[1]

    answers = Counter(await asyncio.gather(*(ask(number) for number in range(8))))
    [ticket_id] = set(answers) - {"match/already_queued"}
    assert answers == {ticket_id: 2, "match/already_queued": 6}


async def test_a_cancel_either_wins_or_comes_too_late(
    launcher: Launcher, engine: ServiceProcess, club: Club, bus: Bus
) -> None:
    replicas = await launcher.start_all("matchmaking", 2, engine_target=engine.target, **ASKING_NOBODY)
    for number in range(12):
        # Whoever was seated cannot queue again.
        ticket_id, players = (
            f"t{number}",
            [await club.player(f"p{number}.{n}", replicas[n % 2]) for n in range(4)],
        )
        await asyncio.gather(*(player.queue(ticket_id) for player in players[:3]))
        if number % 2:
            # The fourth is there: the cancel races with the claims of both replicas.
            await players[3].queue(ticket_id)
            [taken_back] = await asyncio.gather(players[0].cancel(ticket_id), return_exceptions=True)
        else:
            both = players[0].cancel(ticket_id), players[3].queue(ticket_id)
            taken_back, _ = await asyncio.gather(*both, return_exceptions=True)
        if isinstance(taken_back, grpc.aio.AioRpcError):
            assert refusal_in(taken_back)[1] == "match/not_waiting"
            shown = [(await player.watch(ticket_id))[-1] for player in players]
            assert len({ticket.table_id for ticket in shown}) == 1
        else:
            assert (await players[0].ticket(ticket_id)).state == TICKET_STATE_CANCELLED
            rest = [await player.cancel(ticket_id) for player in players[1:]]
            assert [ticket.state for ticket in rest] == [TICKET_STATE_CANCELLED] * 3


async def test_a_broker_that_restarts_interrupts_matching_only(
    launcher: Launcher, engine: ServiceProcess, club: Club, bus: Bus
) -> None:
    replicas = await launcher.start_all("matchmaking", 2, engine_target=engine.target, **ASKING_NOBODY)
    players = await club.players(8, *replicas)
    await asyncio.gather(*(player.queue() for player in players[:3]))
    launcher.nats_server.restart()

    async def queued() -> bool:
        calls = [player.queue() for player in players[3:]]
        answers = await asyncio.gather(*calls, return_exceptions=True)
        return not any(isinstance(answer, BaseException) for answer in answers)

    await eventually(queued, within=30)
    await check_tables(bus, await all_seated(players))
