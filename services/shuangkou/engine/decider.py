"""Deciding and folding for a table. Pure: the time, ids and seeds come in."""

from dataclasses import replace
from functools import reduce

from shuangkou.engine.commands import (
    Command,
    HostSeat,
    InvitePlayers,
    MoveOn,
    NextDeal,
    OpenTable,
    OwnCommand,
    ReclaimSeat,
    TakeSeat,
    TimeUp,
)
from shuangkou.engine.deadlines import Moment, charges, clocks_after, ends_ms, is_timed, late_seat
from shuangkou.engine.events import (
    DeadlinePassed,
    Event,
    HostReason,
    MatchFinished,
    PlayersInvited,
    SeatHosted,
    SeatReclaimed,
    SeatTaken,
    TableCreated,
    TimeBankUsed,
    TimeCredited,
    traits_of,
)
from shuangkou.engine.meetings import match_end, with_meeting_after
from shuangkou.engine.table import Holder, Phase, Table
from shuangkou.rules.commands import Forfeit, StartDeal, Whistle
from shuangkou.rules.decider import decider_for
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.events import Trait
from shuangkou.rules.meeting import Meeting
from shuangkou.rules.seats import SEATS
from shuangkou.wire.commands import SeatAct

TIMEOUTS_BEFORE_HOSTING = 2
"""Deadlines in a row after which a bot takes over (docs/rules)."""

MOST_INVITED = 64
"""Players who can be invited to one table: each deal carries their names on."""


def decide(table: Table, command: Command, by_person: bool = False) -> tuple[Event, ...]:
    """What the command does to the table at its time; IllegalCommand when it may not.

    `by_person`: the seat's own person acts, so that a hosted seat is taken back by the way.
    """
    match command:
        case TakeSeat():
            return _take_seat(table, command)
        case HostSeat() | ReclaimSeat():
            return _change_host(table, command)
        case NextDeal():
            return _next_deal(table, command)
        case TimeUp():
            return _time_up(table, command)
        case MoveOn():
            return _move_on(table)
        case Whistle():
            return _with_match_end(table, decider_for(table.ruleset).decide(table.match, command))
        case OpenTable():
            invited = (PlayersInvited(command.invited),) if command.invited else ()
            return (TableCreated(command.terms), *invited, *_taken(command.holders))
        case InvitePlayers():
            return _invite(table, command)
        case _:
            return _play(table, command, by_person)


def happens(
    table: Table, command: Command | None, moment: Moment, by_person: bool = False
) -> tuple[Event, ...]:
    """All that a commit of the command holds: what outages took, what of time banks was used, what it does.

    `command`: None to give back what outages took, and nothing else. Raises and `by_person`: as `decide`.
    """
    credit = (TimeCredited(moment.lost_ms),) if moment.lost_ms and is_timed(table) else ()
    if command is None:
        return credit
    clocked = reduce(evolve, credit, table.at_time(moment.now_ms))
    events = decide(clocked, command, by_person)
    return (*credit, *charges(clocked, events, moment.arrived_ms, by_person), *events)


def evolve(table: Table, event: Event) -> Table:
    """The table after the event. Total."""
    match event:
        case TableCreated():
            return replace(table, terms=event.terms, meeting=Meeting() if event.terms.event else None)
        case PlayersInvited():
            return replace(table, invited=(*table.invited, *event.player_ids))
        case SeatTaken():
            return table.with_holder(event.seat, Holder(event.player_id, event.persona))
        case SeatHosted():
            return table.with_holder(event.seat, replace(table.holders[event.seat], hosted=True))
        case SeatReclaimed():
            return table.with_holder(event.seat, replace(table.holders[event.seat], hosted=False, timeouts=0))
        case DeadlinePassed():
            return table.with_holder(event.seat, replace(table.holders[event.seat], timeouts=event.in_a_row))
        case TimeBankUsed():
            is_alone = table.actors == (event.seat,)
            return replace(table, clocks=table.clocks.charged(event.seat, event.used_ms, is_alone))
        case TimeCredited():
            return table.credited(event.credited_ms)
        case MatchFinished():
            return replace(table, outcome=event.outcome)
        case _:
            after = table.with_match(decider_for(table.ruleset).evolve(table.match, event), event)
            return after if after.meeting is None else _in_event(after, event)


def advance(table: Table, events: tuple[Event, ...], now_ms: int, bot_ms: int) -> Table:
    """The table one version on: all events folded in and its clocks set.

    `bot_ms`: how long a bot may take before the engine acts for it.
    """
    after = timed(reduce(evolve, events, table.at_time(now_ms)), events, now_ms)
    return after.at(table.version + 1, clocks_after(table, after, events, now_ms, bot_ms))


def timed(after: Table, events: tuple[Event, ...], time_ms: int) -> Table:
    """The table after these events, which happened at this time: that of the first deal is kept."""
    if after.began_ms or not any(Trait.STARTS_DEAL in traits_of(after.ruleset, event) for event in events):
        return after
    return replace(after, began_ms=time_ms)


def due_command(table: Table, now_ms: int, seed: bytes) -> OwnCommand | None:
    """What the engine must do by itself at this time, if anything. `seed`: used if a deal is due."""
    if not table.deadline_ms or now_ms < table.deadline_ms:
        return None
    if table.phase is Phase.BETWEEN_DEALS:
        return NextDeal(seed, (now_ms - table.began_ms) // 1000 if table.began_ms else 0)
    if 0 < ends_ms(table) <= now_ms:
        return Whistle()
    seat = late_seat(table)
    return MoveOn() if seat is None else TimeUp(seat)


def overdue(table: Table, command: Command, moment: Moment, seed: bytes) -> OwnCommand | None:
    """What was due before the command arrived and is about its seat's own turn, so that it comes first."""
    if isinstance(command, OpenTable | InvitePlayers | OwnCommand):
        return None
    clocked = table.credited(moment.lost_ms) if is_timed(table) else table
    due = due_command(clocked, moment.arrived_ms, seed)
    is_first = isinstance(due, Whistle) or (isinstance(due, TimeUp) and command.seat in table.actors)
    return due if is_first else None


def _invite(table: Table, command: InvitePlayers) -> tuple[Event, ...]:
    if not table.terms.is_private:
        raise IllegalCommand("table/not_private", "everyone may see this table: nobody needs an invitation")
    new = tuple(name for name in command.player_ids if name not in table.invited)
    if not new:
        raise IllegalCommand("table/already_invited", f"{', '.join(command.player_ids)} is invited already")
    if len(table.invited) + len(new) > MOST_INVITED:
        raise IllegalCommand("table/too_many_invited", f"a table has at most {MOST_INVITED} invitations")
    return (PlayersInvited(new),)


def _taken(holders: tuple[Holder, ...]) -> tuple[SeatTaken, ...]:
    return tuple(
        SeatTaken(seat, holders[seat].player_id, holders[seat].persona)
        for seat in SEATS
        if not holders[seat].is_open
    )


def _play(table: Table, command: SeatAct, by_person: bool) -> tuple[Event, ...]:
    decider = decider_for(table.ruleset)
    if table.phase is Phase.FINISHED:
        raise IllegalCommand("state/match_over", "the match is over", seat=command.seat)
    events = _with_match_end(table, decider.decide(table.match, command))
    if by_person and table.holders[command.seat].hosted and not isinstance(command, Forfeit):
        return (SeatReclaimed(command.seat), *events)
    return events


def _in_event(after: Table, event: Event) -> Table:
    return replace(after, meeting=with_meeting_after(after, event))


def _with_match_end(table: Table, events: tuple[Event, ...]) -> tuple[Event, ...]:
    traits = traits_of(table.ruleset, events[-1])
    if Trait.ENDS_DEAL not in traits and Trait.ENDS_MATCH not in traits:
        return events
    return (*events, *match_end(reduce(evolve, events, table), events[-1]))


def _take_seat(table: Table, command: TakeSeat) -> tuple[Event, ...]:
    if command.seat not in table.seats:
        code, why = "seat/not_in_play", f"{table.ruleset.id} is played on seats 0 to {len(table.seats) - 1}"
        raise IllegalCommand(code, why, seat=command.seat)
    if table.seat_of(command.player_id) is not None:
        raise IllegalCommand("seat/already_seated", f"{command.player_id} sits at this table already")
    if not table.holders[command.seat].is_open:
        holder = table.holders[command.seat].name
        raise IllegalCommand("seat/taken", f"seat {command.seat} is taken by {holder}", seat=command.seat)
    return (SeatTaken(command.seat, command.player_id),)


def _change_host(table: Table, command: HostSeat | ReclaimSeat) -> tuple[Event, ...]:
    seat, holder = command.seat, table.holders[command.seat]
    if table.phase is Phase.FINISHED:
        raise IllegalCommand("state/match_over", "the match is over", seat=seat)
    if holder.forfeited:
        raise IllegalCommand("seat/forfeited", f"seat {seat} was left for good", seat=seat)
    if isinstance(command, HostSeat):
        if holder.is_played_by_bot:
            raise IllegalCommand("seat/already_hosted", f"a bot plays seat {seat} already", seat=seat)
        return (SeatHosted(seat, HostReason.REQUEST),)
    if not holder.hosted:
        raise IllegalCommand("seat/not_hosted", f"seat {seat} is not hosted", seat=seat)
    return (SeatReclaimed(seat),)


def _next_deal(table: Table, command: NextDeal) -> tuple[Event, ...]:
    if table.phase is not Phase.BETWEEN_DEALS:
        raise IllegalCommand("state/no_deal_due", f"no deal is due while {table.phase.value}")
    start = StartDeal(command.seed, elapsed_s=command.elapsed_s)
    return _with_match_end(table, decider_for(table.ruleset).decide(table.match, start))


def _time_up(table: Table, command: TimeUp) -> tuple[Event, ...]:
    fallback = decider_for(table.ruleset).fallback(table.match, command.seat)
    assert not isinstance(fallback, StartDeal)
    holder = table.holders[command.seat]
    in_a_row = 0 if holder.is_played_by_bot else holder.timeouts + 1
    events = (*_play(table, fallback, by_person=False), DeadlinePassed(command.seat, in_a_row))
    if in_a_row >= TIMEOUTS_BEFORE_HOSTING:
        return (*events, SeatHosted(command.seat, HostReason.TIMEOUT))
    return events


def _move_on(table: Table) -> tuple[Event, ...]:
    """A deal goes on by itself: nobody was asked, so nobody is late."""
    decider = decider_for(table.ruleset)
    command = decider.clock_command(table.match)
    if command is None:
        raise IllegalCommand("state/nothing_due", f"nothing goes on by itself while {table.phase.value}")
    return _with_match_end(table, decider.decide(table.match, command))
