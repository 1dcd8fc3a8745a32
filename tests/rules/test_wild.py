"""docs/rules/climbing.md §3.12 to §3.15 and the orders of bombs of §4.3, by example."""

import pytest

from kit.climbing_table import DECIDER, act, table_with
from shuangkou.rules.cards import Rank
from shuangkou.rules.climbing.combinations import Combination, Kind
from shuangkou.rules.climbing.events import CardsPlayed, ContributionBooked
from shuangkou.rules.climbing.move_table import move_table
from shuangkou.rules.climbing.notation import format_combination, parse_combination
from shuangkou.rules.notation import format_ranks, parse_cards
from shuangkou.rules.ruleset import load
from shuangkou.rules.seats import Seat


def combination(id: str, text: str) -> Combination | None:
    table = move_table(load(id).options)
    row = table.classify(parse_cards(text))
    return None if row is None else table.combinations[row]


def described(id: str, text: str) -> str | None:
    found = combination(id, text)
    return None if found is None else format_combination(found)


def many(rank: str, number: int) -> str:
    return " ".join([rank] * number)


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("BJ", "single 1x1 BJ"),
        ("BJ BJ", "pair 2x1 BJ"),
        ("LJ BJ", "pair 2x1 LJ"),
        ("2 BJ", "pair 2x1 2"),
        ("2 2 2 BJ", "bomb 4x1 2"),
        ("2 2 BJ BJ", "bomb 4x1 2"),
        ("5 6 7 8 BJ", "straight 1x5 9"),
        ("4 5 7 8 BJ", "straight 1x5 8"),
        ("J Q K A BJ", "straight 1x5 A"),
        ("3 4 5 BJ BJ", "straight 1x5 7"),
        ("3 4 5 6 7 8 9 T J Q BJ BJ", "straight 1x12 A"),
        ("5 5 6 6 7 7 BJ BJ", "consecutive_pairs 2x4 8"),
        ("Q Q K K A A BJ BJ", "consecutive_pairs 2x4 A"),
        ("3 3 4 5 BJ BJ", "consecutive_pairs 2x3 5"),
        ("3 3 4 4 BJ", None),
        ("K A 2 BJ BJ", None),
        ("LJ BJ 3", None),
        ("LJ 3 4 5 6", None),
        ("LJ LJ BJ", "joker_bomb 3x1"),
        ("LJ BJ BJ", "joker_bomb 3x1"),
        ("LJ LJ BJ BJ", "joker_bomb 4x1"),
        ("T T T T J J J J Q Q Q BJ", "chain_bomb 4x3 Q"),
        ("3 3 3 3 4 4 4 4 BJ BJ", None),
        (many("4", 7) + " BJ", "bomb 8x1 4"),
    ],
)
@pytest.mark.parametrize("id", ["jj", "baibian", "wenzhou"])
def test_what_wild_cards_make(id: str, cards: str, expected: str | None) -> None:
    """§3.12, §3.13."""
    assert described(id, cards) == expected


@pytest.mark.parametrize(
    ("cards", "stars"),
    [
        (many("4", 8) + " BJ", 9),
        (many("4", 7) + " BJ BJ", 9),
        (many("4", 8) + " BJ BJ", 10),
        (many("4", 8) + " LJ LJ BJ", 11),
        (many("4", 8) + " LJ BJ BJ", 11),
        (many("4", 8) + " LJ LJ BJ BJ", 12),
        (many("4", 8) + " LJ", None),
        (many("4", 8) + " LJ BJ", None),
        (many("4", 7) + " LJ LJ BJ BJ", None),
        (many("4", 9), None),
    ],
)
def test_bombs_of_more_than_eight_cards(cards: str, stars: int | None) -> None:
    """§3.8, §3.10, §3.15: only `wenzhou` has them."""
    found = combination("wenzhou", cards)
    assert (None if found is None else found.stars) == stars
    assert described("jj", cards) is None


def ladder(id: str) -> list[str]:
    """Bombs from weak to strong without their ranks; those that stand level by sheer rank appear once."""
    seen: dict[str, None] = {}
    for found in move_table(load(id).options).combinations:
        if found.is_bomb:
            label = f"{found.width}x{found.length}" if found.rank else f"{found.size}J"
            seen[label] = None
    return list(seen)


def test_the_orders_of_bombs() -> None:
    """§4.3 and the ladders of `baibian` and `wenzhou`."""
    stars = "4x1 5x1 3J 6x1 4x3 7x1 4J 4x4 5x3 8x1 5x4 4x5 6x3 5x5 6x4 4x6 7x3 8x3"
    phases = "4x1 5x1 3J 6x1 4J 4x3 7x1 5x3 4x4 8x1 6x3 5x4 4x5 9x1 7x3 6x4 5x5 4x6 10x1 8x3 11x1 12x1"
    assert ladder("baibian") == ladder("jj") == stars.split()
    assert ladder("wenzhou") == phases.split()
    assert ladder("qq") == ladder("zsy") == ladder("jipai") == ["4x1", "5x1", "6x1", "7x1", "8x1", "4J"]


def test_chains_that_stand_level_go_by_rank() -> None:
    """§4.3: `baibian` compares 4×5 and 5×4 by their top rank only."""
    four_by_five, five_by_four = ("chain_bomb 4x5 9", "chain_bomb 5x4 9")
    table = move_table(load("baibian").options)
    one, other = parse_combination(four_by_five, table), parse_combination(five_by_four, table)
    assert one.strength == other.strength
    assert not one.beats(other)
    assert parse_combination("chain_bomb 5x4 T", table).beats(one)


@pytest.mark.parametrize(
    ("cards", "wild_as"),
    [
        ("5 6 7 8 BJ", "9"),
        ("3 3 4 5 BJ BJ", "4 5"),
        ("7 BJ", "7"),
        ("LJ BJ", "LJ"),
        ("BJ BJ", ""),
        ("LJ BJ BJ", ""),
        ("4 4 4 4 4 4 4 4 LJ BJ BJ", ""),
        ("5 5 5", ""),
    ],
)
def test_a_play_says_what_its_wild_cards_stand_for(cards: str, wild_as: str) -> None:
    """§3.12."""
    state = table_with(cards + " 3", "4", "4", "4", ruleset=load("wenzhou"))
    _, events = act(state, f"0: {cards}")
    assert isinstance(events[0], CardsPlayed)
    assert format_ranks(events[0].wild_as) == wild_as


def test_natural_cards_are_offered_before_wild_ones() -> None:
    """Legal plays spend a wild card only where they must; the seat may spend it elsewhere all the same."""
    state = table_with("7s 7h 7c BJ 3s", "4", "4", "4", ruleset=load("jj"))
    acts = DECIDER.legal_acts(state, Seat(0))
    offered = {format_combination(play.combination): play.command.cards for play in acts}
    assert offered["triple 3x1 7"] == parse_cards("7s 7h 7c")
    assert offered["bomb 4x1 7"] == parse_cards("7s 7h 7c BJ")
    assert offered["pair 2x1 3"] == parse_cards("3s BJ")
    assert parse_cards("7s BJ") in acts


def test_equal_readings_are_equal() -> None:
    """§3.12: `7 BJ` does not beat `7 7`."""
    assert combination("baibian", "7 BJ") is combination("baibian", "7 7")
    assert combination("wenzhou", "5 5 5 5 BJ") is combination("wenzhou", "5 5 5 5 5")


def test_contributions_are_booked_with_the_play() -> None:
    """§7.5: everybody else pays, and a bomb of five earns nothing."""
    state = table_with("6 6 6 6 6 6 3", "8 8 8 8 8 8 8 3", "4 4", "4 4", ruleset=load("baibian"))
    state, events = act(state, "0: 6 6 6 6 6 6")
    assert events[1:] == (ContributionBooked(Seat(0), 6, (6, -2, -2, -2)),)
    state, events = act(state, "1: 8 8 8 8 8 8 8")
    assert events[1:] == (ContributionBooked(Seat(1), 7, (-4, 12, -4, -4)),)
    assert DECIDER.observe(state, None).contributions == (2, 10, -6, -6)
    state = table_with("6 6 6 6 6 3", "4", "4", "4", ruleset=load("baibian"))
    assert len(act(state, "0: 6 6 6 6 6")[1]) == 1
    state = table_with("6 6 6 6 6 6 3", "4", "4", "4", ruleset=load("jj"))
    assert len(act(state, "0: 6 6 6 6 6 6")[1]) == 1


def test_a_reading_uses_as_many_wild_cards_as_cards_are_missing() -> None:
    """§3.12: and never a card more."""
    for id in ("jj", "baibian", "wenzhou"):
        table = move_table(load(id).options)
        for packed, row in table.row_of.items():
            held = [packed >> 6 * place & 63 for place in range(15)]
            assert sum(held) == table.sizes[row]
            lacking = sum(max(0, need - has) for need, has in zip(table.needs[row][:-1], held, strict=False))
            assert held[-1] == table.needs[row][-1] + lacking
        assert Rank.BIG_JOKER in table.options.wild
        assert Kind.CHAIN_BOMB in {found.kind for found in table.combinations}
