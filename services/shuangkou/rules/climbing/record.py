"""What a deal is scored from, and what comes out (§7, §11)."""

from dataclasses import dataclass

from shuangkou.rules.cards import Card
from shuangkou.rules.climbing.events import Act, BombPlayed, Opening, Result, SeatScore
from shuangkou.rules.climbing.options import ClimbingOptions
from shuangkou.rules.seats import SEATS, Seat, partner

_BY_PARTNER_PLACE = {1: Result.DOUBLE, 2: Result.SINGLE, 3: Result.DRAW}


@dataclass(frozen=True, slots=True)
class DealRecord:
    """What a deal is scored from.

    finish_order: seats by place, at least the first. bombs: all that were played, in any order.
    forfeited: seats whose players left. history: every act in order. left: by seat, the cards still held.
    opening: what happened in public before the first play. kitty: as it lies when the deal ends.
    cards_won: by seat, in all tricks, the last one included even if it was not played to its end.
    """

    finish_order: tuple[Seat, ...]
    bombs: tuple[BombPlayed, ...] = ()
    forfeited: tuple[Seat, ...] = ()
    history: tuple[Act, ...] = ()
    left: tuple[tuple[Card, ...], ...] = ((), (), (), ())
    opening: tuple[Opening, ...] = ()
    kitty: tuple[Card, ...] = ()
    cards_won: tuple[int, ...] = (0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Group:
    """A seat's separate bombs of four or five cards and the stars that they are worth together (§7.6)."""

    seat: Seat
    bombs: int
    stars: int


@dataclass(frozen=True, slots=True)
class Settlement:
    """base: points of a winner before the multiplier. breakdown: by seat. groups: those worth anything."""

    result: Result
    base: int
    multiplier: int
    breakdown: tuple[SeatScore, ...]
    groups: tuple[Group, ...] = ()

    @property
    def scores(self) -> tuple[int, ...]:
        """Points by seat."""
        return tuple(seat.total for seat in self.breakdown)


def result_of(finish_order: tuple[Seat, ...]) -> Result:
    """The result by the place of the first seat's partner (§6.2)."""
    mate = partner(finish_order[0])
    return _BY_PARTNER_PLACE[finish_order.index(mate)] if mate in finish_order else Result.WIN


def fines(options: ClimbingOptions, forfeited: tuple[Seat, ...]) -> tuple[int, ...]:
    """Points by seat: who left pays, the others who play share (§9.1)."""
    fine, playing = options.forfeit_fine, SEATS[: options.players]
    share = fine // (len(playing) - 1)
    return tuple(
        sum(-fine if seat == other else share for other in forfeited) if seat in playing else 0
        for seat in SEATS
    )


def by_points(options: ClimbingOptions, record: DealRecord, points: tuple[int, ...]) -> Settlement:
    """Scores that are nothing but these points by seat, and fines (§11.1)."""
    fined = fines(options, record.forfeited)
    breakdown = tuple(SeatScore(points[seat], 1, fine=fined[seat]) for seat in SEATS)
    return Settlement(result_of(record.finish_order), points[record.finish_order[0]], 1, breakdown)
