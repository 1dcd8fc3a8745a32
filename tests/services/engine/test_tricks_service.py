"""A trick-taking table over gRPC: drawn at a pace, declared, buried and played by people."""

from __future__ import annotations

import asyncio

import grpc

from kit.table_clients import PEOPLE, Caller, Clients, new_command_id
from kit.waiting import eventually
from shuangkou.rules.ruleset import available, load
from shuangkou.v1 import events_pb2
from shuangkou.v1.table_pb2 import (
    TABLE_PHASE_FINISHED,
    ActRequest,
    BuryKitty,
    DeclareTrump,
    GetRulesetRequest,
    ListRulesetsRequest,
    NameShape,
    Pass,
    PlayCards,
    SeatView,
)
from shuangkou.v1.tricks_pb2 import Shape

WITHIN = 30.0


def act(table_id: str, seat: int, **command: object) -> ActRequest:
    """One command of a seat."""
    return ActRequest(table_id=table_id, seat=seat, command_id=new_command_id(), **command)  # type: ignore[arg-type]  # one member of the oneof


async def default_act(caller: Caller, table_id: str, seat: int) -> ActRequest:
    """The first act that the engine lists for the seat."""
    legal = await caller.legal(table_id, seat)
    if legal.plays:
        return act(table_id, seat, play_cards=PlayCards(cards=legal.plays[0].cards))
    if legal.may_pass:
        return act(table_id, seat, pass_turn=Pass())
    assert legal.before_play[0].HasField("bury_kitty"), legal
    return act(table_id, seat, bury_kitty=BuryKitty(cards=legal.duty.free[: legal.duty.size]))


async def asked(clients: Clients, table_id: str) -> SeatView:
    """The table as soon as a seat must act, or the match is over."""

    async def waits_for_a_seat() -> SeatView | None:
        view = await clients.player("alice").view(table_id)
        return view if view.next.seats or view.phase == TABLE_PHASE_FINISHED else None

    view: SeatView = await eventually(waits_for_a_seat, within=WITHIN)
    return view


async def play_out(clients: Clients, table_id: str) -> SeatView:
    """Everyone does the first thing that is listed until the match is over."""
    people = clients.people()
    while (view := await asked(clients, table_id)).phase != TABLE_PHASE_FINISHED:
        for seat in view.next.seats:
            await people[seat].act(await default_act(people[seat], table_id, seat))
    return view


async def show_when_possible(clients: Clients, table_id: str) -> int:
    """The seat that declares as soon as one holds what it needs for that."""

    async def show() -> int | None:
        for seat, person in clients.people().items():
            shows = (await person.legal(table_id, seat)).before_play
            if shows:
                await person.act(act(table_id, seat, declare_trump=shows[0].declare_trump))
                return seat + 1
        return None

    shower: int = await eventually(show, within=WITHIN)
    return shower - 1


async def test_cards_are_drawn_at_a_pace_and_trump_is_declared_meanwhile(clients: Clients) -> None:
    table_id = await clients.service().create(
        *PEOPLE, ruleset_id="single54", options={"draw_pace_ms": "100"}, deal_pause_ms=0
    )
    call = clients.player("alice", engine=1).watch(table_id, 0, after=0)
    stream = call.__aiter__()
    assert (await anext(stream)).HasField("snapshot")
    shower = await show_when_possible(clients, table_id)
    while (view := await asked(clients, table_id)).tricks.phase == events_pb2.DEAL_PHASE_CLOSING:
        seat = view.next.seats[0]
        await clients.people()[seat].act(act(table_id, seat, pass_turn=Pass()))
    assert view.tricks.phase == events_pb2.DEAL_PHASE_BURY
    hand: list[int] = []
    kinds: list[str | None] = []
    async with asyncio.timeout(WITHIN):
        async for response in stream:
            kinds += [event.WhichOneof("event") for event in response.commit.commit.events]
            hand = list(response.commit.own_hand) or hand
            if response.commit.commit.version == view.version:
                break
    call.cancel()
    assert kinds.count("cards_drawn") == load("single54").options.hand_size
    assert kinds.index("trump_declared") < len(kinds) - kinds[::-1].index("cards_drawn")
    assert "deadline_passed" not in kinds
    assert sorted((await clients.player("alice").view(table_id, 0)).hand) == sorted(hand)
    over = await play_out(clients, table_id)
    assert over.last_settlement.WhichOneof("outcome") == "tricks"
    assert over.last_settlement.tricks.declarer == shower


async def test_a_dealt_table_is_played_to_its_settlement(clients: Clients) -> None:
    table_id = await clients.service().create(*PEOPLE, ruleset_id="sheng_joker")
    over = await play_out(clients, table_id)
    outcome = over.last_settlement.tricks
    assert sum(outcome.taken) <= 200
    assert len(outcome.kitty) == 8
    assert [state.total for state in over.seats] == list(over.last_settlement.scores)


async def test_what_is_against_the_rules_is_refused_with_its_code(clients: Clients) -> None:
    table_id = await clients.service().create(*PEOPLE, ruleset_id="sheng_joker", deal_pause_ms=0)
    seat = (await asked(clients, table_id)).next.seats[0]
    person = clients.people()[seat]
    # Nothing but jokers and twos is shown for trump in the first deal.
    plain = [card for card in (await person.view(table_id, seat)).hand if card < 53 and card % 13 != 1][:1]
    for command, code in (
        (act(table_id, seat, declare_trump=DeclareTrump(cards=plain)), "tricks/no_such_show"),
        (act(table_id, seat, name_shape=NameShape(shape=Shape(copies=1, length=1))), "state/other_phase"),
        (act(table_id, seat, play_cards=PlayCards(cards=plain)), "state/other_phase"),
    ):
        status, refusal = await person.refused("Act", command)
        assert (status, refusal.code) == (grpc.StatusCode.FAILED_PRECONDITION, code)


async def test_a_shape_that_is_none_is_malformed(clients: Clients) -> None:
    table_id = await clients.service().create(*PEOPLE, ruleset_id="sheng_joker")
    status, refusal = await clients.player("alice").refused("Act", act(table_id, 0, name_shape=NameShape()))
    assert (status, refusal.code) == (grpc.StatusCode.INVALID_ARGUMENT, "request/no_such_shape")


async def test_rulesets_of_both_families_are_listed_and_told(clients: Clients) -> None:
    caller = clients.player("alice")
    answer = await caller.stub.ListRulesets(ListRulesetsRequest(), metadata=caller.metadata, timeout=WITHIN)
    assert [ruleset.id for ruleset in answer.rulesets] == list(available())
    assert {ruleset.family for ruleset in answer.rulesets} == {"climbing", "tricks"}
    whole = await caller.stub.GetRuleset(
        GetRulesetRequest(ruleset_id="tian5"), metadata=caller.metadata, timeout=WITHIN
    )
    assert not whole.ruleset.ladder
    trumps = whole.ruleset.sections[0].lines[0]
    assert (trumps.name.en, trumps.name.zh, list(trumps.cards)) == ("the 5 of trumps", "主5", [4])
    for section in whole.ruleset.sections:
        assert section.title.en.isascii()
        assert all(line.name.zh for line in section.lines)
