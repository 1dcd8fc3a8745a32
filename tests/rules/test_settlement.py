"""docs/rules/climbing.md §6.2, §7 and the recorded vectors."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.climbing_table import QQ
from shuangkou.rules.climbing.events import BombPlayed, Result
from shuangkou.rules.climbing.move_table import move_table
from shuangkou.rules.climbing.options import DealEnd, LaterLead, MultiplierSource
from shuangkou.rules.climbing.settlement import settle
from shuangkou.rules.seats import SEATS, Seat
from shuangkou.rules.vectors import Verdict, check_vector, run_vector

VECTORS = Path(__file__).parents[1] / "vectors"
BOMBS = [combination for combination in move_table(QQ.options).combinations if combination.is_bomb]
ORDERS = st.permutations(SEATS).map(tuple)
BOMB_PLAYS = st.builds(BombPlayed, st.sampled_from(SEATS), st.sampled_from(BOMBS))
PLAYED = st.lists(BOMB_PLAYS, max_size=6).map(tuple)


def vectors(variant: str) -> list[object]:
    lines = (VECTORS / "climbing_vectors.jsonl").read_text("utf-8").splitlines()
    named = [vector for vector in map(json.loads, lines) if vector["variant"] == variant]
    return [pytest.param(vector, id=vector["id"]) for vector in named]


@pytest.mark.parametrize("vector", vectors("qq"))
def test_recorded_vectors(vector: dict[str, object]) -> None:
    outcome = run_vector(vector)
    assert outcome.verdict is Verdict.OK, outcome.detail


CATCHING = replace(
    QQ, options=replace(QQ.options, base_double=2, base_single=1, multiplier_source=MultiplierSource.NONE)
)
FIRST_OUT = replace(
    CATCHING,
    options=replace(CATCHING.options, base_win=1, deal_end=DealEnd.FIRST_OUT, later_lead=LaterLead.LAST_HEAD),
)


@pytest.mark.parametrize("vector", vectors("zsy"))
def test_vectors_of_a_game_that_differs_in_options_only(vector: dict[str, object]) -> None:
    """§7.1, §7.2: other bases and no multiplier."""
    outcome = check_vector(CATCHING, vector)
    assert outcome.verdict is Verdict.OK, outcome.detail


@pytest.mark.parametrize("vector", vectors("jipai"))
def test_vectors_of_a_game_that_ends_with_the_first_seat_out(vector: dict[str, object]) -> None:
    """§6.1, §6.2."""
    outcome = check_vector(FIRST_OUT, vector)
    assert outcome.verdict is Verdict.OK, outcome.detail


def test_a_vector_is_answered_whatever_it_says() -> None:
    verdicts = [
        run_vector(vector).verdict
        for vector in (
            {"variant": "qq", "kind": "classify", "cards": "7 7", "expect": {"type": "triple"}},
            {"variant": "qq", "kind": "classify", "cards": "7 seven", "expect": {"type": "pair"}},
            {"variant": "qq", "kind": "classify", "cards": "7 7", "expect": {"type": "pair", "star": 2}},
            {"variant": "qq", "kind": "compare", "a": "7 8", "b": "9", "result": "b"},
            {"variant": "qq", "kind": "settle", "order": [9], "bombs": []},
            {"variant": "qq", "kind": "settle"},
            {"variant": "qq", "kind": "follow"},
            {"variant": "", "kind": "classify"},
            {},
        )
    ]
    assert [verdict.value for verdict in verdicts] == [
        "mismatch",
        "mismatch",
        "unsupported",
        "mismatch",
        "mismatch",
        "mismatch",
        "unsupported",
        "unsupported",
        "unsupported",
    ]


@given(ORDERS, PLAYED)
def test_scores_sum_to_zero_and_partners_score_alike(
    order: tuple[Seat, ...], bombs: tuple[BombPlayed, ...]
) -> None:
    """§7.1."""
    scores = settle(QQ.options, order, bombs).scores
    assert sum(scores) == 0
    assert scores[:2] == scores[2:]
    assert scores[order[0]] >= 0


@given(ORDERS, PLAYED)
def test_the_order_of_bombs_and_the_bombs_of_losers_do_not_matter(
    order: tuple[Seat, ...], bombs: tuple[BombPlayed, ...]
) -> None:
    """§7.2."""
    winners = tuple(bomb for bomb in bombs if bomb.seat % 2 == order[0] % 2)
    assert settle(QQ.options, order, bombs) == settle(QQ.options, order, winners[::-1])


@pytest.mark.parametrize(("mult", "score"), [("5", 20), ("4", 16)])
def test_the_joker_bomb_is_worth_what_the_table_chose(mult: str, score: int) -> None:
    """qq 1."""
    options = QQ.with_options({"joker_bomb_mult": mult}).options
    settlement = settle(options, (Seat(1), Seat(3), Seat(0), Seat(2)), (BombPlayed(Seat(3), BOMBS[-1]),))
    assert settlement.result is Result.DOUBLE
    assert settlement.scores == (-score, score, -score, score)


def test_results_have_chinese_names() -> None:
    """§6.2."""
    assert [result.name_zh for result in Result] == ["双扣", "单扣", "平扣", "获胜"]
