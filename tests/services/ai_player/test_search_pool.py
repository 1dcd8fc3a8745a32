"""Searches in processes of their own: they answer, or nothing is lost when they do not."""

from __future__ import annotations

import multiprocessing

import pytest

from kit.pure_table import dealt
from shuangkou.ai_player.families import mind_for
from shuangkou.ai_player.personas import persona_of
from shuangkou.ai_player.search_pool import SearchPool, advise_on_view, search_view
from shuangkou.engine.views import seat_view
from shuangkou.rules.climbing.legal_acts import legal_acts_in_view
from shuangkou.rules.climbing.view import SeatView
from shuangkou.v1 import table_pb2
from shuangkou.wire.families import codec_for
from shuangkou.wire.views import ruleset_of_view


def start_of_deal() -> bytes:
    """The view of the seat that leads."""
    table = dealt(seed=bytes(32)).table
    return seat_view(table, table.actors[0]).SerializeToString()


@pytest.mark.timeout(300)
async def test_a_search_answers_with_a_legal_act_and_a_dead_worker_costs_one_answer() -> None:
    pool, view = SearchPool(1), start_of_deal()
    try:
        await pool.prepare()
        act = await pool.search(view, "veteran", 2_000)
        assert act is not None
        for worker in multiprocessing.active_children():
            worker.kill()
        assert await pool.search(view, "veteran", 2_000) is None
        await pool.prepare()
        assert await pool.search(view, "veteran", 2_000) is not None
    finally:
        await pool.close()


async def test_nobody_searches_where_there_is_no_process() -> None:
    pool = SearchPool(0)
    await pool.prepare()
    assert await pool.search(start_of_deal(), "veteran", 50) is None
    assert await pool.advise(start_of_deal(), "veteran", 3, 50) is None
    await pool.close()


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
