"""The composition root of the matchmaking service."""

from __future__ import annotations

from shuangkou.chassis.app import App
from shuangkou.chassis.nats import ensure_streams
from shuangkou.matchmaking.bucket import Bucket, bucket_stream
from shuangkou.matchmaking.matchmaker import Matchmaker
from shuangkou.matchmaking.metrics import MatchmakingMetrics
from shuangkou.matchmaking.mirror import Mirror
from shuangkou.matchmaking.opener import Opener, Outside
from shuangkou.matchmaking.queue import TicketQueue
from shuangkou.matchmaking.rulesets import KnownRulesets
from shuangkou.matchmaking.service import MatchmakingService
from shuangkou.matchmaking.settings import MatchmakingSettings
from shuangkou.matchmaking.tables import Tables
from shuangkou.v1.matchmaking_pb2_grpc import add_MatchmakingServiceServicer_to_server


async def bind(app: App[MatchmakingSettings]) -> None:
    """Follow the tickets, serve players, and match."""
    settings = app.settings
    replicas = settings.stream_replicas
    await ensure_streams(app.bus, (bucket_stream(replicas),))
    tables = Tables(app.client(settings.engine_target))
    rulesets = KnownRulesets(tables)
    metrics = MatchmakingMetrics(app.registry)
    bucket = Bucket(app.bus, settings.ended_ticket_seconds)
    mirror = Mirror(app.bus, bucket)
    opener = Opener(Outside(app.bus, bucket, tables, metrics), mirror, settings.claim_patience_seconds)
    matchmaker = Matchmaker(bucket, mirror, opener, settings.personas)
    app.in_background("tickets", mirror.follow())
    app.in_background("opener", opener.run())
    app.in_background("matchmaker", matchmaker.run(metrics, rulesets))
    app.serve(
        add_MatchmakingServiceServicer_to_server,
        MatchmakingService(TicketQueue(bucket), mirror, rulesets),
    )
