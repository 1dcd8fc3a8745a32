"""What happened to a table, beside the events of the rules."""

from dataclasses import dataclass
from enum import Enum
from typing import Any

from shuangkou.engine.table import Terms
from shuangkou.rules.decider import decider_for
from shuangkou.rules.events import NO_TRAIT, Trait
from shuangkou.rules.meeting import Outcome
from shuangkou.rules.ruleset import AnyRuleSet
from shuangkou.rules.seats import Seat


class HostReason(Enum):
    """Why a bot plays for a person."""

    REQUEST = "request"
    TIMEOUT = "timeout"


@dataclass(frozen=True, slots=True)
class TableCreated:
    """The table was opened on these terms."""

    terms: Terms


@dataclass(frozen=True, slots=True)
class PlayersInvited:
    """These players, who were not before, are invited to a private table."""

    player_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """A person (`player_id`) or a bot (`persona`) took an open seat."""

    seat: Seat
    player_id: str = ""
    persona: str = ""


@dataclass(frozen=True, slots=True)
class SeatHosted:
    """A bot plays for the seat's person from now on."""

    seat: Seat
    reason: HostReason


@dataclass(frozen=True, slots=True)
class SeatReclaimed:
    """The seat's person plays again."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class DeadlinePassed:
    """The engine made the act before this, for want of the seat's own. `in_a_row`: 0 for a bot."""

    seat: Seat
    in_a_row: int


@dataclass(frozen=True, slots=True)
class TimeBankUsed:
    """加时: the person took so much longer than its turn lasts, `left_ms` remain for this deal."""

    seat: Seat
    used_ms: int
    left_ms: int


@dataclass(frozen=True, slots=True)
class TimeCredited:
    """补时: no engine could serve the table, so all that is timed goes on so much longer."""

    credited_ms: int


@dataclass(frozen=True, slots=True)
class MatchFinished:
    """The last deal of the match has ended; `totals` by seat. `outcome`: what the event says, if any."""

    totals: tuple[int, ...]
    outcome: Outcome | None = None


TableEvent = (
    TableCreated
    | PlayersInvited
    | SeatTaken
    | SeatHosted
    | SeatReclaimed
    | DeadlinePassed
    | TimeBankUsed
    | TimeCredited
    | MatchFinished
)

Event = TableEvent | Any
"""Anything that can happen to a table; what is not the table's is an event of its game."""

_OUT_OF_TURN = frozenset((PlayersInvited, SeatHosted, SeatReclaimed, TimeBankUsed, TimeCredited))


def traits_of(ruleset: AnyRuleSet, event: Event) -> Trait:
    """What the event means to the table."""
    if isinstance(event, TableEvent):
        return Trait.OUT_OF_TURN if type(event) in _OUT_OF_TURN else NO_TRAIT
    return decider_for(ruleset).traits(event)
