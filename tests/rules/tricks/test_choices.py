"""Choices of cards, counted and listed, against listing all of them."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from kit.effort import effort
from shuangkou.rules.cards import CARDS
from shuangkou.rules.tricks.choices import Choices
from shuangkou.rules.tricks.following import Sets

BOUNDS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 4)), min_size=1, max_size=5)


@given(BOUNDS, st.integers(0, 12), st.tuples(*(st.integers(0, 2),) * 3))
@effort(100)
def test_counting_agrees_with_listing(
    bounds: list[tuple[int, int]], size: int, sets: tuple[int, int, int]
) -> None:
    least, most = [0] * len(CARDS), [0] * len(CARDS)
    for face, (low, more) in enumerate(bounds):
        least[face], most[face] = low, min(4, low + more)
    choices = Choices(least, most, size, Sets(*sets))
    expected = {
        tuple(CARDS[face] for face, copies in enumerate(amounts) for _ in range(copies))
        for amounts in product(*(range(least[face], most[face] + 1) for face in range(len(bounds))))
        if sum(amounts) == size
        and all(sum(n // j for n in amounts) >= need for j, need in zip((4, 3, 2), sets, strict=True))
    }
    assert choices.count() == len(expected)
    listed = list(choices.listed())
    assert len(listed) == len(expected)
    assert set(listed) == expected


def test_what_takes_long_to_count_stays_unknown() -> None:
    most = [4] * len(CARDS)
    assert Choices([0] * len(CARDS), most, 100, Sets(8, 8, 8)).count() is None
