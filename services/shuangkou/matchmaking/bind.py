"""The composition root of the matchmaking service."""

from __future__ import annotations

from functools import partial

from shuangkou.chassis.app import App
from shuangkou.chassis.nats import check_stream, ensure_streams
from shuangkou.matchmaking.bucket import Bucket, bucket_stream
from shuangkou.matchmaking.desk import ClaimDesk
from shuangkou.matchmaking.matching import Matching
from shuangkou.matchmaking.matchmaker import Matchmaker
from shuangkou.matchmaking.metrics import MatchmakingMetrics
from shuangkou.matchmaking.mirror import Mirror
from shuangkou.matchmaking.opener import Opener, Outside
from shuangkou.matchmaking.queue import TicketQueue
from shuangkou.matchmaking.ratings import Ratings
from shuangkou.matchmaking.record import Terms
from shuangkou.matchmaking.room_desk import RoomDesk
from shuangkou.matchmaking.room_service import RoomService
from shuangkou.matchmaking.rulesets import KnownRulesets
from shuangkou.matchmaking.seats import TableSeats, ending_commits
from shuangkou.matchmaking.service import MatchmakingService
from shuangkou.matchmaking.settings import MatchmakingSettings
from shuangkou.matchmaking.tables import Tables
from shuangkou.matchmaking.wait_notes import WaitNotes
from shuangkou.matchmaking.wishes import Wishes
from shuangkou.v1.matchmaking_pb2_grpc import add_MatchmakingServiceServicer_to_server
from shuangkou.v1.rooms_pb2_grpc import add_RoomServiceServicer_to_server
from shuangkou.wire.streams import WHOLE, shards, wrong_spread


async def bind(app: App[MatchmakingSettings]) -> None:
    """Follow the tickets, serve players and rooms, match, and free seats when their tables end."""
    settings = app.settings
    check = partial(check_stream, app.bus, WHOLE.stream, wrong_spread(settings.table_shards))
    await check()
    await ensure_streams(app.bus, (bucket_stream(settings.stream_replicas),))
    tables = Tables(app.client(settings.engine_target))
    rulesets = KnownRulesets(tables)
    metrics = MatchmakingMetrics(app.registry)
    store = Bucket(app.bus)
    terms = Terms(settings.ended_ticket_seconds, _ms(settings.unready_pause_seconds))
    idle_ms = _ms(settings.room_idle_seconds)
    seats = TableSeats(store, tables, terms, idle_ms)
    queue = TicketQueue(store, terms, seats)
    desk = ClaimDesk(store, terms, settings.personas, _ms(settings.ready_check_seconds), idle_ms)
    mirror = Mirror(app.bus, store)
    waits = WaitNotes(store)
    opener = Opener(Outside(app.bus, desk, tables, metrics, waits), mirror, settings.claim_patience_seconds)
    app.in_background("tickets", mirror.follow())
    app.in_background("opener", opener.run())
    app.in_background("waits", waits.run())
    matchmaker = Matchmaker(Matching(desk, mirror, queue), mirror, opener)
    app.in_background("matchmaker", matchmaker.run(metrics, rulesets))
    for shard in shards(settings.table_shards):
        app.work_on(ending_commits(shard), seats.on_commit, check)
    ratings = Ratings(app.client(settings.scoring_target) if settings.scoring_target else None)
    wishes = Wishes(rulesets, ratings, _ms(settings.rematch_seconds))
    app.serve(add_MatchmakingServiceServicer_to_server, MatchmakingService(queue, mirror, wishes))
    room_desk = RoomDesk(store, queue, tables, idle_ms, settings.room_link, opener.own)
    rooms = RoomService(room_desk, mirror, wishes, settings.personas)
    app.serve(add_RoomServiceServicer_to_server, rooms)


def _ms(seconds: float) -> int:
    return int(seconds * 1000)
