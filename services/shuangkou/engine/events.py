"""What happened to a table, beside the events of the rules."""

from dataclasses import dataclass
from enum import Enum

from shuangkou.engine.table import Terms
from shuangkou.rules.climbing.events import Event as RulesEvent
from shuangkou.rules.meeting import Outcome
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
class MatchFinished:
    """The last deal of the match has ended; `totals` by seat. `outcome`: what the event says, if any."""

    totals: tuple[int, ...]
    outcome: Outcome | None = None


TableEvent = TableCreated | SeatTaken | SeatHosted | SeatReclaimed | DeadlinePassed | MatchFinished

Event = TableEvent | RulesEvent
"""Anything that can happen to a table."""
