"""docs/rules/climbing.md §3, §4.3, §4.6: games of other lengths, suits and ranks against their oracle."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.card_oracle import CARD_HOUSES, Play, can_follow, plays_in, reading
from kit.climbing_oracle import HOUSES
from kit.climbing_table import DECIDER, act, table_with
from kit.effort import effort
from shuangkou.rules.cards import Card, full_deck
from shuangkou.rules.climbing.combinations import Combination
from shuangkou.rules.climbing.move_table import MoveTable, move_table
from shuangkou.rules.climbing.suits import may_follow, read
from shuangkou.rules.notation import format_card, format_cards, format_rank
from shuangkou.rules.ruleset import available, load
from shuangkou.rules.seats import Seat

IDS = sorted(CARD_HOUSES)
NUMBERS = st.integers(0, 2**32)


def test_every_ruleset_has_an_oracle() -> None:
    assert {*HOUSES, *CARD_HOUSES} == set(available("climbing"))


def names(cards: tuple[Card, ...]) -> list[str]:
    return [format_card(card) for card in cards]


def random_cards(table: MoveTable, rng: Random) -> tuple[Card, ...]:
    """Near a combination, or of one suit, or any; never a card more often than the deck has it."""
    options = table.options
    deck = list(full_deck(options.decks, options.jokers))
    rng.shuffle(deck)
    kind = rng.random()
    if kind < 0.1:
        return tuple(deck[: rng.randint(0, 8)])
    if kind < 0.3:
        suit = rng.randrange(4)
        return tuple([card for card in deck if card.suit == suit][: rng.randint(1, 7)])
    need = table.needs[rng.randrange(len(table.combinations))].tolist()
    wanted = Counter(dict(zip(options.rank_order, need, strict=True)))
    cards: list[Card] = []
    for card in sorted(deck, key=lambda card: (card.suit != 1) if kind < 0.4 else 0):
        if wanted[card.rank]:
            wanted[card.rank] -= 1
            cards.append(card)
    spare = [card for card in deck if card not in cards]
    if kind > 0.8:
        cards.append(rng.choice(spare))
    if kind > 0.9:
        cards.pop(rng.randrange(len(cards)))
    rng.shuffle(cards)
    return tuple(cards)


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
@given(NUMBERS)
@effort(60)
def test_classification_agrees_with_the_oracle(id: str, number: int) -> None:
    """§3: a hundred sets for each number."""
    table, house, rng = move_table(load(id).options), CARD_HOUSES[id], Random(number)
    for _ in range(100):
        cards = random_cards(table, rng)
        assert is_same(read(table, cards), reading(names(cards), house)), format_cards(cards)


@pytest.mark.parametrize("id", IDS)
@given(NUMBERS)
@effort(60)
def test_following_agrees_with_the_oracle(id: str, number: int) -> None:
    """§4.3, §4.6: any two of forty plays."""
    table, house, rng = move_table(load(id).options), CARD_HOUSES[id], Random(number)
    drawn = (random_cards(table, rng) for _ in range(60))
    pairs = [(read(table, cards), reading(names(cards), house)) for cards in drawn]
    for play, seen in pairs:
        for top, seen_top in pairs:
            if play is None or seen is None or top is None or seen_top is None:
                continue
            assert may_follow(table.options, play, top) == can_follow(seen, seen_top, house), (seen, seen_top)


@pytest.mark.parametrize("id", IDS)
@given(NUMBERS)
@effort(12)
def test_legal_plays_agree_with_the_oracle(id: str, number: int) -> None:
    """§3, §4: all that a small hand can lead or can play on a top is found, and nothing else."""
    ruleset, house, rng = load(id), CARD_HOUSES[id], Random(number)
    options, width = ruleset.options, rng.choice((3, 5, 8, 13))
    ranks = options.rank_order[rng.randint(0, 13 - width) :][:width]
    deck = [card for card in full_deck(options.decks, options.jokers) if card.rank in ranks]
    rng.shuffle(deck)
    hand, rival = tuple(deck[:9]), tuple(deck[9:18])
    lead = rng.choice(list(plays_in(names(rival), house)))
    state = table_with(f"{format_cards(rival)} As", format_cards(hand), "5h", "5h", ruleset=ruleset)
    state, _ = act(state, f"0: {' '.join(lead)}")
    acts, top = DECIDER.legal_acts(state, Seat(1)), reading(lead, house)
    assert top is not None
    parts = {cards: reading(names(cards), house) for n in range(10) for cards in combinations(hand, n)}
    is_free = house.may_discard
    legal = {part: play for part, play in parts.items() if play and (is_free or can_follow(play, top, house))}
    assert {reading(names(play.command.cards), house) for play in acts} == set(legal.values())
    assert all((part in acts) == (part in legal) for part in parts)
