"""Advice on views, from honest clients and from others."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from typing import cast

import grpc
import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client import CollectorRegistry

from kit.bot_tables import Tables
from kit.damage import copy_of, numbers_in, strike
from kit.keys import Keys
from kit.pure_table import dealt
from kit.service_process import Launcher, ServiceProcess, refusal_in
from shuangkou.ai_player.advisor import AdvisorService
from shuangkou.ai_player.bot import persona_on
from shuangkou.ai_player.decision import Decisions
from shuangkou.ai_player.metrics import AiPlayerMetrics
from shuangkou.ai_player.personas import PERSONAS
from shuangkou.ai_player.search_pool import SearchPool
from shuangkou.chassis.errors import Refused
from shuangkou.engine.table import Phase
from shuangkou.engine.views import seat_view
from shuangkou.rules.seats import SEATS
from shuangkou.v1.ai_pb2 import (
    ListPersonasRequest,
    SuggestActRequest,
    SuggestActResponse,
    WeighActsRequest,
)
from shuangkou.v1.ai_pb2_grpc import AdvisorServiceStub
from shuangkou.v1.cards_pb2 import CARD_BIG_JOKER, CARD_SPADE_2, CARD_SPADE_3, Card
from shuangkou.v1.table_pb2 import Play, SeatView
from shuangkou.wire import names

NO_CARD = cast(Card.ValueType, 99)
METRICS = AiPlayerMetrics(CollectorRegistry())
DECISIONS = Decisions(METRICS, SearchPool(0, METRICS), 50)


def views(seed: bytes) -> Iterator[SeatView]:
    """The view of the seat to act before every act of a deal."""
    pure = dealt(seed=seed)
    while pure.table.phase is Phase.DEAL:
        yield seat_view(pure.table, pure.table.actors[0])
        pure.play_lowest()


STORY = list(views(bytes(32)))


def answer(view: SeatView, persona: str = "") -> SuggestActResponse | str:
    """What the advisor says, or the code with which it refuses."""

    async def ask() -> SuggestActResponse | str:
        request = SuggestActRequest(view=view, persona=persona)
        try:
            return await AdvisorService(DECISIONS).suggest(request)
        except Refused as refused:
            return refused.code

    return asyncio.run(ask())


def check(said: SuggestActResponse | str, view: SeatView) -> None:
    """An answer is a play from the hand, or a pass where there is something to beat, or a refusal of ours."""
    if isinstance(said, str):
        assert said in {"ai/bad_view", "ai/not_to_act", "ai/unknown_persona"}
    elif said.WhichOneof("command") == "play_cards":
        assert said.play_cards.cards
        assert not Counter(said.play_cards.cards) - Counter(view.hand)
    else:
        assert any(play.cards for play in view.climbing.trick)


def test_every_moment_of_a_deal_gets_advice() -> None:
    for number, view in enumerate(STORY):
        said = answer(view, PERSONAS[number % len(PERSONAS)].id)
        assert not isinstance(said, str)
        check(said, view)


@given(
    moment=st.sampled_from(STORY),
    blows=st.lists(st.tuples(st.integers(0), st.integers(0, 2**31 - 1)), min_size=1, max_size=6),
)
def test_damaged_views_are_refused_or_answered(moment: SeatView, blows: list[tuple[int, int]]) -> None:
    view = copy_of(moment)
    for place, value in blows:
        struck = list(numbers_in(view))
        strike(*struck[place % len(struck)], value)
    check(answer(view), view)


def with_hand(view: SeatView, cards: list[Card.ValueType]) -> None:
    """Another hand, of the size that it says."""
    view.hand[:] = cards
    view.seats[view.seat].hand_size = len(cards)


DAMAGES: dict[str, tuple[str, Callable[[SeatView], object]]] = {
    "nothing at all": ("ai/bad_view", lambda view: view.Clear()),
    "no such ruleset": ("ai/bad_view", lambda view: setattr(view, "ruleset_id", "nobody's")),
    "no such option": ("ai/bad_view", lambda view: view.options.update({"size": "7"})),
    "no family": ("ai/bad_view", lambda view: view.ClearField("climbing")),
    "three seats": ("ai/bad_view", lambda view: view.seats.pop()),
    "no hand": ("ai/bad_view", lambda view: with_hand(view, [])),
    "a hand of another size": ("ai/bad_view", lambda view: view.hand.pop()),
    "three big jokers": ("ai/bad_view", lambda view: with_hand(view, [CARD_BIG_JOKER] * 27)),
    "a card that is none": ("ai/bad_view", lambda view: view.hand.__setitem__(0, NO_CARD)),
    "a thousand cards": ("ai/bad_view", lambda view: view.hand.extend([CARD_SPADE_2] * 1000)),
    "a fifth seat": ("ai/bad_view", lambda view: view.next.seats.__setitem__(0, 4)),
    "a play that is none": (
        "ai/bad_view",
        lambda view: view.climbing.history.append(Play(seat=1, cards=[CARD_SPADE_2, CARD_SPADE_3])),
    ),
    "more cards gone than were dealt": (
        "ai/bad_view",
        lambda view: view.climbing.history.append(Play(seat=1, cards=[CARD_SPADE_2])),
    ),
    "a settlement of nothing": ("ai/bad_view", lambda view: view.last_settlement.SetInParent()),
    "a spectator": ("ai/not_to_act", lambda view: view.ClearField("seat")),
    "another seat's turn": (
        "ai/not_to_act",
        lambda view: view.next.seats.__setitem__(0, (view.seat + 1) % 4),
    ),
    "a finished deal": ("ai/not_to_act", lambda view: setattr(view, "phase", 4)),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_no_engine_would_send_is_refused(damage: str) -> None:
    code, spoil = DAMAGES[damage]
    view = copy_of(STORY[0])
    spoil(view)
    assert answer(view) == code


@given(moment=st.sampled_from(STORY), sizes=st.lists(st.integers(0, 2**32 - 1), min_size=4, max_size=4))
def test_hand_sizes_are_checked(moment: SeatView, sizes: list[int]) -> None:
    view = copy_of(moment)
    for seat in SEATS:
        view.seats[seat].hand_size = sizes[seat]
    said = answer(view)
    assert said == "ai/bad_view" or sizes == [seat.hand_size for seat in moment.seats]


def test_the_personas_are_those_that_every_service_knows() -> None:
    assert tuple(persona.id for persona in PERSONAS) == names.PERSONAS


def test_a_seat_of_a_persona_from_another_release_is_played_as_plain() -> None:
    view = SeatView()
    view.CopyFrom(STORY[0])
    view.seats[1].occupant.persona = "tilt"
    view.seats[2].occupant.persona = "nobody"
    assert [persona_on(view, seat).id for seat in (0, 1, 2)] == ["plain", "tilt", "plain"]


def test_an_unknown_persona_is_refused() -> None:
    assert answer(STORY[0], "nobody") == "ai/unknown_persona"


async def test_players_ask_over_grpc(
    launcher: Launcher, engine: ServiceProcess, tables: Tables, keys: Keys
) -> None:
    ai_player = await launcher.start("ai_player", engine_target=engine.target)
    metadata = (("authorization", f"Bearer {keys.player('host')}"),)
    async with grpc.aio.insecure_channel(ai_player.target) as channel:
        advisor = AdvisorServiceStub(channel)
        listed = await advisor.ListPersonas(ListPersonasRequest(), metadata=metadata, timeout=10)
        assert [persona.id for persona in listed.personas] == [persona.id for persona in PERSONAS]
        assert all(persona.name.zh and persona.description.en for persona in listed.personas)
        said = await advisor.SuggestAct(SuggestActRequest(view=STORY[1]), metadata=metadata, timeout=10)
        check(said, STORY[1])
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await advisor.SuggestAct(
                SuggestActRequest(view=STORY[1], persona="nobody"), metadata=metadata, timeout=10
            )
        assert refusal_in(refused.value) == (grpc.StatusCode.INVALID_ARGUMENT, "ai/unknown_persona")
        with pytest.raises(grpc.aio.AioRpcError) as unknown:
            await advisor.ListPersonas(ListPersonasRequest(), timeout=10)
        assert unknown.value.code() is grpc.StatusCode.UNAUTHENTICATED


async def test_advice_without_a_free_process_is_the_rule_policys_act() -> None:
    service = AdvisorService(DECISIONS)
    answer = await service.weigh(WeighActsRequest(view=STORY[0], most=3))
    assert [weighed.act for weighed in answer.acts] == [
        await service.suggest(SuggestActRequest(view=STORY[0]))
    ]
    assert answer.acts[0].reason.en
    assert answer.acts[0].reason.zh


@pytest.mark.parametrize("most", [-1, 13])
async def test_more_acts_than_are_weighed_are_refused(most: int) -> None:
    with pytest.raises(Refused) as caught:
        await AdvisorService(DECISIONS).weigh(WeighActsRequest(view=STORY[0], most=most))
    assert caught.value.code == "ai/bad_number"


@pytest.mark.timeout(300)
async def test_all_who_ask_at_once_are_advised_by_search_while_they_have_time(
    launcher: Launcher, engine: ServiceProcess, keys: Keys
) -> None:
    ai_player = await launcher.start("ai_player", engine_target=engine.target)
    metadata = (("authorization", f"Bearer {keys.player('host')}"),)
    async with grpc.aio.insecure_channel(ai_player.target) as channel:
        advisor = AdvisorServiceStub(channel)
        request = WeighActsRequest(view=STORY[1], persona="veteran")
        calls = [advisor.WeighActs(request, metadata=metadata, timeout=100) for _ in range(8)]
        answers = [await call for call in calls]
    assert all(answer.acts[0].worlds for answer in answers)
