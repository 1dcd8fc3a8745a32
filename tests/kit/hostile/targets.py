"""Tables under attack: open, before play, in play in both families, and what is known about them."""

from __future__ import annotations

from collections import defaultdict, deque
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any

import grpc
from google.protobuf.message import Message

from kit.hostile.callers import ATTACKERS
from kit.hostile.record import Record
from kit.table_clients import (
    CALL_SECONDS,
    PEOPLE,
    Caller,
    Clients,
    decline,
    new_command_id,
    play,
    seated,
)
from shuangkou.rules.match_events import available_events
from shuangkou.rules.ruleset import available, load
from shuangkou.v1.ai_pb2 import SuggestActRequest, WeighActsRequest
from shuangkou.v1.cards_pb2 import CARD_SPADE_3
from shuangkou.v1.matchmaking_pb2 import CreateTicketRequest
from shuangkou.v1.table_pb2 import (
    ActRequest,
    CreateTableRequest,
    ListLegalActsResponse,
    SeatView,
)
from shuangkou.wire.names import PERSONAS

_KEPT = 24
"""Tables that are still attacked after newer ones have come."""
_GAMES = ("qq", "sheng_basic", "bid52", "baibian", "sheng_online", "duel52", "landlord52", "sheng30")
_MOST_ACTS = 12


@dataclass(slots=True)
class Targets:
    """What hostile requests are about."""

    clients: Clients
    record: Record
    rng: Random
    tables: deque[str] = field(default_factory=lambda: deque(maxlen=_KEPT))
    command_ids: deque[str] = field(default_factory=lambda: deque(maxlen=200))
    honest: dict[str, deque[Message]] = field(default_factory=lambda: defaultdict(lambda: deque(maxlen=100)))
    _turns: int = 0

    async def renew(self) -> None:
        """A few more tables: one with open seats, one as far as its first acts lead."""
        people = self._people()
        opener = people[0]
        await self._open(opener, "qq", ("alice", "", "bot:plain", ""))
        game = _GAMES[self._turns % len(_GAMES)]
        self._turns += 1
        seats = PEOPLE[: load(game).options.players]
        table_id = await self._open(self.clients.service("matchmaking"), game, seats)
        for _ in range(self.rng.randrange(_MOST_ACTS)):
            with suppress(grpc.aio.AioRpcError):
                # A clock may be faster than these calls.
                await self._act(table_id)
        self._offer_requests(game, await people[0].view(table_id))

    def pools(self) -> dict[str, list[Any]]:
        """Values that mean something now, by the name of the field that they belong in."""
        unknown = ["a" * 20, "zzzzzzzzzzzzzzzzzzzz"]
        players = [*PEOPLE, *ATTACKERS, "engine"]
        return {
            "table_id": [*self.tables, *unknown],
            "seat": [0, 1, 2, 3],
            "command_id": [*self.command_ids, *(new_command_id() for _ in range(20))],
            "ruleset_id": list(available()),
            "event_id": list(available_events()),
            "persona": list(PERSONAS),
            "player_id": players,
            "ticket_id": [f"t{number}" for number in range(30)],
            "deals": [0, 1, 2],
            "expected_version": list(range(20)),
            "after_version": list(range(20)),
            "at_least_version": list(range(10)),
            "page_size": [0, 1, 10],
            "service": ["", "shuangkou.v1.TableService", "x"],
            "key": ["turn_seconds", "joker_bomb_mult", "hand_size", "decks", "phases"],
            "value": ["0", "1", "2", "60", "true", "play", "9" * 50],
        }

    def _people(self) -> dict[int, Caller]:
        return {seat: self.clients.player(name, self.rng.randrange(2)) for seat, name in enumerate(PEOPLE)}

    async def _open(self, opener: Caller, ruleset_id: str, names: tuple[str, ...]) -> str:
        request = CreateTableRequest(
            command_id=new_command_id(), ruleset_id=ruleset_id, seats=seated(*names), deals=1
        )
        self._sent(opener, request)
        answer = await opener.stub.CreateTable(request, metadata=opener.metadata, timeout=CALL_SECONDS)
        self.tables.append(answer.table_id)
        return answer.table_id

    async def _act(self, table_id: str) -> None:
        """One legal act of a seat that is to act."""
        view = await self.clients.player("alice").view(table_id)
        if not view.next.seats:
            return
        seat = view.next.seats[0]
        # Players may have changed places.
        actor = self.clients.player(view.seats[seat].occupant.player_id)
        request = ActRequest(table_id=table_id, seat=seat, command_id=new_command_id())
        if _take_first(request, await actor.legal(table_id, seat, limit=3)):
            self._sent(actor, request)
            await actor.act(request)
            own = await actor.view(table_id, seat)
            self._offer_questions(own)

    def _sent(self, caller: Caller, request: ActRequest | CreateTableRequest) -> None:
        # These may be refused, when a clock was faster, but never are attacks.
        self.record.answers[(caller.name, request.command_id)].add(grpc.StatusCode.UNAVAILABLE)
        self.command_ids.append(request.command_id)
        self.honest[request.DESCRIPTOR.full_name].append(request)

    def _offer_questions(self, view: SeatView) -> None:
        """What an honest client asks about its view, at once and by search."""
        suggestions = self.honest[SuggestActRequest.DESCRIPTOR.full_name]
        suggestions += [SuggestActRequest(view=view, persona=persona) for persona in ("plain", "veteran")]
        self.honest[WeighActsRequest.DESCRIPTOR.full_name].append(WeighActsRequest(view=view, most=3))

    def _offer_requests(self, game: str, view: SeatView) -> None:
        """Requests of an honest client at this table, for others to bend."""
        acts = self.honest[ActRequest.DESCRIPTOR.full_name]
        acts.append(play(view.table_id, 0, [CARD_SPADE_3, CARD_SPADE_3], expected_version=view.version))
        acts.append(decline(view.table_id, 1))
        tickets = self.honest[CreateTicketRequest.DESCRIPTOR.full_name]
        tickets.append(CreateTicketRequest(ticket_id=new_command_id(), ruleset_id=game, deals=1))


def _take_first(request: ActRequest, legal: ListLegalActsResponse) -> bool:
    """Play, pass, or what comes first before the play."""
    if legal.plays:
        request.play_cards.cards.extend(legal.plays[0].cards)
    elif legal.may_pass:
        request.pass_turn.SetInParent()
    elif legal.before_play:
        act = legal.before_play[0]
        which = act.WhichOneof("command")
        assert which is not None
        getattr(request, which).CopyFrom(getattr(act, which))
    else:
        return False
    return True
