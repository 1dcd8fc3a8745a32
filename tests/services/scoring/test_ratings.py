"""Who wins clearly gains more, who leaves loses alone, and bots are rated apart."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.settling import PEOPLE, settling_commit, voiding_commit
from shuangkou.scoring.ratings import Form, Pool, bouts_of, pool_of, rated
from shuangkou.scoring.seasons import is_season, season_bounds, season_of
from shuangkou.scoring.settlement import Settlement, settlement_of
from shuangkou.v1.events_pb2 import DEAL_RESULT_DOUBLE, DEAL_RESULT_DRAW, DEAL_RESULT_SINGLE, DealResult

NOW = 1_700_000_000_000
SEASON = season_of(NOW)


def deal(
    players: tuple[str, ...] = PEOPLE,
    winners: tuple[int, ...] = (0, 2),
    result: DealResult.ValueType = DEAL_RESULT_DOUBLE,
    left: tuple[int, ...] = (),
) -> Settlement:
    """A deal of a game with partners."""
    commit = settling_commit(players=players, winners=winners, time_ms=NOW)
    settled = commit.events[-1].deal_settled
    settled.climbing.result = result
    settled.forfeited.extend(left)
    return settlement_of(commit)


def gains(settlement: Settlement, forms: dict[str, Form] | None = None) -> dict[str, float]:
    """How far each estimate moved."""
    return {name: after.mu - before.mu for name, (before, after) in rated(settlement, forms or {}).items()}


def test_both_players_and_their_pair_gain_by_a_win() -> None:
    moved = gains(deal())
    assert set(moved) == {*PEOPLE, "alice+carol", "bob+dave"}
    assert {name for name, gain in moved.items() if gain > 0} == {"alice", "carol", "alice+carol"}
    assert moved["alice"] == pytest.approx(-moved["bob"])


def test_the_clearer_the_win_the_larger_the_gain() -> None:
    double, single, draw = (
        gains(deal(result=result))["alice"]
        for result in (DEAL_RESULT_DOUBLE, DEAL_RESULT_SINGLE, DEAL_RESULT_DRAW)
    )
    assert double > single > draw > 0


def test_a_deal_that_nobody_won_moves_the_weaker_side_up() -> None:
    forms = {name: Form(SEASON, mu=30.0) for name in ("alice", "carol")}
    moved = gains(deal(winners=()), forms)
    assert moved["alice"] < 0 < moved["bob"]
    assert rated(deal(winners=()), {"bob": Form(SEASON, streak=4)})["bob"][1].streak == 4


def test_who_leaves_loses_and_nobody_else_is_rated() -> None:
    """逃跑, even where its side won the deal that was played on."""
    for settlement in (deal(left=(0,)), deal(winners=(1, 3), left=(0,))):
        moved = gains(settlement)
        assert set(moved) == {"alice"}
        assert moved["alice"] < 0
    both = settlement_of(voiding_commit(time_ms=NOW))
    assert {name: gain < 0 for name, gain in gains(both).items()} == {"alice": True, "carol": True}


def test_a_void_deal_that_nobody_left_says_nothing() -> None:
    commit = voiding_commit(time_ms=NOW)
    commit.events[-1].deal_voided.ClearField("forfeited")
    assert bouts_of(settlement_of(commit)) == []


def test_tables_with_a_bot_are_rated_apart() -> None:
    assert pool_of(deal()) is Pool.PEOPLE
    assert pool_of(deal(players=("alice", "bot:plain", "carol", "bot:plain"))) is Pool.BOTS


def test_a_persona_on_both_sides_is_not_rated() -> None:
    moved = gains(deal(players=("bot:plain", "bob", "carol", "bot:plain")))
    assert "bot:plain" not in moved
    assert {"bob", "carol"} <= set(moved)


def test_where_each_plays_alone_the_points_rank() -> None:
    commit = settling_commit(
        players=("alice", "bob", "", ""), scores=(3, -3, 0, 0), ruleset_id="duel52", time_ms=NOW
    )
    moved = gains(settlement_of(commit))
    assert moved["alice"] > 0 > moved["bob"]
    assert set(moved) == {"alice", "bob"}


def test_streaks_count_deals_won_in_a_row() -> None:
    form = {"alice": Form(SEASON)}
    for winners, streak, longest in (((0, 2), 1, 1), ((0, 2), 2, 2), ((1, 3), 0, 2), ((0, 2), 1, 2)):
        form["alice"] = rated(deal(winners=winners), form)["alice"][1]
        assert (form["alice"].streak, form["alice"].longest) == (streak, longest)


def test_a_season_begins_half_way_back_to_the_middle_and_less_certain() -> None:
    old = Form("2023q1", mu=35.0, sigma=2.0, deals=90, deals_won=60, streak=3, longest=8)
    before, after = rated(deal(), {"alice": old})["alice"]
    assert (before.mu, before.deals, before.streak, before.longest) == (30.0, 0, 3, 8)
    assert old.sigma < before.sigma <= Form(SEASON).sigma
    assert (after.season, after.deals, after.streak) == (SEASON, 1, 4)


@given(st.permutations(PEOPLE), st.sampled_from([(0, 2), (1, 3), ()]))
def test_names_and_seats_do_not_matter(players: tuple[str, ...], winners: tuple[int, ...]) -> None:
    turned = tuple(players[(seat + 1) % 4] for seat in range(4))
    other = tuple(sorted((seat - 1) % 4 for seat in winners))
    one, two = gains(deal(tuple(players), winners)), gains(deal(turned, other))
    assert one.keys() == two.keys()
    assert all(one[name] == pytest.approx(two[name], abs=1e-9) for name in one)


@given(st.integers(0, 4_102_444_800_000))
def test_a_season_holds_the_time_that_it_is_named_by(time_ms: int) -> None:
    season = season_of(time_ms)
    began_ms, ends_ms = season_bounds(season)
    assert is_season(season)
    assert began_ms <= time_ms < ends_ms
    assert season_of(ends_ms) > season
    assert dataclasses.replace(Form(season)).in_season(season) == Form(season)
