"""Nothing that is asked for is dropped: a field changes the ticket, or is refused for what contradicts it."""

from __future__ import annotations

from typing import Any

import grpc
import pytest

from kit.queueing import Club, Player
from kit.service_process import ServiceProcess, refusal_in
from shuangkou.v1.events_pb2 import EventTerms
from shuangkou.v1.matchmaking_pb2 import (
    TICKET_MODE_BOTS,
    TICKET_MODE_CASUAL,
    TICKET_MODE_RANKED,
    TICKET_MODE_UNSPECIFIED,
    CreateTicketRequest,
    Game,
    Ticket,
    TicketMode,
)

_MEANS_THE_SAME = {("ranked", "people_only")}
"""Ranked play is among people only."""

FIELDS: dict[str, dict[str, Any]] = {
    "ruleset_id": {"ruleset_id": "zsy"},
    "bots_after_ms": {"bots_after_ms": 20_000},
    "people_only": {"people_only": True},
    "deals": {"deals": 2},
    "event": {"event": EventTerms(event_id="ev_elder")},
    "options": {"options": {"turn_seconds": "60"}},
    "or_games": {"or_games": [Game(ruleset_id="zsy")]},
    "mode": {},
    "partner_id": {"partner_id": "bob"},
    "avoided": {"avoided": ["eve"]},
    "region": {"region": "cn-east"},
}
"""Each field with something that it can ask for."""

MODES: dict[str, TicketMode.ValueType] = {
    "unsaid": TICKET_MODE_UNSPECIFIED,
    "casual": TICKET_MODE_CASUAL,
    "ranked": TICKET_MODE_RANKED,
    "bots": TICKET_MODE_BOTS,
}

_SENSELESS: dict[str, tuple[str, dict[str, Any]]] = {
    "with people": ("match/no_bots", {"bots_after_ms": 0, "people_only": True}),
    "ranked": ("match/no_bots", {"bots_after_ms": 0, "mode": TICKET_MODE_RANKED}),
    "bots alone": ("match/no_bots", {"bots_after_ms": 0, "mode": TICKET_MODE_BOTS}),
    "itself avoided": ("match/bad_avoided", {"avoided": ["alice"]}),
    "avoided twice": ("match/bad_avoided", {"avoided": ["eve", "eve"]}),
    "nobody to avoid": ("match/no_people", {"avoided": ["eve"], "mode": TICKET_MODE_BOTS}),
    "region": ("match/no_people", {"region": "cn-east", "mode": TICKET_MODE_BOTS}),
    "never the second": (
        "match/first_game_only",
        {"or_games": [Game(ruleset_id="zsy")], "mode": TICKET_MODE_BOTS},
    ),
    "first game again": ("match/repeated_game", {"or_games": [Game(ruleset_id="qq")]}),
    "first game in other words": (
        "match/repeated_game",
        {"or_games": [Game(ruleset_id="qq", deals=1)]},
    ),
    "other game twice": ("match/repeated_game", {"or_games": [Game(ruleset_id="zsy")] * 2}),
    "ranked deals": ("match/ranked_deals", {"deals": 50, "mode": TICKET_MODE_RANKED}),
    "ranked deals of another game": (
        "match/ranked_deals",
        {"or_games": [Game(ruleset_id="zsy", deals=50)], "mode": TICKET_MODE_RANKED},
    ),
    "ranked families": (
        "match/ranked_families",
        {"or_games": [Game(ruleset_id="sheng_basic")], "mode": TICKET_MODE_RANKED},
    ),
    "ranked event": (
        "match/ranked_event",
        {"event": EventTerms(event_id="ev_elder"), "mode": TICKET_MODE_RANKED},
    ),
    "ranked options": (
        "match/ranked_options",
        {"options": {"turn_seconds": "60"}, "mode": TICKET_MODE_RANKED},
    ),
}


async def asked(player: Player, **wish: Any) -> Ticket | str:
    """The ticket without what differs from one to the next, or the code of the refusal."""
    request = CreateTicketRequest(**({"ticket_id": "t", "ruleset_id": "qq"} | wish))
    try:
        answer = await player.stub.CreateTicket(request, metadata=player.metadata, timeout=15)
    except grpc.aio.AioRpcError as error:
        return refusal_in(error)[1]
    ticket: Ticket = answer.ticket
    ticket.bots_at_ms -= ticket.created_ms if ticket.bots_at_ms else 0
    for field in ("created_ms", "fingerprint", "player_id"):
        ticket.ClearField(field)
    return ticket


async def test_each_field_changes_the_ticket_or_is_refused(matchmaking: ServiceProcess, club: Club) -> None:
    tried = {"ticket_id", "rematch_of"}
    for word, mode in MODES.items():
        plain = await asked(await club.player(f"plain-{word}", matchmaking), mode=mode)
        assert isinstance(plain, Ticket), plain
        for field, wish in FIELDS.items():
            tried.add(field)
            if not wish:
                continue
            player = await club.player(f"{field}-{word}", matchmaking)
            answer = await asked(player, mode=mode, **wish)
            is_told = answer != plain or (word, field) in _MEANS_THE_SAME
            assert is_told, f"{field} of {word} play is dropped: {answer}"
    assert tried == {field.name for field in CreateTicketRequest.DESCRIPTOR.fields}


async def test_what_contradicts_itself_is_refused_in_its_own_words(
    matchmaking: ServiceProcess, club: Club
) -> None:
    alice = await club.player("alice", matchmaking)
    answers = {case: await asked(alice, **wish) for case, (_, wish) in _SENSELESS.items()}
    assert answers == {case: code for case, (code, _) in _SENSELESS.items()}


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"partner_id": "alice"}, "your own partner"),
        ({"partner_id": "bot:plain"}, "'bot:plain': a name has"),
        ({"avoided": ["alice"]}, "cannot avoid yourself"),
        ({"avoided": ["a b"]}, "'a b': a name has"),
        ({"ruleset_id": ""}, "name a ruleset; there are"),
        ({"deals": 50, "mode": TICKET_MODE_RANKED}, "a ranked match of qq has 1 deal, not 50"),
        ({"avoided": [""]}, "avoided '': a name has"),
        ({"region": "-"}, "as in cn-east"),
    ],
)
async def test_a_refusal_says_what_is_wrong(
    matchmaking: ServiceProcess, club: Club, wish: dict[str, Any], words: str
) -> None:
    alice = await club.player("alice", matchmaking)
    request = CreateTicketRequest(**({"ticket_id": "t", "ruleset_id": "qq"} | wish))
    with pytest.raises(grpc.aio.AioRpcError, match=words):
        await alice.stub.CreateTicket(request, metadata=alice.metadata, timeout=15)
