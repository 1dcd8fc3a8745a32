"""What a match is for, as it is typed."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from shuangkou.v1.matchmaking_pb2 import (
    TICKET_MODE_BOTS,
    TICKET_MODE_CASUAL,
    TICKET_MODE_RANKED,
    TicketMode,
)


class Mode(StrEnum):
    """A way to queue."""

    CASUAL = "casual"
    RANKED = "ranked"
    BOTS = "bots"


MODES: Final[dict[Mode, TicketMode.ValueType]] = {
    Mode.CASUAL: TICKET_MODE_CASUAL,
    Mode.RANKED: TICKET_MODE_RANKED,
    Mode.BOTS: TICKET_MODE_BOTS,
}


def name_of(mode: TicketMode.ValueType) -> str:
    """The mode as it is typed."""
    return next((typed.value for typed, meant in MODES.items() if meant == mode), str(mode))
