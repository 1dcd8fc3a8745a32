"""What the kitty counts times when the attacking side captures it (抠底, §7.2 to §7.5)."""

from collections.abc import Sequence
from dataclasses import dataclass

from shuangkou.rules.cards import Card
from shuangkou.rules.tricks.options import KittyMultiplier, TricksOptions
from shuangkou.rules.tricks.point_cards import points_of
from shuangkou.rules.tricks.units import Format, Shape


@dataclass(frozen=True, slots=True)
class Capture:
    """points: those of the cards captured, times the multiplier already."""

    multiplier: int
    points: int


def capture(options: TricksOptions, led: Format, won_with_trump: bool, cards: Sequence[Card]) -> Capture:
    """What the attacking side gets for a last trick that was led so (§7.4).

    cards: the kitty; or those of the last trick where it is that which is multiplied, and where they count
    so instead of once (§7.5).
    """
    times = multiplier(options, led.key.shape, won_with_trump)
    return Capture(times, times * points_of(cards))


def multiplier(options: TricksOptions, shape: Shape, won_with_trump: bool) -> int:
    """What a kitty counts times that is captured by a unit of this shape, 0 where none is captured (§7.3)."""
    times = _times(options.kitty_multiplier, shape, won_with_trump)
    return min(times, options.max_kitty_multiplier or times)


def _times(rule: KittyMultiplier, shape: Shape, won_with_trump: bool) -> int:
    small, places = (2 if shape.copies == 1 else 4), shape.length
    match rule:
        case KittyMultiplier.NONE:
            return 0
        case KittyMultiplier.TWICE:
            return 2
        case KittyMultiplier.DOUBLING:
            return small << (places - 1)
        case KittyMultiplier.LINEAR:
            return small * places
        case KittyMultiplier.FLAT | KittyMultiplier.LAST_TRICK:
            return 8 if shape.is_tractor else small
        case KittyMultiplier.CARDS:
            return 1 << shape.size
        case KittyMultiplier.BY_TRUMP:
            return 1 << (places if won_with_trump else places - 1)
