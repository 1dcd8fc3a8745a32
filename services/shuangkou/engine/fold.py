"""Commits made from decisions, and tables folded from commits."""

from dataclasses import dataclass, replace
from functools import reduce
from operator import or_

from shuangkou.engine.clocks import Clocks
from shuangkou.engine.codec import (
    created_to_message,
    event_from_message,
    event_to_message,
    holder_from_summary,
    holder_to_summary,
    next_to_wire,
    secret_to_message,
    secrets_from_message,
    settled_to_message,
    terms_from_message,
    voided_to_message,
)
from shuangkou.engine.decider import evolve, timed
from shuangkou.engine.events import Event, TableEvent, traits_of
from shuangkou.engine.table import OPEN_SEAT, Ended, Table, Terms
from shuangkou.engine.warm import Answer, CommandKey, WarmTable
from shuangkou.rules.decider import decider_for
from shuangkou.rules.events import DealVoided, Trait
from shuangkou.rules.match import Settled
from shuangkou.rules.meeting import Meeting
from shuangkou.rules.ruleset import AnyRuleSet, load
from shuangkou.rules.seats import SEATS
from shuangkou.v1 import events_pb2
from shuangkou.wire.families import codec_for
from shuangkou.wire.outcomes import voided_from_wire


@dataclass(frozen=True, slots=True)
class Entry:
    """One commit ready for the log: its public part, its secret part if any, and the state after it.

    `traits`: those of all of its events.
    """

    commit: events_pb2.Commit
    secret: events_pb2.SecretCommit | None
    after: Table
    route: str
    traits: Trait


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a commit comes from: who asked for it, under which id, and when (milliseconds since 1970 UTC)."""

    key: CommandKey
    fingerprint: int
    time_ms: int


class BrokenLog(Exception):
    """A table's log does not continue where it should; nothing may be decided on it."""


def blank_table(table_id: str, ruleset: AnyRuleSet) -> Table:
    """A table before its first commit."""
    match = decider_for(ruleset).new_match(ruleset)
    return Table(table_id, ruleset, Terms("", 0, 0), (OPEN_SEAT,) * len(SEATS), match)


def make_entry(warm: WarmTable, after: Table, events: tuple[Event, ...], origin: Origin) -> Entry:
    """The commit of these events, which lead from the warm table to `after`."""
    secret = secret_to_message(after, events)
    traits = _traits(after, events)
    starts_deal = Trait.STARTS_DEAL in traits
    commit = events_pb2.Commit(
        table_id=after.id,
        ruleset_id=after.ruleset.id,
        version=after.version,
        time_ms=origin.time_ms,
        actor=origin.key[0],
        command_id=origin.key[1],
        events=[
            event_to_message(event, after)
            for event in events
            if isinstance(event, TableEvent) or not event.secret
        ],
        next=next_to_wire(after),
        bookkeeping=events_pb2.Bookkeeping(
            deal_sequence=0 if starts_deal else warm.deal_sequence,
            fingerprint=origin.fingerprint if secret is None else 0,
            summary=_summary(warm) if starts_deal else None,
            has_secret=secret is not None,
        ),
    )
    if secret is not None:
        secret.fingerprint = origin.fingerprint
        if starts_deal:
            secret.answered.extend(_answered(warm, is_hidden=True))
    return Entry(commit, secret, after, _route(after, traits), traits)


def apply_entry(warm: WarmTable, entry: Entry, sequence: int) -> None:
    """Bring the warm table up to an entry that the log holds at `sequence`."""
    commit = entry.commit
    warm.table = entry.after
    warm.last_sequence = sequence
    # The commit has given back what an outage before it took, or another engine served the table meanwhile.
    warm.cut_off_ms = 0
    if commit.bookkeeping.HasField("summary"):
        # A deal's hands lie just before its public part.
        warm.deal_sequence, warm.deal_version = sequence - 1, commit.version
    if not _only_credits(commit):
        warm.current_since = commit.version
    warm.timer_ms = commit.bookkeeping.timer_ms
    warm.remember((commit.actor, commit.command_id), _answer(entry))


def _answer(entry: Entry) -> Answer:
    version, secret = entry.commit.version, entry.secret
    if secret is not None and secret.fingerprint:
        return Answer(version, secret.fingerprint, is_hidden=True)
    return Answer(version, entry.commit.bookkeeping.fingerprint)


def _only_credits(commit: events_pb2.Commit) -> bool:
    return bool(commit.events) and all(event.HasField("time_credited") for event in commit.events)


def entry_from_log(
    warm: WarmTable, commit: events_pb2.Commit, secret: events_pb2.SecretCommit | None
) -> Entry:
    """The next entry of a log, read back. Raises BrokenLog when it is not the next one."""
    table = warm.table
    if commit.version != table.version + 1:
        raise BrokenLog(
            f"table {table.id} is at version {table.version}, its log goes on at {commit.version}"
        )
    events = _events(warm, commit, secret)
    table = table.at_time(commit.time_ms)
    for event in events:
        table = evolve(table, event)
    after = timed(table, events, commit.time_ms)
    after = after.at(commit.version, _clocks_from_log(commit, after.clocks))
    traits = _traits(after, events)
    return Entry(commit, secret, after, _route(after, traits), traits)


def _clocks_from_log(commit: events_pb2.Commit, evolved: Clocks) -> Clocks:
    deadline_ms = commit.next.deadline_ms
    # Engines that knew no time banks named no other time than the deadline.
    turn_ms = commit.next.turn_ms or deadline_ms
    return Clocks(commit.time_ms, turn_ms, deadline_ms, evolved.banks_ms)


def warm_from_first(commit: events_pb2.Commit, secret: events_pb2.SecretCommit | None = None) -> WarmTable:
    """The table just before `commit`, which opens the table or starts a deal.

    Without the hidden part of a deal's start, hidden acts of earlier deals are not recognised when they are
    repeated. Raises BrokenLog for any other commit.
    """
    ruleset = ruleset_of_first(commit)
    if commit.bookkeeping.HasField("summary"):
        warm = _warm_from_summary(commit, ruleset)
        for answer in secret.answered if secret is not None else ():
            key = (answer.actor, answer.command_id)
            warm.answers[key] = Answer(answer.version, answer.fingerprint, is_hidden=True)
        return warm
    return WarmTable(blank_table(commit.table_id, ruleset))


def ruleset_of_first(commit: events_pb2.Commit) -> AnyRuleSet:
    """The table's ruleset with its options. Raises BrokenLog where `warm_from_first` does."""
    if commit.bookkeeping.HasField("summary"):
        created = commit.bookkeeping.summary.created
    elif commit.events and commit.events[0].HasField("table_created"):
        created = commit.events[0].table_created
    else:
        raise BrokenLog(f"the log of table {commit.table_id} does not start with its opening or a deal")
    return load(commit.ruleset_id).with_options(created.options)


def _events(
    warm: WarmTable, commit: events_pb2.Commit, secret: events_pb2.SecretCommit | None
) -> tuple[Event, ...]:
    events = [event_from_message(message, warm.table) for message in commit.events]
    for position, event in secrets_from_message(secret, warm.table.ruleset) if secret is not None else ():
        events.insert(position, event)
    return tuple(events)


def _traits(after: Table, events: tuple[Event, ...]) -> Trait:
    # Most events of a commit have the same: combining flags takes longer than comparing them.
    return reduce(or_, {traits_of(after.ruleset, event) for event in events})


def _route(after: Table, traits: Trait) -> str:
    """The subject's last token: who has to do something about this commit."""
    if Trait.ENDS_DEAL in traits:
        return "score"
    actors = after.actors
    if not actors:
        return "none"
    return "bot" if any(after.holders[seat].is_played_by_bot for seat in actors) else "human"


def _answered(warm: WarmTable, is_hidden: bool) -> list[events_pb2.AnsweredCommand]:
    """For the public part all, in order, without hidden fingerprints; for the hidden part those with one."""
    return [
        events_pb2.AnsweredCommand(
            actor=actor,
            command_id=command_id,
            version=answer.version,
            fingerprint=answer.fingerprint if answer.is_hidden == is_hidden else 0,
        )
        for (actor, command_id), answer in warm.carried_answers()
        if answer.is_hidden or not is_hidden
    ]


def _summary(warm: WarmTable) -> events_pb2.TableSummary:
    table = warm.table
    standing = table.match.standing
    summary = events_pb2.TableSummary(
        created=created_to_message(table),
        seats=[holder_to_summary(table.holders[seat], standing.totals[seat]) for seat in SEATS],
        deals_settled=standing.deals_played,
        began_ms=table.began_ms,
        answered=_answered(warm, is_hidden=False),
        handover=codec_for(table.ruleset).handover_to_wire(standing),
        invited=table.invited,
    )
    if table.meeting is not None:
        progress = events_pb2.EventProgress(drawn_deals=table.meeting.drawn)
        summary.event.CopyFrom(progress)
    last_settlement = settled_to_message(table)
    if last_settlement is not None:
        summary.last_settlement.CopyFrom(last_settlement)
    if table.voided is not None:
        summary.last_void.CopyFrom(voided_to_message(table.voided))
    return summary


def _warm_from_summary(commit: events_pb2.Commit, ruleset: AnyRuleSet) -> WarmTable:
    summary = commit.bookkeeping.summary
    terms = terms_from_message(summary.created)
    blank = blank_table(commit.table_id, ruleset)
    settled, voided = _ended_deals(blank, summary)
    totals = (seat.total for seat in summary.seats)
    standing = codec_for(ruleset).standing_from_wire(summary.handover, summary.deals_settled, totals)
    match = decider_for(ruleset).resume(
        ruleset,
        standing,
        settled.event if settled is not None else None,
        voided.event if voided is not None else None,
    )
    table = replace(
        blank,
        terms=terms,
        holders=tuple(holder_from_summary(seat) for seat in summary.seats),
        match=match,
        version=commit.version - 1,
        settled=settled,
        voided=voided,
        meeting=Meeting(summary.began_ms, drawn=summary.event.drawn_deals) if terms.event else None,
        began_ms=summary.began_ms,
        invited=tuple(summary.invited),
    )
    answers = {
        (answer.actor, answer.command_id): Answer(answer.version, answer.fingerprint)
        for answer in summary.answered
    }
    return WarmTable(table, answers=answers)


def _ended_deals(
    blank: Table, summary: events_pb2.TableSummary
) -> tuple[Ended[Settled] | None, Ended[DealVoided] | None]:
    settled, voided = None, None
    if summary.HasField("last_settlement"):
        message = summary.last_settlement
        event = codec_for(blank.ruleset).settled_from_wire(blank.match, message)
        settled = Ended(event, tuple(message.players), tuple(message.totals))
    if summary.HasField("last_void"):
        void = summary.last_void
        voided = Ended(voided_from_wire(void), tuple(void.players), tuple(void.totals))
    return settled, voided
