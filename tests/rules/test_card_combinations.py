"""docs/rules/climbing.md §3, §4.3, §4.6: games of other lengths, suits and ranks against their oracle."""

from itertools import combinations, product
from random import Random

import pytest

from kit.card_oracle import CARD_HOUSES, House, Play, can_follow, plays_in, reading
from kit.climbing_oracle import HOUSES
from kit.climbing_sets import random_cards
from kit.climbing_table import DECIDER, act, table_with
from kit.effort import cases
from shuangkou.rules.cards import Card, full_deck
from shuangkou.rules.climbing.combinations import Combination
from shuangkou.rules.climbing.legal_acts import LegalActs
from shuangkou.rules.climbing.move_table import move_table
from shuangkou.rules.climbing.suits import may_follow, read
from shuangkou.rules.notation import format_card, format_cards, format_rank
from shuangkou.rules.ruleset import available, load
from shuangkou.rules.seats import Seat

IDS = sorted(CARD_HOUSES)


def test_every_ruleset_has_an_oracle() -> None:
    assert {*HOUSES, *CARD_HOUSES} == set(available("climbing"))


def names(cards: tuple[Card, ...]) -> list[str]:
    return [format_card(card) for card in cards]


def is_same(found: Combination | None, expected: Play | None) -> bool:
    if found is None or expected is None:
        return found is None and expected is None
    assert found.rank is not None
    return (found.kind.value, found.size, format_rank(found.rank)) == (
        expected.name,
        expected.size,
        expected.top,
    )


@pytest.mark.parametrize("id", IDS)
def test_classification_agrees_with_the_oracle(id: str) -> None:
    """§3: of 200,000 sets in full."""
    table, house = move_table(load(id).options), CARD_HOUSES[id]
    for number in cases(6_000, 200_000):
        cards = random_cards(table, Random(number))
        assert is_same(read(table, cards), reading(names(cards), house)), (number, format_cards(cards))


@pytest.mark.parametrize("id", IDS)
def test_following_agrees_with_the_oracle(id: str) -> None:
    """§4.3, §4.6: any two of up to sixty plays at a time."""
    table, house = move_table(load(id).options), CARD_HOUSES[id]
    for number in cases(30, 1_000):
        rng = Random(number)
        drawn = [random_cards(table, rng) for _ in range(60)]
        readings = [(read(table, cards), reading(names(cards), house)) for cards in drawn]
        pairs = [(play, seen) for play, seen in readings if play is not None and seen is not None]
        for (play, seen), (top, seen_top) in product(pairs, pairs):
            expected = can_follow(seen, seen_top, house)
            assert may_follow(table.options, play, top) == expected, (number, seen, seen_top)


@pytest.mark.parametrize("id", IDS)
def test_legal_plays_agree_with_the_oracle(id: str) -> None:
    """§3, §4: all that a small hand can lead or can play on a top is found, and nothing else."""
    ruleset, house = load(id), CARD_HOUSES[id]
    options = ruleset.options
    for number in cases(12, 400):
        rng = Random(number)
        width = rng.choice((3, 5, 8, 13))
        ranks = options.rank_order[rng.randint(0, 13 - width) :][:width]
        deck = [card for card in full_deck(options.decks, options.jokers) if card.rank in ranks]
        rng.shuffle(deck)
        hand, rival = tuple(deck[:9]), tuple(deck[9:18])
        lead = rng.choice(list(plays_in(names(rival), house)))
        state = table_with(f"{format_cards(rival)} As", format_cards(hand), "5h", "5h", ruleset=ruleset)
        state, _ = act(state, f"0: {' '.join(lead)}")
        top = reading(lead, house)
        assert top is not None
        check_plays(DECIDER.legal_acts(state, Seat(1)), house, top)


def check_plays(acts: LegalActs, house: House, top: Play) -> None:
    """Every part of the hand is tried."""
    hand = acts.hand
    parts = {cards: reading(names(cards), house) for n in range(10) for cards in combinations(hand, n)}
    is_free = house.may_discard
    legal = {part: play for part, play in parts.items() if play and (is_free or can_follow(play, top, house))}
    assert {reading(names(play.command.cards), house) for play in acts} == set(legal.values())
    assert all((part in acts) == (part in legal) for part in parts)
