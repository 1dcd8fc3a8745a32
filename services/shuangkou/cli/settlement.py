"""The end of a deal: who finished where, how it ended, what it pays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.text import Text

from shuangkou.cli.columns import rows
from shuangkou.cli.words import PLACES, SEATS, combination_words, result_words
from shuangkou.v1 import events_pb2

SIDE_STYLES: Final = ("cyan", "yellow")
_HEAD: Final = ("place", "seat", "player", "points", "match")
_NUMERIC: Final = frozenset((3, 4))


def settlement_lines(settled: events_pb2.DealSettled, occupants: Sequence[str]) -> list[Text]:
    """The result, the bombs behind the multiplier, and a table of points by place."""
    outcome = settled.climbing
    lines = [_result(outcome)]
    lines += [_bomb(bomb) for bomb in outcome.bombs]
    head: list[Text | str] = [Text(title, "dim") for title in _HEAD]
    table = [
        head,
        *(_row(settled, place, seat, occupants) for place, seat in enumerate(outcome.finish_order)),
    ]
    return lines + rows(table, _NUMERIC)


def _result(outcome: events_pb2.ClimbingOutcome) -> Text:
    line = Text("Result 结果: ", "bold").append(str(result_words(outcome.result)), "bold green")
    if outcome.base and outcome.finish_order:
        winner = outcome.finish_order[0]
        side = f"{SEATS[winner]} and {SEATS[(winner + 2) % 4]}"
        line.append(f" for {side}: {outcome.base} × {outcome.multiplier}", "not bold")
    return line


def _bomb(bomb: events_pb2.BombPlayed) -> Text:
    return Text(f"  bomb 炸弹 by {SEATS[bomb.seat]}: {combination_words(bomb.combination)}", "dim")


def _row(
    settled: events_pb2.DealSettled, place: int, seat: int, occupants: Sequence[str]
) -> list[Text | str]:
    return [
        str(PLACES[place]),
        Text(str(SEATS[seat]), SIDE_STYLES[seat % 2]),
        occupants[seat],
        points(settled.scores[seat]),
        points(settled.totals[seat]),
    ]


def points(value: int) -> str:
    """`+8`, `−4`, `0`: with a true minus, so that gains and losses line up."""
    return f"{value:+d}".replace("-", "−") if value else "0"
