"""Commits made from decisions, and tables folded from commits."""

from dataclasses import dataclass, replace

from shuangkou.engine.codec import (
    created_to_message,
    event_from_message,
    event_to_message,
    holder_from_summary,
    holder_to_summary,
    next_to_wire,
    secret_to_message,
    secrets_from_message,
    terms_from_message,
)
from shuangkou.engine.decider import evolve
from shuangkou.engine.events import Event
from shuangkou.engine.table import OPEN_SEAT, Table, Terms
from shuangkou.engine.warm import Answer, CommandKey, WarmTable
from shuangkou.rules.climbing.events import DealSettled, DealStarted, HandsDealt
from shuangkou.rules.climbing.view import Standing
from shuangkou.rules.decider import decider_for
from shuangkou.rules.ruleset import RuleSet, load
from shuangkou.rules.seats import SEATS
from shuangkou.v1 import events_pb2
from shuangkou.wire.climbing import settled_from_wire, settled_to_wire


@dataclass(frozen=True, slots=True)
class Entry:
    """One commit ready for the log: its public part, its secret part if any, and the state after it."""

    commit: events_pb2.Commit
    secret: events_pb2.SecretCommit | None
    hands: HandsDealt | None
    after: Table
    route: str


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a commit comes from: who asked for it, under which id, and when (milliseconds since 1970 UTC)."""

    key: CommandKey
    fingerprint: int
    time_ms: int


class BrokenLog(Exception):
    """A table's log does not continue where it should; nothing may be decided on it."""


def blank_table(table_id: str, ruleset: RuleSet) -> Table:
    """A table before its first commit."""
    match = decider_for(ruleset).new_match(ruleset)
    return Table(table_id, ruleset, Terms("", 0, 0), (OPEN_SEAT,) * len(SEATS), match)


def make_entry(warm: WarmTable, after: Table, events: tuple[Event, ...], origin: Origin) -> Entry:
    """The commit of these events, which lead from the warm table to `after`."""
    secrets = [event for event in events if isinstance(event, HandsDealt)]
    commit = events_pb2.Commit(
        table_id=after.id,
        ruleset_id=after.ruleset.id,
        version=after.version,
        time_ms=origin.time_ms,
        actor=origin.key[0],
        command_id=origin.key[1],
        events=[event_to_message(event, after) for event in events if not isinstance(event, HandsDealt)],
        next=next_to_wire(after),
        bookkeeping=events_pb2.Bookkeeping(
            deal_sequence=0 if secrets else warm.deal_sequence,
            fingerprint=origin.fingerprint,
            summary=_summary(warm) if secrets else None,
        ),
    )
    secret = secret_to_message(after, after.version, secrets) if secrets else None
    return Entry(commit, secret, secrets[0] if secrets else None, after, _route(after, events))


def apply_entry(warm: WarmTable, entry: Entry, sequence: int) -> None:
    """Bring the warm table up to an entry that the log holds at `sequence`."""
    commit = entry.commit
    warm.table = entry.after
    warm.last_sequence = sequence
    warm.deal_sequence = sequence - 1 if entry.secret else warm.deal_sequence
    warm.timer_ms = commit.bookkeeping.timer_ms
    warm.remember((commit.actor, commit.command_id), Answer(commit.version, commit.bookkeeping.fingerprint))


def entry_from_log(
    warm: WarmTable, commit: events_pb2.Commit, secret: events_pb2.SecretCommit | None
) -> Entry:
    """The next entry of a log, read back. Raises BrokenLog when it is not the next one."""
    table = warm.table
    if commit.version != table.version + 1:
        raise BrokenLog(
            f"table {table.id} is at version {table.version}, its log goes on at {commit.version}"
        )
    hands = secrets_from_message(secret) if secret is not None else ()
    events = _events(warm, commit, hands)
    for event in events:
        table = evolve(table, event)
    after = table.at(commit.version, commit.next.deadline_ms)
    return Entry(commit, secret, hands[0] if hands else None, after, _route(after, events))


def warm_from_first(commit: events_pb2.Commit) -> WarmTable:
    """The table just before `commit`, which opens the table or starts a deal.

    Raises BrokenLog for any other commit.
    """
    summary = commit.bookkeeping.summary
    if commit.bookkeeping.HasField("summary"):
        return _warm_from_summary(commit, summary)
    created = commit.events[0].table_created if commit.events else None
    if created is None or not commit.events[0].HasField("table_created"):
        raise BrokenLog(f"the log of table {commit.table_id} does not start with its opening or a deal")
    ruleset = load(commit.ruleset_id).with_options(created.options)
    return WarmTable(blank_table(commit.table_id, ruleset))


def _events(warm: WarmTable, commit: events_pb2.Commit, hands: tuple[HandsDealt, ...]) -> tuple[Event, ...]:
    events: list[Event] = []
    for message in commit.events:
        event = event_from_message(message, warm.table.match)
        events.append(event)
        if isinstance(event, DealStarted):
            events.extend(hands)
    return tuple(events)


def _route(after: Table, events: tuple[Event, ...]) -> str:
    """The subject's last token: who has to do something about this commit."""
    if any(isinstance(event, DealSettled) for event in events):
        return "score"
    actors = after.actors
    if not actors:
        return "none"
    return "bot" if any(after.holders[seat].is_played_by_bot for seat in actors) else "human"


def _summary(warm: WarmTable) -> events_pb2.TableSummary:
    table = warm.table
    totals = table.match.standing.totals
    summary = events_pb2.TableSummary(
        created=created_to_message(table),
        seats=[holder_to_summary(table.holders[seat], totals[seat]) for seat in SEATS],
        deals_settled=table.match.standing.deals_played,
        answered=[
            events_pb2.AnsweredCommand(
                actor=actor, command_id=command_id, version=answer.version, fingerprint=answer.fingerprint
            )
            for (actor, command_id), answer in warm.carried_answers()
        ],
    )
    if table.settled is not None:
        summary.last_settlement.CopyFrom(settled_to_wire(table.settled))
    return summary


def _warm_from_summary(commit: events_pb2.Commit, summary: events_pb2.TableSummary) -> WarmTable:
    ruleset = load(commit.ruleset_id).with_options(summary.created.options)
    blank = blank_table(commit.table_id, ruleset)
    has_settled = summary.HasField("last_settlement")
    settled = settled_from_wire(blank.match.table, summary.last_settlement) if has_settled else None
    standing = Standing(
        deals_played=summary.deals_settled,
        totals=tuple(seat.total for seat in summary.seats),
        last_head=settled.finish_order[0] if settled else None,
        last_result=settled.result if settled else None,
    )
    table = replace(
        blank,
        terms=terms_from_message(summary.created),
        holders=tuple(holder_from_summary(seat) for seat in summary.seats),
        match=replace(decider_for(ruleset).resume(ruleset, standing), settled=settled),
        version=commit.version - 1,
        settled=settled,
    )
    answers = {
        (answer.actor, answer.command_id): Answer(answer.version, answer.fingerprint)
        for answer in summary.answered
    }
    return WarmTable(table, answers=answers)
