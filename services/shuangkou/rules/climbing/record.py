"""What a deal is scored from, and what comes out (§7, §11)."""

from dataclasses import dataclass

from shuangkou.rules.cards import Card
from shuangkou.rules.climbing.events import Act, BombPlayed, Opening, Result, SeatScore
from shuangkou.rules.climbing.options import ClimbingOptions, Sides
from shuangkou.rules.seats import SEATS, SIDES, Seat, partner, seats_of, side_of

_BY_PARTNER_PLACE = {1: Result.DOUBLE, 2: Result.SINGLE, 3: Result.DRAW}


@dataclass(frozen=True, slots=True)
class DealRecord:
    """What a deal is scored from.

    finish_order: seats by place, at least the first, or none where points make the places. bombs: all that
    were played, in any order.
    forfeited: seats whose players left. history: every act in order. left: by seat, the cards still held.
    opening: what happened in public before the first play. kitty: as it lies when the deal ends.
    cards_won: by seat, in all tricks, the last one included even if it was not played to its end.
    marks: the marked cards by seat.
    """

    finish_order: tuple[Seat, ...]
    bombs: tuple[BombPlayed, ...] = ()
    forfeited: tuple[Seat, ...] = ()
    history: tuple[Act, ...] = ()
    left: tuple[tuple[Card, ...], ...] = ((), (), (), ())
    opening: tuple[Opening, ...] = ()
    kitty: tuple[Card, ...] = ()
    cards_won: tuple[int, ...] = (0, 0, 0, 0)
    marks: tuple[Card | None, ...] = (None, None, None, None)


@dataclass(frozen=True, slots=True)
class Group:
    """A seat's separate bombs of four or five cards and the stars that they are worth together (§7.6)."""

    seat: Seat
    bombs: int
    stars: int


@dataclass(frozen=True, slots=True)
class Settlement:
    """base: points of a winner before the multiplier. breakdown: by seat. groups: those worth anything.

    winners: where it is not the side of the first seat out. order: seats by place where points make them.
    """

    result: Result
    base: int
    multiplier: int
    breakdown: tuple[SeatScore, ...]
    groups: tuple[Group, ...] = ()
    winners: tuple[Seat, ...] = ()
    order: tuple[Seat, ...] = ()

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


def winners_by_place(options: ClimbingOptions, order: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """The first seat and its partner, where it has one (§7.8)."""
    return seats_of(side_of(order[0])) if options.sides is Sides.PARTNERS else order[:1]


def won_by_points(
    options: ClimbingOptions, record: DealRecord, points: tuple[int, ...], winners: tuple[Seat, ...]
) -> Settlement:
    """These points by seat, and fines; whoever is first out, these seats won (§7.8)."""
    fined = fines(options, record.forfeited)
    breakdown = tuple(SeatScore(points[seat], 1, fine=fined[seat]) for seat in SEATS)
    return Settlement(Result.WIN, points[winners[0]], 1, breakdown, winners=winners)


def richer_side(record: DealRecord, points: tuple[int, ...]) -> tuple[Seat, ...]:
    """The side with more points, that of the first seat out when they are equal (§7.8)."""
    head = side_of(record.finish_order[0])
    totals = {side: sum(points[seat] for seat in seats_of(side)) for side in SIDES}
    return seats_of(max(SIDES, key=lambda side: (totals[side], side == head)))
