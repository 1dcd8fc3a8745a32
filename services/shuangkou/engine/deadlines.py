"""Until when seats have time, and what their acts cost them of their time banks. Pure: the time comes in."""

from dataclasses import dataclass

from shuangkou.engine.clocks import Clocks
from shuangkou.engine.events import Event, SeatHosted, TimeBankUsed, traits_of
from shuangkou.engine.meetings import stop_ms
from shuangkou.engine.table import Phase, Table
from shuangkou.rules.decider import decider_for
from shuangkou.rules.events import Trait
from shuangkou.rules.seats import Seat

GRACE_MS = 200
"""The engine acts so long after a person's deadline: what another engine got in time is stored by then."""


@dataclass(frozen=True, slots=True)
class Moment:
    """When something is decided, in milliseconds since 1970 UTC.

    arrived_ms: when the request reached an engine, by which its deadline is judged. lost_ms: how long no
    engine could serve the table since its newest commit.
    """

    now_ms: int
    arrived_ms: int
    lost_ms: int = 0


def clocks_after(before: Table, after: Table, events: tuple[Event, ...], now_ms: int, bot_ms: int) -> Clocks:
    """The clocks after these events, which led from one table to the other.

    `bot_ms`: how long a bot may take before the engine acts for it.
    """
    banks_ms = after.clocks.banks_ms
    if after.phase is Phase.BETWEEN_DEALS:
        pause_ms = after.terms.deal_pause_ms if after.match.standing.last_number else 0
        next_ms = before.deadline_ms if before.phase is after.phase else now_ms + pause_ms
        return Clocks(now_ms, next_ms, next_ms, banks_ms)
    if after.phase is not Phase.DEAL:
        return Clocks(now_ms, 0, 0, banks_ms)
    is_same_turn = _leaves_clock(before, after, events)
    limit_ms = decider_for(after.ruleset).time_limit_ms(after.match)
    turn_ms = after.clocks.turn_ms if is_same_turn else now_ms + limit_ms
    if is_bots_turn(after):
        deadline_ms = min(turn_ms, now_ms + bot_ms)
        if is_same_turn:
            deadline_ms = min(deadline_ms, after.deadline_ms)
    else:
        deadline_ms = turn_ms + min((bank_ms(after, seat) for seat in after.actors), default=0)
    ends = ends_ms(after)
    return Clocks(now_ms, turn_ms, min(deadline_ms, ends) if ends else deadline_ms, banks_ms)


def charges(
    table: Table, events: tuple[Event, ...], arrived_ms: int, by_person: bool
) -> tuple[TimeBankUsed, ...]:
    """What the seats whose turn these events end have used of their banks. `by_person`: as in `decide`."""
    over_ms = arrived_ms - table.clocks.turn_ms
    if over_ms <= 0 or not table.actors:
        return ()
    used = []
    for seat in table.actors:
        is_persons = by_person or not table.holders[seat].is_played_by_bot
        spent_ms = min(over_ms, table.clocks.banks_ms[seat])
        if spent_ms and is_persons and any(_ends_turn(table, event, seat) for event in events):
            used.append(TimeBankUsed(seat, spent_ms, table.clocks.banks_ms[seat] - spent_ms))
    return tuple(used)


def bank_ms(table: Table, seat: Seat) -> int:
    """What a seat has beside the time of its turn: nothing where a bot plays it."""
    return 0 if table.holders[seat].is_played_by_bot else table.clocks.banks_ms[seat]


def late_seat(table: Table) -> Seat | None:
    """Of the seats to act the one whose time is up first; None where nobody must act."""
    return min(table.actors, key=lambda seat: bank_ms(table, seat), default=None)


def due_ms(table: Table) -> int:
    """When the engine acts by itself, 0 for never."""
    deadline_ms = table.deadline_ms
    return deadline_ms + GRACE_MS if deadline_ms and table.actors and not is_bots_turn(table) else deadline_ms


def ends_ms(table: Table) -> int:
    """When the rules, or the bell of an event, end the running deal; 0 for never."""
    if table.phase is not Phase.DEAL:
        return 0
    return min((at for at in (table.ends_ms, stop_ms(table)) if at), default=0)


def is_timed(table: Table) -> bool:
    """Whether time that nobody can play in would be missed: in a deal, and in a match that time may end."""
    if table.phase is Phase.BETWEEN_DEALS:
        return bool(table.began_ms and (table.ends_ms or table.meeting is not None))
    return table.phase is Phase.DEAL


def is_bots_turn(table: Table) -> bool:
    """Whether none but bots must act."""
    actors = table.actors
    return bool(actors) and all(table.holders[seat].is_played_by_bot for seat in actors)


def _ends_turn(table: Table, event: Event, seat: Seat) -> bool:
    if isinstance(event, SeatHosted):
        # Of several seats only an act pays: the clock of the turn is that of all of them.
        return event.seat == seat and table.actors == (seat,)
    return Trait.OWN_ACT in traits_of(table.ruleset, event) and seat == getattr(event, "seat", None)


def _leaves_clock(before: Table, after: Table, events: tuple[Event, ...]) -> bool:
    traits = [traits_of(after.ruleset, event) for event in events]
    if all(Trait.OUT_OF_TURN in each for each in traits):
        return True
    if before.phase is Phase.DEAL and not after.actors:
        # What seats do while the deal goes on by itself does not hold it up.
        return any(Trait.OWN_ACT in each for each in traits)
    # Of seats that act at the same time, those that are left have no more time than before.
    return set(after.actors) < set(before.actors)
