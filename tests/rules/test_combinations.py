"""docs/rules/climbing.md §3 and §4.3, and the slow oracle against the move table."""

from collections import Counter
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from kit.climbing_oracle import HOUSES, Reading, can_follow, playable, ranks_of, reading, readings_in
from kit.climbing_sets import random_hand, random_set
from kit.climbing_table import DECIDER, QQ, new_deal, table_with
from kit.climbing_vectors import climbing_vectors
from kit.effort import cases
from shuangkou.rules.climbing.combinations import Combination, Kind
from shuangkou.rules.climbing.contradictions import contradictions
from shuangkou.rules.climbing.legal_acts import LegalActs
from shuangkou.rules.climbing.move_table import FIELD_BITS, FIELD_MASK, move_table
from shuangkou.rules.climbing.notation import format_combination
from shuangkou.rules.climbing.options import Beating
from shuangkou.rules.notation import DEFAULT_ORDER, format_rank, parse_cards
from shuangkou.rules.ruleset import available, load
from shuangkou.rules.seats import Seat
from shuangkou.rules.vectors import Verdict, check_vector

TABLE = move_table(QQ.options)


def combination(text: str) -> Combination | None:
    row = TABLE.classify(parse_cards(text))
    return None if row is None else TABLE.combinations[row]


def described(text: str) -> str | None:
    found = combination(text)
    return None if found is None else format_combination(found)


def as_reading(found: Combination) -> Reading:
    return found.kind.value, found.size, found.length, "" if found.rank is None else format_rank(found.rank)


@pytest.mark.parametrize(
    ("paragraph", "cards", "expected"),
    [
        ("§3.1", "BJ", "single 1x1 BJ"),
        ("§3.2", "7 7", "pair 2x1 7"),
        ("§3.2", "LJ LJ", "pair 2x1 LJ"),
        ("§3.2", "LJ BJ", None),
        ("§3.2", "7 8", None),
        ("§3.3", "2 2 2", "triple 3x1 2"),
        ("§3.3", "9 9 9 4", None),
        ("§3.3", "9 9 9 4 4", None),
        ("§3.4", "4 5 6 7 8", "straight 1x5 8"),
        ("§3.4", "4s 5s 6s 7s 8s", "straight 1x5 8"),
        ("§3.4", "3 4 5 6 7 8 9 T J Q K A", "straight 1x12 A"),
        ("§3.4", "3 4 5 6", None),
        ("§3.5", "5 5 6 6 7 7", "consecutive_pairs 2x3 7"),
        ("§3.5", "3 3 4 4", None),
        ("§3.6", "5 5 5 6 6 6 7 7 7", "consecutive_triples 3x3 7"),
        ("§3.6", "5 5 5 6 6 6", None),
        ("§3.7", "J Q K A 2", None),
        ("§3.7", "A 2 3 4 5", None),
        ("§3.7", "T J Q K A", "straight 1x5 A"),
        ("§3.7", "3 3 4 4 5 5 6 6 7 7 8 8 9 9 T T J J Q Q K K A A", "consecutive_pairs 2x12 A"),
        ("§3.7", " ".join(f"{rank} {rank} {rank}" for rank in "3456789TJ"), "consecutive_triples 3x9 J"),
        ("§3.7", " ".join(f"{rank} {rank} {rank}" for rank in "3456789TJQ"), None),
        ("§3.8", "6 6 6 6", "bomb 4x1 6"),
        ("§3.8", "2 2 2 2 2 2 2 2", "bomb 8x1 2"),
        ("§3.8", "3 3 3 3 4 4 4 4 5 5 5 5", None),
        ("§3.9", "LJ LJ BJ BJ", "joker_bomb 4x1"),
        ("§3.9", "LJ LJ BJ", None),
        ("§3.10", "5 6 7 8 BJ", None),
        ("§3.10", "9 9 9 9 9 9 9 9 9", None),
        ("§3.10", "LJ LJ LJ", None),
        ("§3.10", " ".join(["5"] * 64), None),
        ("§3.10", "", None),
    ],
)
def test_what_cards_make(paragraph: str, cards: str, expected: str | None) -> None:
    assert described(cards) == expected, paragraph


@pytest.mark.parametrize(
    ("low", "high"),
    [
        ("A", "2"),
        ("2", "LJ"),
        ("LJ", "BJ"),
        ("2 2", "LJ LJ"),
        ("4 5 6 7 8", "T J Q K A"),
        ("BJ BJ", "3 3 3 3"),
        ("3 3 3 4 4 4 5 5 5", "3 3 3 3"),
        ("3 3 3 3", "4 4 4 4"),
        ("2 2 2 2", "3 3 3 3 3"),
        ("2 2 2 2 2 2 2 2", "LJ LJ BJ BJ"),
    ],
)
def test_what_beats_what(low: str, high: str) -> None:
    """§4.3."""
    lower, higher = combination(low), combination(high)
    assert lower is not None
    assert higher is not None
    assert higher.beats(lower)
    assert not lower.beats(higher)


@pytest.mark.parametrize(
    ("a", "b"), [("7", "7"), ("7", "8 8"), ("4 5 6 7 8", "5 6 7 8 9 T"), ("9 9 9 9", "9 9 9 9")]
)
def test_neither_beats_the_other(a: str, b: str) -> None:
    """§4.3: another shape, or equal strength."""
    one, other = combination(a), combination(b)
    assert one is not None
    assert other is not None
    assert not one.beats(other)
    assert not other.beats(one)


def test_equal_plays_follow_only_where_they_may() -> None:
    """§4.3: `beating` = `equal_or_higher`; equal bombs never follow."""
    table = move_table(replace(QQ.options, beating=Beating.EQUAL_OR_HIGHER))
    for row, combination in enumerate(table.combinations):
        assert table.beaters[row] >> row & 1 == (not combination.is_bomb)
        assert table.beaters[row] & ~(1 << row) == TABLE.beaters[row]


@pytest.mark.parametrize("id", available("climbing"))
def test_recorded_combinations_of_every_game(id: str) -> None:
    options = load(id).options
    assert contradictions(options) == []
    asked = [vector for vector in climbing_vectors(id) if vector["kind"] in ("classify", "compare")]
    assert asked
    for vector in asked:
        outcome = check_vector(load(id), vector)
        assert outcome.verdict is Verdict.OK, outcome.detail


def test_the_number_of_combinations_of_each_kind() -> None:
    """A count for each kind, worked out by hand from §3."""
    assert Counter(c.kind for c in TABLE.combinations) == {
        Kind.SINGLE: 15,
        Kind.PAIR: 15,
        Kind.TRIPLE: 13,
        Kind.STRAIGHT: 8 + 7 + 6 + 5 + 4 + 3 + 2 + 1,
        Kind.CONSECUTIVE_PAIRS: 10 + 9 + 8 + 7 + 6 + 5 + 4 + 3 + 2 + 1,
        Kind.CONSECUTIVE_TRIPLES: 10 + 9 + 8 + 7 + 6 + 5 + 4,
        Kind.BOMB: 13 * 5,
        Kind.JOKER_BOMB: 1,
    }


EVERY = sorted(HOUSES)


@pytest.mark.parametrize("id", EVERY)
def test_beating_agrees_with_the_oracle_for_every_two_combinations(id: str) -> None:
    """§4.3."""
    table, house = move_table(load(id).options), HOUSES[id]
    readings = list(map(as_reading, table.combinations))
    for top, seen, beaters in zip(table.combinations, readings, table.beaters, strict=True):
        for row, play in enumerate(table.combinations):
            expected = can_follow(readings[row], seen, house)
            assert play.beats(top) == expected
            assert beaters >> row & 1 == expected


@pytest.mark.parametrize("id", EVERY)
def test_the_arrays_and_the_bit_sets_say_the_same(id: str) -> None:
    """A compiled core may take the arrays over."""
    table = move_table(load(id).options)
    for row, need in enumerate(table.needs.tolist()):
        packed = sum(count << FIELD_BITS * place for place, count in enumerate(need))
        found = table.combinations[row]
        can_be_natural = max(need) <= 8
        assert table.row_of.get(packed) == (row if can_be_natural else None)
        assert table.parts[row] == tuple((place, count) for place, count in enumerate(need) if count)
        assert sum(need) == found.size == table.sizes[row]
        assert table.lengths[row] == found.length
        assert tuple(Kind)[table.kinds[row]] is found.kind
        assert table.strengths[row] == found.strength
        assert table.readings[found.kind, found.size, found.length, found.rank] is found
        assert (found.rank is None) == (table.tops[row] == len(DEFAULT_ORDER))
    assert (table.floors <= table.needs).all()
    assert table.needs.dtype == np.uint8
    assert not table.needs.flags.writeable
    assert all(len(fit) == FIELD_MASK + 1 for fit in table.fits)


@pytest.mark.parametrize("id", EVERY)
def test_classification_agrees_with_the_oracle(id: str) -> None:
    """§3: of 200,000 sets in full."""
    table, house = move_table(load(id).options), HOUSES[id]
    for number in cases(6_000, 200_000):
        cards = random_set(table, Random(number))
        row = table.classify(cards)
        found = None if row is None else as_reading(table.combinations[row])
        assert found == reading(ranks_of(cards), house), (number, cards)


def readings_of(acts: LegalActs) -> set[Reading]:
    return {as_reading(play.combination) for play in acts}


@pytest.mark.parametrize("id", EVERY)
def test_legal_plays_agree_with_the_oracle(id: str) -> None:
    """§3, §4.3: all that can be led or can follow is found, and nothing else; 21,000 pairs in full."""
    table, house = move_table(load(id).options), HOUSES[id]
    for number in cases(30, 1_000):
        rng = Random(number)
        hand = table.sort(random_hand(rng))
        every = readings_in(hand, house)
        for top in [None, *(rng.randrange(len(table.combinations)) for _ in range(20))]:
            acts = LegalActs(table, Seat(0), hand, table.playable(table.pack(hand), top), may_pass=False)
            seen = None if top is None else as_reading(table.combinations[top])
            expected = {play for play in every if seen is None or can_follow(play, seen, house)}
            assert readings_of(acts) == expected, (number, top)
            for play in acts:
                row = table.classify(play.command.cards)
                assert row is not None
                assert table.combinations[row] is play.combination


def test_legal_plays_of_a_rich_hand_agree_with_the_oracle() -> None:
    """§3: every part of the twenty highest cards of one dealt hand."""
    state = new_deal()
    assert state.deal is not None
    hand = state.deal.hands[2][-20:]
    rows = TABLE.playable(TABLE.pack(hand), None)
    assert readings_of(LegalActs(TABLE, Seat(0), hand, rows, may_pass=False)) == playable(hand, None)


def test_legal_acts_are_a_collection_from_low_to_high() -> None:
    state = table_with("3s 3h 4s 9c 9c 9d 9d", "5s", "5h", "5c")
    acts = DECIDER.legal_acts(state, Seat(0))
    assert [format_combination(play.combination) for play in acts] == [
        "single 1x1 3",
        "single 1x1 4",
        "single 1x1 9",
        "pair 2x1 3",
        "pair 2x1 9",
        "triple 3x1 9",
        "bomb 4x1 9",
    ]
    assert len(acts) == 7
    assert acts
    assert acts.lowest() == acts[0] == next(iter(acts))
    for number in (-1, 7):
        with pytest.raises(IndexError, match="7 plays"):
            acts[number]
    assert parse_cards("9d 9c") in acts
    assert parse_cards("9s") not in acts
    assert "9d" not in acts
    others = DECIDER.legal_acts(state, Seat(1))
    assert not others
    assert others.lowest() is None
