"""Which combination may be played on which (§4.3), by the option `beating`."""

from collections.abc import Callable

from shuangkou.rules.climbing.combinations import Combination, Kind
from shuangkou.rules.climbing.options import Beating

BeatingRule = Callable[[Combination, Combination], bool]


def higher(play: Combination, top: Combination) -> bool:
    """One shape and a higher rank, or any bomb on what is none, or a stronger bomb on a bomb."""
    return play.beats(top)


def equal_or_higher(play: Combination, top: Combination) -> bool:
    """As `higher`, and equal strength follows where both are no bombs."""
    same_shape = (play.kind, play.size, play.length) == (top.kind, top.size, top.length)
    return play.beats(top) or (same_shape and not play.is_bomb and play.strength == top.strength)


def more_equal_cards(play: Combination, top: Combination) -> bool:
    """As `higher`, and a set of more cards than the play on the table beats it."""
    is_larger = play.size > top.size
    return (is_larger and play.kind is Kind.SET) or play.beats(top)


def categories(play: Combination, top: Combination) -> bool:
    """As `higher`, and straights, flushes and straight flushes are one group whatever their lengths.

    In it the kind decides, then the number of cards, then the ranks.
    """
    if play.kind in CATEGORIES and top.kind in CATEGORIES:
        return _category_key(play) > _category_key(top)
    return play.beats(top)


CATEGORIES = (Kind.STRAIGHT, Kind.FLUSH, Kind.STRAIGHT_FLUSH)
"""The kinds of that group, from low to high."""


def _category_key(combination: Combination) -> tuple[int, int, int]:
    return CATEGORIES.index(combination.kind), combination.size, combination.strength


BEATING: dict[Beating, BeatingRule] = {
    Beating.HIGHER: higher,
    Beating.EQUAL_OR_HIGHER: equal_or_higher,
    Beating.MORE_EQUAL_CARDS: more_equal_cards,
    Beating.CATEGORIES: categories,
}
