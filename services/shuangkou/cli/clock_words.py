"""How much time there is, in words."""

from __future__ import annotations

from typing import Final

from shuangkou.v1 import events_pb2

_SPACE: Final = "\N{NO-BREAK SPACE}"


def seconds(milliseconds: int) -> str:
    """Rounded up, so that no time is left only when it is."""
    return f"{-(-max(0, milliseconds) // 1000)}{_SPACE}s"


def clock_words(clock: events_pb2.Next, now_ms: int) -> str:
    """What is left of the turn, and of the time bank that runs after it; empty where time does not count."""
    if not clock.deadline_ms:
        return ""
    turn_until_ms = min(clock.turn_ms or clock.deadline_ms, clock.deadline_ms)
    bank_ms = clock.deadline_ms - max(now_ms, turn_until_ms)
    if now_ms >= turn_until_ms and bank_ms > 0:
        return f"{seconds(bank_ms)} left of the time bank 加时"
    bank = f" + {seconds(bank_ms)} time bank 加时" if bank_ms > 0 else ""
    return f"{seconds(turn_until_ms - now_ms)}{bank}"
