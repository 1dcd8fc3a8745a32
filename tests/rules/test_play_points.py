"""docs/rules/climbing.md §13, §7.8: points by what was played, told as stories."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.climbing_table import DECIDER, act, end_of, new_deal, played_out, random_policy, table_with
from kit.effort import effort
from shuangkou.rules.cards import Card
from shuangkou.rules.climbing.calls import standing_declaration
from shuangkou.rules.climbing.events import CardsPlayed, Opening
from shuangkou.rules.climbing.move_table import move_table
from shuangkou.rules.climbing.phase_events import CombinationDeclared, LandlordNamed
from shuangkou.rules.climbing.play_points import worth_of
from shuangkou.rules.climbing.record import DealRecord
from shuangkou.rules.climbing.settlement import Settlement, settle
from shuangkou.rules.climbing.suits import read
from shuangkou.rules.notation import parse_cards
from shuangkou.rules.ruleset import RuleSet, load
from shuangkou.rules.seats import SEATS, Seat, seats_of, side_of

BID, LANDLORD, FIVE, EASY = (load(id) for id in ("bid52", "landlord52", "five5", "easy52"))
SEEDS = st.binary(min_size=32, max_size=32)


def play(ruleset: RuleSet, text: str) -> CardsPlayed:
    """A play like `1: 7 7`."""
    cards = parse_cards(text[3:])
    combination = read(move_table(ruleset.options), cards)
    assert combination is not None
    return CardsPlayed(SEATS[int(text[0])], cards, combination)


def settled(
    ruleset: RuleSet, order: str, *plays: str, opening: tuple[Opening, ...] = (), marks: str = "- - - -"
) -> Settlement:
    """The settlement of a deal in which just these were played."""
    marked = tuple(None if card == "-" else parse_cards(card)[0] for card in marks.split())
    record = DealRecord(
        finish_order=tuple(SEATS[int(seat)] for seat in order),
        history=tuple(play(ruleset, text) for text in plays),
        opening=opening,
        marks=marked,
    )
    return settle(ruleset.options, record)


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("2", 1),
        ("3 3", 2),
        ("A A A", 3),
        ("5 5 5 6", 6),
        ("5 5 5 5 6 7", 8),
        ("3 4 5 6 7", 5),
        ("3 4 5 6 7 8 9 T J Q K A", 40),
        ("3 3 4 4", 10),
        ("3 3 4 4 5 5", 30),
        ("3 3 3 4 4 4", 45),
        ("9 9 9 9", 120),
    ],
)
def test_what_a_play_is_worth(cards: str, points: int) -> None:
    """§13.1."""
    assert worth_of(play(BID, f"0: {cards}").combination) == points


def test_a_place_keeps_its_quarters() -> None:
    """§13.2: rounded down, and the richer side wins although the head is of the other."""
    plays = ("0: 3 3", "1: 9 9 9 9", "2: 5 5 5", "3: 3 4 5 6 7")
    settlement = settled(BID, "0213", *plays)
    assert settlement.scores == (2, 60, 2, 1)
    assert settlement.winners == (1, 3)
    equal = replace(BID, options=BID.with_options({"place_weights": "1:4 2:4 3:4 4:4"}).options)
    assert settled(equal, "0213", *plays).scores == (2, 120, 3, 5)


def test_a_tie_is_won_by_the_side_of_the_head() -> None:
    """§7.8."""
    assert settled(BID, "1032", "1: 3", "0: 4 4").scores == (1, 1, 0, 0)
    assert settled(BID, "1032", "1: 3", "0: 4 4").winners == (1, 3)
    assert settled(BID, "0132", "0: 3", "1: 4 4").winners == (0, 2)


@pytest.mark.parametrize(
    ("played", "scores"),
    [
        ("0: 9 9 9 9", (240, 0, 0, 0)),
        ("1: 9 9 9 9", (0, 90, 0, 0)),
        ("0: 8 8 8 8", (120, 0, 0, 0)),
        ("0: 9 9 9", (3, 0, 0, 0)),
    ],
)
def test_the_declaration_that_stands_counts_if_its_seat_played_it(
    played: str, scores: tuple[int, ...]
) -> None:
    """§13.2."""
    earlier, stands = (play(BID, text) for text in ("2: 3 4 5 6 7", "0: 9 9 9 9"))
    opening = tuple(
        CombinationDeclared(made.seat, made.cards, made.combination) for made in (earlier, stands)
    )
    assert standing_declaration(opening) is opening[1]
    assert settled(BID, "0123", played, opening=opening).scores == scores


def test_a_declaration_that_was_overcalled_counts_for_nothing() -> None:
    """§13.2."""
    straight, bomb = (play(BID, text) for text in ("2: 3 4 5 6 7", "0: 9 9 9 9"))
    opening = tuple(CombinationDeclared(made.seat, made.cards, made.combination) for made in (straight, bomb))
    assert settled(BID, "2013", "2: 3 4 5 6 7", opening=opening).scores == (0, 0, 5, 0)


def landlord_deal(landlord: int, bid: int, head: str, *plays: str) -> Settlement:
    return settled(LANDLORD, head, *plays, opening=(LandlordNamed(SEATS[landlord], bid),))


@pytest.mark.parametrize(
    ("landlord", "head", "plays", "scores"),
    [
        (0, "0", ("0: 5", "1: 6", "0: 7"), (6, 5, 6, 5)),
        (0, "0", ("0: 5", "0: 7"), (16, 5, 16, 5)),
        (0, "2", ("0: 5", "2: 7 7"), (17, 5, 17, 5)),
        (0, "1", ("0: 5", "1: 6"), (5, 16, 5, 16)),
        (0, "1", ("0: 5", "1: 6", "0: 7", "1: 8"), (5, 6, 5, 6)),
        (0, "1", ("0: 5", "2: 6", "1: 7"), (5, 6, 5, 6)),
        (0, "1", ("0: A A 2 2 3 3", "1: 6 6 6 6", "0: 7 7 7"), (8, 6, 8, 6)),
        (0, "3", ("0: K K K K", "1: 6 6", "3: 9 9", "0: 4"), (5, 8, 5, 8)),
    ],
)
def test_what_the_sides_of_a_landlord_have(
    landlord: int, head: str, plays: tuple[str, ...], scores: tuple[int, ...]
) -> None:
    """§13.3: 反主分 without a bomb, the bid and the spring for the side of the first seat out."""
    settlement = landlord_deal(landlord, 1, head, *plays)
    assert settlement.scores == scores
    assert settlement.winners == seats_of(side_of(SEATS[int(head)]))


@pytest.mark.parametrize(("points", "score"), [("0", 6), ("10", 16), ("20", 26)])
def test_the_points_of_a_spring_are_an_option(points: str, score: int) -> None:
    """§13.3."""
    ruleset = LANDLORD.with_options({"spring_points": points})
    assert settled(ruleset, "0", "0: 5", opening=(LandlordNamed(Seat(0), 1),)).scores[0] == score


@pytest.mark.parametrize(
    ("cards", "points"),
    [("A", 1), ("2", 2), ("K", 13), ("9 9", 9), ("K K K", 13), ("A 2 3 4 5", 10), ("9s Ts Js Qs Ks", 18)],
)
def test_what_a_rank_is_worth(cards: str, points: int) -> None:
    """§13.4."""
    assert settled(FIVE, "0213", f"1: {cards}").scores == (0, points, 0, points)


@pytest.mark.parametrize(
    ("trick", "scores"),
    [
        ("0: 3 | 1: 6 | 2: Q | 3: K", (0, 0, 0, 52)),
        ("0: 3 | 1: 6 | 2: 4 | 3: 5", (0, 12, 0, 0)),
        ("0: 4 | 1: 8 | 2: 2 | 3: A", (0, 0, 30, 0)),
        ("0: 5 | 1: T | 2: 3 | 3: Ts", (0, 20, 0, 0)),
        ("0: 7 | 1: A | 2: 3 | 3: 6", (0, 28, 0, 0)),
        ("0: 6 | 1: 3 | 2: 4 | 3: 8", (0, 0, 0, 8)),
        ("2: J | 3: J | 0: J | 1: J", (0, 0, 11, 0)),
    ],
)
def test_what_a_trick_is_worth(trick: str, scores: tuple[int, ...]) -> None:
    """§13.5: doubled for each card that beats a card of half its pips; the first of equals wins."""
    assert settled(EASY, "", *trick.split(" | ")).scores == scores


def test_a_mark_earns_points_only_by_winning() -> None:
    """§13.5: and only for its own seat and that very card."""
    trick = ("0: 3s", "1: 9h", "2: 4s", "3: 5s")
    assert settled(EASY, "", *trick, marks="3s 9h - 9h").scores == (0, 19, 0, 0)
    assert settled(EASY, "", *trick, marks="9h 9d 4s 5s").scores == (0, 9, 0, 0)
    chosen = EASY.with_options({"mark_points": "20"})
    assert settled(chosen, "", *trick, marks="- 9h - -").scores == (0, 29, 0, 0)


def test_places_by_points_and_shared_wins() -> None:
    """§13.5, §7.8: equal ones in turn order from the seat that led first."""
    plays = ("3: 9s", "0: 3s", "1: 4s", "2: 5s", "3: 6s", "0: 7s", "1: 9h", "2: 8s")
    settlement = settled(EASY, "", *plays)
    assert (settlement.scores, settlement.order) == ((0, 9, 0, 9), (3, 1, 0, 2))
    assert settlement.winners == (3, 1)


@given(SEEDS, st.integers(0, 2**32), st.sampled_from((BID, LANDLORD, FIVE, EASY)))
@effort(40)
def test_points_are_told_by_the_events(seed: bytes, number: int, ruleset: RuleSet) -> None:
    """§13, counted once more from the plays of a whole deal."""
    steps = played_out(new_deal(seed, ruleset), random_policy(Random(number)))
    after = end_of(steps).settled
    if after is None:
        assert ruleset is LANDLORD
        return
    plays = [event for _, _, events in steps for event in events if isinstance(event, CardsPlayed)]
    assert (sum(after.scores) > 0) == bool(plays)
    assert after.breakdown == tuple(replace(score, multiplier=1, contribution=0) for score in after.breakdown)
    assert len(after.winners) in ((1, 2, 3, 4) if ruleset is EASY else (2,))
    if ruleset is FIVE:
        order = ruleset.options.rank_order
        worth = [
            order.index(made.combination.rank) + 1 for made in plays if made.combination.rank is not None
        ]
        worth = [points + 5 * (made.combination.size == 5) for points, made in zip(worth, plays, strict=True)]
        sides = [sum(p for p, made in zip(worth, plays, strict=True) if made.seat % 2 == n) for n in (0, 1)]
        assert after.scores == (*sides, *sides)
    if ruleset is EASY:
        assert after.scores[after.finish_order[0]] == max(after.scores)


def test_the_deal_goes_on_until_three_are_out() -> None:
    """bid52 3: a complete side ends nothing; the last seat is fourth and its cards earn nothing."""
    state = table_with("3", "9 9", "4", "5 K", ruleset=BID)
    state, _ = act(state, "0: 3", "1: pass", "2: 4")
    assert state.deal is not None
    assert state.deal.finish_order == (0, 2)
    state, _ = act(state, "3: 5", "1: pass")
    assert state.deal is not None
    assert state.deal.turn == 3
    state, _ = act(state, "3: K")
    assert state.settled is not None
    assert state.settled.finish_order == (0, 2, 3, 1)
    assert state.settled.scores == (1, 0, 0, 1)


def test_the_lead_goes_to_the_next_seat_where_the_partner_is_out() -> None:
    """§5.4 where a complete side ends nothing."""
    state, _ = act(table_with("3", "9 9", "4", "5 K", ruleset=BID), "0: 3", "1: pass", "2: 4")
    state, _ = act(state, "3: pass", "1: pass")
    assert DECIDER.actors(state) == (3,)


def test_a_card_has_pips() -> None:
    """§11.3, §13.5."""
    assert settled(EASY, "", "0: 2", "1: A", "2: K", "3: 3", marks="2s - - -").scores == (25, 0, 0, 0)
    assert parse_cards("2s")[0] is Card.S2
