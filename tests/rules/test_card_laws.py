"""Laws of cards and combinations that hold for every ruleset of docs/rules/climbing.md §1, §3, §4.3."""

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from kit.climbing_sets import any_card, random_cards, random_set
from kit.climbing_table import DECIDER, PRIVATE, played_out, random_policy, sure_deal
from kit.effort import cases
from shuangkou.rules import errors
from shuangkou.rules.cards import Card, Rank
from shuangkou.rules.climbing.combinations import Combination, Kind
from shuangkou.rules.climbing.move_table import MoveTable, move_table
from shuangkou.rules.climbing.options import Beating, ClimbingOptions, Phase
from shuangkou.rules.climbing.state import DealState, MatchState
from shuangkou.rules.climbing.suits import may_follow, read
from shuangkou.rules.commands import PlayCards
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.notation import parse_cards

EVERY = pytest.mark.parametrize("id", sorted(PRIVATE))
FEW, MANY = 500, 20_000
BESIDE = (Kind.BOMB_JOKERS, Kind.TRIPLE1, Kind.QUAD2)


def table_of(id: str) -> MoveTable:
    return move_table(PRIVATE[id].options)


def some_cards(table: MoveTable, rng: Random) -> tuple[Card, ...]:
    """Near a combination, with wild cards where there are such."""
    return random_set(table, rng) if table.options.wild else random_cards(table, rng)


def many_plays(table: MoveTable) -> list[Combination]:
    """Every combination of the ranks, and where suits count many of those that they make."""
    drawn = (read(table, random_cards(table, Random(number))) for number in cases(FEW, MANY))
    some = list(dict.fromkeys(play for play in drawn if play is not None))[:1_500]
    return some if table.options.suits else list(dict.fromkeys(table.combinations))


def is_above(options: ClimbingOptions, play: Combination, other: Combination) -> bool:
    """Beats it; what only follows as an equal (`equal_or_higher`) is no higher."""
    if options.beating is Beating.EQUAL_OR_HIGHER:
        return play.beats(other)
    return may_follow(options, play, other)


@EVERY
def test_beating_is_an_order(id: str) -> None:
    """§4.3: nothing beats itself, no two beat each other, and what beats a beater beats."""
    table = table_of(id)
    every = many_plays(table)
    above = [
        sum(1 << place for place, other in enumerate(every) if is_above(table.options, other, play))
        for play in every
    ]
    for place, beaters in enumerate(above):
        assert not beaters >> place & 1, every[place]
        for higher, play in enumerate(every):
            if beaters >> higher & 1:
                assert not above[higher] >> place & 1, (every[place], play)
                assert above[higher] & ~beaters == 0, (every[place], play)


@EVERY
def test_the_rank_of_a_combination_is_its_highest(id: str) -> None:
    """§3.11, §3.17: a joker bomb has none, and jokers or kickers beside equal cards do not count."""
    table = table_of(id)
    order = table.options.rank_order
    for play, parts in zip(table.combinations, table.parts, strict=True):
        most = max(need for _, need in parts)
        counting = [place for place, need in parts if need == most or play.kind not in BESIDE]
        assert play.rank is (None if play.kind is Kind.JOKER_BOMB else order[counting[-1]])


@EVERY
def test_no_combination_is_larger_than_its_limits(id: str) -> None:
    """§3.16: most equal cards, the ranks of pairs and triples, the longest straight."""
    options = PRIVATE[id].options
    for play in table_of(id).combinations:
        if play.kind in (Kind.SINGLE, Kind.PAIR, Kind.TRIPLE):
            assert play.size <= options.max_set
        if play.kind in (Kind.PAIR, Kind.TRIPLE) and options.set_ranks:
            assert play.rank in options.set_ranks
        if play.kind is Kind.STRAIGHT and options.max_straight:
            assert play.length <= options.max_straight


@pytest.mark.parametrize(
    ("changes", "cards", "is_play"),
    [
        ({"max_set": 1}, "7", True),
        ({"max_set": 1}, "7 7", False),
        ({"max_set": 2}, "7 7", True),
        ({"max_set": 2}, "7 7 7", False),
        ({"set_ranks": (Rank.SEVEN,)}, "7 7 7", True),
        ({"set_ranks": (Rank.SEVEN,)}, "8 8 8", False),
        ({"set_ranks": (Rank.SEVEN,)}, "8", True),
        ({"max_straight": 5}, "3 4 5 6 7", True),
        ({"max_straight": 5}, "3 4 5 6 7 8", False),
    ],
)
def test_limits_of_sets_and_straights(changes: dict[str, Any], cards: str, is_play: bool) -> None:
    """§3.16."""
    table = move_table(replace(PRIVATE["qq"].options, **changes))
    assert (table.classify(parse_cards(cards)) is not None) == is_play


@EVERY
def test_the_order_of_cards_does_not_matter(id: str) -> None:
    """§3: a combination is a set of cards."""
    table = table_of(id)
    for number in cases(FEW, MANY):
        rng = Random(number)
        cards = some_cards(table, rng)
        shuffled = tuple(rng.sample(cards, len(cards)))
        assert read(table, shuffled) == read(table, table.sort(cards)) == read(table, cards), number


@EVERY
def test_suits_matter_only_where_the_ruleset_says_so(id: str) -> None:
    """§1.3."""
    table = table_of(id)
    for number in cases(FEW, MANY):
        rng = Random(number)
        cards = some_cards(table, rng)
        others = tuple(any_card(card.rank, rng) for card in cards)
        assert table.classify(others) == table.classify(cards), number
        assert table.options.suits or read(table, others) == read(table, cards), number


def some_state(id: str, number: int) -> tuple[MatchState, DealState]:
    """In which cards are played."""
    steps = played_out(sure_deal(number.to_bytes(32, "big"), PRIVATE[id]), random_policy(Random(number)))
    played = [state for state, _, _ in steps if state.deal and state.deal.phase is Phase.PLAY]
    state = played[number % len(played)]
    assert state.deal is not None
    return state, state.deal


def lacks_cards(state: MatchState, command: PlayCards) -> bool:
    try:
        DECIDER.decide(state, command)
    except IllegalCommand as refusal:
        return refusal.code == errors.NOT_HELD
    return False


@EVERY
def test_a_hand_is_a_multiset(id: str) -> None:
    """§1.3: of a card that is held twice either copy is played, and both, but no third."""
    for number in cases(10, 400):
        state, deal = some_state(id, number)
        hand, rng = deal.hands[deal.turn], Random(number)
        for _ in range(20):
            cards: tuple[Card, ...] = tuple(rng.choices(hand, k=rng.randint(1, 4)))
            is_short = bool(Counter(cards) - Counter(hand))
            assert lacks_cards(state, PlayCards(deal.turn, cards)) == is_short, (number, cards)


@EVERY
def test_playing_a_card_takes_one_copy_of_it(id: str) -> None:
    """§1.3: the other copy stays in the hand."""
    for number in cases(10, 400):
        state, deal = some_state(id, number)
        seat, acts = deal.turn, DECIDER.legal_acts(state, deal.turn)
        for play in acts:
            after = DECIDER.evolve(state, DECIDER.decide(state, play.command)[0]).deal
            assert after is not None
            assert Counter(after.hands[seat]) + Counter(play.command.cards) == Counter(deal.hands[seat])
            assert after.packed_hands[seat] == state.table.pack(after.hands[seat])
