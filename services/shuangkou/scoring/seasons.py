"""Seasons and days: pure functions of the time, so that every replica and every rebuild agrees."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone

_CHINA = timezone(timedelta(hours=8))
_EPOCH = datetime(1970, 1, 1, tzinfo=_CHINA)
_NAME = re.compile(r"([0-9]{4})q([1-4])")
_QUARTER_MONTHS = 3
# The last year that the calendar knows lies far behind it, in milliseconds since 1970.
_LAST_MS = 253_402_214_400_000
FIRST_SEASON, LAST_SEASON = "1970q1", "9999q4"
DAILY_POINTS = 10
"""For each day on which a player finished a deal, 每日登录分."""


def season_of(time_ms: int) -> str:
    """The quarter of a year in UTC, for example `2026q4`."""
    moment = _moment(time_ms)
    return f"{moment.year:04d}q{(moment.month - 1) // _QUARTER_MONTHS + 1}"


def is_season(text: str) -> bool:
    """Whether a season can have this name."""
    return _NAME.fullmatch(text) is not None and text >= FIRST_SEASON


def season_bounds(season: str) -> tuple[int, int]:
    """When it begins and when the next one does, milliseconds since 1970 UTC."""
    year, quarter = int(season[:4]), int(season[5:])
    following = (year + 1, 1) if quarter * _QUARTER_MONTHS == 12 else (year, quarter * _QUARTER_MONTHS + 1)
    start = datetime(year, (quarter - 1) * _QUARTER_MONTHS + 1, 1, tzinfo=UTC)
    end = datetime(*following, 1, tzinfo=UTC)
    return int(start.timestamp() * 1000), int(end.timestamp() * 1000)


def day_of(time_ms: int) -> int:
    """The day by the calendar of China, counted from 1970."""
    return (_moment(time_ms).astimezone(_CHINA) - _EPOCH).days


def _moment(time_ms: int) -> datetime:
    # A clock that is off must not stop the ledger.
    seconds = min(max(time_ms, 0), _LAST_MS) // 1000
    return datetime.fromtimestamp(seconds, UTC)
