"""What may be asked of a table, beside the commands of the rules."""

from dataclasses import dataclass, field

from shuangkou.engine.table import Holder, Terms
from shuangkou.rules.commands import Whistle
from shuangkou.rules.seats import Seat
from shuangkou.wire.commands import SeatAct


@dataclass(frozen=True, slots=True)
class OpenTable:
    """Open the table with these holders; open seats are taken later. `invited`: to a private one."""

    terms: Terms
    holders: tuple[Holder, ...]
    invited: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class InvitePlayers:
    """Let these players see a private table, and take its open seats."""

    player_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TakeSeat:
    """Take an open seat for a person."""

    seat: Seat
    player_id: str


@dataclass(frozen=True, slots=True)
class HostSeat:
    """Let a bot play for the seat's person, 托管."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class ReclaimSeat:
    """Let the seat's person play again."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class NextDeal:
    """Start the next deal with this 32-byte seed. Only the engine asks.

    `elapsed_s`: seconds since the first deal of the match began.
    """

    seed: bytes
    elapsed_s: int = 0


@dataclass(frozen=True, slots=True)
class TimeUp:
    """The seat's deadline has passed: act for it. Only the engine asks."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class MoveOn:
    """Take the next step of a deal in which no seat must act. Only the engine asks."""


SeatCommand = SeatAct | TakeSeat | HostSeat | ReclaimSeat
"""What a client may ask for."""

OwnCommand = NextDeal | TimeUp | MoveOn | Whistle
"""What only the engine asks for."""

Command = OpenTable | InvitePlayers | SeatCommand | OwnCommand
"""Anything that may be asked."""
