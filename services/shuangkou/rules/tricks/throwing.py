"""Leading, and throws that fail (§6.1 to §6.5)."""

from collections.abc import Sequence
from dataclasses import dataclass

from shuangkou.rules import errors
from shuangkou.rules.cards import Card
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.notation import format_tricks_card
from shuangkou.rules.tricks.options import TricksOptions
from shuangkou.rules.tricks.order import TrumpOrder
from shuangkou.rules.tricks.units import Format, Shape, Unit, counts_of, format_of, tops


@dataclass(frozen=True, slots=True)
class FailedThrow:
    """A throw (甩牌) of which other hands can beat something.

    blocked: the units that can be beaten, as the throw is taken apart. lowest: of every shape among them
    the lowest unit of the throw, the fewest cards first, then the fewer copies.
    """

    blocked: tuple[Unit, ...]
    lowest: tuple[Unit, ...]

    @property
    def forced(self) -> Unit:
        """What is led instead (§6.3) unless the opponents name another shape."""
        return self.lowest[0]

    @property
    def choices(self) -> tuple[Unit, ...]:
        """What the opponents choose between where they may (§6.5), the default first.

        Singles and sets of equal cards; a tractor is led only where nothing smaller is blocked.
        """
        return tuple(unit for unit in self.lowest if not unit.shape.is_tractor) or self.lowest[:1]

    @property
    def blocked_cards(self) -> tuple[Card, ...]:
        """All cards of the blocked units: what the fine is counted by."""
        return tuple(card for unit in self.blocked for card in unit.cards)

    def named(self, shape: Shape) -> Unit | None:
        """What is led when the opponents name this shape; None where it is no choice of theirs."""
        return next((unit for unit in self.choices if unit.shape == shape), None)


def check_lead(options: TricksOptions, order: TrumpOrder, cards: Sequence[Card]) -> Format:
    """What a lead counts as (§6.1); IllegalCommand where it is none. Whether a throw stands is not asked."""
    if not cards:
        raise IllegalCommand(errors.NO_CARDS, "a lead needs cards")
    shown = " ".join(map(format_tricks_card, order.ascending(cards)))
    lead = format_of(order, cards)
    if lead is None:
        message = f"cannot lead {shown}: they are of more than one suit"
        raise IllegalCommand(errors.MIXED_SUITS, message, tuple(cards))
    if lead.is_throw and not options.throws:
        message = f"cannot lead {shown}: they are {len(lead.units)} units and there are no throws"
        raise IllegalCommand(errors.NO_THROWS, message, tuple(cards))
    return lead


def failed_throw(order: TrumpOrder, lead: Format, others: Sequence[Sequence[Card]]) -> FailedThrow | None:
    """Why this lead fails beside the hands of the other seats, the partner's included; None where it stands.

    A plain lead always stands.
    """
    if not lead.is_throw:
        return None
    best: dict[Shape, int] = dict.fromkeys(lead.shape, 0)
    line = order.lines[lead.suit]
    for hand in others:
        held = counts_of([card for card in hand if order.suits[card] is lead.suit])
        for shape in best:
            best[shape] = max(best[shape], *tops(line, held, shape), 0)
    blocked = tuple(unit for unit in lead.units if unit.top < best[unit.shape])
    if not blocked:
        return None
    shapes = sorted({unit.shape for unit in blocked}, key=lambda shape: (shape.size, shape.copies))
    return FailedThrow(blocked, tuple(_lowest(lead, shape) for shape in shapes))


def fine_points(options: TricksOptions, failed: FailedThrow) -> int:
    """§6.4: small points that the failed throw costs the side of the leader."""
    return options.throw_fine * len(failed.blocked_cards)


def _lowest(lead: Format, shape: Shape) -> Unit:
    """Of equally high ones the first by suit."""
    alike = (unit for unit in lead.units if unit.shape == shape)
    return min(alike, key=lambda unit: (unit.top, unit.cards[::-1]))
