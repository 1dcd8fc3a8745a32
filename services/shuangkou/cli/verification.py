"""A table's public record checked by the rules alone: seeds, deals, every act, every result.

When a deal is over its seed is known, and with it every hand. Each commit is then decided again from the act
that it tells of, and what the rules make of that must be what the record says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, Final

from shuangkou.cli.recorded_acts import Hidden, Record, act_in
from shuangkou.rules.commands import StartDeal
from shuangkou.rules.dealing import seed_hash
from shuangkou.rules.decider import decider_for
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.events import DealVoided, Trait
from shuangkou.rules.ruleset import AnyRuleSet, RuleSetError, load
from shuangkou.v1 import events_pb2
from shuangkou.wire.families import codec_for
from shuangkou.wire.outcomes import voided_to_wire
from shuangkou.wire.refusals import MalformedMessage

OF_THE_TABLE: Final = frozenset(
    (
        "table_created",
        "players_invited",
        "seat_taken",
        "seat_hosted",
        "seat_reclaimed",
        "deadline_passed",
        "time_bank_used",
        "time_credited",
        "match_finished",
    )
)
"""Events of which the rules of a game know nothing."""


@dataclass(frozen=True, slots=True)
class CheckedDeal:
    """One deal. acts: decided again. untold: acts from which on hidden cards cannot be known from the record,
    so that the rest of the deal was not decided again. faults: what disagrees, empty where all agrees.
    """

    number: int
    acts: int
    untold: str
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Judged:
    """One commit. after: the table after it, None where it was not decided again. fault, untold: why not."""

    after: Any = None
    fault: str = ""
    untold: str = ""


_UNDECIDED: Final = _Judged()
_MISFITS: Final = (
    MalformedMessage,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
)
"""The rules take for granted that they have let through what they fold; a record may hold anything."""


@dataclass(slots=True)
class Verdict:
    """faults: those of the table. is_open: a deal is still being played, and its seed not known."""

    ruleset: AnyRuleSet | None = None
    deals: list[CheckedDeal] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    is_open: bool = False

    @property
    def agrees(self) -> bool:
        """Nothing disagrees."""
        return not self.faults and not any(deal.faults for deal in self.deals)


def verify_commits(commits: Sequence[events_pb2.Commit]) -> Verdict:
    """What the rules say of all commits of one table, in the order of its stream."""
    verdict = Verdict()
    for expected, commit in enumerate(commits, start=1):
        if commit.version != expected:
            verdict.faults.append(f"version {expected} is missing, the record goes on at {commit.version}")
            return verdict
    verdict.ruleset = _ruleset(commits[0])
    if verdict.ruleset is None:
        verdict.faults.append("the record does not begin with the opening of a table that is known here")
        return verdict
    state = decider_for(verdict.ruleset).new_match(verdict.ruleset)
    for deal in _deals(commits):
        if deal.end is None:
            verdict.is_open = True
            return verdict
        state, checked = _check_deal(verdict.ruleset, state, deal)
        verdict.deals.append(checked)
    verdict.faults += _check_end(commits, state)
    return verdict


def _ruleset(first: events_pb2.Commit) -> AnyRuleSet | None:
    if not first.events or not first.events[0].HasField("table_created"):
        return None
    try:
        return load(first.ruleset_id).with_options(first.events[0].table_created.options)
    except RuleSetError:
        return None


def _deals(commits: Sequence[events_pb2.Commit]) -> Iterator[Record]:
    started: list[events_pb2.Commit] = []
    for commit in commits:
        if any(event.HasField("deal_started") for event in commit.events):
            started = []
        elif not started:
            continue
        started.append(commit)
        if Record(started).end is not None:
            yield Record(started)
            started = []
    if started:
        yield Record(started)


def _check_deal(ruleset: AnyRuleSet, state: Any, record: Record) -> tuple[Any, CheckedDeal]:
    """The table after the deal, and what was found."""
    faults, acts, untold = [], 0, ""
    if seed_hash(record.seed) != record.started.seed_hash:
        faults.append("the seed does not fit the hash that was published before the deal 种子不符")
    for commit in record.commits:
        told = [event for event in commit.events if event.WhichOneof("event") not in OF_THE_TABLE]
        if not told:
            continue
        judged = _UNDECIDED if untold or faults else _judge(ruleset, state, record, commit, told)
        after, fault = judged.after, judged.fault
        if judged.untold:
            untold = f"v{commit.version}: {judged.untold}"
        if after is None:
            after, misfit = _folded(ruleset, state, told)
            # What follows a disagreement need not fit: the first one is what matters.
            fault = fault or (misfit if not faults else "")
        elif not fault:
            acts += 1
        state = after
        if fault:
            faults.append(f"v{commit.version}: {fault}")
    faults += _check_totals(state, record)
    return state, CheckedDeal(record.started.number, acts, untold, tuple(faults))


def _judge(
    ruleset: AnyRuleSet,
    state: Any,
    record: Record,
    commit: events_pb2.Commit,
    told: Sequence[events_pb2.Event],
) -> _Judged:
    """What the rules say of a commit that tells of these events of the game."""
    if not all(event.WhichOneof("event") for event in told):
        return _Judged(untold="an event of a later engine")
    try:
        if told[0].HasField("deal_started"):
            return _decided(ruleset, state, StartDeal(record.seed), told)
        return _decided(ruleset, state, act_in(record, commit, told[0], state), told)
    except Hidden as hidden:
        return _Judged(untold=str(hidden))
    except IllegalCommand as refusal:
        return _Judged(fault=f"{refusal.message} ({refusal.code})")
    except _MISFITS as error:
        return _Judged(fault=_misfit(told[0], error))


def _decided(ruleset: AnyRuleSet, state: Any, command: Any, told: Sequence[events_pb2.Event]) -> _Judged:
    """The state after the command, and how the record differs from what the command causes."""
    decider = decider_for(ruleset)
    events = decider.decide(state, command)
    after = reduce(decider.evolve, events, state)
    made = [_as_told(ruleset, event) for event in events if not event.secret]
    for should, is_told in zip(made, told, strict=False):
        if should != _without_players(is_told):
            return _Judged(after, f"{is_told.WhichOneof('event')} is not what the rules make of it")
    if len(made) != len(told):
        return _Judged(after, f"the rules make {len(made)} events of it, the record has {len(told)}")
    return _Judged(after)


def _as_told(ruleset: AnyRuleSet, event: Any) -> events_pb2.Event:
    codec = codec_for(ruleset)
    if isinstance(event, DealVoided):
        return events_pb2.Event(deal_voided=voided_to_wire(event))
    if Trait.ENDS_DEAL in decider_for(ruleset).traits(event):
        return events_pb2.Event(deal_settled=codec.settled_to_wire(event))
    return codec.event_to_wire(event)


def _without_players(event: events_pb2.Event) -> events_pb2.Event:
    """The rules know no players and no totals: those are checked beside."""
    plain = events_pb2.Event()
    plain.CopyFrom(event)
    for kind in ("deal_settled", "deal_voided"):
        if event.HasField(kind):
            ended = getattr(plain, kind)
            del ended.players[:]
            del ended.totals[:]
    return plain


def _folded(ruleset: AnyRuleSet, state: Any, told: Sequence[events_pb2.Event]) -> tuple[Any, str]:
    """The state as far as the public events tell of it, and which of them fits no more, if one does not."""
    codec, decider = codec_for(ruleset), decider_for(ruleset)
    for event in told:
        if not event.WhichOneof("event"):
            continue
        try:
            state = decider.evolve(state, codec.event_from_wire(state, event))
        except _MISFITS as error:
            return state, _misfit(event, error)
    return state, ""


def _misfit(event: events_pb2.Event, error: Exception) -> str:
    if isinstance(error, MalformedMessage):
        return error.explanation
    return f"{event.WhichOneof('event')} does not fit what came before it"


def _check_totals(state: Any, record: Record) -> list[str]:
    end = record.end
    assert end is not None
    told = [*end.totals]
    known = [*state.standing.totals[: len(told)]]
    return [] if told == known else [f"the totals should be {known}, the record has {told}"]


def _check_end(commits: Sequence[events_pb2.Commit], state: Any) -> list[str]:
    for commit in commits:
        for event in commit.events:
            if event.HasField("match_finished"):
                told = [*event.match_finished.totals]
                known = [*state.standing.totals[: len(told)]]
                return [] if told == known else [f"the match ends at {known}, the record has {told}"]
    return []
