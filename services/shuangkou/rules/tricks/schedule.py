"""Who deals next, and at what level where that is fixed (§9)."""

from dataclasses import dataclass

from shuangkou.rules.seats import SEATS, Seat, Side, next_seat, partner, side_of
from shuangkou.rules.tricks.options import Level, Rotation, TricksOptions


@dataclass(frozen=True, slots=True)
class ScheduledDeal:
    """A deal whose level and declarer are fixed (§9.2)."""

    level: Level
    declarer: Seat


def scheduled(options: TricksOptions, deal_no: int) -> ScheduledDeal:
    """Deal number `deal_no`, from 1; LookupError when the schedule has no such deal (§9.2)."""
    if not 1 <= deal_no <= len(options.schedule):
        raise LookupError(f"the schedule has no deal {deal_no}")
    return ScheduledDeal(options.schedule[deal_no - 1], SEATS[(deal_no - 1) % len(SEATS)])


def next_declarer(options: TricksOptions, declarer: Seat, deal_passes: bool) -> Seat:
    """Who deals after this declarer (§9.1); where deals are fixed or roles alternate the next seat."""
    match options.rotation:
        case Rotation.PARTNER_OR_NEXT if not deal_passes:
            return partner(declarer)
        case Rotation.SAME_OR_NEXT if not deal_passes:
            return declarer
        case _:
            return next_seat(declarer)


def attackers_of(first_attackers: Side, deal_no: int) -> Side:
    """The attacking side of deal number `deal_no`, from 1, where the roles alternate (§9.3)."""
    return Side((first_attackers + deal_no - 1) % 2)


def first_leader(shower: Seat, holders: Side) -> Seat:
    """Who leads to the first trick where the holders do (§9.3)."""
    return shower if side_of(shower) == holders else next_seat(shower)
