"""docs/rules/climbing.md §6.2, §7 and the recorded vectors."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.climbing_vectors import climbing_vectors
from shuangkou.rules.cards import Card, Rank
from shuangkou.rules.climbing.combinations import Combination, Kind
from shuangkou.rules.climbing.events import BombPlayed, CardsPlayed, Result
from shuangkou.rules.climbing.move_table import move_table
from shuangkou.rules.climbing.options import ClimbingOptions, MultiplierSource, Scoring
from shuangkou.rules.climbing.phase_events import LandlordNamed
from shuangkou.rules.climbing.settlement import DealRecord, Group, fines, groups_of, settle
from shuangkou.rules.match_events import available_events
from shuangkou.rules.notation import parse_cards
from shuangkou.rules.ruleset import available, load
from shuangkou.rules.seats import SEATS, Seat
from shuangkou.rules.vectors import Verdict, run_vector


def vectors(variant: str) -> list[object]:
    return [pytest.param(vector, id=vector["id"]) for vector in climbing_vectors(variant)]


@pytest.mark.parametrize(
    "vector", [vector for id in (*available("climbing"), *available_events()) for vector in vectors(id)]
)
def test_recorded_vectors(vector: dict[str, object]) -> None:
    outcome = run_vector(vector)
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


def bombs_of(id: str) -> list[Combination]:
    return [combination for combination in move_table(load(id).options).combinations if combination.is_bomb]


def played(*texts: str, id: str = "wenzhou") -> tuple[BombPlayed, ...]:
    """Bombs like `1: 7 7 7 7`."""
    table = move_table(load(id).options)
    bombs = []
    for text in texts:
        row = table.classify(parse_cards(text[3:]))
        assert row is not None
        bombs.append(BombPlayed(SEATS[int(text[0])], table.combinations[row]))
    return tuple(bombs)


def scores_of(options: ClimbingOptions, order: tuple[Seat, ...], *bombs: str) -> tuple[int, ...]:
    return settle(options, DealRecord(order, played(*bombs))).scores


FINISHED = st.permutations(SEATS).map(tuple)
IDS = st.sampled_from([id for id in available("climbing") if load(id).options.scoring is Scoring.PLACES])


@st.composite
def records(draw: st.DrawFn) -> tuple[str, DealRecord]:
    """A ruleset that scores by places and a deal of it, possible or not."""
    id = draw(IDS)
    bombs = st.builds(BombPlayed, st.sampled_from(SEATS), st.sampled_from(bombs_of(id)))
    forfeited = draw(st.sampled_from(((), (Seat(2),))))
    return id, DealRecord(draw(FINISHED), draw(st.lists(bombs, max_size=6).map(tuple)), forfeited)


@given(records())
def test_scores_sum_to_zero_where_ruled(given_record: tuple[str, DealRecord]) -> None:
    """§7.1, §7.5: contributions and fines always do; the base but where a draw costs nothing."""
    id, record = given_record
    options = load(id).options
    settlement = settle(options, record)
    gift = 0
    if settlement.result is Result.DRAW and not options.draw_zero_sum:
        gift = 2 * settlement.base * settlement.multiplier
    assert sum(settlement.scores) == gift
    assert sum(seat.contribution for seat in settlement.breakdown) == 0
    assert sum(seat.fine for seat in settlement.breakdown) == 0
    won = [seat.base * seat.multiplier for seat in settlement.breakdown]
    assert won[:2] == won[2:]
    assert won[record.finish_order[0]] >= 0
    assert settlement.scores == tuple(seat.total for seat in settlement.breakdown)


@given(records())
def test_the_order_of_bombs_does_not_matter(given_record: tuple[str, DealRecord]) -> None:
    """§7.2."""
    id, record = given_record
    turned = replace(record, bombs=record.bombs[::-1])
    assert settle(load(id).options, record) == settle(load(id).options, turned)


@given(records())
def test_the_bombs_of_losers_multiply_only_where_all_bombs_do(given_record: tuple[str, DealRecord]) -> None:
    """§7.2."""
    id, record = given_record
    options = load(id).options
    winners = tuple(bomb for bomb in record.bombs if bomb.seat % 2 == record.finish_order[0] % 2)
    if options.multiplier_source is not MultiplierSource.ALL_PRODUCT:
        without = settle(options, replace(record, bombs=winners))
        assert settle(options, record).multiplier == without.multiplier


DOUBLE = (Seat(1), Seat(3), Seat(0), Seat(2))
DRAW = (Seat(0), Seat(1), Seat(3), Seat(2))


@pytest.mark.parametrize(("mult", "score"), [("5", 20), ("4", 16)])
def test_the_joker_bomb_is_worth_what_the_table_chose(mult: str, score: int) -> None:
    """qq 1."""
    options = load("qq").with_options({"joker_bomb_mult": mult}).options
    settlement = settle(options, DealRecord(DOUBLE, played("3: LJ LJ BJ BJ", id="qq")))
    assert settlement.result is Result.DOUBLE
    assert settlement.scores == (-score, score, -score, score)


@pytest.mark.parametrize(("base", "score"), [("2", 2), ("3", 3), ("4", 4)])
def test_the_lost_base_of_a_single_is_an_option(base: str, score: int) -> None:
    """jj 2."""
    options = load("jj").with_options({"base_single": base}).options
    assert scores_of(options, SEATS) == (score, -score, score, -score)


@pytest.mark.parametrize(("limit", "multiplier"), [("0", 18), ("12", 12), ("24", 18)])
def test_a_product_may_be_limited(limit: str, multiplier: int) -> None:
    """jj 4."""
    options = load("jj").with_options({"max_multiplier": limit}).options
    bombs = played("0: 6 6 6 6 6 6", "1: 7 7 7 7 7 7 7", "3: LJ LJ BJ BJ", id="jj")
    assert settle(options, DealRecord(SEATS, bombs)).multiplier == multiplier


@pytest.mark.parametrize(("is_zero_sum", "scores"), [("false", (2, 0, 2, 0)), ("true", (2, -2, 2, -2))])
def test_a_draw_may_cost_nothing(is_zero_sum: str, scores: tuple[int, ...]) -> None:
    """baibian 1: the head's side multiplies in a draw as well."""
    options = load("baibian").with_options({"draw_zero_sum": is_zero_sum}).options
    assert scores_of(options, DRAW, "2: 5 5 5 5 5") == scores


PROSE = "6:1 7:3 8:5 9:5 10:5 11:5 12:5"


@pytest.mark.parametrize(
    ("scale", "bomb", "each"),
    [
        ("", "6 6 6 6 6 6", 2),
        ("", "4 4 4 4 4 4 4 4 LJ LJ BJ BJ", 128),
        (PROSE, "6 6 6 6 6 6", 1),
        (PROSE, "6 6 6 6 6 6 6", 3),
        (PROSE, "4 4 4 4 4 4 4 4 LJ LJ BJ BJ", 5),
    ],
)
def test_the_scale_of_contributions_is_an_option(scale: str, bomb: str, each: int) -> None:
    """wenzhou 3."""
    options = load("wenzhou").with_options({"contributions": scale} if scale else {}).options
    settlement = settle(options, DealRecord(DOUBLE, played(f"2: {bomb}")))
    assert [seat.contribution for seat in settlement.breakdown] == [-each, -each, 3 * each, -each]
    assert settlement.multiplier == 1


@pytest.mark.parametrize(
    ("sizes", "stars"),
    [
        ((4, 4), 0),
        ((4, 4, 4), 5),
        ((4, 5, 4), 5),
        ((5, 5), 6),
        ((5, 5, 5), 6),
        ((4, 4, 4, 4), 6),
        ((5, 5, 4, 4, 4), 7),
        ((4, 4, 4, 4, 4, 4), 8),
        ((4, 4, 4, 4, 4, 5, 5), 8),
        ((6, 6, 6), 0),
    ],
)
def test_what_a_group_of_separate_bombs_is_worth(sizes: tuple[int, ...], stars: int) -> None:
    """§7.6."""
    bombs = played(*(f"1: {' '.join([rank] * size)}" for rank, size in zip("3456789", sizes, strict=False)))
    options = load("wenzhou").options
    groups = groups_of(options, bombs)
    assert [group.stars for group in groups] == ([stars] if stars else [])
    assert groups_of(load("baibian").options, bombs) == ()


def test_neither_partners_nor_chains_join_a_group() -> None:
    """§7.6."""
    options = load("wenzhou").options
    chain = "1: 3 3 3 3 4 4 4 4 5 5 5 5"
    assert groups_of(options, played("1: 3 3 3 3", "3: 4 4 4 4", "1: 5 5 5 5", chain)) == ()
    wild = played("1: 3 3 3 3", "1: 4 4 4 BJ", "1: 5 5 5 5")
    assert groups_of(options, wild) == (Group(Seat(1), 3, 5),)


@pytest.mark.parametrize("id", available("climbing"))
def test_a_forfeit_is_shared_by_the_others(id: str) -> None:
    """§9.1: three times the base of a double, or of a win, and 30 points where there is no such base."""
    options = load(id).options
    fine = 3 * (options.base_double or options.base_win or 10)
    playing = SEATS[: options.players]
    share, leaver = fine // (len(playing) - 1), playing[-1]
    opening = (LandlordNamed(Seat(1), 1),)
    history = (CardsPlayed(Seat(1), (Card.S3,), Combination(Kind.SINGLE, 1, 1, Rank.THREE, 0)),)
    settlement = settle(options, DealRecord(DOUBLE, (), (leaver,), history, opening=opening))
    paid = [-fine if seat == leaver else share if seat in playing else 0 for seat in SEATS]
    assert [seat.fine for seat in settlement.breakdown] == paid
    both = fines(options, (Seat(0), leaver))
    assert sum(both) == 0
    assert (both[0], both[leaver]) == (share - fine, share - fine)


def test_results_have_chinese_names() -> None:
    """§6.2."""
    assert [result.name_zh for result in Result] == ["双扣", "单扣", "平扣", "获胜"]
