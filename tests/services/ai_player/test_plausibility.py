"""Every view that an engine sends is taken for one, in whatever game, and what no engine sends is refused."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from random import Random
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client import CollectorRegistry
from structlog.testing import capture_logs

from kit.damage import copy_of, numbers_in, strike
from kit.effort import effort, rounds
from kit.pure_table import PureTable, opened
from shuangkou.ai_player.advisor import AdvisorService
from shuangkou.ai_player.decision import Decisions
from shuangkou.ai_player.families import mind_for
from shuangkou.ai_player.metrics import AiPlayerMetrics
from shuangkou.ai_player.search_pool import SearchPool
from shuangkou.ai_player.view_reading import check_genuine, read_view
from shuangkou.chassis.errors import InvalidArgument, Refused
from shuangkou.engine.table import Phase
from shuangkou.engine.views import seat_view
from shuangkou.rules.ruleset import available, load
from shuangkou.v1.ai_pb2 import SuggestActRequest, WeighActsRequest
from shuangkou.v1.events_pb2 import DealPhase
from shuangkou.v1.table_pb2 import Play, SeatView
from shuangkou.wire.refusals import MalformedMessage
from shuangkou.wire.views import ruleset_of_view

METRICS = AiPlayerMetrics(CollectorRegistry())
ADVISOR = AdvisorService(Decisions(METRICS, SearchPool(0, METRICS), 50))


def check(message: SeatView) -> None:
    """Whatever an advisor checks of a view that somebody brings."""
    ruleset = ruleset_of_view(message)
    check_genuine(message, ruleset, read_view(message, ruleset))


def played(game: str, rng: Random, deals: int) -> Iterator[PureTable]:
    """A table before each act of a match that is played by chance."""
    pure = opened(ruleset=load(game), deals=deals)
    while pure.table.phase is not Phase.FINISHED:
        pure.go_on(rng)
        yield pure


@pytest.mark.parametrize("game", available())
def test_no_view_that_an_engine_sends_is_refused(game: str) -> None:
    mind_for(load(game)).prepare(load(game).options)
    asked = 0
    for seed in range(rounds(1, 100)):
        for pure in played(game, Random(f"{game}/{seed}"), 2):
            for seat in pure.table.actors if pure.table.phase is Phase.DEAL else ():
                check(seat_view(pure.table, seat))
                asked += 1
    assert asked


def is_play(view: SeatView) -> bool:
    """Cards have been played, and some in this trick."""
    family = view.climbing if view.HasField("climbing") else view.tricks
    return len(family.history) > 8 and len(family.trick) > 0


def is_called(view: SeatView) -> bool:
    """The landlord is known."""
    return any(event.HasField("landlord_named") for event in view.climbing.opening)


def moment(game: str, is_it: Callable[[SeatView], bool]) -> SeatView:
    """The first view of a seat to act that is so."""
    mind_for(load(game)).prepare(load(game).options)
    for pure in played(game, Random(game), 5):
        if pure.table.phase is Phase.DEAL and pure.table.actors:
            view = seat_view(pure.table, pure.table.actors[0])
            if is_it(view):
                return view
    raise AssertionError(f"no such view of {game}")


def resize(view: SeatView, others: int) -> None:
    """Other hands of another size."""
    for state in view.seats:
        state.hand_size += others * (state.seat != view.seat)


def rebid(view: SeatView, points: int) -> None:
    """Another bid of the landlord."""
    for event in view.climbing.opening:
        if event.HasField("landlord_named"):
            event.landlord_named.bid = points


Damage = tuple[str, Callable[[SeatView], bool], Callable[[SeatView], object], str]

DAMAGES: dict[str, Damage] = {
    "a card too many that was exchanged": (
        "qq",
        is_play,
        lambda view: view.climbing.discarded.append(view.hand[0]),
        "discarded",
    ),
    "a kitty of thousands of millions": (
        "tian5",
        is_play,
        lambda view: setattr(view.tricks, "kitty_size", 2**32 - 1),
        "kitty_size",
    ),
    "a kitty of one card more": (
        "sheng_super",
        is_play,
        lambda view: setattr(view.tricks, "kitty_size", view.tricks.kitty_size + 1),
        "kitty_size",
    ),
    "a card too many in the kitty": (
        "fanzhu",
        is_play,
        lambda view: view.tricks.kitty.append(view.hand[0]),
        "kitty",
    ),
    "no levels": ("multi2", is_play, lambda view: view.tricks.ClearField("handover"), ""),
    "a pass too many": (
        "duel52",
        is_play,
        lambda view: view.climbing.history.insert(0, Play(seat=0)),
        "history",
    ),
    "another seat's play": (
        "classic54",
        is_play,
        lambda view: setattr(view.climbing.history[0], "seat", (view.climbing.history[0].seat + 3) % 4),
        "",
    ),
    "another card in the record": (
        "easy52",
        is_play,
        lambda view: view.climbing.history[0].cards.__setitem__(0, view.hand[0]),
        "",
    ),
    "rules of another revision": (
        "qq",
        is_play,
        lambda view: setattr(view, "ruleset_revision", 999),
        "ruleset_revision",
    ),
    "the name of another game": (
        "qq",
        is_play,
        lambda view: setattr(view, "ruleset_id", "baibian"),
        "opening",
    ),
    "the name of another game with a kitty": (
        "multi2",
        is_play,
        lambda view: setattr(view, "ruleset_id", "sheng_super"),
        "opening",
    ),
    "hands too small where a kitty lies": ("landlord52", is_play, lambda view: resize(view, -3), "hand_size"),
    "no other hands": (
        "five5",
        lambda _: True,
        lambda view: resize(view, -view.seats[(view.seat + 1) % 4].hand_size),
        "hand_size",
    ),
    "seats that went out with cards": (
        "qq",
        is_play,
        lambda view: view.climbing.finish_order.extend((0, 1, 2, 3)),
        "finish_order",
    ),
    "a trick that was not ended": ("qq", is_play, lambda view: view.climbing.ClearField("trick"), ""),
    "a trick of sets that was not ended": (
        "multi2",
        is_play,
        lambda view: view.tricks.ClearField("trick"),
        "",
    ),
    "a seat that is asked four times": (
        "qq",
        is_play,
        lambda view: view.next.seats.extend([view.seat] * 3),
        "next",
    ),
    "a bid that nobody can make": ("landlord52", is_called, lambda view: rebid(view, 2**31 - 1), "opening"),
    "fines for nothing": (
        "multi2",
        is_play,
        lambda view: view.tricks.fines.__setitem__(0, 2**31),
        "fines",
    ),
    "coins without stakes": (
        "multi2",
        is_play,
        lambda view: view.tricks.coins.extend((100, -100, 100, -100)),
        "coins",
    ),
    "a deal of another number": (
        "qq",
        is_play,
        lambda view: setattr(view.climbing.handover, "deals_voided", 7),
        "deal_number",
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
async def test_what_no_engine_sends_is_refused_with_a_word_on_what_is_wrong(damage: str) -> None:
    game, is_it, spoil, field = DAMAGES[damage]
    view = moment(game, is_it)
    check(view)
    spoil(view)
    for ask in (
        partial(ADVISOR.suggest, SuggestActRequest(view=view)),
        partial(ADVISOR.suggest, SuggestActRequest(view=view, persona="veteran")),
        partial(ADVISOR.weigh, WeighActsRequest(view=view)),
    ):
        with pytest.raises(InvalidArgument) as caught:
            await ask()
        assert caught.value.code == "ai/bad_view"
        assert field in caught.value.explanation


@pytest.mark.parametrize("phase", [0, 8, 9, 10, 11, 12, 13])
def test_a_phase_of_no_such_game_is_refused(phase: int) -> None:
    view = moment("qq", is_play)
    view.climbing.phase = cast(DealPhase.ValueType, phase)
    with pytest.raises(MalformedMessage):
        check(view)


@pytest.mark.parametrize("game", available())
@effort(10)
@given(data=st.data())
def test_damaged_views_of_any_game_are_refused_or_answered(game: str, data: st.DataObject) -> None:
    view = copy_of(data.draw(st.sampled_from(story(game))))
    place, value = data.draw(st.tuples(st.integers(0), st.integers(0, 2**31 - 1)))
    struck = list(numbers_in(view))
    strike(*struck[place % len(struck)], value)
    with capture_logs() as told:
        assert asyncio.run(refusal_of(view)) in {"", "ai/bad_view", "ai/not_to_act"}
    assert not told, "a view is refused before anybody stumbles over it"


async def refusal_of(view: SeatView) -> str:
    """The code with which no act is suggested, empty where one is."""
    try:
        await ADVISOR.suggest(SuggestActRequest(view=view))
    except Refused as refused:
        return refused.code
    return ""


@lru_cache
def story(game: str) -> tuple[SeatView, ...]:
    """Views of the seats that are to act in one match."""
    mind_for(load(game)).prepare(load(game).options)
    tables = [
        seat_view(pure.table, pure.table.actors[0])
        for pure in played(game, Random(game), 1)
        if pure.table.phase is Phase.DEAL and pure.table.actors
    ]
    return tuple(tables)
