"""Searches in processes of their own: they answer, or nothing is lost when they do not."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from prometheus_client import CollectorRegistry

from kit.pure_table import dealt
from shuangkou.ai_player.families import mind_for
from shuangkou.ai_player.metrics import AiPlayerMetrics
from shuangkou.ai_player.personas import persona_of
from shuangkou.ai_player.search_pool import SearchPool
from shuangkou.ai_player.search_worker import advise_on_view, search_view
from shuangkou.engine.views import seat_view
from shuangkou.rules.climbing.legal_acts import legal_acts_in_view
from shuangkou.rules.climbing.view import SeatView
from shuangkou.v1 import table_pb2
from shuangkou.v1.cards_pb2 import CARD_SPADE_3
from shuangkou.wire.families import codec_for
from shuangkou.wire.views import ruleset_of_view


def start_of_deal() -> bytes:
    """The view of the seat that leads."""
    table = dealt(seed=bytes(32)).table
    return seat_view(table, table.actors[0]).SerializeToString()


def endless_view() -> bytes:
    """A view of no deal, in which a search draws hands for ever."""
    view = table_pb2.SeatView.FromString(start_of_deal())
    view.climbing.discarded.append(CARD_SPADE_3)
    return view.SerializeToString()


@asynccontextmanager
async def pool_of(processes: int, registry: CollectorRegistry) -> AsyncIterator[SearchPool]:
    """A pool whose first worker is ready."""
    pool = SearchPool(processes, AiPlayerMetrics(registry))
    try:
        await pool.prepare()
        yield pool
    finally:
        await pool.close()


def given_up(registry: CollectorRegistry) -> dict[str, int]:
    """Searches by the reason why they were given up."""
    name = "shuangkou_ai_player_searches_given_up_total"
    counts = {
        sample.labels["reason"]: int(sample.value)
        for family in registry.collect()
        for sample in family.samples
        if sample.name == name
    }
    return {reason: count for reason, count in counts.items() if count}


def soon(seconds: float) -> float:
    """So many seconds from now, on the clock of the event loop."""
    return asyncio.get_running_loop().time() + seconds


@pytest.mark.timeout(300)
async def test_a_search_answers_with_a_legal_act_and_a_dead_worker_costs_one_answer() -> None:
    view, registry = start_of_deal(), CollectorRegistry()
    async with pool_of(1, registry) as pool:
        assert await pool.search(view, "veteran", 2_000) is not None
        for worker in multiprocessing.active_children():
            worker.kill()
        assert await pool.search(view, "veteran", 2_000) is None
        assert multiprocessing.active_children()
        await pool.prepare()
        assert await pool.search(view, "veteran", 2_000) is not None
    assert given_up(registry) == {"broken": 1}


@pytest.mark.timeout(300)
async def test_a_worker_that_searches_for_ever_is_killed_and_replaced() -> None:
    registry = CollectorRegistry()
    async with pool_of(1, registry) as pool:
        (endless,) = multiprocessing.active_children()
        assert await pool.search(endless_view(), "veteran", 50) is None
        assert given_up(registry) == {"late": 1}
        await pool.prepare()
        (another,) = multiprocessing.active_children()
        assert another.pid != endless.pid
        assert await pool.search(start_of_deal(), "veteran", 2_000) is not None


@pytest.mark.timeout(300)
async def test_a_search_that_raises_is_no_answer_and_costs_no_worker() -> None:
    registry = CollectorRegistry()
    async with pool_of(1, registry) as pool:
        assert await pool.search(start_of_deal(), "nobody", 50) is None
        assert given_up(registry) == {"failed": 1}
        assert await pool.search(start_of_deal(), "veteran", 2_000) is not None


@pytest.mark.timeout(300)
async def test_searches_wait_for_a_worker_while_there_is_time() -> None:
    registry, view = CollectorRegistry(), start_of_deal()
    async with pool_of(1, registry) as pool:
        patient = [pool.advise(view, "veteran", 3, 50, soon(60)) for _ in range(4)]
        assert all(await asyncio.gather(*patient))
        assert not given_up(registry)
        hasty = [pool.search(view, "veteran", 50) for _ in range(3)]
        answers = await asyncio.gather(*hasty)
        assert sum(answer is None for answer in answers) == 2
        assert given_up(registry) == {"busy": 2}


@pytest.mark.timeout(300)
async def test_a_search_is_given_up_for_who_must_be_answered_before_it_can_end() -> None:
    registry, view = CollectorRegistry(), start_of_deal()
    async with pool_of(1, registry) as pool:
        assert await pool.search(view, "veteran", 50, soon(0.001)) is None
        assert await pool.search(view, "veteran", 50, soon(-1)) is None
        assert given_up(registry) == {"no_time": 2}
        assert await pool.search(view, "veteran", 10_000, soon(6)) is not None


async def test_nobody_searches_where_there_is_no_process() -> None:
    registry = CollectorRegistry()
    async with pool_of(0, registry) as pool:
        assert await pool.search(start_of_deal(), "veteran", 50) is None
        assert await pool.advise(start_of_deal(), "veteran", 3, 50) is None
    assert not given_up(registry)


def test_what_a_worker_finds_is_legal_and_advice_has_reasons_in_both_languages() -> None:
    message = start_of_deal()
    act, advice = search_view(message, "veteran", 30), advise_on_view(message, "plain", 3, 30)
    assert act is not None
    assert advice is not None
    view_message = table_pb2.SeatView.FromString(message)
    ruleset = ruleset_of_view(view_message)
    view = codec_for(ruleset).view_from_wire(view_message, ruleset)
    assert isinstance(view, SeatView)
    legal = legal_acts_in_view(ruleset.options, view)
    assert act in legal
    assert len(advice) == 3
    assert all(one.act in legal and one.reason_en and one.reason_zh and one.worlds for one in advice)
    assert [one.worth for one in advice] == sorted((one.worth for one in advice), reverse=True)
    assert advice[0].act == mind_for(ruleset).act(ruleset.options, view, persona_of("plain"))
