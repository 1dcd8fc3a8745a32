"""TableService over gRPC."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

import grpc

from shuangkou.chassis.auth import CallerKind, Identity, caller
from shuangkou.chassis.errors import PermissionDenied
from shuangkou.engine.acts import Acts, Permission, Request
from shuangkou.engine.boundary import (
    actor_of,
    check_plays_seat,
    command_id_of,
    command_of,
    event_of,
    fingerprint_of,
    invitation_of,
    new_table_id,
    opening_of,
    ruleset_of,
    seat_of,
    table_id_of,
)
from shuangkou.engine.clock import now_ms
from shuangkou.engine.commands import HostSeat, ReclaimSeat, SeatCommand, TakeSeat
from shuangkou.engine.privacy import check_may_invite, check_may_see
from shuangkou.engine.refusals import refused_as
from shuangkou.engine.streams import Streams
from shuangkou.engine.table import Table
from shuangkou.engine.tables import Tables, prepare
from shuangkou.engine.views import seat_view
from shuangkou.engine.warm import WarmTable
from shuangkou.engine.watchers import SPECTATOR, Viewer
from shuangkou.rules.commands import Forfeit
from shuangkou.rules.decider import decider_for
from shuangkou.rules.match_events import available_events, load_event
from shuangkou.rules.ruleset import available, load
from shuangkou.rules.seats import Seat
from shuangkou.v1 import table_pb2, table_pb2_grpc
from shuangkou.wire.families import codec_for
from shuangkou.wire.match_events import match_event_to_wire
from shuangkou.wire.rulesets import ruleset_to_wire

Context = grpc.aio.ServicerContext[Any, Any]

_PLAYS_LISTED = 200
_MOST_PLAYS_LISTED = 2000


class TableServicer(table_pb2_grpc.TableServiceServicer):
    """Checks who calls and what they send, and hands on."""

    def __init__(self, tables: Tables, acts: Acts, streams: Streams) -> None:
        self._tables = tables
        self._acts = acts
        self._streams = streams

    async def CreateTable(  # noqa: N802  # gRPC's name
        self, request: table_pb2.CreateTableRequest, _context: Context
    ) -> table_pb2.CreateTableResponse:
        """Open a table; its first deal starts as soon as all seats are taken."""
        who = actor_of(caller())
        command_id = command_id_of(request.command_id)
        ruleset = ruleset_of(request.ruleset_id, dict(request.options))
        opening = opening_of(request, ruleset, who)
        await prepare(ruleset)
        table_id = new_table_id(who.subject, command_id)
        asked = Request(
            table_id,
            (who.subject, command_id),
            opening,
            fingerprint_of(opening, ruleset),
            permission=lambda _: False,
            arrived_ms=now_ms(),
        )
        done = await self._acts.open(asked, ruleset)
        return table_pb2.CreateTableResponse(table_id=table_id, version=done.version)

    async def Act(  # noqa: N802  # gRPC's name
        self, request: table_pb2.ActRequest, _context: Context
    ) -> table_pb2.ActResponse:
        """Perform one command of a seat."""
        arrived_ms = now_ms()
        who = actor_of(caller())
        command = command_of(request, who)
        asked = Request(
            table_id=table_id_of(request.table_id),
            key=(who.subject, command_id_of(request.command_id)),
            command=command,
            fingerprint=fingerprint_of(command),
            permission=_permission(command, who),
            arrived_ms=arrived_ms,
            expected_version=request.expected_version if request.HasField("expected_version") else None,
        )
        done = await self._acts.perform(asked)
        return table_pb2.ActResponse(version=done.version, already_done=done.already_done)

    async def InvitePlayers(  # noqa: N802  # gRPC's name
        self, request: table_pb2.InvitePlayersRequest, _context: Context
    ) -> table_pb2.InvitePlayersResponse:
        """Let more players see a private table."""
        who = actor_of(caller())
        command = invitation_of(request)

        def check(table: Table) -> bool:
            check_may_invite(table, who)
            return False

        asked = Request(
            table_id=table_id_of(request.table_id),
            key=(who.subject, command_id_of(request.command_id)),
            command=command,
            fingerprint=fingerprint_of(command),
            permission=check,
            arrived_ms=now_ms(),
        )
        done = await self._acts.perform(asked)
        return table_pb2.InvitePlayersResponse(version=done.version, already_done=done.already_done)

    async def GetTable(  # noqa: N802  # gRPC's name
        self, request: table_pb2.GetTableRequest, _context: Context
    ) -> table_pb2.GetTableResponse:
        """Show a table to a seat or a spectator."""
        seat = seat_of(request.seat) if request.HasField("seat") else None
        newer_than = request.at_least_version if request.HasField("at_least_version") else None
        warm = await self._seen(request.table_id, seat, newer_than)
        return table_pb2.GetTableResponse(view=seat_view(warm.table, seat))

    async def ListLegalActs(  # noqa: N802  # gRPC's name
        self, request: table_pb2.ListLegalActsRequest, _context: Context
    ) -> table_pb2.ListLegalActsResponse:
        """List what a seat may do now."""
        seat = seat_of(request.seat)
        table = (await self._seen(request.table_id, seat)).table
        acts = decider_for(table.ruleset).legal_acts(table.match, seat)
        limit = min(request.limit or _PLAYS_LISTED, _MOST_PLAYS_LISTED)
        answer = codec_for(table.ruleset).legal_acts_to_wire(acts, limit)
        answer.version = table.version
        return answer

    async def WatchTable(  # noqa: N802  # gRPC's name
        self, request: table_pb2.WatchTableRequest, _context: Context
    ) -> AsyncIterator[table_pb2.WatchTableResponse]:
        """Stream a table to a seat or a spectator."""
        seat = seat_of(request.seat) if request.HasField("seat") else None
        warm = await self._seen(request.table_id, seat)
        after = request.after_version if request.HasField("after_version") else None
        if after is not None:
            _check_reached(warm.table, after)
        async for response in self._streams.watch(warm, _viewer(seat, caller()), after):
            yield response

    async def ListRulesets(  # noqa: N802  # gRPC's name
        self, _request: table_pb2.ListRulesetsRequest, _context: Context
    ) -> table_pb2.ListRulesetsResponse:
        """List all rulesets with their options."""
        return table_pb2.ListRulesetsResponse(rulesets=[ruleset_to_wire(load(id)) for id in available()])

    async def GetRuleset(  # noqa: N802  # gRPC's name
        self, request: table_pb2.GetRulesetRequest, _context: Context
    ) -> table_pb2.GetRulesetResponse:
        """Show one ruleset with its options, its combinations, and what a deal is worth."""
        ruleset = ruleset_of(request.ruleset_id, {})
        message = ruleset_to_wire(ruleset)
        await asyncio.to_thread(codec_for(ruleset).put_rulebook, message, ruleset)
        return table_pb2.GetRulesetResponse(ruleset=message)

    async def ListMatchEvents(  # noqa: N802  # gRPC's name
        self, _request: table_pb2.ListMatchEventsRequest, _context: Context
    ) -> table_pb2.ListMatchEventsResponse:
        """List all events with their options."""
        events = [match_event_to_wire(load_event(id)) for id in available_events()]
        return table_pb2.ListMatchEventsResponse(events=events)

    async def GetMatchEvent(  # noqa: N802  # gRPC's name
        self, request: table_pb2.GetMatchEventRequest, _context: Context
    ) -> table_pb2.GetMatchEventResponse:
        """Show one event with its options."""
        return table_pb2.GetMatchEventResponse(event=match_event_to_wire(event_of(request.event_id)))

    async def _seen(self, table_id: str, seat: Seat | None, at_least_version: int | None = None) -> WarmTable:
        """The table as the log has it, or any state that is new enough for the caller, who may see it so."""
        who = caller()
        warm = await self._tables.get(table_id_of(table_id))
        if at_least_version is not None and warm.table.version >= at_least_version:
            with suppress(PermissionDenied):
                _check_sees(warm.table, seat, who)
                return warm
        async with warm.lock:
            await self._tables.catch_up(warm)
            _check_sees(warm.table, seat, who)
            await self._acts.credit(warm)
        if at_least_version is not None:
            _check_reached(warm.table, at_least_version)
        return warm


def _viewer(seat: Seat | None, who: Identity) -> Viewer:
    if seat is None:
        return SPECTATOR
    return Viewer(player_id=who.subject) if who.kind is CallerKind.PLAYER else Viewer(bot_seat=seat)


def _permission(command: SeatCommand, who: Identity) -> Permission:
    def check(table: Table) -> bool:
        check_may_see(table, who)
        if isinstance(command, _BY_PEOPLE) and who.kind is not CallerKind.PLAYER:
            explanation = "only a person may take a seat, have it hosted, reclaim it or leave it"
            raise refused_as("seat/not_yours", explanation, seat=command.seat)
        if isinstance(command, TakeSeat):
            return True
        return check_plays_seat(table, command.seat, who)

    return check


_BY_PEOPLE = (TakeSeat, HostSeat, ReclaimSeat, Forfeit)


def _check_sees(table: Table, seat: Seat | None, who: Identity) -> None:
    check_may_see(table, who)
    if seat is not None:
        check_plays_seat(table, seat, who)


def _check_reached(table: Table, version: int) -> None:
    if table.version < version:
        explanation = f"the table is at version {table.version}, not yet at {version}"
        raise refused_as("state/version_ahead", explanation, head_version=table.version)
