"""docs/rules/climbing.md §4.6: games in which suits count."""

from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.climbing_table import DECIDER, act, end_of, new_deal, played_out, random_policy, table_with
from kit.effort import effort
from shuangkou.rules.cards import full_deck
from shuangkou.rules.climbing.events import CardsPlayed
from shuangkou.rules.climbing.legal_acts import legal_acts_in_view
from shuangkou.rules.climbing.suits import may_follow, read
from shuangkou.rules.commands import PlayCards
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.notation import format_cards, parse_cards
from shuangkou.rules.ruleset import load
from shuangkou.rules.seats import Seat

SUITED = ("activity54", "classic52", "five5")


@pytest.mark.parametrize("id", SUITED)
@given(st.integers(0, 2**32))
@effort(8)
def test_legal_plays_are_those_of_every_part_of_the_hand(id: str, number: int) -> None:
    """Every part is read, whether it may follow is asked, and the list has just these."""
    ruleset, rng = load(id), Random(number)
    deck = [card for card in full_deck(1, ruleset.options.jokers) if card % 13 < rng.choice((5, 8, 13))]
    deck = rng.sample(deck, len(deck))
    size = min(ruleset.options.hand_size, 9)
    top_cards, hand = tuple(deck[:1]), deck[1 : size + 1]
    state = table_with(f"{format_cards(top_cards)} 3h 4h", format_cards(hand), "5h", "5h", ruleset=ruleset)
    state, events = act(state, PlayCards(Seat(0), top_cards))
    assert isinstance(events[0], CardsPlayed)
    acts = DECIDER.legal_acts(state, Seat(1))
    parts = [part for n in range(1, size + 1) for part in combinations(hand, n)]
    found = {part: read(state.table, part) for part in parts}
    legal = {
        part: seen
        for part, seen in found.items()
        if seen is not None and may_follow(ruleset.options, seen, events[0].combination)
    }
    assert {play.combination for play in acts} == set(legal.values())
    assert len(acts) == len(set(legal.values()))
    assert all((part in acts) == (part in legal) for part in parts)
    assert all(read(state.table, play.command.cards) == play.combination for play in acts)
    seen_acts = legal_acts_in_view(ruleset.options, DECIDER.observe(state, Seat(1)))
    assert list(seen_acts) == list(acts)


@pytest.mark.parametrize("id", SUITED)
@given(st.binary(min_size=32, max_size=32), st.integers(0, 2**32))
@effort(8)
def test_deals_end(id: str, seed: bytes, number: int) -> None:
    """Every legal play that is offered is accepted, to the end."""
    after = end_of(played_out(new_deal(seed, load(id)), random_policy(Random(number))))
    assert after.settled is not None


@pytest.mark.parametrize(
    ("id", "top", "play", "is_legal"),
    [
        ("classic52", "5h", "9h", True),
        ("classic52", "5h", "9s", False),
        ("classic52", "5h 5s", "9c 9d", True),
        ("classic52", "3h 4s 5d 6c 7h", "3d 5d 8d Jd 2d", True),
        ("classic52", "3d 5d 8d Jd 2d", "9s Ts Js Qs Ks", True),
        ("classic52", "3d 5d 8d Jd 2d", "4s 5s 9s Js 2s", True),
        ("classic52", "3d 5d 8d Jd 2d", "3s 4s 5s 7s 8s 9s", True),
        ("classic52", "3s 4s 5s 7s 8s 9s", "3d 5d 8d Jd 2d", False),
        ("activity54", "8d", "8c", True),
        ("activity54", "8c", "8d", False),
        ("activity54", "9c 9d", "9s 9h", True),
        ("activity54", "9h 9d", "9s 9c", True),
        ("activity54", "LJ", "BJ", True),
        ("activity54", "2s", "LJ", True),
        ("five5", "3h 4s 5d 6c 7h", "As 2s 3s 4s 5s", True),
        ("five5", "As 2s 3s 4s 5s", "3h 4s 5d 6c 7h", False),
    ],
)
def test_what_suits_add(id: str, top: str, play: str, is_legal: bool) -> None:
    """§4.6."""
    state = table_with(top + " Kc", play + " Kd", "5h", "5h", ruleset=load(id))
    state, _ = act(state, f"0: {top}")
    if is_legal:
        act(state, f"1: {play}")
    else:
        with pytest.raises(IllegalCommand):
            act(state, f"1: {play}")
    assert (parse_cards(play) in DECIDER.legal_acts(state, Seat(1))) == is_legal
