"""What a deal is worth, as it is told: it must agree with what is paid."""

from __future__ import annotations

import pytest

from shuangkou.rules.climbing.events import CardsPlayed
from shuangkou.rules.climbing.move_table import move_table
from shuangkou.rules.climbing.options import Scoring
from shuangkou.rules.climbing.phase_events import LandlordNamed
from shuangkou.rules.climbing.record import DealRecord
from shuangkou.rules.climbing.score_sheet import score_sheet
from shuangkou.rules.climbing.settlement import settle
from shuangkou.rules.climbing.suits import read
from shuangkou.rules.notation import parse_cards
from shuangkou.rules.ruleset import available, load
from shuangkou.rules.seats import SEATS


def told(ruleset_id: str) -> dict[str, str]:
    return {line.name_en: line.value for line in score_sheet(load(ruleset_id).options)}


def played(ruleset_id: str, seat: int, cards: str) -> CardsPlayed:
    combination = read(move_table(load(ruleset_id).options), parse_cards(cards))
    assert combination is not None
    return CardsPlayed(SEATS[seat], parse_cards(cards), combination)


@pytest.mark.parametrize("ruleset_id", available("climbing"))
def test_every_game_says_what_its_deals_are_worth_in_both_languages(ruleset_id: str) -> None:
    lines = score_sheet(load(ruleset_id).options)
    beside = {"forfeit", "a total of this ends the match"}
    assert {line.name_en for line in lines} - beside
    assert all(line.name_en and line.name_zh for line in lines)


def test_every_way_of_scoring_is_played_by_some_game() -> None:
    assert {load(ruleset_id).options.scoring for ruleset_id in available("climbing")} == set(Scoring)


def test_cards_that_are_held_cost_what_the_sheet_says() -> None:
    assert told("classic54")["each card still held"] == (
        "3–10 the number 按点, J 11, Q 12, K 13, A 14, 2 15, LJ 16, BJ 17"
    )
    left = tuple(map(parse_cards, ("", "3s", "Ts 2h", "LJ BJ")))
    paid = settle(load("classic54").options, DealRecord((SEATS[0],), left=left)).scores
    assert paid == (61, -3, -25, -33)


def test_plays_earn_what_the_sheet_says() -> None:
    sheet = told("bid52")
    assert (sheet["three with one"], sheet["four with two"]) == ("+6", "+8")
    assert (sheet["straight of n cards"], sheet["bomb of n cards"]) == ("+(n − 4) × 5", "+n × 30")
    plays = (played("bid52", 0, "3 4 5 6 7 8"), played("bid52", 1, "9 9 9 9"))
    scores = settle(load("bid52").options, DealRecord(SEATS, history=plays)).scores
    assert scores[:2] == (10, 120 * 3 // 4)


def test_sides_of_a_landlord_earn_what_the_sheet_says() -> None:
    sheet = told("landlord52")
    assert (sheet["bomb"], sheet["a side that plays no bomb"], sheet["pair, also in consecutive pairs"]) == (
        "+5",
        "+5",
        "+1",
    )
    plays = (
        played("landlord52", 0, "3 3 4 4 5 5"),
        played("landlord52", 1, "6 6 6 6"),
        played("landlord52", 3, "9"),
    )
    record = DealRecord((SEATS[0],), history=plays, opening=(LandlordNamed(SEATS[0], 2),))
    assert settle(load("landlord52").options, record).scores == (10, 5, 10, 5)


def test_two_players_pay_a_fine_to_each_other() -> None:
    assert told("duel52")["forfeit"] == "-30 +30"
