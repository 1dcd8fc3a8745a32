"""What a captured kitty counts times (§7.2 to §7.5)."""

import pytest

from shuangkou.rules.notation import parse_cards
from shuangkou.rules.ruleset import available, load
from shuangkou.rules.tricks.multipliers import Capture, capture, multiplier
from shuangkou.rules.tricks.options import KittyMultiplier, TricksOptions
from shuangkou.rules.tricks.order import Trump, trump_order
from shuangkou.rules.tricks.units import Shape, format_of

SHAPES = [Shape(1, 1)] + [Shape(copies, length) for copies in (2, 3, 4) for length in (1, 2, 3, 4)]


def of(rule: KittyMultiplier) -> TricksOptions:
    """Those of a game that multiplies so."""
    every: list[TricksOptions] = [load(id).options for id in available("tricks")]
    return next(options for options in every if options.kitty_multiplier is rule)


@pytest.mark.parametrize(
    ("rule", "row"),
    [
        (KittyMultiplier.NONE, "0 0 0 0 0"),
        (KittyMultiplier.TWICE, "2 2 2 2 2"),
        (KittyMultiplier.DOUBLING, "2 4 8 16 32"),
        (KittyMultiplier.LINEAR, "2 4 8 12 16"),
        (KittyMultiplier.FLAT, "2 4 8 8 8"),
        (KittyMultiplier.CARDS, "2 4 16 64 64"),
        (KittyMultiplier.LAST_TRICK, "2 4 8 8 8"),
        (KittyMultiplier.BY_TRUMP, "2 2 4 8 16"),
    ],
)
def test_the_table_of_multipliers(rule: KittyMultiplier, row: str) -> None:
    """§7.3: a single, a pair, tractors of two, three and four pairs."""
    shapes = [Shape(1, 1), *(Shape(2, length) for length in (1, 2, 3, 4))]
    assert [multiplier(of(rule), shape, won_with_trump=True) for shape in shapes] == [
        int(times) for times in row.split()
    ]


def test_a_plain_suit_captures_half() -> None:
    """§7.3."""
    options = of(KittyMultiplier.BY_TRUMP)
    for shape in SHAPES:
        trump, plain = (multiplier(options, shape, won) for won in (True, False))
        assert trump == 2 * plain


@pytest.mark.parametrize("rule", KittyMultiplier)
@pytest.mark.parametrize("copies", [2, 3, 4])
def test_a_longer_tractor_never_captures_less(rule: KittyMultiplier, copies: int) -> None:
    """§7.3; nor does a pair less than a single."""
    units = [Shape(1, 1), *(Shape(copies, length) for length in range(1, 12))]
    times = [multiplier(of(rule), shape, won_with_trump=True) for shape in units]
    assert times == sorted(times)


def test_triples_count_like_pairs() -> None:
    """§7.3."""
    options = of(KittyMultiplier.LINEAR)
    for length in range(1, 6):
        assert len({multiplier(options, Shape(copies, length), True) for copies in (2, 3, 4)}) == 1


def test_of_a_throw_the_largest_unit_counts() -> None:
    """§7.4; level cards keep their points (§1.2)."""
    options = of(KittyMultiplier.LINEAR)
    led = format_of(trump_order(options, Trump.HEARTS, None), parse_cards("HA HK HK HQ HQ H9 H9"))
    assert led is not None
    kitty = parse_cards("S5 ST SK S4")
    assert capture(options, led, True, kitty) == Capture(8, 200)
